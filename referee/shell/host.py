"""Who can have a seat, and what holds it: the two sides of playing with a bot, wherever the bot is.

A `Bot` is what a person names: a folder, an address. A `Host` is the bot as it sits at a table: a process that was
started for it, a bot elsewhere that can only be called. Only who makes them knows which kind it is.
"""

from pathlib import Path
from typing import Protocol

import msgspec

from referee.shell.confinement import Confinement
from referee.shell.peer import Peer


class Hosting(msgspec.Struct, frozen=True):
    """What holds for all bots that are played with in a run.

    Attributes:
        run_dir: where their sockets lie.
        confinement: what they are confined in.
        start_ms: until a bot must be up.
        pondering: whether bots may think while others are asked.
    """

    run_dir: Path
    confinement: Confinement
    start_ms: int
    pondering: bool = False


class Host(Protocol):
    """Holds a seat for one bot, until it is buried."""

    @property
    def own_end(self) -> int | None:
        """How the bot ended: its exit code, or minus the signal that ended it.

        None while it runs, where it was killed by us, and where that is not seen.
        """

    async def peer(self) -> Peer:
        """How the bot is called, as soon as that is known. It may never be: a bot may have to say its port itself."""

    def rest(self) -> None:
        """It is another's turn: a bot that is known to think in such times is paused, others are trusted."""

    def pause(self) -> None:
        """Let the bot do nothing until `resume`. To pause twice is to pause once."""

    def resume(self) -> None:
        """Let the bot go on, after `rest` or `pause` or neither."""

    def kill(self) -> None:
        """End the bot at once. It stays to be buried."""

    async def ended(self) -> None:
        """Returns when the bot has ended; never where that is not seen."""

    async def wait(self, seconds: float) -> int | None:
        """Its exit status, or minus a signal, as soon as it has ended; None after `seconds`, or if that is not seen."""

    async def last_words(self) -> str:
        """The last lines that the bot wrote for people; empty where they are not heard."""

    async def terminate(self) -> None:
        """Ask the bot to end, give it a moment, and bury it."""

    async def bury(self) -> None:
        """End the bot at once and clear away what it was given."""

    def not_ready(self, why: str) -> None:
        """Hear that the bot was lost before it was ready for a match. Returns if that is the bot's own fault.

        Raises:
            Unreachable: it is nobody's: the match has not begun.
        """


class Bot(Protocol):
    """Can be given a seat."""

    @property
    def entry(self) -> str:
        """What it is called: `name@version`."""

    @property
    def place(self) -> str:
        """Where it is found again: a folder or an address."""

    @property
    def games(self) -> tuple[str, ...]:
        """The games it says it plays, or `*` for any."""

    @property
    def has_manifest(self) -> bool:
        """Whether there is a `bot.toml` that says who it is and what it plays."""

    @property
    def is_ours_to_end(self) -> bool:
        """Whether it is started and ended here, so that its end is seen."""

    @property
    def asks_for_a_token(self) -> bool:
        """Whether it must refuse who does not show its token."""

    def plays(self, game: str) -> bool:
        """Whether it says that it plays `game`."""

    def refusal(self, game: str, options: dict[str, object]) -> str | None:
        """Why it cannot sit at a table of `game` with these options; None if it can."""

    def narrowed(self, game: str) -> dict[str, object]:
        """Options of `game` that it can play with, where it says which: the first value of each."""

    async def host(self, hosting: Hosting) -> Host:
        """Take a seat: a host of its own, which is to be terminated or buried.

        Raises:
            Void: it could not be started, for reasons that are not the bot's.
        """
