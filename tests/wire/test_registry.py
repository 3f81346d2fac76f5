from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from types import SimpleNamespace
from typing import NamedTuple, cast

import pytest

from referee.wire import registry


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[EntryPoint]]:
    points: list[EntryPoint] = []
    monkeypatch.setattr(registry, "entry_points", lambda group: points if group == registry.GROUP else [])
    for kept in (registry._points, registry._load):
        kept.cache_clear()
    yield points
    for kept in (registry._points, registry._load):
        kept.cache_clear()


def point(name: str, game: str) -> EntryPoint:
    entry = SimpleNamespace(game=SimpleNamespace(name=game))
    return cast("EntryPoint", _Point(name, lambda: entry))


class _Point(NamedTuple):
    """As much of an entry point as the registry needs."""

    name: str
    load: Callable[[], object]


def test_our_own_games_are_installed() -> None:
    assert registry.games()["agent-avenue"].game.name == "agent-avenue"


def test_games_of_other_packages_are_found_and_sorted(installed: list[EntryPoint]) -> None:
    installed += [point("nim", "nim"), point("chess", "chess")]
    assert list(registry.games()) == ["chess", "nim"]


def test_two_packages_with_one_game_are_refused(installed: list[EntryPoint]) -> None:
    installed += [point("nim", "nim"), point("nim", "nim")]
    with pytest.raises(ValueError, match="two installed packages register the game 'nim'"):
        list(registry.games())


def test_a_game_under_another_name_is_refused(installed: list[EntryPoint]) -> None:
    installed.append(point("nym", "nim"))
    with pytest.raises(ValueError, match="'nim' is registered as 'nym'"):
        registry.games()["nym"]


def test_a_game_is_imported_when_it_is_asked_for(installed: list[EntryPoint]) -> None:
    def fails() -> object:
        raise ImportError

    installed += [point("nim", "nim"), cast("EntryPoint", _Point("chess", fails))]
    assert registry.game_entry("nim").game.name == "nim"
    assert list(registry.games()) == ["chess", "nim"]
    with pytest.raises(ImportError):
        registry.game_entry("chess")
