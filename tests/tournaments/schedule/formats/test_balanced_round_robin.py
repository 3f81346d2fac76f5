from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from itertools import combinations, permutations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.tournaments.leagues import SEED, league, plan
from tournaments.league.format_settings import BalancedSettings
from tournaments.league.model import Fixture, League, TableSpec
from tournaments.schedule.formats import balanced_blocks as searching
from tournaments.schedule.formats.balanced_blocks import blocks
from tournaments.schedule.formats.balanced_round_robin import (
    MOST_GROUPS,
    Balance,
    apart,
    balance,
    chosen_line_ups,
    problems,
)
from tournaments.schedule.formats.format import NothingPlayed
from tournaments.schedule.formats.round_robin import EveryGroup, RoundRobin
from tournaments.schedule.formats.wave import Wave, spelled

TOO_FEW = "matches: 59 is too few for every bot to be in a group at each table; take 60 or more, or fewer deals"
COPIES = "matches: table 'all' has seating = 'copies'; allowed here: 'distinct', 'teams'"
TOO_MANY = (
    f"matches: 1000000 asks for 4000000 of 75287520 groups at table 'of-5'; take less than {MOST_GROUPS} groups, or"
    " leave matches out, so that every group plays"
)
PARTNERS = TableSpec("partners", 4, {}, "distinct", ((0, 2), (1, 3)))
TEAMS = TableSpec("teams", 6, {}, "teams", ((0, 3), (1, 4), (2, 5)))


def of(seats: int) -> TableSpec:
    return TableSpec(f"of-{seats}", seats, {})


def bots(number: int) -> list[str]:
    return [f"bot{at:02}" for at in range(number)]


def wave(league: League, matches: int | None, seed: bytes = SEED) -> Wave:
    found = RoundRobin(league, partial(chosen_line_ups, BalancedSettings(matches), seed)).wave(0, NothingPlayed())
    assert found is not None
    return found


def groups(fixtures: Wave, table: str) -> set[frozenset[str]]:
    return {frozenset(fixture.entries) for fixture in fixtures if fixture.table == table}


def meetings(found: set[frozenset[str]], names: list[str]) -> list[int]:
    met = Counter(frozenset(pair) for group in found for pair in combinations(group, 2))
    return [met[frozenset(pair)] for pair in combinations(names, 2)]


