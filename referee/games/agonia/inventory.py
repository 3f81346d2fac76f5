"""Checks that nothing from the box is lost."""

from collections.abc import Iterator

from referee.games.agonia.box.cards import DECK, Held, card_of
from referee.games.agonia.box.enemies import PILE
from referee.games.agonia.position.agenda import Deal
from referee.games.agonia.position.state import State


def is_whole(state: State) -> bool:
    """Whether all cards, jammed or not, and all enemy tokens are there. Other tokens come from a stock."""
    cards = sorted(map(card_of, _cards(state)))
    enemies = sorted((*state.pile, *state.dead, *(enemy.kind for enemy in state.enemies)))
    return tuple(cards) == DECK and tuple(enemies) == PILE


def _cards(state: State) -> Iterator[Held]:
    yield from state.deck
    if any(isinstance(step, Deal) for step in state.agenda):  # the deck still has the cards on the table
        return
    yield from state.discards
    for seat in state.seats:
        yield from seat.hand + seat.joined
        yield from (card for card in (seat.weapon, seat.equipment) if card is not None)
