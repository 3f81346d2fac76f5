"""What a bot writes for people in a command, and matches in which it failed: told, and kept in files.

The files are in the user's cache, under the names of the bots. The next command with the same bot replaces them.
"""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from referee.cli.console import remark, say
from referee.core.errors import FileProblems
from referee.core.text import one_line
from referee.files.write_file import write
from referee.match.transcript import Transcript, to_file
from referee.runtime.bot_process import STDERR_TAIL_BYTES
from referee.runtime.confinement import Confinement
from referee.runtime.host import Bot
from referee.runtime.sandbox import readable_paths

MOST_BYTES = 1 << 20
"""So much of the output is kept: the beginning."""

_PATH = re.compile(rb"(?<![\w/.:}])/(?:[\w.@+-]+/)+[\w.@+-]*[\w@+-]")  # no output has those of the bot and of {python}
_IN_EVERY_BOX = [Path("/") / name for name in ("dev", "proc", "sys", "tmp", *readable_paths.ROOT_LINKS)]


class OutputFile:
    """What one bot writes, at one seat or at all of them, and the file for it."""

    def __init__(self, bot: Bot, where: str) -> None:
        """`where` is a part of the name of the file."""
        self._bot = bot
        self._name = f"{bot.entry}.{where}"
        self._written = bytearray()
        self._position = 0

    def hear(self, output: bytes) -> None:
        """Take a piece: a `StderrListener`."""
        self._written += output[: MOST_BYTES - len(self._written)]

    def news(self) -> list[str]:
        """The lines since the last call."""
        new, self._position = self._written[self._position :], len(self._written)
        return [one_line(line) for line in new.decode(errors="backslashreplace").splitlines()]

    def keep(self) -> Path | None:
        """Write the file. Returns it; None if the bot wrote nothing, or the file cannot be written."""
        self._position = 0
        lines = "".join(f"{line}\n" for line in self.news())
        return keep_file(f"{self._name}.txt", lines.encode()) if lines else None

    def hidden(self, confinement: Confinement) -> Iterator[str]:
        """A sentence for each file in its last lines that is on this machine, but not in the box of the bot."""
        if confinement.name == "none" or not self._bot.is_ours_to_end:
            return
        readable = (*_IN_EVERY_BOX, readable_paths.SYSTEM, *readable_paths.settings())
        for path in sorted({Path(os.fsdecode(found)) for found in _PATH.findall(self._written[-STDERR_TAIL_BYTES:])}):
            is_hidden = not any(map(path.is_relative_to, readable))
            if is_hidden and os.path.exists(path):  # noqa: PTH110 - `Path.exists` fails on a path that is too long
                yield f"{self._bot.entry} names {path}, which its box hides; `read` in a league file can show it"


def keep_match(name: str, transcript: Transcript) -> None:
    """Keep a match in which a bot failed, and say where it is."""
    if (file := keep_file(f"{name}.json", to_file(transcript))) is not None:
        say(f"the match: {file}")


def keep_file(name: str, content: bytes) -> Path | None:
    """Write a file into the user's cache. Returns it; None if it cannot be written, which is told."""
    try:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "referee" / "output"
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
        write(folder / name, "output", content)
    except (FileProblems, RuntimeError) as error:  # the latter if the user has no home
        remark(f"{name} is not kept: {error}")
        return None
    return folder / name
