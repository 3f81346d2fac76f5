"""The enemies' turn: each moves, nearest the entrance first (AG-30, AG-31, AG-33, AG-37, AG-43, AG-55, AG-59).

A cell has effects on an enemy that enters it (AG-32 to AG-35, AG-42, AG-46). The arrasador pushes the enemies that
block it (AG-37, AG-46).
"""

from typing import NamedTuple

from msgspec.structs import replace

from referee.games.agonia.box.board import NOWHERE, Cell, Facing
from referee.games.agonia.box.enemies import AGITADOR, ARRASADOR, DEVORADOR, FOOD, HEAVY, PRINTS
from referee.games.agonia.box.tokens import ACEITE, BARRICADES, BARRIL, CEPO, FIRE_DAMAGE, FOSO
from referee.games.agonia.enemies.combat import strike
from referee.games.agonia.enemies.street import Street
from referee.games.agonia.position.agenda import Advance, Agenda, BeginAdvance, Smoulder, Walk
from referee.games.agonia.position.events import Fed, Pushed, Slipped, Stepped, Trapped
from referee.games.agonia.position.state import FIRST_SIDE, OTHER_SIDE, Enemy, Progress, State, Token


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
    street.events.append(Stepped(enemy.number, oil.cells[0], enemy.facing))
    street.remove(oil)
    street.events.append(Slipped(enemy.number, enemy.cell))
    return OVER


def _land(street: Street, enemy: Enemy, token: Token | None, how: type[Stepped | Pushed]) -> Landing:
    if token is not None and token.kind is FOSO and enemy.kind not in HEAVY:
        return _fall(street, enemy, token, how)
    enemy = _turned(street, enemy)
    street.put(enemy)
    street.events.append(how(enemy.number, enemy.cell, enemy.facing))
    if token is not None:
        return _meet(street, enemy, token)
    return ON


def _fall(street: Street, enemy: Enemy, pit: Token, how: type[Stepped | Pushed]) -> Landing:
    """The enemy dies, however much life it has. The pit is removed (AG-32)."""
    street.events.append(how(enemy.number, enemy.cell, enemy.facing))
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
        street.events.append(Trapped(enemy.number))
        return OVER
    if token.kind not in {CEPO, FOSO}:
        street.remove(token)  # barricade or barrel under the arrasador (AG-37); oil or barrel under the pushed (AG-46)
    return ON


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


def begin(state: State, _step: BeginAdvance) -> Progress:
    """Fix the order of the enemies, and let them move (AG-30)."""
    return advance(state, Advance(tuple([enemy.number for enemy in state.enemies])))


def advance(state: State, step: Advance) -> Progress:
    """Each enemy that is still alive moves once, from its cell at that time. A roll interrupts this (AG-30)."""
    street = Street(state)
    for moved, number in enumerate(step.enemies, 1):
        interrupted = _move(street, number)
        if interrupted or street.is_lost:
            return street.done(*interrupted, Advance(step.enemies[moved:]))
    return street.done()


def go_on(state: State, step: Walk) -> Progress:
    """The rest of an interrupted move."""
    street = Street(state)
    return street.done(*_walk(street, step.enemy, step.steps))


def _move(street: Street, number: int) -> Agenda:
    """The move of one enemy. Returns the steps that must be done before the next enemy moves."""
    enemy = street.find(number)
    if enemy is None:
        return ()
    if enemy.held:
        street.free(enemy)  # at the end of its turn, which it has lost (AG-33, AG-53)
        return ()
    if enemy.kind is DEVORADOR and _feed(street, enemy):
        return ()
    return _walk(street, number, _steps(street, enemy))


def _steps(street: Street, enemy: Enemy) -> int:
    """The printed number, plus one next to another agitador, plus one for each stampede (AG-10)."""
    spurred = AGITADOR in street.kinds and AGITADOR in [it.kind for it in street.near(enemy.cell)]
    return PRINTS[enemy.kind].move + spurred + street.stampedes


def _feed(street: Street, devourer: Enemy) -> bool:
    """A wounded devorador takes a life from a neighbour that it eats: the one that would move last (AG-10, AG-55)."""
    if devourer.life == PRINTS[devourer.kind].life:
        return False
    food = [enemy for enemy in street.near(devourer.cell) if enemy.kind in FOOD]
    if not food:
        return False
    eaten = max(food, key=lambda enemy: street.board.rank[enemy.cell])
    street.put(replace(devourer, life=devourer.life + 1))
    street.events.append(Fed(devourer.number, eaten.number, devourer.life + 1))
    street.hurt(eaten)
    return True


def _walk(street: Street, number: int, steps: int) -> Agenda:
    """Walk this many steps, if possible. Returns the steps that interrupt the walk, and then the rest of the walk."""
    while steps and not street.is_lost and (enemy := street.find(number)):
        if enemy.kind is ARRASADOR and _ahead(street, enemy) in street.at:
            pushed = push(street, enemy)
            if pushed.first:
                return (*pushed.first, Walk(number, steps))
            if not pushed.goes_on:
                return ()
            continue
        landing = _stride(street, enemy)
        steps -= 1
        if landing.first:
            return (*landing.first, Walk(number, steps))
        if not landing.goes_on:
            return ()
    return ()


def _stride(street: Street, enemy: Enemy) -> Landing:
    """The enemy steps straight on. If that is blocked, it steps aside. If both sides are too, it stays (AG-31)."""
    ahead = _ahead(street, enemy)
    if _is_open(street, enemy, ahead):
        return step_onto(street, enemy, ahead)
    sides = street.board.side_cells[enemy.facing][enemy.cell]
    for side in (OTHER_SIDE, FIRST_SIDE) if enemy.aside == OTHER_SIDE else (FIRST_SIDE, OTHER_SIDE):  # AG-43
        if _is_empty(street, sides[side - 1]):
            return step_aside(street, enemy, sides[side - 1], side)
    return OVER


def _ahead(street: Street, enemy: Enemy) -> Cell:
    return street.board.ahead[enemy.facing][enemy.cell]


def _is_open(street: Street, enemy: Enemy, cell: Cell) -> bool:
    """Whether no edge, enemy, unburnt barricade or barrel is there. No token stops the arrasador (AG-31, AG-37)."""
    if cell == NOWHERE or cell in street.at:
        return False
    token = street.tokens.get(cell)
    if token is None or enemy.kind is ARRASADOR:
        return True
    return not (token.kind is BARRIL or (token.kind in BARRICADES and not token.fire))


def _is_empty(street: Street, cell: Cell) -> bool:
    """Whether no edge, enemy or token of any kind is there: only then an enemy steps aside to it (AG-59)."""
    return cell != NOWHERE and cell not in street.at and cell not in street.tokens


def smoulder(state: State, step: Smoulder) -> Progress:
    """Remove a burning barricade after the second entry, or after the arrasador enters it (AG-35, AG-54)."""
    street = Street(state)
    token = street.tokens[step.cell]
    if step.last or token.fire == 1:
        street.remove(token)
    else:
        street.burn(token, token.fire - 1)
    return street.done()
