import tracemalloc
from collections.abc import Mapping, Set
from itertools import islice

from tests.tournaments.leagues import league, plan
from tests.tournaments.seasons import Fixtures, decided, result, season_of
from tournaments.league.model import Fixture, League, StoredMatch, StoredVoid
from tournaments.league.roster import OrganizerDecisions
from tournaments.schedule.formats.format import PlayedWaves
from tournaments.schedule.formats.round_robin import EveryGroup, RoundRobin
from tournaments.schedule.formats.wave import Wave
from tournaments.schedule.league_state import LeagueState

LEAGUE = league(("ann", "bob"), deals=20)
PLAN = plan(LEAGUE)
"""40 fixtures of the same two bots."""

BOB = frozenset({"bob@1"})


def season(played: Fixtures = (), reinstated: frozenset[str] = frozenset()) -> LeagueState:
    """A season in which bob failed in these fixtures."""
    return season_of(LEAGUE, [result(fixture, BOB) for fixture in played], reinstated=reinstated)


def remaining(running: LeagueState) -> set[Fixture]:
    running.verdict()
    return {fixture for sitting in running.sittings() for fixture in sitting.fixtures}


def test_a_season_takes_up_where_the_store_stands() -> None:
    taken_up = season(PLAN[:5])
    assert [fixture for fixture, _ in taken_up.counted()] == list(PLAN[:5])
    assert not taken_up.is_wanted(PLAN[5])


def test_the_fault_that_suspends_stops_what_was_to_come_at_once() -> None:
    running = season()
    for fixture in PLAN[:5]:
        assert running.is_wanted(PLAN[20])
        running.settle(fixture, BOB)
    assert not running.is_wanted(PLAN[20])
    assert running.is_wanted(PLAN[4])


def test_what_follows_a_suspension_is_not_among_the_sittings_that_are_still_to_be_made() -> None:
    running = season()
    sittings = running.sittings()
    first = next(sittings)
    for fixture in first.fixtures[:5]:
        running.settle(fixture, BOB)
    assert not any(running.is_wanted(fixture) for fixture in first.fixtures[5:])
    assert all(fixture.deal <= 8 for sitting in sittings for fixture in sitting.fixtures)


def test_a_suspension_that_clean_results_lifted_is_lifted_at_the_next_verdict() -> None:
    running = season(PLAN[20:25])
    for fixture in PLAN[:20]:
        running.settle(fixture, set())
    assert remaining(running) == set(PLAN[25:])
    assert all(map(running.is_wanted, PLAN[25:]))


def test_a_reinstated_bot_is_wanted_whatever_it_did() -> None:
    assert season(PLAN[:10], BOB).is_wanted(PLAN[30])
    assert remaining(season(PLAN[:10], BOB)) == set(PLAN[10:])
    assert remaining(season(PLAN[:10])) == set()


def test_the_third_void_gives_a_fixture_up() -> None:
    running = season()
    for expected in (PLAN, PLAN, PLAN[1:]):
        running.void(StoredVoid(PLAN[0].id, "lost", 0))
        assert remaining(running) == set(expected)
    assert running.verdict().abandoned == PLAN[:1]


def test_voids_that_do_not_count_never_give_a_fixture_up_but_are_told() -> None:
    running = season()
    for _ in range(9):
        running.void(StoredVoid(PLAN[0].id, "busy", 0, busy=True, counts=False))
    running.void(StoredVoid(PLAN[0].id, "lost", 0))
    assert remaining(running) == set(PLAN)
    assert (running.voids, running.busy_voids) == (10, 9)


def test_a_fixture_that_is_tried_again_has_as_many_voids_before_it_as_a_new_one() -> None:
    lost = [StoredVoid(fixture.id, "lost", 0) for fixture in PLAN[:2]]
    retried: dict[str, int] = {}
    running = LeagueState(
        RoundRobin(LEAGUE), (), lost * 3, lambda: (), lambda: OrganizerDecisions(retried=dict(retried))
    )
    assert running.verdict().abandoned == PLAN[:2]
    retried[PLAN[0].id] = 3
    assert running.take_up_decisions()
    assert not running.take_up_decisions()
    for expected in (PLAN[1:2], PLAN[1:2], PLAN[:2]):
        running.void(lost[0])
        assert running.verdict().abandoned == expected
    assert running.voids == 9


