"""The installed games, for programs that ask about them, with options as plain values."""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, cast

from referee.core.errors import WrongUse
from referee.core.game import AnyGame, Information, RandomNumbers, Worlds
from referee.core.outcome import Seat, Side
from referee.files.options import KnownOption, known_options, read_options, seats_of
from referee.match.header import require_seats
from referee.wire.codec import AnyCodec, GameEntry, Reader
from referee.wire.registry import game_entry, games

Options = Mapping[str, Any]
"""Options of a game by name, as plain values; options that are not named have their defaults."""


class InstalledGame:
    """Everything to know about a game before it is played, and its words for people.

    Attributes:
        rules: the game itself (`referee.core.game.Game`): pure functions of positions that never change, so a search
            can go on from any position without copying it.
        codec: makes the bytes of options, views, actions and events that a bot is sent over the wire.
        reader: reads them again; None where a game of another package has none.
    """

    def __init__(self, entry: GameEntry) -> None:
        self.rules: AnyGame = entry.game
        self.codec: AnyCodec = entry.codec
        self.reader: Reader | None = entry.reader

    def __repr__(self) -> str:
        return f"<game {self.name}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickle holds only the name: a game is made of functions."""
        return game, (self.name,)

    @property
    def name(self) -> str:
        """The name of the game as it is spelled everywhere, such as `agent-avenue`."""
        return self.rules.name

    @property
    def rules_version(self) -> int:
        """The version of the rules; it rises whenever an old transcript would be judged differently."""
        return self.rules.rules_version

    @property
    def endings(self) -> tuple[str, ...]:
        """Every way a match can end by the rules. A match that a fault cut short ends by `fault`."""
        return self.rules.endings

    @property
    def options(self) -> tuple[KnownOption, ...]:
        """The options that the game takes, each with its name, its default and its allowed values."""
        return known_options(self.rules)

    @property
    def seats(self) -> tuple[int, ...]:
        """Every number of players that fits some options, sorted."""
        return seats_of(self.rules)

    def seats_with(self, options: Options) -> tuple[int, ...]:
        """The numbers of players that fit these options.

        Raises:
            OptionsError: the game does not take them; a `WrongUse`.
        """
        return self.rules.seats(self.read(options))

    def sides(self, seats: int, options: Options | None = None) -> tuple[Side, ...]:
        """The seats that win or lose together, if that is fixed before play; otherwise empty.

        Raises:
            WrongUse: the game does not take these options, or not so many players with them.
        """
        _, chosen = self.settle(seats, options)
        return self.rules.sides(chosen, seats)

    def read(self, options: Options) -> Any:
        """The options as the rules take them, an instance of `rules.options_type`.

        Raises:
            OptionsError: the game does not take them; a `WrongUse` that lists everything that is wrong.
        """
        return read_options(self.rules, options, "options.")

    def settle(self, seats: int | None, options: Options | None) -> tuple[int, Any]:
        """The number of players, the least that fits if it is None, and the options as the rules take them.

        Raises:
            WrongUse: the game does not take these options, or not so many players with them.
        """
        rules: Any = self.rules  # mypy does not know that a game can be hashed
        return _settled(rules, seats, json.dumps(dict(options or {}), default=str))

    def resample(self, state: Any, seat: Seat, rng: RandomNumbers) -> Any:
        """Another whole position that `seat` cannot tell from `state`: it has the same view and legal actions there.

        What the seat cannot know is dealt anew. Every position that fits is equally likely, as if all had chosen
        without looking at their cards; roles and cards are dealt together.

        Args:
            state: a whole position, such as `match.state`.
            seat: the seat whose knowledge stays as it is.
            rng: a `random.Random`, or a generator of numpy.

        Raises:
            WrongUse: the game has no such function, as some games of other packages, or cannot do it here.
        """
        return self._require("resample").resample(state, seat, rng)

    def reconstruct(self, information: Information) -> Any:
        """Some whole position with what a seat was told, not drawn fairly; `Decision.sample` draws one.

        Raises:
            WrongUse: the game has no such function, as some games of other packages.
        """
        return self._require("reconstruct").reconstruct(information)

    def _require(self, part: str) -> Worlds:
        """The rules, which have this part of `Worlds`."""
        if not hasattr(self.rules, part):
            raise WrongUse(f"{self.name} cannot {part}; its rules have no `{part}` (referee.core.game.Worlds)")
        return cast("Worlds", self.rules)

    def describe(self, event: Any) -> str:
        """An event in a sentence for people. It says everything that the event holds."""
        return self.rules.describe(event)

    def describe_action(self, action: Any) -> str:
        """An action in a few words for people."""
        return self.rules.describe_action(action)

    def describe_view(self, view: Any) -> str:
        """A view as a few lines of text for people."""
        return self.rules.describe_view(view)


@lru_cache(64)  # programs that learn begin thousands of matches a second
def _settled(rules: Any, seats: int | None, given: str) -> tuple[int, Any]:
    chosen = read_options(rules, json.loads(given), "options.")
    settled = min(rules.seats(chosen)) if seats is None else seats
    require_seats(rules, chosen, settled)
    return settled, chosen


def game(name: str) -> InstalledGame:
    """The installed game with this name.

    Raises:
        WrongUse: there is none.
    """
    return InstalledGame(game_entry(name))


def installed_games() -> dict[str, InstalledGame]:
    """Every installed game by name, sorted: ours, and those of other packages."""
    return {name: InstalledGame(entry) for name, entry in games().items()}
