"""The texts from which people and language models learn the rules name everything that the code knows."""

from pathlib import Path

import pytest

from referee.games.agonia.box import cards, characters, enemies, tokens
from referee.games.agonia.game import Agonia
from referee.games.agonia.position.options import Options
from referee.games.agonia.position.state import Ending

PAGE = Path("docs/games/agonia.md")
TEXTS = {"in words": Agonia().rules_text(Options(), 2), "page": PAGE.read_text(encoding="utf-8")}
NAMES: dict[str, list[str]] = {
    "events": [it.name for it in cards.EVENTS.values()],
    "characters": [it.name for it in characters.PRINTS.values()],
    "abilities": [it.ability for it in characters.PRINTS.values()],
    "enemies": [it.name for it in enemies.PRINTS.values()],
    "tokens": [it.name for it in tokens.PRINTS.values()],
    "endings": [*Ending],
}


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("what", NAMES)
def test_every_event_ability_token_and_ending_is_named(text: str, what: str) -> None:
    assert [name for name in NAMES[what] if name.lower() not in TEXTS[text].lower()] == []


@pytest.mark.parametrize("text", TEXTS)
def test_it_is_said_that_events_drawn_because_of_suministros_act_and_that_players_choose_where_they_start(
    text: str,
) -> None:
    words = " ".join(TEXTS[text].split())
    assert "whatever for" in words or "also by suministros" in words
    assert "choose where you stand in the bottom row" in words or "chooses a free cell of the bottom row" in words
