"""Scrimmages: how an author requests one and sees its results, and how it is played.

A scrimmage is a temporary league of one table, with a random seed.
"""

import shutil
import time
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path

from msgspec.structs import replace

from referee.core.errors import UserError
from referee.core.text import several
from referee.drawing.page.html import page_of_seat
from referee.drawing.playback import watch
from referee.drawing.registry import drawer
from referee.match.transcript import Transcript
from tournaments.league.format_settings import BalancedSettings
from tournaments.league.model import Entry, League, StoredMatch, TableSpec
from tournaments.league.roster import roster
from tournaments.league.scrimmages import MOST_DEALS, Scrimmage, ScrimmageRequest, Stage, scrimmage_refusals
from tournaments.league.service_terms import ServiceTerms
from tournaments.league.submissions import ORGANIZER, SubmissionRefused
from tournaments.play.bot_logs import LogReader, LogRecord
from tournaments.play.environment import Environment
from tournaments.play.run import open_run
from tournaments.results.league_location import game_of
from tournaments.schedule.seating import lack
from tournaments.store import Store, StoreAway, logs_folder, trees_folder
from tournaments.submissions.bot_folders import BotFolders
from tournaments.web.queries import NotThere
from tournaments.web.visibility.match_view import (
    ScrimmageMatch,
    ScrimmageSeat,
    ScrimmageView,
    SentenceView,
    scrimmage_seen,
)

_TRIES = 3
"""How often a scrimmage starts if it kills submission workers."""

_MOST_S = 600
"""The time limit of a scrimmage, in seconds. The matches played until then count as its result."""


class ScrimmageFailed(Exception):
    """A scrimmage cannot be played; the text says why, in a sentence for its author."""


def home_of(url: str, league: str, number: int) -> Path:
    """The folder of one scrimmage, in one for all of a store: beside the unpacked trees of its bots."""
    return trees_folder(url).with_suffix(".scrimmages") / f"{league}-{number}"


def store_of(home: Path) -> str:
    """The address of the store in the folder of a scrimmage."""
    return f"sqlite:///{home / 'scrimmage.sqlite'}"


def league_of(
    file: League, scrimmage: Scrimmage, entries: tuple[Entry, ...] = (), deal_seed: str | None = None
) -> League:
    """The league of a scrimmage: a copy of the main league with one table, and without the seed."""
    (table,) = [each for each in file.tables if each.name == scrimmage.table]
    return replace(
        file,
        name=f"scrimmage-{scrimmage.number}",
        deals=scrimmage.deals,
        seed=None,
        rehearsal=False,
        tables=(table,),
        entries=entries,
        store=None,
        format=BalancedSettings(),
        notify=(),
        submissions=None,
        service=None,
        again=0.0,
        deal_seed=deal_seed,
    )


