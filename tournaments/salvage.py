"""Salvage: what verifies of a damaged store becomes a new one, and the next run plays what is missing.

A match is saved if its transcript keeps the rules and has the header that the league's seed and plan give. Everything
else of the match is made from its transcript, as when it was played. The damaged file is only read.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from referee.core.errors import WrongUse
from referee.core.game import AnyGame
from referee.match.transcript import digest_of
from referee.wire.registry import game_entry
from tournaments import seeding
from tournaments.audit import Audit
from tournaments.config import SQLITE
from tournaments.formats import Issue, decider_of, format_of
from tournaments.formats.format import Nothing
from tournaments.formats.issued import Issued
from tournaments.formats.plan import Plan
from tournaments.formats.wave import fixture_of
from tournaments.kept import to_read
from tournaments.machine import Machine
from tournaments.model import Finished, League, TableSpec, finished
from tournaments.pins import Content, Pinned, changes_of, is_whole
from tournaments.roster import Change, everybody
from tournaments.store import (
    Damaged,
    LeagueRow,
    Piece,
    Remains,
    Store,
    StoreError,
    TreeFound,
    TreeRemains,
    Wreck,
    transcript_of,
)

_AT_ONCE = 200
"""How many matches are saved in one transaction, at most."""

_TABLES = ("league", "league_table", "entry", "transcript", "match", "dictionary", "void", "issue", "change")
"""What is read. The rows of seats follow from transcripts."""


class FileThere(WrongUse):
    """The new store would be written over a file."""


class SeedLost(WrongUse):
    """The league's seed cannot be read in the damaged store, or is not the one that was given."""


class TableFound(msgspec.Struct, frozen=True):
    """What was found of a table.

    Attributes:
        table: its name.
        read: how many rows of the league could be read.
        damaged: how many rows were read that make no sense.
        unreadable: whether a part of it could not be read, or all of it.
    """

    table: str
    read: int
    damaged: int
    unreadable: bool


class Salvaged(msgspec.Struct, frozen=True):
    """What became of a damaged store.

    Attributes:
        league: the name of the league.
        tables: what was found, table by table.
        saved: how many matches are in the new store.
        wrong: transcripts that were read and not saved, by what their rows give as fixture, with the reason.
        remaining: how many matches remain to be played.
        trees: how many trees of bots are in the new store, of whichever league.
        wrong_trees: trees that were found and not saved, by their digests, with the reason.
        notes: what else is to be known, one sentence each.
    """

    league: str
    tables: tuple[TableFound, ...]
    saved: int
    wrong: dict[str, str]
    remaining: int
    trees: int
    wrong_trees: dict[str, str]
    notes: tuple[str, ...]


class _Pins(NamedTuple):
    """What the new store pins, and what is to be said about it."""

    league: League
    contents: dict[str, Content]
    reinstated: dict[str, int]
    stored_ms: int
    closed_ms: int | None
    notes: tuple[str, ...]


def salvage(
    league: League, damaged: Path, new: Path, machine: Machine, seed: str | None = None, game: AnyGame | None = None
) -> Salvaged:
    """Save what verifies of a league in a damaged SQLite file.

    If this is stopped, or fails, the new store has a part of the matches, and each of them is right.

    Args:
        league: from its file.
        damaged: the file.
        new: the file of the new store; it must not exist.
        machine: the clock, and the bots' files, where the store no longer says what they were.
        seed: the seed, for a store that no longer says it: 64 hex digits, or in a rehearsal any text.
        game: the rules; None: the installed ones.

    Raises:
        FileThere: the new file exists.
        SeedLost: the seed is needed, or differs.
        FileProblems: the files of a bot are needed and cannot be read.
        StoreError: nothing can be read of the file, or the new store fails.
    """
    with Wreck(damaged) as wreck:
        if "transcript" not in wreck.tables:
            raise StoreError(f"nothing can be read of {damaged}: it has no list of transcripts")
        remains = Remains(wreck, league.name)
        pins = _pins(league, remains, machine, seed)
        _reserve(new)
        with Store(f"{SQLITE}{new.absolute()}", league.name) as store:
            pinned = store.open_league(pins.league, pins.contents, b"", pins.stored_ms)
            for name, reinstated_ms in pins.reinstated.items():
                store.reinstate(name, reinstated_ms)
            store.save([], machine.now_ms(), [void for void in remains.voids() if fixture_of(void.fixture)])
            wrong: dict[str, str] = {}
            issues, changes = remains.issues(), remains.changes()
            _take_over(issues, changes, store, machine.now_ms())
            everyone = replace(league, entries=everybody(league.entries, changes))
            plan = _plan(league, pinned.seed_bytes, issues)
            audit = Audit(game or game_entry(league.game).game, everyone, pinned, plan)
            saved = _save(_sound(remains, audit, wrong), store, machine.now_ms())
            if pins.closed_ms is not None:
                store.close_league(pins.closed_ms)
            trees = _Trees(wreck, store)
        found = tuple(
            TableFound(table, remains.read[table], remains.damaged[table], remains.unreadable(table))
            for table in _TABLES
        )
    with to_read(league, f"{SQLITE}{new.absolute()}") as kept:
        remaining = kept.status().remaining
    notes = (*pins.notes, *trees.notes)
    return Salvaged(league.name, found, saved, wrong, remaining, trees.saved, trees.wrong, notes)


