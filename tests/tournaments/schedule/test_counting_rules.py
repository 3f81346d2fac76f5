"""Which pairings were played too little for anything to follow from them."""

import pytest

from tests.tournaments.leagues import league
from tournaments.schedule.counting_rules import undecided
from tournaments.schedule.formats.format import NothingPlayed
from tournaments.schedule.formats.plan import Plan
from tournaments.schedule.formats.round_robin import RoundRobin
from tournaments.schedule.formats.wave import PlacedFixture


def placed(deals: int) -> tuple[Plan, list[PlacedFixture]]:
    plan = Plan()
    wave = RoundRobin(league(("ann", "bob", "cid"), deals)).wave(0, NothingPlayed())
    assert wave is not None
    plan.add(wave)
    return plan, [PlacedFixture(plan.position(fixture), fixture) for fixture in plan]


@pytest.mark.parametrize(
    ("deals", "abandoned", "counts"), [(1, 1, False), (2, 1, True), (2, 2, False), (5, 2, True), (5, 3, False)]
)
def test_a_line_up_counts_if_half_of_its_deals_were_played(deals: int, abandoned: int, counts: bool) -> None:
    plan, fixtures = placed(deals)
    one = fixtures[0].fixture
    of_it = [each for each in fixtures if (each.fixture.entries, each.fixture.rotation) == (one.entries, one.rotation)]
    lost = of_it[:abandoned]
    assert undecided(plan, lost) == (() if counts else tuple(lost))


def test_as_many_matches_that_are_spread_over_line_ups_keep_no_pairing_from_counting() -> None:
    plan, fixtures = placed(2)
    assert undecided(plan, [each for each in fixtures if each.fixture.deal == 0]) == ()
