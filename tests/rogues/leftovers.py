"""What processes can leave on a machine beside processes and files in known folders, found by a mark in its name."""

import ctypes
import os
import zlib
from pathlib import Path

from tests.rogues.bots.calls import allowed, call

_PLACES = (
    "/tmp",
    "/var/tmp",
    "/dev/shm",
    "/",
    "/run",
    "/run/lock",
    "/var",
    "/var/lib",
    "/usr/local",
    "/opt",
    "/srv",
    "/mnt",
)
_KINDS = {"shm": "shmctl", "sem": "semctl", "msg": "msgctl"}
_OF_THE_USER, _SEARCH, _INVALIDATE = -4, 10, 21


def found(mark: str) -> list[str]:
    """Files with the mark in their names in places that all processes share, and objects of the kernel."""
    objects = [f"{kind} {key}" for kind in _KINDS for key, _ in _system_v(kind) if key == _key(mark)]
    queue = ["a queue"] if allowed("mq_open", mark.encode(), os.O_RDONLY, 0, None) else []
    key = ["a key"] if allowed("keyctl", _SEARCH, _OF_THE_USER, b"user", mark.encode(), 0) else []
    return [*map(str, _files(mark)), *objects, *queue, *key]


def remove(mark: str) -> None:
    """Remove all that `found` finds."""
    libc = ctypes.CDLL(None)
    for path in _files(mark):
        path.unlink()
    for kind, control in _KINDS.items():
        for key, number in _system_v(kind):
            if key == _key(mark):
                arguments = (number, 0, 0) if kind == "sem" else (number, 0, None)
                getattr(libc, control)(*arguments)
    allowed("mq_unlink", mark.encode())
    if allowed("keyctl", _SEARCH, _OF_THE_USER, b"user", mark.encode(), 0):
        call("keyctl", _INVALIDATE, call("keyctl", _SEARCH, _OF_THE_USER, b"user", mark.encode(), 0))


def _files(mark: str) -> list[Path]:
    places = [*map(Path, _PLACES), Path.home()]
    # The folder of the league itself bears the mark, too.
    return [path for place in places for path in place.glob(f"*{mark}*") if path.name != mark]


def _key(mark: str) -> int:
    """As the rogues compute it."""
    return zlib.crc32(mark.encode()) & 0x7FFFFFFF


def _system_v(kind: str) -> list[tuple[int, int]]:
    """The key and the number of every object of System V of this kind."""
    lines = Path(f"/proc/sysvipc/{kind}").read_text().splitlines()[1:]
    return [(int(line.split()[0]), int(line.split()[1])) for line in lines]
