"""Balanced round robin: some of the groups, chosen so that every two entries meet equally often.

With three seats and more there are soon too many groups for everybody to meet everybody in every way. So a key says how
many matches a bot may cost, and `blocks` chooses groups. Each chosen group plays all deals in all its line-ups, as in a
round robin; so seats and sides are even within it. A bot is in as many groups as any other, or one fewer. If there are
enough groups, all bots are connected by them, so that ratings can compare them (`joining`).

It is one wave, a function of the league alone. Which entry is which number of a choice follows from the league's seed
and the names, so no name is favoured. With one more entry the choice is another one: only fixtures of groups that are
in both stay.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from itertools import chain, combinations, count
from math import comb
from typing import NamedTuple

import msgspec

from referee.core import seeds
from tournaments.league.format_settings import BalancedSettings
from tournaments.league.model import League, TableSpec
from tournaments.schedule.formats.balanced_blocks import Block, blocks, meetings
from tournaments.schedule.formats.balanced_connection import joined, parts
from tournaments.schedule.formats.issued_waves import IssuedLineUps, group_size, line_ups_of
from tournaments.schedule.formats.round_robin import EveryGroup
from tournaments.schedule.formats.wave import LineUps
from tournaments.schedule.seating import line_ups

MOST_GROUPS = 100_000
"""So many groups of a table are chosen at most: they are kept in memory."""


class Balance(msgspec.Struct, frozen=True):
    """How even a choice is.

    Attributes:
        table: the name of the table.
        groups: how many groups play there.
        every: how many groups there are.
        fewest_matches: of a bot, over all deals.
        most_matches: of a bot, over all deals.
        fewest_meetings: in how many groups two bots meet who meet least often.
        most_meetings: in how many groups two bots meet who meet most often.
    """

    table: str
    groups: int
    every: int
    fewest_matches: int
    most_matches: int
    fewest_meetings: int
    most_meetings: int


def problems(settings: BalancedSettings, tables: Sequence[TableSpec], bots: int, deals: int) -> list[str]:
    """The faults of `matches` for a league, a sentence each; empty if there are none.

    No table has more places than there are bots. A group plays so many `deals`.
    """
    if settings.matches is None:
        return []
    copies = [table.name for table in tables if table.seating == "copies"]
    if copies:
        return [f"matches: table {name!r} has seating = 'copies'; allowed here: 'distinct', 'teams'" for name in copies]
    size = _Size(tables, bots, deals)
    least = size.cost(size.fewest())
    if settings.matches < least:
        sentence = (
            "matches: {} is too few for every bot to be in a group at each table; take {} or more, or fewer deals"
        )
        return [sentence.format(settings.matches, least)]
    return [
        f"matches: {settings.matches} asks for {number} of {size.every(table)} groups at table {table.name!r};"
        f" take less than {MOST_GROUPS} groups, or leave matches out, so that every group plays"
        for table in tables
        if MOST_GROUPS < (number := size.groups(table, settings)) < size.every(table)
    ]


def balance(settings: BalancedSettings, tables: Sequence[TableSpec], bots: int, deals: int) -> tuple[Balance, ...]:
    """How even the choice is at each table, in the order given. It is the same for every seed.

    `problems` finds nothing wrong with the settings, at no table is seating "copies", and there are at least 2 bots.
    """
    size = _Size(tables, bots, deals)
    chosen = size.chosen(settings)
    return tuple(_balance(size, table, chosen.get(table.name)) for table in tables)


def _balance(size: "_Size", table: TableSpec, chosen: Sequence[Block] | None) -> Balance:
    each, members = size.matches(table), group_size(table)
    every = size.every(table)
    if chosen is None:
        plays, most = size.every_with_one(table), comb(size.bots - 2, members - 2) if members > 1 else 0
        return Balance(table.name, every, every, each * plays, each * plays, most, most)
    plays_of = Counter(chain.from_iterable(chosen)).values()
    met = meetings(size.bots, chosen)
    return Balance(table.name, len(chosen), every, each * min(plays_of), each * max(plays_of), met.fewest, met.most)


def apart(settings: BalancedSettings, tables: Sequence[TableSpec], bots: int, deals: int) -> str | None:
    """A sentence if some bots never meet, not even by way of others; None if all are connected.

    `problems` finds nothing wrong with the settings.
    """
    size = _Size(tables, bots, deals)
    chosen = size.chosen(settings)
    found = 1 if size.connects(chosen) else parts(bots, list(chosen.values()))
    if found == 1:
        return None
    enough = next(cost for each in count(1) if size.is_enough(BalancedSettings(cost := size.cost(each))))
    return (
        f"matches = {settings.matches} makes {found} groups of bots that never meet, so ratings cannot compare bots of"
        f" different groups; take {enough} or more"
    )


class _Size(NamedTuple):
    """The numbers that decide how many groups are chosen."""

    tables: Sequence[TableSpec]
    bots: int
    deals: int

    def groups(self, table: TableSpec, settings: BalancedSettings) -> int:
        """How many groups play at a table."""
        if settings.matches is None:
            return self.every(table)
        most = max(map(self.every_with_one, self.tables))
        each = bisect_right(range(most + 1), settings.matches, key=self.cost) - 1
        return self.bots * min(each, self.every_with_one(table)) // group_size(table)

    def chosen(self, settings: BalancedSettings) -> dict[str, tuple[Block, ...]]:
        """The groups of bots, numbered from 0, by the name of their table; without tables where every group plays."""
        tables = sorted(self.tables, key=lambda table: table.name)
        found = {
            table.name: blocks(self.bots, group_size(table), number)
            for table in tables
            if (number := self.groups(table, settings)) < self.every(table)
        }
        return found if self.connects(found) else dict(zip(found, joined(self.bots, list(found.values())), strict=True))

    def connects(self, chosen: Container[str]) -> bool:
        """Whether some table connects all bots anyway: every group plays there, or all play against the game.

        `chosen` names the tables where only some groups play.
        """
        whole = (group_size(table) > 1 and table.name not in chosen for table in self.tables)
        return any(whole) or any(len(table.sides) == 1 for table in self.tables)

    def is_enough(self, settings: BalancedSettings) -> bool:
        """Whether there are enough groups to connect all bots."""
        edges = (self.groups(table, settings) * (group_size(table) - 1) for table in self.tables)
        return sum(edges) >= self.bots - 1

    def fewest(self) -> int:
        """In how many groups a bot must be so that all are in one: in two if the last group is not full otherwise."""
        return 2 if any(self.bots % group_size(table) for table in self.tables) else 1

    def cost(self, groups: int) -> int:
        """How many matches a bot plays that is in so many groups at each table, or in all where there are fewer."""
        return sum(self.matches(table) * min(groups, self.every_with_one(table)) for table in self.tables)

    def matches(self, table: TableSpec) -> int:
        """How many matches a group plays at a table."""
        return self.deals * sum(1 for _ in line_ups(table, tuple(map(str, range(group_size(table))))))

    def every(self, table: TableSpec) -> int:
        """How many groups there are at a table."""
        return comb(self.bots, group_size(table))

    def every_with_one(self, table: TableSpec) -> int:
        """How many of them a bot is in."""
        return comb(self.bots - 1, group_size(table) - 1)


def chosen_line_ups(settings: BalancedSettings, seed: bytes, league: League) -> LineUps:
    """Those of the chosen groups, by table, group and turn, as in a round robin of every group.

    `problems` finds nothing wrong with the settings. The order of tables and entries does not matter.
    """
    # By seed and name, so that the alphabet decides nothing.
    bots = sorted((e.name for e in league.entries), key=lambda name: seeds.child(seed, "balanced", name))
    tables = sorted(league.tables, key=lambda table: table.name)
    chosen = _Size(tables, len(bots), league.deals).chosen(settings)
    if not chosen:
        return EveryGroup(league)
    groups = ((table, _groups(bots, table, chosen.get(table.name))) for table in tables)
    return IssuedLineUps([each for table, some in groups for each in line_ups_of([table], some)])


def _groups(bots: Sequence[str], table: TableSpec, chosen: Iterable[Block] | None) -> list[tuple[str, ...]]:
    """The groups of a table in alphabetical order; all of them if none are chosen."""
    every = combinations(range(len(bots)), group_size(table))
    return sorted(tuple(sorted(bots[bot] for bot in block)) for block in (every if chosen is None else chosen))
