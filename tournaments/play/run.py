"""A league as a library: open it, play it, ask for its results, close it.

    file = Path("league.toml")
    league = league_in(file)
    with open_run(league, store_of(league, file), LocalEnvironment(workers=2)) as run:
        for result in run.play():
            ...

Nothing here uses a console.
"""

import os
import secrets
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from referee.match.transcript import Header
from referee.runtime.process_sessions import end_run
from tournaments.league import league_seed
from tournaments.league.deals import own_deals
from tournaments.league.model import Fixture, League, Sitting
from tournaments.league.roster import OrganizerDecisions
from tournaments.play import loop
from tournaments.play.cores import GiveWay
from tournaments.play.environment import Environment, wait_out
from tournaments.play.loop import never
from tournaments.play.match_results import Result
from tournaments.play.participants import Participants
from tournaments.play.workers.sitting_supply import MatchSource
from tournaments.play.workers.worker_messages import Crowding, Executor
from tournaments.results.live_seats import SeatWatch
from tournaments.results.organizer_actions import withdraw_bot
from tournaments.results.stored_league import ResultSource, StoredLeague, planned_format
from tournaments.schedule.formats import Format, IssuedWave, decider_of
from tournaments.schedule.formats.issued_waves import IssuingWaves, RosterSnapshot
from tournaments.schedule.formats.wave import ascending, sitting_of
from tournaments.schedule.play_order import drawn_order
from tournaments.store import Store, lock_path, service_lock, trees_folder
from tournaments.store.run_lock import FileLock, RunLock
from tournaments.submissions.bot_folders import BotFolders
from tournaments.submissions.tree_cache import TreeCache

_MARK = ".run"  # has the name of the folder that a run has made; locked as long as the run lives


class Run:
    """A league that is open for playing. No other runner plays it meanwhile.

    Attributes:
        results: the league with its results, which grow as it is played.
        participants: its bots.
    """

    def __init__(
        self,
        participants: Participants,
        format_: Format | None,
        store: Store,
        executor: Executor,
        machine: Environment,
        yield_cores: GiveWay,
    ) -> None:
        """Take up a league whose bots have been called and pinned.

        `format_` gives the matches; None: the format that the league names. `yield_cores` is called between two waves.
        """
        league, pinned = participants.league, participants.pinned
        # A comparison gives its own format and needs its deals in their order; its bots belong to one person.
        self._draws_order = format_ is None
        decider = decider_of(league, pinned.seed_bytes)
        if format_ is None and decider is not None:
            format_ = IssuingWaves(
                league.game, store.issues(), decider, self._roll, self._issue, self._end, self._is_over
            )
        format_ = format_ or planned_format(league, pinned, store)
        source = ResultSource(
            results=partial(wait_out, machine, store.results),
            offenders=store.offenders,  # one by one: a run does not hold all of a long league
            decisions=partial(wait_out, machine, store.decisions),
            is_live=True,
        )
        self.results = StoredLeague(participants.file, league, format_, pinned, store, source)
        self.participants = participants
        self._store = store
        self._executor = executor
        self._machine = machine
        self._give_way = yield_cores

    @property
    def crowding(self) -> Crowding | None:
        """How many workers share their core with others; None if none does, or if nothing remains to be played."""
        return self._executor.crowding if self.results.state.goes_on() else None

    def play(self, should_stop: Callable[[], bool] = never) -> Iterator[Result]:
        """Play until nothing remains, or until it is `should_stop`, which is asked before each match.

        Each result is yielded once it is stored.

        Raises:
            StoreError: a result could not be written; all results before it are safe.
            LockLost: another runner has taken over the league while the server of the store was away.
            WorkersFail: no worker stays alive.
            BotsUnreachable: every remaining match needs a remote bot that could not be reached for a long time.
            MachineBusy: the machine was too busy for every match that was tried for a long time.
        """
        league = self.results.league
        watch = SeatWatch(service_lock(self._store.url, league.name)) if league.callers else None
        parts = self._source, self._store, self.results.state, self._executor, self._machine
        yield from loop.play(*parts, should_stop, watch)

    def _withdraw(self, entry: str) -> None:
        withdraw_bot(self.results, entry, self._machine.now_ms())

    def _source(self) -> MatchSource:
        entries = {entry.name: entry for entry in self.results.league.entries}
        return MatchSource(self._sittings, self._header, entries, self._withdraw)

    def _header(self, fixture: Fixture) -> Header:
        return league_seed.header(self.results.league, self.results.pinned.seed_bytes, fixture)

    def _sittings(self) -> Iterator[Sitting]:
        league, seed = self.results.league, self.results.pinned.seed_bytes
        order = drawn_order(seed, own_deals(league)) if self._draws_order else ascending
        parallel = {entry.name: entry.remote.parallel for entry in league.entries if entry.remote}
        for sitting in self.results.state.sittings(league.play_rules.batch, order):
            remote = (parallel[entry] for entry in sitting.fixtures[0].entries if entry in parallel)
            # Remote bots that may hold many seats play the matches of a sitting at once.
            if league.fresh or min(remote, default=1) > 1:
                yield from map(sitting_of, sitting.fixtures)
            else:
                yield sitting

    def _issue(self, number: int, issue: IssuedWave, decisions: OrganizerDecisions) -> bool:
        # The waves before it have ended, so their deals are closed in the same transaction.
        now_ms = self._machine.now_ms()
        return wait_out(self._machine, partial(self._store.issue, number, issue, decisions, now_ms, issue.first_deal))

    def _end(self, deals: int, decisions: OrganizerDecisions) -> None:
        """Close the deals of the last wave when it has ended, and no other one follows now."""
        if wait_out(self._machine, self._store.closing).below < deals:
            wait_out(self._machine, partial(self._store.close_deals, deals, decisions))

    def _is_over(self) -> bool:
        ends_ms = self.results.league.ends_ms
        return ends_ms is not None and self._machine.now_ms() >= ends_ms

    def _roll(self) -> RosterSnapshot:
        """The present roster. Bots that were entered since are called first; a service may enter more before."""
        self._give_way()
        changes = wait_out(self._machine, self.participants.refresh)
        results, participants = self.results, self.participants
        if participants.league != results.league:
            results.league, results.pinned = participants.league, participants.pinned
            self._executor.renew(participants.work)
        return RosterSnapshot(tuple(entry.name for entry in results.league.entries), changes, results.league.authors)


