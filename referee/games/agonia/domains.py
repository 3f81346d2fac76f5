"""What views and actions can be, declared once for programs that learn (`referee.space`).

An action on an enemy is named by the enemy's cell, since no two enemies share a cell. A card in a hand is named without
its jam marks. Cards of one name whose marks differ are different actions (AG-56); the 2nd, 3rd, ... of them, by their
marks, have numbers of their own. There are never more of them than the box has copies.
"""

from collections.abc import Iterator
from functools import partial
from itertools import islice, product

from msgspec.structs import replace

from referee.core.domains import (
    Declared,
    Domain,
    Domains,
    around,
    counts,
    fields_of,
    one_of,
    parts,
    placed,
    relative,
    seen_from_own,
    series,
    whole_number,
)
from referee.games.agonia.box import cards, enemies, tokens
from referee.games.agonia.box.board import BOARDS, NOWHERE, Board, Cell, cells_in, xy
from referee.games.agonia.box.cards import EQUIPMENT, JOINED, WEAPONS, Cards, HeldCard, card_of, is_jammed, marks_of
from referee.games.agonia.players.placing import all_sites
from referee.games.agonia.players.searching import SEARCHED
from referee.games.agonia.position import actions
from referee.games.agonia.position.actions import Action, Discard, Equip, Exchange, Place, ShootEnemy, Throw
from referee.games.agonia.position.options import MOST_ROUNDS, Options
from referee.games.agonia.position.state import ROUNDS, ROUNDS_ON_LAST, SCORE_OF_A_ROUND, Enemy, SeatState, Token
from referee.games.agonia.view import View
from referee.games.agonia.words.describe import COLUMNS, cell_name, describe_action

_COPIES = {card: print_.copies for card, print_ in cards.PRINTS.items()}
_HAND_COPIES = {card: copies for card, copies in _COPIES.items() if card not in cards.EVENTS}
_JAMMED = {card: _COPIES[card] for card in WEAPONS}
_MARKS = 10  # bits; two for each of five seats
_NUMBER = 1 << 5 + _MARKS
"""The number of a card among those of its name stands above all its marks."""


def domains(options: Options, seats: int) -> Domains:
    """The domains of the game with these options and so many seats."""
    return Domains(
        fields_of(View, _fields(options, seats)),
        dict(_actions(options, seats)),
        action_seats={Exchange: "partner"},
        listed=_listed,
    )


# Views


def _fields(options: Options, seats: int) -> Declared:
    board, seat = BOARDS[options.board], relative(seats)
    columns, rows = one_of(range(board.width), COLUMNS[: board.width]), one_of(range(board.height))
    cell = parts({" column": (lambda cell: _xy(cell)[0], columns), " row": (lambda cell: _xy(cell)[1], rows)})
    card = parts({"": (card_of, one_of(_HAND_COPIES)), " is jammed": (is_jammed, whole_number(0, 1))})
    hand = parts({"": (tuple, counts(_HAND_COPIES, of=card_of)), " jammed": (_jammed, counts(_JAMMED, of=card_of))})
    order = series(seat, seats)
    return {
        "View.seat": one_of(range(seats)),
        "View.board": None,  # it stays the same
        "View.round": whole_number(0, ROUNDS, scale=10),
        "View.counter": whole_number(0, MOST_ROUNDS, scale=10),
        "View.last": whole_number(0, MOST_ROUNDS, scale=10),
        "View.order": order,
        "View.active": seat,
        "Turn.seat": seat,
        "Search.seat": seat,
        "Search.left": whole_number(0, SEARCHED),
        "Search.drawn": hand,
        "SecondShot.seat": seat,
        "Answer.seat": seat,
        "Answer.partner": seat,
        "Answer.gives": card,
        "Answer.takes": card,
        "Start.seats": order,
        "Trim.seats": order,
        "View.players": around(fields_of(SeatState, _player(seats, cell, hand)), seats),
        "View.enemies": _enemies(board),
        "View.tokens": _tokens(board),
        "View.deck_count": whole_number(0, len(cards.DECK), scale=len(cards.DECK)),
        "View.discards": counts(_COPIES, of=card_of),
        "View.pile_count": whole_number(0, len(enemies.PILE), scale=len(enemies.PILE)),
        "View.dead": counts({kind: print_.tokens for kind, print_ in enemies.PRINTS.items()}),
        "View.killed": whole_number(0, SCORE_OF_A_ROUND, scale=len(enemies.PILE)),
        "View.stampedes": whole_number(0, len(cards.DECK)),
        "View.rounds_on_last": whole_number(0, ROUNDS_ON_LAST, scale=10),
    }


