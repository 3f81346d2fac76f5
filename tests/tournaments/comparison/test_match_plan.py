"""Who plays in a comparison, and in how long waves."""

from collections import Counter
from itertools import chain, takewhile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.leagues import league
from tournaments.comparison.match_plan import ComparedLineUps, GrowingWaves, seating_of
from tournaments.league.model import TableSpec
from tournaments.schedule.formats.format import NothingPlayed
from tournaments.schedule.formats.round_robin import EveryGroup
from tournaments.schedule.formats.wave import LineUp

PAIR = ("new", "old")
SIDES: dict[str, tuple[tuple[int, ...], ...]] = {
    "duel": ((0,), (1,)),
    "2v1": ((0, 2), (1,)),
    "2v2": ((0, 2), (1, 3)),
    "three pairs": ((0, 3), (1, 4), (2, 5)),
    "together": ((0, 1, 2),),
    "dealt": (),
}
SEATS = {"duel": 2, "2v1": 3, "2v2": 4, "three pairs": 6, "together": 3, "dealt": 5}
TABLES = [TableSpec(name, SEATS[name], {}, "copies", sides) for name, sides in SIDES.items()]


def beside(table: TableSpec, *others: str) -> list[LineUp]:
    return [line_up for _, line_up in ComparedLineUps(table, PAIR, others).numbered()]


@pytest.mark.parametrize("others", [("ann",), ("ann", "bob"), ("ann", "bob", "cid")])
@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_the_two_never_meet_and_sit_in_the_same_seats_with_the_same_others(
    table: TableSpec, others: tuple[str, ...]
) -> None:
    of_new, of_old = (
        Counter(
            tuple("it" if entry == bot else entry for entry in line_up.entries)
            for line_up in beside(table, *others)
            if bot in line_up.entries
        )
        for bot in PAIR
    )
    assert of_new == of_old
    assert all(not of.keys() & {("new",), ("old",)} for of in (of_new, of_old))
    assert all(len({"new", "old"} & set(line_up.entries)) == 1 for line_up in beside(table, *others))


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_each_of_the_two_gets_every_seat_and_each_other_sits_equally_often(table: TableSpec) -> None:
    line_ups = beside(table, "ann", "bob")
    for bot in PAIR:
        seats = Counter(seat for of in line_ups for seat, entry in enumerate(of.entries) if entry == bot)
        assert set(seats) == set(range(table.seats))
        assert len(set(seats.values())) == 1
    others = Counter(entry for of in line_ups for entry in of.entries if entry not in PAIR)
    assert others["ann"] == others["bob"]


def test_at_fixed_sides_a_bot_holds_all_of_a_side() -> None:
    entries = {line_up.entries for line_up in beside(TABLES[2], "ann")}
    assert entries == {("new", "ann") * 2, ("ann", "new") * 2, ("old", "ann") * 2, ("ann", "old") * 2}


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_line_ups_are_numbered_without_gaps_and_others_have_no_number(table: TableSpec) -> None:
    line_ups = ComparedLineUps(table, PAIR, ("ann", "bob"))
    assert [line_ups.number(line_up) for _, line_up in line_ups.numbered()] == list(range(len(line_ups)))
    assert len(set(line_ups.numbered())) == len(line_ups) == line_ups.span
    assert line_ups.number(LineUp(table.name, ("new",) * table.seats, 0)) is None


def test_where_there_are_up_to_two_fixed_sides_a_bot_holds_all_of_one_and_elsewhere_single_seats() -> None:
    seatings = {name: seating_of(sides, SEATS[name]) for name, sides in SIDES.items()}
    assert {name for name, seating in seatings.items() if seating == "copies"} == {"three pairs", "dealt"}


@pytest.mark.parametrize("name", SIDES)
def test_without_others_both_bots_get_every_seat_equally_often(name: str) -> None:
    seating = seating_of(SIDES[name], SEATS[name])
    table = TableSpec(name, SEATS[name], {}, seating, SIDES[name])
    line_ups = [line_up.entries for _, line_up in EveryGroup(league(PAIR, tables=(table,))).numbered()]
    for seat in range(SEATS[name]):
        held = Counter(entries[seat] for entries in line_ups)
        assert held["new@1"] == held["old@1"] > 0


LINE_UPS = EveryGroup(league(("ann", "bob")))


def deals(count: int) -> list[range]:
    waves = GrowingWaves("nim", LINE_UPS, range(count))
    found = (waves.wave(number, NothingPlayed()) for number in range(20))
    return [wave.deals for wave in takewhile(bool, found) if wave]


@given(st.integers(1, 3_000))
def test_waves_have_every_deal_once_in_order(count: int) -> None:
    assert list(chain.from_iterable(deals(count))) == list(range(count))


def test_each_wave_is_twice_as_long_and_the_last_ends_with_the_deals() -> None:
    assert deals(100) == [range(8), range(8, 24), range(24, 56), range(56, 100)]


@given(st.integers(1, 300), st.integers(1, 300))
def test_with_more_deals_the_fixtures_of_fewer_stay_as_they_were(one: int, other: int) -> None:
    few, many = (
        {
            fixture.id
            for wave in map(GrowingWaves("nim", LINE_UPS, range(count)).wave, range(9), [NothingPlayed()] * 9)
            if wave
            for fixture in wave
        }
        for count in sorted((one, other))
    )
    assert few <= many
