"""Verifies, row by row, that the stored data follows from the bots' choices, the league's seed and the rules.

Several processes verify a store together. Their findings have the same order as those of a single process.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from referee.core.errors import OurFailure
from referee.core.game import AnyGame
from referee.match.replay import Difference, OtherRules, verify
from referee.match.transcript import Header, Transcript
from referee.runtime.child_process import defer_signals, process_pool
from tournaments.league import league_seed
from tournaments.league.model import League, finished
from tournaments.league.roster import everybody
from tournaments.results.league_location import game_of
from tournaments.results.stored_league import StoredLeague
from tournaments.schedule.formats.plan import Plan
from tournaments.schedule.formats.wave import fixture_of
from tournaments.store import FixtureRows, Row, Store
from tournaments.store.pinned_league import Pinned


class NotPlayed(str):
    """Says which rules version a match has, if this program does not play it. All but its course holds."""

    __slots__ = ()


Checked: TypeAlias = tuple[str, str | None]
"""The id of a fixture, and the first thing that is wrong with what is stored of it, or None."""

Findings: TypeAlias = Generator[Checked, None, None]
"""What an audit finds, match by match, sorted by the ids of fixtures. Closing it ends the audit."""


class Verification(msgspec.Struct, frozen=True):
    """The facts that stored matches must agree with. It can be sent to another process.

    Attributes:
        game: the rules.
        league: from its file.
        pinned: the facts that the first run pinned, with the seed.
        plan: the waves so far.
    """

    game: AnyGame
    league: League
    pinned: Pinned
    plan: Plan

    def differences(self, store: Store, after: str = "", upto: str | None = None) -> Generator[Checked, None, None]:
        """The fixture id of everything stored of a match, with the first thing that is wrong with it, or None.

        It checks matches that are no longer in the plan against the rules, but not against the seed. It compares the
        clock of every match, and the terms of its bots, with the pinned ones. It compares every column with the
        transcript, except the time of storing, which is nowhere else.

        Only fixtures whose id comes after `after`, up to `upto`; None: to the end.
        """
        for rows in store.fixture_rows(after, upto):
            yield rows.fixture, self._difference(store, rows)

    def wrong(self, fixture: str, transcript: Transcript) -> str | None:
        """The first thing that is wrong with a match, apart from the rows beside it; None if nothing is."""
        planned = self.plan.find(fixture)
        expected = league_seed.header(self.league, self.pinned.seed_bytes, planned.fixture) if planned else None
        return _wrong_match(self.game, expected, transcript)

    def _wrong_terms(self, transcript: Transcript) -> str | None:
        """The difference between the clocks and terms of the metadata and the pinned ones; None if there is none."""
        if transcript.metadata.clock != self.pinned.clock:
            return "its aside has another clock than the league"
        for entry, terms in zip(transcript.record.header.entries, transcript.terms, strict=True):
            content = self.pinned.contents.get(entry)
            if content is not None and content.terms != terms:
                return f"its aside says that {entry} was entered with other terms than are pinned"
        return None

    def _difference(self, store: Store, rows: FixtureRows) -> str | None:
        if rows.transcript is None or rows.record is None:
            return "its transcript is missing, and other rows of it are there"
        wrong = self.wrong(rows.fixture, rows.transcript)
        holds = wrong is None or isinstance(wrong, NotPlayed)
        certain = self._wrong_terms(rows.transcript) if holds else wrong
        if certain is not None:
            return certain
        fixture = fixture_of(rows.fixture)
        if fixture is None:
            return "it has a transcript, but its id is not that of a match"
        match = replace(finished(fixture, rows.transcript), record=rows.record)  # its digest is of the stored bytes
        return _wrong_rows(rows, *store.rows_of(match)) or wrong


def _wrong_match(game: AnyGame, expected: Header | None, transcript: Transcript) -> str | None:
    header = transcript.record.header
    # A match of another rules version is no forgery.
    if expected is not None and replace(header, rules_version=expected.rules_version) != expected:
        return "its header (options, seeds, entries) is not what the league's seed and plan give"
    try:
        verify(game, transcript)
    except OtherRules:
        return NotPlayed(f"of rules version {header.rules_version}, which this program does not play")
    except Difference as difference:
        return str(difference)
    return None


def _wrong_rows(rows: FixtureRows, match: Row, seats: list[Row]) -> str | None:
    """The first difference between the rows that are stored beside a transcript and those that it gives."""
    if rows.match is None:
        return "its transcript is there, but its row in the table match is missing"
    if rows.match["digest"] != match["digest"]:
        return "its record keeps the rules but is not the one that was stored: its digest differs"
    return _wrong_value("", rows.match, match) or _wrong_seats(rows, seats)


def _wrong_seats(rows: FixtureRows, seats: list[Row]) -> str | None:
    for seat, row in enumerate(seats):
        stored = rows.seats.get(seat)
        wrong = _wrong_value(f"seat {seat}: ", stored, row) if stored else f"seat {seat} is missing"
        if wrong is not None:
            return wrong
    superfluous = next((seat for seat in rows.seats if seat not in range(len(seats))), None)
    return None if superfluous is None else f"seat {superfluous} is stored, but its transcript has {len(seats)} seats"


def _wrong_value(where: str, stored: Row, expected: Row) -> str | None:
    wrong = next((column for column, value in expected.items() if stored[column] != value), None)
    if wrong is None:
        return None
    return f"{where}{wrong} is stored as {stored[wrong]!r}, but its transcript says {expected[wrong]!r}"


PART = 500
"""How many matches a process checks at a time. It takes a fraction of a second, so all end soon when they should."""


_Part: TypeAlias = tuple[str, str | None]
"""The matches after the first fixture id, up to the second one; None: to the end."""


class VerifierLost(OurFailure):
    """A process that checked matches was killed."""


def differences(results: StoredLeague, game: AnyGame | None = None, workers: int = 1) -> Findings:
    """The fixture id of every stored match, with the first mistake found in the match, or None; sorted by id.

    Each match is checked against the rules of `game` (by default the installed ones), the league's seed and plan.

    With one worker, or with few matches, this process checks them itself.

    Raises:
        VerifierLost: one of the processes was killed.
    """
    rules, store = game or game_of(results.league), results.store
    league = replace(results.league, entries=everybody(results.league.entries, store.changes()))
    audit = Verification(rules, league, results.pinned, results.overview().plan)
    if workers == 1:
        return audit.differences(store)
    with store.counting() as counting:
        cuts = counting.every(PART)
    parts = list(zip(["", *cuts], [*cuts, None], strict=True))
    if len(parts) <= 2:
        return audit.differences(store)
    return _together(partial(_check, audit, store.url), parts, min(workers, len(parts)))


def _together(check: Callable[[_Part], list[Checked]], parts: Sequence[_Part], workers: int) -> Findings:
    """The findings of several processes in these parts, part by part."""
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415 - as `process_pool`

    try:
        with process_pool(workers) as pool:
            with defer_signals():
                found = pool.map(check, parts)
            yield from chain.from_iterable(found)
    except BrokenProcessPool as error:
        raise VerifierLost("a process that checked matches was killed; nothing is changed, so check again") from error


def count_transcripts(results: StoredLeague) -> int:
    """How many transcripts are stored."""
    with results.store.counting() as counting:
        return counting.transcripts()


def wrong_trees(results: StoredLeague) -> Iterator[tuple[str, str | None]]:
    """The digest of every tree of a bot in the store, of whichever league, with what is wrong with it, or None.

    Each is read whole.
    """
    trees = results.store.trees
    return ((key, trees.wrong(key)) for key in trees.digests())


def _check(audit: Verification, url: str, part: _Part) -> list[Checked]:
    """The findings of one process in a part."""
    with Store(url, audit.league.name) as store:
        return list(audit.differences(store, *part))
