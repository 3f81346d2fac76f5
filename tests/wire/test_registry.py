from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

import pytest

from referee.core.errors import WrongUse
from referee.wire import registry
from referee.wire.codec import GameEntry
from referee.wire.json_codec import JsonCodec
from tests.cli.command import referee
from tests.kuhn import Kuhn


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
    entry = GameEntry(cast("Any", SimpleNamespace(name=game)), cast("Any", None))
    return cast("EntryPoint", _Point(name, lambda: entry))


class _Point(NamedTuple):
    """As much of an entry point as the registry needs."""

    name: str
    load: Callable[[], object]
    value: str = "package:entry"


def test_our_own_games_are_installed() -> None:
    assert registry.games()["agent-avenue"].game.name == "agent-avenue"


def test_games_of_other_packages_are_found_and_sorted(installed: list[EntryPoint]) -> None:
    installed += [point("nim", "nim"), point("chess", "chess")]
    assert list(registry.games()) == ["chess", "nim"]


def test_two_packages_with_one_game_are_refused(installed: list[EntryPoint]) -> None:
    installed += [point("nim", "nim"), point("nim", "nim")]
    with pytest.raises(WrongUse, match=r"two installed packages register the game 'nim': .* and "):
        list(registry.games())


def test_a_game_under_another_name_is_refused(installed: list[EntryPoint]) -> None:
    installed.append(point("nym", "nim"))
    with pytest.raises(WrongUse, match=r"the game nym cannot be loaded .*: its own name is 'nim'"):
        registry.games()["nym"]


def test_a_game_is_imported_when_it_is_asked_for(installed: list[EntryPoint]) -> None:
    def fails() -> object:
        raise ImportError("no board")

    installed += [point("nim", "nim"), cast("EntryPoint", _Point("chess", fails))]
    assert registry.game_entry("nim").game.name == "nim"
    assert list(registry.games()) == ["chess", "nim"]
    with pytest.raises(WrongUse, match="the game chess cannot be loaded from package:entry: no board; mend or remove"):
        registry.game_entry("chess")


def test_a_game_without_messages_of_its_own_is_registered_as_it_is(installed: list[EntryPoint]) -> None:
    installed.append(cast("EntryPoint", _Point("kuhn", Kuhn)))
    entry = registry.game_entry("kuhn")
    assert isinstance(entry.codec, JsonCodec)
    assert entry.reader is entry.codec.reader


def test_what_is_no_game_is_refused_in_a_sentence(installed: list[EntryPoint]) -> None:
    installed.append(cast("EntryPoint", _Point("kuhn", lambda: "Kuhn")))
    with pytest.raises(WrongUse, match="the game kuhn cannot be loaded"):
        registry.game_entry("kuhn")


# A game that needs an extra


@pytest.fixture
def without_openspiel(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(registry, "_is_installed", lambda package: package != "open_spiel")
    registry._points.cache_clear()
    yield
    registry._points.cache_clear()


@pytest.mark.usefixtures("without_openspiel")
def test_a_game_without_its_extra_is_not_among_the_installed_ones_and_every_use_says_how_to_get_it() -> None:
    assert "openspiel" not in list(registry.games())
    assert "openspiel" not in registry.games()
    for use in (registry.game_entry, registry.games().__getitem__, registry.games().get):
        with pytest.raises(WrongUse, match=r"openspiel is not installed; .+: pip install 'referee\[openspiel\]'"):
            use("openspiel")


@pytest.mark.usefixtures("without_openspiel")
def test_the_list_of_games_says_what_an_extra_adds_and_how_to_get_it() -> None:
    line = referee("games").out.splitlines()[-1]
    assert line.startswith("openspiel: about a hundred games of OpenSpiel, such as chess")
    assert line.endswith("pip install 'referee[openspiel]'")
    assert "openspiel" not in referee("games", "agonia").out
    assert "openspiel" not in [game["name"] for game in referee("games", "--json").json]
    ended = referee("games", "openspiel")
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)


@pytest.mark.usefixtures("without_openspiel")
def test_a_league_of_a_game_without_its_extra_is_refused_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "league.toml"
    file.write_text('name = "leduc"\ngame = "openspiel"\ndeals = 1\ntables = [{ name = "two", seats = 2 }]\n')
    ended = referee("league", "run", file)
    assert ended.code == 2
    assert "the game openspiel is not installed; it is about a hundred games" in ended.err
    assert ended.err.count("\n") == 1
