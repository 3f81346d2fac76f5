"""Matches that are played a second time, on another node. They reveal a machine on which bots choose differently.

The second match is not stored. If it differs from the first, a bot does not choose by its seed alone (P-20), or one of
the two machines is wrong. The runner cannot tell which.
"""

from collections import defaultdict
from collections.abc import Set
from typing import NamedTuple

import msgspec

from referee.core import seeds
from referee.match.replay import compare
from referee.match.transcript import Header, Record
from tournaments.league.model import FinishedMatch, Fixture, Sitting

_PREFIX = "again/"

_FACES = 10_000
"""The share is drawn in steps of one in this many."""

TOGETHER = 4
"""So many matches of a line-up are played again at a time, unless nothing else is left: each time starts processes."""


class _First(NamedTuple):
    """The first playing of a match: where, and its record."""

    node: str
    record: bytes


def is_again(sitting: str) -> bool:
    """Whether a sitting of this id plays matches a second time."""
    return sitting.startswith(_PREFIX)


def drawn(share: float, header: Header) -> bool:
    """Whether a match is played a second time, if this share of all is. Its own seed decides."""
    (roll,) = seeds.rolls(seeds.child(bytes.fromhex(header.bot_seeds[0]), "again"), _FACES, 1)
    return roll < share * _FACES


class SpotChecks:
    """Chooses the matches that are played a second time, and counts the outcomes.

    Attributes:
        same: how many were the same.
        different: how many were not.
    """

    def __init__(self, share: float) -> None:
        """Draw this share of all matches."""
        self._share = share
        self._first: dict[str, _First] = {}
        self._waiting: defaultdict[tuple[str, tuple[str, ...]], list[Fixture]] = defaultdict(list)
        self.same = 0
        self.different = 0

    def take(self, node: str, header: Header, match: FinishedMatch) -> None:
        """Draw whether a match that was played on a node is played a second time. The match's own seeds decide."""
        if drawn(self._share, header):
            self._first[match.fixture.id] = _First(node, match.record)
            self._waiting[node, match.fixture.entries].append(match.fixture)

    def next(self, node: str, least: int) -> Sitting | None:
        """Matches of one line-up that another node than this one has played; None if there are less than `least`."""
        for (other, entries), fixtures in self._waiting.items():
            if other != node and len(fixtures) >= least:
                del self._waiting[other, entries]
                return Sitting(f"{_PREFIX}{fixtures[0].id}", tuple(fixtures))
        return None

    def waits(self, nodes: Set[str]) -> bool:
        """Whether there are matches that one of these nodes could play."""
        return any(nodes - {other} for other, _ in self._waiting)

    def put_back(self, sitting: Sitting) -> None:
        """Let these matches wait for a node again."""
        for fixture in sitting.fixtures:
            if fixture.id in self._first:
                self._waiting[self._first[fixture.id].node, fixture.entries].append(fixture)

    def difference(self, node: str, match: FinishedMatch) -> str | None:
        """The difference between the second playing of a match and the first, in a sentence; None if there is none."""
        first = self._first.pop(match.fixture.id, None)
        if first is None or first.record == match.record:
            self.same += first is not None
            return None
        self.different += 1
        was, now = (msgspec.json.decode(record, type=Record) for record in (first.record, match.record))
        return (
            f"{match.fixture.id} came out differently on {first.node} and on {node}: {compare(was, now)};"
            " a bot does not choose by its seed alone (P-20), or one of the two machines is wrong"
        )

    def drop(self, fixture: str) -> None:
        """Let a match be: its second playing does not count, or failed."""
        self._first.pop(fixture, None)