class ScrimmageEnvironment:
    """Plays the scrimmages of one league."""

    def __init__(self, file: League, store: Store, bot_folders: BotFolders, machine: Environment) -> None:
        """Prepare to play, with the store's bots in `bot_folders`."""
        self._file = file
        self._store = store
        self._bot_folders = bot_folders
        self._machine = machine

    def waiting(self) -> list[Scrimmage]:
        """The waiting scrimmages, the oldest first."""
        return self._store.scrimmages.waiting()

    def spar(self, scrimmage: Scrimmage) -> str:
        """Play a waiting scrimmage. This stores the outcome, and deletes older scrimmages of the author.

        Returns:
            The outcome, in words for the organizer.

        Raises:
            StoreError: the store fails.
        """
        self._drop_older(scrimmage.author)
        try:
            self._play(scrimmage)
        except ScrimmageFailed as reason:
            return self._end(scrimmage, "failed", str(reason))
        except StoreAway:
            raise  # it is played when the store is back
        except UserError as failure:
            self._end(scrimmage, "failed", "it could not be played, through our fault; ask for it again")
            return str(failure)
        return self._end(scrimmage, "played", "")

    def _end(self, scrimmage: Scrimmage, stage: Stage, reason: str) -> str:
        self._store.scrimmages.end(scrimmage.number, stage, reason, self._machine.now_ms())
        return f"{stage} {reason}".rstrip()

    def _play(self, scrimmage: Scrimmage) -> None:
        home = home_of(self._store.url, self._file.name, scrimmage.number)
        tries = home.with_name(f"{home.name}.tries")
        home.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tries.open("ab") as file:
            file.write(b".")
        if tries.stat().st_size > _TRIES:
            raise ScrimmageFailed("whatever played it was lost again and again")
        shutil.rmtree(home, ignore_errors=True)  # the files of a killed submission worker
        home.mkdir(mode=0o700)
        deal_seed = self._deal_seed(scrimmage)
        league = league_of(self._file, scrimmage, self._entries(scrimmage), deal_seed)
        with open_run(league, store_of(home), self._machine) as run:
            for _ in run.play(_after(_MOST_S)):
                pass
        tries.unlink()

    def _entries(self, scrimmage: Scrimmage) -> tuple[Entry, ...]:
        here = {entry.name: entry for entry in roster(self._file.entries, self._store.changes())}
        names = (scrimmage.bot, *scrimmage.against)
        gone = [name for name in names if name not in here]
        if gone:
            raise ScrimmageFailed(f"{gone[0]} has left the league")
        chosen = replace(self._file, entries=tuple(here[name] for name in names))
        unpacked = self._bot_folders.with_folders(
            chosen, self._machine.build_environment(self._file), self._machine.now_ms()
        )
        # They play from their unpacked folders: the other store does not have them.
        return tuple(replace(entry, source=None) for entry in unpacked.entries)

    def _deal_seed(self, scrimmage: Scrimmage) -> str | None:
        """The seed of the deal that the author named. It was closed when the author asked, so it still is."""
        if not scrimmage.match:
            return None
        found = self._store.transcript(scrimmage.match)
        if found is None:
            raise ScrimmageFailed(f"there is no match {scrimmage.match} any more")
        return found.record.header.deal_seed

    def _drop_older(self, author: str) -> None:
        limit = (self._file.service or ServiceTerms()).scrimmages
        for old in self._store.scrimmages.of(author)[: -max(limit, 1)]:
            shutil.rmtree(home_of(self._store.url, self._file.name, old.number), ignore_errors=True)


def _after(seconds: float) -> Callable[[], bool]:
    until_s = time.monotonic() + seconds
    return lambda: time.monotonic() > until_s


_MOST_SAID = 1_000
"""The most pieces of a bot's output that are shown."""


class ScrimmageRequests:
    """The scrimmages of one author beside one league."""

    def __init__(self, league: League, store: Store, author: str) -> None:
        """`league` is the league, as its file describes it now."""
        self._league = league
        self._store = store
        self._author = author

    def ask(self, request: ScrimmageRequest, now_ms: int) -> ScrimmageView:
        """Request a scrimmage.

        Raises:
            SubmissionRefused: the request is refused; the text says why.
            StoreError: the store fails.
        """
        self._check_table(request)
        own, others = self._roster()

        def refusals(scrimmages: Sequence[Scrimmage]) -> Iterator[str]:
            a_day = (self._league.service or ServiceTerms()).scrimmages
            return scrimmage_refusals(self._author, request, own, others, scrimmages, a_day, now_ms)

        return scrimmage_seen(self._store.scrimmages.ask(self._author, request, now_ms, refusals))

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

    def _home(self, scrimmage: Scrimmage) -> Path:
        return home_of(self._store.url, self._league.name, scrimmage.number)

    @contextmanager
    def _opened(self, scrimmage: Scrimmage) -> Iterator[Store | None]:
        """The store of the scrimmage; None if it was not played yet, or was deleted."""
        home = self._home(scrimmage)
        if scrimmage.stage != "played" or not home.exists():
            yield None
            return
        with Store(store_of(home), f"scrimmage-{scrimmage.number}") as store:
            yield store

    def _matches(self, scrimmage: Scrimmage, store: Store | None) -> Iterator[ScrimmageMatch]:
        for played in [] if store is None else sorted(store.results(), key=lambda each: each.fixture):
            assert store is not None  # noqa: S101 - there are results
            yield _match(played, scrimmage.bot, store.transcript(played.fixture))

    def _check_table(self, request: ScrimmageRequest) -> None:
        """Check that the table exists, and takes this number of bots.

        Raises:
            SubmissionRefused: it does not, or the number of deals is not allowed.
        """
        tables = {table.name: table for table in self._league.tables}
        if request.table not in tables:
            raise SubmissionRefused([f"there is no table {request.table}; tables: {', '.join(tables)}"])
        needed = _needed(tables[request.table])
        if len(request.against) != needed - 1:
            bots = several(needed - 1, "bot", "bots")
            raise SubmissionRefused([f"table {request.table} takes {bots} against yours, not {len(request.against)}"])
        if not 1 <= request.deals <= MOST_DEALS:
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
    remarks = () if transcript is None else transcript.metadata.remarks
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
