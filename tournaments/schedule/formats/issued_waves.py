"""Formats that decide each wave by results, over the waves that were issued so far.

A wave is decided once and stored when it is issued. It never changes afterwards. So a stored wave is an input of the
league, as its seed is. Later additions, reinstatements and withdrawals count from the next wave.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain, repeat
from typing import NamedTuple, Protocol

import msgspec

from tournaments.league.model import TableSpec
from tournaments.league.roster import OrganizerDecisions
from tournaments.schedule.formats.format import Counted, PlayedWaves
from tournaments.schedule.formats.wave import LineUp, Wave
from tournaments.schedule.seating import line_ups


class IssuedWave(msgspec.Struct, frozen=True):
    """A wave as it was issued. Each of its line-ups plays each of its deals.

    Attributes:
        roster: the entries that could play, in the order of the roster.
        line_ups: the line-ups, each once, in the order in which they play a deal.
        first_deal: the number of the first deal within the league. No wave before had it or a later one.
        deals: how many deals there are, from the first one on.
        byes: the entries of the roster that do not play, and are credited for it as the format says.
    """

    roster: tuple[str, ...]
    line_ups: tuple[LineUp, ...]
    first_deal: int
    deals: int
    byes: tuple[str, ...] = ()


class Decider(Protocol):
    """Decides waves from results.

    Attributes:
        authors: by entry, its author (`League.authors`), also of entries that came since it was made.
    """

    authors: Mapping[str, str]

    def decide(
        self, issues: Sequence[IssuedWave], roster: Sequence[str], counted: Counted, gone: Sequence[Set[str]] = ()
    ) -> IssuedWave | None:
        """The next wave; None if the league is over.

        The same arguments and authors must always give the same answer. It must not depend on the order of the roster,
        unless the format says so.

        Args:
            issues: the waves so far, in order. Each of their fixtures is settled:
                counted, skipped or abandoned; and each of their pairings counts, unless bots are the reason
                (`tournaments.schedule.counting_rules`).
            roster: the entries that may play now, in the order of the roster: neither withdrawn nor suspended.
            counted: reads every match that counts, in plan order.
            gone: for each of these waves, the entries that were suspended or withdrawn by its end. Who leaves later
                changes nothing about what the wave says.
        """


def stayed(issues: Sequence[IssuedWave], gone: Sequence[Set[str]]) -> list[Set[str]]:
    """For each wave, the entries of its roster that were there at its end. Where `gone` says nothing, nobody left."""
    left = chain(gone, repeat(frozenset()))
    return [frozenset(issue.roster) - out for issue, out in zip(issues, left, strict=False)]


def next_deal(issues: Sequence[IssuedWave]) -> int:
    """The first deal that none of these waves has."""
    return issues[-1].first_deal + issues[-1].deals if issues else 0


def group_size(table: TableSpec) -> int:
    """How many different entries fill a table, unless one may hold several seats."""
    return len(table.sides) if table.seating == "teams" else table.seats


def unfit_tables(tables: Iterable[TableSpec], what: str, sides: str) -> Iterator[str]:
    """A sentence for each table at which bots cannot meet in groups. `what`, a format, needs `sides`."""
    for table in tables:
        if table.seating == "copies":
            yield f"table {table.name!r} has seating = 'copies'; {what} allows: 'distinct', 'teams'"
        elif len(table.sides) == 1 or group_size(table) < 2:
            yield f"at table {table.name!r} nobody plays against anybody; {what} needs {sides} at every table"


def line_ups_of(tables: Iterable[TableSpec], groups: Iterable[Iterable[str]]) -> Iterator[LineUp]:
    """All line-ups of some groups of entries at these tables: group by group, table by table, turn by turn."""
    by_name = sorted(tables, key=lambda table: table.name)
    for group in groups:
        for table in by_name:
            for rotation, entries in enumerate(line_ups(table, tuple(sorted(group)))):
                yield LineUp(table.name, entries, rotation)


class IssuedLineUps:
    """The line-ups of an issued wave.

    Attributes:
        span: all numbers are below it.
    """

    def __init__(self, line_ups: Sequence[LineUp]) -> None:
        """`line_ups` are in the order in which they play a deal, each once."""
        self._line_ups = tuple(line_ups)
        self._numbers = {line_up: number for number, line_up in enumerate(self._line_ups)}
        self.span = len(self._line_ups)

    def __len__(self) -> int:
        """How many line-ups there are."""
        return self.span

    def numbered(self) -> Iterator[tuple[int, LineUp]]:
        """All line-ups with their numbers, in order."""
        return enumerate(self._line_ups)

    def number(self, line_up: LineUp) -> int | None:
        """The number of a line-up; None if it is not one of these."""
        return self._numbers.get(line_up)


class RosterSnapshot(NamedTuple):
    """The roster of a league at one moment.

    Attributes:
        entries: their names, in the order of the roster.
        changes: how many times it has been changed.
        authors: those that the league knows, as in `Decider`.
    """

    entries: tuple[str, ...]
    changes: int
    authors: Mapping[str, str] = {}


class IssuedWaves:
    """A `Format`: the waves that were issued, and no further one. This is for readers."""

    def __init__(self, game: str, issues: Sequence[IssuedWave]) -> None:
        """`issues` are all waves so far, in order."""
        self._game = game
        self._issues = list(issues)

    @property
    def count(self) -> int:
        """How many waves were issued so far, as far as it knows."""
        return len(self._issues)

    def wave(self, number: int, so_far: PlayedWaves) -> Wave | None:  # noqa: ARG002 - issued waves never change
        """The wave with this number; None if it was not issued."""
        if number >= len(self._issues):
            return None
        issue = self._issues[number]
        return Wave(self._game, IssuedLineUps(issue.line_ups), range(issue.first_deal, issue.first_deal + issue.deals))


class IssuingWaves(IssuedWaves):
    """A `Format`: the waves that were issued, and then those that are decided now. This is for the league's runner."""

    def __init__(
        self,
        game: str,
        issues: Sequence[IssuedWave],
        decider: Decider,
        roster: Callable[[], RosterSnapshot],
        keep: Callable[[int, IssuedWave, OrganizerDecisions], bool],
        end: Callable[[int, OrganizerDecisions], None],
        is_over: Callable[[], bool] = lambda: False,
    ) -> None:
        """Go on after the waves so far.

        Args:
            game: the name of the game.
            issues: all waves so far, in order.
            decider: decides the next one.
            roster: asked when a wave is decided: the present roster.
            keep: stores a wave under its number, unless the organizer has decided more than these decisions; whether it
                did. No match of the wave begins before that.
            end: called when the last wave has ended and no other one follows, with the number of the first deal that no
                wave has had. It has no effect if the organizer has decided more than these decisions.
            is_over: whether the time of the league is over, so that no wave follows.
        """
        super().__init__(game, issues)
        self._decider = decider
        self._roster = roster
        self._keep = keep
        self._end = end
        self._is_over = is_over

    def wave(self, number: int, so_far: PlayedWaves) -> Wave | None:
        """The wave with this number, issued now if it was not yet; None if the league is over before it.

        None, too, while a pairing of the waves before was played too little to count: nothing follows from it. Then no
        deal is closed, so that the abandoned matches can be taken up again.
        """
        if number == len(self._issues) and not so_far.undecided:
            self._issue(number, so_far)
        return super().wave(number, so_far)

    def _issue(self, number: int, so_far: PlayedWaves) -> None:
        known, roll = so_far.decisions, self._roster()
        if roll.changes != len(known.changes):
            return
        able = [entry for entry in roll.entries if entry not in so_far.suspensions]
        self._decider.authors = roll.authors
        over = self._is_over()
        issue = None if over else self._decider.decide(self._issues, able, so_far.counted, so_far.gone)
        if issue is None:
            self._end(next_deal(self._issues), known)
            return
        if self._keep(number, issue, known):
            self._issues.append(issue)
