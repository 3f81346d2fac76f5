"""Attacks of players: shots, lines and area cards (AG-10, AG-44, AG-49, AG-58)."""

from functools import cache, lru_cache

from referee.core.outcome import Seat
from referee.games.agonia.box.board import BOARDS, NOWHERE, BoardName, Cell, Mask, cells_in, mask
from referee.games.agonia.box.cards import (
    AREAS,
    EQUIPMENT,
    JOINED,
    WEAPONS,
    Cards,
    HeldCard,
    Weapon,
    card_of,
    is_jammed,
)
from referee.games.agonia.box.characters import PRINTS, Character
from referee.games.agonia.box.tokens import BARRICADES, BARRIL
from referee.games.agonia.enemies.combat import area_around, strike
from referee.games.agonia.position.actions import (
    LINES,
    SHOOT_BARREL,
    Action,
    ShootBarrel,
    ShootEnemy,
    ShootLine,
    Throw,
    shoot,
    throw,
)
from referee.games.agonia.position.agenda import Blast, Explode, SecondShot, Step
from referee.games.agonia.position.state import (
    RESULTS_KEPT,
    Progress,
    SeatState,
    State,
    board_of,
    different,
    done,
    find_enemy,
    used_up,
)

# Targets


def shots(state: State, seat: Seat) -> tuple[Action, ...]:
    """The targets of the equipped weapon: enemies in the order they move, then the barrel; or lines, clockwise."""
    own = state.seats[seat]
    weapon = own.weapon
    if weapon is None or is_jammed(weapon):
        return ()
    print_ = WEAPONS[card_of(weapon)]
    if print_.line:
        return _lines_with_targets(state, own.cell, print_.range)
    return _targets(state, own, print_)


def _targets(state: State, own: SeatState, weapon: Weapon) -> tuple[Action, ...]:
    reach = weapon.range + _more_range(own.character, weapon.firearm, own.joined)
    field = _field(state.options.board, own.cell, weapon.nearest, reach)
    targets: list[Action] = [shoot(enemy.number) for enemy in state.enemies if enemy.cell in field]
    if _barrel(state) in field:
        targets.append(SHOOT_BARREL)
    return tuple(targets)


@cache
def _more_range(character: Character, firearm: bool, joined: Cards) -> int:
    """Ojo de halcón helps firearms. The mira helps weapons that do not shoot along a line (AG-47)."""
    more = PRINTS[character].firearm_range if firearm else 0
    return more + sum(JOINED[card_of(card)].more_range for card in joined)


@cache
def _field(board: BoardName, cell: Cell, nearest: int, farthest: int) -> frozenset[Cell]:
    """The cells at a distance of `nearest` to `farthest` from `cell` (AG-03)."""
    within = BOARDS[board].within[cell]
    return frozenset(cells_in(within[min(farthest, len(within) - 1)] & ~within[nearest - 1]))


def _barrel(state: State) -> Cell:
    """The cell of the barrel. NOWHERE if the barrel is not on the board."""
    for token in state.tokens:
        if token.kind is BARRIL:
            return token.cells[0]
    return NOWHERE


def _lines_with_targets(state: State, cell: Cell, reach: int) -> tuple[Action, ...]:
    targets = _attackable(state)
    return tuple([action for action, line in _lines(state.options.board, cell, reach) if line & targets])


def _attackable(state: State) -> Mask:
    """The cells with an enemy, a barricade or the barrel (AG-49)."""
    targets = 0
    for enemy in state.enemies:
        targets |= 1 << enemy.cell
    for token in state.tokens:
        if token.kind in BARRICADES or token.kind is BARRIL:
            targets |= mask(token.cells)
    return targets


@cache
def _lines(board: BoardName, cell: Cell, reach: int) -> tuple[tuple[ShootLine, Mask], ...]:
    """The lines that reach cells where enemies can be. Clockwise, starting with the line up."""
    lines = [(action, _line(board, cell, action, reach)) for action in LINES.values()]
    return tuple((action, line) for action, line in lines if line)


def _line(board: BoardName, cell: Cell, action: ShootLine, reach: int) -> Mask:
    line = BOARDS[board].lines[cell][action.direction - 1][:reach]
    return mask(line) & BOARDS[board].ground


def throws(state: State, seat: Seat) -> tuple[Action, ...]:
    """Each different area card of the hand, on every street, spawn and entrance cell in range (AG-49). Sorted."""
    own = state.seats[seat]
    cards = _areas(own.hand)
    if not cards:
        return ()
    first, *others = [_throws(state.options.board, own.cell, card, own.equipment) for card in cards]
    return sum(others, first)


@lru_cache(RESULTS_KEPT)
def _areas(hand: Cards) -> Cards:
    return tuple(card for card in different(hand) if card_of(card) in AREAS)


@cache
def _throws(board: BoardName, cell: Cell, card: HeldCard, equipment: HeldCard | None) -> tuple[Action, ...]:
    more = 0 if equipment is None else EQUIPMENT[card_of(equipment)].more_area_range
    field = _field(board, cell, 1, AREAS[card_of(card)].range + more)
    return tuple(throw(card, target) for target in cells_in(BOARDS[board].ground) if target in field)


# Attacking


def shot(state: State, seat: Seat, action: ShootEnemy | ShootBarrel | ShootLine, *rest: Step) -> Progress:
    """The first attack of an equipped weapon. A subfusil attacks once more before the `rest` (AG-58)."""
    weapon = _equipped(state, seat)
    second = (SecondShot(seat),) if weapon.attacks > 1 else ()
    return done(state, _attack(state, seat, action), *second, *rest), ()


def thrown(state: State, seat: Seat, action: Throw, *rest: Step) -> Progress:
    """Use up an area card. The `rest` follows."""
    area = AREAS[card_of(action.card)]
    blast = Blast(area_around(board_of(state), action.cell), area.damage, area.alight)
    return used_up(state, seat, action.card, blast, *rest), ()


def _equipped(state: State, seat: Seat) -> Weapon:
    weapon = state.seats[seat].weapon
    if weapon is None or is_jammed(weapon):
        raise ValueError(f"seat {seat} has no weapon that can shoot")
    return WEAPONS[card_of(weapon)]


def _attack(state: State, seat: Seat, action: Action) -> Step:
    own, weapon = state.seats[seat], _equipped(state, seat)
    if isinstance(action, ShootLine):
        return Blast(_line(state.options.board, own.cell, action, weapon.range), weapon.damage, weapon.alight)
    if isinstance(action, ShootBarrel):
        return Explode(_barrel(state))
    if not isinstance(action, ShootEnemy):
        raise ValueError(f"{action} cannot be chosen where a weapon must be shot")
    enemy = find_enemy(state, action.enemy)
    if enemy is None:
        raise ValueError(f"enemy {action.enemy} is not on the board")
    damage = weapon.damage + sum(JOINED[card_of(card)].more_damage for card in own.joined)
    return strike(board_of(state), state.enemies, enemy, damage)


# The second attack


def second_shot(state: State, step: SecondShot) -> Progress | None:
    """Wait for the player to choose a target. Without any target, there is no second attack (AG-58)."""
    return None if shots(state, step.seat) else (done(state), ())


def second_shots(state: State, _step: SecondShot, seat: Seat) -> tuple[Action, ...]:
    """The same targets as for a first attack. The player cannot decline."""
    return shots(state, seat)


def shot_again(state: State, _step: SecondShot, seat: Seat, action: Action) -> Progress:
    """The second attack."""
    return done(state, _attack(state, seat, action)), ()
