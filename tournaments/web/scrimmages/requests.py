"""The requests of an author about scrimmages: to play one, and to see the results."""

from collections.abc import Iterator, Sequence, Set
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path

from referee.core.text import several
from referee.drawing.page.html import page_of_seat
from referee.drawing.playback import watch
from referee.drawing.registry import drawer
from referee.match.transcript import Transcript
from tournaments.league.admission.scrimmages import MOST_DEALS, Scrimmage, ScrimmageRequest, scrimmage_refusals
from tournaments.league.model import Entry, League, StoredMatch, TableSpec
from tournaments.league.roster import roster
from tournaments.league.service_terms import ServiceTerms
from tournaments.league.submissions import ORGANIZER, SubmissionRefused
from tournaments.play.bot_logs import LogReader, LogRecord
from tournaments.results.league_location import game_of
from tournaments.schedule.seating import lack
from tournaments.store import Store, logs_folder
from tournaments.web.queries import NotThere
from tournaments.web.scrimmages.play import home_of, store_of
from tournaments.web.visibility.match_view import SentenceView
from tournaments.web.visibility.scrimmage_view import ScrimmageMatch, ScrimmageSeat, ScrimmageView, scrimmage_seen

_MOST_SAID = 1_000
"""The most pieces of a bot's output that are shown."""


class ScrimmageRequests:
    """The scrimmages of one author beside one league."""

    def __init__(self, league: League, store: Store, author: str) -> None:
        """`league` is the league, as its file describes it now."""
        self._league = league
        self._store = store
        self._author = author

    def ask(self, wanted: ScrimmageRequest, now_ms: int) -> ScrimmageView:
        """Request a scrimmage.

        Raises:
            SubmissionRefused: the request is refused; the text says why.
            StoreError: the store fails.
        """
        self._check_table(wanted)
        own, others = self._roster()

        def refusals(asked: Sequence[Scrimmage]) -> Iterator[str]:
            a_day = (self._league.service or ServiceTerms()).scrimmages
            return scrimmage_refusals(self._author, wanted, own, others, asked, a_day, now_ms)

        return scrimmage_seen(self._store.scrimmages.ask(self._author, wanted, now_ms, refusals))

    def all(self) -> tuple[ScrimmageView, ...]:
        """The author's scrimmages, the latest first, without matches."""
        return tuple(map(scrimmage_seen, reversed(self._store.scrimmages.of(self._author))))

    def one(self, number: int) -> ScrimmageView:
        """A scrimmage with its matches.

        Raises:
            NotThere: there is none of this number, or it is somebody else's.
        """
        found = self._find(number)
        with self._opened(found) as store:
            return scrimmage_seen(found, tuple(self._matches(found, store)))

    def on_deal_of(self, match: str) -> tuple[ScrimmageMatch, ...]:
        """The matches of the author's scrimmages on the deal of a match."""
        found = [each for each in self._store.scrimmages.of(self._author) if each.match == match]
        return tuple(played for each in found for played in self.one(each.number).matches)

    def page(self, number: int, match: str) -> bytes:
        """A page that steps through a match as the author's own bot saw it: only the messages to its seat.

        Raises:
            NotThere: the author has no such match.
        """
        found = self._find(number)
        with self._opened(found) as store:
            transcript = None if store is None else store.transcript(match)
        if transcript is None:
            raise NotThere(f"scrimmage {number} has no match {match[:100]}")
        seat = transcript.record.header.entries.index(found.bot)
        game = game_of(self._league)
        return page_of_seat(watch(game, transcript), drawer(game), seat).encode()

    def output(self, number: int) -> tuple[LogRecord, ...]:
        """The stored output of the author's own bot, unescaped.

        Raises:
            NotThere: the author has no such scrimmage.
        """
        found = self._find(number)
        folder = logs_folder(store_of(self._home(found)), f"scrimmage-{number}")
        with closing(LogReader(folder, found.bot)) as reading:
            return tuple(islice(reading.more(), _MOST_SAID))

    def _find(self, number: int) -> Scrimmage:
        for each in self._store.scrimmages.of(self._author):
            if each.number == number:
                return each
        raise NotThere(f"you have asked for no scrimmage {number}")

    def _home(self, found: Scrimmage) -> Path:
        return home_of(self._store.url, self._league.name, found.number)

    @contextmanager
    def _opened(self, found: Scrimmage) -> Iterator[Store | None]:
        """The store of the scrimmage; None if it was not played yet, or was deleted."""
        home = self._home(found)
        if found.stage != "played" or not home.exists():
            yield None
            return
        with Store(store_of(home), f"scrimmage-{found.number}") as store:
            yield store

    def _matches(self, found: Scrimmage, store: Store | None) -> Iterator[ScrimmageMatch]:
        for played in [] if store is None else sorted(store.results(), key=lambda each: each.fixture):
            assert store is not None  # noqa: S101 - there are results
            yield _match(played, found.bot, store.transcript(played.fixture))

    def _check_table(self, wanted: ScrimmageRequest) -> None:
        """Check that the table exists, and takes this number of bots.

        Raises:
            SubmissionRefused: it does not, or the number of deals is not allowed.
        """
        tables = {table.name: table for table in self._league.tables}
        if wanted.table not in tables:
            raise SubmissionRefused([f"there is no table {wanted.table}; tables: {', '.join(tables)}"])
        needed = _needed(tables[wanted.table])
        if len(wanted.against) != needed - 1:
            bots = several(needed - 1, "bot", "bots")
            raise SubmissionRefused([f"table {wanted.table} takes {bots} against yours, not {len(wanted.against)}"])
        if not 1 <= wanted.deals <= MOST_DEALS:
            raise SubmissionRefused([f"a scrimmage has 1 to {MOST_DEALS} deals"])

    def _roster(self) -> tuple[Set[str], Set[str]]:
        """The author's own playing entries, and all possible opponents. Remote bots are not possible."""
        here: list[Entry] = [
            entry for entry in roster(self._league.entries, self._store.changes()) if entry.remote is None
        ]
        authors = self._store.submissions.authors()
        own = {entry.name for entry in here if authors.get(entry.name, ORGANIZER) == self._author}
        return own, {entry.name for entry in here}


def _needed(table: TableSpec) -> int:
    """The fewest bots that a table takes."""
    return next(bots for bots in range(2, table.seats + 3) if lack(table, bots) is None)


def _match(played: StoredMatch, own: str, transcript: Transcript | None) -> ScrimmageMatch:
    faults = {fault.seat: fault.kind.value for fault in played.faults}
    scores = played.outcome.scores
    remarks = () if transcript is None else transcript.aside.remarks
    return ScrimmageMatch(
        match=played.fixture,
        ending=played.outcome.ending,
        seats=tuple(
            ScrimmageSeat(
                seat=seat,
                bot=bot,
                place=played.outcome.places[seat],
                score=None if scores is None else scores[seat],
                fault=faults.get(seat),
                thinking_us=played.thinking_us[seat] if bot == own else None,
            )
            for seat, bot in enumerate(played.entries)
        ),
        sentences=tuple(
            SentenceView(remark.seat, remark.text, remark.stderr)
            for remark in remarks
            if played.entries[remark.seat] == own
        ),
    )
