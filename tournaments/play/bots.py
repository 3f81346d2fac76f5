"""The bots of a league: how each is started or called, and whether it is the bot that was entered."""

import asyncio
from collections.abc import Collection, Iterable, Iterator, Set
from functools import partial
from itertools import islice
from pathlib import Path

import msgspec

from referee.core.bot_limits import FolderLimits
from referee.core.errors import FileProblems
from referee.files.bot_folder import Visible
from referee.files.manifest import ANY_GAME
from referee.runtime.bot_address import Peer
from referee.runtime.bot_stream import Description
from referee.runtime.channels.seat_channel import SeatChannel
from referee.runtime.host import Bot
from referee.runtime.local_bot import LocalBot, read_bot
from referee.runtime.remote_bot import CallingBot, Credentials, RemoteBot, Unreachable, describe, peer_at
from referee.runtime.sandbox.readable_paths import SYSTEM, runtime
from referee.wire.messages import description
from tournaments.league.model import Entry, League, Remote
from tournaments.results.live_seats import seats_socket


def bot_of(entry: Entry, limits: FolderLimits, service_lock: str | None = None) -> Bot:
    """The bot of an entry; `limits` are those of its folder, and `service_lock` is that of `League`.

    Raises:
        FileProblems: its folder holds no bot or is too large, or its certificate or token file cannot be read.
    """
    if entry.remote is not None and entry.remote.calls:
        name, _, version = entry.answers_to.partition("@")
        door = partial(_seat, service_lock, entry.name, description(name, version))
        return CallingBot(entry.place, Peer(entry.place, door=door), name, version, terms=entry.terms)
    if entry.remote is not None:
        return _remote_bot(entry, entry.remote)
    return read_bot(Path(entry.place), limits, entry.terms)


def _remote_bot(entry: Entry, remote: Remote) -> RemoteBot:
    name, _, version = entry.answers_to.partition("@")
    credentials = Credentials(*(None if path is None else Path(path) for path in (remote.ca, remote.token_file)))
    return RemoteBot(entry.place, peer_at(entry.place, credentials), name, version, terms=entry.terms)


def _seat(service_lock: str | None, entry: str, about: bytes) -> SeatChannel:
    """A channel to a bot that calls the service. That is looked for now: it may have been started again."""
    place = None if service_lock is None else seats_socket(Path(service_lock))
    return SeatChannel(place, entry, about)


class RollCall(msgspec.Struct):
    """The result of calling every bot.

    Attributes:
        bots: the bots that can be started or called, by entry.
        problems: the reasons why the league cannot be played, one sentence each.
        away: one sentence for each remote bot that does not answer now.
    """

    bots: dict[str, Bot]
    problems: list[str]
    away: list[str]


async def roll_call(league: League, store: Path | None, logs: Path | None = None) -> RollCall:
    """Check that every bot in a folder can be started, and that every remote bot is the bot that was entered.

    No bot may see `store`, the file of the league's store (None: it is no file), nor `logs`, the folder of the bots'
    logs (None: there are none).
    """
    called = RollCall({}, [], [])
    for entry in league.entries:
        try:
            called.bots[entry.name] = bot_of(entry, league.folders, league.service_lock)
        except FileProblems as error:
            called.problems += error.problems
    folders = frozenset(Path(entry.place) for entry in league.entries if entry.remote is None)
    allowed = [SYSTEM, *map(Path, league.read)]
    confined = league.sandbox != "none"
    local = [bot for bot in called.bots.values() if isinstance(bot, LocalBot)]
    for bot in local:
        called.problems += trespasses(bot.visible, folders, store, logs, confined=confined)
        if confined and not league.trusts_links:
            called.problems += strays(bot.visible, allowed)
    if confined and local:
        runtimes = {place for bot in local for place in runtime(bot.command, bot.folder)}
        called.problems += exposures([*sorted(runtimes), *allowed], folders, store, logs)
    await _call_remote(called, league)
    called.problems = [*dict.fromkeys(called.problems)]  # a folder that is entered twice has each problem twice
    return called


