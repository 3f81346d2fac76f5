"""Bugs for the simulation to find: for every invariant one that breaks it, as a change of the program while it runs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, NamedTuple
from unittest.mock import patch

import msgspec

from tests.nights.executor import VirtualExecutor
from tests.nights.invariants import (
    CLOSED,
    DIGEST,
    DOUBLED,
    ENDS,
    GOES_ON,
    INNOCENT,
    LOST,
    PLAYED,
    TIDY,
    WHOLE,
)
from tournaments.league.closed_deals import ClosedDeals
from tournaments.league.model import Fixture
from tournaments.play import run
from tournaments.play.retry.failed_starts import FailedStarts
from tournaments.play.workers.worker_messages import MatchVoided
from tournaments.schedule import league_state, suspension
from tournaments.schedule.league_state import LeagueVerdict
from tournaments.store import StoreError, run_lock, store
from tournaments.store.file_lock import FileLock
from tournaments.store.rows import seat_rows


class Planted(NamedTuple):
    """A bug.

    Attributes:
        invariant: the one that it breaks.
        what: what the program does wrong, in words.
        plant: a context in which the program has the bug.
        kind: the format of the leagues that show it; None: any.
        seed: a night in which it shows.
    """

    invariant: str
    what: str
    plant: Callable[[], AbstractContextManager[object]]
    kind: str | None
    seed: int


@contextmanager
def _judges_in_order_of_arrival() -> Iterator[None]:
    def arrival(matches: Mapping[str, Sequence[int]], suspects: frozenset[str]) -> Iterator[tuple[int, list[str]]]:
        return ((at, [entry]) for entry in sorted(suspects) for at in matches[entry])

    with patch.object(suspension, "_in_plan_order", arrival):
        yield


@contextmanager
def _decides_on_unplayed_matches() -> Iterator[None]:
    """What the program did before: a match that cannot be started is void, and what is abandoned is settled."""
    usual = VirtualExecutor._cannot_start

    def cannot_start(self: VirtualExecutor, fixture: Fixture) -> MatchVoided:
        return msgspec.structs.replace(usual(self, fixture), cannot_start=False)

    with (
        patch.object(VirtualExecutor, "_cannot_start", cannot_start),
        patch.object(league_state, "undecided", lambda *_: ()),
    ):
        yield


@contextmanager
def _blames_the_next_seat() -> Iterator[None]:
    usual = seat_rows

    def blamed(*words: Any) -> list[dict[str, Any]]:
        rows = usual(*words)
        faults = [row["fault"] for row in rows]
        return [row | {"fault": fault} for row, fault in zip(rows, faults[-1:] + faults[:-1], strict=True)]

    with patch.object(store, "seat_rows", blamed):
        yield


@contextmanager
def _tells_what_was_not_stored() -> Iterator[None]:
    usual = store.Store.save

    def save(*words: Any, **how: Any) -> int:
        try:
            return usual(*words, **how)
        except StoreError:
            return 0

    with patch.object(store.Store, "save", save):
        yield


@contextmanager
def _forgets_a_result() -> Iterator[None]:
    usual = run.Run._offenders

    def offenders(self: run.Run) -> Iterator[Any]:
        found = list(usual(self))
        return iter(found[1:])

    with patch.object(run.Run, "_offenders", offenders):
        yield


@contextmanager
def _never_gives_up() -> Iterator[None]:
    with patch.object(FailedStarts, "hopeless", False):
        yield


@contextmanager
def _refuses_after_a_kill() -> Iterator[None]:
    usual = run_lock._holder_in

    def holder_in(file: FileLock) -> run_lock.Holder | None:
        holder = usual(file)
        if holder is not None:
            raise run_lock.LockHeld("another runner plays this league")
        return None

    with patch.object(run_lock, "_holder_in", holder_in):
        yield


@contextmanager
def _does_not_wait_for_the_last_match() -> Iterator[None]:
    usual = league_state.judge

    def judge(*words: Any, **how: Any) -> LeagueVerdict:
        verdict = usual(*words, **how)
        return msgspec.structs.replace(verdict, remaining=max(0, verdict.remaining - 1))

    with patch.object(league_state, "judge", judge):
        yield


@contextmanager
def _plays_closed_deals() -> Iterator[None]:
    def has(self: ClosedDeals, deal: int) -> bool:  # noqa: ARG001
        return False

    with patch.object(ClosedDeals, "has", has):
        yield


@contextmanager
def _leaves_its_folder() -> Iterator[None]:
    with patch.object(run, "end_run", lambda _folder: 0):
        yield


PLANTED = (
    Planted(DIGEST, "it suspends bots in the order in which results arrive", _judges_in_order_of_arrival, None, 2),
    Planted(PLAYED, "it decides waves on unplayed matches", _decides_on_unplayed_matches, "knockout", 22),
    Planted(INNOCENT, "it blames the bot in the next seat", _blames_the_next_seat, None, 2),
    Planted(LOST, "it tells results that were not stored", _tells_what_was_not_stored, None, 2),
    Planted(DOUBLED, "it forgets a result at the start", _forgets_a_result, None, 0),
    Planted(ENDS, "it never gives up on a machine that starts nothing", _never_gives_up, None, 4),
    Planted(GOES_ON, "it refuses to go on after a kill", _refuses_after_a_kill, None, 0),
    Planted(WHOLE, "it does not wait for the last match of a wave", _does_not_wait_for_the_last_match, None, 0),
    Planted(CLOSED, "it plays deals that are closed", _plays_closed_deals, "open", 3),
    Planted(TIDY, "it leaves the folder of the run", _leaves_its_folder, None, 0),
)
