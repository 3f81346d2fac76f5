"""The board: its cells, which never change, and the tokens, enemies and players on it."""

from collections.abc import Iterable, Iterator

from referee.drawing.agonia.layout import BOARD_X, BOARD_Y, CELL, Layout, middle, top_left
from referee.drawing.agonia.shapes import ARROWS, ENEMIES, FACING, FLAME, LOCK, PLANKS_ACROSS, PLANKS_DOWN, TOKENS
from referee.drawing.agonia.texts import enemy_text, token_text
from referee.drawing.marks import card_text, seat_mark, title
from referee.drawing.svg import Element, at, dot, group, path, text
from referee.games.agonia.box.board import BOARDS, NOWHERE, ROW, Board, Cell, Facing, cells_in
from referee.games.agonia.box.enemies import PRINTS, EnemyKind
from referee.games.agonia.box.tokens import BARRICADES, TokenKind
from referee.games.agonia.position.state import OTHER_SIDE, Enemy, Token
from referee.games.agonia.view import View
from referee.games.agonia.words import describe
from referee.games.agonia.words.describe import COLUMNS

# The fixed parts


def ground(places: Layout) -> tuple[Element, ...]:
    """The cells by kind, the arrows where lanes turn, the walkway, the names of rows and columns, and the legend."""
    board = places.board
    return (
        _cells(cells_in(board.players), "ag-walk"),
        _cells(cells_in(board.street), "ag-street"),
        _cells(cells_in(board.spawns), "ag-spawn"),
        path("".join(map(_stripes, cells_in(board.spawns))), "ag-stripes"),
        _cells(cells_in(board.entrance), "ag-spawn"),
        path("".join(map(_door, cells_in(board.entrance))), "ag-stripes"),
        path(_walkway(board), "ag-walkway"),
        path("".join(_arrows(board)), "ag-arrow ag-halo"),
        path("".join(_arrows(board)), "ag-arrow"),
        *(text(BOARD_X + x * CELL + 20, BOARD_Y - 6, COLUMNS[x], "mid soft") for x in range(board.width)),
        *(text(BOARD_X - 5, BOARD_Y + y * CELL + 25, str(y), "end soft") for y in range(board.height)),
        *_legend(places),
    )


def _arrows(board: Board) -> Iterator[str]:
    """Where all lanes go straight down, the arrows below the spawn cells are enough."""
    turns = Facing.RIGHT in board.arrow
    for cell, facing in enumerate(board.arrow):
        if facing is not None and (turns or cell - ROW in board.spawn):
            x, y = middle(cell)
            yield f"M{x} {y}{ARROWS[facing]}"


def _cells(cells: Iterable[Cell], class_: str) -> Element:
    return path("".join(map(_square, cells)), class_)


def _square(cell: Cell) -> str:
    x, y = top_left(cell)
    return f"M{x} {y}h{CELL}v{CELL}h-{CELL}z"


def _stripes(cell: Cell) -> str:
    x, y = top_left(cell)
    return f"M{x} {y + 20}l20-20M{x} {y + 40}l40-40M{x + 20} {y + 40}l20-20"


def _door(cell: Cell) -> str:
    x, y = top_left(cell)
    return f"M{x + 8} {y + 36}v-26h24v26M{x + 20} {y + 10}v26"


def _walkway(board: Board) -> str:
    """A bridge of one step between two cells of players (AG-02)."""
    ends = [cell for cell in cells_in(board.players) if _is_end_of_walkway(board, cell)]
    (left, y), (right, _) = map(middle, ends)
    return f"M{left} {y}H{right}"


def _is_end_of_walkway(board: Board, cell: Cell) -> bool:
    """Whether a single step from here leads to a cell that is no neighbour."""
    return any(not board.around[cell] >> to & 1 for to in board.walks[cell][1])


def _legend(places: Layout) -> Iterator[Element]:
    signs = [
        (path(ENEMIES[kind], "ag-enemy"), _ENEMY_SIGN, describe.ENEMIES[kind], enemy_text(kind)) for kind in EnemyKind
    ]
    signs += [
        (
            path(TOKENS[kind], f"ag-token ag-{kind.name.lower()} ag-small"),
            _TOKEN_SIGN,
            _SHORT.get(kind, describe.TOKENS[kind]),
            token_text(kind),
        )
        for kind in _EXPLAINED
    ]
    for (x, y), (sign, scaled, name, says) in zip(places.legend, signs, strict=True):
        yield at(x, y, card_text(says), group(sign, transform=scaled), text(28, 15, name, "soft"))


