"""A report of a league for people, as Markdown and as one HTML file: its results and its faults.

A report is public. So for open deals it shows no more than everybody may know
(`tournaments.web.visibility`).
"""

import heapq
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace

from referee.cli.console import AsJson, print_json, say, wide
from referee.core.errors import WrongUse
from referee.core.text import several
from tournaments.cli import results_text
from tournaments.cli.arguments import File, Url, opened
from tournaments.cli.report_formats import Document, Grid, Section, html, markdown
from tournaments.cli.results_text import SWISS_NOTES, swiss_table
from tournaments.cli.table_layout import FittedTable
from tournaments.cli.times import utc
from tournaments.comparison.memory_evidence import FALSE_ALARMS, MemoryReport, memory_of
from tournaments.league.deals import OPEN, LeagueDeals
from tournaments.league.model import League, StoredMatch, StoredVoid
from tournaments.rating.bot_records import CostMeans
from tournaments.results import computed_tables
from tournaments.results.standings import Standings
from tournaments.results.stored_league import StoredLeague
from tournaments.schedule.counting_rules import LeagueVerdict
from tournaments.schedule.formats import Bracket
from tournaments.schedule.formats.knockout_bracket import drawn
from tournaments.schedule.formats.wave import fixture_of

MARKDOWN, HTML = "report.md", "report.html"

_SLOWEST = 10
_LAST = 20
_MOST_BOTS = 30
"""A crosstable with more columns is no longer read, but looked up (`referee league crosstable`)."""

_UNTOLD = "-"
"""Stands in place of a time or a reason that the report hides."""

_MOST_IN_PAIRS = 10
"""More bots have more pairs than anybody reads."""


class CannotReport(WrongUse):
    """A report cannot be written."""


