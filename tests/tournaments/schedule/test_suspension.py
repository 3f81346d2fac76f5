from collections import Counter
from collections.abc import Iterator, Mapping, Set
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.leagues import league, plan
from tests.tournaments.seasons import Fixtures, Piles, sorted_out
from tournaments.league.model import Fixture, League, TableSpec
from tournaments.schedule.suspension import worth_judging

CLEAN: frozenset[str] = frozenset()
ANN = frozenset({"ann@1"})
TABLES = (
    TableSpec("duel", 2, {}),
    TableSpec("many", 4, {}, "copies", ((0, 2), (1, 3))),
    TableSpec("ring", 3, {}, "copies"),
    TableSpec("pairs", 3, {}, "teams", ((0, 2), (1,))),
    TableSpec("crowd", 4, {}, "distinct", ((0, 2), (1, 3))),
)

leagues = st.builds(
    lambda bots, deals, tables: league(["ann", "bob", "cid", "dee"][:bots], deals, tables=tuple(tables)),
    st.integers(2, 4),
    st.integers(1, 6),
    st.lists(st.sampled_from(TABLES), min_size=1, max_size=2, unique_by=lambda table: table.name),
)


def the_truth(fixtures: Fixtures, luck: Random, bad: dict[str, float]) -> dict[str, frozenset[str]]:
    """The result that every fixture would have if it were played."""
    return {
        fixture.id: frozenset(entry for entry in fixture.entries if luck.random() < bad.get(entry, 0))
        for fixture in fixtures
    }


def play_out(here: League, truth: dict[str, frozenset[str]], luck: Random, at_once: int) -> Piles:
    """Play what remains in any order, judging after every few matches, until nothing remains."""
    results: dict[str, frozenset[str]] = {}
    piles = sorted_out(here, results)
    while piles.remaining:
        for fixture in luck.sample(piles.remaining, min(at_once, len(piles.remaining))):
            results[fixture.id] = truth[fixture.id]
        piles = sorted_out(here, results)
    return piles


