from collections import Counter
from collections.abc import Iterable
from itertools import combinations, permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.leagues import league, plan
from tournaments.league.model import Fixture, TableSpec
from tournaments.schedule.seating import groups, line_ups

ONE_V_ONE = ((0,), (1,))
TWO_V_TWO = ((0, 2), (1, 3))
TWO_V_ONE = ((0, 2), (1,))
THREE_V_TWO = ((0, 2, 4), (1, 3))
THREE_PAIRS = ((0, 3), (1, 4), (2, 5))

Sides = tuple[tuple[int, ...], ...]

bots = st.lists(st.sampled_from(["ann", "bob", "cid", "dee", "eve", "fay"]), min_size=4, max_size=5, unique=True)


def table(sides: Sides, seating: str, name: str = "team") -> TableSpec:
    return TableSpec(name, sum(map(len, sides)), {}, seating, sides)  # type: ignore[arg-type] # one of its values


def matches(sides: Sides, seating: str, group: Iterable[str]) -> list[tuple[str, ...]]:
    return list(line_ups(table(sides, seating), tuple(group)))


def taken(found: list[tuple[str, ...]]) -> Counter[tuple[str, int]]:
    """How often each entry has each seat."""
    return Counter((entry, seat) for line_up in found for seat, entry in enumerate(line_up))


def pairs_in(found: list[tuple[str, ...]], seats: Iterable[tuple[int, int]]) -> Counter[frozenset[str]]:
    """How often each two entries have two of these pairs of seats."""
    wanted = list(seats)
    return Counter(frozenset((line_up[one], line_up[other])) for line_up in found for one, other in wanted)


def partners(sides: Sides) -> list[tuple[int, int]]:
    return [pair for seats in sides for pair in combinations(seats, 2)]


def opponents(sides: Sides) -> list[tuple[int, int]]:
    return [pair for pair in combinations(range(sum(map(len, sides))), 2) if pair not in set(partners(sides))]


@pytest.mark.parametrize(
    ("sides", "seating", "count"),
    [
        (ONE_V_ONE, "distinct", 2),
        (TWO_V_ONE, "distinct", 3),
        (TWO_V_TWO, "distinct", 12),
        (THREE_V_TWO, "distinct", 60),
        (((0, 1, 2, 3),), "distinct", 4),
        (ONE_V_ONE, "teams", 2),
        (TWO_V_ONE, "teams", 2),
        (TWO_V_TWO, "teams", 2),
        (THREE_PAIRS, "teams", 6),
        (((0, 1, 2, 3),), "teams", 1),
    ],
)
def test_a_group_plays_so_many_matches_a_deal(sides: Sides, seating: str, count: int) -> None:
    size = len(sides) if seating == "teams" else sum(map(len, sides))
    assert len(set(matches(sides, seating, "abcdef"[:size]))) == len(matches(sides, seating, "abcdef"[:size])) == count


@pytest.mark.parametrize("sides", [ONE_V_ONE, (), ((0, 1, 2),), ((0,), (1,), (2,))])
def test_where_nobody_has_a_partner_to_change_the_group_is_turned_as_ever(sides: Sides) -> None:
    seats = sum(map(len, sides)) or 3
    group = "abc"[:seats]
    found = list(line_ups(TableSpec("any", seats, {}, "distinct", sides), tuple(group)))
    assert found == [tuple(group[turn:] + group[:turn]) for turn in range(seats)]


