"""Words as pages of a large empty file that are in memory (the page cache). The file is only read."""

import ctypes
import mmap
import os
from hashlib import sha256
from pathlib import Path

_PAGE = mmap.PAGESIZE
_libc = ctypes.CDLL(None, use_errno=True)
_libc.mmap.restype = ctypes.c_void_p
_libc.mmap.argtypes = [ctypes.c_void_p, *[ctypes.c_size_t] * 5]
_libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
_libc.mincore.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p]


def put(word: str) -> None:
    """Read a page."""
    if _FILE is not None:
        os.pread(_FILE, 1, _at(word))


def has(word: str) -> bool:
    """Whether a page is in memory."""
    if _FILE is None:
        return False
    address = _libc.mmap(None, _PAGE, mmap.PROT_READ, mmap.MAP_SHARED, _FILE, _at(word))
    told = ctypes.create_string_buffer(1)
    refused = _libc.mincore(address, _PAGE, told)
    _libc.munmap(address, _PAGE)
    return not refused and bool(told.raw[0] & 1)


def _at(word: str) -> int:
    """The place of a word in the file."""
    assert _FILE is not None
    pages = os.fstat(_FILE).st_size // _PAGE
    return int.from_bytes(sha256(word.encode()).digest()[:8], "big") % pages * _PAGE


def _opened() -> int | None:
    try:
        file = os.open(Path(__file__).with_name("pages.txt").read_text(), os.O_RDONLY)
    except OSError:
        return None
    os.posix_fadvise(file, 0, 0, os.POSIX_FADV_RANDOM)  # no page is read ahead
    return file


_FILE = _opened()
