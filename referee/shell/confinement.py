"""The confinement of bots: the command that is run in place of a bot's own, and which process is then the bot.

Everything that runs a bot's code uses it: a league's workers, `play`, `check` and `rerun` to play, `build` to build.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

import msgspec

from referee.files.manifest import Transport

Sandbox: TypeAlias = Literal["none"]
"""The names of confinements in a league file, under `sandbox`."""


class Confinement(Protocol):
    """Confines bots. It is a value: it can be compared, printed, and sent to workers."""

    def to_play(self, command: Sequence[str], folder: Path, sockets: Path, transport: Transport) -> list[str]:
        """The command that runs a bot.

        Args:
            command: the bot's own command, with its address filled in.
            folder: the bot's folder, in which the command is run.
            sockets: the folder for the bot's socket; no other bot uses it.
            transport: where the bot listens.

        Raises:
            OSError: this machine cannot confine a bot like this.
        """

    def to_build(self, command: Sequence[str], folder: Path) -> list[str]:
        """The command that builds a bot in its `folder`. The build may write there and does not listen anywhere.

        Raises:
            OSError: this machine cannot confine a bot like this.
        """

    async def bot_pid(self, started: int) -> int:
        """The pid of the bot, if the command of `to_play` runs as the process `started`.

        The processor time of this process is measured off turn, and its process group is paused, resumed and ended. So
        it must have its group when this returns.

        Raises:
            OSError: the process did not start, for reasons that are not the bot's.
        """

    def bot_status(self, started: int) -> int:
        """How the bot ended, from how the started process ended; both are an exit code, or minus a signal."""


class Unconfined(msgspec.Struct, frozen=True):
    """`sandbox = "none"`: a bot runs with all the rights of the referee. For bots you trust."""

    def to_play(self, command: Sequence[str], folder: Path, sockets: Path, transport: Transport) -> list[str]:  # noqa: ARG002
        """The bot's own command."""
        return list(command)

    def to_build(self, command: Sequence[str], folder: Path) -> list[str]:  # noqa: ARG002
        """The bot's own command."""
        return list(command)

    async def bot_pid(self, started: int) -> int:
        """The started process itself."""
        return started

    def bot_status(self, started: int) -> int:
        """The same status."""
        return started


_BY_NAME: dict[str, Confinement] = {"none": Unconfined()}


def confinement(sandbox: str) -> Confinement:
    """The confinement that the key `sandbox` of a league file names; it is one of `Sandbox`."""
    return _BY_NAME[sandbox]