@given(bots, st.integers(1, 3), st.sampled_from([TWO_V_TWO, TWO_V_ONE]))
def test_distinct_bots_get_every_seat_every_partner_and_every_opponent_equally_often_on_each_deal(
    bots: list[str], deals: int, sides: Sides
) -> None:
    blocks: dict[tuple[int, frozenset[str]], list[tuple[str, ...]]] = {}
    for fixture in plan(league(bots, deals, tables=(table(sides, "distinct"),))):
        assert len(set(fixture.entries)) == len(fixture.entries)
        blocks.setdefault((fixture.deal, frozenset(fixture.entries)), []).append(fixture.entries)
    expected = {(deal, frozenset(group)) for deal in range(deals) for group in combinations(named(bots), seats(sides))}
    assert blocks.keys() == expected
    for (_, group), found in blocks.items():
        each = len(found) // seats(sides)
        assert taken(found) == {(entry, seat): each for entry in group for seat in range(seats(sides))}
        assert_even(pairs_in(found, partners(sides)), group)
        assert_even(pairs_in(found, opponents(sides)), group)


def named(bots: Iterable[str]) -> list[str]:
    return [f"{bot}@1" for bot in bots]


def seats(sides: Sides) -> int:
    return sum(map(len, sides))


def assert_even(met: Counter[frozenset[str]], group: Iterable[str]) -> None:
    """Assert that every two of the group are there, equally often."""
    assert met.keys() == {frozenset(pair) for pair in combinations(group, 2)}
    assert len(set(met.values())) == 1


def test_of_four_each_two_are_partners_four_times_opponents_eight_times_and_have_any_two_seats_once() -> None:
    found = matches(TWO_V_TWO, "distinct", "abcd")
    assert set(pairs_in(found, partners(TWO_V_TWO)).values()) == {4}
    assert set(pairs_in(found, opponents(TWO_V_TWO)).values()) == {8}
    ordered = Counter((line_up[one], line_up[two]) for line_up in found for one, two in permutations(range(4), 2))
    assert len(ordered) == 12
    for one, two in permutations(range(4), 2):
        assert len({(line_up[one], line_up[two]) for line_up in found}) == 12


def test_partners_change_on_larger_tables_too() -> None:
    found = matches(THREE_V_TWO, "distinct", "abcde")
    assert_even(pairs_in(found, partners(THREE_V_TWO)), "abcde")
    assert_even(pairs_in(found, opponents(THREE_V_TWO)), "abcde")
    assert len(set(taken(found).values())) == 1


@given(bots, st.integers(1, 3), st.sampled_from([ONE_V_ONE, TWO_V_TWO, TWO_V_ONE, THREE_PAIRS]))
def test_a_team_is_one_bot_and_every_bot_plays_every_side_on_each_deal_against_every_other(
    bots: list[str], deals: int, sides: Sides
) -> None:
    fixtures = plan(league(bots, deals, tables=(table(sides, "teams"),)))
    holders = [(fixture.deal, *(holder(fixture, seats) for seats in sides)) for fixture in fixtures]
    expected = {(deal, *order) for deal in range(deals) for order in permutations(named(bots), len(sides))}
    assert len(holders) == len(set(holders))
    assert set(holders) == expected


def holder(fixture: Fixture, seats: Iterable[int]) -> str:
    (entry,) = {fixture.entries[seat] for seat in seats}
    return entry


def test_the_ids_of_team_matches_can_be_said_aloud() -> None:
    ids = [fixture.id for fixture in plan(league(["ann", "bob"], 1, tables=(table(TWO_V_ONE, "teams"),)))]
    assert ids == ["nim/team/ann@1+bob@1+ann@1/deal-0/turn-0", "nim/team/bob@1+ann@1+bob@1/deal-0/turn-1"]


def test_ids_are_unique_with_every_seating() -> None:
    tables = tuple(
        table(sides, seating, f"{seating}-{at}")
        for at, sides in enumerate([ONE_V_ONE, TWO_V_ONE, TWO_V_TWO])
        for seating in ("distinct", "teams")
    )
    fixtures = plan(league("abcde", 2, tables=tables))
    assert len({fixture.id for fixture in fixtures}) == len(fixtures)


