import numpy as np
import pytest
from scipy import stats

from tournaments.comparison.deal_means import interval_of_mean, margins, mean_shares
from tournaments.comparison.stopping_rule import DealLead

LEADS = np.random.default_rng(1).choice([-1, -0.5, 0, 0.5, 1], 400)


@pytest.mark.parametrize("count", [20, 100, 400])
def test_the_interval_is_that_of_student(count: int) -> None:
    values = LEADS[:count].tolist()
    expected = stats.t.interval(0.9, count - 1, np.mean(values), stats.sem(values))
    assert interval_of_mean(values, 0.1) == pytest.approx(expected)


@pytest.mark.slow
def test_it_holds_the_mean_in_95_of_100_cases_where_it_is_given() -> None:
    luck = np.random.default_rng(2)
    for count in (30, 100):
        samples = luck.choice([-1.0, -0.5, 0.0, 0.5, 1.0], (1000, count), p=[0.2, 0.2, 0.2, 0.1, 0.3])
        found = [interval_of_mean(sample.tolist(), 0.05) for sample in samples]
        held = [interval[0] <= 0.05 <= interval[1] for interval in found if interval is not None]
        assert 0.93 <= np.mean(held) <= 0.97


def test_there_is_none_for_few_deals_or_where_hardly_any_differ() -> None:
    assert interval_of_mean(LEADS[:19].tolist(), 0.05) is None
    assert interval_of_mean([0.1] * 91 + [-1.0] * 9, 0.05) is None
    assert interval_of_mean([0.1] * 90 + [-1.0] * 10, 0.05) is not None


def test_shares_and_margins_are_means_over_the_deals() -> None:
    deals = [DealLead(0.5, 2, share=0.75, margin=3.0), DealLead(-0.25, 2, share=0.5), DealLead(0, 2, share=0.25)]
    assert mean_shares(deals) == pytest.approx({"new": 0.5, "old": 0.5 - 0.25 / 3})
    assert margins(deals) == [3.0]
    assert mean_shares([]) is None
