"""A small language for the street: the board is drawn as text, and the dice are given.

A drawing has a line for each row that matters: its number y, a space, and a character for each cell from x = 0 on.

    c común    f fresco    C corpulento    o óseo    a agitador    j enjambre    d devorador    A arrasador
    = barricade    [] double barricade, across    nu double barricade, down    2 1 burning barricade by what is left
    O pit    T trap    ~ oil    B barrel    . nothing

Enemies have their printed life and no memory. They face as the arrows of their lane say. They are numbered in reading
order. A second drawing, `under`, shows the tokens under enemies. A burning double barricade is `{}` (two entries left).
"""

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from referee.core.game import Roll
from referee.games.agonia import rules
from referee.games.agonia.box.board import BOARDS, ROW, Board, BoardName, Cell, Facing, cells_in, mask, xy
from referee.games.agonia.box.characters import Character
from referee.games.agonia.box.enemies import PILE, PRINTS, EnemyKind
from referee.games.agonia.box.tokens import TokenKind
from referee.games.agonia.enemies.combat import strike
from referee.games.agonia.position.agenda import Agenda, BeginAdvance, Blast, Columns, Explode, Turn
from referee.games.agonia.position.events import Event, Rolled, RolledToKindle
from referee.games.agonia.position.options import Options
from referee.games.agonia.position.state import Enemy, SeatState, State, Token

XY = tuple[int, int]
E = TypeVar("E", bound=Event)

ENEMIES = dict(zip("cfCoajdA", EnemyKind, strict=True))
_LETTERS = {kind: letter for letter, kind in ENEMIES.items()}
_SINGLE = {
    "=": (TokenKind.BARRICADA, 0),
    "2": (TokenKind.BARRICADA, 2),
    "1": (TokenKind.BARRICADA, 1),
    "O": (TokenKind.FOSO, 0),
    "T": (TokenKind.CEPO, 0),
    "~": (TokenKind.ACEITE, 0),
    "B": (TokenKind.BARRIL, 0),
}
_DOUBLE = {"[": ("]", (1, 0), 0), "n": ("u", (0, 1), 0), "{": ("}", (1, 0), 2)}


class Scene:
    """A position in the middle of a round, and what has been heard since it was drawn."""

    def __init__(self, state: State, heard: tuple[Event, ...] = ()) -> None:
        self.state = state
        self.heard = heard
        self.board = BOARDS[state.options.board]

    # What is on the board

    def at(self, x: int, y: int) -> Enemy:
        """The enemy there."""
        (enemy,) = (it for it in self.state.enemies if it.cell == self.board.at(x, y))
        return enemy

    def token(self, x: int, y: int) -> Token | None:
        """The token there."""
        return next((it for it in self.state.tokens if self.board.at(x, y) in it.cells), None)

    def kinds(self) -> list[EnemyKind]:
        """The kinds of the enemies on the board, in the order in which they would move."""
        return [enemy.kind for enemy in self.state.enemies]

    def shows(self, drawing: str, under: str = "") -> None:
        """Assert that the board now looks like this. Only `under` shows tokens that an enemy stands on."""
        seen = dict(_tokens_seen(self.state.tokens))
        standing = {enemy.cell: _LETTERS[enemy.kind] for enemy in self.state.enemies}
        covered = {cell: mark for cell, mark in seen.items() if cell in standing}
        assert self._picture({**seen, **standing}) == self._as_pictured(drawing)
        assert self._picture(covered) == self._as_pictured(under)

    def _picture(self, marks: dict[Cell, str]) -> str:
        cells = ["."] * len(self.board.cells)
        for cell, mark in marks.items():
            cells[cell] = mark
        rows = ("".join(cells[at : at + self.board.width]) for at in range(0, len(cells), ROW))
        return "\n".join(f"{y} {row}" for y, row in enumerate(rows) if set(row) != {"."})

    def _as_pictured(self, drawing: str) -> str:
        return self._picture({cell: mark for cell, mark in _marks(self.board, drawing) if mark != "."})

    # What happens

    def after(self, agenda: Agenda, dice: Sequence[int]) -> "Scene":
        """Carry out these steps with these dice, 1 to 6. There must be exactly as many dice as rolls."""
        state, heard = rules.settled(replace(self.state, agenda=(*agenda, Turn(0))), ())
        while dice:
            awaited = rules.awaiting(state)
            assert isinstance(awaited, Roll), f"nothing is rolled that the {dice} could be for"
            state, told = rules.luck(state, tuple(die - 1 for die in dice[: awaited.count]))
            dice = dice[awaited.count :]
            heard += told
        assert state.outcome is not None or isinstance(state.agenda[0], Turn), "there are more rolls than dice"
        return Scene(state, heard)

    def advance(self, *dice: int) -> "Scene":
        """The enemies move."""
        return self.after((BeginAdvance(),), dice)

    def spawn(self, *dice: int) -> "Scene":
        """New enemies appear on these columns. Then the round is over, and so is the scene."""
        return self.after((Columns("spawn/1", len(self.state.order)),), dice)

    def attack(self, x: int, y: int, *dice: int, damage: int = 0) -> "Scene":
        """An attack on the enemy there."""
        return self.after((strike(self.board, self.state.enemies, self.at(x, y), damage),), dice)

    def blast(self, x: int, y: int, *dice: int, damage: int = 0, alight: bool = False) -> "Scene":
        """An area attack on the cell and its neighbours."""
        area = self.board.within[self.board.at(x, y)][1]
        return self.after((Blast(area, damage, alight),), dice)

    def attack_on(self, cells: Sequence[XY], *dice: int, damage: int = 0, alight: bool = False) -> "Scene":
        """An area attack on these cells."""
        return self.after((Blast(mask(self.board.at(*xy) for xy in cells), damage, alight),), dice)

    def explode(self, x: int, y: int, *dice: int) -> "Scene":
        """The barrel there is shot."""
        return self.after((Explode(self.board.at(x, y)),), dice)

    # Other beginnings

    def having(self, **changes: Any) -> "Scene":
        """The same scene with other fields of the position."""
        return Scene(replace(self.state, **changes), self.heard)

    def enemy(self, x: int, y: int, **changes: Any) -> "Scene":
        """The same scene with a changed enemy there."""
        changed = (replace(it, **changes) if it is self.at(x, y) else it for it in self.state.enemies)
        return self.having(enemies=tuple(changed))

    # What was heard

    def of(self, kind: type[E]) -> list[E]:
        """The events of one type."""
        return [event for event in self.heard if isinstance(event, kind)]

    @property
    def needed(self) -> list[int]:
        """What the rolls needed, in order."""
        return [event.needed for event in self.heard if isinstance(event, Rolled | RolledToKindle)]

    @property
    def is_lost(self) -> bool:
        return self.state.outcome is not None and self.state.outcome.ending == "entrance"

    @property
    def is_won(self) -> bool:
        return self.state.outcome is not None and self.state.outcome.ending == "victory"


