"""The roster of a league: the bots of its file, and those that were entered or withdrawn since."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Set

import msgspec

from tournaments.league.model import Entry


class RosterChange(msgspec.Struct, frozen=True):
    """A bot was entered or withdrawn. Changes are kept in the order in which they were made.

    Attributes:
        name: the name of the entry.
        entry: the bot that was entered; None if it was withdrawn.
        waves: how many waves had been issued by then. In formats that do not issue waves there are none.
        stored_ms: when it was made, in milliseconds since 1970 (UTC).
    """

    name: str
    entry: Entry | None
    waves: int
    stored_ms: int


def roster(entries: Iterable[Entry], changes: Iterable[RosterChange]) -> tuple[Entry, ...]:
    """The bots that play now: those of the file in its order, then those entered since, in theirs."""
    found = {entry.name: entry for entry in entries}
    for change in changes:
        if change.entry is None:
            found.pop(change.name, None)
        else:
            found[change.name] = change.entry
    return tuple(found.values())


def everybody(entries: Iterable[Entry], changes: Iterable[RosterChange]) -> tuple[Entry, ...]:
    """All bots of the file, and all that were ever entered, whether they play now or not."""
    found = {entry.name: entry for entry in entries}
    found |= {change.name: change.entry for change in changes if change.entry is not None}
    return tuple(found.values())


def withdrawn(changes: Iterable[RosterChange]) -> Mapping[int, Set[str]]:
    """By the number of a wave, the entries that were withdrawn while it was played.

    None of their matches in that wave counts, whether it was played before or not. So it does not matter how far the
    wave was. Later waves were decided without them.
    """
    found: defaultdict[int, set[str]] = defaultdict(set)
    for change in changes:
        if change.entry is None and change.waves:
            found[change.waves - 1].add(change.name)
    return dict(found)
