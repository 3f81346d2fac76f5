"""The arrasador pushes what blocks it (AG-37, AG-46)."""

from referee.games.agonia.agenda import Push
from referee.games.agonia.board import NOWHERE, Cell, Facing
from referee.games.agonia.landing import ON, OVER, Landing, push_onto
from referee.games.agonia.state import Enemy
from referee.games.agonia.street import Street
from referee.games.agonia.tokens import BARRICADES, TokenKind


def push(street: Street, wrecker: Enemy) -> Landing:
    """The unbroken line of enemies before it moves one cell, the farthest first, if there is room for it (AG-46).

    It goes on unless nothing can move. What stands beyond the line is removed first: a barrel without exploding, an
    unburnt barricade at the cost of a life of the last of the line.
    """
    line, beyond = _line(street, wrecker)
    if beyond == NOWHERE:
        return OVER
    token = street.tokens.get(beyond)
    if token is not None and token.kind is TokenKind.BARRIL:
        street.remove(token)
    elif token is not None and token.kind in BARRICADES and not token.fire:
        street.remove(token)
        street.hurt(line[0])
    return push_on(street, tuple(enemy.number for enemy in line), wrecker.facing)


def _line(street: Street, wrecker: Enemy) -> tuple[list[Enemy], Cell]:
    """The line, the farthest first, and the cell beyond it."""
    ahead = street.board.ahead[wrecker.facing]
    line: list[Enemy] = []
    cell = ahead[wrecker.cell]
    while cell in street.at:
        line.insert(0, street.at[cell])
        cell = ahead[cell]
    return line, cell


def push_on(street: Street, enemies: tuple[int, ...], facing: Facing) -> Landing:
    """These enemies, the farthest first, are pushed one cell, those that are still alive, until a roll interrupts."""
    for pushed, number in enumerate(enemies, 1):
        enemy = street.find(number)
        if enemy is None:
            continue
        landing = push_onto(street, enemy, street.board.ahead[facing][enemy.cell])
        if street.is_lost:
            return OVER
        if landing.first:
            return Landing(goes_on=True, first=(*landing.first, Push(enemies[pushed:], facing)))
    return ON
