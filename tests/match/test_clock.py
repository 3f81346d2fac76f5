import pytest

from referee.match.terms import LONGEST_MS, Clock


def test_without_a_bank_every_decision_has_the_move_limit() -> None:
    clock = Clock(move_ms=500)
    assert clock.time_left(clock.bank_after(0, 400)) == 500


def test_the_smaller_of_bank_and_move_limit_counts() -> None:
    clock = Clock(move_ms=500, bank_ms=2000)
    assert clock.time_left(2000) == 500
    assert clock.time_left(300) == 300


def test_an_empty_bank_leaves_no_time() -> None:
    assert Clock(move_ms=500, bank_ms=2000).time_left(0) == 0


def test_thinking_uses_the_bank_up_and_the_increment_refills_it() -> None:
    clock = Clock(move_ms=0, bank_ms=1000, increment_ms=50)
    assert clock.bank_after(1000, 300) == 750
    assert clock.bank_after(100, 180) == 50


def test_a_bank_never_holds_more_than_a_message_can_say() -> None:
    clock = Clock(move_ms=0, bank_ms=LONGEST_MS, increment_ms=LONGEST_MS)
    assert clock.bank_after(LONGEST_MS, 1) == LONGEST_MS


@pytest.mark.parametrize(
    "times",
    [{"move_ms": 0}, {"move_ms": -1}, {"start_ms": 0}, {"bank_ms": 5, "increment_ms": -2}, {"bank_ms": 1 << 32}],
)
def test_a_clock_that_cannot_run_out_runs_backwards_or_cannot_be_told_is_refused(times: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"clock|time"):
        Clock(**times)
