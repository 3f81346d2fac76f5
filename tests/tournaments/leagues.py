"""Leagues, matches and games for tests of tournaments. Nothing here is played."""

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any, Literal, cast

import msgspec

from referee.core.game import AnyGame
from referee.core.outcome import Outcome, Side
from referee.match.header import header as header_of
from referee.match.terms import Clock
from referee.match.transcript import Choice, FaultKind, FaultMark, Metadata, Record, Remark, Spent, Transcript
from tournaments.league.model import Entry, FinishedMatch, Fixture, League, TableSpec, finished
from tournaments.schedule.formats.format import NothingPlayed
from tournaments.schedule.formats.round_robin import RoundRobin
from tournaments.schedule.formats.wave import Wave

SEED = bytes(range(32))


class Options(msgspec.Struct, frozen=True):
    """The options of a game that is never played, one of each kind that a person can get wrong."""

    mode: Literal["plain", "fancy"] = "plain"
    rounds: int = 3
    blind: bool = False

    def __post_init__(self) -> None:
        if self.mode == "plain" and self.blind:
            raise ValueError("blind goes with mode = fancy only")


def game(seats: tuple[int, ...] = (2, 3)) -> AnyGame:
    """As much of a game as reading a league file needs. In the mode `fancy`, seat 1 plays against all others."""

    def fits(_options: Any) -> tuple[int, ...]:
        return seats

    def sides(options: Options, seats: int) -> tuple[Side, ...]:
        assert seats in fits(options)
        others = tuple(seat for seat in range(seats) if seat != 1)
        return (Side("many", others), Side("one", (1,))) if options.mode == "fancy" else ()

    nim = SimpleNamespace(
        name="nim",
        rules_version=4,
        draw_probability=0.1,
        options_type=Options,
        seats=fits,
        sides=sides,
        deals_sides=lambda _options: False,
    )
    return cast("AnyGame", nim)


def league(
    bots: Iterable[str] = ("ann", "bob", "cid"), deals: int = 3, seats: Iterable[int] = (2,), **other: Any
) -> League:
    """A league of nim. Each number in `seats` is a table."""
    values: dict[str, Any] = {
        "name": "autumn",
        "game": "nim",
        "rules_version": 4,
        "draw_probability": 0.1,
        "deals": deals,
        "seed": SEED.hex(),
        "rehearsal": False,
        "sandbox": "none",
        "fresh": False,
        "pondering": False,
        "clock": Clock(),
        "tables": tuple(TableSpec(f"of-{number}", number, {"mode": "plain"}) for number in seats),
        "entries": tuple(Entry(f"{bot}@1", f"/bots/{bot}") for bot in bots),
    }
    return League(**(values | other))


def wave(league: League) -> Wave:
    """The first wave of the league. It is the whole league if results decide nothing."""
    first = RoundRobin(league).wave(0, NothingPlayed())
    assert first is not None
    return first


def plan(league: League) -> tuple[Fixture, ...]:
    """Every fixture, in plan order."""
    return tuple(wave(league))


def match(
    fixture: Fixture,
    *,
    winner: int = 0,
    choices: tuple[int, ...] = (0, 1),
    at_fault: int | None = None,
    sides: tuple[Side, ...] = (),
) -> FinishedMatch:
    """A match as an executor would hand it back."""
    seats = range(len(fixture.entries))
    header = header_of(
        game="nim",
        rules_version=4,
        options={"mode": "plain"},
        fixture=fixture.id,
        entries=fixture.entries,
        root=SEED,
        deal=fixture.deal,
    )
    faults = () if at_fault is None else (FaultMark(at_fault, 1, FaultKind.TIMEOUT),)
    record = Record(
        header=header,
        luck=(),
        choices=tuple(Choice(seat, index) for seat, index in enumerate(choices)),
        faults=faults,
        outcome=Outcome("fault" if faults else "won", tuple(1 if seat == winner else 2 for seat in seats), sides),
    )
    remarks = tuple(Remark(fault.seat, 1, "it was silent for 10 s", "stuck") for fault in faults)
    aside = Metadata(Clock(), tuple(Spent(seat, 10 + seat) for seat in seats), remarks, ("/a", "/b"))
    return finished(fixture, Transcript(record, aside))
