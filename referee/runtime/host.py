"""What can have a seat, and what holds it there, wherever the bot is.

A `Bot` is what a person names: a folder or an address. A `Host` is the bot as it sits at a table: a process that was
started for it, or a bot elsewhere that can only be called. Only the code that makes them knows which kind they are.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol, Self, TypeAlias

import msgspec

from referee.match.entry_terms import EntryTerms
from referee.runtime.confinement import Confinement
from referee.runtime.peer import Peer
from referee.runtime.stopwatch import Observable

Ear: TypeAlias = Callable[[bytes], None]
"""Hears what a bot writes to stdout and stderr, as it comes, in pieces of any length. It must raise nothing."""


def ignore_stderr(_output: bytes) -> None:
    """Hear nothing of it."""


class HostSettings(msgspec.Struct, frozen=True):
    """The settings that all bots of a run share.

    Attributes:
        run_dir: the folder for their sockets.
        confinement: what they are confined in.
        start_ms: how long a bot without a clock of its own may take to start, in milliseconds.
        pondering: whether bots may think while others are asked.
    """

    run_dir: Path
    confinement: Confinement
    start_ms: int
    pondering: bool = False


class Host(Observable, Protocol):
    """Holds a seat for one bot, until it is buried."""

    @property
    def ended_by_itself(self) -> int | None:
        """How the bot ended by itself: its exit code, or minus the signal that ended it.

        None while it runs, if we killed it, and if its end cannot be seen.
        """

    @property
    def limit_exceeded(self) -> str | None:
        """What the bot took more of than it may, for which it was ended, in words that go after "it"; None if not."""

    @property
    def pending_step(self) -> str:
        """What a bot has not done that cannot be called yet, in words that go before "within 5 s"."""

    async def peer(self) -> Peer:
        """How to call the bot, as soon as that is known. This may never return: some bots must first print a port."""

    def rest(self) -> None:
        """Note that it is another seat's turn. A bot that is known to think off turn is paused, others are trusted."""

    def pause(self) -> None:
        """Stop the bot until `resume`. Pausing twice is the same as pausing once."""

    def resume(self) -> None:
        """Let the bot go on, whether after `rest`, after `pause` or without either."""

    def kill(self) -> None:
        """End the bot at once. It must still be buried."""

    async def ended(self) -> None:
        """Return when the bot has ended; never, if its end cannot be seen."""

    async def wait(self, seconds: float) -> int | None:
        """Its exit code, or minus a signal, once it has ended; None after `seconds`, or if its end cannot be seen."""

    async def stderr_tail(self) -> str:
        """The last lines that the bot wrote for people; empty if they cannot be read."""

    async def terminate(self) -> None:
        """Ask the bot to end, give it a moment, and bury it."""

    async def kill_now(self) -> None:
        """End the bot at once and clear away what it was given."""

    def not_ready(self, why: str) -> None:
        """Note that the bot was lost before it was ready for a match. Returns if this is the bot's own fault.

        Raises:
            Unreachable: it is nobody's fault, and the match has not begun.
        """


class Bot(Protocol):
    """Can be given a seat."""

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
        """What it was entered with."""

    @property
    def has_manifest(self) -> bool:
        """Whether there is a `bot.toml` that says who it is and what it plays."""

    @property
    def is_ours_to_end(self) -> bool:
        """Whether it is started and ended here, so that its end can be seen."""

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

    async def host(self, hosting: HostSettings, stderr_listener: Ear = ignore_stderr) -> Host:
        """A new host of the bot, for one seat. The caller must terminate or bury it.

        `stderr_listener` hears what the bot writes, if it can be heard here.

        Raises:
            Void: it could not be started, for reasons that are not the bot's.
        """
