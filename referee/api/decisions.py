"""Questions to players, and the judging of their answers. Both work as over the wire, except that no clock runs."""

import operator
from typing import Any

import msgspec

from referee.core.outcome import Seat
from referee.match.conversation import Chosen, Failed
from referee.match.match import Ask, Match
from referee.match.transcript import FaultKind


class Decision(msgspec.Struct, frozen=True):
    """One question to one seat, with all that the seat may know.

    Attributes:
        game: the name of the game.
        options: the game's options, as the game's own type.
        seats: how many players there are.
        seat: the seat that must choose, counted from 0.
        seed: 16 bytes for the seat's own randomness; the same in the whole match.
        number: counts the seat's own decisions, from 1.
        view: the position as the seat may know it.
        legal: the actions it may choose from, never empty.
        heard: the events that it heard since its last decision, oldest first.
    """

    game: str
    options: Any
    seats: int
    seat: Seat
    seed: bytes
    number: int
    view: Any
    legal: tuple[Any, ...]
    heard: tuple[Any, ...]


def decision(match: Match, ask: Ask) -> Decision:
    """The question of `ask`, together with what its seat learned when the match began."""
    header = match.header
    return Decision(
        game=header.game,
        options=match.options,
        seats=len(header.entries),
        seat=ask.seat,
        seed=bytes.fromhex(header.bot_seeds[ask.seat]),
        number=ask.number,
        view=ask.view,
        legal=ask.legal,
        heard=ask.heard,
    )


def judged(ask: Ask, choice: Any) -> Chosen | Failed:
    """Judge `choice`, which is an index or an action. Every kind of integer is an index, including numpy's."""
    try:
        index = operator.index(choice)
    except TypeError:
        if choice in ask.legal:
            return Chosen(ask.legal.index(choice))
        return _illegal(ask, repr(choice))
    return Chosen(index) if 0 <= index < len(ask.legal) else _illegal(ask, f"index {index}")


def _illegal(ask: Ask, what: str) -> Failed:
    return Failed(FaultKind.ILLEGAL, f"chose {what} at decision {ask.number}, which had {len(ask.legal)} actions")
