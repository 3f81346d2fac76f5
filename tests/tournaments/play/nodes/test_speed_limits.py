"""Whether a node is quick enough for a league's clock."""

import pytest
from msgspec.structs import replace

from referee.match.terms import MARGIN_MS, Clock
from tests.tournaments.play.nodes.nodes import QUICK
from tournaments.play.nodes.speed_limits import SpeedLimits, limits, too_slow

LIMITS = SpeedLimits(answer_ms=50.0, start_ms=5_000.0)


@pytest.mark.parametrize(
    ("clocks", "expected"),
    [
        ([Clock(move_ms=100, start_ms=400)], SpeedLimits(MARGIN_MS / 2, 200)),
        ([Clock(move_ms=10_000)], SpeedLimits(500, 5_000)),
        ([Clock(move_ms=10_000), Clock(move_ms=2_000, start_ms=20_000)], SpeedLimits(100, 5_000)),
        ([Clock(move_ms=10_000, bank_ms=60_000)], SpeedLimits(MARGIN_MS / 2, 5_000)),
        ([Clock(move_ms=0, bank_ms=60_000)], SpeedLimits(MARGIN_MS / 2, 5_000)),
    ],
    ids=["quick", "slow", "the shortest counts", "a bank pays for each way", "a bank alone"],
)
def test_the_way_may_take_half_of_the_margin_or_a_twentieth_of_the_time_and_a_start_half_of_it(
    clocks: list[Clock], expected: SpeedLimits
) -> None:
    assert limits(clocks) == expected


def test_a_node_that_is_just_quick_enough_may_play() -> None:
    assert too_slow(replace(QUICK, start_ms=5_000.0, echo_ms=50.0, late_ms=50.0), LIMITS) is None


@pytest.mark.parametrize(
    ("what", "took_ms", "why"),
    [
        ("start_ms", 5_001.0, "took 5,001 ms to start a bot that does nothing; for the league's clock it may be 5,000"),
        ("echo_ms", 51.0, "took 51 ms for an answer without thought; for the league's clock it may be 50"),
        ("late_ms", 51.0, "was 51 ms late for its own timers; for the league's clock it may be 50"),
    ],
)
def test_a_node_that_is_slow_in_one_thing_may_not_play_and_says_in_which(what: str, took_ms: float, why: str) -> None:
    assert too_slow(replace(QUICK, **{what: took_ms}), LIMITS) == why
