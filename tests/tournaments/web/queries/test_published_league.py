import math

import pytest
from msgspec.structs import replace

from referee.match.turning_points import swings
from tests.drawing.matches import QUICK, golden_match, rules
from tournaments.web.queries.published_league import mean_gap

ENDED = next(match for match in sorted(QUICK, key=str) if str(match).endswith("caught"))


def test_the_gap_is_the_mean_difference_of_the_best_winner_and_the_best_loser() -> None:
    transcript = golden_match(ENDED)
    places = transcript.record.outcome.places
    gaps = []
    for swing in swings(rules(ENDED.game), transcript):
        best = [
            max(outlook for outlook, place in zip(swing.before, places, strict=True) if (place == 1) == is_won)
            for is_won in (True, False)
        ]
        gaps.append(abs(best[0] - best[1]))
    assert mean_gap(transcript) == pytest.approx(sum(gaps) / len(gaps))


def test_a_match_of_a_game_that_is_not_installed_is_never_the_closest() -> None:
    transcript = golden_match(ENDED)
    record = replace(transcript.record, header=replace(transcript.record.header, game="nim"))
    assert mean_gap(replace(transcript, record=record)) == math.inf