def _reserve(new: Path) -> None:
    """Make the file, empty; whoever makes it has it."""
    try:
        new.touch(exist_ok=False)
    except FileExistsError as error:
        raise FileThere(f"{new} is there already; name a new file (--to)") from error
    except OSError as error:
        raise StoreError(f"{new} cannot be written: {error.strerror}") from error


# What was pinned


def _pins(league: League, remains: Remains, machine: Machine, given: str | None) -> _Pins:
    row = remains.league()
    tables, entries = remains.tables(), remains.entries()
    notes = [] if row is None else _differences(league, row, remains, tables)
    contents = {name: content for name, (content, _) in entries.items() if is_whole(content)}
    now = machine.contents(league)
    for name, content in now.items():
        if name not in contents:
            notes.append(f"what {name} consisted of cannot be read; its files as they are now are pinned")
        elif _are_close(contents[name], content):
            contents[name] = content
    here = {table.name for table in league.tables}
    return _Pins(
        league=replace(
            league,
            seed=_seed(league, row, given),
            tables=(*league.tables, *(table for name, table in tables.items() if name not in here)),
        ),
        contents=now | contents,
        reinstated={name: since_ms for name, (_, since_ms) in entries.items() if since_ms is not None},
        stored_ms=machine.now_ms() if row is None else row.stored_ms,
        closed_ms=None if row is None else row.closed_ms,
        notes=(*notes, *_of_closing(row)),
    )


def _of_closing(row: LeagueRow | None) -> Iterator[str]:
    if row is None:
        yield "whether the league was closed cannot be read; if it was, close it again: referee league close"
    elif row.closed_ms is not None:
        yield "the league is closed, so what is lost of it is not played again"


def _seed(league: League, row: LeagueRow | None, given: str | None) -> str:
    """The seed, 64 hex digits: the stored one, which its SHA-256 vouches for, or else the given one."""
    stored = None if row is None else _vouched_for(row)
    told = league.seed if given is None else seeding.from_given(given).hex()
    if stored is not None and told not in (None, stored):
        raise SeedLost(
            f"the seed of {league.name} in the store is another one than that in the league file or after --seed;"
            " the store's own is right, as its SHA-256 shows: leave yours out"
        )
    found = stored or told
    if found is None:
        raise SeedLost(f"the seed of {league.name} cannot be read in the store; give it: --seed, 64 hex digits")
    return found


def _vouched_for(row: LeagueRow) -> str | None:
    if not seeding.is_full(row.seed) or seeding.commitment(bytes.fromhex(row.seed)) != row.seed_sha256:
        return None
    return row.seed


def _differences(league: League, row: LeagueRow, remains: Remains, tables: Mapping[str, TableSpec]) -> list[str]:
    """A sentence for each thing that the store says otherwise than the league file, which is followed."""
    clock = remains.clock(row) or league.clock
    said = Pinned(row.game, row.rules_version, bool(row.rehearsal), row.seed, clock, dict(tables), {})
    changes = changes_of(said, replace(league, seed=None))
    return [f"by the store, {change}: damaged, or changed since; the league file is followed" for change in changes]


def _are_close(stored: Content, now: Content) -> bool:
    """Whether one can only be a damaged copy of the other: digests of different files differ almost everywhere."""
    pairs = ((stored.sources, now.sources), (stored.output, now.output))
    return all(len(a) == len(b) and 4 * sum(map(str.__ne__, a, b)) <= len(a) for a, b in pairs)


