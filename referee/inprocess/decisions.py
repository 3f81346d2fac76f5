"""What a player is asked, and what its answer amounts to: all of it as over the wire, but for the clock."""

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
        game: its name.
        options: of the game, as the game's own type.
        seats: how many players there are.
        seat: who must choose, counted from 0.
        seed: 16 bytes for the seat's own chance; the same in the whole match.
        number: counts the seat's own decisions, from 1.
        view: the position as the seat may know it.
        legal: the actions it may choose from, never empty.
        heard: what it heard since its last decision, oldest first.
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
    """What `ask` asks, together with what its seat was told when the match began."""
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
    """What `choice` amounts to, an index or an action. Every kind of integer is an index, numpy's too."""
    try:
        index = operator.index(choice)
    except TypeError:
        if choice in ask.legal:
            return Chosen(ask.legal.index(choice))
        return _illegal(ask, repr(choice))
    return Chosen(index) if 0 <= index < len(ask.legal) else _illegal(ask, f"index {index}")


def _illegal(ask: Ask, what: str) -> Failed:
    return Failed(FaultKind.ILLEGAL, f"chose {what} at decision {ask.number}, which had {len(ask.legal)} actions")
