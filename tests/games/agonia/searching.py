"""Ways of choosing by which the deck runs out, even where a match has few rounds and two players."""

from collections.abc import Mapping
from random import Random
from typing import Any

from referee.check.random_play import anyhow, evenly
from referee.core.game import AnyGame, Roll, Shuffle
from referee.core.outcome import Seat
from referee.games.agonia.box.enemies import COMUN, PILE
from referee.games.agonia.position.actions import SEARCH, Action, Place, ShootEnemy
from referee.games.agonia.position.state import State
from tests.games.agonia.besieging import besieging, is_trapped
from tests.games.agonia.defending import is_before_an_enemy


def searching(game: AnyGame, state: Any, seats: tuple[Seat, ...], rng: Random) -> Mapping[Seat, Any]:
    """Search whenever it can be done."""
    may = SEARCH in game.legal(state, seats[0])
    return {seats[0]: SEARCH} if may else anyhow(game, state, seats, rng)


def besieging_and_searching(game: AnyGame, state: Any, seats: tuple[Seat, ...], rng: Random) -> Mapping[Seat, Any]:
    """Shut two enemies in, and then search."""
    choice = besieging(game, state, seats, rng)
    shoots = isinstance(choice[seats[0]], ShootEnemy)
    return searching(game, state, seats, rng) if is_trapped(state) and not shoots else choice


def delaying(game: AnyGame, state: Any, seats: tuple[Seat, ...], rng: Random) -> Mapping[Seat, Any]:
    """Hold the enemies up and keep one of them alive, so that the match goes on. Otherwise search."""
    (seat,) = seats
    legal = list(game.legal(state, seat))
    rng.shuffle(legal)
    return {seat: max(legal, key=lambda action: _worth(state, action))}


def _worth(state: State, action: Action) -> int:
    match action:
        case Place(cells=cells):
            return 3 if any(is_before_an_enemy(state, cell) for cell in cells) else -1
        case ShootEnemy(enemy=number):
            is_needless = state.counter == state.last or number == state.enemies[0].number
            return 2 if len(state.enemies) > 1 and is_needless else -1
    return int(action is SEARCH)


def common_enemies_first(awaited: Shuffle | Roll, rng: Random) -> tuple[int, ...]:
    """Luck by which the pile begins with common enemies, which are slow. All else is even."""
    drawn = evenly(awaited, rng)
    return tuple(sorted(drawn, key=lambda token: PILE[token] != COMUN)) if awaited.label == "tokens" else drawn
