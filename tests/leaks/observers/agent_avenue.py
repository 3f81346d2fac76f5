"""What a seat knows in Agent Avenue (AA-03 to AA-06, AA-20 to AA-24, AA-40 to AA-43)."""

from typing import Any

from referee.check.random_play import ChoiceStep, LuckStep
from referee.core.outcome import Seat
from referee.games.agent_avenue.moves import Action, Discard, Lay, Play, Recruit, Slot, Take
from referee.games.agent_avenue.pieces import DECK, Agent, Cards, MarketCard
from referee.games.agent_avenue.state import State

_HAND = 4  # AA-03, AA-05


class AgentAvenueObserver:
    """A seat knows its own hand, draws, discards and cards, and all that lies open."""

    def kind(self, state: State) -> str:
        return state.phase

    def of_choice(self, state: State, mover: Seat, action: Action, seat: Seat) -> Any:
        if mover == seat:
            return action
        match action:
            case Discard():  # AA-04
                return "discards"
            case Play(up, _):  # AA-05
                return "plays", up
            case Lay(Slot.FACE_DOWN, _):  # AA-41: not even the partner sees it
                return "lays face down"
            case Recruit() | Take() if mover % 2 != seat % 2 and mover not in (state.active, state.following):
                return "answers"  # AA-43: only the captain's answer, which is the result, is heard by the other side
        return action

    def of_luck(self, step: LuckStep, seat: Seat) -> tuple[Any, ...]:
        match step.before.phase:
            case "deal":  # AA-03
                return tuple(DECK[card] for card in step.drawn[seat * _HAND : (seat + 1) * _HAND])
            case "offer":  # AA-20
                return tuple(sorted(step.before.pile[card] for card in step.drawn[:3]))
        return step.drawn

    def of_consequences(self, step: ChoiceStep, seat: Seat) -> tuple[Any, ...]:
        before: State = step.before
        taken = before.deck[: len(before.deck) - len(step.after.deck)]
        if before.phase == "recruit":  # AA-06
            return (before.face_down,)
        if before.phase == "market":
            return _of_a_visit(step, taken, seat)
        if before.phase in ("target", "again"):  # AA-23: who recruits from the hand draws
            return taken if seat in step.choices else ()
        ((mover, action),) = step.choices.items()
        if isinstance(action, Discard):  # AA-04
            return taken if mover == seat else ()
        return _own_part(before, action, taken, seat)


def _own_part(before: State, action: Action, taken: Cards, seat: Seat) -> Cards:
    """What the seat draws after both cards were played. All draw, in an order that is known (AA-05, AA-41)."""
    if not isinstance(action, Play | Lay) or not taken:
        return ()
    first, second = before.laying
    at = 0
    for drawer in dict.fromkeys((first, second, *range(len(before.seats)))):
        gives = (drawer == second) * (2 if isinstance(action, Play) else 1)
        count = max(0, _HAND - len(before.seats[drawer].hand) + gives)
        if drawer == seat:
            return taken[at : at + count]
        at += count
    return ()


def _of_a_visit(step: ChoiceStep, taken: Cards, seat: Seat) -> tuple[Any, ...]:
    """The new card of the offer, whether an instant finds what it asks for, and the card it brings (AA-21, AA-24)."""
    before: State = step.before
    (captain,) = {before.active, before.following} & set(step.choices)
    take = step.choices[captain]
    if take.taker is None:
        return before.pile[:1]
    hand, ours = before.seats[take.taker].hand, before.sides[captain % 2].recruited
    found = {
        MarketCard.OUTPOST: Agent.SENTINEL in hand,
        MarketCard.DOUBLE_TROUBLE: len(set(hand)) < len(hand),
        MarketCard.SECRET_RECRUIT: not set(hand) <= set(ours),
    }.get(take.card)
    shown = taken if take.taker == seat or take.card is MarketCard.SMOKE_SCREEN else ()
    return (*before.pile[:1], found, shown)
