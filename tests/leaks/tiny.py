"""Every course of a game so small that all can be played: what each seat is sent, against what it may know.

An information set is all that a seat observed, said by the rulings alone (`observing`). Each must have one string of
bytes, so that nothing leaks. Different ones must have different strings, so that nothing is withheld.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import permutations, product
from typing import Any, NamedTuple

from referee.check import random_play
from referee.core.game import AnyGame, Roll, Shuffle
from referee.core.outcome import Seat
from referee.match.conversation import Chosen, Ready
from referee.match.match import Ask, Match, Open
from referee.match.terms import Clock
from referee.wire.codec import GameEntry
from referee.wire.messages import encode
from tests.leaks.observing import Observer, Step, saw
from tests.leaks.streams import header_of
from tests.leaks.wrapped import Wrapped

Draw = tuple[int, ...]

_MOST_SHUFFLED = 4


class Tiny(NamedTuple):
    """A small variant of a game, which exists in tests only.

    Attributes:
        name: what is small about it.
        rules: makes the variant from the rules of the game.
        options: the options.
        seats: how many there are.
        draws: the results of shuffles and rolls, by label. Those that are not listed have all results there are.
        decisions: a course ends after so many decisions, if the match goes on for so long.
    """

    name: str
    rules: Callable[[AnyGame], AnyGame]
    options: Any
    seats: int
    draws: Mapping[str, Sequence[Draw]]
    decisions: int


class Sets(NamedTuple):
    """What was found in all courses of a tiny game.

    Attributes:
        courses: how many courses there are.
        positions: how many times a seat was sent a message.
        sets: how many information sets there are.
        leaks: information sets with more than one string of bytes.
        withheld: strings of bytes that stand for more than one information set.
    """

    courses: int
    positions: int
    sets: int
    leaks: int
    withheld: int


def orders(things: Sequence[Any]) -> Iterator[Draw]:
    """Every order of these things, as draws of their places. Of orders that look the same, one."""
    yield from _orders(Counter(things.index(thing) for thing in things))


def _orders(left: Counter[int]) -> Iterator[Draw]:
    if not left.total():
        yield ()
    for place in sorted(place for place, count in left.items() if count):
        for rest in _orders(left - Counter([place])):
            yield (place, *rest)


def information_sets(entry: GameEntry, observer: Observer, tiny: Tiny) -> Sets:
    """Play every course."""
    return _Enumeration(entry, observer, tiny).run()


class _Branches:
    """The way through a tree, branch by branch. Each way is gone once."""

    def __init__(self) -> None:
        self._way: list[tuple[int, int]] = []
        self._at = 0

    def choose(self, count: int) -> int:
        """The number of the branch to take here, where there are `count`."""
        if self._at == len(self._way):
            self._way.append((0, count))
        branch, counted = self._way[self._at]
        assert counted == count
        self._at += 1
        return branch

    @property
    def is_new(self) -> bool:
        """Whether the way is new from here on."""
        return self._at == len(self._way)

    def has_another_way(self) -> bool:
        """Turn to the next way, if there is one."""
        self._at = 0
        while self._way:
            branch, count = self._way.pop()
            if branch + 1 < count:
                self._way.append((branch + 1, count))
                return True
        return False


class _Numbers(dict[Any, int]):
    """A number for every value, counted from 0 as they come. So the test can compare and store long histories."""

    def __missing__(self, value: Any) -> int:
        self[value] = len(self)
        return self[value]


class _Watched(Wrapped):
    """A tiny game whose luck is chosen by branches. It notes what every seat observes."""

    def __init__(self, enumeration: "_Enumeration") -> None:
        super().__init__(enumeration.tiny.rules(enumeration.entry.game))
        self._all = enumeration

    def luck(self, state: Any, _drawn: Draw) -> Any:
        results = self._results(self._game.awaiting(state))
        drawn = results[self._all.branches.choose(len(results))]
        return self._noted(random_play.LuckStep(state, drawn, *self._game.luck(state, drawn)))

    def apply(self, state: Any, choices: Mapping[Seat, Any]) -> Any:
        return self._noted(random_play.ChoiceStep(state, choices, *self._game.apply(state, choices)))

    def _results(self, awaited: Any) -> Sequence[Draw]:
        assert isinstance(awaited, Shuffle | Roll)
        listed = self._all.tiny.draws.get(awaited.label)
        if listed is not None:
            return listed
        if isinstance(awaited, Roll):
            return list(product(range(awaited.faces), repeat=awaited.count))
        assert awaited.count <= _MOST_SHUFFLED, f"the draws of {awaited.label} must be listed"
        return list(permutations(range(awaited.count)))

    def _noted(self, step: Step) -> Any:
        self._all.note(step)
        return step.after, step.events


class _Enumeration:
    def __init__(self, entry: GameEntry, observer: Observer, tiny: Tiny) -> None:
        self.entry, self.observer, self.tiny = entry, observer, tiny
        self.branches = _Branches()
        self._known, self._sent = _Numbers(), _Numbers()
        self._knows: list[int] = []
        self._trail: list[int] = []
        self._strings: dict[tuple[Seat, int], set[int]] = {}
        self._meanings: dict[tuple[Seat, int], set[int]] = {}
        self._courses = self._positions = 0

    def run(self) -> Sets:
        self._play()
        while self.branches.has_another_way():
            self._play()
        return Sets(
            courses=self._courses,
            positions=self._positions,
            sets=len(self._strings),
            leaks=sum(len(strings) > 1 for strings in self._strings.values()),
            withheld=sum(len(meanings) > 1 for meanings in self._meanings.values()),
        )

    def note(self, step: Step) -> None:
        """Add to what every seat knows."""
        for seat, known in enumerate(self._knows):
            self._knows[seat] = self._known[known, saw(self.observer, step, seat)]

    def _play(self) -> None:
        """One course. Its beginning is that of the last one, up to the first other branch."""
        self._courses += 1
        self._knows = [-1] * self.tiny.seats
        has, asked = [-1] * self.tiny.seats, 0
        match = Match(_Watched(self).rules, header_of(self.entry.game, self.tiny.options, self.tiny.seats), Clock())
        for at, request in enumerate(match):
            if self.branches.is_new:
                message = encode(self.entry.codec, match, request)
                self._trail[at:] = [self._sent[has[request.seat], message]]
                self._compare(request.seat, self._trail[at])
            has[request.seat] = self._trail[at]
            if isinstance(request, Open):
                match.reply(Ready())
            elif isinstance(request, Ask):
                if asked == self.tiny.decisions:
                    return
                asked += 1
                match.reply(Chosen(self.branches.choose(len(request.legal))))

    def _compare(self, seat: Seat, has: int) -> None:
        """Hold all that the seat was sent so far against all that it knows."""
        self._positions += 1
        self._strings.setdefault((seat, self._knows[seat]), set()).add(has)
        self._meanings.setdefault((seat, has), set()).add(self._knows[seat])
