"""What a seat knows in Agonía: everything but the order of the deck and of the token pile (AG-26)."""

from typing import Any

from referee.check.random_play import ChoiceStep, LuckStep
from referee.core.outcome import Seat
from referee.games.agonia.box.cards import DECK, Cards
from referee.games.agonia.box.enemies import EnemyKind
from referee.games.agonia.position.actions import Action
from referee.games.agonia.position.agenda import Cast, Deal, Pile, Reshuffle, Restock
from referee.games.agonia.position.state import State


class AgoniaObserver:
    """All seats know the same: characters, dice, choices, and each card and token from the moment it is drawn."""

    def kind(self, state: State) -> str:
        return type(state.agenda[0]).__name__

    def of_choice(self, state: State, mover: Seat, action: Action, seat: Seat) -> Any:  # noqa: ARG002
        return action

    def of_luck(self, step: LuckStep, seat: Seat) -> tuple[Any, ...]:  # noqa: ARG002
        before: State = step.before
        match before.agenda[0]:
            case Cast():
                return step.drawn[: len(before.order)]
            case Deal():
                return _top(left_in_the_box(before), step)
            case Reshuffle():
                return _top(before.discards, step)
            case Pile():
                return ()
            case Restock():
                return (*_new_tokens(step), *_turned_up(step))
        return (*step.drawn, *_turned_up(step))

    def of_consequences(self, step: ChoiceStep, seat: Seat) -> tuple[Any, ...]:  # noqa: ARG002
        return _turned_up(step)


def _turned_up(step: LuckStep | ChoiceStep) -> tuple[Any, ...]:
    """The cards and the tokens that leave deck and pile, in order."""
    before, after = step.before, step.after
    cards, tokens = len(before.deck) - len(after.deck), len(before.pile) - len(after.pile)
    return (before.deck[:cards], before.pile[:tokens])


def _top(shuffled: Cards, step: LuckStep) -> Cards:
    """The cards that are drawn at once from a new deck."""
    return tuple(shuffled[card] for card in step.drawn[: len(step.drawn) - len(step.after.deck)])


def _new_tokens(step: LuckStep) -> tuple[EnemyKind, ...]:
    """The tokens that leave a new pile at once."""
    return tuple(step.before.dead[token] for token in step.drawn[: len(step.drawn) - len(step.after.pile)])


def left_in_the_box(state: State) -> Cards:
    """All cards but the weapons on the table (AG-51), sorted."""
    left = list(DECK)
    for seat in state.seats:
        left.remove(seat.weapon or 0)
    return tuple(left)