def test_a_result_that_the_organizer_made_void_meanwhile_remains_and_its_void_does_not_count() -> None:
    stored = [result(fixture, frozenset({"bob@1"} & set(fixture.entries))) for fixture in PLAN]
    retried: dict[str, int] = {}
    offenders = [(each.fixture, each.offenders) for each in stored]
    running = LeagueState(
        RoundRobin(LEAGUE), offenders, (), lambda: stored, lambda: OrganizerDecisions(retried=dict(retried))
    )
    assert (len(running.suspensions), remaining(running)) == (1, set())
    for lost in PLAN[:-4]:
        retried[lost.id] = 1
    del stored[:-4]
    assert running.goes_on()
    assert (remaining(running), running.voids) == (set(PLAN[:-4]), len(PLAN) - 4)
    assert not running.suspensions
    for _ in range(2):
        running.void(StoredVoid(PLAN[0].id, "lost", 0))
    assert running.verdict().abandoned == ()
    running.void(StoredVoid(PLAN[0].id, "lost", 0))
    assert running.verdict().abandoned == PLAN[:1]


def test_a_season_goes_on_until_every_fixture_is_settled() -> None:
    running = season()
    for fixture in PLAN:
        assert running.goes_on()
        running.settle(fixture, set())
    assert not running.goes_on()


class Twice:
    """A format that plays as many deals again if the first wave was won by seat 0 every time."""

    def wave(self, number: int, so_far: PlayedWaves) -> Wave | None:
        if number == 0:
            return self._on(range(2))
        if number == 1 and all(played.outcome.places[0] == 1 for _, played in so_far.counted()):
            return self._on(range(2, 4))
        return None

    def _on(self, deals: range) -> Wave:
        return Wave(LEAGUE.game, EveryGroup(LEAGUE), deals)


class TwoWaves:
    """A format of three deals, whatever happens, and then three more."""

    def __init__(self, here: League = LEAGUE) -> None:
        self._league = here

    def wave(self, number: int, so_far: PlayedWaves) -> Wave | None:
        assert number == 0 or so_far.counted()
        deals = range(3 * number, 3 * number + 3)
        return Wave(self._league.game, EveryGroup(self._league), deals) if number < 2 else None


def twice(*stored: StoredMatch) -> LeagueState:
    return LeagueState(Twice(), ((each.fixture, each.offenders) for each in stored), (), lambda: stored)


def test_the_next_wave_comes_when_all_of_the_one_before_is_settled_and_is_decided_by_its_results() -> None:
    running = twice()
    assert remaining(running) == set(PLAN[:4])
    assert len(running.plan) == 4
    assert twice(*map(result, PLAN[:3])).plan.find(PLAN[4].id) is None
    on = twice(*map(result, PLAN[:4]))
    assert remaining(on) == set(PLAN[4:8])
    assert [on.plan.position(fixture) for fixture in on.plan] == list(range(8))
    assert not twice(*map(result, PLAN[:3]), result(PLAN[3], frozenset(PLAN[3].entries[:1]))).plan.find("nothing")


def test_results_of_a_later_wave_are_taken_up_with_it() -> None:
    running = twice(*map(result, (PLAN[6], *PLAN[:4])))
    assert remaining(running) == {PLAN[4], PLAN[5], PLAN[7]}
    assert [fixture for fixture, _ in running.counted()] == [*PLAN[:4], PLAN[6]]


def test_a_suspension_reaches_into_later_waves() -> None:
    running = season_of(LEAGUE, [result(fixture, BOB) for fixture in PLAN[:4]])
    assert running.goes_on()
    later = twice(*(result(fixture, BOB) for fixture in PLAN[:4]), result(PLAN[4], BOB))
    assert not later.is_wanted(PLAN[5])
    assert (later.verdict().counted, later.verdict().skipped) == (5, 3)


def test_a_million_fixtures_take_no_more_memory_than_a_few() -> None:
    million = league([f"bot{number}" for number in range(50)], deals=409)
    tracemalloc.start()
    running = season_of(million, [])
    assert running.verdict().remaining > 1_000_000
    assert len(list(islice(running.sittings(), 100))) == 100
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak_bytes < 2_000_000


def test_a_bot_that_is_reinstated_from_the_first_deal_on_plays_what_it_missed_in_all_waves() -> None:
    assert remaining(failing_in_two_waves(PLAN[:5], deal=0)) == set(PLAN[5:6])
    assert remaining(failing_in_two_waves(PLAN[:6], deal=0)) == set(PLAN[6:12])


def failing_in_two_waves(played: Fixtures, deal: int | None) -> LeagueState:
    """Two waves of three deals. Bob failed whenever it played, and was reinstated from a deal on, or was not."""
    failing = [result(fixture, BOB) for fixture in played]
    offenders = ((each.fixture, each.offenders) for each in failing)
    said = decided() if deal is None else decided(BOB, deal=deal)
    return LeagueState(TwoWaves(), offenders, (), lambda: failing, lambda: said)


