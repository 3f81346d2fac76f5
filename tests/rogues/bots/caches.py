"""What the kernel keeps in its caches outlives a bot: whoever can change it and ask for it can leave a word there.

Each attack asks for it by a call that needs no clock. It succeeds if the kernel does what it is asked.
"""

import contextlib
import ctypes
import mmap
import os
import struct
from collections.abc import Iterator
from pathlib import Path

from .bot import FIRST, Moment, at
from .calls import allowed

_SOURCE = str(Path(__file__)).encode()
_AT_ONCE = 0x8  # RWF_NOWAIT
_HERE = -100  # AT_FDCWD


@contextlib.contextmanager
def _source() -> Iterator[int]:
    """Its own source, open."""
    file = os.open(_SOURCE, os.O_RDONLY)
    try:
        yield file
    finally:
        os.close(file)


def _vector() -> tuple[object, object]:
    """A struct iovec, and the room that it names."""
    room = ctypes.create_string_buffer(16)
    return (ctypes.c_size_t * 2)(ctypes.addressof(room), 16), room


@at(FIRST)
def looks_up_in_the_cache_only(_moment: Moment) -> bool:
    """Opens its source if its name is in the kernel's cache of names (RESOLVE_CACHED)."""
    cached = 0x20
    return allowed("openat2", _HERE, _SOURCE, struct.pack("3Q", os.O_RDONLY, 0, cached), 24)


@at(FIRST)
def reads_from_the_cache_only(_moment: Moment) -> bool:
    """Reads its source if it is in memory."""
    vector, _room = _vector()
    with _source() as file:
        return allowed("preadv2", file, ctypes.byref(vector), 1, 0, 0, _AT_ONCE)  # type: ignore[arg-type]


@at(FIRST)
def writes_to_the_cache_only(_moment: Moment) -> bool:
    """Writes to a file of its own if that needs no disk."""
    vector, _room = _vector()
    file = os.open("/tmp", os.O_TMPFILE | os.O_RDWR)
    return allowed("pwritev2", file, ctypes.byref(vector), 1, 0, 0, 0)  # type: ignore[arg-type]


@at(FIRST)
def reads_from_the_cache_later(_moment: Moment) -> bool:
    """Asks for an asynchronous read, which may say that it would have to wait."""
    context = ctypes.c_ulong()
    return allowed("io_setup", 1, ctypes.byref(context))


@at(FIRST)
def empties_the_cache(_moment: Moment) -> bool:
    """Drops its source from memory."""
    dont_need = 4
    with _source() as file:
        return allowed("fadvise64", file, 0, 0, dont_need)


@at(FIRST)
def pages_out(_moment: Moment) -> bool:
    """Drops pages that it has mapped from memory."""
    page_out = 21
    with mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE) as page, contextlib.suppress(OSError):
        page.madvise(page_out)
        return True
    return False


@at(FIRST)
def fills_the_cache(_moment: Moment) -> bool:
    """Reads its source ahead."""
    with _source() as file:
        return allowed("readahead", file, 0, 4096)


@at(FIRST)
def asks_which_pages_are_in_memory(_moment: Moment) -> bool:
    """Maps its source and asks which of its pages are in memory."""
    libc = ctypes.CDLL(None)
    libc.mmap.restype = ctypes.c_void_p
    with _source() as file:
        address = libc.mmap(None, 4096, mmap.PROT_READ, mmap.MAP_PRIVATE, file, 0)
    return allowed("mincore", address, 4096, ctypes.create_string_buffer(1))


@at(FIRST)
def counts_pages_in_memory(_moment: Moment) -> bool:
    """Asks how many pages of its source are in memory. Kernels before 6.5 do not know the call."""
    with _source() as file:
        return allowed("cachestat", file, struct.pack("2Q", 0, 4096), ctypes.create_string_buffer(40), 0)
