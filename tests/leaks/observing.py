"""What a seat knows, said a second time: by the rulings alone, apart from the views and events of the game.

An observer looks at whole positions and choices, and says what of them a seat may know. All else that a seat may know
follows from this by the rules, so an observer is short. Two matches in which a seat observes the same are one to it.
"""

from typing import Any, Protocol

from referee.check.random_play import ChoiceStep, LuckStep
from referee.core.game import AnyGame, Decide
from referee.core.outcome import Seat

Step = LuckStep | ChoiceStep


class Observer(Protocol):
    """The knowledge of seats in one game."""

    def of_choice(self, state: Any, mover: Seat, action: Any, seat: Seat) -> Any:
        """What `seat` sees of the choice of `mover`. It sees all of its own."""

    def of_luck(self, step: LuckStep, seat: Seat) -> tuple[Any, ...]:
        """What `seat` sees of a draw, and of all that follows from it."""

    def of_consequences(self, step: ChoiceStep, seat: Seat) -> tuple[Any, ...]:
        """What `seat` sees besides the choices, when all have chosen."""

    def kind(self, state: Any) -> str:
        """What kind of decision or draw the position waits for."""


def saw(observer: Observer, step: Step, seat: Seat) -> tuple[Any, ...]:
    """All that `seat` learns in a step. It can be compared, and hashed."""
    if isinstance(step, LuckStep):
        return observer.of_luck(step, seat)
    choices = sorted(step.choices.items())
    seen = tuple((mover, observer.of_choice(step.before, mover, action, seat)) for mover, action in choices)
    return (*seen, *observer.of_consequences(step, seat))


def alike(game: AnyGame, observer: Observer, state: Any, mover: Seat, action: Any, seat: Seat) -> list[Any]:
    """The legal choices of `mover` that look to `seat` like this one."""
    looks = observer.of_choice(state, mover, action, seat)
    return [other for other in game.legal(state, mover) if observer.of_choice(state, mover, other, seat) == looks]


def asked(game: AnyGame, state: Any) -> tuple[Seat, ...]:
    """The seats that must choose; none if luck is awaited, or the match is over."""
    awaited = game.awaiting(state)
    return awaited.seats if isinstance(awaited, Decide) else ()
