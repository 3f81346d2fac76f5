"""A match and another that a seat cannot tell from it, compared: by all that the seat is sent, and step by step."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count
from random import Random
from typing import Any, NamedTuple

from referee.check.hidden_information import choosable, sent_events, sent_view
from referee.check.random_play import ChoiceStep, LuckStep, walk
from referee.core.game import AnyGame, Over, Roll, Shuffle
from referee.core.outcome import Seat
from referee.wire.codec import GameEntry
from tests.golden.tables import GoldenTable
from tests.leaks.observing import Step, asked
from tests.leaks.proofs import Proof, Way
from tests.leaks.streams import sent
from tests.leaks.worlds import Course, another_match, course

_TRIES = 24
_MOST_MATCHES = 60_000


class Pair(NamedTuple):
    """A match, or its beginning, and another that `seat` cannot tell from it.

    Attributes:
        table: the table.
        seat: the seat.
        is_whole: whether the match is over.
        first: its course.
        second: the course of the other.
    """

    table: GoldenTable
    seat: Seat
    is_whole: bool
    first: Course
    second: Course

    @property
    def exchanged(self) -> set[str]:
        """The labels of the shuffles that differ."""
        return {label for label, drawn in self.first.draws.items() if drawn != self.second.draws[label]}


def pair(proof: Proof, table: GoldenTable, steps: Sequence[Step], seat: Seat, rng: Random) -> Pair:
    """These steps, and another course of which the seat observes the same."""
    game = proof.entry.game
    other = another_match(game, proof.observer, steps, seat, rng, _TRIES)
    is_whole = isinstance(game.awaiting(steps[-1].after), Over)
    return Pair(table, seat, is_whole, course(game, steps), course(game, other))


# Whole matches


def pairs(proof: Proof, table: GoldenTable, matches: int, rng: Random) -> Iterator[Pair]:
    """For every seat of some random matches: the whole match, and its beginning, each with another."""
    game = proof.entry.game
    for number in range(matches):
        steps = _match(proof, table, proof.ways[number % len(proof.ways)], rng)
        stops = [at for at, step in enumerate(steps, 1) if asked(game, step.after)]
        for seat in range(table.seats):
            for until in (len(steps), rng.choice(stops)):
                yield pair(proof, table, steps[:until], seat, rng)


def whole_pairs(proof: Proof, table: GoldenTable, matches: int, rng: Random) -> Iterator[Pair]:
    """For every seat of some random matches: the whole match with another."""
    for number in range(matches):
        steps = _match(proof, table, proof.ways[number % len(proof.ways)], rng)
        for seat in range(table.seats):
            yield pair(proof, table, steps, seat, rng)


def _match(proof: Proof, table: GoldenTable, way: Way, rng: Random) -> list[Step]:
    return list(walk(proof.entry.game, table.options, table.seats, way.choose, rng, way.luck))


def sent_in(entry: GameEntry, pair: Pair) -> tuple[list[bytes], list[bytes]]:
    """What the seat is sent in both."""
    table = pair.table
    first, second = (sent(entry, table.options, table.seats, played, pair.seat) for played in (pair.first, pair.second))
    return first, second


# Step by step


class Compared(NamedTuple):
    """Two courses, compared step by step.

    Attributes:
        kinds: of every position in which something hidden differs, in it or in what is drawn or chosen, the kind.
        differences: what the seat could notice.
    """

    kinds: list[str]
    differences: set[str]


def compared(proof: Proof, entry: GameEntry, pair: Pair) -> Compared:
    """Every step as the rules of `entry` carry it out, and as its codec encodes it."""
    kinds, differences = list[str](), set[str]()
    first, second = (list(_played(entry.game, pair.table, each)) for each in (pair.first, pair.second))
    for one, other in zip(first, second, strict=True):
        differences.update(_of_positions(entry, one.before, other.before, pair.seat))
        if sent_events(entry, one.events, pair.seat) != sent_events(entry, other.events, pair.seat):
            differences.add("events differ")
        if one != other:
            kinds.append(proof.observer.kind(one.before))
    last, other_last = first[-1].after, second[-1].after
    differences.update(_of_positions(entry, last, other_last, pair.seat))
    if last != other_last and not pair.is_whole:
        kinds.append(proof.observer.kind(last))
    return Compared(kinds, differences)


def _of_positions(entry: GameEntry, one: Any, other: Any, seat: Seat) -> Iterator[str]:
    if entry.game.awaiting(one) != entry.game.awaiting(other):
        yield "what is awaited differs"
    if sent_view(entry, one, seat) != sent_view(entry, other, seat):
        yield "view differs"
    if choosable(entry, one, seat) != choosable(entry, other, seat):
        yield "legal actions differ"


def _played(game: AnyGame, table: GoldenTable, course: Course) -> Iterator[Step]:
    """The steps of a course."""
    state, choices = game.setup(table.options, table.seats), iter(course.choices)
    while (step := _next_step(game, state, course, choices)) is not None:
        yield step
        state = step.after


def _next_step(game: AnyGame, state: Any, course: Course, choices: Iterator[Any]) -> Step | None:
    awaited = game.awaiting(state)
    if isinstance(awaited, Shuffle | Roll):
        drawn = course.draws.get(awaited.label)
        return None if drawn is None else LuckStep(state, drawn, *game.luck(state, drawn))
    chosen = next(choices, None)
    return None if chosen is None else ChoiceStep(state, chosen, *game.apply(state, chosen))


def positions(proof: Proof, table: GoldenTable, least: int) -> Counter[str]:
    """Compare positions of random matches until there are so many of every kind. Returns how many there were.

    Raises:
        AssertionError: a seat could notice something.
    """
    rng, met = Random(14), Counter(dict.fromkeys(sorted(proof.kinds(table)), 0))
    hunt = _Hunt(proof, table, rng)
    while rare := {kind for kind, times in met.items() if times < least}:
        steps = hunt.up_to_the_last(rare)
        # Half of the matches stop before this position is left. What it hides may be revealed when it is left.
        steps = steps[: -rng.randrange(2) or None] if len(steps) > 1 else steps
        found = compared(proof, proof.entry, pair(proof, table, steps, rng.randrange(table.seats), rng))
        assert found.differences == set()
        met.update(found.kinds)
    return met


class _Hunt:
    """Plays matches in the way that shows rare kinds of positions most often."""

    def __init__(self, proof: Proof, table: GoldenTable, rng: Random) -> None:
        self._proof = proof
        self._table = table
        self._rng = rng
        self._matches = count()
        self._rare = set[str]()
        self._score: dict[Way, list[int]] = {}

    def up_to_the_last(self, rare: set[str]) -> list[Step]:
        """A match up to its last position of a rare kind."""
        if rare != self._rare:
            self._rare, self._score = rare, {way: [1, 1] for way in self._proof.ways}
        while True:
            assert next(self._matches) < _MOST_MATCHES, f"{sorted(rare)} hardly ever occur at {self._table.name}"
            way = max(self._score, key=lambda way: self._score[way][0] / self._score[way][1])
            steps = _match(self._proof, self._table, way, self._rng)
            rare_at = [at for at, step in enumerate(steps, 1) if self._proof.observer.kind(step.before) in rare]
            self._score[way][0] += bool(rare_at)
            self._score[way][1] += 1
            if rare_at:
                return steps[: rare_at[-1]]
