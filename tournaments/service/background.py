"""Builds and checks in the background: they stand still while anybody else wants their core.

So what is built and checked hardly delays a run that plays beside it. But on a busy machine it gets very little time.
So a bot that fails in the background has not failed yet: it is tried once more in the usual way.

What writes the store is never in the background: it would keep others from writing while it stands still.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from msgspec.structs import replace

from referee.core.errors import OurFailure, Void
from referee.core.limits import FolderLimits
from referee.core.printable import one_line
from referee.shell.precedence import go_into_background, staying_behind
from tournaments.admission.book import Submission
from tournaments.admission.terms import Terms
from tournaments.intake import Clock, Intake
from tournaments.model import League
from tournaments.submission.workshop import Fails, Tell, Workshop

PATIENCE_S = 120
"""So long a build or a check may take in the background. Nobody waits longer for a machine that has no time for it."""

_ONCE_MORE = (
    "This was tried in the background, where time can be short. It is done once more as usual, and only that counts."
)

_T = TypeVar("_T")


class Undecided(OurFailure):
    """A bot failed, or could not be judged, in the background. Others who wanted the core may be the reason."""


class BackgroundWorkshop:
    """A workshop that works in the background. It raises `Undecided` where others raise `Fails` or `Void`."""

    def __init__(self, workshop: Workshop) -> None:
        """`workshop` does the work."""
        self._workshop = workshop

    @property
    def platform(self) -> str:
        """That of the workshop."""
        return self._workshop.platform

    @property
    def limits(self) -> FolderLimits:
        """Those of the workshop."""
        return self._workshop.limits

    def hold_able(self) -> None:
        """As the workshop does."""
        self._workshop.hold_able()

    def build(self, folder: Path, tell: Tell) -> dict[str, str]:
        """Build in the background.

        Raises:
            Undecided: the build fails.
            CannotConfine, OSError: as the workshop.
        """
        return _in_the_background(lambda: self._workshop.build(folder, tell))

    def check(self, folder: Path, tell: Tell) -> None:
        """Check in the background.

        Raises:
            Undecided: the bot fails, or nothing is known of it.
        """
        _in_the_background(lambda: self._workshop.check(folder, tell))


class Way:
    """The way of bots into a league, step by step: in the background, unless that could harm a bot."""

    def __init__(self, intake: Intake, league: League, workshop: Callable[[League], Workshop]) -> None:
        """Prepare to lead bots.

        Args:
            intake: takes them in.
            league: which league it is.
            workshop: that of a league.
        """
        self._intake = intake
        self._background = intake.working_in(BackgroundWorkshop(workshop(_brief(league))))

    def under_way(self) -> Sequence[Submission]:
        """As `Intake.under_way`."""
        return self._intake.under_way()

    def advance(self, submission: Submission, clock_ms: Clock, tell: Tell) -> Submission:
        """As `Intake.advance`. What fails in the background is done once more in the usual way."""
        try:
            return self._background.advance(submission, clock_ms, tell)
        except Undecided as why:
            tell(f"{one_line(str(why))}\n{_ONCE_MORE}\n")
            return self._intake.advance(submission, clock_ms, tell)


def _brief(league: League) -> League:
    """The same league, in which no build and no check may take longer than `PATIENCE_S`."""
    terms = league.submissions or Terms()
    short = replace(terms, build_s=min(terms.build_s, PATIENCE_S), check_s=min(terms.check_s, PATIENCE_S))
    return replace(league, submissions=short)


def _in_the_background(work: Callable[[], _T]) -> _T:
    """Do the work, with all processes that it starts, in the background.

    A thread of its own does it: only root could bring this thread back again.
    """

    def move_there() -> _T:
        go_into_background()
        return work()

    with ThreadPoolExecutor(1, "background") as pool, staying_behind():
        try:
            return pool.submit(move_there).result()
        except (Fails, Void) as reason:
            raise Undecided(str(reason)) from reason