_ENEMY_SIGN, _TOKEN_SIGN = "translate(-1 1) scale(.65)", "translate(2 1) scale(.47)"
_EXPLAINED = tuple(kind for kind in TokenKind if kind is not TokenKind.BARRICADA_DOBLE)
_SHORT = {TokenKind.BARRIL: "barril", TokenKind.ACEITE: "aceite"}


# The tokens and enemies


def tokens(view: View) -> tuple[Element, ...]:
    """The tokens, and the flames of those that burn."""
    return tuple(map(_token, view.tokens))


def _token(token: Token) -> Element:
    x, y = top_left(token.cells[0])
    name = title(describe.TOKENS[token.kind] + (f", burns for {token.fire} more" if token.fire else ""))
    if not token.fire:
        return at(x, y, name, _planks(token) if token.kind in BARRICADES else _lying(token.kind))
    embers = "".join(map(_square, token.cells))
    flames = "".join(_flames(cell, token.fire) for cell in token.cells)
    return group(name, path(embers, "ag-embers"), path(flames, "ag-flame"))


def _lying(kind: TokenKind) -> Element:
    return path(TOKENS[kind], f"ag-token ag-{kind.name.lower()}")


def _planks(token: Token) -> Element:
    first, *others = token.cells
    shape = TOKENS[TokenKind.BARRICADA]
    if others:
        shape = PLANKS_ACROSS if others[0] == first + 1 else PLANKS_DOWN
    return path(shape, "ag-token ag-barricada")


def _flames(cell: Cell, fire: int) -> str:
    """As many flames as entries are left, at the sides, where an enemy in the fire leaves room."""
    x, y = top_left(cell)
    return "".join(f"M{x + offset} {y + 36}{FLAME}" for offset in (5, 28)[:fire])


def enemies(view: View) -> tuple[Element, ...]:
    """The enemies. The way they face is drawn where lanes turn; elsewhere all face down."""
    turns = Facing.RIGHT in BOARDS[view.board].arrow
    return tuple(_enemy(enemy, FACING[enemy.facing] if turns else "") for enemy in view.enemies)


def _enemy(enemy: Enemy, facing: str) -> Element:
    """Its shape and the way it faces, its number, its life if it has several, and a lock if a trap holds it."""
    x, y = top_left(enemy.cell)
    parts = [path(ENEMIES[enemy.kind] + facing), text(20, 35.5, str(enemy.number))]
    most = PRINTS[enemy.kind].life
    if most > 1:
        parts += [dot(36.5, 26 - 6 * life, 2.8, None if life < enemy.life else "ag-gone") for life in range(most)]
    if enemy.held:
        parts.append(path(LOCK, "ag-lock"))
    return at(x, y, title(_enemy_title(enemy)), *parts, class_="ag-enemy", data_piece=f"e{enemy.number}")


def _enemy_title(enemy: Enemy) -> str:
    """The words that a pointer shows for an enemy."""
    notes = (
        f"#{enemy.number}, {enemy_text(enemy.kind)}",
        f"life {enemy.life} now" if PRINTS[enemy.kind].life > 1 else "",
        "held" if enemy.held else "",
        "the other side first" if enemy.aside == OTHER_SIDE else "",
    )
    return ", ".join(filter(None, notes))


def figures(view: View) -> tuple[Element, ...]:
    """The players on the board, each as its shape and seat number."""
    return tuple(_figure(number, own.cell) for number, own in enumerate(view.players) if own.cell != NOWHERE)


def _figure(seat: int, cell: Cell) -> Element:
    x, y = top_left(cell)
    return at(x, y, seat_mark(seat, 20, 14, 10), text(20, 37, str(seat), "mid bold"), data_piece=f"p{seat}")


def enemy_cells(view: View) -> dict[int, Cell]:
    """The cells of the enemies by number."""
    return {enemy.number: enemy.cell for enemy in view.enemies}
