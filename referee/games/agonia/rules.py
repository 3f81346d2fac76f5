"""The rules, put together: the steps of the agenda are done one after another, with waits in between.

A step that waits for luck has a draw, and a function that uses the result. A step that waits for a decision has a seat
to ask, legal actions, and their results. All other steps are done at once.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from msgspec.structs import replace

from referee.core.game import Awaiting, Decide, Over, Roll, Shuffle
from referee.core.outcome import Seat
from referee.games.agonia import deck, rounds
from referee.games.agonia.enemies import advance, combat, spawning
from referee.games.agonia.players import attacks, exchanging, searching, turns
from referee.games.agonia.position.actions import Action
from referee.games.agonia.position.agenda import (
    Advance,
    Alight,
    Answer,
    Arrivals,
    BeginAdvance,
    BeginRound,
    Blast,
    Cast,
    Columns,
    Deal,
    EndRound,
    Explode,
    First,
    Happening,
    Kindle,
    Pile,
    Quench,
    Reshuffle,
    Restock,
    Search,
    SecondShot,
    Smoulder,
    Spawning,
    Start,
    Strike,
    Supplies,
    Trim,
    Turn,
    Walk,
)
from referee.games.agonia.position.events import Acted, Event
from referee.games.agonia.position.state import Progress, State

_ALONE = tuple(Decide((seat,)) for seat in range(5))


class Decision(NamedTuple):
    """A kind of decision; one seat chooses at a time.

    Attributes:
        awaited: gives the seat that must choose.
        legal: gives the legal actions in a stable order.
        chosen: carries out the chosen action.
    """

    awaited: Callable[[State, Any], Decide]
    legal: Callable[[State, Any, Seat], tuple[Action, ...]]
    chosen: Callable[[State, Any, Seat, Any], Progress]


def _player(_state: State, step: Turn | Search | SecondShot) -> Decide:
    return _ALONE[step.seat]


def _partner(_state: State, step: Answer) -> Decide:
    return _ALONE[step.partner]


def _first(_state: State, step: Start | Trim) -> Decide:
    return _ALONE[step.seats[0]]


DECISIONS: dict[type, Decision] = {
    Start: Decision(_first, rounds.starts, rounds.started),
    Turn: Decision(_player, turns.actions, turns.act),
    Search: Decision(_player, searching.finds, searching.equip_or_keep),
    SecondShot: Decision(_player, attacks.second_shots, attacks.shot_again),
    Answer: Decision(_partner, exchanging.replies, exchanging.answered),
    Trim: Decision(_first, searching.discards, searching.discarded),
}
"""By step."""


class Draw(NamedTuple):
    """A kind of draw.

    Attributes:
        awaited: what must be drawn, with a label of its own.
        drawn: takes the drawn numbers and makes the next position.
    """

    awaited: Callable[[State, Any], Shuffle | Roll]
    drawn: Callable[[State, Any, tuple[int, ...]], Progress]


DRAWS: dict[type, Draw] = {
    # before the first round
    Cast: Draw(rounds.shuffle_characters, rounds.cast),
    Deal: Draw(rounds.shuffle_cards, rounds.dealt),
    Pile: Draw(rounds.shuffle_enemies, rounds.piled),
    First: Draw(rounds.roll_for_first, rounds.rolled_for_first),
    # when the deck or the pile of enemies is empty
    Reshuffle: Draw(deck.shuffle, deck.reshuffled),
    Restock: Draw(spawning.shuffle, spawning.restocked),
    # dice
    Columns: Draw(spawning.roll, spawning.rolled),
    Strike: Draw(combat.roll, combat.struck),
    Kindle: Draw(combat.roll, combat.kindled),
}
"""By step."""


_AT_ONCE: dict[type, Callable[[State, Any], Progress | None]] = {
    # rounds
    BeginRound: rounds.begin,
    EndRound: rounds.end,
    # players
    Supplies: deck.supplies,
    Happening: deck.happen,
    Turn: turns.turn,
    Search: searching.search,
    SecondShot: attacks.second_shot,
    Trim: searching.trim,
    # results of attacks
    Blast: combat.blast,
    Alight: combat.alight,
    Quench: combat.quench,
    Explode: combat.explode,
    # enemies
    BeginAdvance: advance.begin,
    Advance: advance.advance,
    Walk: advance.go_on,
    Smoulder: advance.smoulder,
    Spawning: spawning.begin,
    Columns: spawning.columns,
    Arrivals: spawning.arrive,
}
"""The function for a step on top of the agenda. It returns None if the step must wait for a player or a draw."""

_AWAITED: dict[type, Callable[[State, Any], Awaiting]] = {
    **{step: draw.awaited for step, draw in DRAWS.items()},
    **{step: decision.awaited for step, decision in DECISIONS.items()},
}


def awaiting(state: State) -> Awaiting:
    """The decision or draw of luck that the step on top of the agenda waits for."""
    if state.outcome is not None:
        return Over(state.outcome)
    step = state.agenda[0]
    return _AWAITED[type(step)](state, step)


def legal(state: State, seat: Seat) -> tuple[Action, ...]:
    """The legal actions of `seat`, which must choose, in a stable order."""
    step = state.agenda[0]
    return DECISIONS[type(step)].legal(state, step, seat)


def luck(state: State, drawn: tuple[int, ...]) -> Progress:
    """The position after the draw that `awaiting` asked for."""
    step = state.agenda[0]
    return settled(*DRAWS[type(step)].drawn(state, step, drawn))


def apply(state: State, choices: Mapping[Seat, Action]) -> Progress:
    """The position after the asked seat has chosen. Raises ValueError if its choice is impossible."""
    ((seat, action),) = choices.items()
    step = state.agenda[0]
    after, events = DECISIONS[type(step)].chosen(state, step, seat, action)
    return settled(after, (Acted(seat, action), *events))


def settled(state: State, events: tuple[Event, ...]) -> Progress:
    """Perform steps until one waits, or until the match is over and no step is left. An empty deck comes first."""
    while state.agenda:
        if deck.is_to_shuffle(state):
            return replace(state, agenda=(Reshuffle(), *state.agenda)), events
        step = state.agenda[0]
        perform = _AT_ONCE.get(type(step))
        progress = None if perform is None else perform(state, step)
        if progress is None:
            break
        state = progress[0]
        events += progress[1]
    return state, events
