from itertools import pairwise
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.leagues import league
from tournaments.model import Plan, TableSpec
from tournaments.schedule import plan
from tournaments.suspension import Verdict, judge, suspended, worth_judging

CLEAN: frozenset[str] = frozenset()
ANN = frozenset({"ann@1"})


def the_truth(plan: Plan, luck: Random, bad: dict[str, float]) -> dict[str, frozenset[str]]:
    """What every fixture would come to, were it played."""
    return {
        fixture.id: frozenset(entry for entry in fixture.entries if luck.random() < bad.get(entry, 0))
        for fixture in plan
    }


def play_out(plan: Plan, truth: dict[str, frozenset[str]], luck: Random, at_once: int) -> Verdict:
    """Play what remains in any order, judging after every few matches, until nothing remains."""
    results: dict[str, frozenset[str]] = {}
    verdict = judge(plan, results)
    while verdict.remaining:
        for fixture in luck.sample(verdict.remaining, min(at_once, len(verdict.remaining))):
            results[fixture.id] = truth[fixture.id]
        verdict = judge(plan, results)
    return verdict


@settings(max_examples=60)
@given(st.randoms(use_true_random=False), st.integers(1, 40), st.integers(1, 40), st.data())
def test_the_verdict_at_rest_is_the_same_whatever_was_played_first(
    luck: Random, at_once: int, at_once_too: int, data: st.DataObject
) -> None:
    shares = st.sampled_from([0.0, 0.1, 0.2, 0.3, 0.8])
    bad = {f"{bot}@1": data.draw(shares) for bot in ("ann", "bob", "cid")}
    fixtures = plan(league(["ann", "bob", "cid", "dee"], deals=6))
    truth = the_truth(fixtures, luck, bad)
    one, other = (play_out(fixtures, truth, luck, size) for size in (at_once, at_once_too))
    assert one == other
    in_plan_order = play_out(fixtures, truth, luck, len(fixtures))
    assert in_plan_order == one


@given(st.randoms(use_true_random=False), st.floats(0, 1))
def test_every_fixture_is_in_exactly_one_pile_in_plan_order(luck: Random, known: float) -> None:
    fixtures = plan(league(["ann", "bob", "cid"], deals=8))
    truth = the_truth(fixtures, luck, {"ann@1": 0.6})
    results = {name: faults for name, faults in truth.items() if luck.random() < known}
    given_up = {fixture.id for fixture in fixtures if luck.random() < 0.1}
    verdict = judge(fixtures, results, abandoned=given_up)
    piles = (verdict.counted, verdict.skipped, verdict.remaining, verdict.abandoned)
    assert sorted(f.id for pile in piles for f in pile) == sorted(f.id for f in fixtures)
    place = {fixture.id: at for at, fixture in enumerate(fixtures)}
    for pile in piles:
        assert [place[f.id] for f in pile] == sorted(place[f.id] for f in pile)


def of_ann(deals: int = 20) -> Plan:
    """A plan in which ann plays every match, two a deal."""
    return plan(league(["ann", "bob"], deals=deals))


def test_five_faults_in_five_matches_suspend() -> None:
    fixtures = of_ann()
    verdict = judge(fixtures, {fixture.id: ANN for fixture in fixtures[:5]})
    suspension = verdict.suspensions["ann@1"]
    assert (suspension.fixture, suspension.faults, suspension.matches) == (fixtures[4].id, 5, 5)
    assert verdict.counted == fixtures[:5]
    assert verdict.skipped == fixtures[5:]
    assert not verdict.remaining


def test_four_faults_in_four_matches_do_not() -> None:
    fixtures = of_ann()
    verdict = judge(fixtures, {fixture.id: ANN for fixture in fixtures[:4]})
    assert not verdict.suspensions
    assert verdict.remaining == fixtures[4:]


def test_a_fifth_fault_at_exactly_a_fifth_of_the_matches_does_not() -> None:
    fixtures = of_ann()
    faults = {fixture.id: CLEAN for fixture in fixtures[:20]} | {fixture.id: ANN for fixture in fixtures[20:25]}
    assert not judge(fixtures, faults).suspensions
    assert judge(fixtures, faults | {fixtures[25].id: ANN}).suspensions["ann@1"].at == 25


