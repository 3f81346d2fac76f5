"""`python -m tests.nights SEED`: play the night of a seed again, and print what happened in it.

`python -m tests.nights --from SEED --count N`: play the nights of N seeds from this one on, and print how often each
fault struck. Without `--from`, the first seed is that in REFEREE_NIGHTS_FROM, or else 0.
"""

import argparse
import os
import sys

from tests.nights.night import play_night
from tests.nights.suite import play_nights
from tests.quick_stores import make_quick


def main() -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.nights", description=__doc__)
    parser.add_argument("seed", nargs="?", type=int, help="the seed of one night, which is told")
    first = os.environ.get("REFEREE_NIGHTS_FROM", "0")
    parser.add_argument("--from", dest="first", type=int, default=first, help="the first seed of many")
    parser.add_argument("--count", type=int, default=4_000, help="how many nights")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument("--kind", help="play leagues of this format only")
    words = parser.parse_args()
    make_quick()
    if words.seed is None:
        return play_nights(range(words.first, words.first + words.count), words.workers, words.kind)
    report = play_night(words.seed, words.kind)
    print(*report.log, sep="\n")
    return 0 if report.broken is None else 1


if __name__ == "__main__":
    sys.exit(main())
