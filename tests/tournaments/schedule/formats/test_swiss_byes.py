"""What byes do to a Swiss, in simulated leagues: docs/formats-swiss.md has more of them."""

from statistics import fmean

import pytest

from benchmarks.swiss_byes import EventResult, event

EVENTS = 10


@pytest.fixture(scope="module")
def seven() -> list[EventResult]:
    return [event("one ahead", 7, number) for number in range(EVENTS)]


@pytest.mark.slow
def test_among_7_bots_the_best_is_first_about_as_often_as_among_8_although_others_have_byes(
    seven: list[EventResult],
) -> None:
    """With byes that counted as wins, it was first in 7 of these 10 events."""
    eight = [event("one ahead", 8, number) for number in range(EVENTS)]
    assert fmean(each.first for each in seven) >= fmean(each.first for each in eight) - 0.1


@pytest.mark.slow
def test_no_bot_gains_places_on_average_by_losing_a_round_on_purpose(seven: list[EventResult]) -> None:
    for gains in zip(*(each.gains for each in seven), strict=True):
        assert fmean(gains) <= 0.05
