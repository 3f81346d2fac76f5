"""Makes asides smaller. It removes data that only people read, and keeps all data that columns and ratings need."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sql
from msgspec.structs import replace

from referee.core.outcome import Seat
from referee.match.transcript import Metadata, Spent
from tournaments.store.database import Database
from tournaments.store.result_rows import PAGE
from tournaments.store.rows import metadata_of
from tournaments.store.schema import MATCH, TRANSCRIPT
from tournaments.store.transcript_packing import PLAIN, Unpacking, samples_of

_UPDATE = (
    sql.update(TRANSCRIPT)
    .where(TRANSCRIPT.c.league == sql.bindparam("of"), TRANSCRIPT.c.fixture == sql.bindparam("id"))
    .values(aside=sql.bindparam("smaller"))
)


class PrunedRow(NamedTuple):
    """An aside as it is stored after pruning.

    Attributes:
        fixture: the id of its fixture.
        content: the bytes, packed as those that it replaces.
        saved: how many bytes fewer these are.
    """

    fixture: str
    content: bytes
    saved: int


def pruned(metadata: Metadata) -> Metadata:
    """An aside without remarks, words of notes and places of bots, in which all decisions of a seat took equally long.

    How many decisions a seat had, and how long they took in all, stays as it was: the store has columns with both.
    """
    notes = metadata.notes
    if notes is not msgspec.UNSET:
        notes = tuple(replace(each, note=replace(each.note, text="")) for each in notes)
    return replace(metadata, spent=_evened(metadata.spent), remarks=(), bots=(), notes=notes)


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


class Pruning:
    """The asides of a league, to be made smaller."""

    def __init__(self, database: Database, unpacking: Unpacking, league: str) -> None:
        self._database = database
        self._unpacking = unpacking
        self._league = league

    def pages(self, before_ms: int) -> Iterator[list[PrunedRow]]:
        """The asides that can be made smaller, of matches stored before a time; a few at a time in memory.

        Those of the matches that the dictionary is made of are not among them: the dictionary has them anyway, and can
        be made again from them.
        """
        with self._database.reading() as connection:
            samples = {sample.fixture for sample in samples_of(connection, self._league)}
        after = ""
        while True:
            with self._database.reading() as connection:
                rows = connection.execute(_page(self._league, before_ms, after)).all()
            if not rows:
                return
            after = rows[-1].fixture
            found = [_smaller(self._unpacking, row) for row in rows if row.fixture not in samples]
            yield [smaller for smaller in found if smaller is not None]

    def write(self, asides: Sequence[PrunedRow]) -> None:
        """Store smaller asides instead of those that are there: all of them in one transaction, or none."""
        if asides:
            rows = [{"of": self._league, "id": each.fixture, "smaller": each.content} for each in asides]
            with self._database.writing() as connection:
                connection.execute(_UPDATE, rows)

    def shrink(self) -> None:
        """Give back to the disk what a SQLite file no longer needs. For that, all of it is written anew.

        A server uses such room again by itself.
        """
        self._database.shrink()


def _smaller(unpacking: Unpacking, row: Any) -> PrunedRow | None:
    """The aside in a row of the table `transcript`, pruned; None if it is already."""
    before = metadata_of(row.fixture, unpacking.unpacked(row.fixture, row.aside, row.dictionary))
    after = pruned(before)
    if after == before:
        return None
    plain = msgspec.json.encode(after)
    content = plain if row.dictionary == PLAIN else unpacking.packing(row.dictionary).pack(plain)
    return PrunedRow(row.fixture, content, len(row.aside) - len(content))


def _page(league: str, before_ms: int, after: str) -> sql.Select[tuple[str, bytes, int]]:
    """The asides of a league's matches that were stored before a time, sorted by fixture, with their dictionaries.

    Only fixtures whose id comes after `after`.
    """
    return (
        sql.select(TRANSCRIPT.c.fixture, TRANSCRIPT.c.aside, TRANSCRIPT.c.dictionary)
        .join_from(TRANSCRIPT, MATCH)
        .where(TRANSCRIPT.c.league == league, TRANSCRIPT.c.fixture > after, MATCH.c.stored_ms < before_ms)
        .order_by(TRANSCRIPT.c.fixture)
        .limit(PAGE)
    )
