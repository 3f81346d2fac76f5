"""Several events are several steps, each with its picture; what a match consists of has headings."""

from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from referee.drawing.drawer import ExplainingDrawer, GroupingDrawer, Layers, StepwiseDrawer
from referee.drawing.look import width_of
from referee.drawing.playback import by_everyone, watch
from referee.drawing.registry import drawer
from referee.drawing.steps import DrawnStep, drawn_steps
from referee.drawing.svg import Element, markup
from referee.games.agent_avenue.describe import CARDS, NAMES
from referee.games.inside_job.missions import MISSIONS
from referee.games.inside_job.roles import ROLES
from referee.wire.registry import games
from tests.auction import Auction
from tests.drawing.matches import QUICK, drawn_games, golden_match, random_match, rules, watched
from tests.drawing.test_drawers import auction_match, check_pieces, within
from tests.golden.tables import TABLES, Golden


def quick(game: str) -> tuple[pytest.MarkDecorator, ...]:
    """make test looks at Agent Avenue; make ci-slow looks at all games."""
    return () if game == "agent-avenue" else (pytest.mark.slow,)


every_drawn_game = pytest.mark.parametrize("game", [pytest.param(it, marks=quick(it)) for it in drawn_games()])
HEADINGS = {"agent-avenue": "Turn {}", "agonia": "Round {}", "inside-job": "Trick {}"}


@cache
def steps(game: str, seed: int = 3, table: int = 0, seat: int | None = None) -> list[DrawnStep]:
    played = watched(random_match(game, TABLES[game][table], seed))
    return list(drawn_steps(played, drawer(played.game), seat))


def drawn(layers: Layers) -> str:
    return markup(element for layer in layers for element in layer.inside)


@pytest.mark.parametrize(
    "golden",
    [
        pytest.param(it, marks=() if str(it) == "agent-avenue/simple/fault" else pytest.mark.slow, id=str(it))
        for it in sorted(QUICK, key=str)
    ],
)
def test_every_event_is_a_step_and_on_the_way_nobody_can_act(golden: Golden) -> None:
    played = watched(golden_match(golden))
    by = drawer(played.game)
    for seat in (None, *range(played.seats)):
        found = list(drawn_steps(played, by, seat))
        assert len({tuple(layer.name for layer in step.layers) for step in found}) == 1
        for step, after in pairwise(found):
            elements = [it for layer in step.layers for part in layer.inside for it in within(part)]
            check_pieces(elements)
            if step.passage == after.passage:
                assert not step.decisions
                assert not any("data-actions" in it for it in elements)
    events = [event for sight in by_everyone(played) for event in sight.moment.events]
    assert [step.event for step in drawn_steps(played, by, None) if step.event is not None] == events


@every_drawn_game
def test_the_picture_changes_on_the_way_to_a_position_and_ends_as_the_position(game: str) -> None:
    by, played = drawer(rules(game)), watched(random_match(game, TABLES[game][0], 3))
    found = list(drawn_steps(played, by, None))
    for sight in by_everyone(played):
        last = [step for step in found if step.passage == sight.passage][-1]
        assert last.layers == by.whole(sight.moment)
    on_the_way = [step for step, after in pairwise(found) if step.passage == after.passage]
    pictures = [drawn(step.layers) for step in on_the_way]
    assert len(set(pictures)) > len(pictures) / 2


def test_the_pawns_move_after_their_agents_lie_open() -> None:
    found = [step for step in steps("agent-avenue") if type(step.event).__name__ in {"Recruited", "Moved"}]
    recruited, moved = found[0], next(step for step in found if type(step.event).__name__ == "Moved")
    assert pawns(recruited) != pawns(moved) or moved.event.spaces == 0
    assert "no agents yet" in drawn(recruited.layers)


def pawns(step: DrawnStep) -> str:
    return drawn(tuple(layer for layer in step.layers if layer.name == "pawns"))


@pytest.mark.slow
def test_an_enemy_steps_alone() -> None:
    """One picture for each step of an enemy, in which no other enemy moves."""
    found = [step for step in steps("agonia") if type(step.event).__name__ == "Stepped"]
    assert len({cells(step) for step in found}) > len(found) / 2


def cells(step: DrawnStep) -> tuple[str, ...]:
    return tuple(markup(part) for layer in step.layers if layer.name == "enemies" for part in layer.inside)


@pytest.mark.slow
def test_the_cards_of_a_trick_lie_until_its_tokens_are_taken() -> None:
    found = steps("inside-job")
    (won, *_) = [number for number, step in enumerate(found) if type(step.event).__name__ == "WonTrick"]
    for step in found[won : won + 3]:
        assert sum(bool(layer.inside) for layer in step.layers if layer.name.startswith("laid-")) == 3


@every_drawn_game
def test_decisions_have_the_headings_of_their_game_in_order(game: str) -> None:
    found = list(dict.fromkeys(step.group for step in steps(game)))
    assert found[0].startswith("Before the first ")
    assert found[1:] == [HEADINGS[game].format(number) for number in range(1, len(found))]


@every_drawn_game
def test_a_seat_has_the_same_headings_as_everybody(game: str) -> None:
    whole = {step.passage: step.group for step in steps(game)}
    assert all(whole[step.passage] == step.group for step in steps(game, seat=0) if step.decisions)


def test_a_game_that_nobody_draws_has_no_headings_and_its_events_are_steps_over_the_picture_before() -> None:
    played = watch(Auction(), auction_match())
    by = drawer(played.game)
    assert not isinstance(by, GroupingDrawer | StepwiseDrawer | ExplainingDrawer)
    found = list(drawn_steps(played, by, None))
    assert {step.group for step in found} == {""}
    events = [event for sight in by_everyone(played) for event in sight.moment.events]
    assert [step.event for step in found if step.event is not None] == events


# What cards and endings mean


@pytest.mark.parametrize("game", drawn_games())
def test_every_ending_is_explained(game: str) -> None:
    by: Any = drawer(games()[game].game)
    assert set(by.endings) == set(games()[game].game.endings)


def test_the_endings_of_agent_avenue_fit_into_its_picture() -> None:
    by: Any = drawer(games()["agent-avenue"].game)
    assert all(width_of(words) <= 320 for words in by.endings.values())


def card_texts(game: str, table: int) -> set[str]:
    parts = {part for step in steps(game, 3, table) for layer in step.layers for part in layer.inside}
    return {str(title.inside[0]) for part in parts for title in titles(part)}


def titles(element: Element) -> list[Element]:
    inside = [it for it in element.inside if isinstance(it, Element)]
    return [it for it in inside if it.name == "title" and dict(it.attributes).get("data-card") == ""] + [
        title for it in inside for title in titles(it)
    ]


@pytest.mark.parametrize(
    ("game", "table", "names"),
    [
        ("agent-avenue", 3, {*NAMES.values(), *CARDS.values()}),
        pytest.param("inside-job", 1, {*(role.name for role in ROLES.values()), *MISSIONS}, marks=pytest.mark.slow),
        pytest.param("agonia", 0, {"pistola (pistol)", "común (common)", "foso (pit)"}, marks=pytest.mark.slow),
    ],
)
def test_cards_say_their_names_and_what_they_do(game: str, table: int, names: set[str]) -> None:
    told = {words.partition(": ")[0]: words.partition(": ")[2] for words in card_texts(game, table)}
    assert len(told) > 3
    assert all(told.values())
    assert (set(told) <= names) if game != "agonia" else (names <= set(told))
