"""A view as text for people: a drawing of the board, and lists below it. Fits into 80 columns.

A street cell is `.`, or its arrow on a board where lanes turn; `S` is spawn, `E` entrance, `_` where players may stand,
`[0]` the player of seat 0. An enemy is a letter and its number, tokens are marks; the lists below the board say which
is which. A mark behind an enemy shows the token that it stands on. In the lists, `>` means that an enemy faces right.
"""

from collections.abc import Iterator
from functools import cache
from textwrap import wrap

from referee.games.agonia.box.board import BOARDS, NOWHERE, Board, Cell, Facing
from referee.games.agonia.box.enemies import PRINTS, EnemyKind
from referee.games.agonia.box.tokens import TokenKind
from referee.games.agonia.position.agenda import Answer, Search, SecondShot, Start, Trim, Turn
from referee.games.agonia.position.state import OTHER_SIDE, ROUNDS_ON_LAST, Enemy, SeatState, Token
from referee.games.agonia.view import View
from referee.games.agonia.words.describe import (
    CHARACTERS,
    COLUMNS,
    ENEMIES,
    TOKENS,
    card_name,
    card_names,
    cell_name,
    cells_name,
    counted_cards,
    counted_kinds,
    seat_names,
)

_WIDTH = 80
_OF_A_CELL = 6

LETTERS = dict(zip(EnemyKind, "cfCoajdA", strict=True))
_MARKS = dict(zip(TokenKind, ("=", "==", "B", "O", "T", "~"), strict=True))
_FIRE = "*"


def describe_view(view: View) -> str:
    """The board, then enemies, tokens, players, piles, and the decision that is asked for."""
    board = BOARDS[view.board]
    lines = [*_wrapped(_headline(view)), *_drawn(view, board), *_enemies(view.enemies), *_tokens(view.tokens)]
    for number, seat in enumerate(view.players):
        lines += _wrapped(_seat(number, seat))
    lines += _wrapped(f"deck {view.deck_count}; discards: {counted_cards(view.discards)}")
    lines += _wrapped(f"pile {view.pile_count}; dead: {counted_kinds(view.dead)}; killed {view.killed}")
    if view.asked is not None:
        lines += _wrapped(_pending(view))
    return "\n".join(lines)


def _wrapped(text: str) -> list[str]:
    if len(text) <= _WIDTH - 2:
        return [text]
    return wrap(text, _WIDTH - 2, subsequent_indent="    ", break_long_words=False)  # a teller indents by 2


def _headline(view: View) -> str:
    siege = f" (round {view.rounds_on_last} of {ROUNDS_ON_LAST} there)" if view.rounds_on_last else ""
    calm = "; no enemy appears any more in this round" if view.calm else ""
    stampede = f"; enemies move {view.stampedes} more" if view.stampedes else ""
    order = " ".join(map(str, view.order))
    return f"round {view.round}, counter {view.counter} of {view.last}{siege}; turn order {order}{calm}{stampede}"


# The board


def describe_board(board: Board) -> list[str]:
    """The rows of the empty board."""
    return list(_rows(board, dict(_ground(board))))


def _drawn(view: View, board: Board) -> Iterator[str]:
    return _rows(board, dict(_marks(view, board)))


def _rows(board: Board, marks: dict[Cell, str]) -> Iterator[str]:
    yield _row("", COLUMNS[: board.width])
    for y in range(board.height):
        yield _row(str(y), [marks[board.at(x, y)] for x in range(board.width)])


def _row(label: str, cells: list[str] | str) -> str:
    return f"{label:3}{''.join(f'{cell:{_OF_A_CELL}}' for cell in cells)}".rstrip()


def _marks(view: View, board: Board) -> Iterator[tuple[Cell, str]]:
    """The cells, each with its mark. If a cell has several marks, the last one is drawn."""
    yield from _ground(board)
    under: dict[Cell, Token] = {cell: token for token in view.tokens for cell in token.cells}
    for cell, token in under.items():
        yield cell, _MARKS[token.kind] + (f"{_FIRE}{token.fire}" if token.fire else "")
    for enemy in view.enemies:
        yield enemy.cell, _tag(enemy) + (_trodden(under[enemy.cell]) if enemy.cell in under else "")
    for number, seat in enumerate(view.players):
        yield seat.cell, f"[{number}]"


@cache
def _ground(board: Board) -> tuple[tuple[Cell, str], ...]:
    """Arrows only where lanes turn."""
    marks = {"#": "", "P": "_"} if ">" in board.cells else {"#": "", "P": "_", "v": "."}
    return tuple((cell, marks.get(mark, mark)) for cell, mark in enumerate(board.cells))


def _tag(enemy: Enemy) -> str:
    return f"{LETTERS[enemy.kind]}{enemy.number}"


def _trodden(token: Token) -> str:
    return _FIRE if token.fire else _MARKS[token.kind]


# Beside the board


def _enemies(enemies: tuple[Enemy, ...]) -> Iterator[str]:
    """The enemies by kind. Within a kind, they are in the order in which they would move."""
    for kind in EnemyKind:
        found = [enemy for enemy in enemies if enemy.kind is kind]
        if found:
            yield from _wrapped(f"{ENEMIES[kind]}: {', '.join(map(_enemy, found))}")


def _enemy(enemy: Enemy) -> str:
    notes = [
        f"life {enemy.life}" if PRINTS[enemy.kind].life > 1 else "",
        "held" if enemy.held else "",
        "the other side first" if enemy.aside == OTHER_SIDE else "",
    ]
    text = ", ".join(filter(None, notes))
    right = ">" if enemy.facing is Facing.RIGHT else ""
    return f"{_tag(enemy)} on {cell_name(enemy.cell)}{right}" + (f" ({text})" if text else "")


def _tokens(tokens: tuple[Token, ...]) -> Iterator[str]:
    for kind in TokenKind:
        found = [token for token in tokens if token.kind is kind]
        if found:
            yield from _wrapped(f"{_MARKS[kind]} {TOKENS[kind]}: {', '.join(map(_token, found))}")


def _token(token: Token) -> str:
    return cells_name(token.cells) + (f" burns, {token.fire} left" if token.fire else "")


def _seat(number: int, seat: SeatState) -> str:
    table = " with ".join(filter(None, (card_name(seat.weapon), ", ".join(map(card_name, seat.joined)))))
    wears = f", wears {card_name(seat.equipment)}" if seat.equipment is not None else ""
    where = "" if seat.cell == NOWHERE else f" on {cell_name(seat.cell)}"
    return f"[{number}] {CHARACTERS[seat.character]}{where}: {table}{wears}; in hand: {card_names(seat.hand)}"


# The question


def _pending(view: View) -> str:
    match view.asked:
        case Turn(seat, acted):
            return f"seat {seat}: {'free cards, or the end of the turn' if acted else 'a turn'}"
        case Search(seat, _, drawn):
            return f"seat {seat}: what to equip of {card_names(drawn)}"
        case SecondShot(seat):
            return f"seat {seat}: the second target"
        case Answer(seat, partner, gives, takes):
            return f"seat {partner}: whether to give seat {seat} {card_name(takes)} for {card_name(gives)}"
        case Start(seats) | Trim(seats):
            what = "where to start" if isinstance(view.asked, Start) else "down to the limit of the hand"
            return f"{what}, in this order: {seat_names(seats)}"
        case _:
            return ""
