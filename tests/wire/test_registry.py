from collections.abc import Iterator
from importlib.metadata import EntryPoint
from types import SimpleNamespace
from typing import cast

import pytest

from referee.wire import registry


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[EntryPoint]]:
    points: list[EntryPoint] = []
    monkeypatch.setattr(registry, "entry_points", lambda group: points if group == registry.GROUP else [])
    registry.games.cache_clear()
    yield points
    registry.games.cache_clear()


def point(name: str, game: str) -> EntryPoint:
    entry = SimpleNamespace(game=SimpleNamespace(name=game))
    return cast("EntryPoint", SimpleNamespace(name=name, load=lambda: entry))


def test_our_own_games_are_installed() -> None:
    assert registry.games()["agent-avenue"].game.name == "agent-avenue"


def test_games_of_other_packages_are_found_and_sorted(installed: list[EntryPoint]) -> None:
    installed += [point("nim", "nim"), point("chess", "chess")]
    assert list(registry.games()) == ["chess", "nim"]


def test_two_packages_with_one_game_are_refused(installed: list[EntryPoint]) -> None:
    installed += [point("nim", "nim"), point("nim", "nim")]
    with pytest.raises(ValueError, match="two installed packages register the game 'nim'"):
        registry.games()


def test_a_game_under_another_name_is_refused(installed: list[EntryPoint]) -> None:
    installed.append(point("nym", "nim"))
    with pytest.raises(ValueError, match="'nim' is registered as 'nym'"):
        registry.games()
