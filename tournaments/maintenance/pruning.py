"""Pruning: deletes data of old matches that only people read, and keeps all data that the results are made of."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from tournaments.league.model import League
from tournaments.play.bot_logs import old_files
from tournaments.play.run import lock_league
from tournaments.results.stored_league import open_results
from tournaments.store import PrunedRow, Store, lock_path, logs_folder


class PruneResult(msgspec.Struct, frozen=True):
    """The effect of pruning.

    Attributes:
        matches: how many matches lose the data that only people read.
        saved_bytes: how much smaller their rows are for it.
        logs: how many files of bots' logs are removed.
        log_bytes: how long these are.
    """

    matches: int
    saved_bytes: int
    logs: int
    log_bytes: int


def prunable(league: League, url: str, before_ms: int) -> PruneResult:
    """The effect that `prune` would have. This writes nothing, and the league may be played meanwhile.

    Raises:
        NeverRun: the store has no results of the league.
        StoreError, WrongAddress: the store fails.
    """
    with open_results(league, url), Store(url, league.name) as store:
        return _sum(
            (smaller for page in store.pruning.pages(before_ms) for smaller in page),
            old_files(logs_folder(url, league.name), before_ms),
        )


def prune(league: League, url: str, before_ms: int) -> PruneResult:
    """Prune the matches stored before a time, a few in each transaction, remove old logs, and make the file smaller.

    No run may play the league meanwhile: to make the file smaller, all of it is written anew, and a run would wait.
    After an interruption or a full disk, the next call goes on.

    `before_ms` is in milliseconds since 1970 (UTC).

    Raises:
        NeverRun: the store has no results of the league.
        LockHeld: somebody plays the league.
        StoreError, LockFailed, WrongAddress: the store or the lock's file fails.
    """
    with open_results(league, url), lock_league(lock_path(url, league.name)), Store(url, league.name) as store:
        store.lock()
        logs = old_files(logs_folder(url, league.name), before_ms)
        done = _sum((smaller for page in store.pruning.pages(before_ms) for smaller in _written(store, page)), logs)
        for log in logs:
            log.unlink()
        store.pruning.shrink()
    return done


def _written(store: Store, page: list[PrunedRow]) -> list[PrunedRow]:
    store.pruning.write(page)
    return page


def _sum(pruned_rows: Iterable[PrunedRow], logs: Mapping[Path, int]) -> PruneResult:
    saved = [smaller.saved for smaller in pruned_rows]
    return PruneResult(len(saved), sum(saved), len(logs), sum(logs.values()))
