"""Salvage: copies the valid matches of a damaged store into a new one. The next run plays the missing ones.

A match is saved if its transcript keeps the rules and has the header that the league's seed and plan give. Everything
else of the match is made from its transcript, as when it was played. The damaged file is only read.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from referee.core.errors import WrongUse
from referee.core.game import AnyGame
from referee.match.transcript import digest_of
from referee.runtime.process_sessions import temporary_folder
from tournaments.config.league_file import SQLITE
from tournaments.league import league_seed
from tournaments.league.model import FinishedMatch, League, finished
from tournaments.league.roster import RosterChange, everybody, roster
from tournaments.play.environment import Environment
from tournaments.results.league_location import game_of
from tournaments.results.progress import league_progress
from tournaments.results.stored_league import open_results, planned_format
from tournaments.results.verify import Verification
from tournaments.schedule.formats import IssuedWave, decider_of
from tournaments.schedule.formats.format import NothingPlayed
from tournaments.schedule.formats.issued_waves import IssuedWaves
from tournaments.schedule.formats.plan import Plan
from tournaments.schedule.formats.wave import fixture_of
from tournaments.store import Damaged, DamagedStore, SavedTranscript, Store, StoreError, transcript_of
from tournaments.store.pinned_league import Content, Pinned, changes_of, keep_pins

_AT_ONCE = 200
"""How many matches are saved in one transaction, at most."""


class FileExists(WrongUse):
    """The new store would be written over a file."""


class SeedLost(WrongUse):
    """The league's seed cannot be read in the damaged store, or is not the one that was given."""


class TableFound(msgspec.Struct, frozen=True):
    """The rows found of a table.

    Attributes:
        table: its name.
        read: how many rows of the league could be read.
        damaged: how many rows were read that make no sense.
        unreadable: whether a part of it could not be read.
    """

    table: str
    read: int
    damaged: int
    unreadable: bool


class SalvageResult(msgspec.Struct, frozen=True):
    """The outcome of the salvage of a damaged store.

    Attributes:
        league: the name of the league.
        tables: the rows found, table by table.
        saved: how many matches are in the new store.
        wrong: transcripts that were read and not saved, by what their rows give as fixture, with the reason.
        remaining: how many matches remain to be played.
        trees: how many trees of bots are in the new store, of whichever league.
        wrong_trees: trees that were found and not saved, by their digests, with the reason.
        notes: further notes, one sentence each.
    """

    league: str
    tables: tuple[TableFound, ...]
    saved: int
    wrong: dict[str, str]
    remaining: int
    trees: int
    wrong_trees: dict[str, str]
    notes: tuple[str, ...]


def salvage(
    league: League, damaged: Path, new: Path, machine: Environment, seed: str | None = None, game: AnyGame | None = None
) -> SalvageResult:
    """Save the valid matches of a league in a damaged SQLite file.

    If this is stopped, or fails, the new store has a part of the matches, and each of them is right.

    Args:
        league: from its file.
        damaged: the file.
        new: the file of the new store; it must not exist.
        machine: the clock, and the bots' files, where the store no longer says what they were.
        seed: the seed, for a store that no longer says it: 64 hex digits, or in a rehearsal any text.
        game: the rules; None: the installed ones.

    Raises:
        FileExists: the new file exists.
        SeedLost: the seed is needed, or differs.
        FileProblems: the files of a bot are needed and cannot be read.
        StoreError: nothing can be read of the file, or the new store fails.
    """
    if new.exists():
        raise FileExists(f"{new} is there already; name a new file (--to)")
    url, now_ms = f"{SQLITE}{new.absolute()}", machine.now_ms()
    with (
        temporary_folder() as folder,
        closing(DamagedStore(damaged, folder, league.name)) as damaged_store,
        Store(damaged_store.url, league.name) as old,
    ):
        pins = _pins(replace(league, seed=_seed(league, damaged_store.seed(), seed)), old, machine)
        with Store(url, league.name) as store:
            pinned = store.open_league(pins.league, pins.contents, b"", now_ms)
            _take_over_what_was_decided(old, store, now_ms)
            wrong: dict[str, str] = {}
            audit = _audit(league, pinned, store, game or game_of(league))
            saved = _save(_sound(damaged_store.transcripts(), audit, wrong), store, now_ms)
            trees, wrong_trees = _save_trees(old, store, now_ms)
        found = tuple(
            TableFound(str(table), read, damaged_store.damaged[table], table in damaged_store.lost)
            for table, read in damaged_store.read.items()
        )
    with open_results(league, url) as results:
        remaining = league_progress(results).matches.remaining
    return SalvageResult(league.name, found, saved, wrong, remaining, trees, wrong_trees, pins.notes)


# The pinned league


class _Pins(NamedTuple):
    """The league that the new store pins, and notes on it."""

    league: League
    contents: dict[str, Content]
    notes: tuple[str, ...]


def _seed(league: League, stored: str | None, option: str | None) -> str:
    """The seed, 64 hex digits: the stored one, or else the given one."""
    user_seed = league.seed if option is None else league_seed.from_given(option).hex()
    if stored is not None and user_seed not in (None, stored):
        raise SeedLost(
            f"the seed of {league.name} in the store is another one than that in the league file or after --seed;"
            " the store's own is right, as its SHA-256 shows: leave yours out"
        )
    found = stored or user_seed
    if found is None:
        raise SeedLost(f"the seed of {league.name} cannot be read in the store; give it: --seed, 64 hex digits")
    return found


