"""The arrasador pushes the enemies that block it (AG-37, AG-46)."""

from referee.games.agonia.box.board import NOWHERE, Cell, Facing
from referee.games.agonia.box.tokens import BARRICADES
from referee.games.agonia.enemies.landing import ON, OVER, Landing, push_onto
from referee.games.agonia.enemies.street import Street
from referee.games.agonia.position.state import Enemy


def push(street: Street, wrecker: Enemy) -> Landing:
    """Push the unbroken line of enemies ahead by one cell, the farthest first, if there is room (AG-46).

    The arrasador goes on unless no enemy can move. A roll for fire interrupts the push, and then the rest of the line
    is pushed as a line. An unburnt barricade beyond the line is removed first, and the last enemy loses a life for it.
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
    """The enemies of the line, the farthest first, and the cell beyond the line."""
    ahead = street.board.ahead[wrecker.facing]
    line: list[Enemy] = []
    cell = ahead[wrecker.cell]
    while cell in street.at:
        line.insert(0, street.at[cell])
        cell = ahead[cell]
    return line, cell


def _push_each(street: Street, enemies: list[int], facing: Facing) -> Landing:
    """Push each of these enemies that is still alive by one cell."""
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
