"""Playing a league: an executor plays the remaining matches, and every result is stored, until nothing remains.

The store grows only by whole matches, a few at a time: storing many at once costs a fraction of storing each alone. So
a run may end at any point, and the next run goes on from there. It plays again what was not stored yet.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from referee.core.errors import OurFailure
from referee.match.transcript import Header
from tournaments.league.model import FinishedMatch, Fixture, Sitting, StoredVoid
from tournaments.league.status import Fleet
from tournaments.play.environment import Environment
from tournaments.play.match_results import BrokenBatch, MatchPostponed, MatchVoided, Result
from tournaments.play.retry_policy import (
    FAILED_STARTS_ALLOWED,
    IN_VAIN_MS,
    PATIENCE_MS,
    BatchFailures,
    FailedStarts,
    Throttle,
    UnreachableBots,
    WorkerCrashes,
)
from tournaments.play.store_outage import wait_out
from tournaments.play.workers.worker_messages import PAUSE_S, Executor, WorkersFail
from tournaments.schedule.league_state import LeagueState
from tournaments.store import Store

MOST = 32
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


class BotsUnreachable(OurFailure):
    """Every remaining match needs a remote bot that could not be reached for a long time."""


class MachineBusy(OurFailure):
    """The machine was too busy for every match that was tried for a long time."""


class MachineCannotStart(OurFailure):
    """This machine could start no bot, and not even a program of ours, a few times in a row."""


def never() -> bool:
    """Whether a run that plays everything has played enough: it never has."""
    return False


class RunTerms(NamedTuple):
    """What a run plays, and how it judges a match.

    Attributes:
        sittings: gives what remains of the season in the order of play.
        header: gives the header of a match.
        judge: gives a void match in place of one that is forgiven.
    """

    sittings: Callable[[], Iterable[Sitting]]
    header: Callable[[Fixture], Header]
    judge: Callable[[FinishedMatch], FinishedMatch | MatchVoided]


def play(
    terms: RunTerms,
    store: Store,
    state: LeagueState,
    executor: Executor,
    machine: Environment,
    should_stop: Callable[[], bool] = never,
) -> Iterator[Result]:
    """Play until nothing remains, or until it is enough. Each result is yielded once it is stored.

    A void match is played again after all others of its wave. `LeagueState` decides when it is abandoned. A match whose
    remote bot cannot be reached is played later. `UnreachableBots` decides when the bot is called again.
    `WorkerCrashes` says which line-ups lose workers: these wait until all others of the wave have played. `Throttle`
    says how many matches are played at once, and when the run rests because the machine is busy. `FailedStarts` says
    when the run stops because the machine can start nothing. `wait_out` waits while the server of the store is away.

    Args:
        terms: what is played, and how a match is judged.
        store: keeps every result.
        state: the state of the league, in step with the store. It gets every result.
        executor: plays the matches.
        machine: gives the time for each result, waits for remote bots and for the store, and rests.
        should_stop: asked before each match. Once it says so, no match begins, and those that have begun are finished.

    Raises:
        StoreError: a result could not be written; all results before it are safe.
        LockLost: another runner has taken over the league while the server of the store was away.
        BotsUnreachable: every remaining match needs a remote bot that could not be reached for a long time.
        MachineBusy: the machine was too busy for every match that was tried for a long time.
        WorkersFail: worker after worker is lost, with any bots.
        MachineCannotStart: this machine can start nothing; nothing was stored of these attempts.
    """
    unreachable, crashes, throttle = UnreachableBots(), WorkerCrashes(), Throttle(executor.workers)
    starts = FailedStarts(executor.workers)
    batch_failures = BatchFailures(store.broken_batches())
    others_remain = True

    def is_wanted(fixture: Fixture) -> bool:
        return not should_stop() and state.is_wanted(fixture) and not waits(fixture)

    def waits(fixture: Fixture) -> bool:
        is_deprioritised = others_remain and crashes.is_deprioritised(fixture.entries)
        return is_deprioritised or unreachable.awaited(fixture.entries, machine.now_ms())

    while not should_stop() and state.goes_on():
        played = False
        results = executor.play(
            terms.sittings,
            terms.header,
            is_wanted,
            lambda: starts.at_once(throttle.at_once),
            batch_failures.singly,
            lambda entry: unreachable.awaited((entry,), machine.now_ms()),
        )
        for group in in_groups(_results(results, terms.judge, batch_failures, store, machine), machine.now_ms):
            _keep(store, state, group, machine)
            for result in group:
                played = played or not _waits_for_a_bot(result)
                _note(unreachable, crashes, throttle, starts, result, machine.now_ms())
                yield result
                _check_workers(crashes)
            if isinstance(group[-1], MatchVoided) and group[-1].busy:
                _rest(throttle, machine)
            if isinstance(group[-1], MatchVoided) and group[-1].cannot_start:
                _wait_for_starts(starts, machine)
        others_remain = played  # if nothing was played, all that remains has to wait, or waits for a remote bot
        if unreachable and not should_stop():
            _await(unreachable, machine)


def _results(
    results: Iterable[Result | BrokenBatch | Fleet | None],
    forgive: Callable[[FinishedMatch], FinishedMatch | MatchVoided],
    breaks: BatchFailures,
    store: Store,
    machine: Environment,
) -> Iterator[Result | None]:
    """The results alone, each judged. Batches that broke are noted, and how the nodes are."""
    for result in results:
        if isinstance(result, BrokenBatch):
            broken = result.entries, result.culprit, result.reason, machine.now_ms()
            wait_out(machine, partial(store.note_broken_batch, *broken))
            breaks.note(result.culprit)
        elif isinstance(result, Fleet):
            wait_out(machine, partial(store.note_fleet, result))
        else:
            yield forgive(result) if isinstance(result, FinishedMatch) else result


def _waits_for_a_bot(result: Result) -> bool:
    """Whether the match did not count because a bot could not be reached, or was unavailable and forgiven."""
    return isinstance(result, MatchPostponed) or (isinstance(result, MatchVoided) and bool(result.forgiven))


def _await(absences: UnreachableBots, machine: Environment) -> None:
    given_up = absences.given_up(machine.now_ms())
    if given_up:
        who = "; ".join(f"{entry} ({absence.reason})" for entry, absence in sorted(given_up.items()))
        raise BotsUnreachable(f"not reached for {PATIENCE_MS // 60_000} minutes: {who}; what was played is kept")
    machine.wait_ms(absences.wait_ms(machine.now_ms()))


def _rest(pace: Throttle, machine: Environment) -> None:
    """Wait, before the executor gives out the next match."""
    if pace.hopeless:
        raise MachineBusy(
            "the machine is too busy: one match was tried at a time, with rests of"
            f" {IN_VAIN_MS // 60_000} minutes in all, and each was void; what was played is kept."
            " End what else runs here, or begin a league with longer limits (move_ms, start_ms)"
        )
    if pace.rest_ms:
        machine.wait_ms(pace.rest_ms)


def _wait_for_starts(starts: FailedStarts, machine: Environment) -> None:
    if starts.hopeless:
        raise MachineCannotStart(
            f"{starts.reason}. It was tried {FAILED_STARTS_ALLOWED} times. No bot is to blame, and no match was used up"
        )
    machine.wait_ms(starts.rest_ms)


def _check_workers(losses: WorkerCrashes) -> None:
    if losses.nothing_works:
        raise WorkersFail(
            "worker after worker was lost, whichever bots played, and no match was finished in between;"
            " what was played is kept"
        )


def _note(
    absences: UnreachableBots,
    losses: WorkerCrashes,
    pace: Throttle,
    starts: FailedStarts,
    result: Result,
    now_ms: int,
) -> None:
    if isinstance(result, MatchPostponed):
        absences.miss(result.entry, result.reason, now_ms)
        return
    if isinstance(result, MatchVoided) and result.cannot_start:
        starts.fail(result.reason)
        pace.disturb()  # what cannot be started beside others may be started alone
        return
    if isinstance(result, MatchVoided) and result.forgiven:
        for entry in result.forgiven:
            absences.miss(entry, result.reason, now_ms)
        return
    absences.met(result.fixture.entries)
    if isinstance(result, FinishedMatch):
        losses.finish(result.fixture.entries)
        pace.finish()
        starts.finish()
    elif result.busy and not result.elsewhere:
        pace.disturb()
    elif result.lost_worker:
        losses.lose(result.fixture.entries)


def _keep(store: Store, state: LeagueState, group: Sequence[Result], machine: Environment) -> None:
    """Store a group of results, all or nothing; then the season learns of them."""
    now_ms = machine.now_ms()
    matches = [result for result in group if isinstance(result, FinishedMatch)]
    voids = [
        StoredVoid(result.fixture.id, result.reason, now_ms, result.busy, not (result.busy or bot), bot)
        for result in group
        if isinstance(result, MatchVoided) and not result.cannot_start
        for bot in sorted(result.forgiven) or [""]
    ]
    if matches or voids:
        wait_out(machine, partial(store.save, matches, now_ms, voids))
    for void in voids:
        state.void(void)
    for match in matches:
        state.settle(match.fixture, match.offenders)
