from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.leagues import league, plan, wave
from tournaments.league.model import MATCHES_A_START, Fixture, League, Seating, Sitting, TableSpec
from tournaments.schedule.formats.round_robin import EveryGroup
from tournaments.schedule.formats.wave import LineUp, Wave, pieces, spelled

Sides = tuple[tuple[int, ...], ...]

SIDES: dict[str, Sides] = {
    "duel": ((0,), (1,)),
    "ring": ((0,), (1,), (2,)),
    "2v1": ((0, 2), (1,)),
    "2v2": ((0, 2), (1, 3)),
    "together": ((0, 1, 2, 3),),
    "3v2": ((0, 2, 4), (1, 3)),
}
SEATINGS: tuple[Seating, ...] = ("distinct", "copies", "teams")
TABLES = [
    TableSpec(f"{name}-{seating}", sum(map(len, sides)), {}, seating, sides)
    for name, sides in SIDES.items()
    for seating in SEATINGS
]


def leagues(most_bots: int, most_deals: int) -> st.SearchStrategy[League]:
    """Leagues of every kind of table, some without a single group."""
    return st.builds(
        lambda bots, deals, tables: league([f"bot{number}" for number in range(bots)], deals, tables=tuple(tables)),
        st.integers(2, most_bots),
        st.integers(1, most_deals),
        st.lists(st.sampled_from(TABLES), min_size=1, max_size=2, unique_by=lambda table: table.name),
    )


def line_up_of(fixture: Fixture) -> LineUp:
    return LineUp(fixture.table, fixture.entries, fixture.rotation)


def everything(_at: int, _line_up: LineUp) -> bool:
    return True


@given(leagues(most_bots=4, most_deals=3))
def test_the_place_of_every_fixture_is_computed_and_rises_along_the_plan(here: League) -> None:
    all_of_it, fixtures = wave(here), plan(here)
    places = [place for fixture in fixtures if (place := all_of_it.position(fixture)) is not None]
    assert len(all_of_it) == len(fixtures) == len(places)
    assert all(one < another for one, another in pairwise(places))
    assert all(place < all_of_it.span for place in places)


@given(leagues(most_bots=4, most_deals=3))
def test_every_fixture_is_found_by_its_id(here: League) -> None:
    all_of_it = wave(here)
    assert all(all_of_it.find(spelled(fixture.id)) == (all_of_it.position(fixture), fixture) for fixture in all_of_it)


STRANGE = (
    "nonsense",
    "nim/of-2/ann@1+bob@1/deal-0",
    "chess/of-2/ann@1+bob@1/deal-0/turn-0",
    "nim/of-3/ann@1+bob@1/deal-0/turn-0",
    "nim/of-2/ann@1+dan@1/deal-0/turn-0",
    "nim/of-2/ann@1+ann@1/deal-0/turn-0",
    "nim/of-2/ann@1+bob@1+cid@1/deal-0/turn-0",
    "nim/of-2/ann@1+bob@1/deal-3/turn-0",
    "nim/of-2/ann@1+bob@1/deal-00/turn-0",
    "nim/of-2/ann@1+bob@1/deal-0/turn-1",
    "nim/of-2/ann@1+bob@1/deal-0/turn-2",
    "nim/of-2/bob@1+ann@1/deal-0/turn-0",
)


@pytest.mark.parametrize("name", STRANGE)
def test_what_is_not_of_the_wave_is_not_found(name: str) -> None:
    assert wave(league()).find(spelled("nim/of-2/ann@1+bob@1/deal-0/turn-0"))
    assert wave(league()).find(spelled(name)) is None


def test_with_copies_one_bot_alone_is_not_found() -> None:
    copies = wave(league(tables=(TableSpec("of-3", 3, {}, "copies"),)))
    assert copies.find(spelled("nim/of-3/ann@1+ann@1+bob@1/deal-0/turn-0"))
    assert copies.find(spelled("nim/of-3/ann@1+ann@1+ann@1/deal-0/turn-0")) is None


def test_a_wave_may_begin_at_any_deal() -> None:
    later = Wave("nim", EveryGroup(league()), range(7, 9))
    assert [fixture.deal for fixture in later] == [7] * 6 + [8] * 6
    assert [later.position(fixture) for fixture in later] == list(range(12))
    assert later.find(spelled("nim/of-2/ann@1+bob@1/deal-0/turn-0")) is None


@given(leagues(most_bots=3, most_deals=3), st.integers(-3, 200))
def test_what_comes_after_a_position_is_counted_without_looking(here: League, at: int) -> None:
    all_of_it = wave(here)
    places: dict[LineUp, list[int]] = {line_up: [] for _, line_up in all_of_it.line_ups.numbered()}
    for fixture in all_of_it:
        places[line_up_of(fixture)].append(all_of_it.position(fixture) or 0)
    for number, line_up in all_of_it.line_ups.numbered():
        assert all_of_it.count_after(number, at) == sum(place > at for place in places[line_up])


@given(leagues(most_bots=4, most_deals=1))
def test_a_line_up_has_the_number_that_it_is_counted_by(here: League) -> None:
    line_ups = wave(here).line_ups
    assert all(line_ups.number(line_up) == number for number, line_up in line_ups.numbered())


# Sittings


def some(luck: Random) -> Callable[[int, LineUp], bool]:
    chosen: dict[int, bool] = {}
    return lambda at, _line_up: chosen.setdefault(at, luck.random() < 0.7)


