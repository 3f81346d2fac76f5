from tournaments.play.heartbeat import HeartbeatMonitor, beat_s

SILENCE_S = 30.0
EVERY_S = beat_s(SILENCE_S)


def passed(*looks_s: float) -> list[float]:
    """What a watch that begins at 0 counts at looks at these times."""
    times = iter((0.0, *looks_s))
    watch = HeartbeatMonitor(SILENCE_S, lambda: next(times))
    return [watch.passed_s() for _ in looks_s]


def test_looks_on_time_count_what_has_passed_between_them() -> None:
    assert passed(EVERY_S, EVERY_S + 1, 3 * EVERY_S + 1) == [EVERY_S, 1.0, 2 * EVERY_S]


def test_a_runner_that_was_stopped_itself_counts_nothing_and_goes_on_from_there() -> None:
    assert passed(EVERY_S, 3600.0, 3600.0 + EVERY_S) == [EVERY_S, 0.0, EVERY_S]
