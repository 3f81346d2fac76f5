"""How many rounds a Swiss needs: simulated events of bots of known strength, two a table, 40 matches a pair.

    python -m benchmarks.swiss_rounds

The table says for each number of bots and rounds how often the best bot is first, and how well the whole table agrees
with the strengths (Kendall's tau: 1 for the true order, 0 for any order). `docs/formats-swiss.md` shows it.
"""

from collections import Counter
from collections.abc import Iterator
from random import Random
from statistics import fmean

from tournaments.schedule.formats.swiss import usual_rounds
from tournaments.schedule.formats.swiss_pairing import SwissPlayer, pairs

_MATCHES = 40
_EVENTS = {12: 300, 32: 100, 128: 40}
"""By the number of bots, how many events are simulated."""


def event(bots: int, rounds: int, luck: Random) -> Iterator[tuple[bool, float]]:
    """After each round, whether the best bot is first, and the tau of the table.

    Strengths are normal. One standard deviation more wins 70 % of the matches.
    """
    names = [f"bot{number}@1" for number in range(bots)]
    strengths = [luck.gauss(0, 1) for _ in names]
    scores = [0] * bots
    met: list[Counter[str]] = [Counter() for _ in names]
    place = {name: number for number, name in enumerate(names)}
    for _ in range(rounds):
        field = [SwissPlayer(name, scores[place[name]], luck.getrandbits(64), met[place[name]]) for name in names]
        for pair in pairs(field):
            one, two = (place[name] for name in pair)
            wins = 1 / (1 + (3 / 7) ** (strengths[one] - strengths[two]))
            got = 1000 * sum(luck.random() < wins for _ in range(_MATCHES)) // _MATCHES
            scores[one], scores[two] = scores[one] + got, scores[two] + 1000 - got
            met[one][names[two]] += 1
            met[two][names[one]] += 1
        buchholz = [sum(scores[place[name]] for name in each.elements()) for each in met]
        table = [score * 10**9 + second for score, second in zip(scores, buchholz, strict=True)]
        yield strengths[table.index(max(table))] == max(strengths), _tau(table, strengths)


def _tau(table: list[int], strengths: list[float]) -> float:
    from scipy.stats import kendalltau  # noqa: PLC0415 - takes a second to import

    return float(kendalltau(table, strengths).statistic)


def main() -> None:
    """Print the table."""
    print("| bots | usual | " + " | ".join(str(rounds) for rounds in range(1, 13)) + " |")
    for bots, events in _EVENTS.items():
        rounds = min(12, bots - 1)
        results = list(zip(*(event(bots, rounds, Random(number)) for number in range(events)), strict=True))
        first = [f"{100 * fmean(best for best, _ in after):.0f}" for after in results]
        order = [f"{fmean(tau for _, tau in after):.2f}" for after in results]
        for heading, figures in (("first, %", first), ("order", order)):
            print(f"| {bots} | {usual_rounds(bots, 2)} | {heading} | " + " | ".join(figures) + " |", flush=True)


if __name__ == "__main__":
    main()
