"""The tables of a league that are computed from its results: standings, crosstable, rounds.

The store keeps standings and crosstable, so that asking again costs nothing.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import msgspec
from msgspec.structs import replace

from referee.core.errors import WrongUse
from tournaments.rating.contest import contests
from tournaments.results.crosstable import Crosstable, crosstable_of
from tournaments.results.progress import eligible_bots, issued_waves
from tournaments.results.public_results import Match, public_results
from tournaments.results.standings import Standings, TableInputs, standings_of
from tournaments.results.stored_league import StoredLeague
from tournaments.schedule.formats import Bracket, KnockoutRounds, SwissRounds, SwissStanding
from tournaments.schedule.formats.format import Counted
from tournaments.store import StoreError

if TYPE_CHECKING:
    from tournaments.rating.ranking import Ranking

Answer = TypeVar("Answer")

TableFunction: TypeAlias = Callable[[TableInputs, "Ranking"], Answer]
"""Computes a table."""

STANDINGS = "standings"
"""The question under which the table of a league is kept."""


class NoRounds(WrongUse):
    """The league has a format without rounds."""


def league_standings(results: StoredLeague) -> Standings:
    """The table of a league, from all matches that count."""
    return replace(_cached_answer(results, STANDINGS, Standings, standings_of), forgiven=results.forgiven())


def league_crosstable(results: StoredLeague) -> Crosstable:
    """The bots of a league against each other, from all matches that count."""
    return _cached_answer(results, "crosstable", Crosstable, crosstable_of)


def standings_without_storing(results: StoredLeague) -> Standings:
    """The same table for a viewer while the league is played: this writes nothing into the store."""
    stored = _recalled(results, STANDINGS, Standings, results.key())
    return stored or _computed(results, results.state.counted(), standings_of)


def public_matches(results: StoredLeague) -> list[Match]:
    """The matches that count, as far as everybody may know tables that are computed from them."""
    return public_results(results.league, results.state.counted(), results.deals())


def public_standings(results: StoredLeague) -> Standings:
    """The table of a league that everybody may see."""
    return replace(_of_public_matches(results, league_standings, standings_of), forgiven=results.forgiven())


def public_crosstable(results: StoredLeague) -> Crosstable:
    """The crosstable of a league that everybody may see."""
    return _of_public_matches(results, league_crosstable, crosstable_of)


def _of_public_matches(
    results: StoredLeague, whole: Callable[[StoredLeague], Answer], compute: TableFunction[Answer]
) -> Answer:
    matches = public_matches(results)
    return whole(results) if len(matches) == results.state.verdict().counted else _computed(results, matches, compute)


def _cached_answer(results: StoredLeague, question: str, kind: type[Answer], compute: TableFunction[Answer]) -> Answer:
    """The answer that the store kept, if it is still right; else the one computed now, which is then kept."""
    key = results.key()
    answer = _recalled(results, question, kind, key)
    if answer is not None:
        return answer
    found = _computed(results, results.state.counted(), compute)
    with suppress(StoreError):  # where nothing can be written, it is computed again
        results.store.table_cache.put(question, key, {question: msgspec.json.encode(found)})
    return found


def _recalled(results: StoredLeague, question: str, kind: type[Answer], key: str) -> Answer | None:
    return decoded(results.store.table_cache.take(question, key=key).get(question), kind)


def decoded(answer: bytes | None, kind: type[Answer]) -> Answer | None:
    """An answer that was kept; None if there is none, or if another version of this program kept it."""
    with suppress(ValueError, RecursionError):
        return None if answer is None else msgspec.json.decode(answer, type=kind)
    return None


def _computed(results: StoredLeague, matches: Sequence[Match], compute: TableFunction[Answer]) -> Answer:
    """A table from these matches alone."""
    from tournaments.rating.ranking import ranking  # noqa: PLC0415 - it imports numpy and scipy

    inputs = table_inputs(results, matches)
    return compute(inputs, ranking(inputs.league, inputs.seed, contests(inputs.league, matches)))


def table_inputs(results: StoredLeague, matches: Sequence[Match]) -> TableInputs:
    """The data of a league whose tables are to be computed from these matches."""
    state = results.state
    verdict, deals = state.verdict(), results.deals()
    last_of = results.last_versions()
    return TableInputs(results.rated, results.pinned.seed_bytes, verdict, matches, state.voids, deals, last_of)


def league_rounds(results: StoredLeague, counted: Counted | None = None) -> Bracket | list[SwissStanding]:
    """How the rounds of a knock-out or a Swiss went so far. In a Swiss a round counts when all of it is settled.

    The rounds end with the first one that has a pairing that was played too little to count; it is not decided.

    `counted` gives the matches that the scores are computed from; None: all that count.

    Raises:
        NoRounds: the league has another format.
    """
    state = results.state
    verdict = state.verdict()
    unplayed = state.unplayed() if results.closing.is_whole else verdict.undecided
    playing = bool(verdict.remaining or unplayed)
    issues, gone = issued_waves(results)  # after the state, which may issue one
    if unplayed:
        last = state.plan.waves[state.plan.number(unplayed[0].at)].deals.start
        issues = [issue for issue in issues if issue.first_deal <= last]
    counted = counted or state.counted
    match results.decider:
        case KnockoutRounds() as knockout:
            return knockout.bracket(issues, eligible_bots(results), counted, gone, playing=playing)
        case SwissRounds() as swiss:
            complete = issues[:-1] if playing else issues
            return swiss.standings(complete, [] if complete else eligible_bots(results), counted, gone)
    raise NoRounds(f"{results.league.name} has no rounds; only a knock-out and a Swiss have")
