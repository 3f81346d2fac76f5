import math
from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.match.turning_points import swings
from tests.drawing.matches import QUICK, golden_match, rules
from tests.tournaments.leagues import plan
from tests.tournaments.web.queries import worlds
from tournaments.web.queries import PublishedLeague
from tournaments.web.queries.published_league import mean_gap
from tournaments.web.visibility.permissions import Visitor

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


def test_what_happened_is_remembered_from_one_refresh_to_the_next(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'league.sqlite'}"
    league = worlds.open_round_robin(url, 1)
    with PublishedLeague(league, url) as shown, worlds.Store(url, league.name) as store:
        assert shown.to(Visitor()).events() == ()
        assert shown.refresh(worlds.MOMENT_MS)
        first = shown.to(Visitor()).events()
        assert [each.kind for each in first if each.bot == shown.to(Visitor()).standings().lines[0].bot][:1] == [
            "leads"
        ]
        worlds.fill(store, league, plan(worlds.everybody(league))[70:], 1)
        store.change("dee@1", None, worlds.MOMENT_MS)
        assert shown.refresh(worlds.MOMENT_MS + 1)
        after = shown.to(Visitor()).events()
        assert after[len(after) - len(first) :] == first
        assert {each.at_ms for each in after[: len(after) - len(first)]} <= {worlds.MOMENT_MS + 1}
