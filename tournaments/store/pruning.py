"""Asides made smaller. What goes is what only people read; all that columns and ratings are made of stays."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import sqlalchemy as sql
from msgspec.structs import replace

from referee.core.outcome import Seat
from referee.match.transcript import Aside, Spent
from tournaments.store.schema import MATCH, TRANSCRIPT

UPDATE = (
    sql.update(TRANSCRIPT)
    .where(TRANSCRIPT.c.league == sql.bindparam("of"), TRANSCRIPT.c.fixture == sql.bindparam("id"))
    .values(aside=sql.bindparam("smaller"))
)


class Smaller(NamedTuple):
    """An aside as it is stored after pruning.

    Attributes:
        fixture: the id of its fixture.
        content: the bytes, packed as those that it replaces.
        saved: how many bytes fewer these are.
    """

    fixture: str
    content: bytes
    saved: int


def pruned(aside: Aside) -> Aside:
    """An aside without remarks and places of bots, in which all decisions of a seat took equally long.

    How many decisions a seat had, and how long they took in all, stays as it was: the store has columns with both.
    """
    return replace(aside, spent=_evened(aside.spent), remarks=(), bots=())


def _evened(spent: Iterable[Spent]) -> tuple[Spent, ...]:
    """The same decisions, each with the mean time of its seat; the first of a seat also has what division leaves."""
    times = tuple(spent)
    decisions: Counter[Seat] = Counter(each.seat for each in times)
    total_us: Counter[Seat] = Counter()
    for each in times:
        total_us[each.seat] += each.us
    rests = {seat: total_us[seat] % count for seat, count in decisions.items()}
    return tuple(
        Spent(each.seat, total_us[each.seat] // decisions[each.seat] + rests.pop(each.seat, 0)) for each in times
    )


def page(league: str, before_ms: int, after: str, most: int) -> sql.Select[tuple[str, bytes, int]]:
    """The asides of a league's matches that were stored before a time, sorted by fixture, with their dictionaries.

    Args:
        league: its name.
        before_ms: the time, in milliseconds since 1970 (UTC).
        after: only fixtures whose id comes after this one.
        most: no more rows than this.
    """
    return (
        sql.select(TRANSCRIPT.c.fixture, TRANSCRIPT.c.aside, TRANSCRIPT.c.dictionary)
        .join_from(TRANSCRIPT, MATCH)
        .where(TRANSCRIPT.c.league == league, TRANSCRIPT.c.fixture > after, MATCH.c.stored_ms < before_ms)
        .order_by(TRANSCRIPT.c.fixture)
        .limit(most)
    )
