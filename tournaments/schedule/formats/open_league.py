"""The open league: it goes on, and each wave takes the groups with the most information.

The information of a group is the expected fall of the variances of the ratings (`tournaments.rating.information_gain`).
Three rules guard this choice. A part of the groups of every wave is drawn at random: the model may be wrong, and the
best bots should meet. Every bot plays at least a part of the even share. And a bot that has played little plays little
in a wave (`tournaments.schedule.formats.open_wave_size`): its results show which opponents it needs next.

Entries are looked at in the order of a digest of the league's seed and their names, and groups in the order of these.
Random choices are drawn from the seed. Nothing else depends on names, and nothing on the order of the roster.

Tables that need groups of different sizes take turns, a wave each. At tables where all seats are one side, a group
shows how good its bots are against the game, and so how they differ: the bots with the least certain ratings play most.

A group counts when each of its line-ups was played on at least half of its deals; before that no next wave is decided
(`tournaments.schedule.counting_rules`). A match that is skipped or abandoned gives no information: later waves ask
again.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING

from referee.core import seeds
from tournaments.league.format_settings import OpenSettings
from tournaments.league.model import League, TableSpec
from tournaments.rating import DECIMALS
from tournaments.rating.contest import PSEUDO
from tournaments.schedule.formats.format import Counted
from tournaments.schedule.formats.open_candidates import Group, GroupShape
from tournaments.schedule.formats.open_hypothetical_matches import HypotheticalMatches, matches_of, prospect_of
from tournaments.schedule.formats.open_play_counts import PlayCounts, attendance
from tournaments.schedule.formats.open_wave_size import WaveSize, due, most, wave_size
from tournaments.schedule.formats.result_counts import ResultCounter
from tournaments.schedule.formats.wave_decider import IssuedWave, group_size, line_ups_of, next_deal

if TYPE_CHECKING:
    from tournaments.rating.ratings import RatedLeague
    from tournaments.schedule.formats.open_selection import GroupSelection

_ALL = 4096
"""If there are no more groups than these, all are looked at."""

_EACH = 16
"""Otherwise at least so many of each entry, and ..."""

_CHOICE = 4
"""... so many for each group that the wave has."""

_REMEMBERED = 1 << 13
"""Of so many groups it is remembered what they would play."""

_FINE = 1 << 16
"""Parts of a group are rounded to one in so many."""


def problems(settings: OpenSettings, league: League) -> list[str]:
    """The faults of `matches` for a league, a sentence each; empty if there are none."""
    shapes = _by_shape(league.tables)
    first = next((shape for shape in sorted(shapes) if shape.fits(len(league.entries))), None)
    least = 0 if first is None else matches_of(shapes[first], first.size) * league.deals
    if settings.matches is None or settings.matches >= least:
        return []
    return [f"matches: {settings.matches} is too few for a group of bots to play; take {least} or more, or fewer deals"]


def _by_shape(tables: Iterable[TableSpec]) -> dict[GroupShape, list[TableSpec]]:
    found: dict[GroupShape, list[TableSpec]] = {}
    for table in tables:
        found.setdefault(GroupShape(group_size(table), table.seating == "copies"), []).append(table)
    return found


class OpenLeague:
    """Decides the waves of an open league."""

    def __init__(self, settings: OpenSettings, league: League, seed: bytes) -> None:
        """`seed` is the league's, 32 bytes."""
        self._settings = settings
        self._league = league
        self._seed = seeds.child(seed, "open")
        self._tables = _by_shape(league.tables)
        self._results = ResultCounter(league)
        self._prospect = lru_cache(_REMEMBERED)(self._would_play)

    def decide(
        self,
        issues: Sequence[IssuedWave],
        roster: Sequence[str],
        counted: Counted,
        gone: Sequence[Set[str]] = (),  # noqa: ARG002 - who left gets nothing for it
    ) -> IssuedWave | None:
        """The next wave; None if the league is over, or if there are too few entries for its tables."""
        shapes = [shape for shape in sorted(self._tables) if shape.fits(len(roster))]
        if not shapes:
            return None
        shape = shapes[len(issues) % len(shapes)]
        order = sorted(roster, key=lambda name: seeds.child(self._seed, "order", name))
        attended = attendance(issues, self._settings.least)
        size = self._extent(shape, order, attended)
        rated = self._rated(order, counted) if size.groups else None
        if rated is None or self._is_certain(rated, order):
            return None
        groups = self._groups(shape, order, attended, size, rated, seeds.child(self._seed, "wave", str(len(issues))))
        line_ups = line_ups_of(self._tables[shape], groups)
        return IssuedWave(tuple(roster), tuple(line_ups), next_deal(issues), self._league.deals * size.times)

    def _extent(self, shape: GroupShape, order: Sequence[str], attended: PlayCounts) -> WaveSize:
        unit = matches_of(self._tables[shape], shape.size) * self._league.deals
        left = None if self._settings.matches is None else self._settings.matches - attended.matches
        return wave_size(shape, order, attended, unit, self._settings.growth, left)

    def _rated(self, order: Sequence[str], counted: Counted) -> "RatedLeague":
        """The ratings of all that may play or have played."""
        from tournaments.rating.ratings import at_rest  # noqa: PLC0415 - it imports numpy and scipy

        matches = counted()
        names = {*order, *(entry for _, played in matches for entry in played.entries)}
        return at_rest(self._results.tally(matches), sorted(names), self._league.draw_probability)

    def _is_certain(self, rated: "RatedLeague", order: Iterable[str]) -> bool:
        enough = self._settings.uncertainty
        return enough is not None and all(round(rated.ratings[name].sigma, DECIMALS) <= enough for name in order)

    def _groups(
        self,
        shape: GroupShape,
        order: Sequence[str],
        attended: PlayCounts,
        size: WaveSize,
        rated: "RatedLeague",
        seed: bytes,
    ) -> Sequence[Group]:
        """The groups of the next wave, in the order in which they are taken."""
        from tournaments.schedule.formats.open_selection import GroupSelection  # noqa: PLC0415 - it imports numpy and scipy

        at_random = shape.at_random(order, self._number_at_random(size, seed), seeds.child(seed, "random"))
        listed = dict.fromkeys((*at_random, *_listed(shape, order, size, rated, seeds.child(seed, "listed"))))
        known = tuple(sorted(name for name in rated.ratings if name.startswith(PSEUDO)))
        hypotheticals = {group: self._prospect(shape, group, known) for group in listed}
        deals, draws = self._league.deals * size.times, self._league.draw_probability
        taking = GroupSelection(hypotheticals, deals, rated, order, draws, seeds.child(seed, "alike"))
        for group in at_random:
            taking.take(group)
        bounds = {name: most(name, attended, size) for name in order}
        for name in order:
            _serve(taking, name, due(name, attended, size, self._settings.least), bounds, size.limit)
        while len(taking.taken) < size.groups and (best := taking.best(bounds)) is not None:
            taking.take(best)
        return taking.taken

    def _number_at_random(self, size: WaveSize, seed: bytes) -> int:
        """The part of the groups that is drawn at random, rounded up or down by chance."""
        (chance,) = seeds.rolls(seeds.child(seed, "rounded"), _FINE, 1)
        return min(size.groups, int(self._settings.random * size.groups + chance / _FINE))

    def _would_play(self, shape: GroupShape, group: Group, known: tuple[str, ...]) -> HypotheticalMatches:
        return prospect_of(self._league.game, self._tables[shape], group, known)


def _listed(
    shape: GroupShape, order: Sequence[str], size: WaveSize, rated: "RatedLeague", seed: bytes
) -> Iterable[Group]:
    """The groups to choose from: all, or if these are too many, some that are near each other in rating."""
    if shape.count(len(order)) <= _ALL:
        return shape.all(order)
    ranked = sorted(order, key=lambda name: -round(rated.ratings[name].mu, DECIMALS))
    return shape.around(ranked, max(_EACH, ceil(_CHOICE * size.groups / len(order))), seed)


def _serve(taking: "GroupSelection", name: str, due: int, most: Mapping[str, int], limit: int) -> None:
    """Take groups with this entry until it has as many as it is due, or no more may be taken."""
    while taking.turns[name] < due and len(taking.taken) < limit:
        best = taking.best_with(name, most)
        if best is None:
            return
        taking.take(best)
