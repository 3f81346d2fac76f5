"""Bots that are started on this machine: a folder with a `bot.toml`.

If a bot does not start, its files may say why: the folder is away, or the program cannot be run.
"""

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar

import msgspec

from referee.core.bot_limits import FolderLimits
from referee.core.errors import Void
from referee.files.bot_folder import Visible, read_tree, resolved
from referee.files.manifest import MANIFEST, Manifest, ManifestError
from referee.match.terms import USUAL, EntryTerms
from referee.runtime.bot_process import BotProcess
from referee.runtime.bot_stream import Description
from referee.runtime.host import HostSettings, StderrListener, ignore_stderr
from referee.runtime.probe_process import require_starts
from referee.runtime.remote_bot import Unreachable
from referee.wire.dialects import DIALECTS, Dialect

_LONGEST_FIRST_LINE = 256
"""So many bytes of a script's first line the kernel reads (execve(2))."""


def is_away(folder: Path) -> bool:
    """Whether a bot's folder is not there now, such as one on a disk that is not mounted. It is nobody's fault."""
    return not (folder / MANIFEST).exists()


def unusable_program(command: Sequence[str], folder: Path) -> str | None:
    """Why no system can run the program of a command, in words that go after "the bot"; None if nothing is found.

    Only a program in the bot's folder is looked at.
    """
    program = command[0]
    path = folder / program
    if "/" not in program:
        return None
    if not path.is_file():
        return f"has no file {program} in its folder"
    if not os.access(path, os.X_OK):
        return f"has no right to execute {program}; give it: chmod +x {program}"
    try:
        with path.open("rb") as file:
            first = file.readline(_LONGEST_FIRST_LINE)
    except OSError:
        return None
    if first.startswith(b"#!") and first.rstrip(b"\n").endswith(b"\r"):
        return f"has a first line in {program} that ends with CR LF, as on Windows; save the file with LF alone"
    return None


_LIMITS = FolderLimits()


class LocalBot(msgspec.Struct, frozen=True):
    """A bot's folder and the content of its `bot.toml`: a `Bot`.

    Attributes:
        folder: the folder, an absolute path without links.
        manifest: its `bot.toml`.
        visible: what the bot may see of its files when it is confined.
        terms: the terms of its entry.
    """

    folder: Path
    manifest: Manifest
    visible: Visible
    terms: EntryTerms = USUAL

    has_manifest: ClassVar[bool] = True
    is_ours_to_end: ClassVar[bool] = True

    @property
    def entry(self) -> str:
        """The bot's name: `name@version`."""
        return self.manifest.entry

    @property
    def place(self) -> str:
        """Where the bot is: its folder."""
        return str(self.folder)

    @property
    def command(self) -> list[str]:
        """The command that starts it, with `{address}` still to be filled in."""
        return _filled_in((*self.manifest.run, *self.terms.arguments))

    @property
    def build_command(self) -> list[str]:
        """The command that builds it; empty if it needs no build."""
        return _filled_in(self.manifest.build)

    @property
    def asks_for_a_token(self) -> bool:
        """Whether other users of this machine could call it, too."""
        return self.manifest.reach in ("tcp", "tcp-any")

    @property
    def dialect(self) -> Dialect:
        """How messages to it and its answers are written."""
        return DIALECTS[self.manifest.protocol]

    @property
    def description(self) -> Description | None:
        """What its bot.toml says, if it reads lines; None if it must be called for it."""
        manifest = self.manifest
        if manifest.reach != "stdio":
            return None
        return Description(
            name=manifest.name, version=manifest.version, games=manifest.games, max_batch=manifest.max_batch
        )

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

    def on_terms(self, terms: EntryTerms) -> "LocalBot":
        """The same bot, entered with `terms`."""
        return msgspec.structs.replace(self, terms=terms)

    async def host(self, hosting: HostSettings, stderr_listener: StderrListener = ignore_stderr) -> BotProcess:
        """Start a process of the bot. `stderr_listener` gets its output.

        Raises:
            Void: it could not be started, for reasons that are not the bot's.
            CannotStart: nothing can be started on this machine.
            Unreachable: its folder is not there now.
        """
        explain = partial(self._explain_start, hosting)
        variables, transport = self.terms.environment, self.manifest.reach
        try:
            return await BotProcess.start(
                self.command, self.visible, transport, hosting, variables, stderr_listener, explain
            )
        except Void as void:
            await explain(str(void))
            raise

    async def _explain_start(self, hosting: HostSettings, reason: str) -> str:
        """`Host.not_ready` of its process: what its files say, unless its folder is away or the machine at fault."""
        if is_away(self.folder):
            raise Unreachable(self.folder.name, str(self.folder), f"its folder {self.folder} is not there now")
        await require_starts(hosting)
        if reason.endswith("code 0") and self.description is None:
            return f'{reason}; if it reads lines, its bot.toml needs protocol = "lines"'
        wrong = unusable_program(self.command, self.folder)
        return reason if wrong is None else f"{reason}; the bot {wrong}"


def _filled_in(words: Sequence[str]) -> list[str]:
    return [word.replace("{python}", sys.executable) for word in words]


def read_bot(folder: Path, limits: FolderLimits = _LIMITS, terms: EntryTerms = USUAL) -> LocalBot:
    """The bot in `folder`, which can be started, on the terms on which it was entered.

    Raises:
        ManifestError: it has no usable `bot.toml`, or its command names something that is missing or hidden.
        FolderError: its folder cannot be used as it is.
    """
    bot = read_sources(folder, limits).on_terms(terms)
    problems = [
        f"{folder / MANIFEST}: {problem}" for problem in (*_missing(bot), *_hidden(bot, "run", bot.manifest.run))
    ]
    problems += [f"{folder}: {problem}" for problem in _hidden(bot, "arguments", terms.arguments)]
    if problems:
        raise ManifestError(problems)
    return bot


def read_sources(folder: Path, limits: FolderLimits = _LIMITS) -> LocalBot:
    """The bot in `folder`, which may still have to be built.

    Raises:
        ManifestError: it has no usable `bot.toml`.
        FolderError: its folder cannot be used as it is.
    """
    from referee.files.bot_toml import read_manifest  # noqa: PLC0415 - processes that are given bots need not load it

    manifest = read_manifest(folder)
    visible = read_tree(folder, manifest, limits).visible
    return LocalBot(visible.folder, manifest, visible)


def _missing(bot: LocalBot) -> Iterator[str]:
    """The sentence for the user if the program that starts the bot is missing."""
    program = bot.command[0]
    if "/" not in program:
        if not shutil.which(program):
            yield f"run[0]: there is no program {program} on this machine; install it"
    elif not os.path.isfile(bot.folder / program):  # noqa: PTH113 - for Path, a name that is too long is an error
        hint = f"; build it first: referee build {bot.folder}" if bot.manifest.build else ""
        yield f"run[0]: there is no file {program} in the bot's folder{hint}"


def _hidden(bot: LocalBot, key: str, words: Sequence[str]) -> Iterator[str]:
    """A sentence for each of the words under a key that names something that exists and that the bot will not see."""
    for number, word in enumerate(words):
        place = resolved(bot.folder / word)
        if place is not None and bot.visible.hides(place):
            yield (
                f"{key}[{number}]: {word} is in a folder that is hidden from bots;"
                " name the folder in output if building makes it, else move the file"
            )