def test_a_reinstatement_lifts_a_suspension_from_its_wave_on_and_what_was_skipped_before_stays_skipped() -> None:
    suspended = failing_in_two_waves(PLAN[:6], None)
    lifted = failing_in_two_waves(PLAN[:6], deal=3)
    assert suspended.suspensions.keys() == BOB
    assert not lifted.suspensions
    assert [fixture for fixture, _ in lifted.counted()] == list(PLAN[:5])
    assert remaining(lifted) == set(PLAN[6:12])
    verdict = failing_in_two_waves(PLAN[:12], deal=3).verdict()
    assert (verdict.counted, verdict.skipped, verdict.remaining, len(verdict.lifted)) == (11, 1, 0, 1)


def test_a_bot_that_was_reinstated_after_the_last_wave_is_free_in_the_next_one() -> None:
    assert not failing_in_two_waves(PLAN[:12], deal=6).suspensions
    assert len(failing_in_two_waves(PLAN[:12], deal=6).counted()) == 5


def test_faults_of_a_wave_from_which_a_bot_is_exempt_suspend_it_neither_there_nor_later() -> None:
    verdict = failing_in_two_waves(PLAN[:12], deal=0).verdict()
    assert (verdict.counted, verdict.suspensions, verdict.lifted) == (12, {}, {})


def test_what_the_organizer_decides_while_a_wave_is_decided_is_considered_before_it_is_issued() -> None:
    said = [decided()]

    class Refused(TwoWaves):
        """The organizer reinstates bob while the second wave is decided, so that it is not issued."""

        def wave(self, number: int, so_far: PlayedWaves) -> Wave | None:
            if number == 1:
                said.append(decided(BOB))
            return None if so_far.decisions != said[-1] else super().wave(number, so_far)

    failing = [result(fixture, BOB) for fixture in PLAN[:5]]
    running = LeagueState(Refused(), ((each.fixture, BOB) for each in failing), (), lambda: failing, lambda: said[-1])
    assert len(running.plan.waves) == 1
    assert remaining(running) == {PLAN[5]}


THREE = league(("ann", "bob", "cid"), deals=6)
SIX_DEALS = list(plan(THREE))


def two_waves(gone: Mapping[int, Set[str]], *stored: StoredMatch) -> LeagueState:
    offenders = ((each.fixture, each.offenders) for each in stored)
    return LeagueState(TwoWaves(THREE), offenders, (), lambda: stored, lambda: decided(gone=gone))


def test_of_a_bot_that_was_withdrawn_nothing_counts_in_the_wave_that_was_being_played() -> None:
    everything = [result(fixture) for fixture in SIX_DEALS]
    whole, without = two_waves({}, *everything), two_waves({1: {"ann@1"}}, *everything)
    first = [fixture for fixture in SIX_DEALS if fixture.deal < 3]
    others = [fixture for fixture in SIX_DEALS if fixture.deal >= 3 and "ann@1" not in fixture.entries]
    assert [fixture for fixture, _ in whole.counted()] == SIX_DEALS
    assert [fixture for fixture, _ in without.counted()] == first + others
    verdict = without.verdict()
    assert (verdict.counted, verdict.skipped, verdict.remaining) == (len(first + others), len(first) - len(others), 0)


def test_what_a_withdrawn_bot_has_not_played_is_not_played() -> None:
    first = [result(fixture) for fixture in SIX_DEALS if fixture.deal < 3]
    running = two_waves({1: {"ann@1"}}, *first)
    assert remaining(running) == {f for f in SIX_DEALS if f.deal >= 3 and "ann@1" not in f.entries}


def test_faults_in_matches_that_do_not_count_suspend_nobody() -> None:
    faults = [result(f, frozenset({"bob@1"} & set(f.entries))) for f in SIX_DEALS]
    assert two_waves({}, *faults).verdict().suspensions.keys() == {"bob@1"}
    assert two_waves({0: {"bob@1"}, 1: {"bob@1"}}, *faults).verdict().suspensions == {}


def test_a_bot_may_be_withdrawn_while_a_wave_is_played() -> None:
    first = [result(fixture) for fixture in SIX_DEALS if fixture.deal < 3]
    gone: dict[int, Set[str]] = {}
    offenders = ((each.fixture, each.offenders) for each in first)
    running = LeagueState(TwoWaves(THREE), offenders, (), lambda: first, lambda: decided(gone=gone))
    gone[1] = {"bob@1"}
    for fixture in SIX_DEALS:
        if fixture.deal >= 3:
            running.settle(fixture, frozenset())
    assert running.verdict().skipped == 0
    assert not running.goes_on()
    assert running.verdict().skipped > 0
