"""Questions to players, and the judging of their answers. Both work as over the wire, except that no clock runs."""

import operator
from functools import cached_property
from typing import Any

import msgspec

from referee.api.games import InstalledGame, game
from referee.core.errors import WrongUse
from referee.core.game import Information, Past, RandomNumbers
from referee.core.outcome import Seat
from referee.match.conversation import Chosen, Failed
from referee.match.match import Ask, Match
from referee.match.transcript import FaultKind


class Decision(msgspec.Struct, frozen=True, dict=True):
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
        past: its finished decisions, oldest first: the events heard before each, and the action that it chose. None if
            the match began in a given position.
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
    past: Past | None = ()

    @property
    def information(self) -> Information:
        """All that the seat has learned so far, without its seed: a value that can be compared and be a key of a dict.

        Two decisions have equal information if no player could tell one from the other, not even by what it remembers.
        """
        return Information(self.options, self.seats, self.seat, self.past, self.heard, self.view, self.legal)

    def sample(self, rng: RandomNumbers) -> Any:
        """A whole position that fits all that the seat was told, drawn fairly: the true one is one of many.

        It follows from `information` and `rng` alone, and is the same as `game.resample` of the true position.

        Raises:
            WrongUse: the game cannot do that, or the match began in a given position.
        """
        rules, fitting = self._fitting
        return rules.resample(fitting, self.seat, rng)

    @cached_property
    def _fitting(self) -> tuple[InstalledGame, Any]:
        """The game, and a position that fits."""
        if self.past is None:
            raise WrongUse("sample: this match began in a given position; use game.resample with the match's state")
        rules = game(self.game)
        return rules, rules.reconstruct(self.information)


def decision(match: Match, ask: Ask) -> Decision:
    """The question of `ask`, together with what its seat learned before."""
    header, seat = match.header, ask.seat
    return Decision(
        header.game,
        match.options,
        len(header.entries),
        seat,
        bytes.fromhex(header.bot_seeds[seat]),
        ask.number,
        ask.view,
        ask.legal,
        ask.events,
        match.past[seat] if match.from_start else None,
    )


def judge_choice(ask: Ask, choice: Any) -> Chosen | Failed:
    """Judge `choice`, which is an index or an action. Every kind of integer is an index, including numpy's."""
    try:
        index = operator.index(choice)
    except TypeError:
        if choice in ask.legal:
            return Chosen(ask.legal.index(choice))
        return _illegal(ask, repr(choice))
    return Chosen(index) if 0 <= index < len(ask.legal) else _illegal(ask, f"index {index}")


def _illegal(ask: Ask, choice: str) -> Failed:
    return Failed(FaultKind.ILLEGAL, f"chose {choice} at decision {ask.number}, which had {len(ask.legal)} actions")
