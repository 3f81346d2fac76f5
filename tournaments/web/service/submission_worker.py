"""The submission worker: a process beside the server that builds, checks and enters submitted bots, one at a time.

It reads its leagues from the first line of its input, works as long as the input is open, and writes its news. All that
counts is in the store. So it may be killed at any point, and the next worker continues from there.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager

import msgspec

from referee.core.errors import OurFailure
from referee.core.text import several
from tournaments.league.submissions import UNDER_WAY, NotNow, Submission
from tournaments.play.cores import CoreLease
from tournaments.play.environment import LocalEnvironment
from tournaments.store import Store, lock_path, trees_folder
from tournaments.submissions.bot_folders import BotFolders
from tournaments.submissions.build_environment import CannotConfine
from tournaments.submissions.pipeline import SubmissionPipeline, open_submissions
from tournaments.submissions.tree_cache import TreeCache
from tournaments.web.scrimmages import ScrimmageEnvironment
from tournaments.web.service import background_process
from tournaments.web.service.worker_messages import (
    LONGEST_PIECE,
    MOST_TEXT,
    News,
    ServedLeague,
    WorkBegan,
    WorkerOrders,
    WorkLeft,
    WorkWrote,
)

_REST_MS = 30_000
"""The milliseconds after which a submission is tried again that failed through our fault."""

_CARRY_MS = 10_000
"""How often to look whether bots of an earlier league go on, in milliseconds."""

_LOOK_S = 1.0
"""How often to look without a signal, in seconds: other processes may submit to the same store."""


class SubmissionWorker:
    """The work for one league."""

    def __init__(
        self,
        league: str,
        pipeline: SubmissionPipeline,
        tell: Callable[[News], None],
        clock_ms: Callable[[], int],
        lost: Mapping[int, int],
        turn: CoreLease,
        ring: ScrimmageEnvironment,
    ) -> None:
        """Prepare to work.

        Args:
            league: its name.
            pipeline: the pipeline of its submissions.
            tell: receives the news.
            clock_ms: the time, in milliseconds since 1970 (UTC).
            lost: by the number of a submission, how many workers were lost at it.
            turn: decides when to work, if the run leaves no core free.
            ring: plays the scrimmages.
        """
        self._league = league
        self._intake = pipeline
        self._tell = tell
        self._clock_ms = clock_ms
        self._lost = lost
        self._turn = turn
        self._ring = ring
        self._rests: dict[int, int] = {}
        self._carries_ms = 0
        self._done: Counter[str] = Counter()

    def work(self) -> bool:
        """Finish the next submission, or else play a scrimmage. Returns whether there was either."""
        if self._intake.league.lacks_rules:
            return False
        waiting = [each for each in self._intake.under_way() if self._rests.get(each.number, 0) <= self._clock_ms()]
        scrimmages = [] if waiting else self._ring.waiting()
        if not waiting and not scrimmages:
            self._turn.give_back()
            return False
        if not self._turn.take():
            return False
        try:
            if waiting:
                submission = min(waiting, key=self._order)
                self._done[submission.author] += 1
                self._tell(WorkLeft(self._league, submission.number, self._lead(submission)))
            else:
                print(f"{self._league}: scrimmage {scrimmages[0].number}: {self._ring.spar(scrimmages[0])}", flush=True)
        finally:
            self._turn.give_back()
        return True

    def carry(self) -> None:
        """Submit the last bots of an earlier league again, when it is time."""
        now_ms = self._clock_ms()
        if now_ms >= self._carries_ms:
            self._carries_ms = now_ms + _CARRY_MS
            carried = self._intake.carry(now_ms)
            if carried:
                print(
                    f"{self._league}: {several(carried, 'bot goes', 'bots go')} on from an earlier league", flush=True
                )

    def _order(self, submission: Submission) -> tuple[int, int, int]:
        """The order of submissions: those that kill workers are last; else authors take turns, so none waits long."""
        return self._lost.get(submission.number, 0), self._done[submission.author], submission.received_ms

    def _lead(self, submission: Submission) -> str:
        """Continue a submission to its end. Returns its state, in words for the organizer."""
        try:
            while submission.state in UNDER_WAY:
                self._tell(WorkBegan(self._league, submission.number, submission.state))
                submission = self._intake.advance(submission, self._clock_ms, self._writing(submission))
        except NotNow as gone:
            return str(gone)
        except (OurFailure, CannotConfine) as failure:
            self._rests[submission.number] = self._clock_ms() + _REST_MS
            return f"{failure}; it is tried again in {_REST_MS // 1000} s"
        return f"{submission.entry} of {submission.author} is {submission.state}"

    def _writing(self, submission: Submission) -> Callable[[str], None]:
        """A function that passes on the log of a state, up to the length that the server stores."""
        left = MOST_TEXT

        def write(text: str) -> None:
            nonlocal left
            text = text[:left]
            left -= len(text)
            for start in range(0, len(text), LONGEST_PIECE):
                self._tell(WorkWrote(self._league, submission.number, text[start : start + LONGEST_PIECE]))

        return write


def work(orders: WorkerOrders, tell: Callable[[News], None], goes_on: Callable[[float], bool]) -> None:
    """Work for all leagues in turn. `goes_on` waits so many seconds for a signal, and returns whether to continue."""
    with ExitStack() as stack:
        workers = [(job, stack.enter_context(_open_worker(job, orders, tell))) for job in orders.jobs]
        names = {job.url: job.league.name for job in orders.jobs}
        stores = {url: stack.enter_context(Store(url, name)) for url, name in names.items()}
        worked = [True]
        while goes_on(0.0 if any(worked) else _LOOK_S):
            for _, each in workers:
                each.carry()
            # One question a store, however many leagues it has.
            waiting = {url: store.scrimmages.waiting_leagues() for url, store in stores.items()}
            worked = [each.work() for job, each in workers if job.league.name in waiting[job.url]]


@contextmanager
def _open_worker(job: ServedLeague, orders: WorkerOrders, tell: Callable[[News], None]) -> Iterator[SubmissionWorker]:
    machine, league = LocalEnvironment(), job.league
    lost = {each.number: each.times for each in orders.lost if each.league == league.name}
    with (
        open_submissions(league, job.url, machine) as pipeline,
        CoreLease(lock_path(job.url, league.name)) as turn,
        Store(job.url, league.name) as store,
        TreeCache(trees_folder(job.url), store.trees) as cache,
    ):
        ring = ScrimmageEnvironment(league, store, BotFolders(store, cache), machine)
        yield SubmissionWorker(league.name, pipeline, tell, machine.now_ms, lost, turn, ring)


def main() -> None:
    """Execute the orders in the first line of the input."""
    out = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # all other output is for the organizer

    def tell(news: News) -> None:
        out.write(msgspec.json.encode(news) + b"\n")

    work(background_process.orders(), tell, background_process.waited)


if __name__ == "__main__":
    background_process.work(main)
