"""How near the enemies are to the entrance, and the worth of stopping or killing one.

The bot walks every enemy's way ahead, with the tokens on it. It assumes that other enemies are not in the way. It
counts the advances until the enemy stands in the entrance. The fewer there are, the more an enemy's removal is worth.
"""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import NamedTuple

from board import AHEAD, ASIDE, Board, around
from cards import KINDS
from referee_bot.v1 import agonia_pb2 as ag

STUCK, DEAD = 98, 99  # in place of a number of advances
FADING = 0.5  # the factor for an enemy that is one advance farther away
ALWAYS = 6.0  # what every enemy counts in addition, because all must die in the end
NEXT = 100.0  # what an enemy counts if the next advance brings it into the entrance

BLOCKS = {ag.TOKEN_KIND_BARRICADA, ag.TOKEN_KIND_BARRICADA_DOBLE, ag.TOKEN_KIND_BARRIL}
HEAVY = {ag.ENEMY_KIND_CORPULENTO, ag.ENEMY_KIND_ARRASADOR}


class Lying(NamedTuple):
    """A token on a cell."""

    kind: int
    burns: bool = False


Tokens = Mapping[int, Lying]
"""The tokens by cell."""


class Foe(NamedTuple):
    """An enemy.

    Attributes:
        enemy: as the view has it.
        advances: until it is in the entrance; STUCK or DEAD if it will not come there.
        worth: what it is worth to be rid of it.
    """

    enemy: ag.Enemy
    advances: int
    worth: float


def tokens_of(view: ag.View) -> dict[int, Lying]:
    """The tokens by cell."""
    return {cell: Lying(token.kind, token.fire > 0) for token in view.tokens for cell in token.cells}


def foes_of(view: ag.View, board: Board, tokens: Tokens) -> list[Foe]:
    """The enemies, nearest first, if these were the tokens. A token that one enemy uses up is gone for the next."""
    found = []
    for enemy in view.enemies:
        walk = Walk(board, enemy, tokens, speed(view, enemy))
        advances = walk.advances(view.stampedes)
        tokens = walk.tokens
        found.append(Foe(enemy, advances, worth(advances)))
    return found


def danger(foes: Sequence[Foe]) -> float:
    """The worth of removing all these enemies."""
    return sum(foe.worth for foe in foes)


def worth(advances: int) -> float:
    """The worth of removing an enemy that needs this many advances."""
    return 0.0 if advances == DEAD else ALWAYS + NEXT * FADING ** (advances - 1)


def speed(view: ag.View, enemy: ag.Enemy) -> int:
    """How many steps it takes in an advance, as things stand."""
    near = around(enemy.cell) - {enemy.cell}
    spurred = any(other.kind == ag.ENEMY_KIND_AGITADOR and other.cell in near for other in view.enemies)
    return KINDS[enemy.kind].move + spurred


def chance(view: ag.View, enemy: ag.Enemy, damage: int) -> float:
    """How likely an attack takes a life of the enemy."""
    near = around(enemy.cell)
    swarm = any(other.kind == ag.ENEMY_KIND_ENJAMBRE and other.cell in near for other in view.enemies)
    needed = KINDS[enemy.kind].defence - damage + swarm
    hit = min(max(7 - needed, 0), 6) / 6
    return hit * hit if enemy.kind == ag.ENEMY_KIND_OSEO else hit


def gain(view: ag.View, foes: Sequence[Foe], damage: int, cells: frozenset[int]) -> float:
    """What an attack on every enemy on these cells is worth."""
    return sum(
        foe.worth * chance(view, foe.enemy, damage) / sqrt(foe.enemy.life) for foe in foes if foe.enemy.cell in cells
    )


class Walk:
    """An enemy on its way, without the others."""

    def __init__(self, board: Board, enemy: ag.Enemy, tokens: Tokens, steps: int) -> None:
        self.board = board
        self.tokens = dict(tokens)
        self.steps = steps
        self.cell, self.aside = enemy.cell, enemy.aside
        self.facing: int = enemy.facing
        self.waits = int(enemy.held)
        self.dead = False
        self.heavy = enemy.kind in HEAVY
        self.wrecks = enemy.kind == ag.ENEMY_KIND_ARRASADOR

    def advances(self, stampedes: int) -> int:
        """How many advances it takes to the entrance. DEAD or STUCK if the enemy dies or stays on the way."""
        for number in range(1, 30):
            if self.waits:
                self.waits -= 1
                continue
            for _ in range(self.steps + (stampedes if number == 1 else 0)):
                if not self.step():
                    break
                if self.board.is_entrance(self.cell):
                    return number
            if self.dead:
                return DEAD
        return STUCK

    def step(self) -> bool:
        """Take one step. Returns whether another may follow."""
        to = self.next_cell()
        if to is None:
            return False
        lying = self.tokens.get(to)
        if lying is None or lying.kind in BLOCKS:
            self.come_to(to)
            return True
        return self.meet(to, lying)

    def next_cell(self) -> int | None:
        """The cell straight on, or else aside. None if the enemy cannot move."""
        if self.is_open(ahead := self.cell + AHEAD[self.facing]):
            self.aside = 0
            return ahead
        sides = ASIDE[self.facing]
        for number in (2, 1) if self.aside == 2 else (1, 2):
            to = self.cell + sides[number - 1]
            if self.is_empty(to) and not self.board.is_entrance(to):
                self.aside = number
                return to
        return None

    def is_open(self, cell: int) -> bool:
        """Whether nothing of ours, and no edge, is in its way there."""
        if not self.board.is_ground(cell):
            return False
        lying = self.tokens.get(cell)
        return self.wrecks or lying is None or lying.kind not in BLOCKS or lying.burns

    def is_empty(self, cell: int) -> bool:
        """Whether no token is there, and no edge. An enemy steps aside to no other cell."""
        return self.board.is_ground(cell) and cell not in self.tokens

    def come_to(self, cell: int) -> None:
        """The enemy now stands there. It turns if there is an arrow."""
        self.cell = cell
        facing = self.board.turned(cell, self.facing)
        if facing != self.facing:
            self.facing, self.aside = facing, 0

    def meet(self, cell: int, lying: Lying) -> bool:
        """What a pit, a trap or oil does. Returns whether the enemy may go on."""
        if lying.kind == ag.TOKEN_KIND_ACEITE:
            del self.tokens[cell]
            return False
        self.come_to(cell)
        if lying.kind == ag.TOKEN_KIND_FOSO and not self.heavy:
            del self.tokens[cell]
            self.dead = True
            return False
        if lying.kind == ag.TOKEN_KIND_CEPO and not self.wrecks:
            del self.tokens[cell]
            self.waits = 1
            return False
        return True
