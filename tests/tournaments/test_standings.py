from collections import Counter

import pytest

from referee.core.outcome import FAULT, Outcome
from referee.match.transcript import FaultKind, FaultMark
from tests.tournaments.leagues import SEED, league
from tournaments.model import Fixture, Played
from tournaments.schedule import plan
from tournaments.season import Season
from tournaments.standings import Standings, standings

LEAGUE = league(("ann", "bob", "cid"), deals=10)


def result(fixture: Fixture, places: tuple[int, ...], fault: int | None = None) -> Played:
    faults = () if fault is None else (FaultMark(fault, 1, FaultKind.CRASH),)
    outcome = Outcome(FAULT if faults else "won", places, ())
    return Played(fixture.id, f"digest of {fixture.id}", fixture.entries, outcome, faults, (2, 3), (2_000, 9_000), 0)


def table(results: list[Played], voids: int = 0) -> Standings:
    season = Season(plan(LEAGUE), {each.fixture: each.offenders for each in results}, Counter())
    return standings(LEAGUE, SEED, season.verdict(), {each.fixture: each for each in results}, voids)


def by_name(fixture: Fixture) -> Played:
    """The name that comes first in the alphabet wins."""
    first = fixture.entries.index(min(fixture.entries))
    return result(fixture, (1, 2) if first == 0 else (2, 1))


def test_who_wins_always_is_first_and_separated() -> None:
    found = table([by_name(fixture) for fixture in plan(LEAGUE)])
    assert [(line.rank, line.bot, line.wins, line.losses) for line in found.standings] == [
        (1, "ann@1", 40, 0),
        (2, "bob@1", 20, 20),
        (3, "cid@1", 0, 40),
    ]
    assert found.separated == (True, True)


def test_ratings_have_the_mean_25_and_lie_in_their_intervals() -> None:
    found = table([by_name(fixture) for fixture in plan(LEAGUE)])
    assert sum(line.rating for line in found.standings) / 3 == pytest.approx(25)
    assert all(line.interval[0] <= line.rating <= line.interval[1] for line in found.standings)


def test_a_league_without_results_is_a_table_of_equals() -> None:
    found = table([])
    assert [line.bot for line in found.standings] == ["ann@1", "bob@1", "cid@1"]
    assert {line.rating for line in found.standings} == {25.0}
    assert {(line.matches, line.mean_decision_ms) for line in found.standings} == {(0, None)}
    assert found.separated == (False, False)
    assert found.matches.played == 0


def test_equal_places_are_a_draw() -> None:
    drawn = result(plan(LEAGUE)[0], (1, 1))
    assert {line.bot: line.draws for line in table([drawn]).standings} == {"ann@1": 1, "bob@1": 1, "cid@1": 0}


def test_a_fault_is_counted_for_the_offender_and_is_its_loss() -> None:
    lines = {line.bot: line for line in table([result(plan(LEAGUE)[0], (2, 1), fault=0)]).standings}
    ann, bob = lines["ann@1"], lines["bob@1"]
    assert (ann.faults, ann.losses, bob.faults, bob.wins) == (1, 1, 0, 1)
    assert ann.rating < bob.rating


def test_the_mean_time_of_a_decision_is_over_all_decisions() -> None:
    lines = {line.bot: line for line in table([by_name(fixture) for fixture in plan(LEAGUE)[:2]]).standings}
    assert lines["ann@1"].mean_decision_ms == pytest.approx((2 + 9) / (2 + 3))


def test_the_digest_is_of_the_results_that_count() -> None:
    results = [by_name(fixture) for fixture in plan(LEAGUE)]
    removed = result(Fixture("nim/of-2/ann@1+dan@1/deal-0/turn-0", "of-2", ("ann@1", "dan@1"), 0, 0), (1, 2))
    assert table(results).digest == table([*reversed(results), removed]).digest
    assert table(results).digest != table(results[1:]).digest


def test_matches_are_counted_by_kind() -> None:
    faults = [result(fixture, (2, 1), fault=0) for fixture in plan(LEAGUE) if fixture.entries[0] == "cid@1"][:5]
    counts = table(faults, voids=4).matches
    assert (counts.planned, counts.played, counts.void, counts.abandoned) == (60, 5, 4, 0)
    assert counts.skipped > 0
