"""One table of persons: its players, the match, and the view of each seat."""

import secrets
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from referee.core.errors import GameBug, Void
from referee.core.outcome import Seat
from referee.match.conversation import Reply
from referee.match.header import single
from referee.match.match import Match, Request
from referee.match.terms import Clock, EntryTerms
from referee.match.transcript import Header, Transcript
from referee.runtime.confinement import Confinement
from referee.runtime.host import Bot, HostSettings
from referee.runtime.person import Mailbox, person
from referee.runtime.remote_bot import Unreachable
from referee.runtime.table import Table
from referee.wire.codec import GameEntry
from tournaments.league.service_terms import VisitorTerms
from tournaments.web.visitors.match_archive import Archive
from tournaments.web.visitors.protocol import PERSON, SeatEnd, SeatEvents, TablePhase, TableSettings

ENDED = frozenset({TablePhase.OVER, TablePhase.VOID})

MOST_PAGES = 8
"""How many pages may show one seat at a time. One more closes the oldest, whose connection is usually lost."""

WAITS_S = 3_600.0
"""The time that a table waits for the next person to sit down. A forgotten page must not keep a table for ever."""

_AT_ONCE = 32
"""The number of messages in one news, for a person who opens a page in the middle of a match."""


class TableContext(msgspec.Struct, frozen=True):
    """The common data of the tables of one league.

    Attributes:
        league: its name.
        game: its game.
        bots: the bots that visitors may play with, by entry.
        clock: the clock of bots that have none of their own.
        confinement: the confinement of the bots.
        terms: the terms on which visitors play.
        archive: stores the matches.
    """

    league: str
    game: GameEntry
    bots: Mapping[str, Bot]
    clock: Clock
    confinement: Confinement
    terms: VisitorTerms
    archive: Archive


class PersonSeat:
    """The seat of a person.

    Attributes:
        invitation: lets a person take the seat; None once a person has.
        key: opens the seat.
        name: the name of the person, with the sign before it; None: nobody sits there yet.
        mailbox: the mailbox of the person.
    """

    def __init__(self) -> None:
        self.invitation: str | None = secrets.token_urlsafe(24)
        self.key = secrets.token_urlsafe(24)
        self.name: str | None = None
        self.mailbox = Mailbox()

    def take(self, name: str) -> None:
        """Sit down, and use up the invitation."""
        self.name, self.invitation = name, None


class _LastMatch:
    """Remembers a match during play, for its last position: a `Narrator`."""

    def __init__(self) -> None:
        self._match: Match | None = None

    def __call__(self, match: Match, _request: Request, _reply: Reply | None, /) -> None:
        self._match = match

    def ends(self, entry: GameEntry) -> tuple[SeatEnd, ...]:
        """The end of the match by seat.

        Raises:
            GameBug: the game raised an exception.
        """
        match = self._match
        if match is None or match.outcome is None:
            raise RuntimeError("the match is not over")
        how, faults = match.outcome, tuple((fault.seat, fault.kind) for fault in match.transcript().record.faults)
        try:
            views = [entry.codec.view(entry.game.view(match.state, seat)) for seat in range(len(how.places))]
        except BaseException as error:
            raise match.game_bug(error) from error
        return tuple(SeatEnd(view, how.ending, how.places, how.scores, faults) for view in views)


