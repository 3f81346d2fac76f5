"""Trains the bot `solver` by matches against itself: `python train_solver.py [FILE]`, by default solver/weights.txt.

Its network learns how likely the side wins whose turn is next. What it shall say of the beginning of a turn is partly
what the solution of that turn said, which looks one turn ahead, and for the rest what it shall say of the next turn; at
last that is how the match ended (TD(lambda): Sutton, 1988). After a choice that was drawn to explore, only the solution
counts. Its table learns what cards are worth that a side keeps in its turn: how much more the solution of its next turn
promises to hands with them.

The file comes out the same, byte for byte, on every machine and with any number of processes. All random numbers come
from seeds, by `random()`. Features are whole numbers, and while it learns, the network's weights are whole numbers over
a power of two; errors are rounded to such numbers. So all sums are exact, in whatever order they are added up. The rest
are single operations, which every processor rounds alike. There is no `exp` among them.
"""

import os
import sys
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).with_name("solver")))
os.environ["OPENBLAS_NUM_THREADS"] = "1"  # a process for each core is enough

import numpy as np
from adam import Layer, steps
from hands import AGENTS, HAND_SIZE, WAYS, Numbers, counts_of, drawn, hands
from position import FEATURES, Position, features, levels
from turn import COST, Effort, Solution, after_discards, best_discard, solve_position
from values import FINE_SCALE, SCALE, WEIGHTS, Values, written

import referee
from referee.games.agent_avenue.moves import DISCARDS, PLAYS, RECRUITS, Play
from referee.games.agent_avenue.pieces import Agent
from referee.games.agent_avenue.state import SeatState, State

ROUNDS = 13
BATCHES = 8  # in a round
MATCHES = 40  # in a batch
REMEMBERED = 3  # rounds at least; later, half of all rounds
EXPLORING = 0.1  # the share of plays and recruits that are drawn with equal chances
TRUST = 0.3  # how much of a target is what the solution said
EFFORT = Effort(20, 12)  # of the solution of a turn
UNITS = (64, 32)
PASSES = 4  # over all that is remembered, in a round
STEP = 256  # turns for one step of learning
RATE = 0.004  # how far a weight moves in the first steps of a round; in its last steps, not at all
FADING = 4  # after so many rounds it moves half as far
SPREAD = (0.2, 0.2, 0.0)  # of the first weights, by layer
RARE = 2.0  # variance that tells nothing, added to what was seen: it draws rare entries of the table to 0
FINE = 4096.0  # targets and errors are whole numbers over this


class Experience(NamedTuple):
    """What was seen of turns.

    Attributes:
        rows: the features at the beginning.
        targets: what the network shall say.
        kept: two tables shaped as `Values.keeping`: the covariance of the number of kept cards and what they promise,
            and the variance of their number.
    """

    rows: Numbers
    targets: Numbers
    kept: Numbers


def played(values: Values, batch: int) -> Experience:
    """The bot plays matches against itself."""
    luck = Random(batch)
    seen: list[Experience] = [_match(values, luck, f"{batch}/{number}") for number in range(MATCHES)]
    return joined(seen)


def joined(seen: Iterable[Experience]) -> Experience:
    """All of them together."""
    return Experience(*map(np.concatenate, zip(*seen, strict=True)))


def _match(values: Values, luck: Random, seed: str) -> Experience:
    """One match. `referee` deals the cards and knows the rules."""
    match = referee.start("agent-avenue", 2, seed=seed, options={"mode": "simple"}, strict=True)
    position, turns, play = Position(), list[_Turn](), PLAYS[Agent.MOLE, Agent.MOLE]
    for _ in match:
        state = match.state
        if state.turn > len(turns):
            turns.append(_Turn(values, position, state))
        if state.phase == "recruit":
            takes = turns[-1].takes(play.face_up, luck)
            own, other = (play.face_down, play.face_up) if takes else (play.face_up, play.face_down)
            position = position.after_draws().after(own - 1, other - 1)
            match.choose(RECRUITS[0] if takes else RECRUITS[1])
        elif (gone := turns[-1].discard(position, state.seats[state.active])) is not None:
            position = position.after_discard()
            match.choose(DISCARDS[gone])
        else:
            play = turns[-1].play(state.seats[state.active], luck)
            match.choose(play)
    targets = _targets(turns, match.rewards[turns[-1].side])
    kept = np.array([turn.kept(after) for turn, after in zip(turns, [*turns[2:], None, None], strict=False)])
    return Experience(np.array([turn.row for turn in turns]), _fine(targets), kept)