def test_what_is_counted_is_what_came_before_in_the_plan_not_after() -> None:
    fixtures = of_ann()
    faults = {fixture.id: ANN for fixture in fixtures[:5]} | {fixture.id: CLEAN for fixture in fixtures[5:]}
    verdict = judge(fixtures, faults)
    assert verdict.suspensions["ann@1"].at == 4
    assert verdict.skipped == fixtures[5:], "results that are already there are not counted"


def test_an_unplayed_fixture_is_neutral_and_may_lift_a_suspension_once_it_is_played() -> None:
    fixtures = of_ann()
    late = {fixture.id: ANN for fixture in fixtures[30:35]}
    assert judge(fixtures, late).suspensions["ann@1"].matches == 5
    assert judge(fixtures, late).remaining == fixtures[:30]
    early = {fixture.id: CLEAN for fixture in fixtures[:30]}
    assert not judge(fixtures, late | early).suspensions


def test_a_match_skipped_for_the_opponent_counts_for_neither() -> None:
    fixtures = plan(league(["ann", "bob", "cid"], deals=10))
    with_ann = [fixture for fixture in fixtures if "ann@1" in fixture.entries]
    truth = {fixture.id: CLEAN for fixture in fixtures}
    truth |= {fixture.id: ANN for fixture in with_ann[:5]}
    # bob fails too, but only in matches that follow ann's suspension.
    truth |= {fixture.id: frozenset({"bob@1"}) for fixture in with_ann[5:] if "bob@1" in fixture.entries}
    assert set(judge(fixtures, truth).suspensions) == {"ann@1"}


def test_a_reinstated_entry_is_exempt() -> None:
    fixtures = of_ann()
    faults = {fixture.id: ANN for fixture in fixtures}
    assert judge(fixtures, faults).skipped
    assert judge(fixtures, faults, reinstated={"ann@1"}).counted == fixtures


def test_both_sides_of_a_match_can_be_at_fault() -> None:
    fixtures = of_ann()
    both = frozenset({"ann@1", "bob@1"})
    assert set(suspended(fixtures, {fixture.id: both for fixture in fixtures})) == {"ann@1", "bob@1"}


def test_an_abandoned_fixture_is_neither_played_again_nor_counted() -> None:
    fixtures = of_ann(deals=1)
    verdict = judge(fixtures, {}, abandoned={fixtures[0].id})
    assert (verdict.abandoned, verdict.remaining) == (fixtures[:1], fixtures[1:])
    assert judge(fixtures, {fixtures[0].id: CLEAN}, abandoned={fixtures[0].id}).counted == fixtures[:1]


def test_an_entry_that_is_gone_from_the_plan_is_not_judged() -> None:
    fixtures = of_ann()
    gone = {f"nim/of-2/ann@0+bob@1/deal-{deal}/turn-0": frozenset({"ann@0"}) for deal in range(9)}
    assert not judge(fixtures, gone).suspensions


def test_it_is_worth_judging_at_the_fifth_fault_and_ever_more_rarely_after_the_twentieth() -> None:
    worth = [faults for faults in range(1, 1001) if worth_judging(faults)]
    assert worth[:8] == [5, 6, 7, 8, 9, 10, 11, 12]
    assert len(worth) < 150
    assert all(later <= earlier * 1.2 + 1 for earlier, later in pairwise(worth))


def test_a_match_in_which_a_bot_has_several_seats_is_one_match_and_one_fault_at_most() -> None:
    copies = (TableSpec("many", 4, {}, "copies"),)
    fixtures = plan(league(["ann", "bob"], deals=4, tables=copies))
    with_three = [fixture for fixture in fixtures if fixture.entries.count("ann@1") == 3]
    results = {fixture.id: ANN if fixture in with_three[:5] else CLEAN for fixture in fixtures}
    ann = suspended(fixtures, results)["ann@1"]
    assert (ann.faults, ann.matches) == (5, fixtures.index(with_three[4]) + 1)
    assert ann.matches < 25
    assert suspended(fixtures, {name: results[name] for name in [*results][: ann.at]}) == {}
