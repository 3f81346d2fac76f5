"""The rate limit of requests."""

from hypothesis import given
from hypothesis import strategies as st

from tournaments.web.service.token_bucket import Rate, RateLimiter

RATE = Rate(burst=3, a_second=0.5)


def test_a_burst_is_allowed_then_the_steady_rate_and_who_is_refused_hears_how_long_to_wait() -> None:
    allowances = RateLimiter(RATE)
    assert [allowances.take("eva", 100.0) for _ in range(4)] == [0, 0, 0, 2.0]
    assert allowances.take("eva", 101.0) == 1.0
    assert [allowances.take("eva", 102.0), allowances.take("eva", 102.0)] == [0, 2.0]


def test_nobody_uses_up_what_another_may() -> None:
    allowances = RateLimiter(RATE)
    for _ in range(10):
        allowances.take("eva", 0.0)
    assert allowances.take("max", 0.0) == 0


def test_so_many_buckets_are_kept_and_no_more_and_who_asks_all_the_time_keeps_the_own() -> None:
    allowances = RateLimiter(RATE, most=10)
    for _ in range(3):
        allowances.take("eva", 0.0)
    for number in range(1000):
        allowances.take(f"from:{number}", 0.0)
        assert allowances.take("eva", 0.0) > 0
    assert len(allowances._left) == 10


@given(st.lists(st.floats(0, 10), max_size=60))
def test_in_no_time_more_is_taken_than_the_burst_and_what_came_back_meanwhile(rests: list[float]) -> None:
    allowances, now, taken = RateLimiter(RATE), 0.0, 0
    for rest in rests:
        now += rest
        taken += allowances.take("eva", now) == 0
    assert taken <= RATE.burst + now * RATE.a_second + 1e-6
