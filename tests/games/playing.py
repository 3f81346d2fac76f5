"""What the small languages for playing a game in tests have in common."""

from collections.abc import Mapping
from typing import Any, ClassVar, Generic, TypeVar

import msgspec
from msgspec.structs import replace

from referee.core.game import AnyGame, Decide, Over
from referee.core.outcome import Outcome, Seat

S = TypeVar("S", bound=msgspec.Struct)
Own = TypeVar("Own", bound="GameTable[Any]")


class GameTable(Generic[S]):
    """A game in progress. What happened last is in `events`."""

    game: ClassVar[AnyGame]

    def __init__(self, state: S) -> None:
        self.state = state
        self.events: tuple[Any, ...] = ()

    def goes_on(self: Own, **changes: object) -> Own:
        """The same game with some parts of its state replaced."""
        return type(self)(replace(self.state, **changes))

    def luck(self, *drawn: int) -> None:
        self.state, self.events = self.game.luck(self.state, drawn)

    @property
    def asked(self) -> tuple[Seat, ...]:
        """The seats that must choose."""
        awaited = self.game.awaiting(self.state)
        assert isinstance(awaited, Decide), f"{awaited} where a seat should be asked"
        return awaited.seats

    @property
    def legal(self) -> list[str]:
        """The legal actions of the first seat that is asked."""
        return self.legal_of(self.asked[0])

    def legal_of(self, seat: Seat) -> list[str]:
        return [self.game.describe_action(action) for action in self.game.legal(self.state, seat)]

    @property
    def outcome(self) -> Outcome | None:
        awaited = self.game.awaiting(self.state)
        return awaited.outcome if isinstance(awaited, Over) else None

    @property
    def told(self) -> list[str]:
        """What happened last, in words."""
        return [self.game.describe(event) for event in self.events]

    def heard(self, seat: Seat) -> list[str]:
        """What a seat heard of it, in words."""
        heard = (self.game.heard(event, seat) for event in self.events)
        return [self.game.describe(event) for event in heard if event is not None]

    def _chooses(self, action: Any) -> None:
        (seat,) = self.asked
        self._apply({seat: action})

    def _apply(self, choices: Mapping[Seat, Any]) -> None:
        assert set(choices) == set(self.asked)
        for seat, action in choices.items():
            legal = self.game.legal(self.state, seat)
            assert action in legal, f"seat {seat} may not {self.game.describe_action(action)}: {self.legal_of(seat)}"
        self.state, self.events = self.game.apply(self.state, choices)
