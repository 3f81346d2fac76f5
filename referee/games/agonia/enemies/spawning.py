"""New enemies appear (AG-38, AG-52)."""

from msgspec.structs import replace

from referee.core.game import Roll, Shuffle
from referee.games.agonia.box.board import DIE, Board, Cell, mask
from referee.games.agonia.box.enemies import PRINTS
from referee.games.agonia.position.agenda import Arrival, EndRound, Restock, Spawning
from referee.games.agonia.position.events import NoRoom, Restocked, Spawned
from referee.games.agonia.position.state import Enemy, Progress, State, board_of, done, in_order


def horde(state: State) -> tuple[Arrival, ...]:
    """The arrival that a ¡horda! brings, if an enemy can appear (AG-52)."""
    return () if _is_quiet(state) else (Arrival(f"horde/{state.round}/{state.spawned + 1}"),)


def begin(state: State, _step: Spawning) -> Progress:
    """One enemy appears for each player, if enemies can appear (AG-38)."""
    count = 0 if _is_quiet(state) else len(state.order)
    arrivals = [Arrival(f"spawn/{state.round}/{number + 1}") for number in range(count)]
    return done(state, *arrivals, EndRound(state.spawned)), ()


def _is_quiet(state: State) -> bool:
    """Whether no more enemies appear this round: on the last cell of the counter, or after calma tensa (AG-52)."""
    return state.calm or state.counter == state.last


def arrive(state: State, _step: Arrival) -> Progress | None:
    """Without a token or without room, no enemy appears. Otherwise wait for the roll for the column."""
    if _is_full(state) or not has_tokens(state):
        return done(state), (NoRoom(),)
    if not state.pile:
        return replace(state, agenda=(Restock(), *state.agenda)), ()
    return None


def has_tokens(state: State) -> bool:
    """Whether the pile or the dead have a token for another enemy."""
    return bool(state.pile or state.dead)


def _is_full(state: State) -> bool:
    return not board_of(state).spawns & ~mask([enemy.cell for enemy in state.enemies])


def roll(_state: State, step: Arrival) -> Roll:
    """Roll a die for the column."""
    return Roll(step.label, DIE)


def arrived(state: State, _step: Arrival, drawn: tuple[int, ...]) -> Progress:
    """Put the top token on the rolled column, or the next free one to the right, and on from the left (AG-38)."""
    board, kind, number = board_of(state), state.pile[0], state.spawned + 1
    cell = _column(board, state, drawn[0])
    enemy = Enemy(number, kind, cell, PRINTS[kind].life)
    enemies = in_order(board, (*state.enemies, enemy))
    after = replace(state, agenda=state.agenda[1:], enemies=enemies, pile=state.pile[1:], spawned=number)
    return after, (Spawned(number, kind, cell, drawn[0] + 1),)


def _column(board: Board, state: State, rolled: int) -> Cell:
    taken = [enemy.cell for enemy in state.enemies]
    columns = board.spawn[rolled:] + board.spawn[:rolled]
    return next(cell for cell in columns if cell not in taken)


def shuffle(state: State, _step: Restock) -> Shuffle:
    """Shuffle the dead tokens. Sorted before the shuffle."""
    return Shuffle(f"tokens/{state.restocks + 1}", len(state.dead))


def restocked(state: State, _step: Restock, order: tuple[int, ...]) -> Progress:
    """The shuffled tokens are the pile now (AG-38)."""
    pile = tuple(state.dead[token] for token in order)
    return done(state, pile=pile, dead=(), restocks=state.restocks + 1), (Restocked(len(pile)),)
