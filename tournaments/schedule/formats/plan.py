"""The plan of a league: its waves so far, as one sequence of fixtures."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator

from tournaments.league.model import Fixture, Sitting
from tournaments.schedule.formats.wave import LineUp, PlacedFixture, PlayOrder, Wave, ascending, spelled


class Plan:
    """Waves, one after another. The deals of a wave come after those of the wave before.

    Attributes:
        waves: the waves, in order.
    """

    def __init__(self) -> None:
        self.waves: list[Wave] = []
        self._starts: list[int] = []
        self._first_deals: list[int] = []
        self._fixtures = 0

    def add(self, wave: Wave) -> None:
        """Append a wave."""
        self._starts.append(self._starts[-1] + self.waves[-1].span if self.waves else 0)
        self._first_deals.append(wave.deals.start)
        self.waves.append(wave)
        self._fixtures += len(wave)

    def __len__(self) -> int:
        """How many fixtures there are."""
        return self._fixtures

    def __iter__(self) -> Iterator[Fixture]:
        """Every fixture, in order."""
        return (fixture for wave in self.waves for fixture in wave)

    def find(self, fixture_id: str) -> PlacedFixture | None:
        """The fixture with this id, and its position; None if no wave has it."""
        spelled_id = spelled(fixture_id)
        number = self._with(spelled_id.deal)
        found = None if number is None else self.waves[number].find(spelled_id)
        return (
            None if found is None or number is None else PlacedFixture(self._starts[number] + found.at, found.fixture)
        )

    def position(self, fixture: Fixture) -> int:
        """The position of a fixture. Positions rise along the plan and may have gaps.

        Raises:
            KeyError: no wave has the fixture.
        """
        number = self._with(fixture.deal)
        at = None if number is None else self.waves[number].position(fixture)
        if at is None or number is None:
            raise KeyError(fixture.id)
        return self._starts[number] + at

    def number(self, at: int) -> int:
        """The number of the wave, from 0, to which a position belongs."""
        return bisect_right(self._starts, at) - 1

    def positions(self, number: int) -> range:
        """The positions of the wave with this number."""
        return range(self._starts[number], self._starts[number] + self.waves[number].span)

    def first_from(self, deal: int) -> int:
        """The first position of the first wave without a lower deal than this; the end of the plan if there is none."""
        return self.since(bisect_left(self._first_deals, deal))[0]

    def since(self, number: int) -> tuple[int, int]:
        """Of the waves from this number on: the first position, and how many fixtures they have."""
        if number >= len(self.waves):
            return (self._starts[-1] + self.waves[-1].span if self.waves else 0), 0
        return self._starts[number], sum(map(len, self.waves[number:]))

    def onward(self, at: int) -> Iterator[PlacedFixture]:
        """The fixtures from a position on, in order."""
        for start, wave in zip(self._starts, self.waves, strict=True):
            if at < start + wave.span:
                yield from (PlacedFixture(start + placed.at, placed.fixture) for placed in wave.since(at - start))

    def count_after(self, last: Callable[[int, tuple[str, ...]], int | None], first: int = 0) -> int:
        """How many fixtures come after a position that depends on their wave and entries.

        Args:
            last: takes the number of a wave and the entries of a line-up, and gives the position; None: none count.
            first: the number of the first wave that is looked at.
        """
        return sum(
            wave.count_after(number, at - start)
            for which, (start, wave) in enumerate(zip(self._starts[first:], self.waves[first:], strict=True), first)
            for number, line_up in wave.line_ups.numbered()
            if (at := last(which, line_up.entries)) is not None
        )

    def sittings(
        self,
        remains: Callable[[int, LineUp], bool],
        first: int = 0,
        batch: int = 1,
        order: PlayOrder = ascending,
    ) -> Iterator[Sitting]:
        """The remaining fixtures as sittings, wave after wave, in the order of play, as `Wave.sittings` has them.

        `first` is the number of the first wave in which any remains.
        """
        for start, wave in zip(self._starts[first:], self.waves[first:], strict=True):
            yield from wave.sittings(_from(start, remains), batch, order)

    def _with(self, deal: int) -> int | None:
        """The number of the wave that may have a deal; None if none has."""
        number = bisect_right(self._first_deals, deal) - 1
        return None if number < 0 else number


def _from(start: int, remains: Callable[[int, LineUp], bool]) -> Callable[[int, LineUp], bool]:
    """`remains` for positions in a wave that starts at `start`."""
    return lambda at, line_up: remains(start + at, line_up)
