"""The enemies and tokens on the board, while they change."""

from msgspec.structs import replace

from referee.games.agonia.box.board import Cell
from referee.games.agonia.box.enemies import EnemyKind
from referee.games.agonia.position.agenda import Step
from referee.games.agonia.position.events import Burning, Died, Event, Freed, Removed, Wounded
from referee.games.agonia.position.state import (
    Ending,
    Enemy,
    Progress,
    State,
    Token,
    board_of,
    ended,
    in_order,
    is_cleared,
)


class Street:
    """The enemies and tokens of a position. They can be changed and then made into the next position.

    Attributes:
        board: the board that they are on.
        at: the enemies by cell.
        tokens: the tokens by each of their cells.
        events: the events so far.
        kinds: the kinds of the enemies that were there at first.
        stampedes: how many more steps every enemy moves.
        is_lost: whether an enemy has come to the entrance (AG-39).
    """

    def __init__(self, state: State) -> None:
        self.board = board_of(state)
        self.at = {enemy.cell: enemy for enemy in state.enemies}
        self.tokens = {cell: token for token in state.tokens for cell in token.cells}
        self.events: list[Event] = []
        self.kinds = {enemy.kind for enemy in state.enemies}
        self.stampedes = state.stampedes
        self.is_lost = False
        self._state = state
        self._cells = {enemy.number: enemy.cell for enemy in state.enemies}
        self._died: list[EnemyKind] = []
        self._enemies_changed = self._tokens_changed = False

    def done(self, *steps: Step) -> Progress:
        """The position after the step on top of the agenda. These steps replace it."""
        state, died = self._state, self._died
        after = replace(
            state,
            agenda=steps + state.agenda[1:],
            enemies=in_order(self.board, self.at.values()) if self._enemies_changed else state.enemies,
            tokens=tuple(sorted(set(self.tokens.values()))) if self._tokens_changed else state.tokens,
            dead=tuple(sorted((*state.dead, *died))) if died else state.dead,
            killed=state.killed + len(died),
        )
        return self._tested(after)

    def _tested(self, state: State) -> Progress:
        """Win and loss are tested after every change (AG-41)."""
        events = tuple(self.events)
        if self.is_lost:
            after, end = ended(state, Ending.ENTRANCE)
            return after, events + end
        if self._died and is_cleared(state):
            after, end = ended(state, Ending.VICTORY)
            return after, events + end
        return state, events

    # Enemies

    def find(self, number: int) -> Enemy | None:
        """The enemy with this number, if it is on the board."""
        cell = self._cells.get(number)
        return None if cell is None else self.at[cell]

    def near(self, cell: Cell) -> list[Enemy]:
        """The enemies on the neighbours of a cell (AG-03)."""
        around = self.board.around[cell]
        return [enemy for at, enemy in self.at.items() if around >> at & 1]

    def put(self, enemy: Enemy) -> None:
        """Put the enemy on its cell, and take it off its old one."""
        del self.at[self._cells[enemy.number]]
        self.at[enemy.cell] = enemy
        self._cells[enemy.number] = enemy.cell
        self._enemies_changed = True
        if self.board.entrance >> enemy.cell & 1:
            self.is_lost = True

    def hurt(self, enemy: Enemy) -> None:
        """The enemy loses a life. It dies when it loses the last one."""
        if enemy.life == 1:
            self.kill(enemy)
            return
        self.put(replace(enemy, life=enemy.life - 1))
        self.events.append(Wounded(enemy.number, enemy.life - 1))

    def kill(self, enemy: Enemy) -> None:
        """The enemy dies. A trap that held it is removed too (AG-53)."""
        if enemy.held:
            self.free(enemy)
        del self.at[self._cells.pop(enemy.number)]
        self._enemies_changed = True
        self._died.append(enemy.kind)
        self.events.append(Died(enemy.number, enemy.kind, enemy.cell))

    def free(self, enemy: Enemy) -> Enemy:
        """Remove the trap that holds an enemy (AG-53). Returns the freed enemy."""
        freed = replace(enemy, held=False)
        self.put(freed)
        self.events.append(Freed(enemy.number))
        self.remove(self.tokens[enemy.cell])
        return freed

    # Tokens

    def remove(self, token: Token) -> None:
        """Put a token back into the stock."""
        self.take(token)
        self.events.append(Removed(token.kind, token.cells))

    def take(self, token: Token) -> None:
        """Do the same as `remove`, but without an event."""
        for cell in token.cells:
            del self.tokens[cell]
        self._tokens_changed = True

    def burn(self, token: Token, fire: int) -> None:
        """Let a barricade burn for this many more entries (AG-35)."""
        self._set(replace(token, fire=fire))
        self.events.append(Burning(token.cells, fire))

    def _set(self, token: Token) -> None:
        for cell in token.cells:
            self.tokens[cell] = token
        self._tokens_changed = True
