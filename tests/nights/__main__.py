"""`python -m tests.nights SEED`: play the night of a seed again, and print what happened in it.

`python -m tests.nights --nights 10000`: play the nights of so many seeds, and print how often each fault struck.
"""

import argparse
import sys

from tests.nights.night import play_night
from tests.nights.suite import play_nights
from tests.quick_stores import make_quick


def main() -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.nights", description=__doc__)
    parser.add_argument("seed", nargs="?", type=int, help="the seed of one night, which is told")
    parser.add_argument("--nights", type=int, default=0, help="play so many nights instead")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first of them")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument("--kind", help="play leagues of this format only")
    words = parser.parse_args()
    make_quick()
    if words.seed is None:
        return play_nights(range(words.first, words.first + (words.nights or 10_000)), words.workers, words.kind)
    report = play_night(words.seed, words.kind)
    print(*report.log, sep="\n")
    return 0 if report.broken is None else 1


if __name__ == "__main__":
    sys.exit(main())
