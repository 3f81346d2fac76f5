"""The confinement of bots: the command to run in place of a bot's own, and how to find and call the bot in it.

Everything that runs a bot's code uses it: a league's workers, `play`, `check` and `rerun` to play, `build` to build.
"""

import subprocess
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Protocol

import msgspec

from referee.core.bot_limits import Sandbox, SandboxLimits
from referee.files.bot_folder import Visible
from referee.files.manifest import Reach
from referee.runtime.bot_address import NO_VARIABLES, ListenAddress, Peer, listening
from referee.runtime.sandbox.bubblewrap import Bubblewrap
from referee.runtime.sandbox.landlock import Landlock

_DEFAULT = SandboxLimits()


class BuildBox(Protocol):
    """The box for the build of one bot. The caller must close it."""

    @property
    def command(self) -> Sequence[str]:
        """The command to start."""

    @property
    def inherited(self) -> Sequence[int]:
        """The open files that the started process must inherit."""

    def close(self) -> None:
        """Clear away everything that was made for the bot. Its processes must have ended."""


class BotBox(BuildBox, Protocol):
    """The box in which one bot runs, from just before its start until after its end."""

    @property
    def environment(self) -> Mapping[str, str]:
        """Variables for the bot, in addition to those that every bot has."""

    @property
    def stdin(self) -> int:
        """The standard input of the started process, as `subprocess.Popen` takes it."""

    @property
    def listening(self) -> ListenAddress:
        """The address on which the bot must listen."""

    @property
    def user(self) -> int | None:
        """The id of the user that the bot is; None if that is the referee's."""

    def started(self, session: int) -> None:
        """Note that the command runs; it leads the session of that number."""

    async def bot_pid(self) -> int:
        """The pid of the bot.

        The referee measures the processor time of this process off turn, and pauses, resumes and ends its process
        group. So the process must have its group when this returns.

        Raises:
            OSError: the bot was not started, for reasons that are not the bot's.
        """

    async def peer(self, port: Awaitable[int]) -> Peer:
        """How to call the bot, as soon as that is known. This may never return.

        `port` is the port that the bot prints, if it chooses one.
        """

    def bot_status(self, status: int) -> int:
        """How the bot ended, from how the started process ended; both are an exit code, or minus a signal."""

    @property
    def walls(self) -> frozenset[int]:
        """The processes of the session that hold the box. They must live until the bot has ended."""

    @property
    def limit_exceeded(self) -> str | None:
        """The limit that the bot exceeded, in words that go after "it"; None if it kept all."""


class Confinement(Protocol):
    """Confines bots. It is a value: it can be compared, printed, and sent to workers."""

    @property
    def name(self) -> Sandbox:
        """Its name in a league file."""

    @property
    def limits(self) -> SandboxLimits | None:
        """The limits of each bot; None if there are none but those of the machine."""

    def to_play(
        self,
        command: Sequence[str],
        visible: Visible,
        scratch: Path,
        reach: Reach,
        variables: Mapping[str, str] = NO_VARIABLES,
    ) -> BotBox:
        """A box in which a bot will play.

        Args:
            command: the bot's own command, with `{address}` still to be filled in.
            visible: the bot's folder, in which the command runs, and its visible parts.
            scratch: an empty folder that no other bot uses.
            reach: how the referee reaches the bot.
            variables: more of the bot's environment. Nothing outside of the box gets them.

        Raises:
            OSError: this machine cannot confine a bot like this.
        """

    def to_build(self, command: Sequence[str], visible: Visible) -> BuildBox:
        """A box for the build of a bot in its folder. The build may write there and does not listen anywhere.

        Raises:
            OSError: this machine cannot confine a build like this.
        """


class _Open:
    """No box: the bot is the process that was started, and its socket lies where all can see it."""

    inherited = ()
    stdin = subprocess.DEVNULL
    limit_exceeded = None
    user = None
    walls: frozenset[int] = frozenset()

    def __init__(self, command: Sequence[str], variables: Mapping[str, str], place: ListenAddress) -> None:
        self.command = place.command(command, variables)
        self.environment = place.environment
        self.listening = place
        self._session = 0

    def started(self, session: int) -> None:
        self._session = session

    async def bot_pid(self) -> int:
        return self._session

    async def peer(self, port: Awaitable[int]) -> Peer:
        return await self.listening.peer(port)

    def bot_status(self, status: int) -> int:
        return status

    def close(self) -> None:
        self.listening.release()


class _OpenBuild:
    """No box for a build either."""

    inherited = ()

    def __init__(self, command: Sequence[str]) -> None:
        self.command = list(command)

    def close(self) -> None:
        """Nothing was made."""


class Unconfined(msgspec.Struct, frozen=True):
    """`sandbox = "none"`: a bot runs with all the rights of the referee. For bots you trust."""

    name: ClassVar[Sandbox] = "none"
    limits: ClassVar[None] = None

    def to_play(
        self,
        command: Sequence[str],
        visible: Visible,  # noqa: ARG002 - it sees everything
        scratch: Path,
        reach: Reach,
        variables: Mapping[str, str] = NO_VARIABLES,
    ) -> BotBox:
        """No box."""
        return _Open(command, variables, listening(reach, scratch))

    def to_build(self, command: Sequence[str], visible: Visible) -> BuildBox:  # noqa: ARG002
        """No box."""
        return _OpenBuild(command)


_BY_NAME: dict[Sandbox, Callable[[SandboxLimits, tuple[Path, ...]], Confinement]] = {
    "bubblewrap": Bubblewrap,
    "landlock": Landlock,
    "none": lambda _limits, _read: Unconfined(),
}


def confinement(sandbox: Sandbox, limits: SandboxLimits = _DEFAULT, read: Sequence[Path] = ()) -> Confinement:
    """The confinement that a league file names.

    Args:
        sandbox: its name.
        limits: what each bot may use of the machine.
        read: places that every bot may read besides.
    """
    return _BY_NAME[sandbox](limits, tuple(read))
