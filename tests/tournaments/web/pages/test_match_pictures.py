"""Pictures of matches whose game fails."""

import pytest

from referee.core.errors import GameBug
from referee.drawing.svg import Element, markup
from tests.failing_game import SENTENCE, install
from tests.failing_game import played as match
from tournaments.web.pages.match_pictures import played


@pytest.mark.parametrize("method", ["apply", "view", "describe_view"])
def test_a_game_that_fails_is_told_and_not_left_out(monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    game = install(monkeypatch)
    assert "View(seat=0" in markup(last_picture())
    game.fail(method)
    with pytest.raises(GameBug, match="KeyError: 'pot'") as caught:
        last_picture()
    assert str(caught.value) == SENTENCE


def last_picture() -> Element:
    found = played(match())
    assert found is not None
    return found.end()
