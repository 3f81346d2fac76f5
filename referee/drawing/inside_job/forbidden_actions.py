"""The actions that the rulings forbid to a seat, for a person who plays Inside Job."""

from collections.abc import Iterator
from typing import Any

from referee.core.outcome import Seat
from referee.drawing.drawer import Box, ForbiddenAction, Moment
from referee.drawing.inside_job.cards import HAND_HEIGHT
from referee.drawing.inside_job.layout import PITCH, PLACES, PLATE_HEIGHT, PLATE_WIDTH, TABLE, place_in_hand
from referee.games.inside_job.describe import CARDS
from referee.games.inside_job.moves import ChooseMission, ChoosePartner, PlayCard, Suspect, Vote
from referee.games.inside_job.options import Options
from referee.games.inside_job.pieces import SUIT, Card
from referee.games.inside_job.view import View

_TO_NAME: dict[type, str] = {Suspect: "IJ-18", Vote: "IJ-20", ChoosePartner: "IJ-35"}
"""The rulings by which another seat is named."""


def barred(moment: Moment[View]) -> Iterator[ForbiddenAction]:
    """Cards, tokens, missions and seats that cannot be chosen where others can."""
    for question in moment.questions:
        view, legal = moment.position, question.legal
        kind = type(legal[0])
        if kind is PlayCard:
            yield from _cards(view, legal)
            yield from _tokens(view, legal, moment.options)
        elif kind is ChooseMission:
            yield from _missions(view, legal)
        elif kind in _TO_NAME:
            yield from _seats(view, legal)


def _cards(view: View, legal: tuple[Any, ...]) -> Iterator[ForbiddenAction]:
    playable = {action.card for action in legal}
    for card in view.hand:
        if card not in playable:
            led = SUIT[view.laid[0].card].name.lower()
            why = f"{led} was led, and you hold {led}"
            yield ForbiddenAction(f"play {CARDS[card]}", why, "IJ-12", _in_hand(view, card), f"hand-{view.seat}")


def _tokens(view: View, legal: tuple[Any, ...], options: Options) -> Iterator[ForbiddenAction]:
    plain, wagered = ({action.card for action in legal if action.wager is token} for token in (False, True))
    if wagered:
        for card in sorted(plain - wagered):
            yield ForbiddenAction(f"play {CARDS[card]} with a token", "it is not of the suit that was led", "IJ-13")
    else:
        yield ForbiddenAction("put a token on your card", *_no_token(view, options))


def _no_token(view: View, options: Options) -> tuple[str, str]:
    """Why no card can carry a token, and the ruling."""
    own = view.seats[view.seat]
    if own.revealed:
        return "tokens have revealed your role", "IJ-17"
    if not own.tokens:
        return "you hold none", "IJ-13"
    if not view.laid and not options.leader_wagers:
        return "with the option leader_wagers = false the first card carries none", "IJ-13"
    return "you hold no card of the suit that was led", "IJ-13"


def _missions(view: View, legal: tuple[Any, ...]) -> Iterator[ForbiddenAction]:
    allowed = {action.mission for action in legal}
    for mission in view.looked_at:
        if mission not in allowed:
            yield ForbiddenAction(f"choose {mission}", "a risky mission must be chosen", "IJ-33")


def _seats(view: View, legal: tuple[Any, ...]) -> Iterator[ForbiddenAction]:
    named = {seat for action in legal for seat in _named(action)}
    ruling = _TO_NAME[type(legal[0])]
    for seat, other in enumerate(view.seats):
        if seat == view.seat:
            yield ForbiddenAction("name yourself", "another seat must be named", ruling)
        elif seat not in named and other.role is not None:
            yield ForbiddenAction(f"name seat {seat}", "its role is open", "IJ-44", _plate(view, seat), "places")


def _named(action: ChoosePartner | Suspect | Vote) -> tuple[Seat, ...]:
    if isinstance(action, Vote):
        return action.ballots
    seat = action.partner if isinstance(action, ChoosePartner) else action.suspect
    return () if seat is None else (seat,)


def _in_hand(view: View, card: Card) -> Box:
    return Box(*place_in_hand(view.seat, view.hand.index(card)), PITCH - 2, HAND_HEIGHT)


def _plate(view: View, seat: Seat) -> Box:
    place = PLACES[len(view.seats)][seat]
    return Box(place.x - PLATE_WIDTH / 2, TABLE + place.y - PLATE_HEIGHT / 2, PLATE_WIDTH, PLATE_HEIGHT)
