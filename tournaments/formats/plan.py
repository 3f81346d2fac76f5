"""The plan of a league: its waves so far, as one sequence of fixtures."""

from collections.abc import Callable, Iterator

from tournaments.formats.wave import LineUp, Placed, Wave
from tournaments.model import Fixture, Sitting


class Plan:
    """Waves, one after another.

    Attributes:
        waves: the waves, in order.
    """

    def __init__(self) -> None:
        self.waves: list[Wave] = []
        self._starts: list[int] = []

    def add(self, wave: Wave) -> None:
        """Append a wave."""
        self._starts.append(self._starts[-1] + self.waves[-1].span if self.waves else 0)
        self.waves.append(wave)

    def __len__(self) -> int:
        """How many fixtures there are."""
        return sum(map(len, self.waves))

    def __iter__(self) -> Iterator[Fixture]:
        """Every fixture, in order."""
        return (fixture for wave in self.waves for fixture in wave)

    def find(self, fixture_id: str) -> Placed | None:
        """The fixture with this id, and its position; None if no wave has it."""
        for start, wave in zip(self._starts, self.waves, strict=True):
            found = wave.find(fixture_id)
            if found is not None:
                return Placed(start + found.at, found.fixture)
        return None

    def position(self, fixture: Fixture) -> int:
        """The position of a fixture. Positions rise along the plan and may have gaps.

        Raises:
            KeyError: no wave has the fixture.
        """
        for start, wave in zip(self._starts, self.waves, strict=True):
            at = wave.position(fixture)
            if at is not None:
                return start + at
        raise KeyError(fixture.id)

    def count_after(self, last: Callable[[LineUp], int | None]) -> int:
        """How many fixtures come after the position that `last` gives for their line-up. For None, none count."""
        return sum(
            wave.count_after(number, at - start)
            for start, wave in zip(self._starts, self.waves, strict=True)
            for number, line_up in wave.line_ups.numbered()
            if (at := last(line_up)) is not None
        )

    def sittings(self, remains: Callable[[int, LineUp], bool]) -> Iterator[Sitting]:
        """The remaining fixtures as sittings, wave after wave, in the order of play. `remains` gets plan positions."""
        for start, wave in zip(self._starts, self.waves, strict=True):
            yield from wave.sittings(_from(start, remains))


def _from(start: int, remains: Callable[[int, LineUp], bool]) -> Callable[[int, LineUp], bool]:
    """`remains` for positions in a wave that starts at `start`."""
    return lambda at, line_up: remains(start + at, line_up)
