"""How long it takes to decide a round of a Swiss among 500 bots: the dearest round of an event of the usual length."""

import time
from collections import Counter
from random import Random

from benchmarks.rows import Row, Target, plain_row
from tournaments.schedule.formats.swiss import usual_rounds
from tournaments.schedule.formats.swiss_pairing import SwissPlayer, groups, pairs

_BOTS = 500
_EVENTS = 2
_TARGET = Target(first=10.0, then=5.0)


def rows() -> list[Row]:
    """A row for tables of two bots, and one for tables of four."""
    return [
        plain_row(
            f"a round of a Swiss among {_BOTS} bots, {size} a table, the slowest of {usual_rounds(_BOTS, size)}: CPU s",
            [max(rounds_s(_BOTS, size, Random(event))) for event in range(_EVENTS)],
            "lower",
            _TARGET,
        )
        for size in (2, 4)
    ]


def rounds_s(bots: int, size: int, luck: Random) -> list[float]:
    """CPU seconds for each round of an event. In a match the points are shared out by strength and luck."""
    strengths = {f"bot{number}@1": luck.gauss(0, 1) for number in range(bots)}
    scores = dict.fromkeys(strengths, 0)
    met: dict[str, Counter[str]] = {name: Counter() for name in strengths}
    took_s: list[float] = []
    for number in range(usual_rounds(bots, size)):
        field = [SwissPlayer(name, scores[name], luck.getrandbits(64), met[name]) for name in strengths]
        began_s = time.process_time()
        found = pairs(field) if size == 2 else groups(field, size, bytes([number] * 32))
        took_s.append(time.process_time() - began_s)
        for group in found:
            performed = sorted(group, key=lambda name: strengths[name] + luck.gauss(0, 0.7))
            for place, name in enumerate(performed):
                scores[name] += 1000 * place // (size - 1)
                met[name].update(rival for rival in group if rival != name)
    return took_s
