"""The contracts of bots and of their hosts, for bots on this machine and elsewhere.

A `Bot` stands for a folder or an address that a person names. A `Host` holds a bot's seat at a table: with a process
of its own, or by calls to a bot elsewhere. Only the code that makes them knows which kind they are.
"""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, Self, TypeAlias, TypeVar

import msgspec

from referee.match.terms import EntryTerms
from referee.runtime.bot_address import Peer
from referee.runtime.confinement import Confinement
from referee.runtime.stopwatch import Observable

if TYPE_CHECKING:  # commands that only read a league do not load what calls bots
    from referee.runtime.bot_stream import Description
    from referee.wire.dialects import Dialect

_Result = TypeVar("_Result")


StderrListener: TypeAlias = Callable[[bytes], None]
"""Gets a bot's output to stdout and stderr at once, in pieces of any length. It must raise nothing."""


def ignore_stderr(_output: bytes) -> None:
    """Do nothing with a bot's output."""


class HostSettings(msgspec.Struct, frozen=True):
    """The settings that all bots of a run share.

    Attributes:
        run_dir: the folder for their sockets.
        confinement: their confinement.
        start_ms: how long a bot without a clock of its own may take to start, in milliseconds.
        pondering: whether bots may think while others are asked.
        kills: gets the signal that ended a bot by force, if neither the referee nor a limit was the cause.
    """

    run_dir: Path
    confinement: Confinement
    start_ms: int
    pondering: bool = False
    kills: list[int] = []


class Host(Observable, Protocol):
    """Holds a seat for one bot, until it is cleared away."""

    @property
    def ended_by_itself(self) -> int | None:
        """How the bot ended by itself: its exit code, or minus the signal that ended it.

        None while it runs, if we killed it, and if its end cannot be seen.
        """

    @property
    def processor_ns(self) -> int | None:
        """The processor time that the bot's own process has used; its children not counted. None: it cannot be seen."""

    @property
    def limit_exceeded(self) -> str | None:
        """The limit for which the bot was ended, in words that go after "it"; None if it kept all limits."""

    @property
    def pending_step(self) -> str:
        """The step that a bot has not done while nobody can call it, in words that go before "within 5 s"."""

    async def peer(self) -> Peer:
        """How to call the bot, as soon as that is known. This may never return: some bots must first print a port."""

    def rest(self) -> None:
        """Note that it is another seat's turn. This pauses a bot that was seen to think off turn, and trusts others."""

    def pause(self) -> None:
        """Stop the bot until `resume`. Pausing twice is the same as pausing once."""

    def resume(self) -> None:
        """Let the bot go on, whether after `rest`, after `pause` or without either."""

    def kill(self) -> None:
        """End the bot at once. The caller must still clear it away (`kill_now`)."""

    async def ended(self) -> None:
        """Return when the bot has ended; never, if its end cannot be seen."""

    async def wait(self, seconds: float) -> int | None:
        """Its exit code, or minus a signal, once it has ended; None after `seconds`, or if its end cannot be seen."""

    async def stderr_tail(self) -> str:
        """The last lines that the bot wrote for people; empty if they cannot be read."""

    async def terminate(self) -> None:
        """Ask the bot to end, give it a moment, and clear it away."""

    async def kill_now(self) -> None:
        """End the bot at once, and clear away everything that it got."""

    async def not_ready(self, reason: str) -> str:
        """Find out why the bot, which has ended, was not ready for a match. Returns if this is the bot's own fault.

        Returns:
            The fault in words: `reason`, and what else is known.

        Raises:
            Unreachable: it is nobody's fault, and the match has not begun.
            CannotStart: this machine can start no bot.
        """


class Bot(Protocol):
    """A bot that can have a seat."""

    @property
    def entry(self) -> str:
        """The name of the entry: `name@version`."""

    @property
    def place(self) -> str:
        """Where the bot is: a folder or an address."""

    @property
    def games(self) -> tuple[str, ...]:
        """The games it says it plays, or `*` for any."""

    @property
    def terms(self) -> EntryTerms:
        """The terms of its entry."""

    @property
    def has_manifest(self) -> bool:
        """Whether there is a `bot.toml` with its name, version and games."""

    @property
    def is_ours_to_end(self) -> bool:
        """Whether the referee starts and ends it, and so can see its end."""

    @property
    def dialect(self) -> "Dialect":
        """How messages to it and its answers are written."""

    @property
    def description(self) -> "Description | None":
        """The description that it would send; None if it must be called for it."""

    @property
    def asks_for_a_token(self) -> bool:
        """Whether it must refuse callers that do not show its token."""

    def plays(self, game: str) -> bool:
        """Whether it says that it plays `game`."""

    def refusal(self, game: str, options: dict[str, object]) -> str | None:
        """Why it cannot sit at a table of `game` with these options; None if it can."""

    def narrowed(self, game: str) -> dict[str, object]:
        """Options of `game` that it can play with: the first value of each option that its manifest lists."""

    def on_terms(self, terms: EntryTerms) -> Self:
        """The same bot, entered with `terms`."""

    async def host(self, hosting: HostSettings, stderr_listener: StderrListener = ignore_stderr) -> Host:
        """A new host of the bot, for one seat. The caller must call `terminate` or `kill_now`.

        `stderr_listener` gets the bot's output, if the referee can read it.

        Raises:
            Void: it could not be started, for reasons that are not the bot's.
        """


async def run_to_end(work: Awaitable[_Result]) -> _Result:
    """Await what ends bots. It goes on if whoever awaits it is cancelled meanwhile, so no bot outlives that."""
    ending = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(ending)
    finally:
        await asyncio.wait([ending])
