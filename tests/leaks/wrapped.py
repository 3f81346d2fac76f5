"""Games that are changed in one way, for proofs and for planted leaks."""

from collections.abc import Mapping
from typing import Any, cast

from referee.core.game import AnyGame


class Wrapped:
    """A game that is passed on. Subclasses change one or two of its methods."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    @property
    def rules(self) -> AnyGame:
        """Itself, as a game."""
        return cast("AnyGame", self)


class Arranged(Wrapped):
    """A game whose luck is given, by label."""

    def __init__(self, game: AnyGame, draws: Mapping[str, tuple[int, ...]]) -> None:
        super().__init__(game)
        self._draws = draws

    def luck(self, state: Any, drawn: tuple[int, ...]) -> Any:
        awaited: Any = self._game.awaiting(state)
        return self._game.luck(state, self._draws.get(awaited.label, drawn))
