"""What bots are confined in: the command that is really run in the place of a bot's own, and which process is the bot.

Everything that runs a bot's code asks it: a league's workers, `play`, `check` and `rerun` to play, `build` to build.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

import msgspec

from referee.files.manifest import Transport

Sandbox: TypeAlias = Literal["none"]
"""The names that a league file has for them, under `sandbox`."""


class Confinement(Protocol):
    """Confines bots. It is a value: it can be compared, printed, and sent to workers."""

    def to_play(self, command: Sequence[str], folder: Path, sockets: Path, transport: Transport) -> list[str]:
        """The command that runs a bot.

        Args:
            command: the bot's own, with its address filled in.
            folder: the bot's, in which the command is run.
            sockets: the folder that its socket will lie in, and that no other bot has.
            transport: where it listens.

        Raises:
            OSError: this machine cannot do it.
        """

    def to_build(self, command: Sequence[str], folder: Path) -> list[str]:
        """The command that builds a bot in its `folder`, where it may write and listens to nothing.

        Raises:
            OSError: this machine cannot do it.
        """

    async def bot_pid(self, started: int) -> int:
        """Which process is the bot, where the command of `to_play` runs as the process `started`.

        That process is the one whose time is measured off turn, and whose group is paused, resumed and ended; so it
        has its group by then.

        Raises:
            OSError: it did not come to be, for reasons that are not the bot's.
        """

    def bot_status(self, started: int) -> int:
        """How the bot ended, where the process that was started ended so: an exit code, or minus a signal, both."""


class Unconfined(msgspec.Struct, frozen=True):
    """`sandbox = "none"`: a bot runs with all the rights of the referee. For bots you trust."""

    def to_play(self, command: Sequence[str], folder: Path, sockets: Path, transport: Transport) -> list[str]:  # noqa: ARG002
        """The bot's own."""
        return list(command)

    def to_build(self, command: Sequence[str], folder: Path) -> list[str]:  # noqa: ARG002
        """The bot's own."""
        return list(command)

    async def bot_pid(self, started: int) -> int:
        """What was started is the bot."""
        return started

    def bot_status(self, started: int) -> int:
        """As what was started did."""
        return started


_BY_NAME: dict[str, Confinement] = {"none": Unconfined()}


def confinement(sandbox: str) -> Confinement:
    """What the key `sandbox` of a league file means, which is one of `Sandbox`."""
    return _BY_NAME[sandbox]