@contextmanager
def open_run(
    league: League, url: str, machine: Environment, format_: Format | None = None, *, accept_builds: bool = False
) -> Iterator[Run]:
    """Be the league's only runner. All processes of the run end with the context; after an error they end at once.

    `format_` gives the matches; None: the format that the league names. With `accept_builds`, the bots' build output
    may have changed since the last run.

    Raises:
        LockHeld: another runner plays the league.
        LeagueClosed: the league is closed.
        FileProblems: a bot cannot be played with, or a file of it cannot be read.
        TooFewBots: bots may be submitted, and so far there are too few.
        LeagueChanged: the league is not the one that its first run pinned.
        CacheError: a bot that is kept in the store cannot be had.
        StoreError, LockFailed, WrongAddress: the lock's file or the store fails.
    """
    with (
        lock_league(lock_path(url, league.name)) as run_dir,
        Store(url, league.name) as store,
        TreeCache(trees_folder(url), store.trees) as cache,
    ):
        store.lock()
        store.closing().require_open(league.name)
        store.forget_fleet()
        participants = Participants(league, store, BotFolders(store, cache), machine, accept_builds=accept_builds)
        with (
            machine.turn(lock_path(url, league.name)) as yield_cores,
            machine.executor(participants.work, run_dir) as executor,
        ):
            yield Run(participants, format_, store, executor, machine, yield_cores)


@contextmanager
def lock_league(lock_file: Path) -> Iterator[Path]:
    """Be the league's only runner, with a folder for the sockets of the run.

    Processes that a killed run left behind are ended first. All processes started in the folder end with the context.

    Raises:
        LockHeld: another runner plays the league.
        LockFailed: the lock's file cannot be used.
    """
    run_dir = Path(tempfile.gettempdir(), f"referee-{secrets.token_hex(4)}")
    with RunLock.acquire(lock_file, run_dir, _end_killed):
        try:  # while the lock names the folder, for the next run if this one is killed here
            run_dir.mkdir(mode=0o700)
            with FileLock(run_dir / _MARK) as mark:
                mark.take()
                mark.write(os.fsencode(run_dir.name))
                yield run_dir
        finally:
            end_run(run_dir)


def _end_killed(run_dir: Path) -> None:
    """End what a killed run left. A folder that no run of this user made stays, and so does that of a living run."""
    mark = run_dir / _MARK
    with suppress(OSError, ValueError):  # the latter if no file can have such a name
        owners = {mark.lstat().st_uid, run_dir.lstat().st_uid}
        if run_dir.parent == Path(tempfile.gettempdir()) and not run_dir.is_symlink() and owners == {os.geteuid()}:
            with FileLock(mark) as lock:
                if lock.take() and lock.read() == os.fsencode(run_dir.name):
                    end_run(run_dir)
