"""Seasons with made-up results, and what happens to every fixture in them."""

from collections.abc import Iterable, Mapping, Set
from typing import NamedTuple

from referee.core.outcome import FAULT, Outcome
from referee.match.transcript import FaultKind, FaultMark
from tests.tournaments.leagues import SEED, plan
from tournaments.league.deals import OPEN, LeagueDeals
from tournaments.league.model import Fixture, League, StoredMatch, StoredVoid
from tournaments.league.roster import OrganizerDecisions, RosterChange
from tournaments.rating.contest import contests
from tournaments.rating.ranking import ranking
from tournaments.results.standings import Standings, TableInputs, standings_of
from tournaments.schedule.counting_rules import VOIDS_ALLOWED, LeagueVerdict
from tournaments.schedule.formats.round_robin import RoundRobin
from tournaments.schedule.league_state import LeagueState
from tournaments.schedule.suspension import Suspension

Fixtures = tuple[Fixture, ...]


class Piles(NamedTuple):
    """Four piles, in plan order. Every fixture of a plan is in exactly one of them."""

    counted: Fixtures
    skipped: Fixtures
    remaining: Fixtures
    abandoned: Fixtures
    suspensions: dict[str, Suspension]


def season_of(
    league: League,
    results: Iterable[StoredMatch],
    voids: Iterable[StoredVoid] = (),
    reinstated: Set[str] = frozenset(),
) -> LeagueState:
    """The season of a league whose store holds these results."""
    played = list(results)
    offenders = ((each.fixture, each.offenders) for each in played)
    return LeagueState(RoundRobin(league), offenders, voids, lambda: played, lambda: decided(reinstated))


def decided(reinstated: Iterable[str] = (), gone: Mapping[int, Set[str]] = {}, deal: int = 0) -> OrganizerDecisions:
    """The organizer reinstated some bots from a deal on, and withdrew others: by the number of a wave, from 0."""
    leaving = ((name, number) for number in sorted(gone) for name in sorted(gone[number]))
    changes = tuple(RosterChange(name, None, number + 1, 0, number) for name, number in leaving)
    return OrganizerDecisions(changes, dict.fromkeys(reinstated, deal))


def table_of(league: League, results: Iterable[StoredMatch], voids: int = 0) -> Standings:
    """Its standings."""
    season = season_of(league, results)
    inputs = TableInputs(league, SEED, season.verdict(), season.counted(), voids, LeagueDeals(OPEN))
    return standings_of(inputs, ranking(league, SEED, contests(league, inputs.matches)))


def result(fixture: Fixture, offenders: Set[str] = frozenset()) -> StoredMatch:
    """A result: seat 0 wins, unless a fault of these entries cuts the match short."""
    seats = [seat for seat, entry in enumerate(fixture.entries) if entry in offenders]
    faults = tuple(FaultMark(seat, 1, FaultKind.CRASH) for seat in seats)
    places = tuple(1 if seat == 0 else 2 for seat in range(len(fixture.entries)))
    return StoredMatch(
        fixture.id, "digest", fixture.entries, Outcome(FAULT if faults else "won", places, ()), faults, (), (), 0
    )


def sorted_out(
    league: League,
    offenders: Mapping[str, Set[str]],
    reinstated: Set[str] = frozenset(),
    abandoned: Set[str] = frozenset(),
) -> Piles:
    """The verdict of a season on results, given by fixture: the entries whose fault cut it short (usually none)."""
    fixtures = plan(league)
    results = [result(fixture, offenders[fixture.id]) for fixture in fixtures if fixture.id in offenders]
    voids = [StoredVoid(fixture, "lost", 0) for fixture in abandoned] * VOIDS_ALLOWED
    season = season_of(league, results, voids, reinstated)
    verdict = season.verdict()
    counted = tuple(fixture for fixture, _ in season.counted())
    remaining = {fixture for sitting in season.sittings() for fixture in sitting.fixtures}
    elsewhere = {*counted, *remaining, *verdict.abandoned}
    piles = Piles(
        counted,
        tuple(fixture for fixture in fixtures if fixture not in elsewhere),
        tuple(fixture for fixture in fixtures if fixture in remaining),
        verdict.abandoned,
        verdict.suspensions,
    )
    assert_counts(verdict, piles)
    assert all(map(season.is_wanted, remaining))
    assert not any(map(season.is_wanted, piles.skipped))
    return piles


def assert_counts(verdict: LeagueVerdict, piles: Piles) -> None:
    """Assert that the verdict gives the same counts. It does not look at every fixture."""
    counts = verdict.counts
    assert (counts.played, counts.skipped, counts.remaining, counts.abandoned) == tuple(map(len, piles[:4]))
    assert counts.planned == sum(map(len, piles[:4]))
