"""The words of a tournament, as values. None of them does anything.

Those that come in hundreds of thousands are kept out of the garbage collector (`gc=False`), which would otherwise take
longer to look through them again and again than it takes to read them; none of them can be part of a cycle.
"""

from typing import Any, Literal, TypeAlias

import msgspec

from referee.core.outcome import Outcome, Seat
from referee.match.clock import Clock
from referee.match.transcript import FaultMark, Transcript

VOIDS_ALLOWED = 3
"""A fixture that was void this often is abandoned."""


class Remote(msgspec.Struct, frozen=True):
    """How a bot that runs elsewhere is called.

    Attributes:
        ca: the path of a file with the authorities that may have signed its certificate; None: those of this machine.
        token_file: the path of a file with the token that it asks for; None: it asks for none.
        parallel: how many seats it holds at once at most.
    """

    ca: str | None = None
    token_file: str | None = None
    parallel: int = 1


class Entry(msgspec.Struct, frozen=True):
    """A bot in a league.

    Attributes:
        name: `name@version`; unique in the league.
        place: where it is: the absolute path of its folder, or its address.
        remote: how it is called at its address; None: it is in a folder.
    """

    name: str
    place: str
    remote: Remote | None = None


Seating: TypeAlias = Literal["distinct", "copies", "teams"]
"""Who may sit where: every seat another entry; any entries, of which one may hold several seats; or every side one
entry, which holds all its seats."""


class TableSpec(msgspec.Struct, frozen=True):
    """One way of playing the league's game.

    Attributes:
        name: unique in the league.
        seats: how many players.
        options: of the game, defaults written out, as plain values.
        seating: who may sit where.
        sides: the seats of each side that is fixed before play; empty where there are none. They follow from game,
            options and seats, so they are not pinned.
    """

    name: str
    seats: int
    options: dict[str, Any]
    seating: Seating = "distinct"
    sides: tuple[tuple[Seat, ...], ...] = ()


class League(msgspec.Struct, frozen=True):
    """A league file, checked.

    Attributes:
        name: what its results are kept under.
        game: the name of the game.
        rules_version: of the game as it is installed.
        draw_probability: the game's, likewise: how often two equal sides draw.
        deals: how many deals every group of entries plays at every table.
        seed: 64 hex digits; None: drawn at the first run.
        rehearsal: whether the seed may be one that can be guessed.
        sandbox: what bots run in.
        fresh: whether every match has processes of its own.
        pondering: whether a bot may think while it is not its turn.
        clock: of every match.
        tables: in the order of the file.
        entries: in the order of the file.
        store: the address of the store that the file names; None: it names none.
    """

    name: str
    game: str
    rules_version: int
    draw_probability: float
    deals: int
    seed: str | None
    rehearsal: bool
    sandbox: str
    fresh: bool
    pondering: bool
    clock: Clock
    tables: tuple[TableSpec, ...]
    entries: tuple[Entry, ...]
    store: str | None = None


class Fixture(msgspec.Struct, frozen=True, gc=False):
    """One match that the plan asks for.

    Attributes:
        id: says all of the below; the same whatever else is in the league.
        table: its name.
        entries: their names, by seat.
        deal: counted from 0.
        rotation: which of the ways of seating its group this is, counted from 0 (see `tournaments.seating`).
    """

    id: str
    table: str
    entries: tuple[str, ...]
    deal: int
    rotation: int


class Sitting(msgspec.Struct, frozen=True):
    """The unit of work: one line-up in one rotation, over deals that are all different, on processes of its own.

    Attributes:
        id: says the line-up and the first deal.
        fixtures: in the order they are played; never empty.
    """

    id: str
    fixtures: tuple[Fixture, ...]


class Finished(msgspec.Struct, frozen=True):
    """A match as an executor hands it back.

    Attributes:
        fixture: which one.
        record: the canonical record, as it is hashed.
        aside: the rest of the transcript, as JSON.
        decisions: how many decisions each seat was asked for, by seat.
        thinking_us: how long each seat thought in all, in microseconds, by seat.
        offenders: the entries whose fault cut the match short.
    """

    fixture: Fixture
    record: bytes
    aside: bytes
    decisions: tuple[int, ...]
    thinking_us: tuple[int, ...]
    offenders: frozenset[str] = frozenset()


def finished(fixture: Fixture, transcript: Transcript) -> Finished:
    """A match that was just played, its transcript encoded (best done by the worker that played it)."""
    record = transcript.record.canonical()
    aside = msgspec.json.encode(transcript.aside)
    offenders = frozenset(fixture.entries[fault.seat] for fault in transcript.record.faults)
    return Finished(fixture, record, aside, transcript.decisions, transcript.thinking_us, offenders)


class Played(msgspec.Struct, frozen=True, gc=False):
    """A result as it is stored.

    Attributes:
        fixture: the id.
        digest: of the match, taken of the stored record.
        entries: their names, by seat.
        outcome: how it ended.
        faults: what cut it short, if anything did.
        decisions: how many decisions each seat was asked for, by seat.
        thinking_us: how long each seat thought in all, in microseconds, by seat.
        stored_ms: when it was stored, in milliseconds since 1970 (UTC).
    """

    fixture: str
    digest: str
    entries: tuple[str, ...]
    outcome: Outcome
    faults: tuple[FaultMark, ...]
    decisions: tuple[int, ...]
    thinking_us: tuple[int, ...]
    stored_ms: int

    @property
    def offenders(self) -> frozenset[str]:
        """The entries whose fault cut the match short."""
        return frozenset(self.entries[fault.seat] for fault in self.faults)


class StoredVoid(msgspec.Struct, frozen=True):
    """A match that failed through our fault, as it is stored: it is played again, the third time given up."""

    fixture: str
    reason: str
    stored_ms: int
