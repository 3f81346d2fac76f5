"""Random games of Agent Avenue for two against the figures of ruling AA-11.

    python -m benchmarks.agent_avenue_reference [GAMES] [--mode simple|advanced]

Plays in process, 200,000 games unless told otherwise, and prints each figure with its distance from the reference in
standard errors. The exit code is 1 if a figure is more than four standard errors off.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Mapping
from math import sqrt
from random import Random
from typing import NamedTuple

import msgspec

from benchmarks.matches import Match, play
from referee.games.agent_avenue.ending import Ending
from referee.games.agent_avenue.game import AgentAvenue
from referee.games.agent_avenue.moves import PLAYS, Action
from referee.games.agent_avenue.pieces import Cards
from referee.games.agent_avenue.state import Options, State

GAMES = 200_000
FURTHEST = 4.0

GAME = AgentAvenue()


class Reference(NamedTuple):
    """What AA-11 gives for a mode; None where it gives no figure.

    Attributes:
        games: how many games the figures come from.
        mean_turns: the mean length of a game.
        sd_turns: its standard deviation.
        shares: by ending.
        ran_out_below: a bound from above for the share that ran out.
        beginner_wins: the share that the side that begins wins.
    """

    games: int
    mean_turns: float
    sd_turns: float | None
    shares: Mapping[Ending, float]
    ran_out_below: float | None
    beginner_wins: float | None


REFERENCES = {
    "simple": Reference(
        games=2_000_000,
        mean_turns=6.643,
        sd_turns=2.70,
        shares={
            Ending.CAUGHT: 0.6151,
            Ending.CODEBREAKERS: 0.1645,
            Ending.DAREDEVILS: 0.1612,
            Ending.SEVERAL: 0.0592,
        },
        ran_out_below=0.0001,
        beginner_wins=0.500,
    ),
    "advanced": Reference(
        games=100_000,
        mean_turns=6.180,
        sd_turns=None,
        shares={
            Ending.CAUGHT: 0.6294,
            Ending.CODEBREAKERS: 0.1349,
            Ending.DAREDEVILS: 0.1152,
            Ending.SEVERAL: 0.0681,
            Ending.SECURITY_SYSTEM: 0.0270,
            Ending.LEADER_OF_THE_PACK: 0.0150,
            Ending.MASTERPLAN: 0.0104,
        },
        ran_out_below=None,
        beginner_wins=None,
    ),
}


class Figure(NamedTuple):
    """One measured figure; `off` is its distance from the reference in standard errors of both together."""

    name: str
    measured: str
    reference: str
    off: float


class Tally:
    """The totals of random games."""

    def __init__(self, reference: Reference) -> None:
        self.reference = reference
        self.games = self.turns = self.squares = self.beginner_wins = 0
        self.endings = Counter[str]()

    def add(self, match: Match) -> None:
        """Count a finished game."""
        self.games += 1
        self.turns += match.last.turn
        self.squares += match.last.turn**2
        self.beginner_wins += match.outcome.places[match.last.began] == 1
        self.endings[match.outcome.ending] += 1

    def figures(self) -> list[Figure]:
        """Everything that AA-11 gives a figure for."""
        figures = self._turns()
        figures += [self._share(ending, self.endings[ending], share) for ending, share in self.reference.shares.items()]
        if self.reference.ran_out_below is not None:
            figures.append(self._ran_out(self.reference.ran_out_below))
        if self.reference.beginner_wins is not None:
            figures.append(self._share("side that begins wins", self.beginner_wins, self.reference.beginner_wins))
        return figures

    def _turns(self) -> list[Figure]:
        mean = self.turns / self.games
        sd = sqrt(self.squares / self.games - mean**2)
        expected_mean, expected_sd = self.reference.mean_turns, self.reference.sd_turns
        off = (mean - expected_mean) / self._error(expected_sd or sd)
        figures = [Figure("mean turns", f"{mean:.3f}", f"{expected_mean:.3f}", off)]
        if expected_sd is not None:
            # The error of a standard deviation as for a normal distribution: an approximation, since turns are skewed.
            sd_off = (sd - expected_sd) / self._error(expected_sd / sqrt(2))
            figures.append(Figure("sd of turns", f"{sd:.3f}", f"{expected_sd:.2f}", sd_off))
        return figures

    def _share(self, name: str, count: int, share: float) -> Figure:
        off = (count / self.games - share) / self._error(sqrt(share * (1 - share)))
        return Figure(name, f"{count / self.games:.2%}", f"{share:.2%}", off)

    def _ran_out(self, below: float) -> Figure:
        """The reference is an upper bound, so a share below it is not off at all."""
        figure = self._share(Ending.RAN_OUT, self.endings[Ending.RAN_OUT], below)
        return figure._replace(reference=f"< {below:.2%}", off=max(figure.off, 0.0))

    def _error(self, sd: float) -> float:
        """The standard error of the difference of two means, over the games played and those of the reference."""
        return sd * sqrt(1 / self.games + 1 / self.reference.games)


def _choice(state: State, legal: tuple[Action, ...], rng: Random) -> Action:
    """A pair of cards to play, or else any legal action with equal chances."""
    return _pair(state.seats[state.active].hand, rng) if state.phase == "play" else rng.choice(legal)


def _pair(hand: Cards, rng: Random) -> Action:
    """An ordered pair of cards. All pairs of positions that AA-05 allows are equally likely."""
    one_name = len(set(hand)) == 1
    while True:
        up, down = rng.sample(hand, 2)
        if up != down or one_name:
            return PLAYS[up, down]


def main(games: int, mode: str) -> int:
    """Play the games and print the figures; return the exit code."""
    rng, tally = Random(11), Tally(REFERENCES[mode])
    options = msgspec.convert({"mode": mode}, Options)
    for _ in range(games):
        tally.add(play(GAME, options, 2, rng, _choice))
    figures = tally.figures()
    print(f"{games} random games of Agent Avenue, {mode} mode, 1v1")
    print(f"{'':22} {'measured':>9} {'AA-11':>9} {'off by (standard errors)':>25}")
    for name, measured, reference, off in figures:
        print(f"{name:22} {measured:>9} {reference:>9} {off:>25.2f}")
    return int(any(abs(figure.off) > FURTHEST for figure in figures))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="random games against the figures of ruling AA-11")
    parser.add_argument("games", nargs="?", type=int, default=GAMES)
    parser.add_argument("--mode", choices=list(REFERENCES), default="simple")
    arguments = parser.parse_args()
    sys.exit(main(arguments.games, arguments.mode))
