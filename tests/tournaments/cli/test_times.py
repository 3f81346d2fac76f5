from datetime import datetime, timedelta, timezone

import pytest

from tournaments.cli.times import WrongTime, after, span_s, until_s

NOW = datetime(2026, 11, 22, 23, 30, tzinfo=timezone(timedelta(hours=1)))


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90s", 90), ("20m", 1_200), ("8h", 28_800), ("1d12h", 129_600), ("1h30m", 5_400), ("0h5m", 300)],
)
def test_a_time_span_is_read(text: str, seconds: int) -> None:
    assert span_s(text) == seconds


@pytest.mark.parametrize(
    "text", ["", "0s", "8", "h", "8 h", "-1h", "5m1h", "1.5h", "eight", "9" * 20 + "d", "9" * 5_000 + "s"]
)
def test_what_is_no_time_span_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(WrongTime, match=r"--for .*: not a time span; write for instance 90s, 20m, 8h or 1d12h"):
        span_s(text)


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("23:45", 0.25),
        ("07:30", 8),  # tomorrow
        ("23:30", 24),
        ("2026-11-23T07:30", 8),
        ("2026-11-23 07:30", 8),
        ("2026-11-23T07:30+00:00", 9),
    ],
)
def test_a_time_of_day_is_the_next_one_to_come(text: str, hours: float) -> None:
    assert until_s(text, NOW) == hours * 3_600


@pytest.mark.parametrize(
    ("text", "why"), [("25:00", "not a time"), ("soon", "not a time"), ("2026-11-22T23:00", "that time is over")]
)
def test_what_is_no_time_to_come_is_refused_in_one_sentence(text: str, why: str) -> None:
    with pytest.raises(WrongTime, match=f"--until {text}: {why}"):
        until_s(text, NOW)


def test_it_is_enough_after_the_time_and_not_before() -> None:
    now = [100.0]
    enough = after(5, lambda: now[0])
    assert not enough()
    now[0] = 104.9
    assert not enough()
    now[0] = 105.0
    assert enough()
