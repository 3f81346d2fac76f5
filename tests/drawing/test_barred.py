"""What a person may not do is said with its ruling, and never of anything that is legal."""

from collections.abc import Iterator
from typing import Any

import pytest

from referee.drawing.drawer import ForbiddenAction, Moment, Question
from referee.drawing.registry import drawer
from referee.games.agent_avenue.moves import CHOICES, DISCARDS, FACE_DOWN, FACE_UP, LAYS, plays, plays_and_discards
from referee.games.agent_avenue.pieces import Agent, MarketCard
from referee.games.agent_avenue.state import Market, Options, SideState
from referee.games.agent_avenue.view import MarketView, SeatView, TeamsView, View
from referee.match.match import Ask
from referee.wire.registry import games
from tests.test_rulings_trace import RULINGS
from tests.wire.matches import random_match
from tests.wire.test_seat_messages import CHOICES as SOME_CHOICES

MOST = 40
"""So many decisions of each match are looked at."""


def moment(options: Any, ask: Ask, seats: int) -> Moment[Any]:
    asked = (Question(ask.seat, ask.legal, None),)
    return Moment(options, tuple(map(str, range(seats))), None, ask.view, ask.events, asked, None)


def decisions(game: str, options: Any, seats: int) -> Iterator[Ask]:
    asks = (request for _, request in random_match(game, options, seats, "barred") if isinstance(request, Ask))
    return (ask for _, ask in zip(range(MOST), asks, strict=False))


@pytest.mark.parametrize(("game", "options", "seats"), SOME_CHOICES)
def test_what_is_barred_has_a_ruling_lies_in_the_picture_and_is_not_legal(game: str, options: Any, seats: int) -> None:
    size = drawer(games()[game].game).size(options, seats)
    for ask in decisions(game, options, seats):
        barred = drawer(games()[game].game).barred(moment(options, ask, seats))
        legal = set(map(games()[game].game.describe_action, ask.legal))
        for it in barred:
            assert it.ruling in RULINGS
            assert it.action not in legal
            if it.box is not None:
                assert 0 <= it.box.x <= it.box.x + it.box.width <= size.width
                assert 0 <= it.box.y <= it.box.y + it.box.height <= size.height
        boxes = [it.box for it in barred if it.box is not None]
        assert len(set(boxes)) == len(boxes)


@pytest.mark.parametrize(("game", "options", "seats"), SOME_CHOICES[::7])
def test_nothing_is_barred_where_nothing_is_asked(game: str, options: Any, seats: int) -> None:
    for ask in decisions(game, options, seats):
        quiet = Moment(options, ("",) * seats, None, ask.view, ask.events, (), None)
        assert drawer(games()[game].game).barred(quiet) == ()


def said(game: str, options: Any, view: Any, legal: tuple[Any, ...], seats: int) -> list[tuple[str, str]]:
    asked = (Question(view.seat, legal, None),)
    found: tuple[ForbiddenAction, ...] = drawer(games()[game].game).barred(
        Moment(options, ("",) * seats, None, view, (), asked, None)
    )
    return [(it.action, it.ruling) for it in found]


HAND = (Agent.ENFORCER, Agent.ENFORCER, Agent.MOLE)


def avenue(hand: tuple[Agent, ...], discards: int = 0, deck: int = 9, seats: int = 2, **more: Any) -> View:
    held = (SeatView(len(hand), discards), *[SeatView(4, 0)] * (seats - 1))
    return View(
        0, 1, 0, hand, (Agent.MOLE,) * discards, (SideState(), SideState()), deck, None, None, held,
        more.get("market"), more.get("teams"),
    )  # fmt: skip


def test_aa_05_two_cards_of_one_name_and_aa_04_discards_are_barred() -> None:
    options = Options()
    assert said("agent-avenue", options, avenue(HAND), plays_and_discards(HAND), 2) == [("play two Enforcers", "AA-05")]
    used = said("agent-avenue", options, avenue(HAND, discards=4), plays(HAND), 2)
    assert used == [("discard a card", "AA-04"), ("play two Enforcers", "AA-05")]
    empty = said("agent-avenue", options, avenue(HAND, deck=0), plays(HAND), 2)
    assert empty[0] == ("discard a card", "AA-04")


def test_aa_42_a_seat_of_a_team_has_two_discards_and_aa_41_lays_another_name() -> None:
    options = Options(line_up="2v2")
    teams = TeamsView((0, 1), (2, 0), face_down_laid=False)
    view = avenue(HAND, discards=2, seats=4, teams=teams)
    found = said("agent-avenue", options, view, (LAYS[FACE_DOWN][Agent.MOLE],), 4)
    assert found == [("discard a card", "AA-42"), ("lay Enforcer face down", "AA-41")]
    up = (LAYS[FACE_UP][Agent.MOLE], LAYS[FACE_UP][Agent.ENFORCER], DISCARDS[Agent.MOLE])
    assert said("agent-avenue", options, view, up, 4) == [("leave the face-up card to the partner", "AA-41")]


def test_aa_20_an_instant_says_which_cards_of_the_hand_it_takes() -> None:
    market = MarketView(Market(resolving=MarketCard.DOUBLE_TROUBLE, taker=0), 3)
    view = avenue(HAND, market=market)
    options = Options(mode="advanced")
    assert said("agent-avenue", options, view, (CHOICES[Agent.ENFORCER],), 2) == [("choose Mole", "AA-20")]


def test_every_ruling_that_bars_something_is_met_in_random_matches() -> None:
    """IJ-12, IJ-13, IJ-17, IJ-18, IJ-20, IJ-44; AG-23, AG-24, AG-27, AG-45, AG-49, AG-56, AG-58."""
    met = {
        barred.ruling
        for game, options, seats in (it.values for it in SOME_CHOICES)
        if game != "agent-avenue"
        for ask in decisions(str(game), options, int(str(seats)))
        for barred in drawer(games()[str(game)].game).barred(moment(options, ask, int(str(seats))))
    }
    assert met >= {"IJ-12", "IJ-13", "IJ-18", "IJ-44", "AG-45", "AG-58"}
