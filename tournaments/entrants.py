"""The bots of a league: how each is started or called, and whether it is the bot that was entered."""

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
    """The bot of an entry.

    Raises:
        FileProblems: its folder holds no bot, or its certificate or token file cannot be read.
    """
    return read_bot(Path(entry.place)) if entry.remote is None else _remote_bot(entry, entry.remote)


def _remote_bot(entry: Entry, remote: Remote) -> RemoteBot:
    name, _, version = entry.answers_to.partition("@")
    return RemoteBot(entry.place, peer_at(entry.place, _credentials(remote)), name, version)


def _credentials(remote: Remote) -> Credentials:
    return Credentials(*(None if path is None else Path(path) for path in (remote.ca, remote.token_file)))


class RollCall(msgspec.Struct):
    """The result of calling every bot.

    Attributes:
        problems: the reasons why the league cannot be played, one sentence each.
        away: one sentence for each remote bot that does not answer now.
    """

    problems: list[str]
    away: list[str]


async def roll_call(league: League) -> RollCall:
    """Check that every bot in a folder can be started, and that every remote bot is the bot that was entered."""
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
    """What is wrong with what a remote bot says about itself; None if nothing is."""
    if f"{says.name}@{says.version}" != entry.answers_to:
        return f"says it is {says.name}@{says.version}, but the league file says {entry.answers_to}"
    if ANY_GAME not in says.games and game not in says.games:
        return f"{entry.name} does not play {game}; it says that it plays: {', '.join(says.games)}"
    at_once = max(1, says.max_parallel)
    if entry.remote is not None and entry.remote.parallel > at_once:
        return (
            f"parallel is {entry.remote.parallel} in the league file, but {entry.name} says that it can serve {at_once}"
        )
    return None
