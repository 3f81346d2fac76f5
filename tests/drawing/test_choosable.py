"""Every legal action can be chosen on the drawing: something in it stands for the action."""

import re
from itertools import islice
from typing import Any

import pytest

from referee.drawing.drawer import Moment
from referee.drawing.registry import drawer
from referee.drawing.svg import markup
from referee.games.agent_avenue.moves import AGAIN, FACE_UP, HAND_OVER, LAYS
from referee.games.agent_avenue.pieces import Agent, MarketCard
from referee.games.agent_avenue.state import Market, Options
from referee.games.agent_avenue.view import MarketView, TeamsView
from referee.match.match import Ask
from referee.wire.registry import games
from tests.drawing.test_barred import HAND, avenue, decisions, moment
from tests.wire.test_seat_messages import CHOICES


def drawn(game: str, seen: Moment[Any]) -> list[set[int]]:
    """By part of the picture that stands for actions: their indices."""
    parts = (
        found
        for layer in drawer(games()[game].game).for_seat(seen)
        for found in re.findall(r'data-actions="([^"]*)"', markup(layer.inside))
    )
    return [set(map(int, part.split())) for part in parts]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "options", "seats"), CHOICES)
def test_something_in_the_drawing_stands_for_every_legal_action(game: str, options: Any, seats: int) -> None:
    for ask in islice(decisions(game, options, seats), 0, None, 2):
        assert set().union(*drawn(game, moment(options, ask, seats))) == set(range(len(ask.legal)))


def asked(view: Any, legal: tuple[Any, ...], options: Options, seats: int) -> list[set[int]]:
    return drawn("agent-avenue", moment(options, Ask(0, 1, view, legal, (), 1), seats))


def test_recruiting_again_and_keeping_are_chosen_at_different_places() -> None:
    market = MarketView(Market(resolving=MarketCard.SPYCATION, taker=0, returned=Agent.MOLE), 3)
    assert sorted(map(sorted, asked(avenue(HAND, market=market), AGAIN, Options(mode="advanced"), 2))) == [[0], [1]]


def test_leaving_the_face_up_card_to_the_partner_is_chosen_on_its_empty_place() -> None:
    teams = TeamsView((0, 1), (0, 2), face_down_laid=False)
    legal = (LAYS[FACE_UP][Agent.MOLE], HAND_OVER)
    found = asked(avenue(HAND, seats=4, teams=teams), legal, Options(line_up="2v2"), 4)
    assert sorted(map(sorted, found)) == [[0], [1]]
