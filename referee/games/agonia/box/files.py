"""The files of `data/`. They are read once, as the code is, and checked."""

import pkgutil
from enum import IntEnum
from typing import TypeVar

import msgspec

K = TypeVar("K", bound=IntEnum)
T = TypeVar("T")

_PACKAGE = "referee.games.agonia.box"


def read(file: str, entry: type[T]) -> dict[str, T]:
    """The entries of a file in `data/`, by name.

    Raises:
        ValueError: the file does not have such entries. The message says where and why.
    """
    raw = pkgutil.get_data(_PACKAGE, f"data/{file}") or b""
    try:
        return msgspec.toml.decode(raw, type=dict[str, entry])  # type: ignore[valid-type]  # a type found at run time
    except msgspec.DecodeError as error:
        raise ValueError(f"{file}: {error}") from error


def read_all(file: str, entry: type[T], names: type[K]) -> dict[K, T]:
    """Do the same as `read`, for an entry per member of `names`. The entry has the member's name in small letters.

    Raises:
        ValueError: an entry is missing or unknown.
    """
    entries = read(file, entry)
    wanted = {name.name.lower(): name for name in names}
    require(entries.keys() == wanted.keys(), file, f"there must be one entry each for {', '.join(wanted)}")
    return {name: entries[key] for key, name in wanted.items()}


def require(holds: bool, file: str, message: str) -> None:
    """Complain about a file if a condition does not hold.

    Raises:
        ValueError: the condition does not hold.
    """
    if not holds:
        raise ValueError(f"{file}: {message}")
