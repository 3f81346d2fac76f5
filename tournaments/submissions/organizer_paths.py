"""Keeps the paths of the organizer's machine out of the text that an author reads."""

import re
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from referee.runtime.sandbox.readable_paths import SYSTEM, own_python

_LONGEST_LINE = 65_536
"""A line that is longer is passed on in parts, and a path between two parts stays."""

_HAS_NAME = 2
"""The parts of a path that has a name below the root."""


def organizer_names(folder: Path, read: Iterable[Path]) -> dict[str, str]:
    """The places that an author may not read about, each with the name that takes its place.

    Args:
        folder: the folder of the author's bot.
        read: the places that every bot of the league may read.
    """
    places = {place: place.name for place in (Path(tempfile.gettempdir()), *read, *own_python())}
    named = places | {Path.home(): "~", folder: "bot", folder.resolve(): "bot"}
    return {str(place): name for place, name in named.items() if _tells_something(place)}


def _tells_something(place: Path) -> bool:
    is_everywhere = place.is_relative_to(SYSTEM) or place == Path("/tmp")  # noqa: S108 - each box has one
    return len(place.parts) >= _HAS_NAME and not is_everywhere


class PathFilter:
    """Passes text on, line by line, with names in the place of the organizer's paths."""

    def __init__(self, tell: Callable[[str], None], names: dict[str, str]) -> None:
        """Pass text on to `tell`; `names` maps each path to its name. The longest path that fits is replaced."""
        self._tell = tell
        self._names = names
        paths = "|".join(re.escape(path) for path in sorted(names, key=len, reverse=True))
        self._pattern = re.compile(rf"(?<![\w.-])(?:{paths})(?![\w-])")
        self._open_line = ""

    def __call__(self, text: str) -> None:
        """Take a piece of the text."""
        lines, newline, self._open_line = (self._open_line + text).rpartition("\n")
        if lines or newline:
            self._tell(self.named(lines + newline))
        if len(self._open_line) > _LONGEST_LINE:
            self.flush()

    def named(self, text: str) -> str:
        """The text with names in the place of paths."""
        return self._pattern.sub(lambda found: self._names[found[0]], text)

    def flush(self) -> None:
        """Pass on a line that has not ended."""
        if self._open_line:
            self._tell(self.named(self._open_line))
            self._open_line = ""