@given(leagues(most_bots=3, most_deals=40), st.randoms(use_true_random=False))
def test_sittings_hold_what_remains_once_each_and_no_deal_twice(here: League, luck: Random) -> None:
    all_of_it, remains = wave(here), some(luck)
    found = list(all_of_it.sittings(remains))
    wanted = [f for f in all_of_it if remains(all_of_it.position(f) or 0, line_up_of(f))]
    assert sorted(f.id for sitting in found for f in sitting.fixtures) == sorted(f.id for f in wanted)
    assert len({sitting.id for sitting in found}) == len(found)
    for sitting in found:
        assert len({line_up_of(f) for f in sitting.fixtures}) == 1
        assert len({f.deal for f in sitting.fixtures}) == len(sitting.fixtures) <= 128


def test_the_first_piece_of_every_line_up_comes_before_the_second_of_any() -> None:
    found = list(wave(league(deals=30)).sittings(everything))
    assert [sitting.fixtures[0].deal for sitting in found] == [0] * 6 + [8] * 6 + [24] * 6


def test_within_a_piece_sittings_go_by_table_group_and_line_up() -> None:
    tables = tuple(TableSpec(name, 2, {}) for name in ("there", "here"))
    firsts = [sitting.fixtures[0] for sitting in wave(league(deals=9, tables=tables)).sittings(everything)]
    assert [first.id for first in firsts[:12]] == [f.id for f in plan(league(tables=tables)) if f.deal == 0]


def test_a_piece_is_cut_where_it_is_wherever_a_run_begins() -> None:
    all_of_it = wave(league(("ann", "bob"), deals=60))
    started = 2 * 20  # this many positions have their results
    found = [[f.deal for f in sitting.fixtures] for sitting in all_of_it.sittings(lambda at, _: at >= started)]
    assert found == [[*range(20, 24)]] * 2 + [[*range(24, 56)]] * 2 + [[*range(56, 60)]] * 2


def stopped(sittings: list[Sitting], luck: Random, workers: int) -> tuple[list[Sitting], list[Sitting]]:
    """The finished and the current matches of a stopped run. Each worker takes the next match and needs some time."""
    over: list[Sitting] = []
    under_way: list[Sitting] = []
    for sitting in sittings[: luck.randrange(len(sittings) + 1)]:
        if len(under_way) == workers:
            over.append(under_way.pop(luck.randrange(workers)))
        under_way.append(sitting)
    return over, under_way


@given(leagues(most_bots=3, most_deals=300), st.randoms(use_true_random=False), st.integers(1, 8))
def test_a_run_that_is_stopped_anywhere_has_played_at_most_twice_the_deals_of_any_line_up_and_eight_more(
    here: League, luck: Random, workers: int
) -> None:
    all_of_it = wave(here)
    over, under_way = stopped(list(all_of_it.sittings(everything)), luck, workers)
    deals = Counter({line_up: 0 for _, line_up in all_of_it.line_ups.numbered()})
    for sitting in over:
        deals[line_up_of(sitting.fixtures[0])] += len(sitting.fixtures)
    for sitting in under_way:
        deals.pop(line_up_of(sitting.fixtures[0]), None)
    assert not deals or max(deals.values()) <= 2 * min(deals.values()) + 8


def test_the_cuts_are_those_that_are_promised() -> None:
    assert [piece.start for piece in pieces(range(2_000))] == [0, 8, 24, 56, 120, 248, 504, 1016, 1528]


@given(st.integers(0, 3), st.integers(0, 5_000))
def test_pieces_are_all_the_deals_in_order_and_none_is_too_long(first: int, count: int) -> None:
    found = list(pieces(range(first, first + count)))
    assert [deal for piece in found for deal in piece] == list(range(first, first + count))
    assert all(len(piece) <= MATCHES_A_START for piece in found)


@given(st.integers(0, 5_000))
def test_who_has_played_a_piece_more_has_at_most_twice_the_deals_and_eight(count: int) -> None:
    ends = [0, *(piece.stop for piece in pieces(range(count)))]
    assert all(more <= 2 * fewer + 8 for fewer, more in pairwise(ends))


@pytest.mark.parametrize("deals", [range(2, 60, 7), range(90), range(3, 4, 5)])
def test_a_wave_may_have_every_so_manieth_deal(deals: range) -> None:
    planned = Wave("nim", EveryGroup(league(["ann", "bob", "cid"], 1)), deals)
    fixtures = list(planned)
    assert list(dict.fromkeys(each.deal for each in fixtures)) == list(deals)
    positions = [planned.position(each) for each in fixtures]
    assert positions == sorted({place for place in positions if place is not None})
    assert [placed.fixture for placed in planned.since(0)] == fixtures
    assert all((found := planned.find(spelled(each.id))) and found.fixture == each for each in fixtures)
    played = [each for sitting in planned.sittings(lambda *_: True) for each in sitting.fixtures]
    assert sorted(each.id for each in played) == sorted(each.id for each in fixtures)
    number, at = 0, positions[len(positions) // 2] or 0
    first = fixtures[0]
    later = [e for e in fixtures if (e.entries, e.rotation) == (first.entries, first.rotation)]
    assert planned.count_after(number, at) == sum((planned.position(each) or 0) > at for each in later)