def _pins(league: League, old: Store, machine: Environment) -> _Pins:
    notes = []
    if old.pinned() is None:
        notes.append("whether the league was closed cannot be read; if it was, close it again: referee league close")
        old.open_league(league, {}, b"", machine.now_ms())  # so that its data can be read
    elif old.closing().is_whole:
        notes.append("the league is closed, so what is lost of it is not played again")
    pinned = old.pinned()
    assert pinned is not None  # noqa: S101 - it is open now
    changes = changes_of(pinned, replace(league, seed=None))
    notes += [f"by the store, {change}: damaged, or changed since; the league file is followed" for change in changes]
    contents = dict(pinned.contents)
    # The folders of bots that were entered since are not needed: the next run pins what it lacks.
    entries = [each for each in roster(league.entries, old.changes()) if each.source or each in league.entries]
    for name, now in machine.contents(replace(league, entries=tuple(entries))).items():
        if name not in contents:
            notes.append(f"what {name} consisted of cannot be read; its files as they are now are pinned")
        if _are_close(contents.setdefault(name, now), now):
            contents[name] = now
    league = keep_pins(league, pinned)
    here = {table.name for table in league.tables}
    tables = (*league.tables, *(table for name, table in pinned.tables.items() if name not in here))
    return _Pins(replace(league, tables=tables), contents, tuple(notes))


def _are_close(stored: Content, now: Content) -> bool:
    """Whether one can only be a damaged copy of the other: digests of different files differ almost everywhere."""
    pairs = ((stored.sources, now.sources), (stored.output, now.output))
    return all(len(a) == len(b) and 4 * sum(map(str.__ne__, a, b)) <= len(a) for a, b in pairs)


# Decisions


def _take_over_what_was_decided(old: Store, store: Store, now_ms: int) -> None:
    for name, found in old.reinstated().items():
        store.reinstate(name, found.since_ms, partial(int, found.deal))
    store.save([], now_ms, [void for void in old.voids() if fixture_of(void.fixture)])
    _take_over_waves(old.issues(), old.changes(), store, now_ms)
    closed_ms = old.closing().closed_ms
    if closed_ms is not None:
        store.close_league(closed_ms)


def _take_over_waves(issues: Sequence[IssuedWave], changes: Sequence[RosterChange], store: Store, now_ms: int) -> None:
    """Store waves and changes of the roster in the order in which they were made."""
    left = deque(changes)
    for number, issue in enumerate(issues):
        while left and left[0].waves <= number:
            _take_over_change(left.popleft(), store)
        store.issue(number, issue, store.decisions(), now_ms)
    for change in left:
        _take_over_change(change, store)


def _take_over_change(change: RosterChange, store: Store) -> None:
    store.change(change.name, change.entry, change.stored_ms, lambda: change.wave)


# Matches


_Sound: TypeAlias = tuple[int | None, FinishedMatch]
"""A match that verifies, and when it was stored; None if that is lost."""


def _audit(league: League, pinned: Pinned, store: Store, game: AnyGame) -> Verification:
    """The plan that every match must agree with: all issued waves, though matches of earlier ones may be lost."""
    changes = store.changes()
    decides = decider_of(league, pinned.seed_bytes) is not None
    format_ = IssuedWaves(league.game, store.issues()) if decides else planned_format(league, pinned, store)
    plan = Plan()
    while (wave := format_.wave(len(plan.waves), NothingPlayed())) is not None:
        plan.add(wave)
    return Verification(game, replace(league, entries=everybody(league.entries, changes)), pinned, plan)


def _sound(pieces: Iterable[SavedTranscript], audit: Verification, wrong: dict[str, str]) -> Iterator[_Sound]:
    """The matches that verify; `wrong` gets the reasons why others are left out."""
    for piece in pieces:
        try:
            yield piece.stored_ms, _verified(piece, audit)
        except Damaged as damage:
            wrong[piece.fixture] = str(damage)


def _verified(piece: SavedTranscript, audit: Verification) -> FinishedMatch:
    """The match of a transcript.

    Raises:
        Damaged: it is not to be saved.
    """
    try:
        transcript = transcript_of(piece.fixture, piece.record, piece.metadata)
    except StoreError as error:
        raise Damaged("its transcript is damaged") from error
    header, fixture = transcript.record.header, fixture_of(piece.fixture)
    if fixture is None or (header.fixture, header.entries) != (fixture.id, fixture.entries):
        raise Damaged("its transcript is that of another match")
    difference = audit.wrong(fixture.id, transcript)
    if difference is not None:
        raise Damaged(str(difference))
    if piece.digest not in (None, digest_of(piece.record)):
        raise Damaged("its record keeps the rules but is not the one that was stored: its digest differs")
    return replace(finished(fixture, transcript), record=piece.record, metadata=piece.metadata)


def _save(matches: Iterator[_Sound], store: Store, now_ms: int) -> int:
    """Store matches, each with the time at which it was stored before, or else with this one; how many there are."""
    saved = 0
    for stored_ms, group in groupby(matches, key=itemgetter(0)):
        while some := [match for _, match in islice(group, _AT_ONCE)]:
            saved += store.save(some, now_ms if stored_ms is None else stored_ms)
    return saved


# The bots


def _save_trees(old: Store, store: Store, now_ms: int) -> tuple[int, dict[str, str]]:
    """Keep the trees of bots that are whole: how many there are, and by their digests what is wrong with the others."""
    wrong: dict[str, str] = {}
    found = old.trees.digests()
    for key in found:
        try:
            _save_tree(key, old, store, now_ms)
        except Damaged as damage:
            wrong[key] = str(damage)
    return len(found) - len(wrong), wrong


def _save_tree(key: str, old: Store, store: Store, now_ms: int) -> None:
    tree = old.trees.find(key)
    assert tree is not None  # noqa: S101 - nobody else has that store

    def content(name: str) -> Iterator[bytes]:
        return next(old.trees.files(replace(tree, listing={name: tree.listing[name]})))[2]

    store.trees.keep(tree.listing, content, now_ms)
