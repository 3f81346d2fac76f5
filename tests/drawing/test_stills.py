"""The pictures of the games in docs/images are of the games as they are drawn now."""

from pathlib import Path

import pytest

from tests.drawing.matches import drawn_games
from tests.replay_pictures import FOLDER, MOMENTS, picture


def test_every_drawn_game_has_a_picture() -> None:
    assert tuple(MOMENTS) == drawn_games()


@pytest.mark.parametrize("game", MOMENTS)
def test_the_picture_of_a_game_is_what_is_drawn_now(game: str) -> None:
    """If not, run make picture, and look at the pictures."""
    assert (FOLDER / f"{game}.svg").read_text(encoding="utf-8") == picture(game)


@pytest.mark.parametrize("game", MOMENTS)
def test_the_readme_shows_every_game(game: str) -> None:
    assert f'"{FOLDER}/{game}.svg"' in Path("README.md").read_text(encoding="utf-8")
