"""A league as a viewer may see it. Only the organizer sees how fast it is played, and what goes wrong."""

from typing import Any, Literal, TypeAlias

import msgspec

from referee.core.outcome import Seat
from referee.match.terms import Clock
from tournaments.comparison.memory_evidence import MemoryReport
from tournaments.comparison.pair_flags import PairFlag
from tournaments.league.model import StoredVoid
from tournaments.league.status import Fleet, MatchCounts, SeatStatus
from tournaments.league.timetable import RunnerState


class FaultsView(msgspec.Struct, frozen=True):
    """How many stored matches the faults of a bot of this kind cut short."""

    bot: str
    kind: str
    matches: int


class OperationView(msgspec.Struct, frozen=True):
    """How a league is played.

    Attributes:
        a_minute: the matches a minute, over the ten minutes before the last match was stored.
        faults: the faults by bot and kind, the most frequent first.
        voids: how many matches were void.
        latest: the latest void matches, the latest first.
        file_problems: what is wrong in the league file as it is now. The league is served by an earlier one.
    """

    a_minute: float
    faults: tuple[FaultsView, ...]
    voids: int
    latest: tuple[StoredVoid, ...]
    file_problems: tuple[str, ...] = ()


Phase: TypeAlias = Literal["waiting", "under way", "counting", "paused", "between waves", "over", "closed"]
"""`waiting`: no match was played. `under way`: somebody plays it now. In the others nobody does. `counting`: the tables
do not have all matches yet. `paused`: matches remain. `between waves`: none remains, others will be planned. `over`:
none remains now. `closed`: there will be no more matches."""


class TableView(msgspec.Struct, frozen=True):
    """One way of playing the league's game.

    Attributes:
        name: unique in the league.
        seats: how many players.
        options: the game's options, defaults included.
        seating: the rule for seating bots: `distinct`, `copies` or `teams`.
        sides: the seats of each side that is fixed before play; empty where there are none.
        deals_sides: whether luck decides who belongs to which side. Then results become public when deals are closed.
    """

    name: str
    seats: int
    options: dict[str, Any]
    seating: str
    sides: tuple[tuple[Seat, ...], ...]
    deals_sides: bool


class ProgressView(msgspec.Struct, frozen=True):
    """The progress of a league at a moment.

    Attributes:
        at_ms: the moment, in milliseconds since 1970 (UTC).
        waves: how many waves (rounds of a Swiss, waves of a knock-out) there were; 1 if all is planned in advance.
        matches: how many matches these had of each kind.
        at_end: how many matches the waves of the whole league have at most: in an open league, so many as its file
            allows. None if results decide how many there are.
    """

    at_ms: int
    waves: int
    matches: MatchCounts
    at_end: int | None

    @property
    def settled(self) -> int:
        """How many of the planned matches are no longer to be played."""
        return self.matches.planned - self.matches.remaining

    @property
    def left(self) -> int | None:
        """How many matches there may be until the end of the league; None if results decide that."""
        return None if self.at_end is None else max(0, self.at_end - self.settled)


class LeagueView(msgspec.Struct, frozen=True):
    """A league.

    Attributes:
        name: its name.
        game: the name of its game.
        rules_version: the version of the game's rules.
        format: the keys of `[format]` in its file, `kind` among them.
        deals: how many deals a group of bots plays at a table (in a wave, where there are several).
        tables: its tables, in the order of the file.
        clock: the time limits of bots without their own.
        sandbox: the sandbox of bots in folders.
        rehearsal: whether the seed may be guessable.
        bots: how many bots are on the roster.
        phase: its phase.
        stored: how many matches are stored, whether they count or not; for all but the organizer as of the last step
            of time (in a service, the last full minute).
        progress: its progress at the last refresh; None before the first.
        suspended: the suspended bots, by name, at the last refresh.
        seed_sha256: the SHA-256 of its seed, in hex; None before the first run.
        seed: its seed, 64 hex digits; None while it is secret.
        own_luck: whether each match has luck of its own, so that everybody can watch it when it has ended.
        deals_closed: all deals with a lower number are closed; None: all of the league are.
        closed_ms: when the league was closed, in milliseconds since 1970 (UTC); None: it is open.
        takes_bots: whether bots may be submitted, as of the last step of time.
        opens_ms: when submissions open, in milliseconds since 1970 (UTC), if the file says it.
        closes_ms: when submissions close for everybody, in milliseconds since 1970 (UTC), if the file says it.
        closes_by_file_ms: the same as the file says it, before anybody extended it.
        starts_ms: when play starts by itself, likewise; None: nothing says it.
        ends_ms: after this no wave begins, likewise.
        runner: what the runner beside the server does about it; None: there is none. Why it rests, and how many checks
            it waits for, only the organizer sees.
        fleet: for the organizer, the nodes that play it now; None for other viewers, if one machine plays alone, or
            if nobody plays.
        seats: how the bots are that call the service.
        memory: whether bots play better on deals that were played before, at the last refresh. None before the first,
            and while a deal is open for all but the organizer.
    """

    name: str
    game: str
    rules_version: int
    format: dict[str, Any]
    deals: int
    tables: tuple[TableView, ...]
    clock: Clock
    sandbox: str
    rehearsal: bool
    bots: int
    phase: Phase
    stored: int
    progress: ProgressView | None
    suspended: tuple[str, ...]
    seed_sha256: str | None
    seed: str | None
    own_luck: bool
    deals_closed: int | None
    closed_ms: int | None
    takes_bots: bool
    opens_ms: int | None
    closes_ms: int | None
    closes_by_file_ms: int | None
    starts_ms: int | None
    ends_ms: int | None
    runner: RunnerState | None
    fleet: Fleet | None
    seats: tuple[SeatStatus, ...]
    memory: MemoryReport | None
    pairs: tuple[PairFlag, ...]

    @property
    def share(self) -> float | None:
        """Which part of all its matches is stored or settled; None if nobody knows, or if nothing more is played."""
        found = self.progress
        if found is None or not found.at_end or self.phase in {"waiting", "over", "closed"}:
            return None
        return min(1.0, max(found.settled, self.stored) / found.at_end)
