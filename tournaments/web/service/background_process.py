"""What every process beside the server does: it hears its orders, works while its input is open, and tells failures."""

import os
import select
import sys
from collections.abc import Callable

import msgspec

from referee.core.errors import UserError
from tournaments.web.service.worker_messages import WorkerOrders

_INPUT = 0


def orders() -> WorkerOrders:
    """The first line of the input, which is read byte by byte, so that nothing after it is taken."""
    line = bytearray()
    while (byte := os.read(_INPUT, 1)) not in {b"", b"\n"}:
        line += byte
    return msgspec.json.decode(line, type=WorkerOrders)


def waited(most_s: float) -> bool:
    """Wait until something comes, or for so long; whether the other end is still there."""
    ready, _, _ = select.select([_INPUT], [], [], most_s)
    return not ready or bool(os.read(_INPUT, 1 << 16))


def tell(sentence: str) -> None:
    """Tell the organizer something."""
    print(f"referee serve: {sentence}", file=sys.stderr, flush=True)


def work(main: Callable[[], None]) -> None:
    """Do the work of the process. If it fails, the organizer hears of it, and the server starts the process again."""
    try:
        main()
    except BrokenPipeError:
        sys.exit(0)  # the server is gone
    except UserError as failure:
        tell(str(failure))
        sys.exit(failure.exit_code)
