"""The actions that the rulings forbid to a seat, for a person who plays Agonía."""

from collections.abc import Iterator
from typing import Any

from referee.drawing.agonia.layout import layout
from referee.drawing.agonia.players import hand
from referee.drawing.drawer import Box, ForbiddenAction, Moment
from referee.games.agonia.box.board import NOWHERE
from referee.games.agonia.box.cards import AREAS, JOINED, PLACINGS, WEAPONS, HeldCard, card_of, is_jammed
from referee.games.agonia.position.actions import (
    Discard,
    Equip,
    Exchange,
    Place,
    ShootBarrel,
    ShootEnemy,
    ShootLine,
    Throw,
)
from referee.games.agonia.position.agenda import Search, SecondShot, Start, Turn
from referee.games.agonia.view import View
from referee.games.agonia.words.describe import card_name, cell_name


def barred(moment: Moment[View]) -> Iterator[ForbiddenAction]:
    """Cards that cannot be used, and kinds of actions that cannot be chosen."""
    for question in moment.questions:
        view, legal = moment.position, question.legal
        if isinstance(view.asked, Start):
            yield from _starts(view)
        elif isinstance(view.asked, Turn):
            yield from _cards(view, legal, acted=view.asked.acted)
            yield from _spent() if view.asked.acted else _kinds(view, legal)
        elif isinstance(view.asked, Search):
            yield from _drawn_cards(view, view.asked, legal)
        elif isinstance(view.asked, SecondShot):
            yield ForbiddenAction(
                "end the turn", "the second attack must be made if there is anything to aim at", "AG-58"
            )


def _starts(view: View) -> Iterator[ForbiddenAction]:
    for own in view.players:
        if own.cell != NOWHERE:
            yield ForbiddenAction(f"start on {cell_name(own.cell)}", "another player starts there", "AG-02")


def _spent() -> Iterator[ForbiddenAction]:
    yield ForbiddenAction("walk, search, shoot, equip or exchange", "you have had the one action of your turn", "AG-23")


def _cards(view: View, legal: tuple[Any, ...], *, acted: bool) -> Iterator[ForbiddenAction]:
    used = {action.card for action in legal if isinstance(action, Equip | Throw | Place | Discard)}
    given = {action.gives for action in legal if isinstance(action, Exchange)}
    for held in dict.fromkeys(view.players[view.seat].hand):
        if held not in used:
            why, ruling = ("you have acted, and it is not free for you", "AG-24") if acted else _no_use(held)
            yield ForbiddenAction(
                f"use {card_name(held)}", why, ruling, *((None, "") if held in given else _in_hand(view, held))
            )


def _no_use(held_card: HeldCard) -> tuple[str, str]:
    """Why a card of the hand can neither be used nor be put on the table, and the ruling."""
    card = card_of(held_card)
    if card in JOINED:
        return "no weapon lies before you that it could join", "AG-47"
    if card in AREAS:
        return "no cell that it may be aimed at is in range", "AG-49"
    if card in PLACINGS:
        return "no such token is left, or no cell in range is free for it", "AG-27"
    return "nothing can be done with it now", "AG-23"


def _kinds(view: View, legal: tuple[Any, ...]) -> Iterator[ForbiddenAction]:
    if not any(isinstance(action, ShootEnemy | ShootBarrel | ShootLine) for action in legal):
        yield ForbiddenAction("shoot", *_no_shot(view))
    if not any(isinstance(action, Exchange) for action in legal):
        yield ForbiddenAction("offer an exchange", "nobody with whom a card could change hands is next to you", "AG-45")


def _no_shot(view: View) -> tuple[str, str]:
    weapon = view.players[view.seat].weapon
    if weapon is None:
        return "no weapon lies before you", "AG-58"
    if is_jammed(weapon):
        return "your weapon is jammed", "AG-56"
    if WEAPONS[card_of(weapon)].line:
        return "no line has an enemy, a barricade or the barrel in it", "AG-49"
    return "no enemy is in range, and no barrel", "AG-58"


def _drawn_cards(view: View, search: Search, legal: tuple[Any, ...]) -> Iterator[ForbiddenAction]:
    equipped = {action.card for action in legal if isinstance(action, Equip)}
    for held in dict.fromkeys(search.drawn):
        if held not in equipped and held in view.players[view.seat].hand:
            joins = card_of(held) in JOINED
            why = _no_use(held) if joins else ("only what goes to the table can be equipped", "AG-23")
            yield ForbiddenAction(f"equip {card_name(held)}", *why, *_in_hand(view, held))


def _in_hand(view: View, held_card: HeldCard) -> tuple[Box, str]:
    """The place of a card and its layer. Of equal cards the first stands for all."""
    cards = hand(layout(view.board, len(view.players)), view.seat, view.players[view.seat])
    return next(box for card, box in cards if card == held_card), f"seat-{view.seat}"
