"""How far a league is: its counts, who plays it, what went wrong lately, and what follows.

The counts come from the store. Results are read only where a format decides by them.
"""

from collections.abc import Set

from msgspec.structs import replace

from tournaments.league.status import Fleet, LeagueStatus, Progress, Trouble
from tournaments.results.counted_state import CountedState
from tournaments.results.live_seats import league_seats
from tournaments.results.stored_league import StoredLeague
from tournaments.schedule.formats import Decider, IssuedWave, SwissRounds
from tournaments.schedule.league_state import LeagueState
from tournaments.schedule.leaving import LeagueMoment, Phase
from tournaments.store import lock_path
from tournaments.store.run_lock import runner


def league_status(results: StoredLeague) -> LeagueStatus:
    """How far a league is, with all that its organizer asks about."""
    overview = results.overview()
    return LeagueStatus(
        league=results.league.name,
        seed_sha256=results.pinned.commitment,
        seed=results.seed,
        progress=_progress_of(results, overview),
        suspended=tuple(sorted(overview.verdict().suspensions)),
        sandboxes={name: count for name, count in results.store.sandboxes().items() if name},
        fleet=current_fleet(results),
        forgiven=results.forgiven(),
        seats=league_seats(results.league, results.store.url),
    )


def league_progress(results: StoredLeague) -> Progress:
    """How far a league is."""
    return _progress_of(results, results.overview())


def _progress_of(results: StoredLeague, state: LeagueState | CountedState) -> Progress:
    waves, counts, stored = len(state.plan.waves), state.verdict().counts, results.store.matches.count()
    return Progress(waves, counts, state.voids, state.busy_voids, stored)


def latest_trouble(results: StoredLeague, most: int) -> list[Trouble]:
    """The latest faults and void matches, the latest first, at most so many."""
    with results.store.counting() as counting:
        faults = counting.latest_faults(most)
    trouble = [Trouble(fault.stored_ms, fault.fixture, fault.entry, fault.kind) for fault in faults]
    trouble += [Trouble(void.stored_ms, void.fixture, None, void.reason) for void in results.store.voids()[-most:]]
    return sorted(trouble, key=lambda each: -each.at_ms)[:most]


def current_runner(results: StoredLeague) -> str | None:
    """The process that plays a league now, in words; None if there is none."""
    holder = runner(lock_path(results.store.url, results.league.name))
    return results.store.holder() if holder is None else f"process {holder.pid} on {holder.host}"


def current_fleet(results: StoredLeague) -> Fleet | None:
    """The nodes that play a league now; None if nobody plays it, or one machine alone."""
    fleet = results.store.fleet()
    return None if fleet is None or current_runner(results) is None else fleet


# What follows


def is_league_over(results: StoredLeague) -> bool:
    """Whether nothing remains, and nothing more will be decided from the results."""
    verdict = results.overview().verdict()
    if verdict.remaining:
        return False
    decider = results.decider
    return results.closing.is_whole or decider is None or not (verdict.undecided or _follows(results, decider))


def league_moment(results: StoredLeague, entrant: str | None = None) -> LeagueMoment:
    """How far a league is, for those who leave it; with an entrant, for a bot of this name that would enter."""
    decider, state = results.decider, results.overview()
    verdict, waves = state.verdict(), len(state.plan.waves)
    phase: Phase = "over"
    if not results.closing.is_whole:
        if not (results.store.matches.count() if decider is None else waves):
            phase = "not begun"
        elif verdict.remaining or verdict.undecided:
            phase = "under way"
        elif decider is not None and _follows(results, decider, entrant):
            phase = "between waves"
    moment = LeagueMoment.of(results.league.format, phase, waves - 1 if phase == "under way" else None)
    if phase == "under way" and isinstance(decider, SwissRounds):
        moment = replace(moment, admits=not decider.is_last(issued_waves(results)[0], eligible_bots(results, entrant)))
    return moment


def _follows(results: StoredLeague, decider: Decider, entrant: str | None = None) -> bool:
    """Whether another wave follows the complete ones; with an entrant, whether one does if that bot enters."""
    issues, gone = issued_waves(results)
    return decider.decide(issues, eligible_bots(results, entrant), results.state.counted, gone) is not None


def issued_waves(results: StoredLeague) -> tuple[list[IssuedWave], list[Set[str]]]:
    """The waves that were issued, and for each the entries that were suspended or withdrawn by its end."""
    gone = [*results.state.gone]
    return results.store.issues()[: len(gone)], gone


def eligible_bots(results: StoredLeague, entrant: str | None = None) -> list[str]:
    """The entries that are not suspended, in the order of the roster; then the entrant, if it is not one of them."""
    suspensions = results.state.verdict().suspensions
    eligible = [entry.name for entry in results.league.entries if entry.name not in suspensions]
    return eligible if entrant is None or entrant in eligible else [*eligible, entrant]
