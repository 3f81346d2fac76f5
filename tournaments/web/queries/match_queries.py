"""The matches of a league as one viewer may see them."""

from collections.abc import Sequence
from contextlib import closing
from itertools import islice
from typing import Any

from referee.match.transcript import Remark, Transcript
from tournaments.league.model import Fixture, StoredMatch
from tournaments.play.bot_logs import LogReader, LogRecord
from tournaments.results.bot_losses import BotFault
from tournaments.schedule.formats.wave import fixture_of
from tournaments.store import ListCursor, MatchSearch, logs_folder
from tournaments.web.queries.list_page import BadQuery, ListPage, NotThere, has_text, page_of, within
from tournaments.web.queries.request_state import RequestState
from tournaments.web.visibility.match_view import MatchView, match_seen, transcript_seen

MOST_NAMED = 30
"""The most bots that a part of a name may stand for in a search for matches, so that each search costs little."""

LINE_UPS = 20
"""The most other matches on the deal of a match that are shown."""

_MOST_SAID = 10_000
"""How many pieces of a bot's output in one match are shown at most."""
_LONGEST = 2_000
_MOST_DEALS = 1 << 31


class MatchQueries:
    """The matches of a league for one viewer, at one moment. Every method may raise `StoreError`."""

    def __init__(self, state: RequestState) -> None:
        self._state = state

    def search(self, bot: str | None = None, other: str | None = None, **rest: Any) -> MatchSearch:
        """A search for matches as a reader asks for it; None: it does not matter.

        Args:
            bot: the name of a bot that has a seat in it, or a part of names.
            other: likewise, of one that has another seat in it.
            rest: the rest of `MatchSearch`.

        Raises:
            BadQuery: a part is in more than `MOST_NAMED` names; or a result or another bot is asked for, but no bot.
        """
        for name, value in (("result", rest.get("result")), ("other", other)):
            if value is not None and bot is None:
                raise BadQuery(f"{name}: of which bot? name it, too")
        bots, others = (None if text is None else self._named(text) for text in (bot, other))
        return MatchSearch(bots, others, **rest)

    def _named(self, text: str) -> tuple[str, ...]:
        """The entry of this name, or else all that have the text in their names."""
        if text in self._state.everybody:
            return (text,)
        found = tuple(name for name in self._state.everybody if has_text(text, name))
        if len(found) > MOST_NAMED:
            raise BadQuery(f"more than {MOST_NAMED} bots have {text[:64]!r} in their names; write more of the name")
        return found

    def matches(
        self, search: MatchSearch | None = None, after: str | None = None, most: int = 50
    ) -> ListPage[MatchView]:
        """The stored matches, the latest deal first, then by fixture.

        Args:
            search: the search; None: all matches.
            after: the position at which the previous page ended.
            most: how many at most.

        Raises:
            NotThere: `after` is no position.
        """
        permissions = self._state.permissions  # before the matches: the runner may close a deal in between
        criteria, most = search or MatchSearch(), within(most)
        place = None if after is None else _place(after)
        if not _is_sane(criteria):
            return ListPage((), None)
        criteria = criteria._replace(as_one=[table.name for table in self._state.file.tables if len(table.sides) == 1])
        found = self._state.store.matches.find(criteria, place, most + 1, self._state.hidden, self._state.before_ms)
        seen = [
            match_seen(fixture, played, self._remarks_of_list(fixture, played), permissions)
            for fixture, played in _read(found)
        ]
        return page_of(seen, most, lambda match: match.match)

    def match(self, match: str) -> MatchView:
        """One match, by the id of its fixture.

        Raises:
            NotThere: it has no result.
        """
        permissions = self._state.permissions  # before the match: the runner may close its deal in between
        fixture, played = self._stored_match(match)
        return match_seen(fixture, played, self._remarks(fixture), permissions)

    def same_deal(self, match: str) -> tuple[MatchView, ...]:
        """Other matches on the deal of a match, at the same table; if there are many, those with one of its bots.

        None while the deal is open to this viewer, or if no other match has it.

        Raises:
            NotThere: the match has no result.
        """
        permissions = self._state.permissions
        fixture, _ = self._stored_match(match)
        own = permissions.deals.own
        if not permissions.sees(fixture) or own.has(fixture.table, fixture.entries):
            return ()
        found: dict[str, MatchView] = {}
        for bots in (fixture.entries, None):
            search = MatchSearch(bots=bots, table=fixture.table, deal=fixture.deal)
            for each, played in _read(self._state.store.matches.find(search, None, LINE_UPS + 1)):
                if each.id != match and permissions.sees(each) and not own.has(each.table, each.entries):
                    found[each.id] = match_seen(each, played, (), permissions)
            if len(found) >= LINE_UPS:
                break
        return tuple(found.values())[:LINE_UPS]

    def beside(self, match: str) -> tuple[str | None, str | None]:
        """The matches just before and just after this one in the list of all matches that the viewer sees.

        Raises:
            NotThere: `match` is the id of no match.
        """
        return self._state.store.matches.beside(_place(match), self._state.before_ms)

    def transcript(self, match: str) -> Transcript:
        """The transcript of a match on a closed deal: record, clock and times, and remarks on the viewer's own bots.

        Raises:
            NotThere: it has no result, or its deal is open to this viewer.
        """
        self._require_visible(match)
        found = self._state.store.transcript(match)
        if found is None:
            raise _nothing(match)
        return transcript_seen(found, self._state.permissions)

    def output(self, match: str) -> tuple[LogRecord, ...]:
        """The stored output of the viewer's own bots in a match on a closed deal, unescaped.

        Raises:
            NotThere: the match has no result, or its deal is open to this viewer.
        """
        fixture = self._require_visible(match)
        own = [name for name in dict.fromkeys(fixture.entries) if self._state.permissions.owns(name)]
        return tuple(record for name in own for record in islice(self._log_records(name, match), _MOST_SAID))

    def _log_records(self, bot: str, match: str) -> Sequence[LogRecord]:
        folder = logs_folder(self._state.store.url, self._state.file.name)
        with closing(LogReader(folder, bot)) as reading:
            return [record for record in reading.more() if record.match == match]

    def _require_visible(self, match: str) -> Fixture:
        """Check that the viewer may see all of a match."""
        permissions = self._state.permissions
        fixture, _ = self._stored_match(match)
        if not permissions.sees(fixture):
            raise _nothing(match)
        return fixture

    def _stored_match(self, match: str) -> tuple[Fixture, StoredMatch]:
        fixture = _fixture(match)
        played = None if fixture is None else self._state.store.matches.one(match)
        if fixture is None or played is None:
            raise _nothing(match)
        before_ms = self._state.before_ms
        if before_ms is not None and played.stored_ms >= before_ms and not self._state.permissions.sees(fixture):
            raise _nothing(match)
        return fixture, played

    def _remarks_of_list(self, fixture: Fixture, played: StoredMatch) -> Sequence[Remark]:
        """The remarks on a match of a list. They are read only if a fault of the viewer's own bot ended it."""
        at_fault = any(self._state.permissions.owns(fixture.entries[fault.seat]) for fault in played.faults)
        return self._remarks(fixture) if at_fault else ()

    def _remarks(self, fixture: Fixture) -> Sequence[Remark]:
        """The remarks on a match, if the viewer sees all of it, and one of its bots is the viewer's own."""
        permissions = self._state.permissions
        if not permissions.sees(fixture) or not any(map(permissions.owns, fixture.entries)):
            return ()
        found = self._state.store.transcript(fixture.id)
        return () if found is None else found.metadata.remarks

    def _remarks_on(self, faults: Sequence[BotFault]) -> dict[BotFault, Remark]:
        """The remarks on these faults of one of the viewer's own bots."""
        fixtures = ((fault, _fixture(fault.match)) for fault in faults)
        return {
            fault: remark
            for fault, fixture in fixtures
            for remark in (() if fixture is None else self._remarks(fixture))
            if (remark.seat, remark.decision) == (fault.seat, fault.decision)
        }


