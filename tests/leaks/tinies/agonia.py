"""Tiny games of Agonía: a deck of a few cards and a pile of two or three tokens, with fixed hands and first player."""

from typing import Any

from referee.core.game import AnyGame
from referee.core.outcome import Seat
from referee.games.agonia.box.cards import Card
from referee.games.agonia.box.enemies import PILE, EnemyKind
from referee.games.agonia.game import Agonia
from referee.games.agonia.position.agenda import Start
from referee.games.agonia.position.options import Options
from referee.games.agonia.position.state import State
from tests.leaks.observers.agonia import left_in_the_box
from tests.leaks.tiny import Draw, Tiny, orders
from tests.leaks.wrapped import Wrapped

_OPTIONS = Options(board="secondary", characters="vera,ismael")
_HANDS = (Card.ZAPATILLAS, Card.HONDA, Card.CHALECO_TACTICO) * 2
_SEAT_0_BEGINS = (5, 0)


class _OnTheFirstCells(Wrapped):
    """The players start on the first free cells. All see where they start: a choice would only bring more courses."""

    def legal(self, state: State, seat: Seat) -> Any:
        legal = self._game.legal(state, seat)
        return legal[:1] if isinstance(state.agenda[0], Start) else legal


def _with_given_cells(game: AnyGame) -> AnyGame:
    return _OnTheFirstCells(game).rules


def _tiny(
    name: str, deck: tuple[Card, ...], tokens: tuple[EnemyKind, ...], decisions: int, passed: tuple[Card, ...] = ()
) -> Tiny:
    """Everybody may see the hands, so they are the same in all courses. Every order of deck and pile is played.

    `passed` are events that come up while the hands are dealt. They are the first discards.
    """
    box = left_in_the_box(Agonia().setup(_OPTIONS, 2))
    hands = tuple(box.index(card) for card in (*passed, *_HANDS))
    draws: dict[str, list[Draw]] = {
        "cards": [(*hands, *(box.index(deck[place]) for place in order)) for order in orders(deck)],
        "tokens": [tuple(PILE.index(tokens[place]) for place in order) for order in orders(tokens)],
        "first/1": [_SEAT_0_BEGINS],
    }
    return Tiny(name, _with_given_cells, _OPTIONS, 2, draws, 2 + decisions)


_COMUN, _OSEO, _FRESCO = EnemyKind.COMUN, EnemyKind.OSEO, EnemyKind.FRESCO
_EVENTS = (Card.SUMINISTROS, Card.HORDA, Card.ENCASQUILLADA)

SMALL = _tiny("a turn with three cards in the deck", (Card.CALMA_TENSA, Card.CEPO, Card.FOSO), (_COMUN, _OSEO), 1)
TINIES = (
    # If the deck could become empty, suministros would bring itself again and again in some courses.
    _tiny("a turn with suministros", (*_EVENTS, Card.CEPO, Card.FOSO, Card.GRANADA), (_COMUN, _OSEO, _FRESCO), 1),
    _tiny("two turns with three cards in the deck", (Card.ESTAMPIDA, Card.CEPO, Card.HORDA), (_COMUN, _OSEO), 2),
    _tiny("two turns with new decks", (Card.CEPO,), (_COMUN, _OSEO), 2, (Card.CALMA_TENSA, Card.DERRUMBE)),
)
