"""The position: where everything is, the remaining steps, and whether all players have won or lost.

Cards come to the players' hands and leave them.
"""

from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache
from typing import Any, TypeAlias

import msgspec
from msgspec.structs import replace

from referee.core.outcome import Outcome, Seat, Side
from referee.games.agonia.box.board import BOARDS, Board, Cell, Facing
from referee.games.agonia.box.cards import Cards, HeldCard, with_card, without_card
from referee.games.agonia.box.characters import Character
from referee.games.agonia.box.enemies import EnemyKind
from referee.games.agonia.box.tokens import TokenKind
from referee.games.agonia.position.agenda import Agenda, Step
from referee.games.agonia.position.events import Ended, Event
from referee.games.agonia.position.options import Options

RESULTS_KEPT = 8192
"""How many results a function keeps of hands, cells and the like. This covers most of a match, in bounded memory."""


class SeatState(msgspec.Struct, frozen=True, gc=False):
    """A player. Everything about it is open (AG-26).

    Attributes:
        character: its character.
        cell: where it stands; NOWHERE until the player has chosen where to start (AG-02).
        hand: the cards in its hand, sorted.
        weapon: the weapon on the table.
        joined: the cards joined to the weapon, sorted (AG-47).
        equipment: the equipment on the table.
    """

    character: Character
    cell: Cell
    hand: Cards = ()
    weapon: HeldCard | None = None
    joined: Cards = ()
    equipment: HeldCard | None = None


FIRST_SIDE, OTHER_SIDE = 1, 2


class Enemy(msgspec.Struct, frozen=True, gc=False):
    """An enemy on the board.

    Attributes:
        number: its number, counted from 1 in the order of appearance. It never changes.
        kind: its kind.
        cell: where it stands.
        life: its remaining life.
        facing: the way it goes.
        held: whether a trap holds it (AG-53).
        aside: the side it tries first at its next sidestep (AG-43): FIRST_SIDE, OTHER_SIDE, or 0 if it has no memory.
    """

    number: int
    kind: EnemyKind
    cell: Cell
    life: int
    facing: Facing = Facing.DOWN
    held: bool = False
    aside: int = 0


class Token(msgspec.Struct, frozen=True, order=True, gc=False):
    """A token on the board.

    Attributes:
        cells: the cells that it covers, sorted.
        kind: its kind.
        fire: how many more entries a burning barricade lasts; 0 if it does not burn.
    """

    cells: tuple[Cell, ...]
    kind: TokenKind
    fire: int = 0


class State(msgspec.Struct, frozen=True, gc=False):
    """A whole position, with its hidden parts.

    Attributes:
        options: the options of the match.
        last: the last cell of the counter (AG-20).
        order: the seats in turn order; in seat order until the turn order is known.
        agenda: the remaining steps.
        seats: the players, by seat; empty until the characters are known.
        deck: the cards of the deck, the top one first.
        discards: the discarded cards, sorted.
        pile: the pile of enemy tokens, the top one first.
        dead: the tokens of dead enemies, sorted.
        round: counted from 1; 0 before the first.
        counter: where the counter stands.
        supplied: whether the counter has just arrived on a cell where every player draws (AG-52).
        rounds_on_last: rounds that began with the counter on its last cell (AG-41).
        enemies: the enemies on the board, in the order in which they would move (AG-30).
        tokens: the tokens on the board, sorted.
        spawned: how many enemies have appeared.
        killed: how many enemies have died.
        rolls: how many attack rolls this round has had.
        shuffles: how often the discards were shuffled.
        restocks: how often the dead tokens were shuffled.
        calm: whether no more enemies appear in this round (calma tensa, AG-52).
        stampedes: how many more steps every enemy moves in the next advance (estampida).
        jams: the jam marks of all cards, joined into one number as on a single card (AG-56).
        outcome: the outcome, once the match is over.
    """

    options: Options
    last: int
    order: tuple[Seat, ...]
    agenda: Agenda
    seats: tuple[SeatState, ...] = ()
    deck: Cards = ()
    discards: Cards = ()
    pile: tuple[EnemyKind, ...] = ()
    dead: tuple[EnemyKind, ...] = ()
    round: int = 0
    counter: int = 0
    supplied: bool = False
    rounds_on_last: int = 0
    enemies: tuple[Enemy, ...] = ()
    tokens: tuple[Token, ...] = ()
    spawned: int = 0
    killed: int = 0
    rolls: int = 0
    shuffles: int = 0
    restocks: int = 0
    calm: bool = False
    stampedes: int = 0
    jams: HeldCard = 0
    outcome: Outcome | None = None


