"""What a runner and its workers say to each other. All of it is plain values, so that it can be sent anywhere."""

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeAlias

import msgspec

from referee.match.clock import Clock
from referee.match.transcript import Header
from referee.shell.confinement import Confinement, confinement
from tournaments.model import Entry, Finished, Fixture, League, Sitting


class Work(msgspec.Struct, frozen=True):
    """What holds for all matches of a run.

    Attributes:
        game: the name of the game.
        clock: of every match.
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
    """What the workers that play `league` are told."""
    entries = {entry.name: entry for entry in league.entries}
    return Work(league.game, league.clock, entries, confinement(league.sandbox), league.pondering)


class Job(msgspec.Struct, frozen=True):
    """One match to be played. Processes are kept from job to job while the sitting is the same."""

    sitting: str
    fixture: Fixture
    header: Header


class Clear(msgspec.Struct, frozen=True):
    """End the processes of the last sitting: there is none to follow it now, and others may wait for its bots."""


class Cleared(msgspec.Struct, frozen=True):
    """That is done."""


class Voided(msgspec.Struct, frozen=True):
    """The match does not count, through our fault."""

    fixture: Fixture
    reason: str


class Postponed(msgspec.Struct, frozen=True):
    """The match did not begin, since the remote bot `entry` could not be reached; it can be played later."""

    fixture: Fixture
    entry: str
    reason: str


class Bug(msgspec.Struct, frozen=True):
    """The worker met an error that is nobody's fault but the program's; the text is its traceback."""

    text: str


Result: TypeAlias = Finished | Voided | Postponed


class Executor(Protocol):
    """Whoever can play sittings, wherever that happens."""

    def play(
        self, sittings: Iterable[Sitting], header: Callable[[Fixture], Header], wanted: Callable[[Fixture], bool]
    ) -> Iterator[Result]:
        """Every result as soon as it is there, in no particular order; what is not `Finished` is not tried again.

        Args:
            sittings: what is to be played.
            header: what is settled before a match.
            wanted: asked just before a match is given out; what is not wanted is left out.
        """
