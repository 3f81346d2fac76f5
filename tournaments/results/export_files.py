"""Writes what is known about a league into a folder, for other programs.

A file gets its name when it is whole, so an export that fails or is killed leaves no half of one under its name.
"""

import csv
import os
from collections.abc import Iterable, Iterator, Set
from contextlib import contextmanager
from pathlib import Path

import msgspec

from referee.core.errors import WrongUse
from referee.files.manifest import label_of
from referee.match.transcript import to_file
from tournaments.league.model import Entry
from tournaments.results.export_fields import (
    FORMAT,
    ExportedBot,
    ExportedLeague,
    ExportedMatch,
    ExportedSuspension,
    SeatRow,
    cells,
    exported_match,
    seat_rows,
)
from tournaments.results.progress import league_progress
from tournaments.results.standings import league_digest
from tournaments.results.stored_league import StoredLeague
from tournaments.schedule.league_state import JudgedMatch
from tournaments.store.pinned_league import Pinned


class CannotExport(WrongUse):
    """A file of an export cannot be written; the text says which, and why."""


def export(results: StoredLeague, folder: Path) -> int:
    """Write `league.json`, `matches.jsonl`, `matches.csv` and a transcript of each match. Returns how many matches.

    The league may be played meanwhile. All files are about the results that were there when they were first read.

    Raises:
        CannotExport: a file cannot be written.
        StoreError: the store fails.
    """
    stored = results.state.stored()
    with whole_files(folder, "league.json", "matches.jsonl", "matches.csv") as (league, lines, table):
        document = msgspec.json.encode(exported_league(results, stored))
        league.write_bytes(msgspec.json.format(document) + b"\n")
        _write_matches(exported_matches(results, stored), lines, table)
    _write_transcripts(results, {each.played.fixture for each in stored}, folder / "transcripts")
    return len(stored)


def exported_league(results: StoredLeague, stored: Iterable[JudgedMatch]) -> ExportedLeague:
    """The content of `league.json` for a league with these results."""
    league, pinned, progress = results.league, results.pinned, league_progress(results)
    return ExportedLeague(
        format=FORMAT,
        name=league.name,
        game=pinned.game,
        rules_version=pinned.rules_version,
        kind=msgspec.to_builtins(league.format)["kind"],
        draw_probability=league.draw_probability,
        deals=league.deals,
        seed_sha256=pinned.commitment,
        seed=results.seed,
        rehearsal=pinned.rehearsal,
        sandbox=league.sandbox,
        fresh=league.fresh,
        pondering=league.pondering,
        clock=pinned.clock,
        tables=league.tables,
        bots=tuple(_bot(entry, pinned) for entry in league.entries),
        suspensions=_suspensions(results, stored),
        matches=progress.matches,
        void=progress.void,
        digest=league_digest((each.played.fixture, each.played.digest) for each in stored if each.counts),
    )


def exported_matches(results: StoredLeague, stored: Iterable[JudgedMatch]) -> Iterator[ExportedMatch]:
    """These results as they are exported."""
    own, cost, authors = results.pinned.own_deals, results.league.cost, results.rated.authors
    return (exported_match(each, own, cost, authors) for each in stored)


def _bot(entry: Entry, pinned: Pinned) -> ExportedBot:
    """A bot of the league file. Its pinned content counts, whatever the file says now."""
    content = pinned.contents.get(entry.name)
    terms = entry.terms if content is None else content.terms
    return ExportedBot(
        bot=entry.name,
        digest=None if content is None or entry.name in pinned.remote else content.sources,
        remote=entry.remote is not None,
        label=label_of(entry.name),
        **msgspec.structs.asdict(terms),
    )


def _suspensions(results: StoredLeague, stored: Iterable[JudgedMatch]) -> tuple[ExportedSuspension, ...]:
    suspensions = results.state.verdict().suspensions
    places = {suspension.at for suspension in suspensions.values()}
    fixtures = {each.placed.at: each.played.fixture for each in stored if each.placed and each.placed.at in places}
    return tuple(
        ExportedSuspension(bot, fixtures[found.at], found.faults, found.matches)
        for bot, found in sorted(suspensions.items())
    )


def _write_matches(matches: Iterable[ExportedMatch], lines: Path, table: Path) -> None:
    with lines.open("wb") as documents, table.open("w", newline="", encoding="utf-8") as rows:
        writer = csv.writer(rows, lineterminator="\n")
        writer.writerow(SeatRow._fields)
        for match in matches:
            documents.write(msgspec.json.encode(match) + b"\n")
            writer.writerows(cells(row) for row in seat_rows(match))


def _write_transcripts(results: StoredLeague, fixtures: Set[str], folder: Path) -> None:
    for fixture, transcript in results.store.transcripts():
        if fixture in fixtures:
            path = folder / f"{fixture}.json"
            with whole_files(path.parent, path.name) as (part,):
                part.write_bytes(to_file(transcript))


@contextmanager
def whole_files(folder: Path, *names: str) -> Iterator[list[Path]]:
    """Other names to write files under. They get their own when all of them are whole, and are removed otherwise.

    Raises:
        CannotExport: a file cannot be written.
    """
    parts = [folder / f"{name}.{os.getpid()}.part" for name in names]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            yield parts
            for part, name in zip(parts, names, strict=True):
                part.replace(folder / name)
        finally:
            for part in parts:
                part.unlink(missing_ok=True)
    except OSError as error:
        where = error.filename2 or error.filename or folder
        raise CannotExport(f"{where}: cannot be written: {error.strerror}") from error