def report(
    file: File,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to write into, new or old.")],
    store: Url = None,
    json: AsJson = False,
) -> None:
    """Write a report of a league for people, as Markdown and as one HTML file."""
    from tournaments.comparison.pair_flags import pair_flags  # noqa: PLC0415 - it imports numpy and scipy

    with opened(file, store) as results:
        memory = write_report(results, folder, time.time_ns() // 1_000_000)
        flags = pair_flags(results.league, results.state.counted())
    if json:
        print_json({"files": [str(folder / MARKDOWN), str(folder / HTML)], "memory": memory, "pairs": flags})
        return
    say(f"report.md and report.html are in {folder}")
    for note in (*_memory_notes(memory), *(flag.words for flag in flags)):
        say(note)


def write_report(results: StoredLeague, folder: Path, now_ms: int) -> MemoryReport:
    """Write `report.md` and `report.html` into a folder, which is made if it is not there.

    Returns the evidence of memory. While a deal is open it is not in the files, and only for the organizer.

    Raises:
        CannotReport: a file cannot be written.
    """
    memory = memory_of(results.league, results.pinned.seed_bytes, results.state)
    report = report_of(results, memory, now_ms)
    write_files(folder, {MARKDOWN: markdown(report), HTML: html(report)})
    return memory


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write files, by name, into a folder, which is made if it is not there.

    Raises:
        CannotReport: a file cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (folder / name).write_text(content, encoding="utf-8")
    except OSError as error:
        raise CannotReport(f"{error.filename or folder}: cannot be written: {error.strerror}") from error


def report_of(results: StoredLeague, memory: MemoryReport, now_ms: int) -> Document:
    """The report as it is at `now_ms`, in milliseconds since 1970 (UTC)."""
    verdict, played, deals = results.state.verdict(), results.matches(), results.deals()
    sections = [
        _standings(results, deals),
        *_rounds(results),
        _crosstable(results, deals),
        _faults(results, played, deals),
        _slowest(results, deals),
        _voids(results.store.voids(), deals),
        *([_memory(memory)] if deals.are_all_closed else []),
        _left_out(results, verdict),
    ]
    return Document(
        f"{results.league.name}: {results.league.game}", tuple(_head(results, deals, now_ms)), tuple(sections)
    )


def _head(results: StoredLeague, deals: LeagueDeals, now_ms: int) -> Iterator[str]:
    yield f"As of {utc(now_ms)}."
    counts = results.state.verdict().counts
    parts = [several(counts.played, "match counts", "matches count"), several(counts.remaining, "remains", "remain")]
    parts += [several(counts.skipped, "is skipped", "are skipped")] if counts.skipped else []
    parts += [several(counts.abandoned, "is abandoned", "are abandoned")] if counts.abandoned else []
    yield f"{', '.join(parts)}."
    yield f"SHA-256 of the seed: {results.pinned.commitment}"
    if results.seed is not None:
        yield f"The seed: {results.seed}"
    if not deals.are_all_closed:
        yield "Of matches on deals that are open, times, remarks and digests are not told before the league is closed."


def _standings(results: StoredLeague, deals: LeagueDeals) -> Section:
    whole = computed_tables.public_standings(results)
    table = whole if deals.are_all_closed else _without_times(whole, results.league)
    notes_of = results_text.standings_notes if deals.are_all_closed else results_text.standings_remarks
    notes = (*results_text.interim_notes(table), *notes_of(table))
    return Section("Standings", (_grid(results_text.standings_table(table, wide.width)),), notes)


def _without_times(table: Standings, league: League) -> Standings:
    """The table without the figures that depend on open deals: times, and the results of sides that are dealt."""
    fixed = {each.name for each in league.tables if each.sides}
    lines = tuple(replace(line, mean_decision_ms=None, costs=CostMeans()) for line in table.standings)
    return replace(table, standings=lines, sides=tuple(record for record in table.sides if record.table in fixed))


def _rounds(results: StoredLeague) -> Iterator[Section]:
    """The rounds, in a format that has some."""
    try:
        found = computed_tables.league_rounds(results, partial(computed_tables.public_matches, results))
    except computed_tables.NoRounds:
        return
    if isinstance(found, Bracket):
        yield Section("Rounds", (), (), tuple(drawn(found).splitlines()))
    else:
        ratings = {line.bot: line.rating for line in computed_tables.public_standings(results).standings}
        yield Section("Rounds", (_grid(swiss_table(results.league.name, found, ratings, wide.width)),), SWISS_NOTES)


def _crosstable(results: StoredLeague, deals: LeagueDeals) -> Section:
    names = [entry.name for entry in results.rated.entries]
    if len(names) > _MOST_BOTS:
        return Section("Crosstable", (), (f"{len(names)} bots are too many; see `referee league crosstable`",))
    table = computed_tables.public_crosstable(results)
    found, notes = [*results_text.crosstables(table, names, wide.width)], [results_text.SCORE_NOTE]
    if len(names) <= _MOST_IN_PAIRS:
        found.append(results_text.pairs_table(table, names, wide.width))
        notes.append(results_text.PAIRS_NOTE)
    notes_of = results_text.crosstable_notes if deals.are_all_closed else results_text.crosstable_remarks
    return Section("Crosstable", tuple(map(_grid, found)), (*notes, *notes_of(table)))


def _faults(results: StoredLeague, played: Sequence[StoredMatch], deals: LeagueDeals) -> Section:
    cut_short = [match for match in played if match.faults and _is_told(match, results.league, deals)]
    if not cut_short:
        untold = any(match.faults for match in played)
        return Section("Faults", (), ("no fault is told yet" if untold else "no match was cut short by a fault",))
    count = Counter((match.entries[fault.seat], str(fault.kind)) for match in cut_short for fault in match.faults)
    lines = sorted(count.items(), key=lambda each: (-each[1], each[0]))
    counts = Grid(("bot", "fault", "matches"), tuple((bot, kind, str(times)) for (bot, kind), times in lines))
    last = sorted(cut_short, key=lambda match: _order(match, deals))[-_LAST:]
    rows = tuple(row for match in reversed(last) for row in _fault_rows(results, match, deals))
    notes = (*_only_the_last(len(cut_short)), "what a bot wrote is shown by: referee league log")
    return Section("Faults", (counts, Grid(("when", "match", "bot", "what"), rows)), notes)


def _is_told(match: StoredMatch, league: League, deals: LeagueDeals) -> bool:
    """Whether everybody may know how a match ended. Where sides are dealt, that can tell who had which."""
    fixture = fixture_of(match.fixture)
    dealt = {table.name for table in league.tables if table.deals_sides}
    return fixture is None or fixture.table not in dealt or deals.is_closed(fixture)


def _order(match: StoredMatch | StoredVoid, deals: LeagueDeals) -> tuple[int, str]:
    """Matches on open deals stand first, by their names: even the order in which they ended is a time."""
    return (match.stored_ms if _is_closed(match.fixture, deals) else 0), match.fixture


def _is_closed(match: str, deals: LeagueDeals) -> bool:
    fixture = fixture_of(match)
    return fixture is not None and deals.is_closed(fixture)


def _fault_rows(results: StoredLeague, match: StoredMatch, deals: LeagueDeals) -> Iterator[tuple[str, ...]]:
    if not _is_closed(match.fixture, deals):
        yield from ((_UNTOLD, match.fixture, match.entries[fault.seat], str(fault.kind)) for fault in match.faults)
        return
    transcript = results.store.transcript(match.fixture)
    remarks = {} if transcript is None else {remark.seat: remark.text for remark in transcript.metadata.remarks}
    for fault in match.faults:
        what = remarks.get(fault.seat, str(fault.kind))
        yield utc(match.stored_ms), match.fixture, match.entries[fault.seat], what


def _slowest(results: StoredLeague, deals: LeagueDeals) -> Section:
    found = heapq.nlargest(_SLOWEST, _times(results, deals))
    if not found:
        return Section("Slowest decisions", (), ("no times are told yet",))
    rows = tuple((bot, f"{us / 1_000:,.1f}", fixture, str(number)) for us, fixture, number, bot in found)
    return Section("Slowest decisions", (Grid(("bot", "ms", "match", "decision"), rows),), ())


def _times(results: StoredLeague, deals: LeagueDeals) -> Iterator[tuple[int, str, int, str]]:
    """For every decision on a closed deal: its microseconds, its match, its number there (from 1), and the bot."""
    if deals == LeagueDeals(OPEN):
        return  # nothing is closed, so no transcript needs to be read
    for fixture, transcript in results.store.transcripts():
        if not _is_closed(fixture, deals):
            continue
        entries = transcript.record.header.entries
        for number, spent in enumerate(transcript.metadata.spent, 1):
            yield spent.us, fixture, number, entries[spent.seat]


def _voids(voids: Sequence[StoredVoid], deals: LeagueDeals) -> Section:
    if not voids:
        return Section("Void matches", (), ("no match was void",))
    last = reversed(sorted(voids, key=lambda void: _order(void, deals))[-_LAST:])
    rows = tuple(
        (utc(void.stored_ms), void.fixture, void.reason)
        if _is_closed(void.fixture, deals)
        else (_UNTOLD, void.fixture, _UNTOLD)
        for void in last
    )
    return Section("Void matches", (Grid(("when", "match", "why"), rows),), _only_the_last(len(voids)))


def _memory(memory: MemoryReport) -> Section:
    """Whether bots play better on deals that were played before."""
    rows = tuple(
        (each.bot, f"{each.deals:,}", _signed(each.gain), _signed(each.time), f"{each.evidence:,.1f}")
        for each in memory.bots
    )
    grids = (Grid(("bot", "deals", "later minus first", "by time", "evidence"), rows),) if rows else ()
    return Section("Memory", grids, tuple(_memory_notes(memory)))


def _signed(score: float | None) -> str:
    return _UNTOLD if score is None else f"{score:+.2f}"


def _memory_notes(memory: MemoryReport) -> Iterator[str]:
    noticed = [each for each in memory.bots if each.noticed]
    for each in noticed:
        yield f"{each.bot} plays better on deals that were played before: evidence {each.evidence:,.0f}"
    if not memory.bots:
        yield "nothing to test: no two matches share their luck"
        return
    if not noticed:
        yield "no bot was noticed to play better on deals that were played before"
    yield (
        f"evidence of {memory.needed:,.0f} is needed; if no bot has a memory, one reaches it in at most"
        f" {FALSE_ALARMS:.0%} of leagues"
    )


def _left_out(results: StoredLeague, verdict: LeagueVerdict) -> Section:
    notes = [
        f"{bot} is suspended: {found.faults} of its {several(found.matches, 'match', 'matches')} ended by its fault"
        for bot, found in sorted(verdict.suspensions.items())
    ]
    notes += [
        f"{bot} was withdrawn in wave {wave + 1}: none of its matches in that wave counts"
        for wave, bots in sorted(results.withdrawn().items())
        for bot in sorted(bots)
    ]
    if verdict.skipped:
        skipped = several(verdict.skipped, "match is", "matches are")
        notes.append(f"{skipped} skipped because one of their bots is suspended or withdrawn")
    notes += [f"abandoned, void too often: {fixture.id}" for fixture in verdict.abandoned]
    return Section("What was left out", (), tuple(notes) or ("nothing was left out",))


def _only_the_last(count: int) -> tuple[str, ...]:
    return (f"the last {_LAST} of {count:,} are shown",) if count > _LAST else ()


def _grid(page: FittedTable) -> Grid:
    """The cells of a table that was made for the terminal."""
    cells = ([str(cell) for cell in column.cells] for column in page.table.columns)
    return Grid(tuple(str(column.header) for column in page.table.columns), tuple(zip(*cells, strict=True)))
