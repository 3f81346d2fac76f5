"""The messages between a runner and its workers. All of them are plain values, so that they can be sent anywhere."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Protocol, TypeAlias

import msgspec

from referee.core.errors import OurFailure, UserError
from referee.match.terms import Clock
from referee.match.transcript import Header
from referee.runtime.confinement import Confinement, confinement
from referee.runtime.host import Bot
from tournaments.league.model import MATCHES_A_START, Entry, Fixture, League
from tournaments.league.status import Fleet
from tournaments.play.match_results import BrokenBatch, Result
from tournaments.play.workers.sitting_supply import SittingSupply


class Work(msgspec.Struct, frozen=True):
    """The settings that all matches of a run share.

    Attributes:
        game: the name of the game.
        clock: the time limits of bots that have none of their own.
        entries: the bots as they were entered, by name.
        bots: the same bots, ready to be started or called, by name.
        confinement: what the bots are confined in.
        pondering: whether bots may think while others are asked.
        batch: how many matches of a sitting may be played at once.
        matches_a_start: how many matches of a line-up, one after the other, may share its processes.
        logs: the folder for what the bots write; None: nothing of it is kept.
    """

    game: str
    clock: Clock
    entries: dict[str, Entry]
    bots: Mapping[str, Bot]
    confinement: Confinement
    pondering: bool = False
    batch: int = 1
    matches_a_start: int = MATCHES_A_START
    logs: Path | None = None

    @property
    def clocks(self) -> list[Clock]:
        """The clock of each bot."""
        return [entry.terms.clock or self.clock for entry in self.entries.values()]

    @property
    def remote_seats(self) -> int:
        """The most seats that all remote bots together may hold at once."""
        return sum(entry.remote.parallel for entry in self.entries.values() if entry.remote)

    def calls_remote(self, entries: Iterable[str]) -> bool:
        """Whether one of these entries is a remote bot."""
        return any(self.entries[name].remote for name in entries)


def work_of(league: League, bots: Mapping[str, Bot], logs: Path | None = None) -> Work:
    """The settings for the workers that play `league` with these bots, by entry, and store their output in `logs`."""
    entries = {entry.name: entry for entry in league.entries}
    confined = confinement(league.sandbox, league.limits, [Path(place) for place in league.read])
    batch, shared = (1, 1) if league.fresh else (league.batch, MATCHES_A_START)
    return Work(league.game, league.clock, entries, bots, confined, league.pondering, batch, shared, logs)


class Job(msgspec.Struct, frozen=True):
    """One match to be played.

    Attributes:
        start: the number of the start. Jobs with the same number use the same processes.
        fixture: the fixture of the match.
        header: the header of the match.
        singly: whether the matches of the sitting are played one by one, whatever the bots can do.
    """

    start: int
    fixture: Fixture
    header: Header
    singly: bool = False


class AtOnce(msgspec.Struct, frozen=True):
    """A worker says how many matches of its sitting it plays at once."""

    matches: int


class EndProcesses(msgspec.Struct, frozen=True):
    """Ask to end the processes of the last sitting: none follows it now, and other workers may wait for its bots."""


class ProcessesEnded(msgspec.Struct, frozen=True):
    """The answer to `EndProcesses`: the processes have ended."""


class Alive(msgspec.Struct, frozen=True):
    """A worker says at intervals that it still plays."""


FromWorker: TypeAlias = Result | BrokenBatch | AtOnce | ProcessesEnded | Alive | UserError
"""The messages of a worker. After the last one it ends."""


PAUSE_S = 0.05
"""If no result comes for this long, an executor says so."""


NO_WORKER = "no process that plays matches can be started here"


class WorkerBug(OurFailure):
    """A worker met a bug; the argument is its traceback."""

    def __str__(self) -> str:
        return f"This is a bug in the referee; please report it with what follows.\n{super().__str__()}"


class Crowding(msgspec.Struct, frozen=True):
    """Some workers share their core.

    Attributes:
        workers: how many workers there are.
        alone: how many of them have a core to themselves.
    """

    workers: int
    alone: int


class Executor(Protocol):
    """Plays sittings, on this machine or elsewhere."""

    @property
    def workers(self) -> int:
        """How many matches it can play at once."""

    @property
    def crowding(self) -> Crowding | None:
        """How many workers share their core with others, of this run or of another; None if none does."""

    def renew(self, work: Work) -> None:
        """Play with other settings from now on. This is called only while nothing is being played."""

    def play(self, supply: SittingSupply) -> Iterator[Result | BrokenBatch | Fleet | None]:
        """Yield every result as soon as it is there, in no particular order, until nothing may begin any more.

        A match is tried only once. One that was postponed may be tried again when its remote bot may be called again. A
        match that was given out is played, even if it waits for its turn at a worker, for a fraction of a second.

        Where many machines play, the executor also yields their status now and then.

        None means that no result arrived for `PAUSE_S` after the last one. So the caller may gather results for a
        while, and still gets them in time.
        """
