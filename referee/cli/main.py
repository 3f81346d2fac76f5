"""The command `referee`. It handles signals before it imports anything slow."""

import gc
import os

from referee.cli.output import let_readers_leave
from referee.cli.signals import end_on_signals

_NEW_OBJECTS = 50_000
"""After so many the collector looks for garbage. What a command makes, imports first, is hardly ever garbage that only
the collector finds. Looks after every 700 took a tenth of short commands, and a sixth of a long table."""


def main() -> None:
    """Run the command line."""
    # Every sum is one of one thread (tournaments/rating/single_thread.py). The library of numpy would start a thread a
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
