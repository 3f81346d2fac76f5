"""Workers on this machine: processes with a core each.

While its matches are short, a worker has the next ones of its sitting waiting, so that it never waits for the runner.
If a worker is lost, or says nothing for too long, another takes its place. The match it was playing is void; those that
waited are given out again.

Matches with remote bots may have workers of their own, which share the cores of the others. Such a match mostly waits.
So many can be under way, and none of them keeps the others from being played.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from multiprocessing.connection import wait
from pathlib import Path
from types import TracebackType
from typing import Self

from referee.core.errors import UserError
from referee.runtime.child_process import defer_signals
from referee.runtime.shortages import describe_shortage
from tournaments.league.model import Sitting
from tournaments.league.status import Fleet
from tournaments.play.cores import Claim
from tournaments.play.heartbeat import WORKER_SILENCE_S, HeartbeatMonitor, beat_s
from tournaments.play.match_results import BrokenBatch, MatchPostponed, MatchVoided, Result
from tournaments.play.retry_policy import WorkersFail
from tournaments.play.workers.sitting_supply import SittingSupply
from tournaments.play.workers.worker_messages import (
    NO_WORKER,
    PAUSE_S,
    Alive,
    AtOnce,
    Crowding,
    Executor,
    ProcessesEnded,
    Work,
)
from tournaments.play.workers.worker_slot import WorkerSlot

_STILLBORN = 3
"""If this many workers in a row are lost before they could play, it is no accident."""


class LocalExecutor:
    """Plays sittings in processes on this machine. End it with `close`, or by leaving its context."""

    def __init__(
        self, work: Work, claims: Sequence[Claim], run_dir: Path, silence_s: float = WORKER_SILENCE_S, remote: int = 0
    ) -> None:
        """Prepare to play; no process starts before there is something to play.

        Args:
            work: the settings that all matches share.
            claims: the cores of the workers, one for each. `close` releases them.
            run_dir: all files that workers leave behind are below it.
            silence_s: a worker that should play and is silent this long is replaced.
            remote: how many more workers may be started, for matches with remote bots. If there are none, the others
                play these matches, too.
        """
        self._work = work
        self._claims = claims
        self._run_dir = run_dir
        self._remote = remote
        self._slots: list[WorkerSlot] = []  # those on the claims, then those for matches with remote bots
        self._stillborn = 0
        self._silence_s = silence_s
        self._watch = HeartbeatMonitor(silence_s)

    @property
    def workers(self) -> int:
        """How many matches can be played at once."""
        return len(self._claims) + self._remote

    @property
    def crowding(self) -> Crowding | None:
        """How many workers share their core with others, of this run or of another; None if none does."""
        alone = sum(claim.alone for claim in self._claims)
        return None if alone == len(self._claims) else Crowding(len(self._claims), alone)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close(at_once=error is not None)

    def renew(self, work: Work) -> None:
        """Play with other settings from now on, in new processes. Nothing may be played meanwhile."""
        self._end(at_once=False)
        self._work = work

    def play(self, supply: SittingSupply) -> Iterator[Result | BrokenBatch | None]:
        """Yield every result as soon as it is there, as `Executor.play` says.

        Raises:
            WorkersFail: no worker starts.
            WorkerBug: a worker met a bug.
            GameBug: the game raised an exception in a match.
        """
        for claim in self._claims[len(self._slots) :]:  # those without a worker
            self._add_slot(claim.core)
        local = supply.only(self._is_for_claims, near=len(self._claims))
        remote = supply.only(lambda sitting: not self._is_for_claims(sitting))
        self._feed(local, remote)
        lately = False  # whether there was a result since the last None
        while busy := {slot.connection: slot for slot in self._slots if slot.busy}:
            ready = wait(list(busy), PAUSE_S if lately else beat_s(self._silence_s))
            if not ready and lately:
                lately = False
                yield None
            silent = self._silent(slot for connection, slot in busy.items() if connection not in ready)
            for slot in chain((busy[connection] for connection in busy if connection in ready), silent):
                has_more = True
                while has_more:
                    # Each is looked at when the result before it was taken.
                    result = self._give_up(slot) if slot in silent else self._collect(slot, remote)
                    if result is not None:
                        lately = True
                        yield result
                    has_more = slot not in silent and slot.busy and slot.has_said_more
                # Feed all workers, not just this one: another may wait for a remote bot that has just been let go.
                self._feed(local, remote, slot)

    def close(self, at_once: bool = False) -> None:
        """End all workers and bots: after the matches they are playing, or `at_once`, which loses these matches."""
        self._end(at_once)
        for claim in self._claims:
            claim.release()

    def _end(self, at_once: bool) -> None:
        for slot in self._slots:
            slot.dismiss(at_once)
        for slot in self._slots:
            slot.kill_now()
        self._slots.clear()

    def _add_slot(self, core: int) -> WorkerSlot:
        with _telling_of_shortages(), defer_signals():  # until the worker is where `close` finds it
            self._slots.append(WorkerSlot(self._work, self._run_dir, core, self._silence_s))
        return self._slots[-1]

    def _is_for_claims(self, sitting: Sitting) -> bool:
        """Whether the workers on the claims play a sitting."""
        return not (self._remote and self._work.calls_remote(sitting.fixtures[0].entries))

    def _feed(self, local: SittingSupply, remote: SittingSupply, sender: WorkerSlot | None = None) -> None:
        """Give idle workers their next match: from the sitting they began, or else the first one that may begin.

        Those that have begun a sitting come first. `sender` is the worker that has just said something. If it plays
        without remote bots, nothing has changed for the others, and looking through their supply may take long.
        """
        on_claims, others = self._slots[: len(self._claims)], self._slots[len(self._claims) :]
        for slot in _begun_first(on_claims):
            self._feed_slot(slot, local)
        if self._remote and not (sender in on_claims and any(slot.busy for slot in others)):
            for slot in _begun_first(others):
                self._feed_slot(slot, remote)
            self._add_slots(remote)

    def _add_slots(self, remote: SittingSupply) -> None:
        """Start further workers that play with remote bots, one for each sitting that may begin."""
        while (
            all(slot.busy for slot in self._slots[len(self._claims) :])
            and len(self._slots) < self.workers
            and self._playing() < remote.at_once
            and (sitting := remote.next(self._busy_seats())) is not None
        ):
            slot = self._add_slot(self._claims[len(self._slots) % len(self._claims)].core)
            slot.begin(sitting, remote.singly(sitting))
            self._feed_slot(slot, remote)

    def _feed_slot(self, slot: WorkerSlot, supply: SittingSupply) -> None:
        """Give a worker its next match if it is idle.

        A worker that must rest puts its sitting back. A worker that gets no match lets its bots go, since other workers
        may wait for them.
        """
        if not slot.busy and slot.sitting and supply.must_wait(slot.entries):
            supply.put_back(slot.rest())
        while not slot.busy and self._playing() < supply.at_once:
            if not slot.sitting:
                sitting = supply.next(self._busy_seats(but=slot), slot.can_continue)
                if sitting is None:
                    break
                slot.begin(sitting, supply.singly(sitting))
            slot.feed(supply)
        while slot.may_have_more and supply.at_once >= self.workers:
            slot.feed(supply)
        if not slot.busy and slot.sitting:
            supply.put_back(slot.rest())
        if not slot.busy and slot.entries and supply:
            slot.clear()

    def _playing(self) -> int:
        """How many matches are being played."""
        return sum(slot.playing for slot in self._slots)

    def _busy_seats(self, but: WorkerSlot | None = None) -> Counter[str]:
        """How many seats each entry has at the workers."""
        return Counter(entry for slot in self._slots if slot is not but for entry in slot.entries)

    def _collect(self, slot: WorkerSlot, remote: SittingSupply) -> Result | BrokenBatch | None:
        try:
            message = slot.take()
        except (EOFError, OSError):  # OSError: it was lost or stopped in the middle of a message
            return self._replace(slot, "a worker process was lost")
        if isinstance(message, UserError):
            raise message
        self._stillborn = 0
        if self._remote and isinstance(message, MatchPostponed) and self._work.entries[message.entry].remote:
            remote.put_back(slot.rest(message.fixture))
        return None if isinstance(message, Alive | AtOnce | ProcessesEnded) else message

    def _silent(self, unheard: Iterable[WorkerSlot]) -> list[WorkerSlot]:
        """The busy workers that have sent nothing for too long."""
        passed_s = self._watch.passed_s()
        return [slot for slot in unheard if slot.is_silent(passed_s)]

    def _give_up(self, slot: WorkerSlot) -> MatchVoided | BrokenBatch | None:
        slot.kill()
        return self._replace(slot, f"a worker process was silent for {self._silence_s:.0f} s")

    def _replace(self, slot: WorkerSlot, reason: str) -> MatchVoided | BrokenBatch | None:
        self._stillborn = 0 if slot.has_come_up else self._stillborn + 1
        if self._stillborn >= _STILLBORN:
            raise WorkersFail(
                f"{_STILLBORN} workers in a row were lost before they could play; see what they printed above"
            ) from None
        with _telling_of_shortages():
            return slot.replace(reason)


def _begun_first(slots: Iterable[WorkerSlot]) -> list[WorkerSlot]:
    """First those that have begun a sitting."""
    return sorted(slots, key=lambda slot: not slot.sitting)


@contextmanager
def _telling_of_shortages() -> Iterator[None]:
    """Say what this machine lacks if it cannot start a worker.

    Raises:
        WorkersFail: it cannot.
    """
    try:
        yield
    except OSError as error:
        raise WorkersFail(f"{NO_WORKER} {describe_shortage(error)}") from error


class RoutingExecutor:
    """An `Executor` of nodes, beside one for the matches of bots that call the service: only this machine reaches it.

    In each pass the nodes play first.
    """

    def __init__(self, nodes: Executor, here: Executor, callers: Collection[str]) -> None:
        """Have the matches of `callers` played here, and all others by `nodes`."""
        self._nodes, self._here, self._callers = nodes, here, frozenset(callers)

    @property
    def workers(self) -> int:
        """How many matches are played at once, at most."""
        return self._nodes.workers + self._here.workers

    @property
    def crowding(self) -> Crowding | None:
        """How it is with the workers of this machine."""
        return self._here.crowding

    def renew(self, work: Work) -> None:
        """Play with other settings from now on."""
        self._nodes.renew(work)
        self._here.renew(work)

    def play(self, supply: SittingSupply) -> Iterator[Result | BrokenBatch | Fleet | None]:
        """Yield every result, as `Executor.play` says."""
        yield from self._nodes.play(supply.only(lambda sitting: not self._is_for_here(sitting)))
        yield from self._here.play(supply.only(self._is_for_here))

    def _is_for_here(self, sitting: Sitting) -> bool:
        return not self._callers.isdisjoint(sitting.fixtures[0].entries)
