"""Leaks to be found: games that give a secret away in one way, in the middle of a match. Nothing else is changed."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple

from referee.core.game import AnyGame
from referee.core.outcome import Seat
from tests.leaks.wrapped import Wrapped


class Lore(NamedTuple):
    """What one must know of a game to plant leaks in it.

    Attributes:
        secret: a number that follows from what a seat cannot know.
        in_the_middle: whether a match has been going on for a while.
        with_another_number: a view with another number in one of its fields.
        with_another_id: an event with another id; the event itself if it has none.
        told_too_early: the events of a step, and then one that a seat must not hear yet.
        missed: the events that a seat must hear of, and does not hear of if they are withheld.
    """

    secret: Callable[[Any, Seat], int]
    in_the_middle: Callable[[Any], bool]
    with_another_number: Callable[[Any], Any]
    with_another_id: Callable[[Any], Any]
    told_too_early: Callable[[Any, tuple[Any, ...]], tuple[Any, ...]]
    missed: tuple[type, ...]


class Planted(Wrapped):
    """A game with a leak, and what of it a comparison of positions says."""

    shows_as: ClassVar[str]

    def __init__(self, game: AnyGame, lore: Lore) -> None:
        super().__init__(game)
        self._lore = lore

    def _shows(self, state: Any, seat: Seat) -> bool:
        """Whether the leak shows in this position. It depends on the secret, and begins in the middle of a match."""
        return self._lore.in_the_middle(state) and self._lore.secret(state, seat) % 2 == 1


class OrdersActions(Planted):
    shows_as = "legal actions differ"

    def legal(self, state: Any, seat: Seat) -> tuple[Any, ...]:
        legal = self._game.legal(state, seat)
        return legal[::-1] if self._shows(state, seat) else legal


class OffersOneActionLess(Planted):
    shows_as = "legal actions differ"

    def legal(self, state: Any, seat: Seat) -> tuple[Any, ...]:
        legal = self._game.legal(state, seat)
        return legal[:-1] if self._shows(state, seat) and len(legal) > 1 else legal


class ShowsANumber(Planted):
    shows_as = "view differs"

    def view(self, state: Any, seat: Seat) -> Any:
        view = self._game.view(state, seat)
        return self._lore.with_another_number(view) if self._shows(state, seat) else view


class Telling(Planted):
    shows_as = "events differ"

    def apply(self, state: Any, choices: Mapping[Seat, Any]) -> tuple[Any, tuple[Any, ...]]:
        after, events = self._game.apply(state, choices)
        return after, self.told(state, after, events)

    def told(self, before: Any, after: Any, events: tuple[Any, ...]) -> tuple[Any, ...]:
        raise NotImplementedError


class TellsAnEventTwice(Telling):
    def told(self, before: Any, after: Any, events: tuple[Any, ...]) -> tuple[Any, ...]:  # noqa: ARG002
        return (*events, events[-1]) if self._shows(before, 0) else events


class TellsAnotherId(Telling):
    def told(self, before: Any, after: Any, events: tuple[Any, ...]) -> tuple[Any, ...]:  # noqa: ARG002
        return tuple(map(self._lore.with_another_id, events)) if self._shows(before, 0) else events


class TellsTooEarly(Telling):
    def told(self, before: Any, after: Any, events: tuple[Any, ...]) -> tuple[Any, ...]:
        return self._lore.told_too_early(after, events) if self._lore.in_the_middle(before) else events


LEAKS: tuple[type[Planted], ...] = (
    OrdersActions,
    OffersOneActionLess,
    ShowsANumber,
    TellsAnEventTwice,
    TellsAnotherId,
    TellsTooEarly,
)


class Withholds(Planted):
    """No leak: a seat does not hear an event that it may know."""

    def heard(self, event: Any, seat: Seat) -> Any:
        return None if isinstance(event, self._lore.missed) else self._game.heard(event, seat)
