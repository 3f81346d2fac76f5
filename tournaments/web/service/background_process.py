"""Common parts of background processes: reading orders, working until the input ends, reporting failures."""

import os
import select
import sys
from collections.abc import Callable

import msgspec

from referee.core.errors import UserError
from tournaments.web.service.worker_messages import WorkerOrders

_INPUT = 0


def orders() -> WorkerOrders:
    """The orders in the first line of the input. It is read byte by byte, so that the rest stays unread."""
    line = bytearray()
    while (byte := os.read(_INPUT, 1)) not in {b"", b"\n"}:
        line += byte
    return msgspec.json.decode(line, type=WorkerOrders)


def waited(most_s: float) -> bool:
    """Wait for input, at most `most_s` seconds. Returns whether the other end is still there."""
    ready, _, _ = select.select([_INPUT], [], [], most_s)
    return not ready or bool(os.read(_INPUT, 1 << 16))


def tell(sentence: str) -> None:
    """Print a message for the organizer."""
    print(f"referee serve: {sentence}", file=sys.stderr, flush=True)


def work(main: Callable[[], None]) -> None:
    """Do the work of the process. A failure is printed for the organizer, and the server restarts the process."""
    try:
        main()
    except BrokenPipeError:
        sys.exit(0)  # the server is gone
    except UserError as failure:
        tell(str(failure))
        sys.exit(failure.exit_code)
