"""Bots that are started on this machine: a folder with a `bot.toml`."""

import shutil
import sys
from pathlib import Path
from typing import ClassVar

import msgspec

from referee.files.manifest import MANIFEST, Manifest, ManifestError, read_manifest
from referee.shell.host import Hosting
from referee.shell.process import BotProcess
from referee.shell.sandbox.visible import Visible


class LocalBot(msgspec.Struct, frozen=True):
    """A bot's folder and what its `bot.toml` says: a `Bot`."""

    folder: Path
    manifest: Manifest

    has_manifest: ClassVar[bool] = True
    is_ours_to_end: ClassVar[bool] = True

    @property
    def entry(self) -> str:
        """What the bot is called: `name@version`."""
        return self.manifest.entry

    @property
    def place(self) -> str:
        """Where the bot is: its folder."""
        return str(self.folder)

    @property
    def command(self) -> list[str]:
        """The command that starts it, with `{address}` still to be filled in."""
        return _filled_in(self.manifest.run)

    @property
    def build_command(self) -> list[str]:
        """The command that builds it; empty if nothing is to be built."""
        return _filled_in(self.manifest.build)

    @property
    def asks_for_a_token(self) -> bool:
        """Whether other users of this machine could call it, too."""
        return self.manifest.transport != "unix"

    def narrowed(self, game: str) -> dict[str, object]:
        """Options of `game` that it can play with: the first value of each option that its manifest lists."""
        return {name: values[0] for name, values in self.manifest.options.get(game, {}).items()}

    @property
    def games(self) -> tuple[str, ...]:
        """The games it says it plays, or `*` for any."""
        return self.manifest.games

    def plays(self, game: str) -> bool:
        """Whether it says that it plays `game`."""
        return self.manifest.plays(game)

    def refusal(self, game: str, options: dict[str, object]) -> str | None:
        """Why it cannot sit at a table of `game` with these options; None if it can."""
        return self.manifest.refusal(game, options)

    async def host(self, hosting: Hosting) -> BotProcess:
        """Start a process of the bot.

        Raises:
            Void: it could not be started, for reasons that are not the bot's.
        """
        return await BotProcess.start(self.command, Visible(self.folder), self.manifest.transport, hosting)


def _filled_in(words: tuple[str, ...]) -> list[str]:
    return [word.replace("{python}", sys.executable) for word in words]


def read_bot(folder: Path) -> LocalBot:
    """The bot in `folder`, which can be started.

    Raises:
        ManifestError: it has no usable `bot.toml`, or the program that this names is not there.
    """
    bot = read_sources(folder)
    missing = _missing(bot)
    if missing:
        raise ManifestError([f"{folder / MANIFEST}: run[0]: {missing}"])
    return bot


def read_sources(folder: Path) -> LocalBot:
    """The bot in `folder`, which may still have to be built.

    Raises:
        ManifestError: it has no usable `bot.toml`.
    """
    return LocalBot(folder.resolve(), read_manifest(folder))


def _missing(bot: LocalBot) -> str | None:
    """The sentence for the user if the program that starts the bot is missing; None if it is there."""
    program = bot.command[0]
    if "/" not in program:
        return None if shutil.which(program) else f"there is no program {program} on this machine; install it"
    if (bot.folder / program).is_file():
        return None
    hint = f"; build it first: referee build {bot.folder}" if bot.manifest.build else ""
    return f"there is no file {program} in the bot's folder{hint}"
