from random import Random

import pytest

from benchmarks.pairing import rounds_s
from benchmarks.swiss_rounds import event
from tournaments.schedule.formats.swiss import usual_rounds


@pytest.mark.parametrize("size", [2, 4])
def test_every_round_of_an_event_is_timed(size: int) -> None:
    took_s = rounds_s(16, size, Random(1))
    assert len(took_s) == usual_rounds(16, size)
    assert min(took_s) >= 0


def test_simulated_tables_come_near_to_the_order_of_the_strengths() -> None:
    taus = [[tau for _, tau in event(16, 5, Random(number))] for number in range(4)]
    assert all(len(each) == 5 for each in taus)
    assert sum(each[-1] for each in taus) > sum(each[0] for each in taus) > 0
    assert max(max(each) for each in taus) <= 1
