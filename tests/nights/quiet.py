"""What becomes of a league in a night without faults: one match after the other, without store and workers."""

from collections.abc import Mapping, Sequence, Set
from hashlib import sha256
from typing import NamedTuple

from msgspec.structs import replace

from tests.nights.executor import Matches
from tournaments.league import league_seed
from tournaments.league.model import Entry, FinishedMatch, League, StoredMatch, StoredVoid, faults_of, outcome_of
from tournaments.league.roster import OrganizerDecisions, RosterChange, everybody, planned, roster
from tournaments.schedule.counting_rules import VOIDS_ALLOWED
from tournaments.schedule.formats import Format, IssuedWave, decider_of, format_of
from tournaments.schedule.formats.issued_waves import IssuingWaves, RosterSnapshot
from tournaments.schedule.league_state import LeagueState


class History(NamedTuple):
    """What people and the night did to a league, as far as it counts.

    Attributes:
        changes: all changes of the roster, in order.
        reinstated: by entry, the first deal on which it is exempt from suspension, and how many waves there were when
            the organizer said so.
        abandoned: the fixtures that were void too often, for good.
    """

    changes: Sequence[RosterChange]
    reinstated: Mapping[str, tuple[int, int]]
    abandoned: Set[str]


class QuietLeague:
    """Plays a league by its plan. The roster changes as it did in the night, at the same waves.

    Attributes:
        issues: the waves that were issued.
    """

    def __init__(self, league: League, seed: bytes, matches: Matches, history: History) -> None:
        self.issues: list[IssuedWave] = []
        self._league = replace(league, entries=everybody(league.entries, history.changes))
        self._file = league
        self._seed = seed
        self._matches = matches
        self._history = history
        self._played: list[StoredMatch] = []

    def play(self) -> list[tuple[str, str]]:
        """Play all of it. Returns the fixtures that count and the digests of their matches, in plan order."""
        voids = [StoredVoid(fixture, "", 0) for fixture in sorted(self._history.abandoned)] * VOIDS_ALLOWED
        season = LeagueState(self._format(), (), voids, lambda: self._played, self._decisions)
        while season.goes_on():
            for sitting in season.sittings():
                for fixture in sitting.fixtures:
                    if season.is_wanted(fixture):
                        match = self._matches.of(fixture, league_seed.header(self._league, self._seed, fixture))
                        self._played.append(_stored(match))
                        season.settle(fixture, match.offenders)
        return [(fixture.id, played.digest) for fixture, played in season.counted()]

    def _format(self) -> Format:
        decider = decider_of(self._league, self._seed)
        if decider is None:
            entries = planned(self._file.entries, self._history.changes)
            return format_of(replace(self._league, entries=entries), self._seed)
        return IssuingWaves(self._league.game, [], decider, self._snapshot, self._issue, lambda *_: None)

    def _decisions(self) -> OrganizerDecisions:
        changes = tuple(change for change in self._history.changes if change.waves <= len(self.issues))
        reinstated = {
            entry: deal for entry, (deal, waves) in self._history.reinstated.items() if waves <= len(self.issues)
        }
        return OrganizerDecisions(changes, reinstated)

    def _roster(self, changes: Sequence[RosterChange]) -> tuple[Entry, ...]:
        return roster(self._file.entries, changes)

    def _snapshot(self) -> RosterSnapshot:
        changes = self._decisions().changes
        return RosterSnapshot(tuple(entry.name for entry in self._roster(changes)), len(changes))

    def _issue(self, _number: int, issue: IssuedWave, known: OrganizerDecisions) -> bool:
        is_kept = known == self._decisions()
        self.issues += [issue] if is_kept else []
        return is_kept


def _stored(match: FinishedMatch) -> StoredMatch:
    """The match as it would be read from a store."""
    entries, digest = match.fixture.entries, sha256(match.record).hexdigest()
    outcome, faults = outcome_of(match), faults_of(match)
    return StoredMatch(match.fixture.id, digest, entries, outcome, faults, match.decisions, match.thinking_us, 0)
