"""docs/seeds.md is enough to deal a match again. Its orders, labels and examples are those of the code."""

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from referee_bot.v1 import agonia_pb2 as pb

from referee.check.random_play import LuckStep, anyhow, walk
from referee.core.game import Roll, Shuffle
from referee.games.agent_avenue import pieces
from referee.games.agent_avenue.pieces import DECK as AGENTS
from referee.games.agonia.box import cards, characters, enemies
from referee.games.agonia.position.actions import discard
from referee.games.inside_job.cast import cast
from referee.games.inside_job.options import choices_of_roles
from referee.games.inside_job.roles import SPECIAL
from referee.wire.registry import games
from tests.example_deals import BLOCK, DOCUMENT, block
from tests.games.kits import KITS

TEXT = DOCUMENT.read_text(encoding="utf-8")
SECTIONS = dict(zip(*[iter(re.split(r"^### (.+)$", TEXT, flags=re.MULTILINE)[1:])] * 2, strict=True))
HEADINGS = {"agent-avenue": "Agent Avenue", "agonia": "Agonía", "inside-job": "Inside Job"}
IN_CAPITALS = re.compile(r"[A-Z]+")


def packs(game: str) -> list[list[tuple[str, str]]]:
    """In order, the pairs of words in each list of a game. `2 FOSO` is such a pair."""
    lists = re.findall(r"^```\n(.*?)^```$", SECTIONS[HEADINGS[game]].partition("\n## ")[0], re.MULTILINE | re.DOTALL)
    return [re.findall(r"(\w+) (\w+)", text) for text in lists]


def laid_out(pack: list[tuple[str, str]]) -> list[str]:
    return [name for count, name in pack for _ in range(int(count))]


def test_the_deals_of_the_docs_are_what_the_code_deals() -> None:
    found = BLOCK.search(TEXT)
    assert found
    assert found[0] == block(), "write them anew: .venv/bin/python -m tests.example_deals"


def test_the_cards_of_agent_avenue_lie_as_the_docs_say() -> None:
    agents, offered = packs("agent-avenue")
    assert laid_out(agents) == [agent.name for agent in AGENTS]
    assert laid_out(offered) == [card.name for card in pieces.deck(ceasefire=True)]
    assert laid_out(offered)[:-1] == [card.name for card in pieces.deck(ceasefire=False)]


def test_the_cards_characters_and_enemies_of_agonia_lie_as_the_docs_say() -> None:
    weapons, deck, pile = packs("agonia")
    assert weapons == [(character.name, it.weapon.name) for character, it in characters.PRINTS.items()]
    assert laid_out(deck) == [cards.Card(card).name for card in cards.DECK]
    assert laid_out(pile) == [enemy.name for enemy in enemies.PILE]
    assert [card.name for card in cards.EVENTS] == [name for _, name in deck][-len(cards.EVENTS) :]
    assert next(iter(cards.EVENTS)).name == "SUMINISTROS"


def test_jammed_cards_lie_behind_all_others_by_jam_then_by_number() -> None:
    """View.discards has this order, and a shuffle of the discards starts from it."""
    waiting = [cards.jammed_by(int(card), seat) for card in cards.WEAPONS for seat in range(5)]
    twice = [cards.jammed_by(cards.turn_begins(held, seat), (seat + 1) % 5) for held in waiting for seat in range(5)]
    every = {*map(int, cards.Card), *waiting, *twice, *(cards.turn_begins(held, 2) for held in twice)}
    assert sorted(every) == sorted(every, key=_by_jam_then_by_number)


def _by_jam_then_by_number(held: int) -> tuple[int, int]:
    card = pb.Action.FromString(games()["agonia"].codec.action(discard(held))).discard.card
    return sum(4**jam.drawer * (2 if jam.ending else 1) for jam in card.jams), card.card


@pytest.mark.parametrize("roles", sorted(choices_of_roles()))
def test_the_roles_of_inside_job_lie_as_the_docs_say(roles: str) -> None:
    (line,) = re.findall(r"^insider or prof_no, .+$", SECTIONS["Inside Job"], re.MULTILINE)
    insider, *special, agent = line.split(", ")
    assert {*insider.split(" or "), *special} == {role.id for role in SPECIAL} | {"insider"}
    played = roles.split(",")
    others = [role for role in special if role in played]
    first = "prof_no" if "prof_no" in played else "insider"
    assert list(cast(roles, 5).roles) == [first, *others, *[agent] * (4 - len(others))]


@pytest.mark.parametrize(("roles", "risky"), [("none", 0), ("daredevil", 4)])
def test_the_missions_of_inside_job_lie_as_the_docs_say(roles: str, risky: int) -> None:
    ids = [*(f"M{number:02}" for number in range(1, 25)), *(f"R{number}" for number in range(1, risky + 1))]
    assert list(cast(roles, 5).missions) == ids


def documented(game: str) -> dict[str, str]:
    """By label as in the docs, the words for its draw."""
    return dict(re.findall(r"^\| `([^`]+)` \| ((?:shuffle|roll)[^|]+) \|", SECTIONS[HEADINGS[game]], re.MULTILINE))


def labels(game: str) -> Iterator[Shuffle | Roll]:
    """The draws of random matches with every choice of options, and of some long matches."""
    entry, rng = games()[game], Random(2)
    kit = KITS[game]
    matches = [(options, seats, anyhow) for options in entry.game.varieties for seats in entry.game.seats(options)]
    longer = [(options, seats, seeker) for options, seats in kit.tables for seeker in kit.seekers]
    for options, seats, choose in [*matches, *longer]:
        for step in walk(entry.game, options, seats, choose, rng):
            if isinstance(step, LuckStep):
                awaited: Any = entry.game.awaiting(step.before)
                yield awaited


@pytest.mark.parametrize("game", games())
def test_every_label_is_in_the_docs_with_its_kind_of_draw_and_none_is_there_that_is_never_drawn(game: str) -> None:
    patterns = {label: re.compile(IN_CAPITALS.sub(r"\\d+", label)) for label in documented(game)}
    found = set()
    for awaited in labels(game):
        (label,) = (label for label, pattern in patterns.items() if pattern.fullmatch(awaited.label))
        found.add(label)
        words = documented(game)[label]
        assert words.startswith(type(awaited).__name__.lower())
        if isinstance(awaited, Roll) and "for each player" not in words:
            assert f"{awaited.faces} faces" in words
    assert found == set(patterns)
