"""What a run says of a busy machine."""

import pytest

from tests.tournaments.leagues import league, match, plan
from tournaments.cli.progress import BusyVoids, crowded
from tournaments.play.match_results import MatchPostponed, MatchVoided
from tournaments.play.workers.worker_messages import Crowding

PLAN = plan(league())


@pytest.mark.parametrize(
    ("workers", "alone", "begin", "end"),
    [
        (2, 1, "2 workers share 1 free core: ", "; --workers 1 gives each worker a core of its own"),
        (8, 3, "8 workers share 3 free cores: ", "; --workers 3 gives each worker a core of its own"),
        (2, 0, "other runs use every core: ", "; it is better to wait for them, or to play with --workers 1"),
        (1, 0, "other runs use every core: ", "; it is better to wait for them"),
    ],
)
def test_who_shares_a_core_is_told_and_what_to_do(workers: int, alone: int, begin: str, end: str) -> None:
    told = crowded(Crowding(workers, alone))
    assert told == f"{begin}matches take longer, and some may have to be played again{end}"


def busy(number: int) -> MatchVoided:
    return MatchVoided(PLAN[number], "the bot waited", busy=True)


def test_a_run_on_a_quiet_machine_says_nothing() -> None:
    voids = BusyVoids()
    for result in (match(PLAN[0]), MatchVoided(PLAN[1], "lost"), MatchPostponed(PLAN[2], "bob", "nobody answers")):
        voids.take(result)
    assert voids.sentence() is None


def test_voids_are_counted_and_said_to_be_played_again_with_what_to_do() -> None:
    voids = BusyVoids()
    for result in (busy(0), match(PLAN[1]), busy(0), busy(2), match(PLAN[0]), match(PLAN[2])):
        voids.take(result)
    sentence = voids.sentence() or ""
    assert sentence.startswith("3 matches were void because the machine was too busy; each was played again. ")
    assert all(word in sentence for word in ("--workers", "move_ms", "start_ms"))


def test_a_match_that_was_not_played_again_is_not_said_to_have_been() -> None:
    voids = BusyVoids()
    voids.take(busy(0))
    sentence = voids.sentence() or ""
    assert sentence.startswith("1 match was void because the machine was too busy; it was played again as far as ")