def _targets(turns: "list[_Turn]", reward: float) -> Numbers:
    """What the network shall say of the beginning of each turn. `reward` is that of the side whose turn came last."""
    targets: list[float] = []
    for turn in reversed(turns):
        target = turn.said if turn.explored else TRUST * turn.said + (1 - TRUST) * reward
        targets.append(target)
        reward = -target  # of the side whose turn was before
    return np.array(targets[::-1])


def _fine(numbers: Numbers) -> Numbers:
    """Rounded, so that sums are exact."""
    return np.rint(numbers * FINE) / FINE


class _Turn:
    """A turn and its solution, which is not made anew after a discard.

    Attributes:
        side: whose turn it is.
        row: the features at the beginning.
        said: the result that its side may expect, as the solution says.
        explored: whether a choice in it was drawn to explore.
    """

    def __init__(self, values: Values, position: Position, state: State) -> None:
        other = state.seats[1 - state.active]
        self._position = position
        self._solution = solve_position(values, position, counts_of(other.hand + other.discards), EFFORT)
        self.side, self.row = state.active, features(position)
        self.said = 2 * _value(position, self._solution) - 1
        self.explored = False

    def kept(self, after: "_Turn | None") -> Numbers:
        """What the side's next turn tells of the cards that it might have kept in this one. None: there was none."""
        tables = np.zeros((2, len(AGENTS), 3, 3))
        pool, parts = self._position.pool, hands(HAND_SIZE - 2)
        ways = parts.ways(pool[None, :])[0]
        promised = np.zeros(len(parts)) if after is None else after._promised()
        counts = parts.counts - 2 * pool[:, None] / pool.sum()
        both = np.array([counts * promised, counts * counts]) * ways / ways.sum()
        tables[:, AGENTS, *levels(self._position)] = _fine(both.cumsum(axis=-1)[..., -1] * 64) / 64
        return tables

    def _promised(self) -> Numbers:
        """By two cards in the hand at the beginning of this turn, how much more likely the side wins than usually."""
        own = hands(self._position.own.cards)
        ways = _parts(own.size) * own.ways(self._position.pool[None, :])[0]
        worths = _fine(self._solution.worths)
        found = (ways @ worths) / np.maximum(ways.sum(axis=1), 1.0)
        usual = (ways.sum(axis=0) @ worths) / max(ways.sum(), 1.0)
        return np.where(ways.sum(axis=1) > 0, found - usual, 0.0)

    def discard(self, position: Position, seat: SeatState) -> Agent | None:
        """What a hand discards, if it does. `position` is after earlier discards."""
        if not position.may_discard:
            return None
        hand = counts_of(seat.hand)
        agent = best_discard(self._solution, hand, position.pool - hand - counts_of(seat.discards))
        return None if agent is None else Agent(agent + 1)

    def play(self, seat: SeatState, luck: Random) -> Play:
        """A play, now and then any."""
        own = hands(len(seat.hand))
        chances = own.uniform if self._explores(luck) else self._solution.plays
        plays = own.by_play(chances, own.index(counts_of(seat.hand)))
        up, down = list(plays)[drawn(np.array(list(plays.values())), luck.random())]
        return PLAYS[Agent(up + 1), Agent(down + 1)]

    def takes(self, up: Agent, luck: Random) -> bool:
        """Whether the other side takes the face-up card, now and then by equal chances."""
        chance = 0.5 if self._explores(luck) else self._solution.taking[up - 1]
        return luck.random() < chance

    def _explores(self, luck: Random) -> bool:
        explores = luck.random() < EXPLORING
        self.explored |= explores
        return explores


