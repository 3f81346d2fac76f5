"""Random matches of Inside Job with every choice of roles: that all of them end, how long they are, how they end.

    python -m benchmarks.inside_job_random [MATCHES [ROLES...]]

Plays in process, 2,000 matches for each choice of roles and number of players unless told otherwise, with talk after
every trick, every choice even over the legal actions. ROLES are such as `none` or `wired,shady`. Prints one line for
each: tricks and decisions a match, the share of matches that each side won, and the shares of the endings.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import NamedTuple

from referee.core.game import Decide, Over, Shuffle
from referee.core.outcome import Outcome
from referee.games.inside_job.game import InsideJob
from referee.games.inside_job.options import Options
from referee.games.inside_job.pieces import TOKENS
from referee.games.inside_job.roles import SPECIAL
from referee.games.inside_job.state import State

MATCHES = 2_000

GAME = InsideJob()


class Match(NamedTuple):
    """A match that is over."""

    last: State
    outcome: Outcome
    decisions: int


def play(options: Options, seats: int, rng: Random) -> Match:
    """A random match."""
    state, decisions = GAME.setup(options, seats), 0
    while not isinstance(awaited := GAME.awaiting(state), Over):
        if isinstance(awaited, Decide):
            choices = {seat: rng.choice(GAME.legal(state, seat)) for seat in awaited.seats}
            state, _ = GAME.apply(state, choices)
            decisions += len(choices)
        elif isinstance(awaited, Shuffle):
            state, _ = GAME.luck(state, tuple(rng.sample(range(awaited.count), awaited.count)))
        else:
            state, _ = GAME.luck(state, (rng.randrange(awaited.faces),))
    return Match(state, awaited.outcome, decisions)


def choices_of_roles() -> Iterator[str]:
    """None, each role, and each pair that can be played."""
    yield "none"
    yield from (role.id for role in SPECIAL)
    for one, other in combinations(SPECIAL, 2):
        apart = not (one.neutral and other.neutral) and not (one.open_from_start and other.open_from_start)
        if apart:
            yield f"{one.id},{other.id}"


class Tally:
    """What the matches of one choice of roles came to."""

    def __init__(self) -> None:
        self.matches = self.tricks = self.decisions = 0
        self.wins = Counter[str]()
        self.endings = Counter[str]()

    def add(self, match: Match) -> None:
        """Counts a match, and checks what must be true of it."""
        common, outcome = match.last.common, match.outcome
        assert common.supply + sum(seat.tokens for seat in common.seats) == TOKENS
        assert sorted(seat for side in outcome.sides for seat in side.seats) == list(range(len(common.seats)))
        self.matches += 1
        self.tricks += common.trick
        self.decisions += match.decisions
        self.endings[outcome.ending] += 1
        for side in outcome.sides:
            assert len({outcome.places[seat] for seat in side.seats}) == 1
            self.wins[side.name] += outcome.places[side.seats[0]] == 1

    def told(self) -> str:
        """The figures in a line."""
        lengths = f"{self.tricks / self.matches:6.2f} tricks {self.decisions / self.matches:6.1f} decisions"
        return f"{lengths}  won by: {self._shares(self.wins)}; endings: {self._shares(self.endings)}"

    def _shares(self, counts: Counter[str]) -> str:
        return ", ".join(f"{name} {count / self.matches:.1%}" for name, count in counts.most_common())


def main(matches: int, chosen: list[str]) -> None:
    """Plays and prints."""
    for roles in chosen or choices_of_roles():
        options = Options(roles=roles, talk="every_trick")
        for seats in GAME.seats(options):
            rng, tally = Random(11), Tally()
            for _ in range(matches):
                tally.add(play(options, seats, rng))
            print(f"{roles:20} {seats} {tally.told()}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else MATCHES, sys.argv[2:])
