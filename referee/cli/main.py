"""The command `referee`. It handles signals before it imports anything slow, and guards standard output and error.

Their readers may leave early, as `head` does when it has seen enough. If the reader of standard output leaves, nobody
needs the command any more: it ends with exit code 0. If the reader of standard error leaves, somebody may still want
the command's work: it continues and writes no more remarks.
"""

import gc
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from referee.cli.signals import end_on_signals
from referee.core.errors import Exit, OurFailure


@contextmanager
def let_readers_leave() -> Iterator[None]:
    """Allow readers to leave while a command runs."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = _through(sys.stdout, _Stdout), _through(sys.stderr, _Remarked)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _through(stream: Any, pipe: type[io.FileIO]) -> Any:
    """The same stream, written through a `pipe`. A stream that a program has put in its place stays as it is."""
    if stream not in (sys.__stdout__, sys.__stderr__) or stream is None:
        return stream
    raw = pipe(stream.fileno(), "wb", closefd=False)
    return io.TextIOWrapper(
        io.BufferedWriter(raw), stream.encoding, stream.errors, line_buffering=stream.line_buffering
    )


class _Stdout(io.FileIO):
    """Standard output: the result of a command."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            _write_to_nobody(self)
            raise SystemExit(Exit.DONE) from None
        except OSError as error:
            _write_to_nobody(self)
            raise OurFailure(f"standard output cannot be written: {error.strerror}") from error


class _Remarked(io.FileIO):
    """Standard error: the remarks of a command during its work."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError:
            _write_to_nobody(self)
            return len(data)


def _write_to_nobody(stream: io.FileIO) -> None:
    """Throw away all later output, even at the end of the process."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


_NEW_OBJECTS = 50_000
"""After so many the collector looks for garbage. What a command makes, imports first, is hardly ever garbage that only
the collector finds. Looks after every 700 took a tenth of short commands, and a sixth of a long table."""


def main() -> None:
    """Run the command line."""
    # Every sum is one of one thread (tournaments/rating/numerics.py). The library of numpy would start a thread a
    # core all the same, and where processes are few, it sends itself a SIGINT: the command would seem to be stopped.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(_NEW_OBJECTS)
    with end_on_signals(), let_readers_leave():
        from referee.cli.commands import run  # noqa: PLC0415 - it takes a while, and Ctrl-C works meanwhile

        try:
            run()
        finally:
            gc.freeze()  # the process ends: to look once more for garbage in all its modules took a tenth of a second


if __name__ == "__main__":
    main()
