"""Reading files that a stranger may have made: ordinary files only, up to a size, and TOML that does no harm."""

import io
import os
import stat
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from referee.core.errors import FileProblems

_BYTE_ORDER_MARK = "\ufeff"

_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}

_DEEPEST = 32
"""How many levels of arrays and tables a file may have. None that we read needs more than five."""

_MOST_DOTS = 256
"""Dots in a line of TOML. The parser's time and memory grow with the square of the parts of a dotted key: 8,000 parts
take 260 MB, and 64 KiB have room for four times as many."""

_INTEGERS = range(-(1 << 63), 1 << 63)
"""The integers of TOML. Python reads longer ones, but cannot print all of them."""


class NotOrdinary(OSError):
    """A path leads to something else than an ordinary file."""

    def __init__(self, mode: int) -> None:
        """`mode` is that of the thing, as stat has it."""
        super().__init__(None, f"it is {kind(mode)}, not an ordinary file")


def kind(mode: int) -> str:
    """The kind of a thing with this mode (as stat has it), if it is no ordinary file."""
    return _KINDS.get(stat.S_IFMT(mode), "something unknown")


def open_ordinary(path: Path) -> io.BufferedReader:
    """Open an ordinary file for reading. Links are followed.

    Opening a pipe can wait forever, and opening a device can do anything. So this first only looks the path
    up. It opens the thing that it found once that is known to be a file, even if the path leads elsewhere by then.

    Raises:
        OSError: it cannot be opened; `NotOrdinary` if it is no file.
    """
    found = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        mode = os.fstat(found).st_mode
        if not stat.S_ISREG(mode):
            raise NotOrdinary(mode)
        return Path(f"/proc/self/fd/{found}").open("rb")
    finally:
        os.close(found)


def read_ordinary(path: Path, most_bytes: int) -> bytes:
    """The content of an ordinary file.

    Raises:
        FileProblems: the file is missing, is no ordinary file, is larger than that, or cannot be read.
    """
    try:
        with open_ordinary(path) as file:
            content = file.read(most_bytes + 1)
    except FileNotFoundError as error:
        raise FileProblems([f"{path}: there is no such file"]) from error
    except OSError as error:
        raise FileProblems([f"{path}: cannot be read: {error.strerror}"]) from error
    if len(content) > most_bytes:
        raise FileProblems([f"{path}: is larger than {most_bytes // 1024:,} KiB; no such file may be"])
    return content


def read_toml(path: Path, most_bytes: int) -> dict[str, Any]:
    """The content of a TOML file. It has at most 32 levels, and its integers have at most 64 bits.

    Raises:
        FileProblems: the file is missing, cannot be read, or is not TOML of that kind.
    """
    try:
        return _parsed(read_ordinary(path, most_bytes).decode())
    except UnicodeDecodeError as error:
        raise FileProblems([f"{path}: {_not_utf8(error)}"]) from error
    except _NotToml as error:
        raise FileProblems([f"{path}: {error}"]) from error


class _NotToml(Exception):
    """The text is wrong; says how."""


def _parsed(text: str) -> dict[str, Any]:
    if text.startswith(_BYTE_ORDER_MARK):
        raise _NotToml("begins with a byte order mark (BOM); save it as UTF-8 without one")
    for number, line in enumerate(text.split("\n"), start=1):
        if line.count(".") > _MOST_DOTS:
            raise _NotToml(f"line {number}: has {line.count('.'):,} dots; at most {_MOST_DOTS} may stand in a line")
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _NotToml(f"is not TOML: {error}") from error
    except RecursionError as error:
        raise _NotToml(_TOO_DEEP) from error
    except ValueError as error:  # it has more digits than Python converts
        raise _NotToml(_TOO_LONG) from error
    _check_harmless(content)
    return content


_TOO_DEEP = f"has arrays or tables in one another that are more than {_DEEPEST} deep"
_TOO_LONG = "has an integer of more than 64 bits, which TOML does not allow"


def _check_harmless(content: dict[str, Any]) -> None:
    # Level by level: dotted keys can nest tables thousands deep, even in tables within arrays on lines of their own.
    level: list[object] = [content]
    for _ in range(_DEEPEST + 1):
        if any(isinstance(value, int) and value not in _INTEGERS for value in level):
            raise _NotToml(_TOO_LONG)
        level = [part for value in level for part in _parts(value)]
    if level:
        raise _NotToml(_TOO_DEEP)


def _parts(value: object) -> Iterable[object]:
    match value:
        case dict():
            return value.values()
        case list():
            return value
        case _:
            return ()


def _not_utf8(error: UnicodeDecodeError) -> str:
    line = error.object.count(b"\n", 0, error.start) + 1
    return f"line {line}: the byte 0x{error.object[error.start]:02x} is not UTF-8; save the file as UTF-8"