def middle_of_the_start_zone(board: Board, players: int) -> list[Cell]:
    """Where the sample bots start, in turn order."""
    zone = list(cells_in(board.start))
    return zone[(len(zone) - players) // 2 :][:players]


def drawn(drawing: str, under: str = "", board: BoardName = "main", players: int = 2) -> Scene:
    """A scene with these enemies and tokens, in round 1 of 10. Nobody holds anything."""
    ground = BOARDS[board]
    enemies = tuple(_enemies(ground, drawing))
    tokens = tuple(sorted((*_tokens(ground, drawing), *_tokens(ground, under))))
    cells = middle_of_the_start_zone(ground, players)
    state = State(
        options=Options(board=board),
        last=10,
        order=tuple(range(players)),
        agenda=(),
        seats=tuple(map(SeatState, Character, cells)),
        pile=_left(enemies),
        round=1,
        counter=1,
        enemies=tuple(sorted(enemies, key=lambda enemy: ground.rank[enemy.cell])),
        tokens=tokens,
        spawned=len(enemies),
    )
    return Scene(state)


def _left(enemies: Sequence[Enemy]) -> tuple[EnemyKind, ...]:
    left = list(PILE)
    for enemy in enemies:
        left.remove(enemy.kind)
    return tuple(left)


def _enemies(board: Board, drawing: str) -> Iterator[Enemy]:
    standing = [(cell, ENEMIES[mark]) for cell, mark in _marks(board, drawing) if mark in ENEMIES]
    for number, (cell, kind) in enumerate(standing, 1):
        yield Enemy(number, kind, cell, PRINTS[kind].life, _facing(board, cell))


def _facing(board: Board, cell: Cell) -> Facing:
    """Which way the arrows of its lane point there."""
    for spawn in board.spawn:
        facing, at = Facing.DOWN, spawn
        while at != cell and not board.entrance >> at & 1:
            at = board.ahead[facing][at]
            facing = board.arrow[at] or facing
        if at == cell:
            return facing
    raise ValueError(f"no lane leads over {xy(cell)}")


def _tokens(board: Board, drawing: str) -> Iterator[Token]:
    for cell, mark in _marks(board, drawing):
        if mark in _SINGLE:
            yield Token((cell,), *_SINGLE[mark])
        if mark in _DOUBLE:
            _, (dx, dy), fire = _DOUBLE[mark]
            yield Token((cell, cell + dx + dy * ROW), TokenKind.BARRICADA_DOBLE, fire)


def _tokens_seen(tokens: Sequence[Token]) -> Iterator[tuple[Cell, str]]:
    single = {what: mark for mark, what in _SINGLE.items()}
    for token in tokens:
        if len(token.cells) == 1:
            yield token.cells[0], single[token.kind, token.fire]
            continue
        across = token.cells[1] - token.cells[0] == 1
        marks = ("[]" if across else "nu") if not token.fire else "{}" if token.fire == 2 else "()"
        yield from zip(token.cells, marks, strict=True)


def _marks(board: Board, drawing: str) -> Iterator[tuple[Cell, str]]:
    for line in drawing.split("\n"):
        if line.strip():
            y, row = line.split()
            assert len(row) == board.width, f"row {y} must be {board.width} cells wide"
            for x, mark in enumerate(row):
                yield board.at(x, int(y)), mark