async def _call_remote(called: RollCall, league: League) -> None:
    remote_bots = [
        (entry, bot) for entry in league.entries if isinstance(bot := called.bots.get(entry.name), RemoteBot)
    ]
    answers = await asyncio.gather(*(_ask(entry, bot, league) for entry, bot in remote_bots), return_exceptions=True)
    for answer in answers:
        if isinstance(answer, Unreachable):
            called.away.append(str(answer))
        elif isinstance(answer, BaseException):
            raise answer
        elif answer is not None:
            called.problems.append(answer)


async def _ask(entry: Entry, bot: RemoteBot, league: League) -> str | None:
    clock = entry.terms.clock or league.clock
    wrong = _mistaken(entry, await describe(entry.place, bot.peer, clock.start_ms), league.game)
    return f"{entry.place}: {wrong}" if wrong else None


def trespasses(
    visible: Visible, folders: Set[Path], store: Path | None, logs: Path | None = None, *, confined: bool
) -> list[str]:
    """A sentence for everything that would show a bot another bot, or the league's store or logs.

    `folders` are those of all bots, its own among them. A confined bot sees its own folder; any other sees the whole
    disk anyway.
    """
    targets = {visible.folder / link.name: link.target for link in visible.links}
    if confined:
        targets[visible.folder] = visible.folder
    return [
        f"{path}: shows the bot {place}, and there is {met}; a bot may see neither other bots nor the store"
        for path, place in targets.items()
        for met in _met(place, folders - {visible.folder}, store, logs)
    ]


def exposures(places: Iterable[Path], folders: Set[Path], store: Path | None, logs: Path | None = None) -> list[str]:
    """A sentence for every place outside of the bots' folders that would show a bot another bot, the store or the logs.

    `places` are the places that a confined bot may read; `folders` are those of all bots.
    """
    return [
        f"{place}: confined bots may read this, and there is {met}; put that elsewhere, or take {place} out of read"
        for place in places
        for met in _met(place, folders, store, logs)
    ]


def _met(place: Path, folders: Set[Path], store: Path | None, logs: Path | None) -> Iterator[str]:
    """The folders and files in a place, or around it, that a bot must not see there."""
    bots = dict.fromkeys(sorted(folders), "another bot")
    files = [] if store is None else [store, *(store.with_name(f"{store.name}{ending}") for ending in ("-wal", "-shm"))]
    league_paths = dict.fromkeys(files, "the store of the league")
    league_paths |= {} if logs is None else {logs: "the logs of its bots"}
    for closed in (bots, league_paths):
        met = (each for each in closed if place.is_relative_to(each) or each.is_relative_to(place))
        yield from (f"{each}, {closed[each]}" for each in islice(met, 1))


def strays(visible: Visible, allowed: Collection[Path]) -> list[str]:
    """A sentence for every link that leads to none of the places that the organizer allows bots to read."""
    return [
        f"{visible.folder / link.name}: leads to {link.target}, which this league does not let bots read;"
        " name that place in read of [sandbox], or put a copy into the bot's folder"
        for link in visible.links
        if not any(link.target.is_relative_to(place) for place in allowed)
    ]


def _mistaken(entry: Entry, says: Description, game: str) -> str | None:
    """The fault in a remote bot's description of itself; None if there is none."""
    if f"{says.name}@{says.version}" != entry.answers_to:
        return f"says it is {says.name}@{says.version}, but the league file says {entry.answers_to}"
    if ANY_GAME not in says.games and game not in says.games:
        return f"{entry.name} does not play {game}; it says that it plays: {', '.join(says.games)}"
    at_once = max(1, says.max_parallel)
    if entry.remote is not None and not entry.remote.calls and entry.remote.parallel > at_once:
        return (
            f"parallel is {entry.remote.parallel} in the league file, but {entry.name} says that it can serve {at_once}"
        )
    return None
