from random import Random

import pytest

from tests.tournaments.schedule.formats.opens import NAMES, TABLES, Running, by_luck, open_league, the_league
from tournaments.league.format_settings import OpenSettings
from tournaments.rating.contest import contests
from tournaments.rating.ratings import at_rest, rate
from tournaments.schedule.formats.open_league import ResultCounter


@pytest.mark.parametrize("table", TABLES)
def test_counted_results_give_the_ratings_of_the_matches(table: str) -> None:
    luck, league = Random(5), the_league([table])
    running, results = Running(open_league(OpenSettings(), [table]), league, by_luck(luck)), ResultCounter(league)
    for _ in range(2):  # the second time, most is remembered
        issue = running.decided(NAMES)
        assert issue is not None
        running.play(issue, luck, 0.8, 0.3)
        counted = at_rest(results.tally(running.matches), NAMES, 0.1)
        whole = rate(contests(league, running.matches), NAMES, 0.1)
        assert counted.ratings == whole.ratings
        assert counted.groups == whole.groups


def test_without_matches_nothing_is_counted() -> None:
    assert ResultCounter(the_league(["duel"])).tally([]).kinds == ()
