"""Words as names in /usr that the kernel remembers not to exist (negative dentries). Nothing is written anywhere."""

import contextlib
import ctypes
import os
import struct
from pathlib import Path

_MARK = Path(__file__).with_name("mark.txt").read_text()
_OPENAT2 = 437
_HERE = -100  # AT_FDCWD
_CACHED = 0x20  # RESOLVE_CACHED
_libc = ctypes.CDLL(None, use_errno=True)


def put(word: str) -> None:
    """Ask for a name."""
    with contextlib.suppress(OSError):
        Path(_path(word)).stat()


def has(word: str) -> bool:
    """Whether the kernel knows at once that there is no such name."""
    how = struct.pack("3Q", os.O_RDONLY, 0, _CACHED)
    opened = _libc.syscall(_OPENAT2, _HERE, _path(word).encode(), how, len(how))
    return opened < 0 and ctypes.get_errno() == 2  # ENOENT


def _path(word: str) -> str:
    return f"/usr/{_MARK}-{word}"
