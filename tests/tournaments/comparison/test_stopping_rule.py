import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from benchmarks.comparisons import BETTER, STRENGTHS, USUAL, row
from tournaments.comparison.confidence_sequence import LowerBound
from tournaments.comparison.stopping_rule import (
    ComparisonQuestion,
    ComparisonResult,
    DealLead,
    Judge,
    NoQuestion,
    OneSided,
    TwoSided,
    Verdict,
)
from tournaments.rating.numerics import interval_of_mean

TURNED = {"better": "worse", "worse": "better", "no difference": "no difference", "undecided": "undecided"}
LEADS = st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.5, 1.0]), max_size=60)


WIDE = TwoSided(0.2)


def heard(leads: list[float], question: ComparisonQuestion = WIDE) -> Judge:
    judge = Judge(0.2, question)
    judge.hear(DealLead(lead, 2, new_faults=1) for lead in leads)
    return judge


def judged(leads: list[float], question: ComparisonQuestion = WIDE) -> ComparisonResult:
    return heard(leads, question).finding


def test_before_the_first_deal_nothing_is_known() -> None:
    assert judged([]) == ComparisonResult("undecided", 0, None, (-1, 1), 0, 0, 0)


def test_what_is_heard_is_counted() -> None:
    finding = judged([0.5, 0.0, -0.5])
    assert (finding.deals, finding.matches, finding.new_faults, finding.old_faults) == (3, 6, 3, 0)
    assert (finding.verdict, finding.mean) == ("undecided", 0.0)


@given(LEADS)
def test_the_deals_after_the_one_that_decides_change_nothing(leads: list[float]) -> None:
    whole = judged(leads)
    assert judged(leads[: whole.deals]) == whole
    assert whole.verdict != "undecided" or whole.deals == len(leads)
    assert whole.deals == 0 or judged(leads[: whole.deals - 1]).verdict == "undecided"


def test_a_deal_after_the_one_that_decides_is_not_even_taken() -> None:
    judge, deals = Judge(0.05, TwoSided(0.05)), iter([DealLead(1.0, 2)] * 50)
    judge.hear(deals)
    assert judge.finding.verdict == "better"
    assert len(list(deals)) == 50 - judge.finding.deals


@given(LEADS)
def test_with_the_bots_exchanged_the_verdict_is_turned_after_as_many_deals(leads: list[float]) -> None:
    one, other = judged(leads), judged([-lead for lead in leads])
    assert (TURNED[one.verdict], one.deals) == (other.verdict, other.deals)


@given(LEADS)
def test_the_verdict_is_what_the_interval_says(leads: list[float]) -> None:
    finding = judged(leads)
    low, high = finding.interval
    assert {
        "better": low >= 0,
        "worse": high <= 0,
        "no difference": -0.4 <= low < 0 < high <= 0.4,
        "undecided": low < 0 < high and (low < -0.4 or high > 0.4),
    }[finding.verdict]


def test_with_a_margin_of_zero_nothing_is_ever_no_difference() -> None:
    assert judged([0.0] * 500, TwoSided(0)).verdict == "undecided"


@given(LEADS, st.sampled_from([WIDE, OneSided(0.2)]))
def test_each_look_is_what_would_have_been_found_then(leads: list[float], question: ComparisonQuestion) -> None:
    looks = heard(leads, question).looks
    for at, look in enumerate(looks, 1):
        then = judged(leads[:at], question)
        assert (look.deals, look.mean, look.interval) == (then.deals, then.mean, then.interval)
    assert len(looks) == judged(leads, question).deals


@given(LEADS)
def test_the_one_sided_verdict_is_what_the_two_ends_say_each_of_which_has_the_whole_error(leads: list[float]) -> None:
    finding = judged(leads, OneSided(0.2))
    low, high = finding.interval
    assert {
        "better": low >= 0,
        "not better by that much": low < 0 and high <= 0.4,
        "undecided": low < 0 and high > 0.4,
    }[finding.verdict]
    lower, upper = LowerBound(0.2, 0.4), LowerBound(0.2, 0.4)
    for lead in leads[: finding.deals]:
        lower.take(lead)
        upper.take(-lead)
    assert (low, high) == (lower.bound, -upper.bound)


@given(LEADS)
def test_what_two_sides_find_to_be_better_one_side_finds_no_later(leads: list[float]) -> None:
    two, one = judged(leads), judged(leads, OneSided(0.2))
    if two.verdict == "better" and one.verdict == "better":
        assert one.deals <= two.deals
    assert one.verdict != "undecided" or two.verdict != "better"


@pytest.mark.slow
def test_of_120_comparisons_of_equals_at_most_5_in_100_and_two_standard_errors_claim_a_difference() -> None:
    """`benchmarks/comparisons.py` simulates 1,000; docs/internals/comparing.md has its figures."""
    found = row("50 %", STRENGTHS["50 %"], 120, USUAL).counts
    assert found["better"] + found["worse"] <= 6 + 2 * (120 * 0.05 * 0.95) ** 0.5
    assert found["no difference"] > 108


@pytest.mark.parametrize(("strength", "deals"), [("55 %", (230, 400)), ("60 %", (80, 140))])
def test_what_is_better_is_found_to_be_better(strength: str, deals: tuple[int, int]) -> None:
    found = row(strength, STRENGTHS[strength], 30, USUAL)
    assert found.counts["better"] >= 28
    assert deals[0] < found.deals < deals[1]


@pytest.mark.parametrize(
    ("strength", "right", "most"), [("50 %", "not better by that much", 340), ("55 %", "better", 350)]
)
def test_the_one_sided_question_is_answered_rightly_and_takes_no_more_deals_than_promised(
    strength: str, right: Verdict, most: int
) -> None:
    found = row(strength, STRENGTHS[strength], 15, BETTER)
    assert found.counts[right] >= 13
    assert 200 < found.deals <= most


SAMPLE = np.random.default_rng(1).choice([-1, -0.5, 0, 0.5, 1], 400)


@pytest.mark.parametrize("count", [20, 100, 400])
def test_the_interval_after_a_fixed_number_of_deals_is_that_of_student(count: int) -> None:
    values = SAMPLE[:count].tolist()
    expected = stats.t.interval(0.9, count - 1, np.mean(values), stats.sem(values))
    assert interval_of_mean(values, 0.1) == pytest.approx(expected)


@pytest.mark.slow
def test_that_interval_contains_the_mean_in_95_of_100_cases() -> None:
    luck = np.random.default_rng(2)
    for count in (30, 100):
        samples = luck.choice([-1.0, -0.5, 0.0, 0.5, 1.0], (1000, count), p=[0.2, 0.2, 0.2, 0.1, 0.3])
        found = [interval_of_mean(sample.tolist(), 0.05) for sample in samples]
        right = [interval[0] <= 0.05 <= interval[1] for interval in found if interval is not None]
        assert 0.93 <= np.mean(right) <= 0.97


def test_there_is_no_interval_for_few_deals_or_where_hardly_any_differ() -> None:
    assert interval_of_mean(SAMPLE[:19].tolist(), 0.05) is None
    assert interval_of_mean([0.1] * 91 + [-1.0] * 9, 0.05) is None
    assert interval_of_mean([0.1] * 90 + [-1.0] * 10, 0.05) is not None


def test_the_shares_are_means_over_the_deals() -> None:
    judge = Judge(0.05, NoQuestion())
    assert judge.shares is None
    judge.hear([DealLead(0.5, 2, share=0.75), DealLead(-0.25, 2, share=0.5), DealLead(0, 2, share=0.25)])
    assert judge.shares == pytest.approx((0.5, 0.5 - 0.25 / 3))
