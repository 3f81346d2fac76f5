"""What views and actions can be, declared once for programs that learn (`referee.space`).

An action on an enemy is named by the enemy's cell, since no two enemies share a cell. A card in a hand is named without
its jam marks. Cards of one name whose marks differ are different actions (AG-56); the 2nd, 3rd, ... of them, by their
marks, have numbers of their own. There are never more of them than the box has copies.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

from msgspec.structs import replace

from referee.core.domains import (
    Around,
    Counts,
    Domain,
    Domains,
    Listed,
    Meaning,
    Number,
    OneOf,
    Packer,
    Parts,
    Placed,
    Relative,
    after_own,
    pack,
    seen_from_own,
)
from referee.core.field_domains import Declared, Fields
from referee.core.outcome import Seat
from referee.games.agonia.box import cards, enemies, tokens
from referee.games.agonia.box.board import BOARDS, Board, Cell, cells_in, xy
from referee.games.agonia.box.cards import EQUIPMENT, JOINED, WEAPONS, Cards, Held, card_of, is_jammed, marks_of
from referee.games.agonia.players.placing import all_sites
from referee.games.agonia.players.searching import SEARCHED
from referee.games.agonia.position import actions
from referee.games.agonia.position.actions import Action, Discard, Equip, Exchange, Place, ShootEnemy, Throw
from referee.games.agonia.position.ending import ROUNDS, ROUNDS_ON_LAST, SCORE_OF_A_ROUND
from referee.games.agonia.position.options import MOST_ROUNDS, Options
from referee.games.agonia.position.state import Enemy, SeatState, Token
from referee.games.agonia.view import View
from referee.games.agonia.words.describe import describe_action
from referee.games.agonia.words.names import COLUMNS, cell_name

_COPIES = {card: print_.copies for card, print_ in cards.PRINTS.items()}
_HELD = {card: copies for card, copies in _COPIES.items() if card not in cards.EVENTS}
_JAMMED = {card: _COPIES[card] for card in WEAPONS}
_MARKS = 10  # bits; two for each of five seats
_NUMBER = 1 << 5 + _MARKS
"""The number of a card among those of its name stands above all its marks."""


def domains(options: Options, seats: int) -> Domains:
    """The domains of the game with these options and so many seats."""
    return Domains(
        Fields(View, _fields(options, seats)),
        dict(_actions(options, seats)),
        action_seats={Exchange: "partner"},
        listed=_listed,
    )


# Views


class _JamMarks:
    """The jam marks of one card: which turns must end before it is free (AG-56), the own ones first."""

    def __init__(self, seats: int) -> None:
        self._seats = seats
        whose = [f"the {which} of {after_own(seat)} ends" for seat in range(seats) for which in ("next turn", "turn")]
        self.entries = tuple(Meaning(f" until {when}") for when in whose)

    def packer(self, own: Seat) -> Packer:
        """Reads the marks seat by seat."""
        bits = [2 * ((own + seat) % self._seats) + bit for seat in range(self._seats) for bit in (0, 1)]
        return lambda held: pack([float(marks_of(held) >> bit & 1) for bit in bits])


def _fields(options: Options, seats: int) -> Declared:
    board, seat = BOARDS[options.board], Relative(seats)
    cell, card = _cell(board), _card()
    order = Listed(seat, seats)
    return {
        "View.seat": OneOf(range(seats)),
        "View.board": None,  # it stays the same
        "View.round": Number(0, ROUNDS, scale=10),
        "View.counter": Number(0, MOST_ROUNDS, scale=10),
        "View.last": Number(0, MOST_ROUNDS, scale=10),
        "View.order": order,
        "View.active": seat,
        "Turn.seat": seat,
        "Search.seat": seat,
        "Search.left": Number(0, SEARCHED),
        "Search.drawn": _hand(),
        "SecondShot.seat": seat,
        "Answer.seat": seat,
        "Answer.partner": seat,
        "Answer.gives": card,
        "Answer.takes": card,
        "Trim.seats": order,
        "View.seats": Around(Fields(SeatState, _player(seats, cell)), seat),
        "View.enemies": _enemies(board),
        "View.tokens": _tokens(board),
        "View.deck_count": Number(0, len(cards.DECK), scale=len(cards.DECK)),
        "View.discards": Counts(_COPIES, of=card_of),
        "View.pile_count": Number(0, len(enemies.PILE), scale=len(enemies.PILE)),
        "View.dead": Counts({kind: print_.tokens for kind, print_ in enemies.PRINTS.items()}),
        "View.killed": Number(0, SCORE_OF_A_ROUND, scale=len(enemies.PILE)),
        "View.stampedes": Number(0, len(cards.DECK)),
        "View.rounds_on_last": Number(0, ROUNDS_ON_LAST, scale=10),
    }


def _player(seats: int, cell: Domain) -> Declared:
    weapon: dict[str, tuple[Any, Domain]] = {" ": (card_of, OneOf(WEAPONS)), " jammed": (_same, _JamMarks(seats))}
    return {
        "SeatState.cell": cell,
        "SeatState.hand": _hand(),
        "SeatState.weapon": Parts(weapon),
        "SeatState.joined": Counts({card: _COPIES[card] for card in JOINED}),
        "SeatState.equipment": OneOf(EQUIPMENT),
    }


def _cell(board: Board) -> Domain:
    columns, rows = OneOf(range(board.width), COLUMNS[: board.width]), OneOf(range(board.height))
    return Parts({" column": (lambda cell: xy(cell)[0], columns), " row": (lambda cell: xy(cell)[1], rows)})


def _card() -> Domain:
    return Parts({"": (card_of, OneOf(_HELD)), " is jammed": (is_jammed, Number(0, 1))})


def _hand() -> Domain:
    return Parts({"": (_same, Counts(_HELD, of=card_of)), " jammed": (_jammed, Counts(_JAMMED, of=card_of))})


def _jammed(hand: Cards) -> Cards:
    return tuple([held for held in hand if is_jammed(held)])


def _same(value: Any) -> Any:
    return value


def _enemies(board: Board) -> Domain:
    lives = max(print_.life for print_ in enemies.PRINTS.values())
    fields: Declared = {
        "Enemy.number": None,  # actions name its cell
        "Enemy.cell": None,
        "Enemy.life": Number(0, lives, scale=lives),
        "Enemy.aside": OneOf(range(3)),
    }
    return Placed(Fields(Enemy, fields), _ground(board), lambda enemy: (enemy.cell,))


def _tokens(board: Board) -> Domain:
    fields: Declared = {
        "Token.cells": None,
        "Token.fire": Number(0, tokens.FIRE, scale=tokens.FIRE),
    }
    return Placed(Fields(Token, fields), _ground(board), lambda token: token.cells)


def _ground(board: Board) -> dict[Cell, str]:
    return {cell: cell_name(cell) for cell in cells_in(board.ground)}


# Actions


def _actions(options: Options, seats: int) -> Iterator[tuple[Action, str]]:
    """The actions as seat 0 would choose them, in words."""
    board = BOARDS[options.board]
    always: tuple[Action, ...] = (actions.SEARCH, actions.KEEP, *actions.LINES.values(), actions.SHOOT_BARREL)
    always += (*actions.REPLIES, actions.END_TURN)
    yield from ((action, describe_action(action)) for action in always)
    yield from ((action, describe_action(action)) for action in map(actions.Go, cells_in(board.players)))
    yield from ((_at(cell), f"shoot at the enemy on {cell_name(cell)}") for cell in cells_in(board.ground))
    throws = (Throw(int(card), cell) for card in cards.AREAS for cell in cells_in(board.ground))
    yield from ((action, describe_action(action)) for action in throws)
    places = (Place(int(card), cells) for card in cards.PLACINGS for cells in all_sites(options.board, card))
    yield from ((action, describe_action(action)) for action in places)
    held = dict(_numbered())
    for card, name in held.items():
        if card_of(card) in WEAPONS or card_of(card) in JOINED or card_of(card) in EQUIPMENT:
            yield Equip(card), f"equip {name}"
        yield Discard(card), f"discard {name}"
    anything: list[tuple[Held | None, str]] = [(None, "nothing"), *held.items()]
    for partner in range(1, seats):
        with_whom = seen_from_own(f"seat {partner}")
        for gives, given in anything:
            for takes, taken in anything:
                if gives is not None or takes is not None:
                    yield Exchange(partner, gives, takes), f"offer {with_whom} {given} for {taken}"


def _numbered() -> Iterator[tuple[Held, str]]:
    """Each card that can be in a hand; of a weapon, as many as there are copies, which jam marks may set apart."""
    for card in _HELD:
        name = cards.PRINTS[card].name
        yield int(card), name
        for number in range(1, _COPIES[card] if card in WEAPONS else 1):
            yield card + number * _NUMBER, f"{name} (number {number + 1} by its jam marks)"


def _at(cell: Cell) -> ShootEnemy:
    """The shot at an enemy on a cell. Numbers of enemies are above 0, so they are not mistaken for it."""
    return ShootEnemy(-cell)


def _listed(view: View, action: Action) -> Action:
    """The action that stands for this one among those of `_actions`."""
    number = partial(_number, view.seats[view.seat].hand)
    if isinstance(action, ShootEnemy):
        return _at(next(enemy.cell for enemy in view.enemies if enemy.number == action.enemy))
    if isinstance(action, Equip | Discard):
        return replace(action, card=number(action.card))
    if isinstance(action, Exchange):
        partners = partial(_number, view.seats[action.partner].hand)
        gives = None if action.gives is None else number(action.gives)
        return Exchange(action.partner, gives, None if action.takes is None else partners(action.takes))
    return action


def _number(hand: Cards, held: Held) -> Held:
    """The card with its number among the different ones of its name in the hand, instead of its marks."""
    card = card_of(held)
    alike = sorted({other for other in hand if card_of(other) is card})
    return int(card) + alike.index(held) * _NUMBER
