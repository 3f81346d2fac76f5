"""Random games of Agent Avenue, simple mode, against the figures of ruling AA-11.

    python -m benchmarks.agent_avenue_reference [GAMES]

Plays in process, 200,000 games unless told otherwise, and prints each figure with its distance from the reference in
standard errors. The exit code is 1 if one of them is further off than four.
"""

import sys
from collections import Counter
from math import sqrt
from random import Random
from typing import NamedTuple

from referee.core.game import Over
from referee.games.agent_avenue.ending import Ending
from referee.games.agent_avenue.game import AgentAvenue
from referee.games.agent_avenue.moves import PLAYS, RECRUITS, Action
from referee.games.agent_avenue.pieces import Cards
from referee.games.agent_avenue.state import Options, State

GAMES = 200_000
REFERENCE_GAMES = 2_000_000
MEAN_TURNS, SD_TURNS = 6.643, 2.70
SHARES = {
    Ending.CAUGHT: 0.6151,
    Ending.CODEBREAKERS: 0.1645,
    Ending.DAREDEVILS: 0.1612,
    Ending.SEVERAL: 0.0592,
}
RAN_OUT_BELOW = 0.0001
BEGINNER_WINS = 0.500
FURTHEST = 4.0

GAME = AgentAvenue()


class Figure(NamedTuple):
    """One measured figure; `off` is its distance from the reference in standard errors of both together."""

    name: str
    measured: str
    reference: str
    off: float


class Tally:
    """What random games came to."""

    def __init__(self) -> None:
        self.games = self.turns = self.squares = self.beginner_wins = 0
        self.endings = Counter[str]()

    def add(self, state: State, beginner: int) -> None:
        """Counts a game that is over."""
        awaited = GAME.awaiting(state)
        assert isinstance(awaited, Over)
        self.games += 1
        self.turns += state.turn
        self.squares += state.turn**2
        self.beginner_wins += awaited.outcome.places[beginner] == 1
        self.endings[awaited.outcome.ending] += 1

    def figures(self) -> list[Figure]:
        """Everything that AA-11 gives a figure for."""
        mean = self.turns / self.games
        sd = sqrt(self.squares / self.games - mean**2)
        off = (mean - MEAN_TURNS) / _error(SD_TURNS, self.games)
        # The error of a standard deviation as for a normal distribution: an approximation, since turns are skewed.
        sd_off = (sd - SD_TURNS) / _error(SD_TURNS / sqrt(2), self.games)
        return [
            Figure("mean turns", f"{mean:.3f}", f"{MEAN_TURNS:.3f}", off),
            Figure("sd of turns", f"{sd:.3f}", f"{SD_TURNS:.2f}", sd_off),
            *(self._share(ending.value, self.endings[ending], share) for ending, share in SHARES.items()),
            self._ran_out(),
            self._share("side that begins wins", self.beginner_wins, BEGINNER_WINS),
        ]

    def _share(self, name: str, count: int, share: float) -> Figure:
        off = (count / self.games - share) / _error(sqrt(share * (1 - share)), self.games)
        return Figure(name, f"{count / self.games:.2%}", f"{share:.2%}", off)

    def _ran_out(self) -> Figure:
        """Its reference is a bound from above, so less is not off at all."""
        figure = self._share(Ending.RAN_OUT.value, self.endings[Ending.RAN_OUT], RAN_OUT_BELOW)
        return figure._replace(reference=f"< {RAN_OUT_BELOW:.2%}", off=max(figure.off, 0.0))


def _error(sd: float, games: int) -> float:
    """The standard error of the difference of two means, over `games` and over the games of the reference."""
    return sd * sqrt(1 / games + 1 / REFERENCE_GAMES)


def play(rng: Random) -> tuple[State, int]:
    """A random game: its last state, and who began."""
    deck = list(range(38))
    rng.shuffle(deck)
    beginner = rng.randrange(2)
    state, _ = GAME.luck(GAME.setup(Options(), 2), tuple(deck))
    state, _ = GAME.luck(state, (beginner,))
    while state.outcome is None:
        playing = state.phase == "play"
        seat = state.active if playing else 1 - state.active
        action = _pair(state.seats[seat].hand, rng) if playing else rng.choice(RECRUITS)
        state, _ = GAME.apply(state, {seat: action})
    return state, beginner


def _pair(hand: Cards, rng: Random) -> Action:
    """An ordered pair of cards, even over the pairs of positions that AA-05 allows."""
    one_name = len(set(hand)) == 1
    while True:
        up, down = rng.sample(hand, 2)
        if up != down or one_name:
            return PLAYS[up, down]


def main(games: int) -> int:
    """Plays, prints, and returns the exit code."""
    rng, tally = Random(11), Tally()
    for _ in range(games):
        tally.add(*play(rng))
    figures = tally.figures()
    print(f"{games} random games of Agent Avenue, simple mode, 1v1")
    print(f"{'':22} {'measured':>9} {'AA-11':>9} {'off by (standard errors)':>25}")
    for name, measured, reference, off in figures:
        print(f"{name:22} {measured:>9} {reference:>9} {off:>25.2f}")
    return int(any(abs(figure.off) > FURTHEST for figure in figures))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES))
