"""Words in files, wherever something can be written."""

import contextlib
import os
from hashlib import sha256
from pathlib import Path

_MARK = Path(__file__).with_name("mark.txt").read_text()
_ADDRESS = Path(os.environ["REFEREE_ADDRESS"].removeprefix("unix:"))
_PLACES = (
    *map(Path, ("/tmp", "/dev/shm", "/var/tmp", os.environ.get("HOME", "/root"))),
    Path.cwd(),
    _ADDRESS.parent,
    _ADDRESS.parent.parent,
)


def put(word: str) -> None:
    """Keep a word."""
    for place in _PLACES:
        with contextlib.suppress(OSError):
            _file(place, word).touch()


def has(word: str) -> bool:
    """Whether a word was kept."""
    return any(_file(place, word).exists() for place in _PLACES)


def _file(place: Path, word: str) -> Path:
    return place / f"{_MARK}-{sha256(word.encode()).hexdigest()[:16]}"
