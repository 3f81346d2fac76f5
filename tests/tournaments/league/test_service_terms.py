"""Until when a league takes bots, and how late one is."""

import pytest

from tournaments.league.service_terms import Extension, SubmissionTerms
from tournaments.league.submissions import refused_now

CLOSES = SubmissionTerms(closes_ms=1_000)


def extension(owner: str, closes_ms: int) -> Extension:
    return Extension(owner, closes_ms, "organizer", 0, "")


def test_an_extension_for_one_owner_is_for_nobody_else() -> None:
    given = [extension("ann", 2_000)]
    assert CLOSES.extended(given, "ann").closes_ms == 2_000
    assert CLOSES.extended(given, "bob").closes_ms == 1_000
    assert CLOSES.extended(given).closes_ms == 1_000


def test_an_extension_for_everybody_is_for_each_and_the_latest_time_counts() -> None:
    given = [extension("ann", 3_000), extension("", 2_000), extension("", 1_500)]
    assert CLOSES.extended(given, "ann").closes_ms == 3_000
    assert CLOSES.extended(given, "bob").closes_ms == CLOSES.extended(given).closes_ms == 2_000


def test_an_extension_never_takes_time_away() -> None:
    assert CLOSES.extended([extension("", 500)], "ann").closes_ms == 1_000


def test_a_league_that_never_closes_cannot_be_extended() -> None:
    assert SubmissionTerms().extended([extension("", 500)], "ann").closes_ms is None


@pytest.mark.parametrize(("now_ms", "is_taken"), [(999, True), (1_000, True), (1_499, True), (1_500, False)])
def test_bots_are_taken_until_the_time_for_late_ones_is_over(now_ms: int, is_taken: bool) -> None:
    terms = SubmissionTerms(closes_ms=1_000, late_ms=500)
    assert (not list(refused_now(terms, now_ms))) == is_taken


@pytest.mark.parametrize(("received_ms", "late_ms"), [(0, 0), (1_000, 0), (1_001, 1), (5_000, 4_000)])
def test_a_bot_is_late_by_the_time_after_submissions_closed(received_ms: int, late_ms: int) -> None:
    assert CLOSES.late_by_ms(received_ms) == late_ms
    assert SubmissionTerms().late_by_ms(received_ms) == 0