def _xy(cell: Cell) -> tuple[int, int] | tuple[None, None]:
    """Column and row; None for a player who stands nowhere yet."""
    return (None, None) if cell == NOWHERE else xy(cell)


def _player(seats: int, cell: Domain, hand: Domain) -> Declared:
    marks = around(_jam_marks(), seats)
    return {
        "SeatState.cell": cell,
        "SeatState.hand": hand,
        "SeatState.weapon": parts({" ": (card_of, one_of(WEAPONS)), " jammed by": (partial(_marks, seats), marks)}),
        "SeatState.joined": counts({card: _COPIES[card] for card in JOINED}),
        "SeatState.equipment": one_of(EQUIPMENT),
    }


def _marks(seats: int, held_card: HeldCard) -> tuple[int, ...]:
    """By seat, its marks of being jammed, as two bits (AG-56)."""
    return tuple([marks_of(held_card) >> 2 * seat & 3 for seat in range(seats)])


def _jam_marks() -> Domain:
    bit = whole_number(0, 1)
    return parts(
        {
            " until its next turn ends": (lambda marks: marks & 1, bit),
            " until its turn ends": (lambda marks: marks >> 1, bit),
        }
    )


def _jammed(hand: Cards) -> Cards:
    return tuple([held for held in hand if is_jammed(held)])


def _enemies(board: Board) -> Domain:
    lives = max(print_.life for print_ in enemies.PRINTS.values())
    fields: Declared = {
        "Enemy.number": None,  # actions name its cell
        "Enemy.cell": None,
        "Enemy.life": whole_number(0, lives, scale=lives),
        "Enemy.aside": one_of(range(3)),
    }
    return placed(fields_of(Enemy, fields), _ground(board), lambda enemy: (enemy.cell,))


def _tokens(board: Board) -> Domain:
    fields: Declared = {"Token.cells": None, "Token.fire": whole_number(0, tokens.FIRE, scale=tokens.FIRE)}
    return placed(fields_of(Token, fields), _ground(board), lambda token: token.cells)


def _ground(board: Board) -> dict[Cell, str]:
    return {cell: cell_name(cell) for cell in cells_in(board.ground)}


# Actions


def _actions(options: Options, seats: int) -> Iterator[tuple[Action, str]]:
    """The actions as seat 0 would choose them, in words."""
    board = BOARDS[options.board]
    always: tuple[Action, ...] = (actions.SEARCH, actions.KEEP, *actions.LINES.values(), actions.SHOOT_BARREL)
    always += (*actions.REPLIES, actions.END_TURN, *map(actions.Go, cells_in(board.players)))
    yield from ((action, describe_action(action)) for action in always)
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
    anything: list[tuple[HeldCard | None, str]] = [(None, "nothing"), *held.items()]
    for partner in range(1, seats):
        with_whom = seen_from_own(f"seat {partner}")
        for (gives, given), (takes, taken) in islice(product(anything, repeat=2), 1, None):  # not nothing for nothing
            yield Exchange(partner, gives, takes), f"offer {with_whom} {given} for {taken}"


def _numbered() -> Iterator[tuple[HeldCard, str]]:
    """Each card that can be in a hand; of a weapon, as many as there are copies, which jam marks may set apart."""
    for card in _HAND_COPIES:
        name = cards.PRINTS[card].name
        yield int(card), name
        for number in range(1, _COPIES[card] if card in WEAPONS else 1):
            yield card + number * _NUMBER, f"{name} (number {number + 1} by its jam marks)"


def _at(cell: Cell) -> ShootEnemy:
    """The shot at an enemy on a cell. Numbers of enemies are above 0, so they are not mistaken for it."""
    return ShootEnemy(-cell)


def _listed(view: View, action: Action) -> Action:
    """The action that stands for this one among those of `_actions`."""
    number = partial(_number, view.players[view.seat].hand)
    if isinstance(action, ShootEnemy):
        return _at(next(enemy.cell for enemy in view.enemies if enemy.number == action.enemy))
    if isinstance(action, Equip | Discard):
        return replace(action, card=number(action.card))
    if isinstance(action, Exchange):
        takes = _number(view.players[action.partner].hand, action.takes)
        return Exchange(action.partner, number(action.gives), takes)
    return action


def _number(hand: Cards, held_card: HeldCard | None) -> HeldCard | None:
    """The card with its number among the different ones of its name in the hand, instead of its marks."""
    if held_card is None:
        return None
    card = card_of(held_card)
    alike = sorted({other for other in hand if card_of(other) is card})
    return int(card) + alike.index(held_card) * _NUMBER
