"""How enemies walk: the bot's own model of their turn.

It follows the rules in agonia.proto. One thing is left to whoever asks: whether fire hits.
"""

from collections.abc import Callable, Iterable

from board import NOWHERE, Board, within
from cards import KINDS
from referee_bot.v1 import agonia_pb2 as ag

BARRICADES = {ag.TOKEN_KIND_BARRICADA, ag.TOKEN_KIND_BARRICADA_DOBLE}
BARREL = ag.TOKEN_KIND_BARRIL
LASTS = 2  # entries of enemies, until a burning barricade is gone
HEAVY = {ag.ENEMY_KIND_CORPULENTO, ag.ENEMY_KIND_ARRASADOR}
WRECKER = ag.ENEMY_KIND_ARRASADOR
FOOD = {ag.ENEMY_KIND_COMUN, ag.ENEMY_KIND_FRESCO, ag.ENEMY_KIND_CORPULENTO}


class Walker:
    """An enemy."""

    __slots__ = ("aside", "cell", "facing", "held", "kind", "life", "number")

    def __init__(self, number: int, kind: int, cell: int, life: int, facing: int, held: bool, aside: int) -> None:
        self.number, self.kind, self.cell, self.life = number, kind, cell, life
        self.facing, self.held, self.aside = facing, held, aside


class Token:
    """A token on its cells. A barricade burns for so many more entries."""

    __slots__ = ("cells", "fire", "kind")

    def __init__(self, kind: int, cells: tuple[int, ...], fire: int = 0) -> None:
        self.kind, self.cells, self.fire = kind, cells, fire

    @property
    def blocks(self) -> bool:
        """Whether it stops most enemies."""
        return self.kind == BARREL or (self.kind in BARRICADES and not self.fire)


Burns = Callable[[Walker], bool]
"""Whether a fire hits an enemy."""


class Street:
    """Enemies and tokens, while the enemies move.

    Attributes:
        at: the enemies by cell.
        tokens: the tokens by each of their cells.
        arrived: the enemies that have come to the entrance. They leave the street.
    """

    def __init__(self, board: Board, walkers: Iterable[Walker], tokens: Iterable[Token], burns: Burns) -> None:
        self.board = board
        self.at = {walker.cell: walker for walker in walkers}
        self.tokens = {cell: token for token in tokens for cell in token.cells}
        self.arrived: list[Walker] = []
        self._burns = burns

    def advance(self, stampedes: int = 0) -> None:
        """The enemies' turn: each enemy moves once, the nearest to the entrance first."""
        rank = self.board.rank
        for walker in sorted(self.at.values(), key=lambda walker: rank[walker.cell]):
            if self.at.get(walker.cell) is walker:
                self.move(walker, stampedes)

    def move(self, walker: Walker, stampedes: int = 0) -> None:
        """The move of one enemy."""
        if walker.held:
            self._free(walker)
            return
        near = [self.at[cell] for cell in within(walker.cell, 1, 1) if cell in self.at] if len(self.at) > 1 else []
        if walker.kind == ag.ENEMY_KIND_DEVORADOR and walker.life < KINDS[walker.kind].life and self._eat(walker, near):
            return
        spurred = any(other.kind == ag.ENEMY_KIND_AGITADOR for other in near)
        steps = KINDS[walker.kind].move + spurred + stampedes
        while steps and self.at.get(walker.cell) is walker:
            ahead = self.board.ahead[walker.facing][walker.cell]
            if walker.kind == WRECKER and ahead in self.at:
                if not self._push(walker.facing, ahead):
                    return
                continue
            steps -= 1
            if not self._step(walker, ahead):
                return

    def _eat(self, walker: Walker, near: list[Walker]) -> bool:
        food = [other for other in near if other.kind in FOOD]
        if not food:
            return False
        walker.life += 1
        self.hurt(max(food, key=lambda other: self.board.rank[other.cell]))
        return True

    def _step(self, walker: Walker, ahead: int) -> bool:
        """One step. Returns whether another may follow."""
        token = self.tokens.get(ahead)
        if ahead != NOWHERE and ahead not in self.at and (token is None or not token.blocks or walker.kind == WRECKER):
            walker.aside = 0
            if token is not None and token.kind == ag.TOKEN_KIND_ACEITE:
                self.remove(token)
                return False
            return self._land(walker, ahead, token)
        sides = self.board.aside[walker.facing][walker.cell]
        for side in (2, 1) if walker.aside == 2 else (1, 2):
            to = sides[side - 1]
            if to != NOWHERE and to not in self.at and to not in self.tokens:
                walker.aside = side
                return self._land(walker, to, None)
        return False

    def _land(self, walker: Walker, cell: int, token: Token | None) -> bool:
        """The enemy stands there now. Returns whether it may go on."""
        del self.at[walker.cell]
        walker.cell = cell
        if token is not None and token.kind == ag.TOKEN_KIND_FOSO and walker.kind not in HEAVY:
            self.remove(token)
            return False
        if cell in self.board.entrance:
            self.arrived.append(walker)
            return False
        self.at[cell] = walker
        turn = self.board.facing[cell]
        if turn and turn != walker.facing:
            walker.facing, walker.aside = turn, 0
        return token is None or self._meet(walker, token)

    def _meet(self, walker: Walker, token: Token) -> bool:
        wrecker = walker.kind == WRECKER
        if token.fire:
            if self._burns(walker):
                self.hurt(walker)
            token.fire -= 1
            if wrecker or not token.fire:
                self.remove(token)
        elif token.kind == ag.TOKEN_KIND_CEPO and not wrecker:
            walker.held = True
            return False
        elif token.kind not in {ag.TOKEN_KIND_CEPO, ag.TOKEN_KIND_FOSO}:
            self.remove(token)
        return True

    def _push(self, facing: int, cell: int) -> bool:
        """Push the unbroken line of enemies that begins at a cell. Returns whether there was room."""
        ahead = self.board.ahead[facing]
        pushed: list[Walker] = []
        while cell in self.at:
            pushed.insert(0, self.at[cell])
            cell = ahead[cell]
        if cell == NOWHERE:
            return False
        token = self.tokens.get(cell)
        if token is not None and token.kind in BARRICADES and not token.fire:
            self.remove(token)
            self.hurt(pushed[0])
        for walker in pushed:
            if self.at.get(walker.cell) is walker:
                if walker.held:
                    self._free(walker)
                to = ahead[walker.cell]
                self._land(walker, to, self.tokens.get(to))
        return True

    def _free(self, walker: Walker) -> None:
        walker.held = False
        token = self.tokens.get(walker.cell)
        if token is not None:  # `paths.py` lets each enemy walk alone, so another may have sprung this trap
            self.remove(token)

    def hurt(self, walker: Walker) -> None:
        """The enemy loses a life."""
        walker.life -= 1
        if not walker.life:
            del self.at[walker.cell]
            if walker.held:
                self._free(walker)

    def remove(self, token: Token) -> None:
        """Take a token off the board."""
        for cell in token.cells:
            del self.tokens[cell]
