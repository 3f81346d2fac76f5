"""Takes back waves that were decided although pairings before them were never played.

Earlier versions of the program decided such waves. Their deals are closed and may be public, so nobody plays them
again: the next run decides the waves anew, on new deals.
"""

from referee.core.errors import WrongUse
from tournaments.league.model import League
from tournaments.play.run import lock_league
from tournaments.results.stored_league import open_results
from tournaments.store import Store, lock_path


class NothingToTakeBack(WrongUse):
    """Every pairing on closed deals was played, or was skipped because of a bot."""


def take_back(league: League, url: str) -> int:
    """Take back the first wave on closed deals with a pairing that does not count, and all waves after it.

    What was played in these waves stays in the store and does not count.

    Returns:
        How many waves were taken back.

    Raises:
        NothingToTakeBack: there is no such wave.
        LeagueClosed: the league is closed.
        LockHeld: somebody plays the league.
        NeverRun: the store has no results of the league.
        StoreError, WrongAddress, LockFailed: the store fails.
    """
    with open_results(league, url), lock_league(lock_path(url, league.name)), Store(url, league.name) as store:
        store.lock()
        with open_results(league, url) as kept:
            kept.closing.require_open(league.name)
            first = kept.first_to_take_back()
        if first is None:
            raise NothingToTakeBack(
                f"no wave of {league.name} was decided on matches that were never played; nothing is taken back"
            )
        taken = sum(bool(issue.line_ups) for issue in store.issues()[first:])
        store.take_back(first)
        return taken
