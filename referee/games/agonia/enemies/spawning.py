"""New enemies appear (AG-38, AG-52)."""

from collections.abc import Iterator
from functools import cache

from referee.core.game import Roll, Shuffle
from referee.games.agonia.box.board import BOARDS, DIE, BoardName, Cell, Mask, mask
from referee.games.agonia.box.enemies import PRINTS
from referee.games.agonia.position.agenda import Arrivals, Columns, EndRound, Restock, Spawning
from referee.games.agonia.position.events import NoRoom, Restocked, Spawned
from referee.games.agonia.position.state import Enemy, Progress, State, board_of, done, in_order


def horde(state: State) -> tuple[Columns, ...]:
    """The roll for a ¡horda!, if enemies can appear (AG-52)."""
    return () if _is_quiet(state) else (Columns(f"horde/{state.round}/{state.spawned + 1}", 1),)


def begin(state: State, _step: Spawning) -> Progress:
    """One enemy appears for each player, if enemies can appear (AG-38)."""
    coming = () if _is_quiet(state) else (Columns(f"spawn/{state.round}", len(state.order)),)
    return done(state, *coming, EndRound(state.spawned)), ()


def _is_quiet(state: State) -> bool:
    """Whether no more enemies appear this round: on the last cell of the counter, or after calma tensa (AG-52)."""
    return state.calm or state.counter == state.last


def columns(state: State, step: Columns) -> Progress | None:
    """Without a token or without room, no enemy appears. Otherwise wait for the roll."""
    return None if _places(state) else (done(state), (NoRoom(),) * step.enemies)


def _places(state: State) -> int:
    """How many enemies can appear: there must be a token and a free column for each."""
    return min(len(state.pile) + len(state.dead), _free(state).bit_count())


def _free(state: State) -> Mask:
    """The spawn cells where nobody stands."""
    return board_of(state).spawns & ~mask([enemy.cell for enemy in state.enemies])


def has_tokens(state: State) -> bool:
    """Whether the pile or the dead have a token for another enemy."""
    return bool(state.pile or state.dead)


def roll(state: State, step: Columns) -> Roll:
    """Roll a die for each enemy that can appear. No die is without effect, so the events report every die."""
    return Roll(step.label, DIE, min(step.enemies, _places(state)))


def rolled(state: State, step: Columns, drawn: tuple[int, ...]) -> Progress:
    """The enemies appear on the columns rolled (AG-38)."""
    return arrive(state, Arrivals(drawn, step.enemies - len(drawn)))


def arrive(state: State, step: Arrivals) -> Progress:
    """Put the top tokens on the board. If the pile is empty before all are there, it is refilled (AG-38)."""
    came = list(_coming(state, step.columns))
    events = [Spawned(it.number, it.kind, it.cell, die + 1) for it, die in zip(came, step.columns, strict=False)]
    left = step.columns[len(came) :]
    after = done(
        state,
        *((Restock(), Arrivals(left, step.others)) if left else ()),
        enemies=in_order(board_of(state), (*state.enemies, *came)),
        pile=state.pile[len(came) :],
        spawned=state.spawned + len(came),
    )
    return after, (*events, *(() if left else [NoRoom()] * step.others))


def _coming(state: State, columns: tuple[int, ...]) -> Iterator[Enemy]:
    """The top tokens of the pile, as far as they go, on these columns."""
    board, free = state.options.board, _free(state)
    for number, (kind, column) in enumerate(zip(state.pile, columns, strict=False), state.spawned + 1):
        cell = _column(board, free, column)
        free &= ~(1 << cell)
        yield Enemy(number, kind, cell, PRINTS[kind].life)


@cache
def _column(board: BoardName, free: Mask, rolled: int) -> Cell:
    """The rolled column, or the next free one to the right, and on from the left (AG-38)."""
    spawn = BOARDS[board].spawn
    return next(cell for cell in spawn[rolled:] + spawn[:rolled] if free >> cell & 1)


def shuffle(state: State, _step: Restock) -> Shuffle:
    """Shuffle the dead tokens. Sorted before the shuffle."""
    return Shuffle(f"tokens/{state.restocks + 1}", len(state.dead))


def restocked(state: State, _step: Restock, order: tuple[int, ...]) -> Progress:
    """The shuffled tokens are the pile now (AG-38)."""
    pile = tuple(state.dead[token] for token in order)
    return done(state, pile=pile, dead=(), restocks=state.restocks + 1), (Restocked(len(pile)),)
