"""Many matches in step, for programs that learn from many positions at once."""

from collections.abc import Iterable, Sequence
from copy import deepcopy
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from referee.api.games import InstalledGame, Options, game
from referee.api.matches import seed_text
from referee.api.rewards import Rewards, reward_rule
from referee.api.spaces import Floats, Ids, Space, space
from referee.core import seeds
from referee.core.errors import WrongUse
from referee.core.game import AnyGame, Decide, Over
from referee.core.outcome import Outcome, Seat
from referee.match.header import deal_seed
from referee.match.match import draw


class Finished(NamedTuple):
    """The matches that ended in a step. Their places have new matches already.

    Attributes:
        places: their numbers, in the order in which they were to step.
        rewards: a row for each: its rewards by seat, as `LocalMatch.rewards` gives them.
        outcomes: how each ended.
        seeds: the seed of each.
    """

    places: Ids
    rewards: Floats
    outcomes: tuple[Outcome, ...]
    seeds: tuple[str, ...]


class VectorMatches:
    """Matches of one game that go on in step, each at the question to one seat.

        matches = referee.vector("agent-avenue", 64, seed=7)
        for _ in range(1000):
            finished = matches.step(my_ids)

    When a match ends, the next one begins in its place. Every match is the one that `start` gives with the same seed.
    If several seats decide sealed, they are asked one after another, and none sees what the others chose.

    Attributes:
        game: the game that is played.
        space: what the numbers of `observations` and the ids mean.
        asked: the seat that must choose, by match.
        observations: what this seat sees: a row of `space.size` numbers for each match.
        legal: the legal ids of all matches, one match after the other.
        offsets: where the ids of each match begin in `legal`, and at the end where the last ones end.
    """

    asked: Ids
    observations: Floats
    legal: Ids
    offsets: Ids
    __copy__ = deepcopy  # what one of the two does changes nothing in the other

    def __init__(
        self, game: InstalledGame, space: Space, options: Any, seats: int, places: int, seed: str, rewards: Rewards
    ) -> None:
        self.game = game
        self.space = space
        self._seats = seats
        self._rewards = reward_rule(rewards, game.rules, options, seats)
        self._courses = [_VectorMatch(game.rules, space, options, seats, f"{seed}-{place}") for place in range(places)]
        self._packed = [course.ask() for course in self._courses]
        self._show()

    def __len__(self) -> int:
        """How many matches go on."""
        return len(self._courses)

    @property
    def seeds(self) -> tuple[str, ...]:
        """The seed of each match: with it, `start` gives the same one."""
        return tuple(course.seed for course in self._courses)

    @property
    def views(self) -> list[Any]:
        """What the asked seats see, as values of the game, for vectors of your own."""
        return [course.view for course in self._courses]

    @property
    def actions(self) -> list[tuple[Any, ...]]:
        """The legal actions of each match, in the order of its ids."""
        return [course.legal for course in self._courses]

    def mask(self) -> NDArray[np.bool_]:
        """For each match and each id whether it is legal."""
        mask = np.zeros((len(self), self.space.actions), np.bool_)
        mask[np.repeat(np.arange(len(self)), np.diff(self.offsets)), self.legal] = True
        return mask

    def step(
        self, choices: Sequence[int] | NDArray[np.integer[Any]], places: Sequence[int] | Ids | None = None
    ) -> Finished:
        """Choose a legal id in every match, or in the matches with these numbers; the others then wait.

        Raises:
            WrongUse: there is not one id for each of these matches, one is not legal, or there is no such match, or it
                is named twice. Then nothing happens.
        """
        ended: list[tuple[int, Outcome, str]] = []
        numbers: Sequence[int] = range(len(self)) if places is None else np.asarray(places).tolist()
        # Each match is done with before the next one: its position is in the processor's cache only for a while.
        for place, action in zip(numbers, self._chosen(choices, numbers), strict=True):
            course = self._courses[place]
            outcome = course.choose(action)
            if outcome is not None:
                ended.append((place, outcome, course.seed))
                course.begin_next()
            self._packed[place] = course.ask()
        self._show()
        return Finished(
            places=np.array([place for place, _, _ in ended], np.int64),
            rewards=np.array([self._rewards(outcome) for _, outcome, _ in ended], np.float32).reshape(-1, self._seats),
            outcomes=tuple(outcome for _, outcome, _ in ended),
            seeds=tuple(seed for _, _, seed in ended),
        )

    def _chosen(self, choices: Iterable[int], numbers: Sequence[int]) -> list[Any]:
        ids = np.asarray(choices).tolist()
        if len(ids) != len(numbers):
            raise WrongUse(f"there are {len(ids)} choices for {len(numbers)} matches; give one id for each")
        if not isinstance(numbers, range) and len({*numbers} & {*range(len(self))}) < len(ids):
            raise WrongUse(f"places: {numbers} are not numbers from 0 to {len(self) - 1} that all differ")
        courses = [self._courses[number] for number in numbers]
        try:
            return [course.legal[course.ids.index(chosen)] for course, chosen in zip(courses, ids, strict=True)]
        except ValueError:
            at = next(at for at, course in enumerate(courses) if ids[at] not in course.ids)
            raise WrongUse(
                f"match {numbers[at]}: the id {ids[at]} is not legal; choose one of its ids in `legal`"
            ) from None

    def _show(self) -> None:
        """Put what the asked seats see into the arrays."""
        courses = self._courses
        ids = [course.ids for course in courses]
        self.asked = np.array([course.waiting_seats[0] for course in courses], np.int64)
        packed = bytearray().join(self._packed)
        self.observations = np.frombuffer(packed, np.float32).reshape(len(courses), self.space.size)
        self.legal = np.array(list(chain.from_iterable(ids)), np.int64)
        self.offsets = np.array([0, *map(len, ids)], np.int64).cumsum()