def _read(matches: Sequence[StoredMatch]) -> list[tuple[Fixture, StoredMatch]]:
    """The matches with their fixtures. A match with an invalid id is left out: the store is damaged."""
    return [(fixture, played) for played in matches if (fixture := fixture_of(played.fixture)) is not None]


def _place(after: str) -> ListCursor:
    fixture = _fixture(after)
    if fixture is None:
        raise NotThere(f"{after!r} is no position in this list; begin at its first page")
    return ListCursor(fixture.deal, after)


def _fixture(match: str) -> Fixture | None:
    """The fixture with this id; None if the id is invalid, or no store accepts it."""
    fixture = fixture_of(match) if _is_plain(match) else None
    return fixture if fixture is not None and fixture.deal < _MOST_DEALS else None


def _is_sane(search: MatchSearch) -> bool:
    """Whether a search can find anything. Databases refuse some characters and numbers."""
    words = (*(search.bots or ()), *(search.others or ()), search.ending, search.fault, search.table)
    return all(word is None or _is_plain(word) for word in words) and (search.seat is None or 0 <= search.seat < 100)


def _is_plain(text: str) -> bool:
    return len(text) <= _LONGEST and text.isprintable()


def _nothing(match: str) -> NotThere:
    return NotThere(f"there is nothing to be seen of {match!r}")
