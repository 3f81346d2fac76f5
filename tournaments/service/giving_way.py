"""Builds and checks that give way: they stand still while anybody else wants their core (SCHED_IDLE, sched(7)).

So what is built and checked hardly delays a run that plays beside it. But on a busy machine it gets very little time.
So a bot that fails meanwhile has not failed yet: that is only decided where it gives way to nobody.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from msgspec.structs import replace

from referee.core.errors import OurFailure, Void
from referee.core.limits import FolderLimits
from referee.core.printable import one_line
from tournaments.admission.book import Submission
from tournaments.admission.terms import Terms
from tournaments.intake import Clock, Intake
from tournaments.model import League
from tournaments.submission.workshop import Fails, Tell, Workshop

PATIENCE_S = 120
"""So long a build or a check may take while it gives way. Nobody waits longer for a machine that has no time for it."""

_ONCE_MORE = "The machine may have been too busy. So the same is done once more, and only that counts."

_T = TypeVar("_T")


class Undecided(OurFailure):
    """A bot failed, or could not be judged, while its processes gave way to others. Others may be the reason."""


class GivingWay:
    """A workshop whose processes give way. It raises `Undecided` where the workshop raises `Fails` or `Void`."""

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
        """Build, giving way.

        Raises:
            Undecided: the build fails.
            CannotConfine, OSError: as the workshop.
        """
        return _giving_way(lambda: self._workshop.build(folder, tell))

    def check(self, folder: Path, tell: Tell) -> None:
        """Check, giving way.

        Raises:
            Undecided: the bot fails, or nothing is known of it.
        """
        _giving_way(lambda: self._workshop.check(folder, tell))


class Way:
    """The way of bots into a league, step by step. Each step gives way to others, unless that could harm the bot."""

    def __init__(self, intake: Intake, league: League, workshop: Callable[[League], Workshop]) -> None:
        """Prepare to lead bots.

        Args:
            intake: takes them in.
            league: which league it is.
            workshop: that of a league.
        """
        self._intake = intake
        self._giving_way = intake.working_in(GivingWay(workshop(_brief(league))))

    def under_way(self) -> Sequence[Submission]:
        """As `Intake.under_way`."""
        return self._intake.under_way()

    def advance(self, submission: Submission, clock_ms: Clock, tell: Tell) -> Submission:
        """As `Intake.advance`. A bot that fails while it gives way is tried again, and then gives way to nobody."""
        try:
            return self._giving_way.advance(submission, clock_ms, tell)
        except Undecided as why:
            tell(f"{one_line(str(why))}\n{_ONCE_MORE}\n")
            return self._intake.advance(submission, clock_ms, tell)


def _brief(league: League) -> League:
    """The same league, in which no build and no check may take longer than `PATIENCE_S`."""
    terms = league.submissions or Terms()
    short = replace(terms, build_s=min(terms.build_s, PATIENCE_S), check_s=min(terms.check_s, PATIENCE_S))
    return replace(league, submissions=short)


def _giving_way(work: Callable[[], _T]) -> _T:
    """Do the work in a thread of its own, whose processes give way, too. Only root can take that back for a thread."""

    def give_way() -> _T:
        with suppress(OSError):  # some containers forbid it; then nothing gives way
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))  # of this thread
        return work()

    with ThreadPoolExecutor(1, "giving-way") as pool:
        try:
            return pool.submit(give_way).result()
        except (Fails, Void) as reason:
            raise Undecided(str(reason)) from reason
