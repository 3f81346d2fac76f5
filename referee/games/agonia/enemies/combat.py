"""Attacks on enemies and tokens, from any source (AG-10, AG-35, AG-36, AG-49, AG-50)."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from referee.core.game import Roll
from referee.games.agonia.box.board import DIE, Board, Cell, Mask
from referee.games.agonia.box.enemies import ENJAMBRE, OSEO, PRINTS
from referee.games.agonia.box.tokens import BARREL_DAMAGE, BARRICADE_DEFENCE, BARRICADES, BARRIL, FIRE
from referee.games.agonia.enemies.street import Street
from referee.games.agonia.position.agenda import Alight, Blast, Explode, Kindle, Quench, Step, Strike
from referee.games.agonia.position.events import Exploded, Rolled, RolledToKindle
from referee.games.agonia.position.state import Enemy, Progress, State, board_of, done


def strike(board: Board, enemies: Iterable[Enemy], enemy: Enemy, damage: int) -> Strike:
    """An attack on `enemy`, which is one of `enemies`. It fixes now which roll is a hit (AG-50)."""
    return Strike(enemy.number, PRINTS[enemy.kind].defence - damage + _swarm(board, enemies, enemy.cell))


def _swarm(board: Board, enemies: Iterable[Enemy], cell: Cell) -> int:
    """1 if an enjambre is on the cell or next to it, else 0. Several count once (AG-10)."""
    near = board.within[cell][1]
    return 1 if any(enemy.kind is ENJAMBRE and near >> enemy.cell & 1 for enemy in enemies) else 0


# Luck


def roll(state: State, _step: Strike | Kindle) -> Roll:
    """Roll a die for an attack."""
    return Roll(f"attack/{state.round}/{state.rolls + 1}", DIE)


def struck(state: State, step: Strike, drawn: tuple[int, ...]) -> Progress:
    """A hit takes a life. A hit on an óseo is rolled again, and the second roll stands (AG-10)."""
    die = drawn[0] + 1
    street = Street(state)
    enemy = street.find(step.enemy)
    if enemy is None:
        raise ValueError(f"enemy {step.enemy} is struck, but is not on the board")
    street.events.append(Rolled(step.enemy, die, step.needed, step.again))
    hit = die >= step.needed
    again = hit and enemy.kind is OSEO and not step.again
    if hit and not again:
        street.hurt(enemy)
    return _rolled(street.done(*([Strike(step.enemy, step.needed, again=True)] if again else [])))


def kindled(state: State, step: Kindle, drawn: tuple[int, ...]) -> Progress:
    """A hit sets a barricade alight (AG-35)."""
    die = drawn[0] + 1
    street = Street(state)
    street.events.append(RolledToKindle(step.cell, die, step.needed))
    if die >= step.needed:
        street.burn(street.tokens[step.cell], FIRE)
    return _rolled(street.done())


def _rolled(progress: Progress) -> Progress:
    state, events = progress
    return replace(state, rolls=state.rolls + 1), events


# Areas


def blast(state: State, step: Blast) -> Progress:
    """Attack everything in the area once: enemies in the order they move, barricades, the barrel (AG-49, AG-50)."""
    board = board_of(state)
    targets = [enemy for enemy in state.enemies if step.area >> enemy.cell & 1]
    strikes = [strike(board, state.enemies, enemy, step.damage) for enemy in targets]
    return done(state, *strikes, *_on_tokens(state, step)), ()


def _on_tokens(state: State, step: Blast) -> Iterator[Step]:
    """Each barricade once, sorted by y, then x of its first cell. The barrel comes last (AG-49, AG-50)."""
    barrel: Step | None = None
    for token in state.tokens:
        if not any(step.area >> cell & 1 for cell in token.cells):
            continue
        if token.kind in BARRICADES:
            yield _on_barricade(token.cells[0], token.fire, step)
        elif token.kind is BARRIL:
            barrel = Explode(token.cells[0])
    if barrel is not None:
        yield barrel


def _on_barricade(cell: Cell, fire: int, step: Blast) -> Step:
    if fire:
        return Quench(cell)
    return Alight(cell) if step.alight else Kindle(cell, BARRICADE_DEFENCE - step.damage)


def alight(state: State, step: Alight) -> Progress:
    """The barricade burns (AG-49)."""
    street = Street(state)
    street.burn(street.tokens[step.cell], FIRE)
    return street.done()


def quench(state: State, step: Quench) -> Progress:
    """Remove the burning barricade (AG-35)."""
    street = Street(state)
    street.remove(street.tokens[step.cell])
    return street.done()


def explode(state: State, step: Explode) -> Progress:
    """Remove the barrel and attack its 8 neighbours (AG-36)."""
    street = Street(state)
    street.take(street.tokens[step.cell])
    street.events.append(Exploded(step.cell))
    return street.done(Blast(street.board.around[step.cell], BARREL_DAMAGE))


def area_around(board: Board, cell: Cell) -> Mask:
    """A cell and its 8 neighbours (AG-49)."""
    return board.within[cell][1]
