"""The arrasador pushes what blocks it (AG-37, AG-46)."""

from referee.games.agonia.box.board import NOWHERE, Cell, Facing
from referee.games.agonia.box.tokens import BARRICADES
from referee.games.agonia.enemies.landing import ON, OVER, Landing, push_onto
from referee.games.agonia.enemies.street import Street
from referee.games.agonia.position.state import Enemy


def push(street: Street, wrecker: Enemy) -> Landing:
    """The unbroken line of enemies before it moves one cell, the farthest first, if there is room for it (AG-46).

    It goes on unless nothing can move. A roll for fire interrupts; then the rest of the line is pushed as a line. An
    unburnt barricade beyond it is removed first, at the cost of a life of the last.
    """
    line, beyond = _line(street, wrecker)
    if beyond == NOWHERE:
        return OVER
    token = street.tokens.get(beyond)
    if token is not None and token.kind in BARRICADES and not token.fire:
        street.remove(token)
        street.hurt(line[0])
    return _push_each(street, [enemy.number for enemy in line], wrecker.facing)


def _line(street: Street, wrecker: Enemy) -> tuple[list[Enemy], Cell]:
    """The line, the farthest first, and the cell beyond it."""
    ahead = street.board.ahead[wrecker.facing]
    line: list[Enemy] = []
    cell = ahead[wrecker.cell]
    while cell in street.at:
        line.insert(0, street.at[cell])
        cell = ahead[cell]
    return line, cell


def _push_each(street: Street, enemies: list[int], facing: Facing) -> Landing:
    """These enemies, those of them that are still alive, are pushed one cell."""
    for number in enemies:
        enemy = street.find(number)
        if enemy is None:
            continue
        landing = push_onto(street, enemy, street.board.ahead[facing][enemy.cell])
        if street.is_lost:
            return OVER
        if landing.first:
            return landing
    return ON
