"""A match as a bot receives it, for bots whose machine has `referee` installed, such as remote bots."""

from typing import Any

import msgspec

from referee.api.decisions import Decision
from referee.api.games import game
from referee.core.errors import WrongUse
from referee.core.game import Past


class ReceivedMatch:
    """Makes a `Decision` of each message of the protocol (`bot.proto`), as in a match in this process.

    Attributes:
        game: the name of the game.
        options: the game's options, as the game's own type.
        plain_options: the same as plain values, as `words.rules` and `start` take them.
        seats: how many players there are.
        seat: the seat of the bot.
    """

    def __init__(self, start: Any) -> None:
        """Begin the match that a `MatchStart` describes.

        Raises:
            WrongUse: the game is not installed here, has other rules here, or cannot be read.
        """
        found = game(start.game)
        if found.reader is None:
            raise WrongUse(f"{found.name} has no reader, so its messages cannot be put into words")
        if found.rules_version != start.rules_version:
            raise WrongUse(
                f"{found.name} is installed with version {found.rules_version} of its rules, and the referee plays "
                f"version {start.rules_version}; install the same package as the referee has"
            )
        self._reader = found.reader
        self.game, self.seats, self.seat, self._seed = found.name, start.seats, start.seat, start.seed
        self.options = found.reader.options(start.options)
        self.plain_options: dict[str, Any] = msgspec.to_builtins(self.options)
        self._past: Past = ()

    def decision(self, message: Any) -> Decision:
        """The decision that a `Decision` of the protocol asks for."""
        reader = self._reader
        return Decision(
            game=self.game,
            options=self.options,
            seats=self.seats,
            seat=self.seat,
            seed=self._seed,
            number=message.number,
            view=reader.view(message.view),
            legal=tuple(map(reader.action, message.legal)),
            heard=tuple(map(reader.event, message.events)),
            past=self._past,
        )

    def choose(self, decision: Decision, action: Any) -> int:
        """The index of a legal action of the last decision, to be sent as the answer."""
        index = decision.legal.index(action)
        self._past += ((decision.heard, action),)
        return index