class _VectorMatch:
    """The matches in one place, one after the other. It keeps no record: that would take longer than all the rest.

    Attributes:
        seed: the seed of the match.
        waiting_seats: the seats that must still choose; the first one is asked.
        view: what it sees.
        legal: its legal actions.
        ids: their ids.
    """

    waiting_seats: tuple[Seat, ...]
    _choices: dict[Seat, Any]

    def __init__(self, rules: AnyGame, space: Space, options: Any, seats: int, seed: str) -> None:
        self._rules, self._space, self._options, self._seats = rules, space, options, seats
        self._seed, self._number = seed, -1
        self.begin_next()

    def begin_next(self) -> None:
        """Begin the next match."""
        self._number += 1
        self.seed = f"{self._seed}-{self._number}"
        self._deal_seed = deal_seed(seeds.from_text(self.seed), 0)
        self._state = self._rules.setup(self._options, self._seats)
        self._settle()

    def ask(self) -> bytes:
        """Take the legal actions of the asked seat and their ids; the vector of what it sees, packed."""
        seat = self.waiting_seats[0]
        self.legal = self._rules.legal(self._state, seat)
        self.view = self._rules.view(self._state, seat)
        self.ids = self._space.list_ids(self.view, self.legal)
        return self._space.pack(self.view)

    def choose(self, action: Any) -> Outcome | None:
        """Let the asked seat choose; the outcome if the match is over."""
        self._choices[self.waiting_seats[0]] = action
        self.waiting_seats = self.waiting_seats[1:]
        if self.waiting_seats:
            return None
        self._state, _ = self._rules.apply(self._state, self._choices)
        return self._settle()

    def _settle(self) -> Outcome | None:
        """Draw luck until somebody must choose or the match is over."""
        while not isinstance(awaited := self._rules.awaiting(self._state), Decide):
            if isinstance(awaited, Over):
                return awaited.outcome
            self._state, _ = self._rules.luck(self._state, draw(self._deal_seed, awaited))
        self.waiting_seats, self._choices = awaited.seats, {}
        return None


def vector(
    name: str,
    matches: int,
    *,
    seats: int | None = None,
    seed: str | int | None = None,
    options: Options | None = None,
    rewards: Rewards = "places",
) -> VectorMatches:
    """So many matches in step, that begin, with so many players each; None: as few as the options allow.

    `seed` is any text, or a number; None: a random one. Match k in place p has the seed `SEED-p-k`. `rewards` are those
    of `start`.

    Raises:
        WrongUse: as `start` and `space` do, or there would be no match.
    """
    if matches < 1:
        raise WrongUse(f"matches: {matches} is not allowed; play at least one")
    found = game(name)
    count, chosen = found.settle(seats, options)
    return VectorMatches(found, space(name, count, options), chosen, count, matches, seed_text(seed), rewards)