class PersonTable:
    """A table from its opening to its end.

    Attributes:
        context: the common data of the league's tables.
        seats: the seats of persons, by number.
        phase: the progress of the table.
        transcript: the match, once it is over.
        opener: the seat of the person who opened the table.
        rematch: the table at which these players play again; None until a person asks for it.
    """

    def __init__(
        self,
        room: TableContext,
        options: Any,
        seats: Sequence[str],
        opener: Seat,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """Set up a table. `seats` has, by seat, the name of an entry, or `~` for a person."""
        self.context = room
        self.opener = opener
        self.rematch: PersonTable | None = None
        self.seats = {seat: PersonSeat() for seat, who in enumerate(seats) if who == PERSON}
        self.phase = TablePhase.WAITING
        self.transcript: Transcript | None = None
        self._options = options
        self._seats = tuple(seats)
        self._now_s = now_s
        self._reason = self._match = ""
        self._ends: tuple[SeatEnd, ...] = ()
        self._pages: dict[Seat, list[object]] = {seat: [] for seat in self.seats}
        self._left_s = self._sat_s = now_s()

    @property
    def is_full(self) -> bool:
        """Whether all persons have arrived."""
        return all(chair.name is not None for chair in self.seats.values())

    @property
    def is_idle(self) -> bool:
        """Whether nobody had a page open for the organizer's limit, or an expected person did not arrive in time."""
        now_s = self._now_s()
        if not self.is_full and now_s - self._sat_s >= WAITS_S:
            return True
        return not any(self._pages.values()) and now_s - self._left_s >= self.context.terms.idle_minutes * 60

    def sit(self, seat: Seat, name: str) -> None:
        """Let a person sit down."""
        self.seats[seat].take(name)
        self._sat_s = self._now_s()
        self._tell()

    def setting(self, seat: Seat) -> TableSettings:
        """The table as the person at this seat may know it."""
        is_open = seat == self.opener and self.phase is TablePhase.WAITING
        return TableSettings(
            league=self.context.league,
            game=self.context.game.game.name,
            seat=seat,
            seats=self._player_names(),
            phase=self.phase,
            options=msgspec.to_builtins(self._options),
            move_ms=self.context.terms.move_ms,
            why=self._reason,
            invitations=self._invitations() if is_open else (),
            match=self._match,
        )

    def again(self, opener: Seat) -> "PersonTable":
        """Another table with the same options and seats, opened by the person at this seat."""
        return PersonTable(self.context, self._options, self._seats, opener, self._now_s)

    def _invitations(self) -> tuple[tuple[Seat, str], ...]:
        return tuple((seat, chair.invitation) for seat, chair in self.seats.items() if chair.invitation is not None)

    def _player_names(self) -> tuple[str, ...]:
        return tuple(
            (self.seats[seat].name or PERSON) if seat in self.seats else who for seat, who in enumerate(self._seats)
        )

    # The match

    async def play(self, run_dir: Path, keep: Callable[[Transcript], str]) -> None:
        """Play the match after all persons have arrived. If the match does not count, `setting` says this.

        The system draws the seed, so nobody knows the deal.

        Args:
            run_dir: for the bots' sockets.
            keep: receives the match before any player learns that it is over, and returns its name in the archive.

        Raises:
            GameBug: the game raised an exception. The match does not count.
        """
        self._move_to(TablePhase.PLAYING)
        bots = [self._bot(seat) for seat in range(len(self._seats))]
        table = Table(bots, HostSettings(run_dir, self.context.confinement, self.context.clock.start_ms))
        try:
            last = _LastMatch()
            self.transcript = await table.play(self.context.game, self._header(bots), self.context.clock, last)
            self._ends = last.ends(self.context.game)
            self._match = keep(self.transcript)
            self._move_to(TablePhase.OVER)
        except (Void, Unreachable) as reason:
            self.give_up(f"the match does not count: {reason}")
        except GameBug as bug:
            self.give_up(f"the match does not count: {bug}")
            raise
        except Exception:
            self.give_up("the match does not count: the referee failed")  # nobody may wait for it
            raise
        finally:
            await table.stop()

    def give_up(self, reason: str) -> None:
        """Note that the match will not be played, or not to its end, through no fault of a player."""
        self._reason = reason
        self._move_to(TablePhase.VOID)

    def _header(self, bots: Sequence[Bot]) -> Header:
        return single(self.context.game.game, self._options, tuple(bot.entry for bot in bots), secrets.token_hex(32))

    def _bot(self, seat: Seat) -> Bot:
        if seat not in self.seats:
            return self.context.bots[self._seats[seat]]
        chair = self.seats[seat]
        return person(chair.name or PERSON, chair.mailbox, EntryTerms(clock=self.context.terms.clock))

    # The views of the seats

    async def follow(self, seat: Seat) -> AsyncGenerator[SeatEvents, None]:
        """See `TablesService.follow`."""
        page, pages, mailbox = object(), self._pages[seat], self.seats[seat].mailbox
        first = 0
        pages.append(page)
        if len(pages) > MOST_PAGES:
            pages.pop(0)
            mailbox.bell.ring()  # so that the oldest page, if it is still there, ends
        try:
            while page in pages:
                rung = mailbox.bell.next
                news = self._news_of(seat, first)
                yield news
                first += len(news.messages)
                if first < len(mailbox.sent):
                    continue
                if news.setting.phase in ENDED:
                    return
                await rung.wait()
        finally:
            if page in pages:
                pages.remove(page)
            self._left_s = self._now_s()

    def _news_of(self, seat: Seat, first: int) -> SeatEvents:
        mailbox = self.seats[seat].mailbox
        messages = tuple(sent.message for sent in mailbox.sent[first : first + _AT_ONCE])
        is_end = self.phase is TablePhase.OVER and first + len(messages) == len(mailbox.sent)
        end = self._ends[seat] if is_end else None
        return SeatEvents(self.setting(seat), first, messages, dict(mailbox.chosen), mailbox.left_ms, end)

    def _move_to(self, phase: TablePhase) -> None:
        self.phase = phase
        self._tell()

    def _tell(self) -> None:
        for chair in self.seats.values():
            chair.mailbox.bell.ring()
