"""The messages between a runner and its workers. All of them are plain values, so that they can be sent anywhere."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Protocol, TypeAlias

import msgspec

from referee.match.clock import Clock
from referee.match.transcript import Header
from referee.shell.confinement import Confinement, confinement
from tournaments.model import Entry, Finished, Fixture, League, Sitting


class Work(msgspec.Struct, frozen=True):
    """The settings that all matches of a run share.

    Attributes:
        game: the name of the game.
        clock: the time limits of every match.
        entries: the bots, by name.
        confinement: what the bots are confined in.
        pondering: whether bots may think while others are asked.
    """

    game: str
    clock: Clock
    entries: dict[str, Entry]
    confinement: Confinement
    pondering: bool = False


def work_of(league: League) -> Work:
    """The settings for the workers that play `league`."""
    entries = {entry.name: entry for entry in league.entries}
    confined = confinement(league.sandbox, league.limits, [Path(place) for place in league.read])
    return Work(league.game, league.clock, entries, confined, league.pondering)


class Job(msgspec.Struct, frozen=True):
    """One match to be played. Jobs of the same sitting use the same processes."""

    sitting: str
    fixture: Fixture
    header: Header


class Clear(msgspec.Struct, frozen=True):
    """Ask to end the processes of the last sitting: none follows it now, and other workers may wait for its bots."""


class Cleared(msgspec.Struct, frozen=True):
    """The answer to `Clear`: the processes have ended."""


class Voided(msgspec.Struct, frozen=True):
    """The match does not count, through our fault."""

    fixture: Fixture
    reason: str


class Postponed(msgspec.Struct, frozen=True):
    """The match did not begin because the remote bot `entry` could not be reached; it can be played later."""

    fixture: Fixture
    entry: str
    reason: str


class Bug(msgspec.Struct, frozen=True):
    """The worker met a bug of this program; the text is the traceback."""

    text: str


Result: TypeAlias = Finished | Voided | Postponed


class Executor(Protocol):
    """Plays sittings, on this machine or elsewhere."""

    def play(
        self, sittings: Iterable[Sitting], header: Callable[[Fixture], Header], wanted: Callable[[Fixture], bool]
    ) -> Iterator[Result]:
        """Yield every result as soon as it is there, in no particular order. A match is tried only once.

        Args:
            sittings: the sittings to play.
            header: gives the header of a match.
            wanted: asked just before a match is given out; a match that is not wanted is left out.
        """
