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
from tournaments.results.parquet_files import PARQUET_FILES, Form, write_parquet
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
    matches = (_exported(results, each) for each in stored)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _whole(*(folder / name for name in ("league.json", "matches.jsonl", "matches.csv"))) as parts:
            league, lines, table = parts
            document = msgspec.json.encode(exported_league(results, stored))
            league.write_bytes(msgspec.json.format(document) + b"\n")
            _write_matches(matches, lines, table)
        _write_transcripts(results, {each.played.fixture for each in stored}, folder / "transcripts")
    except OSError as error:
        where = error.filename2 or error.filename or folder
        raise CannotExport(f"{where}: cannot be written: {error.strerror}") from error
    return len(stored)


def export_parquet(results: StoredLeague, folder: Path, form: Form | None, terms: str) -> int:
    """Write the league as Parquet (`parquet_files.py`), without transcripts. Returns how many matches.

    Raises:
        CannotExport: a file cannot be written.
        StoreError: the store fails.
        WrongUse: as `write_parquet`.
    """
    stored = results.state.stored()
    matches = (_exported(results, each) for each in stored)
    names = [name for name in PARQUET_FILES if form is not None or name != "decisions.parquet"]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _whole(*(folder / name for name in names)) as parts:
            paths = dict(zip(names, parts, strict=True))
            write_parquet(exported_league(results, stored), matches, results.store, paths, form, terms)
    except OSError as error:
        raise CannotExport(f"{error.filename or folder}: cannot be written: {error.strerror}") from error
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


def _exported(results: StoredLeague, stored: JudgedMatch) -> ExportedMatch:
    return exported_match(stored, results.pinned.own_deals, results.league.price_of, results.rated.authors)


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
            path.parent.mkdir(parents=True, exist_ok=True)
            with _whole(path) as (part,):
                part.write_bytes(to_file(transcript))


@contextmanager
def _whole(*paths: Path) -> Iterator[list[Path]]:
    """Other names to write files under. They get their own when all of them are whole, and are removed otherwise."""
    parts = [path.with_name(f"{path.name}.{os.getpid()}.part") for path in paths]
    try:
        yield parts
        for part, path in zip(parts, paths, strict=True):
            part.replace(path)
    finally:
        for part in parts:
            part.unlink(missing_ok=True)
