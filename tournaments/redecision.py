"""Whether the waves of a league would be decided again as they were: each from what was stored when it was issued."""

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from functools import partial

from tournaments.closing import Closing
from tournaments.formats.issue import Decider, next_deal
from tournaments.formats.redeciding import Known, Redeciding
from tournaments.model import Played
from tournaments.roster import gone, withdrawn
from tournaments.season import Results, Season
from tournaments.store import Store

Offenders = Callable[[], Iterable[tuple[str, Set[str]]]]
"""Gives, for every result, the id of its fixture, and the entries whose fault cut the match short."""


def notes(game: str, decider: Decider, store: Store, results: Results, offenders: Offenders) -> Iterator[str]:
    """What would be decided otherwise now in the waves that were issued: a sentence for each difference.

    Waves between which nobody was reinstated are decided again in one season.

    Args:
        game: the name of the game.
        decider: decides the waves.
        store: has them.
        results: reads every result.
        offenders: says who was at fault in each.
    """
    issues, times_ms = store.issues(), store.issue_times()
    changes, since_ms = store.changes(), store.reinstated()
    voids = store.voids()
    taken_up = {void.fixture for void in voids if not void.counts and not void.busy}
    known = Known(issues, times_ms, list(results()), taken_up)
    exempt = [frozenset(name for name, ms in since_ms.items() if ms <= issued_ms) for issued_ms in times_ms]
    ended = Closing(next_deal(issues))  # a wave was issued when nothing remained of those before
    for reinstated in dict.fromkeys(exempt):
        numbers = {number for number, then in enumerate(exempt) if then == reinstated}
        again = Redeciding(game, issues, decider, numbers, lambda number: gone(changes, number))
        seen = partial(_results_known, again, known)
        Season(again, offenders(), voids, seen, reinstated, lambda: withdrawn(changes), ended)
        yield from again.notes
        if again.reached <= max(numbers):
            yield f"waves after {again.reached} could not be decided again: matches of earlier ones remain"


def _results_known(again: Redeciding, known: Known) -> Sequence[Played]:
    """The results that were known when the wave that is decided again now was decided."""
    return known.before(again.reached - 1)