@pytest.fixture(scope="module", autouse=True)
def short_searches() -> Iterator[None]:
    """How good choices are is tested where they are made."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(searching, "_STEPS", 500)
        blocks.cache_clear()
        yield
        blocks.cache_clear()


tables = st.lists(
    st.sampled_from([of(3), of(4), PARTNERS, TEAMS]), min_size=1, max_size=2, unique_by=lambda table: table.name
)


@given(st.sampled_from([6, 7, 9, 13]), tables, st.integers(1, 2), st.integers(30, 150))
def test_what_is_said_of_a_choice_is_what_is_played_and_no_bot_costs_more(
    number: int, tables: list[TableSpec], deals: int, matches: int
) -> None:
    keys = BalancedSettings(matches)
    assume(not problems(keys, tables, number, deals))
    fixtures = wave(league(bots(number), deals, tables=tuple(tables)), matches)
    said = balance(keys, tables, number, deals)
    for each in said:
        found = groups(fixtures, each.table)
        met = meetings(found, [f"{bot}@1" for bot in bots(number)])
        cost = Counter(name for fixture in fixtures if fixture.table == each.table for name in set(fixture.entries))
        assert each.groups == len(found)
        assert (each.fewest_meetings, each.most_meetings) == (min(met), max(met))
        assert (each.fewest_matches, each.most_matches) == (min(cost.values()), max(cost.values()))
    assert sum(each.most_matches for each in said) <= matches


def test_as_many_groups_are_chosen_as_a_bot_may_cost() -> None:
    """With 5 of 13 bots a group plays 5 line-ups on a deal; so 149 matches are 7 groups on 4 deals, and 9 are left."""
    (said,) = balance(BalancedSettings(149), [of(5)], 13, 4)
    assert said == Balance("of-5", 13 * 7 // 5, 1287, 120, 140, 2, 3)


def test_a_group_plays_every_deal_in_all_its_line_ups() -> None:
    seats: defaultdict[tuple[int, frozenset[str]], Counter[tuple[str, int]]] = defaultdict(Counter)
    for fixture in wave(league(bots(13), 3, [4]), 60):
        seats[fixture.deal, frozenset(fixture.entries)].update(
            (name, seat) for seat, name in enumerate(fixture.entries)
        )
    assert len(seats) == 3 * 16
    assert all(set(taken.values()) == {1} and len(taken) == 16 for taken in seats.values())


def test_partners_change_within_a_group() -> None:
    """So with partners, any two of a group are partners as often as any other two."""
    fixtures = wave(league(bots(7), 1, tables=(PARTNERS,)), 24)
    for group in groups(fixtures, "partners"):
        line_ups = [fixture.entries for fixture in fixtures if set(fixture.entries) == group]
        pairs = Counter(frozenset(pair) for a, b, c, d in line_ups for pair in ((a, c), (b, d)))
        assert len(pairs) == 6
        assert set(pairs.values()) == {4}


@pytest.mark.parametrize("matches", [None, 1000])
def test_without_a_limit_and_with_enough_matches_it_is_a_round_robin(matches: int | None) -> None:
    everything = league(bots(6), 2, [2, 3])
    found = wave(everything, matches)
    assert tuple(found) == plan(everything)
    assert isinstance(found.line_ups, EveryGroup)  # which keeps no list


def test_a_table_where_everybody_meets_anyway_leaves_its_matches_to_the_others() -> None:
    """7 bots, one deal: 2 seats cost a bot at most 12 matches, so 12 + 3 x 3 x 3 = 39."""
    few, many = balance(BalancedSettings(39), [of(2), of(3)], 7, 1)
    assert (few.groups, few.every) == (21, 21)
    assert (many.groups, many.most_matches) == (7 * 9 // 3, 27)


def test_fixtures_are_those_of_a_round_robin_in_its_order() -> None:
    everything = league(bots(8), 2, [3, 4])
    chosen = list(wave(everything, 60))
    wanted = set(chosen)
    assert chosen == [fixture for fixture in plan(everything) if fixture in wanted]
    assert 0 < len(chosen) < len(plan(everything))


def test_every_fixture_is_found_by_its_id() -> None:
    fixtures = wave(league(bots(8), 2, [3]), 30)
    assert [fixtures.find(spelled(fixture.id)) for fixture in fixtures] == list(enumerate(fixtures))
    others = set(plan(league(bots(8), 2, [3]))) - set(fixtures)
    assert others
    assert all(fixtures.find(spelled(fixture.id)) is None for fixture in others)


def test_the_order_of_lines_in_the_file_means_nothing() -> None:
    assert ids(league(bots(9), 1, [3, 4])) == ids(league(reversed(bots(9)), 1, [4, 3]))


def ids(league: League, seed: bytes = SEED) -> list[str]:
    return [fixture.id for fixture in wave(league, 40, seed)]


def test_the_seed_says_which_bots_are_in_a_group_and_changes_nothing_of_the_balance() -> None:
    others = [ids(league(bots(9), 1, [3]), bytes([at] * 32)) for at in range(3)]
    assert all(set(one) != set(other) for one, other in permutations(others, 2))
    assert len({len(one) for one in others}) == 1


def test_no_name_is_favoured() -> None:
    """8 bots in 3 groups of 4: four of them are in two groups, and which ones follows from the seed."""
    often: Counter[str] = Counter()
    for seed in range(200):
        chosen = groups(wave(league(bots(8), 1, [4]), 8, bytes([seed] * 32)), "of-4")
        plays = Counter(name for group in chosen for name in group)
        often.update(name for name, count in plays.items() if count == max(plays.values()))
    assert len(often) == 8
    assert max(often.values()) < 2 * min(often.values())


def test_one_wave_is_all() -> None:
    chosen = partial(chosen_line_ups, BalancedSettings(20), SEED)
    assert RoundRobin(league(bots(7), 1, [3]), chosen).wave(1, NothingPlayed()) is None


@pytest.mark.parametrize(
    ("matches", "table", "deals", "says"),
    [
        (59, of(3), 10, TOO_FEW),
        (100, TableSpec("all", 3, {}, "copies"), 1, COPIES),
        (10**6, of(5), 1, TOO_MANY),
    ],
)
def test_a_limit_that_does_not_work_is_answered_with_a_sentence(
    matches: int, table: TableSpec, deals: int, says: str
) -> None:
    assert problems(BalancedSettings(matches), [table], 100, deals) == [says]


def test_every_bot_is_in_a_group_with_the_fewest_matches_that_are_allowed() -> None:
    assert len(problems(BalancedSettings(5), [of(3)], 7, 1)) == 1
    assert balance(BalancedSettings(6), [of(3)], 7, 1)[0].fewest_matches == 3
    assert problems(BalancedSettings(3), [of(3)], 6, 1) == []
    assert balance(BalancedSettings(3), [of(3)], 6, 1)[0].fewest_matches == 3


def test_limits_that_work_have_no_problem() -> None:
    assert problems(BalancedSettings(), [TableSpec("all", 3, {}, "copies")], 9, 1) == []
    assert problems(BalancedSettings(60), [of(3)], 100, 10) == []
    assert problems(BalancedSettings(10**9), [of(5)], 100, 1) == []


def test_a_newcomer_leaves_the_fixtures_of_groups_that_are_still_chosen() -> None:
    def by_group(fixtures: Wave) -> dict[frozenset[str], list[Fixture]]:
        found: defaultdict[frozenset[str], list[Fixture]] = defaultdict(list)
        for fixture in fixtures:
            found[frozenset(fixture.entries)].append(fixture)
        return found

    before, after = (by_group(wave(league(bots(number), 1, [3]), 45)) for number in (7, 8))
    stay = before.keys() & after.keys()
    assert stay
    assert all(before[group] == after[group] for group in stay)


def never_met(fixtures: Wave) -> int:
    """How many groups of bots never meet in a wave, not even by way of others."""
    groups: list[set[str]] = []
    for _, line_up in fixtures.line_ups.numbered():
        met = [group for group in groups if not group.isdisjoint(line_up.entries)]
        groups = [group for group in groups if group not in met] + [set(line_up.entries).union(*met)]
    return len(groups)


def test_six_bots_in_six_pairs_are_not_two_triangles() -> None:
    """`blocks` gives two triangles, which are as even as a ring."""
    assert never_met(wave(league(bots(6), 5, [2]), 20)) == 1
    assert apart(BalancedSettings(20), [of(2)], 6, 5) is None


tables_of_two = st.lists(
    st.sampled_from([of(2), of(3), PARTNERS]), min_size=1, max_size=2, unique_by=lambda table: table.name
)


@given(st.integers(4, 14), tables_of_two, st.integers(2, 40))
def test_bots_are_connected_or_it_is_said_and_then_the_matches_that_are_named_connect_them(
    number: int, tables: list[TableSpec], matches: int
) -> None:
    assume(not problems(BalancedSettings(matches), tables, number, 1))
    some = league(bots(number), 1, tables=tuple(tables))
    said = apart(BalancedSettings(matches), tables, number, 1)
    count = never_met(wave(some, matches))
    if said is None:
        assert count == 1
        return
    assert said.startswith(f"matches = {matches} makes {count} groups of bots that never meet")
    enough = int(said.split()[-3])
    assert never_met(wave(some, enough)) == 1
    assert never_met(wave(some, enough - 1)) > 1


def test_a_sentence_says_which_bots_cannot_be_compared_and_what_to_write() -> None:
    assert apart(BalancedSettings(2), [of(2)], 6, 1) == (
        "matches = 2 makes 3 groups of bots that never meet, so ratings cannot compare bots of different groups;"
        " take 4 or more"
    )


def test_bots_that_all_play_against_the_game_need_not_meet() -> None:
    together = TableSpec("together", 2, {}, "distinct", ((0, 1),))
    assert apart(BalancedSettings(2), [together], 6, 1) is None


def test_plans_of_leagues_whose_bots_were_connected_stand() -> None:
    """Other groups in a league that is under way would lose it matches."""
    shapes = [
        (7, (of(2),), 1, 8),
        (9, (of(3),), 1, 40),
        (13, (of(4),), 2, 60),
        (8, (of(3), of(4)), 1, 60),
        (9, (of(2), of(3)), 1, 20),
        (7, (PARTNERS,), 1, 24),
        (10, (of(2),), 1, 12),
        (12, (of(3),), 2, 30),
    ]
    plans = [
        [fixture.id for fixture in wave(league(bots(number), deals, tables=tables), matches)]
        for number, tables, deals, matches in shapes
    ]
    assert sha256(repr(plans).encode()).hexdigest()[:16] == "1ef006bdd6aa1d9c"
