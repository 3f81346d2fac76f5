from pathlib import Path

import pytest

from benchmarks import pages
from tournaments.web.queries import PublishedLeague
from tournaments.web.visibility.viewer import Visitor


@pytest.mark.slow
def test_every_question_is_answered_and_every_page_shown_of_a_league_that_is_made_up() -> None:
    rows, league = pages.rows(bots=8, matches=160), pages.league_of(8)
    assert len(rows) == len(pages.questions(league)) + len(pages.places(league)) + 2  # and the refresh, and the pulse
    assert all(row.value is not None and row.value >= 0 for row in rows)


def test_the_first_half_of_the_deals_is_closed_and_each_bot_plays_as_much_as_any_other(tmp_path: Path) -> None:
    league = pages.league_of(8)
    url = f"sqlite:///{tmp_path / 'pages.sqlite'}"
    pages.fill(url, league, 480)
    with PublishedLeague(league, url) as shown:
        assert shown.refresh(1)
        visitor = shown.to(Visitor())
        assert {line.matches for line in visitor.standings().lines} == {120}
        closed = [match.closed is not None for match in visitor.matches(most=500).items]
        assert (visitor.league().deals_closed, visitor.league().stored) == (5, 480)
        assert (any(closed), all(closed)) == (True, False)
