"""The elements that stand for the asked seat's actions: cards of its hand, its tokens, and the plates of others.

It lies over the things that it stands for, so that a page keeps one picture of a card, whether it may be played or not.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

from referee.core.outcome import Seat
from referee.drawing.drawer import Moment
from referee.drawing.inside_job.cards import HAND_HEIGHT
from referee.drawing.inside_job.layout import PITCH, PLACES, PLATE_WIDTH, TABLE, place_in_hand
from referee.drawing.inside_job.scene import Scene
from referee.drawing.inside_job.signs import coin
from referee.drawing.inside_job.table import TOKENS_BELOW, plate_outline
from referee.drawing.marks import actions
from referee.drawing.svg import Element, at, box
from referee.games.inside_job.moves import ChoosePartner, PlayCard, Suspect, Vote
from referee.games.inside_job.pieces import Card


def choices(moment: Moment[Any], scene: Scene) -> tuple[Element, ...]:
    """Those on the table. The missions between which a leader chooses stand for themselves, in its middle."""
    if len(moment.questions) != 1:
        return ()
    (question,) = moment.questions
    return (*_tokens(moment, scene, question.seat), *_plates(moment, scene))


def cards(moment: Moment[Any], scene: Scene, seat: Seat) -> Iterator[Element]:
    """Those in the hand of a player."""
    for number, card in enumerate(scene.chairs[seat].hand or ()):
        if found := actions(moment, partial(_plays, card)):
            token = (coin(PITCH - 7.5, 29, 4.5),) if found["class_"] and _with_a_token(moment) else ()
            card_outline = box(0, 0, PITCH - 2, HAND_HEIGHT, "ij-may", rx=5)
            x, y = place_in_hand(seat, number)
            yield at(x, y, card_outline, *token, **found)


def _plays(card: Card, action: Any) -> bool:
    return isinstance(action, PlayCard) and action.card == card


def _with_a_token(moment: Moment[Any]) -> bool:
    (question,) = moment.questions
    return question.chosen is not None and question.legal[question.chosen].wager


def _tokens(moment: Moment[Any], scene: Scene, seat: Seat) -> Iterator[Element]:
    """The tokens stand for every card that can be played with one."""
    if found := actions(moment, lambda it: isinstance(it, PlayCard) and it.wager):
        place = PLACES[len(scene.chairs)][seat]
        row = box(4 - PLATE_WIDTH / 2, -9, PLATE_WIDTH - 8, 18, "ij-may", rx=9)
        yield at(place.x, TABLE + place.y + TOKENS_BELOW, row, **found)


def _plates(moment: Moment[Any], scene: Scene) -> Iterator[Element]:
    for seat, place in enumerate(PLACES[len(scene.chairs)]):
        if found := actions(moment, partial(_names, seat)):
            yield at(place.x, TABLE + place.y, plate_outline("ij-may"), **found)


def _names(seat: Seat, action: Any) -> bool:
    """Whether the action points at this seat."""
    if isinstance(action, Suspect):
        return action.suspect == seat
    if isinstance(action, ChoosePartner):
        return action.partner == seat
    return isinstance(action, Vote) and seat in action.ballots