# What was played


def _take_over(issues: Sequence[Issue], changes: Iterable[Change], store: Store, now_ms: int) -> None:
    """Store waves and changes of the roster in the order in which they were made."""
    left = deque(changes)
    made = 0
    for number in range(len(issues) + 1):
        while left and (left[0].waves <= number or number == len(issues)):
            change = left.popleft()
            store.change(change.name, change.entry, change.stored_ms)
            made += 1
        if number < len(issues):
            store.issue(number, issues[number], made, now_ms)


def _plan(league: League, seed: bytes, issues: Sequence[Issue]) -> Plan:
    issued = Issued(league.game, issues)
    waves = [format_of(league, seed).wave(0, Nothing())]
    if decider_of(league, seed) is not None:
        waves = [issued.wave(number, Nothing()) for number in range(len(issues))]
    plan = Plan()
    for wave in filter(None, waves):
        plan.add(wave)
    return plan


class _Sound(NamedTuple):
    """A match that verifies.

    Attributes:
        match: as it was stored.
        stored_ms: when; None if that is lost.
    """

    match: Finished
    stored_ms: int | None


def _sound(remains: Remains, audit: Audit, wrong: dict[str, str]) -> Iterator[_Sound]:
    """The matches that verify, each once; `wrong` gets the reasons why others are left out."""
    seen: set[str] = set()
    for piece in remains.transcripts():
        try:
            sound = _verified(piece, remains, audit)
        except _Unsound as reason:
            wrong[piece.fixture] = str(reason)
            continue
        if piece.fixture not in seen:  # damage may make the same row be found twice
            seen.add(piece.fixture)
            yield sound


class _Unsound(Exception):
    """A match does not verify; the text says why."""


def _verified(piece: Piece, remains: Remains, audit: Audit) -> _Sound:
    """The match of a transcript.

    Raises:
        _Unsound: it cannot be saved.
    """
    fixture = fixture_of(piece.fixture)
    if fixture is None:
        raise _Unsound("its id is not that of a match")
    if piece.parts is None:
        raise _Unsound("its transcript cannot be unpacked")
    record, aside = piece.parts
    try:
        transcript = transcript_of(fixture.id, record, aside)
    except (StoreError, UnicodeDecodeError, RecursionError) as error:
        raise _Unsound("its transcript is damaged") from error
    header = transcript.record.header
    if (header.fixture, header.entries) != (fixture.id, fixture.entries):
        raise _Unsound("its transcript is that of another match")
    difference = audit.wrong(fixture.id, transcript)
    if difference is not None:
        raise _Unsound(difference)
    beside = remains.beside(fixture.id)
    if not piece.checked and beside is not None and beside.digest != digest_of(record):
        raise _Unsound("its record keeps the rules but is not the one that was stored: its digest differs")
    match = replace(finished(fixture, transcript), record=record, aside=aside)
    return _Sound(match, None if beside is None else beside.stored_ms)


def _save(matches: Iterator[_Sound], store: Store, now_ms: int) -> int:
    """Store matches, each with the time at which it was stored before, or else with this one; how many there are."""
    saved = 0
    for stored_ms, group in groupby(matches, key=attrgetter("stored_ms")):
        while some := [sound.match for sound in islice(group, _AT_ONCE)]:
            saved += store.save(some, now_ms if stored_ms is None else stored_ms)
    return saved


# The bots


class _Trees:
    """The trees of bots, taken over if they are whole.

    Attributes:
        saved: how many are.
        wrong: those that are not, with the reason.
        notes: what else is to be known, one sentence each.
    """

    def __init__(self, wreck: Wreck, store: Store) -> None:
        self.saved = 0
        self.wrong: dict[str, str] = {}
        remains = TreeRemains(wreck)
        for found in remains.found():
            try:
                _keep(found, remains, store)
                self.saved += 1
            except Damaged as damage:
                self.wrong[found.digest] = str(damage)
        self.notes = ["a part of the list of bots' trees is lost"] if remains.lost else []


def _keep(found: TreeFound, remains: TreeRemains, store: Store) -> None:
    """Take over a tree.

    Raises:
        Damaged: it is not whole.
    """
    tree = found.tree
    if isinstance(tree, Damaged):
        raise tree
    store.trees.keep(tree.listing, lambda name: remains.content(tree, name), found.stored_ms)
