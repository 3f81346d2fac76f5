"""Random matches of Agent Avenue in every mode and line-up: that all of them end, how long they are, how they end.

    python -m benchmarks.agent_avenue_random [MATCHES]

Plays in process, 100,000 matches for each combination unless told otherwise, every choice even over the legal actions,
discards included. Prints one line for each: turns and decisions a match, the share of matches that side A won, and the
share that the side that begins won, and the shares of the endings.
"""

import sys
from collections import Counter
from random import Random

from referee.core.game import Decide, Over, Shuffle
from referee.core.outcome import Outcome
from referee.games.agent_avenue.game import AgentAvenue
from referee.games.agent_avenue.state import Options, State

MATCHES = 100_000
COMBINATIONS = (
    Options(),
    Options(line_up="2v2"),
    Options(line_up="2v1"),
    Options(mode="advanced"),
    Options(mode="advanced", line_up="2v2"),
    Options(mode="advanced", line_up="2v1"),
    Options(mode="advanced", ceasefire=True),
)

GAME = AgentAvenue()


class Tally:
    """What the matches of one combination came to."""

    def __init__(self) -> None:
        self.turns = self.decisions = self.a_wins = self.beginner_wins = 0
        self.endings = Counter[str]()

    def add(self, last: State, outcome: Outcome, decisions: int) -> None:
        """Counts a match that is over."""
        winner = 0 if outcome.places[0] == 1 else 1
        self.turns += last.turn
        self.decisions += decisions
        self.a_wins += winner == 0
        self.beginner_wins += winner == last.began
        self.endings[outcome.ending] += 1

    def told(self, matches: int) -> str:
        """The figures in a line."""
        shares = ", ".join(f"{ending} {count / matches:.2%}" for ending, count in self.endings.most_common())
        lengths = f"{self.turns / matches:6.2f} turns {self.decisions / matches:6.1f} decisions"
        return f"{lengths}  A {self.a_wins / matches:.2%}  begins {self.beginner_wins / matches:.2%}  {shares}"


def play(options: Options, rng: Random) -> tuple[State, Outcome, int]:
    """A random match: its last state, its outcome and how many decisions it took."""
    state, decisions = GAME.setup(options, GAME.seats(options)[0]), 0
    while not isinstance(awaited := GAME.awaiting(state), Over):
        if isinstance(awaited, Decide):
            choices = {seat: rng.choice(GAME.legal(state, seat)) for seat in awaited.seats}
            state, _ = GAME.apply(state, choices)
            decisions += len(choices)
        elif isinstance(awaited, Shuffle):
            state, _ = GAME.luck(state, tuple(rng.sample(range(awaited.count), awaited.count)))
        else:
            state, _ = GAME.luck(state, (rng.randrange(awaited.faces),))
    return state, awaited.outcome, decisions


def main(matches: int) -> None:
    """Plays and prints, combination by combination."""
    print(f"{matches} random matches of Agent Avenue for each combination")
    for options in COMBINATIONS:
        rng, tally = Random(3), Tally()
        for _ in range(matches):
            tally.add(*play(options, rng))
        name = f"{options.mode} {options.line_up}{' ceasefire' if options.ceasefire else ''}"
        print(f"{name:24}{tally.told(matches)}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else MATCHES)
