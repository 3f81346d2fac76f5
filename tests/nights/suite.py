"""Many nights, on several processes."""

import gc
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

from tests.nights.night import NightReport, play_night
from tests.quick_stores import make_quick
from tests.tournaments.play.rows import PAIRS

_MOST_SHOWN = 5


def play_nights(seeds: Iterable[int], workers: int, kind: str | None = None) -> int:
    """Play the nights of these seeds, and print what struck. Returns the exit code: 1 if an invariant was broken."""
    began, strikes, kinds, broken = time.monotonic(), Counter[str](), Counter[str](), list[NightReport]()
    matches, pairs = 0, Counter[tuple[str, str]]()
    # Unlike a pool of multiprocessing, an executor raises when one of its processes is killed.
    with ProcessPoolExecutor(workers, get_context("spawn"), prepare) as executor:
        for report in executor.map(partial(_quietly, kind=kind), seeds, chunksize=20):
            strikes.update(report.strikes)
            pairs.update(report.pairs)
            kinds[report.kind] += 1
            matches += report.matches
            if report.broken is not None:
                broken.append(report)
                if len(broken) <= _MOST_SHOWN:
                    print(f"seed {report.seed}, {report.kind}: {report.broken}", flush=True)
    passed_s = time.monotonic() - began
    print(f"{kinds.total()} leagues with {matches} matches in {passed_s:.0f} s: {dict(sorted(kinds.items()))}")
    for fault, count in sorted(strikes.items()):
        print(f"  {count:8} {fault}")
    print(f"{len(pairs)} of {len(PAIRS)} pairs of results; missing:", *sorted(PAIRS - pairs.keys()) or "none")
    if broken:
        print("broken:", dict(Counter(report.broken.invariant for report in broken if report.broken)))
    print(f"{kinds.total() - len(broken)} passed, {len(broken)} failed")
    return 1 if broken else 0


def prepare() -> None:
    """Have nights of this process take as little time as they can."""
    make_quick()
    gc.freeze()  # all modules: no collection looks at them again
    gc.set_threshold(50_000, 20, 100)


def _quietly(seed: int, kind: str | None) -> NightReport:
    report = play_night(seed, kind)
    return report._replace(log=())