@given(bots, st.sampled_from([TWO_V_TWO, TWO_V_ONE]), st.sampled_from(["distinct", "teams"]), st.integers(0, 2))
def test_an_added_table_of_teams_bot_or_deal_keeps_every_old_fixture_in_order(
    bots: list[str], sides: Sides, seating: str, more: int
) -> None:
    old_tables = (TableSpec("solo", 2, {}, "distinct", ONE_V_ONE), table(sides, "teams", "old-teams"))
    before = plan(league(bots, 2, tables=old_tables))
    after = plan(league([*bots, "aaa"], 2 + more, tables=(*old_tables, table(sides, seating, "new"))))
    old = set(before)
    assert tuple(fixture for fixture in after if fixture in old) == before


def test_a_table_of_one_against_one_keeps_the_ids_it_had_before_there_were_sides() -> None:
    plain, with_sides = (TableSpec("of-2", 2, {}, "distinct", sides) for sides in ((), ONE_V_ONE))
    assert plan(league(tables=(plain,))) == plan(league(tables=(with_sides,)))


def test_with_too_few_bots_there_is_no_group() -> None:
    assert list(groups(table(TWO_V_TWO, "distinct"), "abc")) == []
    assert len(list(groups(table(TWO_V_TWO, "teams"), "abc"))) == 3


# Copies


def several(sides: Sides, seats: int) -> TableSpec:
    return TableSpec("many", seats, {}, "copies", sides)


@given(st.integers(2, 5), st.integers(2, 5))
def test_with_copies_every_choice_of_bots_with_repetition_is_a_group_but_for_one_bot_alone(
    seats: int, bots: int
) -> None:
    names = "abcde"[:bots]
    found = list(groups(several((), seats), reversed(names)))
    assert len(set(found)) == len(found)
    assert set(found) == {tuple(sorted(chosen)) for chosen in product(names, repeat=seats) if len(set(chosen)) > 1}


@pytest.mark.parametrize("group", ["aab", "aaab", "aabb", "aabc", "aabbc", "abcd"])
def test_copies_at_a_table_without_partners_are_turned(group: str) -> None:
    found = list(line_ups(several((), len(group)), tuple(group)))
    assert found == [tuple(group[turn:] + group[:turn]) for turn in range(len(group))]


@pytest.mark.parametrize(("group", "count"), [("aaab", 4), ("aabb", 6), ("aabc", 12), ("abcd", 12)])
def test_copies_with_partners_sit_in_all_ways_that_differ(group: str, count: int) -> None:
    found = list(line_ups(several(TWO_V_TWO, 4), tuple(group)))
    assert len(set(found)) == len(found) == count
    assert taken(found) == {(bot, seat): count * group.count(bot) // 4 for bot in set(group) for seat in range(4)}


@given(bots, st.integers(1, 3), st.integers(3, 5))
def test_with_copies_every_bot_has_every_seat_equally_often_on_each_deal(
    bots: list[str], deals: int, seats: int
) -> None:
    fixtures = plan(league(bots[:3], deals, tables=(several((), seats),)))
    assert len({fixture.id for fixture in fixtures}) == len(fixtures)
    counts = Counter((entry, f.deal, seat) for f in fixtures for seat, entry in enumerate(f.entries))
    assert len(counts) == 3 * deals * seats
    assert len(set(counts.values())) == 1


@given(bots)
def test_an_added_bot_keeps_every_match_of_copies_in_order(bots: list[str]) -> None:
    before = plan(league(bots[:2], 2, tables=(several((), 4),)))
    after = plan(league(bots[:3], 2, tables=(several((), 4),)))
    old = set(before)
    assert len(before) == 2 * 12
    assert len(after) == 2 * 48
    assert tuple(fixture for fixture in after if fixture in old) == before


def test_two_bots_with_copies_play_twelve_matches_on_every_deal() -> None:
    fixtures = plan(league("ab", 3, tables=(several((), 4),)))
    assert Counter(fixture.deal for fixture in fixtures) == dict.fromkeys(range(3), 12)
