"""The bots of a league: as they are started or called, and whether they are who they were entered as."""

import asyncio
from pathlib import Path

import msgspec

from referee.files.manifest import ANY_GAME
from referee.files.problems import FileProblems
from referee.shell.host import Bot
from referee.shell.line import Description
from referee.shell.local import read_bot
from referee.shell.remote import Credentials, RemoteBot, Unreachable, describe, peer_at
from tournaments.model import Entry, League, Remote


def bot_of(entry: Entry) -> Bot:
    """The bot that an entry means.

    Raises:
        FileProblems: its folder is no bot, or a file that says how it is called cannot be read.
    """
    return read_bot(Path(entry.place)) if entry.remote is None else _remote_bot(entry, entry.remote)


def _remote_bot(entry: Entry, remote: Remote) -> RemoteBot:
    name, _, version = entry.name.partition("@")
    return RemoteBot(entry.place, peer_at(entry.place, _credentials(remote)), name, version)


def _credentials(remote: Remote) -> Credentials:
    return Credentials(*(None if path is None else Path(path) for path in (remote.ca, remote.token_file)))


class RollCall(msgspec.Struct):
    """What came of asking for every bot.

    Attributes:
        problems: why the league cannot be played, a sentence each.
        away: remote bots that do not answer now, a sentence each.
    """

    problems: list[str]
    away: list[str]


async def roll_call(league: League) -> RollCall:
    """See that every bot in a folder can be started, and that those at an address are who they were entered as."""
    called = RollCall([], [])
    answers = await asyncio.gather(*(_call(entry, league) for entry in league.entries), return_exceptions=True)
    for answer in answers:
        if isinstance(answer, FileProblems):
            called.problems += answer.problems
        elif isinstance(answer, Unreachable):
            called.away.append(str(answer))
        elif isinstance(answer, BaseException):
            raise answer
    return called


async def _call(entry: Entry, league: League) -> None:
    if entry.remote is None:
        read_bot(Path(entry.place))
        return
    peer = _remote_bot(entry, entry.remote).peer
    wrong = _mistaken(entry, await describe(entry.place, peer, league.clock.start_ms), league.game)
    if wrong:
        raise FileProblems([f"{entry.place}: {wrong}"])


def _mistaken(entry: Entry, says: Description, game: str) -> str | None:
    """What is wrong with what a remote bot says of itself."""
    if f"{says.name}@{says.version}" != entry.name:
        return f"says it is {says.name}@{says.version}, but the league file says {entry.name}"
    if ANY_GAME not in says.games and game not in says.games:
        return f"{entry.name} does not play {game}; it says that it plays: {', '.join(says.games)}"
    at_once = max(1, says.max_parallel)
    if entry.remote is not None and entry.remote.parallel > at_once:
        return (
            f"parallel is {entry.remote.parallel} in the league file, but {entry.name} says that it can serve {at_once}"
        )
    return None
