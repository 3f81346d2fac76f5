"""All tables of persons. Their number is limited, and an idle table is closed."""

import asyncio
import contextlib
import secrets
import time
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from referee.core.errors import GameBug
from referee.core.outcome import Seat
from referee.files.transcripts import keep
from referee.match.transcript import Transcript, to_file
from referee.runtime.person import NotAsked, person_name
from tournaments.web.visitors.match_archive import CannotKeep, for_visitors
from tournaments.web.visitors.protocol import (
    NAME,
    PERSON,
    Seated,
    SeatEvents,
    TableOffer,
    TablePhase,
    TableRefused,
    TableRequest,
    options_of,
)
from tournaments.web.visitors.table import ENDED, PersonTable, TableContext

_LOOK_S = 5.0
"""How often to look for idle tables, in seconds."""


class _Place(NamedTuple):
    """A seat at a table."""

    table: PersonTable
    seat: Seat


class OpenTables:
    """The tables of this process: a `TablesService`."""

    def __init__(
        self,
        rooms: Mapping[str, TableContext],
        run_dir: Path,
        tell: Callable[[str], None],
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare to open tables. An event loop must run.

        `rooms` has the common data of the tables, by league. `tell` reports failures of this process to the organizer.
        """
        self._contexts = dict(rooms)
        self._run_dir = run_dir
        self._tell = tell
        self._now_s = now_s
        self._tables: dict[PersonTable, asyncio.Task[None] | None] = {}
        self._bug: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def offers(self) -> tuple[TableOffer, ...]:
        """The offers to visitors, one for each league."""
        return tuple(
            TableOffer(room.league, room.game.game.name, tuple(sorted(room.bots)), room.terms.move_ms)
            for _, room in sorted(self._contexts.items())
            if room.bots
        )

    async def open(self, wanted_table: TableRequest) -> Seated:
        """Open a table, at which the visitor has a seat.

        Raises:
            TableRefused: the request is impossible, or all tables are taken.
        """
        room = self._contexts.get(wanted_table.league)
        if room is None:
            raise TableRefused(f"there is no league {wanted_table.league[:80]!r} here")
        if room.game.reader is None:
            game = room.game.game.name
            raise TableRefused(f"{game} cannot be played by people: its package registers no reader of its messages")
        name = _named(wanted_table.name)
        options = options_of(room.game.game, wanted_table, room.bots)
        self._make_room(room)
        own = wanted_table.seats.index(PERSON) if wanted_table.own is None else wanted_table.own
        table = PersonTable(room, options, wanted_table.seats, own, self._now_s)
        self._tables[table] = None
        self._sit(_Place(table, own), name)
        return Seated(table.seats[own].key)

    async def sit(self, invitation: str, name: str) -> Seated:
        """Take the seat of an invitation.

        Raises:
            TableRefused: the invitation is unknown or used, or a player at the table has this name.
        """
        invited = (it for it in self._places() if _same(it.table.seats[it.seat].invitation, invitation))
        place = next(invited, None)
        if place is None or place.table.phase is not TablePhase.WAITING:
            raise TableRefused("this invitation was used already, or its table is closed; ask for another")
        self._sit(place, _named(name))
        return Seated(place.table.seats[place.seat].key)

    async def follow(self, key: str) -> AsyncGenerator[SeatEvents, None]:
        """The past and future news of a seat.

        Raises:
            TableRefused: the seat does not exist any more.
        """
        table, seat = self._place(key)
        async with contextlib.aclosing(table.follow(seat)) as news:
            async for each in news:
                yield each

    async def choose(self, key: str, decision: int, index: int) -> None:
        """Answer the open decision of a seat.

        Raises:
            TableRefused: the seat does not exist any more, or the answer does not fit its open decision.
        """
        table, seat = self._place(key)
        try:
            table.seats[seat].mailbox.choose(decision, index)
        except NotAsked as reason:
            raise TableRefused(str(reason)) from reason

    async def record(self, key: str) -> bytes:
        """The transcript of a seat's match, or of the kept match of this name, without data of organizer and authors.

        Raises:
            TableRefused: the seat does not exist any more, or its match is not over.
        """
        for room in self._contexts.values():
            if (content := room.archive.read(key)) is not None:
                return content
        table, _ = self._place(key)
        if table.transcript is None:
            raise TableRefused("the match is not over, or does not count")
        return to_file(for_visitors(table.transcript))

    async def rematch(self, key: str) -> Seated:
        """The same seat at a new table with the same players and options. The first who asks opens the table.

        Raises:
            TableRefused: the seat does not exist any more, its match is not over, or all tables are taken.
        """
        table, seat = self._place(key)
        if table.phase not in ENDED:
            raise TableRefused("the match is not over")
        name = table.seats[seat].name or ""
        again = table.rematch
        if again is None or again not in self._tables or again.phase in ENDED:
            self._make_room(table.context)
            again = table.rematch = table.again(seat)
            self._tables[again] = None
        chair = again.seats[seat]
        if chair.name is None:
            self._sit(_Place(again, seat), name)
        elif chair.name != name:
            raise TableRefused(f"{chair.name} has your seat at the new table already; open another table")
        return Seated(chair.key)

    # Background work

    async def run(self) -> None:
        """Close idle tables, until this is cancelled; then close all. Raises the bugs of matches."""
        try:
            while not self._bug.done():
                await asyncio.wait([self._bug], timeout=_LOOK_S)
                self.close_idle()
            self._bug.result()
        finally:
            await self.close()

    def close_idle(self) -> None:
        """Close the tables that nobody watches any more, and those whose expected persons did not arrive."""
        for table in [table for table in self._tables if table.is_idle]:
            self._close(table)

    async def close(self) -> None:
        """Close all tables."""
        matches = [match for match in self._tables.values() if match is not None]
        self._tables.clear()
        for match in matches:
            match.cancel()
        await asyncio.gather(*matches, return_exceptions=True)

    def _close(self, table: PersonTable) -> None:
        match = self._tables.pop(table)
        if match is None:
            table.give_up("nobody took the free seat in time")
        else:
            match.cancel()

    def _make_room(self, room: TableContext) -> None:
        """Forget finished tables, to make room for another one.

        Raises:
            TableRefused: all tables are in use.
        """
        self.close_idle()
        most = room.terms.tables
        here = [table for table in self._tables if table.context is room]
        over = [table for table in here if table.phase in ENDED]
        if len(here) - len(over) >= most:
            raise TableRefused("no table is free; try again in some minutes")
        for table in over[: max(0, len(here) + 1 - 2 * most)]:  # the oldest first: their pages already show all
            self._close(table)

    def _sit(self, place: _Place, name: str) -> None:
        if any(chair.name == name for chair in place.table.seats.values()):
            raise TableRefused(f"somebody at this table is called {name}; choose another name", NAME)
        place.table.sit(place.seat, name)
        if place.table.is_full:
            self._tables[place.table] = asyncio.create_task(self._play(place.table))

    async def _play(self, table: PersonTable) -> None:
        try:
            await table.play(self._run_dir, lambda transcript: self._keep(table.context, transcript))
        except GameBug as bug:
            self._tell(keep(bug))
        except Exception as bug:
            if not self._bug.done():
                self._bug.set_exception(bug)
        finally:
            if table.phase not in ENDED:
                table.give_up("the table was closed")

    def _keep(self, room: TableContext, transcript: Transcript) -> str:
        try:
            return room.archive.keep(transcript, int(time.time() * 1000)).stem.rpartition("-")[2]
        except CannotKeep as failure:
            self._tell(str(failure))  # the persons have seen their match; only the organizer misses it
            return ""

    def _places(self) -> Iterator[_Place]:
        return (_Place(table, seat) for table in self._tables for seat in table.seats)

    def _place(self, key: str) -> _Place:
        for place in self._places():
            chair = place.table.seats[place.seat]
            if chair.name is not None and _same(chair.key, key):
                return place
        raise TableRefused("this table is closed, or was never open")


def _same(secret: str | None, candidate: str) -> bool:
    """Whether this is the secret. The time of the comparison reveals nothing about it."""
    return secret is not None and secrets.compare_digest(secret.encode(), candidate.encode(errors="replace"))


def _named(name: str) -> str:
    try:
        return person_name(name)
    except ValueError as error:
        raise TableRefused(f"you cannot be called that: {error}", NAME) from error