@pytest.mark.slow
@settings(max_examples=settings().max_examples * 3 // 4)
@given(st.randoms(use_true_random=False), st.integers(5, 40), st.integers(5, 40), st.data())
def test_the_verdict_at_rest_is_the_same_whatever_was_played_first(
    luck: Random, at_once: int, at_once_too: int, data: st.DataObject
) -> None:
    shares = st.sampled_from([0.0, 0.1, 0.2, 0.3, 0.8])
    bad = {f"{bot}@1": data.draw(shares) for bot in ("ann", "bob", "cid")}
    here = league(["ann", "bob", "cid", "dee"], deals=6)
    truth = the_truth(plan(here), luck, bad)
    one, other = (play_out(here, truth, luck, size) for size in (at_once, at_once_too))
    assert one == other
    in_plan_order = play_out(here, truth, luck, len(plan(here)))
    assert in_plan_order == one


def judged(fixtures: Fixtures, results: Mapping[str, Set[str]], abandoned: Set[str]) -> list[list[Fixture]]:
    """The definition, written plainly: counted, skipped, remaining, abandoned."""
    ends = dict(suspensions(fixtures, results))
    piles: list[list[Fixture]] = [[], [], [], []]
    for at, fixture in enumerate(fixtures):
        if any(ends.get(entry, at) < at for entry in fixture.entries):
            piles[1].append(fixture)
        elif fixture.id in results:
            piles[0].append(fixture)
        else:
            piles[3 if fixture.id in abandoned else 2].append(fixture)
    return piles


def suspensions(fixtures: Fixtures, results: Mapping[str, Set[str]]) -> Iterator[tuple[str, int]]:
    """The suspended bots, each with the position in the plan."""
    matches, faults, out = Counter[str](), Counter[str](), set[str]()
    for at, fixture in enumerate(fixtures):
        if fixture.id not in results or not out.isdisjoint(fixture.entries):
            continue
        matches.update(set(fixture.entries))
        faults.update(results[fixture.id])
        failed = {entry for entry in results[fixture.id] if faults[entry] >= 5 and faults[entry] > 0.2 * matches[entry]}
        yield from ((entry, at) for entry in failed)
        out |= failed


@given(leagues, st.randoms(use_true_random=False), st.floats(0.2, 1), st.sampled_from([0.05, 0.3, 0.9]))
def test_every_fixture_is_where_the_definition_puts_it_though_none_is_looked_at(
    here: League, luck: Random, known: float, bad: float
) -> None:
    fixtures = plan(here)
    truth = the_truth(fixtures, luck, {"ann@1": bad, "bob@1": 0.25})
    results = {name: faults for name, faults in truth.items() if luck.random() < known}
    given_up = {fixture.id for fixture in fixtures if luck.random() < 0.1}
    piles = sorted_out(here, results, abandoned=given_up)
    assert [list(pile) for pile in piles[:4]] == judged(fixtures, results, given_up)


def of_ann(deals: int = 20) -> League:
    """A league in which ann plays every match, two for each deal."""
    return league(["ann", "bob"], deals=deals)


def test_five_faults_in_five_matches_suspend() -> None:
    fixtures = plan(of_ann())
    piles = sorted_out(of_ann(), {fixture.id: ANN for fixture in fixtures[:5]})
    suspension = piles.suspensions["ann@1"]
    assert (suspension.at, suspension.faults, suspension.matches) == (4, 5, 5)
    assert piles.counted == fixtures[:5]
    assert piles.skipped == fixtures[5:]
    assert not piles.remaining


def test_four_faults_in_four_matches_do_not() -> None:
    fixtures = plan(of_ann())
    piles = sorted_out(of_ann(), {fixture.id: ANN for fixture in fixtures[:4]})
    assert not piles.suspensions
    assert piles.remaining == fixtures[4:]


def test_a_fifth_fault_at_exactly_a_fifth_of_the_matches_does_not() -> None:
    fixtures = plan(of_ann())
    faults = {fixture.id: CLEAN for fixture in fixtures[:20]} | {fixture.id: ANN for fixture in fixtures[20:25]}
    assert not sorted_out(of_ann(), faults).suspensions
    assert sorted_out(of_ann(), faults | {fixtures[25].id: ANN}).suspensions["ann@1"].at == 25


def test_what_is_counted_is_what_came_before_in_the_plan_not_after() -> None:
    fixtures = plan(of_ann())
    faults = {fixture.id: ANN for fixture in fixtures[:5]} | {fixture.id: CLEAN for fixture in fixtures[5:]}
    piles = sorted_out(of_ann(), faults)
    assert piles.suspensions["ann@1"].at == 4
    assert piles.skipped == fixtures[5:], "results that are already there are not counted"


def test_an_unplayed_fixture_is_neutral_and_may_lift_a_suspension_once_it_is_played() -> None:
    fixtures = plan(of_ann())
    late = {fixture.id: ANN for fixture in fixtures[30:35]}
    assert sorted_out(of_ann(), late).suspensions["ann@1"].matches == 5
    assert sorted_out(of_ann(), late).remaining == fixtures[:30]
    early = {fixture.id: CLEAN for fixture in fixtures[:30]}
    assert not sorted_out(of_ann(), late | early).suspensions


def test_a_match_skipped_for_the_opponent_counts_for_neither() -> None:
    here = league(["ann", "bob", "cid"], deals=10)
    fixtures = plan(here)
    with_ann = [fixture for fixture in fixtures if "ann@1" in fixture.entries]
    truth = {fixture.id: CLEAN for fixture in fixtures}
    truth |= {fixture.id: ANN for fixture in with_ann[:5]}
    # bob fails too, but only in matches that follow ann's suspension.
    truth |= {fixture.id: frozenset({"bob@1"}) for fixture in with_ann[5:] if "bob@1" in fixture.entries}
    assert set(sorted_out(here, truth).suspensions) == {"ann@1"}


def test_a_reinstated_entry_is_exempt() -> None:
    fixtures = plan(of_ann())
    faults = {fixture.id: ANN for fixture in fixtures}
    assert sorted_out(of_ann(), faults).skipped
    assert sorted_out(of_ann(), faults, reinstated={"ann@1"}).counted == fixtures


def test_both_sides_of_a_match_can_be_at_fault() -> None:
    fixtures = plan(of_ann())
    both = frozenset({"ann@1", "bob@1"})
    assert set(sorted_out(of_ann(), {fixture.id: both for fixture in fixtures}).suspensions) == {"ann@1", "bob@1"}


def test_an_abandoned_fixture_is_neither_played_again_nor_counted() -> None:
    fixtures = plan(of_ann(deals=1))
    piles = sorted_out(of_ann(deals=1), {}, abandoned={fixtures[0].id})
    assert (piles.abandoned, piles.remaining) == (fixtures[:1], fixtures[1:])
    assert sorted_out(of_ann(deals=1), {fixtures[0].id: CLEAN}, abandoned={fixtures[0].id}).counted == fixtures[:1]


def test_an_entry_that_is_gone_from_the_plan_is_not_judged() -> None:
    gone = {f"nim/of-2/ann@0+bob@1/deal-{deal}/turn-0": frozenset({"ann@0"}) for deal in range(9)}
    assert not sorted_out(of_ann(), gone).suspensions


def test_it_is_worth_judging_at_the_fifth_fault_and_ever_more_rarely_after_the_twentieth() -> None:
    worth = [faults for faults in range(1, 1001) if worth_judging(faults)]
    assert worth[:8] == [5, 6, 7, 8, 9, 10, 11, 12]
    assert len(worth) < 150
    assert all(later <= earlier * 1.2 + 1 for earlier, later in pairwise(worth))


def test_a_match_in_which_a_bot_has_several_seats_is_one_match_and_one_fault_at_most() -> None:
    here = league(["ann", "bob"], deals=4, tables=(TableSpec("many", 4, {}, "copies"),))
    fixtures = plan(here)
    with_three = [fixture for fixture in fixtures if fixture.entries.count("ann@1") == 3]
    results = {fixture.id: ANN if fixture in with_three[:5] else CLEAN for fixture in fixtures}
    ann = sorted_out(here, results).suspensions["ann@1"]
    assert (ann.faults, ann.matches) == (5, fixtures.index(with_three[4]) + 1)
    assert ann.matches < 25
    before = {name: results[name] for name in [*results][: ann.at]}
    assert sorted_out(here, before).suspensions == {}
