"""The effects on an enemy that enters a cell (AG-32 to AG-35, AG-42, AG-46)."""

from typing import NamedTuple

from msgspec.structs import replace

from referee.games.agonia.box.board import Cell
from referee.games.agonia.box.enemies import ARRASADOR, HEAVY
from referee.games.agonia.box.tokens import ACEITE, CEPO, FIRE_DAMAGE, FOSO
from referee.games.agonia.enemies.combat import strike
from referee.games.agonia.enemies.street import Street
from referee.games.agonia.position.agenda import Agenda, Smoulder
from referee.games.agonia.position.events import Pushed, Slipped, Stepped, Trapped
from referee.games.agonia.position.state import Enemy, Token


class Landing(NamedTuple):
    """Whether an enemy may go on, and the steps that must be done first."""

    goes_on: bool = True
    first: Agenda = ()


ON, OVER = Landing(), Landing(goes_on=False)


def step_onto(street: Street, enemy: Enemy, cell: Cell) -> Landing:
    """A step forward. The enemy forgets that it stepped aside (AG-43)."""
    token = street.tokens.get(cell)
    if token is not None and token.kind is ACEITE:
        return _slip(street, enemy, token)
    return _land(street, replace(enemy, cell=cell, aside=0), token, Stepped)


def step_aside(street: Street, enemy: Enemy, cell: Cell, side: int) -> Landing:
    """A step to a side, where no token is (AG-59). The enemy remembers the side (AG-43)."""
    return _land(street, replace(enemy, cell=cell, aside=side), None, Stepped)


def push_onto(street: Street, enemy: Enemy, cell: Cell) -> Landing:
    """A push. It removes a trap that held the enemy (AG-53)."""
    if enemy.held:
        enemy = street.free(enemy)
    return _land(street, replace(enemy, cell=cell), street.tokens.get(cell), Pushed)


def _slip(street: Street, enemy: Enemy, oil: Token) -> Landing:
    """The enemy slips back to its last cell and faces as before. No token there acts again (AG-34, AG-42)."""
    street.put(replace(enemy, aside=0))
    street.told.append(Stepped(enemy.number, oil.cells[0], enemy.facing))
    street.remove(oil)
    street.told.append(Slipped(enemy.number, enemy.cell))
    return OVER


def _land(street: Street, enemy: Enemy, token: Token | None, how: type[Stepped | Pushed]) -> Landing:
    if token is not None and token.kind is FOSO and enemy.kind not in HEAVY:
        return _fall(street, enemy, token, how)
    enemy = _turned(street, enemy)
    street.put(enemy)
    street.told.append(how(enemy.number, enemy.cell, enemy.facing))
    if token is not None:
        return _meet(street, enemy, token)
    return ON


def _fall(street: Street, enemy: Enemy, pit: Token, how: type[Stepped | Pushed]) -> Landing:
    """The enemy dies, however much life it has. The pit is removed (AG-32)."""
    street.told.append(how(enemy.number, enemy.cell, enemy.facing))
    street.kill(enemy)
    street.remove(pit)
    return OVER


def _turned(street: Street, enemy: Enemy) -> Enemy:
    """The enemy faces along the arrow on its cell. If it turns, it forgets its sidestep (AG-42, AG-43)."""
    arrow = street.board.arrow[enemy.cell]
    if arrow is None or arrow is enemy.facing:
        return enemy
    return replace(enemy, facing=arrow, aside=0)


def _meet(street: Street, enemy: Enemy, token: Token) -> Landing:
    """An enemy meets a token: fire, a trap, or a token that does nothing to it."""
    wrecker = enemy.kind is ARRASADOR
    if token.fire:
        attack = strike(street.board, street.at.values(), enemy, FIRE_DAMAGE)
        return Landing(first=(attack, Smoulder(enemy.cell, last=wrecker)))
    if token.kind is CEPO and not wrecker:
        street.put(replace(enemy, held=True))
        street.told.append(Trapped(enemy.number))
        return OVER
    if token.kind not in {CEPO, FOSO}:
        street.remove(token)  # barricade or barrel under the arrasador (AG-37); oil or barrel under the pushed (AG-46)
    return ON