@cache
def _parts(size: int) -> Numbers:
    """By two cards, and hand of so many cards: in how many ways two cards of the hand are these."""
    own, parts = hands(size), hands(HAND_SIZE - 2)
    ways = np.ones((len(parts), len(own)))
    for agent in AGENTS:
        ways *= WAYS[own.counts[agent]].take(parts.counts[agent], axis=1).T
    return ways


def _value(position: Position, solution: Solution) -> float:
    """How likely the active side wins, as the solution says."""
    own, worths = hands(position.own.cards), solution.worths
    ways = own.ways(position.pool[None, :])[0]
    if position.may_discard:
        worths = np.maximum(worths, after_discards(own, position.pool, worths).max(axis=0) - COST)
    return float((ways * worths).cumsum()[-1] / ways.cumsum()[-1])


class Student:
    """The network that learns."""

    def __init__(self) -> None:
        luck = Random(0)
        one, two = UNITS
        shapes = ((FEATURES + 1, one), (one + 1, two), (two + 1,))
        self._keeping = np.zeros((len(AGENTS), 3, 3))
        self._layers = [Layer(luck, spread, SCALE, *shape) for spread, shape in zip(SPREAD, shapes, strict=True)]

    @property
    def values(self) -> Values:
        """What it has learned."""
        first, second, last = (layer.weights for layer in self._layers)
        return Values(first, second, last, np.rint(self._keeping * FINE_SCALE) / FINE_SCALE)

    def learn(self, seen: Experience, luck: Random, rate: float) -> float:
        """Learn from all this in a drawn order. Returns the mean squared error before each step."""
        promised, spread = seen.kept.sum(axis=0)
        self._keeping = promised / (spread + RARE)
        squares = 0.0
        for some in steps(len(seen.rows), luck, STEP):
            squares += self._step(seen.rows[some], seen.targets[some], rate)
        return squares / len(seen.rows)

    def _step(self, rows: Numbers, targets: Numbers, rate: float) -> float:
        values = self.values
        first, second = values.hidden(rows)
        # The error itself, without the slope of what `results` does to the sum, as for a logistic unit.
        errors = np.rint((values.results_of(second) - targets) * FINE) / FINE
        inner = np.outer(errors, values.last[:-1]) * (second > 0)
        outer = (inner @ values.second[:-1].T) * (first > 0)
        gradients = (_with_one(rows).T @ outer, _with_one(first).T @ inner, _with_one(second).T @ errors)
        for layer, gradient in zip(self._layers, gradients, strict=True):
            layer.learn(gradient / len(rows), rate)
        return float(errors @ errors)


def _with_one(rows: Numbers) -> Numbers:
    """With a last column of ones."""
    return np.concatenate((rows, np.ones((len(rows), 1))), axis=1)


def main(to: Path) -> None:
    """Train, and write the weights."""
    student = Student()
    memory: list[Experience] = []
    with ProcessPoolExecutor() as processes:
        for number in range(ROUNDS):
            batches = range(number * BATCHES, (number + 1) * BATCHES)
            memory += processes.map(played, [student.values] * BATCHES, batches)
            del memory[: -max(REMEMBERED, (number + 1) // 2) * BATCHES]
            seen = joined(memory)
            last = joined(memory[-BATCHES:])
            before = float(((student.values.results(last.rows) - last.targets) ** 2).mean())
            rate = RATE / (1 + number / FADING)
            errors = [
                student.learn(seen, Random(number * PASSES + each), rate * (1 - each / PASSES))
                for each in range(PASSES)
            ]
            print(
                f"{batches.stop * MATCHES} matches, mean squared error {before:.4f}, then {errors[-1]:.4f}",
                flush=True,
            )
            to.write_text(written(student.values), encoding="ascii")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else WEIGHTS)
