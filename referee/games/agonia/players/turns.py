"""The turn of a player: its legal actions, what they cost, and when the turn ends (AG-23, AG-24)."""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Any

from msgspec.structs import replace

from referee.core.outcome import Seat
from referee.games.agonia import deck
from referee.games.agonia.box.board import BOARDS, BoardName, Cell
from referee.games.agonia.box.cards import EQUIPMENT, HeldCard, card_of
from referee.games.agonia.box.characters import PRINTS, Character
from referee.games.agonia.players.attacks import shot, shots, thrown, throws
from referee.games.agonia.players.exchanging import exchanges, offered
from referee.games.agonia.players.placing import placed, places
from referee.games.agonia.players.searching import SEARCHED, equipped, equips
from referee.games.agonia.position.actions import (
    END_TURN,
    SEARCH,
    Action,
    EndTurn,
    Equip,
    Exchange,
    Go,
    Place,
    SearchDeck,
    ShootBarrel,
    ShootEnemy,
    ShootLine,
    Throw,
    go,
)
from referee.games.agonia.position.agenda import Search, Trim, Turn
from referee.games.agonia.position.state import RESULTS_KEPT, Progress, State, board_of, done, with_seat

# How a turn goes


def turn(state: State, step: Turn) -> Progress | None:
    """Wait for the player. If the player can only end the turn, end it (AG-44)."""
    if step.acted:
        return None if _free(state, step.seat) else _end(state, step.seat)
    after = deck.begin_turn(state, step.seat)
    return None if after is state else (after, ())


def _end(state: State, seat: Seat) -> Progress:
    after, events = deck.end_turn(state, seat)
    return done(after), events


def actions(state: State, step: Turn, seat: Seat) -> tuple[Action, ...]:
    """All legal actions, by kind. After the player has acted, only the free ones."""
    if step.acted:
        return (*_free(state, seat), END_TURN)
    own = state.seats[seat]
    return (
        *_walks(state, seat),
        *equips(own, own.hand),
        SEARCH,
        *shots(state, seat),
        *throws(state, seat),
        *places(state, seat),
        *exchanges(state, seat),
        END_TURN,
    )


def _free(state: State, seat: Seat) -> Sequence[Action]:
    """The cards that the player can use for free (AG-24, AG-44)."""
    return _FREE[state.seats[seat].character](state, seat)


_USES: dict[str, Callable[[State, Seat], Sequence[Action]]] = {
    "nothing": lambda _state, _seat: (),
    "area": throws,
    "placing": places,
}
_FREE = {character: _USES[it.free] for character, it in PRINTS.items()}


# Walking


def _walks(state: State, seat: Seat) -> Sequence[Action]:
    """A walk to every cell in reach where nobody stands (AG-02). Sorted."""
    own = state.seats[seat]
    others = tuple([other.cell for other in state.seats])
    return _free_walks(state.options.board, own.cell, _steps(own.character, own.equipment), others)


@cache
def _steps(character: Character, equipment: HeldCard | None) -> int:
    """Lía walks 4 steps, the others walk 3. Zapatillas add 1 (AG-23)."""
    more = 0 if equipment is None else EQUIPMENT[card_of(equipment)].more_steps
    return PRINTS[character].steps + more


@lru_cache(RESULTS_KEPT)
def _free_walks(board: BoardName, cell: Cell, steps: int, taken: tuple[Cell, ...]) -> tuple[Go, ...]:
    return tuple([action for action in _reached(board, cell, steps) if action.cell not in taken])


@cache
def _reached(board: BoardName, cell: Cell, steps: int) -> tuple[Go, ...]:
    return tuple(map(go, BOARDS[board].walks[cell][steps]))


# The effects of the actions


def act(state: State, step: Turn, seat: Seat, action: Action) -> Progress:
    """The player does something. Raises ValueError if it cannot be done at all."""
    does = _DOES.get(type(action))
    if does is None:
        raise ValueError(f"{action} cannot be chosen in a turn")
    return does(state, step, seat, action)


def _walk(state: State, _step: Turn, seat: Seat, action: Go) -> Progress:
    if not board_of(state).players >> action.cell & 1:
        raise ValueError(f"no player can stand on cell {action.cell}")
    seats = with_seat(state, seat, replace(state.seats[seat], cell=action.cell))
    return done(state, Turn(seat, acted=True), seats=seats), ()


def _change(state: State, _step: Turn, seat: Seat, action: Equip) -> Progress:
    """The cards that come back may put the hand over its limit (AG-25)."""
    seats, events = equipped(state, seat, action.card)
    return done(state, Trim((seat,)), Turn(seat, acted=True), seats=seats), events


def _search(state: State, _step: Turn, seat: Seat, _action: SearchDeck) -> Progress:
    return done(state, Search(seat, SEARCHED), Trim((seat,)), Turn(seat, acted=True)), ()


def _shoot(state: State, _step: Turn, seat: Seat, action: ShootEnemy | ShootBarrel | ShootLine) -> Progress:
    return shot(state, seat, action, Turn(seat, acted=True))


def _throw(state: State, step: Turn, seat: Seat, action: Throw) -> Progress:
    return thrown(state, seat, action, _after_use(state, step, "area"))


def _place(state: State, step: Turn, seat: Seat, action: Place) -> Progress:
    return placed(state, seat, action, _after_use(state, step, "placing"))


def _after_use(state: State, step: Turn, kind: str) -> Turn:
    """A card that costs no action leaves the turn as it was (AG-24)."""
    free = PRINTS[state.seats[step.seat].character].free == kind
    return step if free else Turn(step.seat, acted=True)


def _exchange(state: State, _step: Turn, seat: Seat, action: Exchange) -> Progress:
    """The action is spent whatever the partner answers (AG-45)."""
    return offered(state, seat, action, Turn(seat, acted=True))


def _pass(state: State, _step: Turn, seat: Seat, _action: EndTurn) -> Progress:
    return _end(state, seat)


_DOES: dict[type, Callable[[State, Turn, Seat, Any], Progress]] = {
    Go: _walk,
    Equip: _change,
    SearchDeck: _search,
    ShootEnemy: _shoot,
    ShootBarrel: _shoot,
    ShootLine: _shoot,
    Throw: _throw,
    Place: _place,
    Exchange: _exchange,
    EndTurn: _pass,
}
