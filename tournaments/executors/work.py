"""What a runner and its workers say to each other. All of it is plain values, so that it can be sent anywhere."""

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeAlias

import msgspec

from referee.match.clock import Clock
from referee.match.transcript import Header
from tournaments.model import Finished, Fixture, Sitting


class Work(msgspec.Struct, frozen=True):
    """What holds for all matches of a run.

    Attributes:
        game: the name of the game.
        clock: of every match.
        folders: where each entry was found, by its name.
        pondering: whether bots may think while others are asked.
    """

    game: str
    clock: Clock
    folders: dict[str, str]
    pondering: bool = False


class Job(msgspec.Struct, frozen=True):
    """One match to be played. Processes are kept from job to job while the sitting is the same."""

    sitting: str
    fixture: Fixture
    header: Header


class Voided(msgspec.Struct, frozen=True):
    """The match does not count, through our fault."""

    fixture: Fixture
    reason: str


class Bug(msgspec.Struct, frozen=True):
    """The worker met an error that is nobody's fault but the program's; the text is its traceback."""

    text: str


Result: TypeAlias = Finished | Voided


class Executor(Protocol):
    """Whoever can play sittings, wherever that happens."""

    def play(
        self, sittings: Iterable[Sitting], header: Callable[[Fixture], Header], wanted: Callable[[Fixture], bool]
    ) -> Iterator[Result]:
        """Every result as soon as it is there, in no particular order; a `Voided` match is not tried again.

        Args:
            sittings: what is to be played.
            header: what is settled before a match.
            wanted: asked just before a match is given out; what is not wanted is left out.
        """
