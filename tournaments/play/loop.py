"""Playing a league: an executor plays the remaining matches, and every result is stored, until nothing remains.

The store grows only by whole matches, a few at a time: storing many at once costs a fraction of storing each alone. So
a run may end at any point, and the next run goes on from there. It plays again what was not stored yet.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from tournaments.league.model import Entry, FinishedMatch, Fixture
from tournaments.league.status import Fleet
from tournaments.play.environment import Environment, wait_out
from tournaments.play.match_results import BrokenBatch, Result
from tournaments.play.retry_policy import RetryPolicy, stored_voids
from tournaments.play.workers.sitting_supply import MatchSource, SittingSupply
from tournaments.play.workers.worker_messages import PAUSE_S, Executor
from tournaments.results.live_seats import LOOK_MS, SeatWatch
from tournaments.schedule.league_state import LeagueState
from tournaments.store import Store

MOST = 128
"""A group is never larger."""

OLDEST_MS = round(PAUSE_S * 1_000)
"""No result waits much longer for the others of its group."""


def in_groups(results: Iterable[Result | None], now_ms: Callable[[], int]) -> Iterator[list[Result]]:
    """The results in the order of their arrival, in groups. A group ends with None, by its size, or by its age.

    It also ends with a match that was not finished, for that may decide which match is given out next. If `results`
    ends with an error, the results before it are given out before it is raised.

    `now_ms` may jump; a group then ends early.
    """
    group: list[Result] = []
    since_ms = 0
    try:
        for result in results:
            if result is not None:
                since_ms = since_ms if group else now_ms()
                group.append(result)
            is_over = (
                not isinstance(result, FinishedMatch) or len(group) == MOST or not 0 <= now_ms() - since_ms < OLDEST_MS
            )
            if group and is_over:
                yield group
                group = []
    except GeneratorExit:
        raise
    except BaseException:  # also one that stops the run: what was played must not be played again
        if group:
            yield group
        raise
    if group:
        yield group


def never() -> bool:
    """Whether a run that plays everything has played enough: it never has."""
    return False


def play(
    source: Callable[[], MatchSource],
    store: Store,
    state: LeagueState,
    executor: Executor,
    machine: Environment,
    should_stop: Callable[[], bool],
    watch: SeatWatch | None,
) -> Iterator[Result]:
    """Play until nothing remains, or until it is enough. Each result is yielded once it is stored.

    `RetryPolicy` says what follows from each result. `LeagueState` decides when a match is abandoned. `wait_out` waits
    while the server of the store is away.

    Args:
        source: gives what remains of the league. It is asked again when a wave or a wait is over.
        store: keeps every result.
        state: the state of the league, in step with the store. It gets every result.
        executor: plays the matches.
        machine: gives the time for each result, waits for remote bots and for the store, and rests.
        should_stop: asked before each match. Once it says so, no match begins, and those that have begun are finished.
        watch: says which bots have called the service of the league; None: no bot calls it.

    Raises:
        StoreError: a result could not be written; all results before it are safe.
        LockLost: another runner has taken over the league while the server of the store was away.
        BotsUnreachable: every remaining match needs a remote bot that could not be reached for a long time.
        MachineBusy: the machine was too busy for every match that was tried for a long time.
        WorkersFail: worker after worker is lost, with any bots.
        MachineCannotStart: this machine can start nothing; nothing was stored of these attempts.
    """
    policy = RetryPolicy(executor.workers, store.voids(), store.broken_batches())

    def is_wanted(fixture: Fixture) -> bool:
        return not should_stop() and state.is_wanted(fixture)

    while not should_stop() and state.goes_on():
        matches = source()
        results = executor.play(SittingSupply(matches, policy, is_wanted, machine.now_ms))
        for group in in_groups(_results(results, policy, matches.entries, store, machine), machine.now_ms):
            _store(store, state, group, machine)
            for result in group:
                policy.note(result, machine.now_ms())
                yield result
            _pause(policy, machine, watch)
        policy.end_pass(machine.now_ms(), matches.entries)
        for entry in policy.left_out:
            machine.tell(f"{entry} was away for too long: it is withdrawn, and the league goes on without it")
            matches.withdraw(entry)
            state.take_up_decisions()
        if not should_stop():
            _pause(policy, machine, watch)


def _results(
    results: Iterable[Result | BrokenBatch | Fleet | None],
    policy: RetryPolicy,
    entries: Mapping[str, Entry],
    store: Store,
    machine: Environment,
) -> Iterator[Result | None]:
    """The results alone, each judged. Batches that broke are noted, and how the nodes are."""
    for result in results:
        if isinstance(result, BrokenBatch):
            broken = result.entries, result.culprit, result.reason, machine.now_ms()
            wait_out(machine, partial(store.note_broken_batch, *broken))
            policy.note(result, machine.now_ms())
        elif isinstance(result, Fleet):
            wait_out(machine, partial(store.note_fleet, result))
        else:
            yield None if result is None else policy.judge(result, entries)


def _pause(policy: RetryPolicy, machine: Environment, watch: SeatWatch | None) -> None:
    """Wait before the executor gives out the next match, or end the run. Bots that come end the wait."""
    if policy.failure is not None:
        raise policy.failure
    left_ms = policy.pause_ms
    if watch is not None:
        while not (came := watch.came()) and left_ms > 0:
            machine.wait_ms(min(left_ms, LOOK_MS))
            left_ms -= LOOK_MS
        policy.come(came, machine.now_ms())
    elif left_ms:
        machine.wait_ms(left_ms)


def _store(store: Store, state: LeagueState, group: Sequence[Result], machine: Environment) -> None:
    """Store a group of results, all or nothing; then the state of the league learns of them."""
    now_ms = machine.now_ms()
    matches = [result for result in group if isinstance(result, FinishedMatch)]
    voids = [void for result in group for void in stored_voids(result, now_ms)]
    if matches or voids:
        wait_out(machine, partial(store.save, matches, now_ms, voids))
    for void in voids:
        state.void(void)
    for match in matches:
        state.settle(match.fixture, match.offenders)
