"""A league as a viewer may see it."""

from typing import Any, Literal, TypeAlias

import msgspec

from referee.core.outcome import Seat
from referee.match.clock import Clock
from tournaments.league.status import Fleet

Phase: TypeAlias = Literal["waiting", "under way", "over", "closed"]
"""`waiting`: nothing was played. `under way`: matches remain, or will be decided. `over`: none does, and some may come
yet. `closed`: nothing comes any more."""


class TableView(msgspec.Struct, frozen=True):
    """One way of playing the league's game.

    Attributes:
        name: unique in the league.
        seats: how many players.
        options: the game's options, defaults included.
        seating: who may sit where: `distinct`, `copies` or `teams`.
        sides: the seats of each side that is fixed before play; empty where there are none.
    """

    name: str
    seats: int
    options: dict[str, Any]
    seating: str
    sides: tuple[tuple[Seat, ...], ...]


class ProgressView(msgspec.Struct, frozen=True):
    """How far a league was at a moment.

    Attributes:
        at_ms: the moment, in milliseconds since 1970 (UTC).
        waves: how many waves (rounds of a Swiss, waves of a knock-out) there were; 1 where all is planned before.
        planned: how many matches these have.
        played: how many count.
        remaining: how many were still to be played.
        skipped: how many are left out: their bot is suspended or withdrawn, or their deal was closed before.
        abandoned: how many were given up because they were void too often.
    """

    at_ms: int
    waves: int
    planned: int
    played: int
    remaining: int
    skipped: int
    abandoned: int


class LeagueView(msgspec.Struct, frozen=True):
    """A league.

    Attributes:
        name: its name.
        game: the name of its game.
        rules_version: that of the game.
        format: the keys of `[format]` in its file, `kind` among them.
        deals: how many deals a group of bots plays at a table (in a wave, where there are several).
        tables: in the order of the file.
        clock: the time limits of bots that have none of their own.
        sandbox: what bots in folders run in.
        rehearsal: whether the seed may be one that can be guessed.
        bots: how many bots are on the roster.
        phase: how far it is, in one word.
        stored: how many matches are stored now, whether they count or not.
        progress: how far it was at the last refresh; None before the first.
        suspended: the suspended bots, by name, at the last refresh.
        seed_sha256: the SHA-256 of its seed, in hex; None before the first run.
        seed: 64 hex digits; None while it may not be told.
        deals_closed: all deals with a lower number are closed; None: all of the league are.
        closed_ms: when the league was closed, in milliseconds since 1970 (UTC); None: it is open.
        takes_bots: whether bots may be submitted.
        opens_ms: from when on, if the file says so.
        closes_ms: until when, if the file says so.
        fleet: for the organizer, the nodes that play it now; None for all others, where one machine plays alone, and
            where nobody plays.
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
    deals_closed: int | None
    closed_ms: int | None
    takes_bots: bool
    opens_ms: int | None
    closes_ms: int | None
    fleet: Fleet | None
