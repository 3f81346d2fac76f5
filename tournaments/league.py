"""Playing a league: what remains of the plan is given to an executor, what comes back is stored, until nothing remains.

The store only ever grows by whole matches, so a run may end anywhere and the next one goes on from there.
"""

from collections import Counter
from collections.abc import Callable, Iterable

from referee.match.transcript import Header
from tournaments import seeding
from tournaments.executors.work import Executor, Result, Voided
from tournaments.model import Fixture, League, Played, Void
from tournaments.pins import Pinned
from tournaments.schedule import longest_sitting, plan, sittings
from tournaments.season import Season
from tournaments.store import Store


def season_of(league: League, store: Store, results: Iterable[Played]) -> Season:
    """The season as the store knows it; `results` are all of the store's, which take a while to read."""
    offenders = {played.fixture: played.offenders for played in results}
    voids = Counter(void.fixture for void in store.voids())
    return Season(plan(league), offenders, voids, store.reinstated())


def play(
    league: League,
    pinned: Pinned,
    store: Store,
    season: Season,
    executor: Executor,
    now_ms: Callable[[], int],
    tell: Callable[[Result], None],
) -> None:
    """Play until nothing remains. A void match is played again after all others; see `Season` for what is given up.

    Args:
        league: what is planned.
        pinned: what holds since the first run.
        store: where every result goes, one transaction each.
        season: as `season_of` gives it.
        executor: who plays.
        now_ms: the time of storing, in milliseconds since 1970 (UTC).
        tell: hears of every result after it is stored.

    Raises:
        StoreError: a result could not be written; all before it are safe.
    """

    def header(fixture: Fixture) -> Header:
        return seeding.header(league, pinned.seed_bytes, fixture)

    while remaining := season.verdict().remaining:
        for result in executor.play(sittings(remaining, longest_sitting(league)), header, season.wanted):
            _keep(store, season, result, now_ms())
            tell(result)


def _keep(store: Store, season: Season, result: Result, now_ms: int) -> None:
    if isinstance(result, Voided):
        store.save_void(Void(result.fixture.id, result.reason, now_ms))
        season.void(result.fixture.id)
    else:
        store.save(result, now_ms)
        season.settle(result.fixture.id, result.offenders)
