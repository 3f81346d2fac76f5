"""Random games of Inside Job against the figures at the end of its rulings.

    python -m benchmarks.inside_job_reference [GAMES]

Plays in process, without talk, 20,000 games for each number of players unless told otherwise, every choice even over
the legal actions, and a tenth of that for each choice of roles with the Wired Agent. Prints each figure with its
distance from the reference in standard errors, those of the reference and its rounding included. The exit code is 1 if
a figure is more than four standard errors off.
"""

import sys
from collections.abc import Sequence
from itertools import chain
from math import sqrt
from random import Random
from typing import NamedTuple

from benchmarks.matches import Match, play
from referee.games.inside_job.ending import Ending
from referee.games.inside_job.game import InsideJob
from referee.games.inside_job.options import Options, choices_of_roles

GAMES = 20_000
FURTHEST = 4.0

GAME = InsideJob()

BY_VOTE = {Ending.INSIDER_ACCUSED, Ending.OTHER_ACCUSED, Ending.VOTE_TIED}


class Reference(NamedTuple):
    """The figures from 20,000 games with one number of players."""

    tricks: float
    insider_wins: float
    votes: float


REFERENCES = {
    3: Reference(tricks=9.60, insider_wins=0.644, votes=0.62),
    4: Reference(tricks=8.43, insider_wins=0.845, votes=0.61),
    5: Reference(tricks=7.14, insider_wins=0.871, votes=0.56),
}
MISSIONS_BELOW = 0.01
WIRED_BETWEEN = (0.49, 0.71)


class Figure(NamedTuple):
    """One measured figure; `off` is its distance from the reference in standard errors."""

    name: str
    measured: str
    reference: str
    off: float


def figures(seats: int, games: int) -> list[Figure]:
    """Every figure that the reference has for this number of players."""
    rng, expected = Random(seats), REFERENCES[seats]
    matches = [play(GAME, Options(talk="none"), seats, rng) for _ in range(games)]
    endings = [match.outcome.ending for match in matches]
    return [
        _mean(f"{seats} players: tricks", [match.last.common.trick for match in matches], expected.tricks),
        _share("Insider wins", [_insider_wins(match) for match in matches], expected.insider_wins, 0.0005),
        _share("games that come to the vote", [ending in BY_VOTE for ending in endings], expected.votes, 0.005),
        _bounded("won by missions", [ending == Ending.MISSIONS for ending in endings], 0.0, MISSIONS_BELOW),
    ]


def wired_figures(games: int) -> list[Figure]:
    """How often the Wired Agent ends the game, for each choice of roles with it."""
    found = []
    for roles in choices_of_roles():
        if "wired" in roles.split(","):
            options, rng = Options(roles=roles, talk="none"), Random(7)
            for seats in GAME.seats(options):
                ended = [play(GAME, options, seats, rng).outcome.ending == Ending.WIRED for _ in range(games)]
                found.append(_bounded(f"{roles}, {seats} players", ended, *WIRED_BETWEEN))
    return found


def _insider_wins(match: Match) -> bool:
    insider: int = match.last.roles.index("insider")
    return match.outcome.places[insider] == 1


def _mean(name: str, values: Sequence[float], expected: float) -> Figure:
    mean = sum(values) / len(values)
    sd = sqrt(sum((value - mean) ** 2 for value in values) / len(values))
    return Figure(name, f"{mean:.3f}", f"{expected:.2f}", _off(mean - expected, sd, len(values), 0.005))


def _share(name: str, values: Sequence[bool], expected: float, rounding: float) -> Figure:
    share = sum(values) / len(values)
    off = _off(share - expected, sqrt(expected * (1 - expected)), len(values), rounding)
    return Figure(name, f"{share:.2%}", f"{expected:.1%}", off)


def _bounded(name: str, values: Sequence[bool], low: float, high: float) -> Figure:
    """A share for which the reference gives bounds; within them it is not off at all."""
    share = sum(values) / len(values)
    nearest = min(max(share, low), high)
    off = _off(share - nearest, sqrt(nearest * (1 - nearest)), len(values), 0.005)
    return Figure(name, f"{share:.2%}", f"{low:.0%} to {high:.0%}", off)


def _off(difference: float, sd: float, games: int, rounding: float) -> float:
    """A difference in standard errors of both means together, less the largest error of rounding."""
    beyond = max(abs(difference) - rounding, 0.0)
    return beyond / (sd * sqrt(1 / games + 1 / GAMES)) if beyond else 0.0


def main(games: int) -> int:
    """Play the games and print the figures; return the exit code."""
    print(f"{games} random games of Inside Job for each number of players")
    print(f"{'':32} {'measured':>9} {'reference':>12} {'off by (standard errors)':>25}")
    worst = 0.0
    for found in chain((figures(seats, games) for seats in REFERENCES), [wired_figures(games // 10)]):
        for name, measured, reference, off in found:
            print(f"{name:32} {measured:>9} {reference:>12} {off:>25.2f}", flush=True)
            worst = max(worst, off)
    return int(worst > FURTHEST)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES))
