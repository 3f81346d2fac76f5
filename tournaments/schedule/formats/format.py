"""The contract of a format: it gives one wave of fixtures after another.

Decisions that depend on results are made between waves, from whole waves only. So every run of a league gets the same
waves, with any number of workers and after any crash.
"""

from collections.abc import Callable, Mapping, Sequence, Set
from types import MappingProxyType
from typing import Protocol, TypeAlias

from tournaments.league.model import Fixture, StoredMatch
from tournaments.league.roster import NOTHING_DECIDED, OrganizerDecisions
from tournaments.schedule.formats.wave import PlacedFixture, Wave
from tournaments.schedule.suspension import Suspension


def means(text: str, name: str) -> bool:
    """Whether an entry is meant: by its whole `name@version`, or by a `name` that stands for all its versions."""
    return text in {name, name.partition("@")[0]}


Counted: TypeAlias = Callable[[], Sequence[tuple[Fixture, StoredMatch]]]
"""Reads every match that counts, in plan order. It is slow, so a format calls it only if it needs the results."""


class PlayedWaves(Protocol):
    """A league whose waves so far are settled."""

    @property
    def suspensions(self) -> Mapping[str, Suspension]:
        """The suspensions that the next wave would find, by entry."""

    @property
    def decisions(self) -> OrganizerDecisions:
        """What the organizer decided, as far as it was considered here."""

    @property
    def undecided(self) -> Sequence[PlacedFixture]:
        """The abandoned fixtures of pairings that were played too little to count; nothing may follow from them."""

    @property
    def gone(self) -> Sequence[Set[str]]:
        """By wave, the entries that were suspended or withdrawn by its end."""

    def counted(self) -> Sequence[tuple[Fixture, StoredMatch]]:
        """Every match that counts, in plan order, as `Counted`."""


class NothingPlayed:
    """A league without a played match."""

    suspensions: Mapping[str, Suspension] = MappingProxyType({})
    decisions = NOTHING_DECIDED
    undecided: Sequence[PlacedFixture] = ()
    gone: Sequence[Set[str]] = ()

    def counted(self) -> Sequence[tuple[Fixture, StoredMatch]]:
        """No match."""
        return ()


class Format(Protocol):
    """A way to play a league."""

    def wave(self, number: int, so_far: PlayedWaves) -> Wave | None:
        """The wave with this number, counted from 0; None if the league is over before it.

        None, too, if the organizer has decided more than `so_far` knows. It is asked again when that is considered.

        When a wave is asked for, every fixture of the waves before is settled: counted, skipped or abandoned. The same
        question must always get the same answer.
        """
