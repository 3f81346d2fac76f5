"""Standard output and standard error, whose readers may leave, as `head` does when it has seen enough.

Who reads no more of what a command says needs no more of the command: it ends, with exit code 0. Who reads no more of
its remarks may still want what it does: it goes on, and remarks nothing more.
"""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from referee.core.errors import Exit, OurFailure


class CannotSay(OurFailure):
    """Standard output takes no more, as on a full disk."""


@contextmanager
def readers_may_leave() -> Iterator[None]:
    """Let them leave while a command runs."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = _through(sys.stdout, _Said), _through(sys.stderr, _Remarked)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _through(stream: Any, pipe: type[io.FileIO]) -> Any:
    """The same stream, written through a `pipe`; what a program has put in its place stays as it is."""
    if stream not in (sys.__stdout__, sys.__stderr__) or stream is None:
        return stream
    raw = pipe(stream.fileno(), "wb", closefd=False)
    return io.TextIOWrapper(
        io.BufferedWriter(raw), stream.encoding, stream.errors, line_buffering=stream.line_buffering
    )


class _Said(io.FileIO):
    """What a command says."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            _write_to_nobody(self)
            raise SystemExit(Exit.DONE) from None
        except OSError as error:
            _write_to_nobody(self)
            raise CannotSay(f"standard output cannot be written: {error.strerror}") from error


class _Remarked(io.FileIO):
    """What a command remarks while it does what it was asked to."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError:
            _write_to_nobody(self)
            return len(data)


def _write_to_nobody(stream: io.FileIO) -> None:
    """Let what is still written, also at the end of the process, go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
