"""The roster of a league: the bots of its file, and those that were entered or withdrawn since.

It is one of the organizer's decisions from which waves follow.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set

import msgspec
from msgspec.structs import replace

from tournaments.league.model import Entry, League


class RosterChange(msgspec.Struct, frozen=True):
    """A bot was entered or withdrawn. Changes are kept in the order in which they were made.

    Attributes:
        name: the name of the entry.
        entry: the bot that was entered; None if it was withdrawn.
        waves: how many waves had been issued by then. In formats that do not issue waves there are none.
        stored_ms: when it was made, in milliseconds since 1970 (UTC).
        wave: the number, from 0, of the wave that was under way when the bot was withdrawn: none of its matches in it
            counts. None if it was entered, or if no wave was under way. Other formats have the wave 0 alone.
    """

    name: str
    entry: Entry | None
    waves: int
    stored_ms: int
    wave: int | None = None


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
    wave was. Later waves were decided without them. A bot that comes back into a league that issues no waves plays its
    matches after all.
    """
    left: defaultdict[int, set[str]] = defaultdict(set)
    for change in changes:
        if change.wave is not None:
            left[change.wave].add(change.name)
        elif change.entry is not None and not change.waves:
            left[0].discard(change.name)
    return {wave: names for wave, names in left.items() if names}


def planned(entries: Iterable[Entry], changes: Sequence[RosterChange]) -> tuple[Entry, ...]:
    """The bots that the plan of a league without issued waves is made for: those that play, and those that left it.

    So nobody else's matches change when a bot leaves.
    """
    playing = roster(entries, changes)
    known = {entry.name: entry for entry in everybody(entries, changes)}
    gone = withdrawn(changes).get(0, frozenset()) - {entry.name for entry in playing}
    return (*playing, *(known.get(name, Entry(name, "")) for name in sorted(gone)))


def with_authors(league: League, pinned: Mapping[str, str | None] = {}) -> League:
    """The league with the authors of its entries, and of those that were pinned, if matches among them do not count."""
    found = {entry.name: entry.author for entry in league.entries} | dict(pinned)
    known = {name: author for name, author in found.items() if author is not None}
    return replace(league, authors=known if league.same_author == "leave out" else {})


class OrganizerDecisions(msgspec.Struct, frozen=True):
    """What the organizer decided. A wave follows from the results and from these decisions.

    Attributes:
        changes: all changes of the roster, in order.
        reinstated: by entry, the first deal on which it is exempt from suspension.
        retried: by fixture, how many of its void matches do not count any more, because it was taken up again.
    """

    changes: tuple[RosterChange, ...] = ()
    reinstated: Mapping[str, int] = {}
    retried: Mapping[str, int] = {}

    @property
    def withdrawn(self) -> Mapping[int, Set[str]]:
        """By the number of a wave, from 0: the entries that were withdrawn while it was played."""
        return withdrawn(self.changes) if self.changes else {}


NOTHING_DECIDED = OrganizerDecisions()
