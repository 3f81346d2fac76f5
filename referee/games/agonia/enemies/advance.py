"""The enemies' turn: each moves, nearest the entrance first (AG-30, AG-31, AG-33, AG-37, AG-43, AG-55, AG-59)."""

from msgspec.structs import replace

from referee.games.agonia.box.board import NOWHERE, Cell
from referee.games.agonia.box.enemies import AGITADOR, ARRASADOR, DEVORADOR, FOOD, PRINTS
from referee.games.agonia.box.tokens import BARRICADES, BARRIL
from referee.games.agonia.enemies.landing import OVER, Landing, step_aside, step_onto
from referee.games.agonia.enemies.pushing import push
from referee.games.agonia.enemies.street import Street
from referee.games.agonia.position.agenda import Advance, Agenda, BeginAdvance, Smoulder, Walk
from referee.games.agonia.position.events import Fed
from referee.games.agonia.position.state import FIRST_SIDE, OTHER_SIDE, Enemy, Progress, State


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
    street.told.append(Fed(devourer.number, eaten.number, devourer.life + 1))
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
    sides = street.board.aside[enemy.facing][enemy.cell]
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