Progress: TypeAlias = tuple[State, tuple[Event, ...]]
"""A position, and the events on the way to it."""


def done(state: State, *steps: Step, **changes: Any) -> State:
    """The position after the step on top of the agenda: these steps replace it, and these fields change."""
    agenda = steps + state.agenda[1:]
    # A call with empty changes would take as long as everything else here.
    return replace(state, agenda=agenda, **changes) if changes else replace(state, agenda=agenda)


def board_of(state: State) -> Board:
    """The board of the match."""
    return BOARDS[state.options.board]


def find_enemy(state: State, number: int) -> Enemy | None:
    """The enemy with this number, if it is on the board."""
    for enemy in state.enemies:
        if enemy.number == number:
            return enemy
    return None


def in_order(board: Board, enemies: Iterable[Enemy]) -> tuple[Enemy, ...]:
    """Enemies in the order in which they would move (AG-30)."""
    rank = board.rank
    return tuple(sorted(enemies, key=lambda enemy: rank[enemy.cell]))


ROUNDS_ON_LAST = 30  # AG-41: rounds that began with the counter on its last cell
ROUNDS = 60  # AG-41: rounds of a match
SCORE_OF_A_ROUND = 1000  # more than enemies can die in a match


class Ending(StrEnum):
    """The ways a match can end (AG-39, AG-41)."""

    VICTORY = "victory"
    ENTRANCE = "entrance"
    SIEGE = "siege"


def side_of_all(players: int) -> tuple[Side, ...]:
    """The only side: all players (AG-40)."""
    return (Side("players", tuple(range(players))),)


def is_cleared(state: State) -> bool:
    """Whether the counter stands on its last cell and no enemy is left (AG-39)."""
    return not state.enemies and state.counter == state.last


def is_besieged(state: State) -> bool:
    """Whether the players have played the last round allowed (AG-41)."""
    return state.rounds_on_last >= ROUNDS_ON_LAST or state.round >= ROUNDS


def ended(state: State, ending: Ending) -> Progress:
    """End the match. All players are first, or all are second, behind the board (AG-40)."""
    won = ending is Ending.VICTORY
    players = len(state.order)
    outcome = Outcome(
        ending,
        places=(1 if won else 2,) * players,
        sides=side_of_all(players),
        scores=(_score(state, ending),) * players,
    )
    return replace(state, agenda=(), outcome=outcome), (Ended(won, ending),)


def _score(state: State, ending: Ending) -> int:
    """A thousand for each round survived, and one for each enemy killed (AG-40)."""
    survived = state.round - 1 if ending is Ending.ENTRANCE else state.round
    return SCORE_OF_A_ROUND * survived + state.killed


def with_seat(state: State, seat: Seat, own: SeatState) -> tuple[SeatState, ...]:
    """The players, with one of them replaced by `own`."""
    seats = list(state.seats)
    seats[seat] = own
    return tuple(seats)


def gaining(state: State, seat: Seat, card: HeldCard) -> tuple[SeatState, ...]:
    """The players, with one more card in the hand of one of them."""
    own = state.seats[seat]
    return with_seat(state, seat, replace(own, hand=with_card(own.hand, card)))


def used_up(state: State, seat: Seat, card: HeldCard, *steps: Step) -> State:
    """Move a card from a hand to the discards. These steps replace the one on top.

    Raises:
        ValueError: the hand has no such card.
    """
    own = state.seats[seat]
    return replace(
        state,
        agenda=steps + state.agenda[1:],
        seats=with_seat(state, seat, replace(own, hand=without_card(own.hand, card))),
        discards=with_card(state.discards, card),
    )


@lru_cache(RESULTS_KEPT)
def different(cards: Cards) -> Cards:
    """Each of these cards once, sorted. Equal cards are one choice."""
    return tuple(sorted(set(cards)))
