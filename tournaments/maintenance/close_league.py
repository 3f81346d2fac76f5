"""Closes a league: its deals are played no more, so all of it may be public, the seed included."""

import msgspec

from referee.core.errors import WrongUse
from referee.core.text import several
from tournaments.league.model import League
from tournaments.play.run import lock_league
from tournaments.results.progress import is_league_over, league_progress
from tournaments.results.stored_league import StoredLeague, open_results
from tournaments.store import Store, lock_path


class NotOver(WrongUse):
    """Matches of the league remain, or results decide what else is played."""


class ClosedLeague(msgspec.Struct, frozen=True):
    """A league that is closed.

    Attributes:
        league: its name.
        played: how many matches count.
        left_out: how many of its matches were never played, or do not count.
        seed: 64 hex digits. Its SHA-256 was published before play.
        seed_sha256: that.
    """

    league: str
    played: int
    left_out: int
    seed: str
    seed_sha256: str


def close(league: League, url: str, now_ms: int, *, abandon: bool) -> ClosedLeague:
    """Close a league for good. A league that is closed already stays as it is.

    With `abandon`, what remains to be played is left out.

    Raises:
        NotOver: something remains and is not to be left out; nothing is closed.
        LockHeld: somebody plays the league.
        NeverRun: the store has no results of the league.
        StoreError, WrongAddress, LockFailed: the store fails.
    """
    with open_results(league, url), lock_league(lock_path(url, league.name)), Store(url, league.name) as store:
        store.lock()
        with open_results(league, url) as results:
            if not abandon:
                _check_over(results)
        store.close_league(now_ms)
    with open_results(league, url) as results:
        matches, pinned = league_progress(results).matches, results.pinned
        left_out = matches.skipped + matches.abandoned
        return ClosedLeague(league.name, matches.played, left_out, pinned.seed, pinned.commitment)


def _check_over(results: StoredLeague) -> None:
    if is_league_over(results):
        return
    name, remaining = results.league.name, league_progress(results).matches.remaining
    what = (
        several(remaining, f"match of {name} remains", f"matches of {name} remain")
        if remaining
        else f"{name} goes on: its results decide how"
    )
    raise NotOver(f"{what}; play on (referee league run), or close it without the rest: referee league close --abandon")
