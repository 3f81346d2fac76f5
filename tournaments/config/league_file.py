"""The league file: TOML in, a checked `League` out, or everything that is wrong with it at once."""

import itertools
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import msgspec
from msgspec.structs import replace
from pydantic import ValidationError

from referee.core.bot_limits import FolderLimits
from referee.core.errors import FileProblems, WrongUse
from referee.core.game import AnyGame
from referee.core.text import is_utf8
from referee.files.bot_toml import read_manifest
from referee.files.file_model import FileModel, problems_of
from referee.files.manifest import MANIFEST, Manifest, ManifestError, labelled
from referee.files.options import OptionsError, read_options, wrong_values
from referee.files.safe_read import read_toml
from referee.match.terms import Clock, EntryTerms
from tournaments.config.league_keys import (
    ClockPart,
    FolderPart,
    FoldersPart,
    Head,
    RemotePart,
    SubmissionsPart,
    TablePart,
)
from tournaments.league import league_seed
from tournaments.league.format_settings import Settings, WrongSettings, settings_of
from tournaments.league.model import Entry, League, Remote, TableSpec
from tournaments.league.roster import with_authors
from tournaments.league.service_terms import SubmissionTerms as Submissions
from tournaments.schedule.formats import problems
from tournaments.schedule.seating import lack

MOST_BYTES = 1 << 20
"""Of a league file: a thousand bots in it take a tenth of that."""

SQLITE = "sqlite:///"
"""Goes before the path of a file to make it the address of a store."""


class LeagueFileError(FileProblems):
    """A league file that cannot be used as it is."""


def store_at(file: Path, place: str) -> str:
    """The address of the store that a file names by its address, or by a path relative to the file."""
    return place if "://" in place else f"{SQLITE}{(file.parent / place).resolve()}"


_Part = TypeVar("_Part", bound=FileModel)

Rules: TypeAlias = Callable[[str], AnyGame]
"""Gives the game of a name, or raises `WrongUse`: it is not installed."""


def read_league(path: Path, rules: Rules) -> League:
    """The league that a file describes; paths of bots are relative to the file.

    Raises:
        LeagueFileError: with everything that is wrong in the file, in its bots and in its options.
    """
    reader, league = _read(path, rules)
    if league is None or reader.problems:
        raise LeagueFileError(reader.problems)
    return league


def read_past_league(path: Path, rules: Rules) -> League:
    """The same, to read what was played: without what its game says, and its bots, as far as they are gone.

    Raises:
        LeagueFileError: with everything else that is wrong.
    """
    reader, league = _read(path, rules)
    wrong = [problem for problem in reader.problems if problem not in reader.absent]
    if league is None or wrong:
        raise LeagueFileError(wrong)
    return league


def _read(path: Path, rules: Rules) -> tuple["_Reader", League | None]:
    try:
        raw = read_toml(path, MOST_BYTES)
    except FileProblems as error:
        raise LeagueFileError(error.problems) from error
    reader = _Reader(path, None)
    return reader, reader.league(raw, rules)


def entry_in(folder: Path, label: str | None, league: League, game: AnyGame) -> Entry:
    """The entry that a bot's folder would be in a league.

    Raises:
        LeagueFileError: it cannot play in the league.
    """
    reader = _Reader(folder, game)
    entry = reader.entry({"path": str(folder.absolute())} | ({} if label is None else {"label": label}), league)
    if entry is None or reader.problems:
        raise LeagueFileError(reader.problems)
    return entry


class _Reader:
    """Reads one league file, part by part, and continues after a mistake to name the others."""

    def __init__(self, path: Path, game: AnyGame | None) -> None:
        self.problems: list[str] = []
        self.absent: list[str] = []  # those of `problems` that say which folder of a bot, or game, is not there
        self._manifests: dict[str, Manifest] = {}
        self._path = path
        self._game = game

    def league(self, raw: dict[str, Any], rules: Rules) -> League | None:
        if "parlour" in raw:
            raw["visitors"] = raw.pop("parlour")
            self.problems.append("parlour: this section is called visitors now; rename it")
        head = self._part(Head, raw, "", {"name": "league", "game": "", "deals": 1, "tables": [{}]})
        if isinstance(raw.get("game"), str):
            try:
                self._game = rules(raw["game"])
            except WrongUse as error:
                self._miss("game", str(error))
        seed = self._seed(raw.get("seed"), raw.get("rehearsal"))
        before = len(self.problems)
        clock = self._clock(raw.get("clock", {}), "clock", Clock()) or Clock()
        folders = self._folders(raw.get("folders", {})) or FolderLimits()
        in_limits = len(self.problems) - before
        entries = self._entries(_dicts(raw, "bots"), clock)
        submissions = self._submissions(raw)
        # The bots that will enter before the league is played are not known yet.
        bots = len(_dicts(raw, "bots")) if submissions is None else None
        tables = self._tables(_dicts(raw, "tables"), bots)
        settings = self._settings(raw.get("format", {})) or settings_of({})
        self._check_options(tables)
        if head is None:
            return None
        has_its_parts = len(self.problems) == in_limits
        silent = [str(part.get("name")) for part in _dicts(raw, "tables") if "luck" not in part]
        # Bots of strangers may remember what they met, by ways that nobody knows.
        luck = head.luck or ("own" if submissions or head.service else "common")
        league = League(
            name=head.name,
            game=head.game,
            rules_version=0 if self._game is None else self._game.rules_version,
            draw_probability=0 if self._game is None else self._game.draw_probability,
            deals=head.deals,
            seed=seed,
            rehearsal=head.rehearsal,
            sandbox=head.sandbox.kind,
            fresh=head.fresh,
            pondering=head.pondering,
            clock=clock,
            tables=tuple(replace(table, luck=luck) if table.name in silent else table for table in tables),
            entries=entries,
            store=None if head.store is None else store_at(self._path, head.store),
            folders=folders,
            limits=head.sandbox.limits,
            read=tuple(str((self._path.parent / place).resolve()) for place in head.sandbox.read),
            format=settings,
            notify=tuple(head.notify.command),
            batch=head.batch,
            submissions=submissions,
            visitors=head.visitors.terms,
            assumed_luck=() if head.luck else tuple(silent),
            again=head.again,
            service=None if head.service is None else head.service.terms,
            lacks_bots=len(entries) < len(_dicts(raw, "bots")),
            lacks_rules=self._game is None,
            same_author=head.rating.same_author,
            starts_ms=head.starts_ms,
            ends_ms=head.ends_ms,
            prices={name: (price.million_tokens, price.processor_hour) for name, price in head.prices.items()},
        )
        league = with_authors(league)
        if submissions is not None and submissions.size_mib > folders.size_mib:
            self._wrong("submissions.size_mib", f"is more than size_mib in [folders], which is {folders.size_mib}")
        self._check_opponents(league)
        self._check_times(league)
        for place in (league.store or "", *league.read, *(entry.place for entry in league.entries)):
            self._check_utf8(place)
        if has_its_parts and submissions is None:
            for problem in problems(league):
                self._wrong("format", problem)
        return league

    def _check_utf8(self, place: str) -> None:
        """The store and the messages to workers have paths as text."""
        if not is_utf8(place):
            self._wrong(place, "its name is not UTF-8; rename the file or folder")

    def _check_opponents(self, league: League) -> None:
        """A bot that is not in the file may still be submitted, where that is allowed."""
        remote = {entry.name: entry.remote is not None for entry in league.entries}
        for number, name in enumerate(league.visitors.opponents):
            place = f"visitors.opponents[{number}]"
            if name not in remote and league.submissions is None and not league.lacks_bots:
                here = ", ".join(sorted(entry for entry, away in remote.items() if not away))
                self._wrong(place, f"there is no bot {name!r}; allowed: {here or 'none'}")
            elif remote.get(name):
                self._wrong(place, f"{name} is called at an address, and visitors can play with bots in folders only")

    def _check_times(self, league: League) -> None:
        closes_ms = None if league.submissions is None else league.submissions.closes_ms
        if None not in (league.starts_ms, closes_ms) and league.starts_ms < closes_ms:
            self._wrong("starts", "is before closes in [submissions]")
        starts_ms = league.starts_ms or closes_ms
        if None not in (starts_ms, league.ends_ms) and league.ends_ms <= starts_ms:
            self._wrong("ends", f"is not after {'starts' if league.starts_ms else 'closes in [submissions]'}")
        if league.submissions is not None and league.submissions.carries_from == league.name:
            self._wrong("submissions.from", "is this league; name an earlier one")

    def entry(self, raw: dict[str, Any], league: League) -> Entry | None:
        self._check_utf8(raw["path"])
        entry = None if self.problems else self._entry("bot", raw, league.clock)
        self._check_options(league.tables)
        return entry

    def _wrong(self, place: str, sentence: str) -> None:
        self.problems.append(f"{self._path.name}: {place}: {sentence}")

    def _miss(self, place: str, sentence: str) -> None:
        self._wrong(place, sentence)
        self.absent.append(self.problems[-1])

    def _part(self, model: type[_Part], raw: Any, place: str, usual: Mapping[str, Any] | None = None) -> _Part | None:
        """A part; all of its mistakes are told. With the `usual` values for wrong keys, the rest is still read."""
        try:
            return model.model_validate(raw)
        except ValidationError as error:
            self.problems += problems_of(error, model, f"{self._path.name}: {place}")
            wrong = {details["loc"][:1] for details in error.errors()}
        with suppress(ValidationError):
            if usual is not None:
                known = {key: value for key, value in raw.items() if (key,) not in wrong}
                return model.model_validate(known | {key: usual[key] for key in usual if (key,) in wrong})
        return None

    def _seed(self, value: Any, rehearsal: Any) -> str | None:
        if not isinstance(value, str):
            return None
        if rehearsal is not True and not league_seed.is_full(value):
            self._wrong(
                "seed",
                f"{value!r} can be guessed; allowed: 64 hex digits, or no seed (one is drawn at the first run), or any"
                " text together with rehearsal = true",
            )
        return league_seed.from_given(value).hex()

    def _clock(self, raw: Any, place: str, usual: Clock) -> Clock | None:
        """A clock, with missing values from the `usual` one. None if it cannot be read."""
        part = self._part(ClockPart, raw, f"{place}.") if isinstance(raw, dict) else None
        if part is None:
            return None
        try:
            return Clock(**(msgspec.structs.asdict(usual) | part.model_dump(exclude_unset=True)))
        except ValueError as error:
            self._wrong(place, str(error))
            return None

    def _settings(self, raw: Any) -> Settings | None:
        if not isinstance(raw, dict):
            return None
        try:
            return settings_of(raw)
        except WrongSettings as error:
            self.problems.append(f"{self._path.name}: format.{error}")
            return None

    def _folders(self, raw: Any) -> FolderLimits | None:
        part = self._part(FoldersPart, raw, "folders.") if isinstance(raw, dict) else None
        return None if part is None else FolderLimits(**part.model_dump())

    def _submissions(self, raw: dict[str, Any]) -> Submissions | None:
        """On which terms bots may be submitted; None if the file names all bots, and says nothing about others."""
        if "submissions" not in raw:
            return None if raw.get("bots") else Submissions()
        given = raw["submissions"]
        part = self._part(SubmissionsPart, given, "submissions.") if isinstance(given, dict) else None
        return Submissions() if part is None else part.terms

    def _entries(self, bots: list[dict[str, Any]], usual: Clock) -> tuple[Entry, ...]:
        entries: dict[str, Entry] = {}
        for place, raw in _places("bots", bots):
            entry = self._entry(place, raw, usual)
            if entry is None:
                continue
            if entry.name in entries:
                self._wrong(
                    place,
                    f"{entry.name} is in this league already, from {entries[entry.name].place};"
                    " every bot needs a name and version of its own, or a label",
                )
            self._check_addresses(place, entry, entries.values())
            entries[entry.name] = entry
        return tuple(entries.values())

    def _check_addresses(self, place: str, entry: Entry, others: Iterable[Entry]) -> None:
        """Two entries at one address would hold more seats there than each may."""
        same = next((other.name for other in others if other.place == entry.place and other.name != entry.name), None)
        if entry.remote is not None and same is not None:
            self._wrong(f"{place}.address", f"{same} is there, too; a bot at an address can be entered once")

    def _entry(self, place: str, raw: dict[str, Any], usual: Clock) -> Entry | None:
        if "address" in raw:
            if "path" in raw:
                self._wrong(
                    place, "has both path and address; keep path for a bot in a folder, address for one elsewhere"
                )
            remote = self._part(RemotePart, {key: raw[key] for key in raw if key != "path"}, f"{place}.", {})
            return None if remote is None else self._remote(remote, self._own_clock(place, remote.clock, usual))
        folder = self._part(FolderPart, raw, f"{place}.", {})
        return None if folder is None else self._local(place, folder, self._own_clock(place, folder.clock, usual))

    def _own_clock(self, place: str, raw: dict[str, Any], usual: Clock) -> Clock | None:
        """The clock of a bot; None if it is the `usual` one, or cannot be read."""
        own = self._clock(raw, f"{place}.clock", usual)
        return None if own == usual else own

    def _remote(self, part: RemotePart, clock: Clock | None) -> Entry:
        bot = f"{part.name}@{part.version}"
        ca, token_file = (
            None if name is None else str(self._path.parent / name) for name in (part.ca, part.token_file)
        )
        name, caller = labelled(bot, part.label), part.caller
        remote = Remote(ca, token_file, part.parallel, part.forgiven, part.absent, part.patience_s, caller is not None)
        address = f"{part.address}/{name}" if caller else part.address  # an author may have several
        return Entry(name, address, remote, part.label and bot, EntryTerms(clock=clock), None, caller or part.author)

    def _local(self, place: str, part: FolderPart, clock: Clock | None) -> Entry | None:
        folder = self._path.parent / part.path
        try:
            manifest = read_manifest(folder)
        except ManifestError as error:
            for problem in error.problems:
                self._miss(f"{place}.path", problem)
            return None
        if self._game is not None and not manifest.plays(self._game.name):
            plays = ", ".join(manifest.games)
            self._wrong(
                f"{place}.path",
                f"{manifest.entry} does not play {self._game.name}; its bot.toml says: {plays}",
            )
        if self._game is not None:
            listed = manifest.options.get(self._game.name, {})
            for problem in wrong_values(self._game, listed, f"{folder / MANIFEST}: options.{self._game.name}."):
                self._wrong(f"{place}.path", problem)
        self._manifests[f"{place}.path"] = manifest
        name, terms = labelled(manifest.entry, part.label), EntryTerms(tuple(part.arguments), part.environment, clock)
        return Entry(name, str(folder.resolve()), None, part.label and manifest.entry, terms, None, part.author)

    def _check_options(self, tables: tuple[TableSpec, ...]) -> None:
        """Every bot must be able to sit at every table."""
        for place, manifest in self._manifests.items():
            for table in tables:
                if self._game is not None and manifest.plays(self._game.name):
                    refusal = manifest.refusal(self._game.name, table.options)
                    if refusal:
                        self._wrong(place, f"table {table.name}: {refusal}")

    def _tables(self, raw_tables: list[dict[str, Any]], bots: int | None) -> tuple[TableSpec, ...]:
        tables: dict[str, TableSpec] = {}
        for place, raw in _places("tables", raw_tables):
            table = self._table(place, raw, bots)
            if table is None:
                continue
            if table.name in tables:
                self._wrong(f"{place}.name", f"there are two tables named {table.name}")
            tables[table.name] = table
        return tuple(tables.values())

    def _table(self, place: str, raw: dict[str, Any], bots: int | None) -> TableSpec | None:
        part = self._part(TablePart, raw, f"{place}.", {"seating": "copies"})  # it needs the fewest bots
        given = raw.get("options", {})
        options = self._options(place, given) if isinstance(given, dict) else None
        if part is None:
            return None
        self._check_enough_bots(place, TableSpec(part.name, part.seats, {}, part.seating), bots)
        if options is None:
            return None
        plain, luck = msgspec.to_builtins(options), part.luck or "common"
        table = TableSpec(part.name, part.seats, plain, part.seating, luck=luck, weight=part.weight)
        return self._with_sides(place, table, options, bots) if self._fits(place, options, part.seats) else table

    def _with_sides(self, place: str, table: TableSpec, options: Any, bots: int | None) -> TableSpec:
        assert self._game is not None  # noqa: S101 - the seats fit its options
        sides = tuple(side.seats for side in self._game.sides(options, table.seats))
        if table.seating == "teams" and sorted(itertools.chain(*sides)) != list(range(table.seats)):
            self._wrong(
                f"{place}.seating",
                f"'teams' needs sides that are fixed before play, and {self._game.name} has none with these options;"
                " allowed: distinct, copies",
            )
        elif table.seating == "teams":
            self._check_enough_bots(place, replace(table, sides=sides), bots)
        return replace(table, sides=sides, deals_sides=self._game.deals_sides(options))

    def _check_enough_bots(self, place: str, table: TableSpec, bots: int | None) -> None:
        """Check that there are enough bots for a table, if it is known how many there are."""
        lacking = None if bots is None else lack(table, bots)
        if lacking is not None:
            self._wrong(f"{place}.{lacking.key}", lacking.sentence)

    def _options(self, place: str, values: dict[str, Any]) -> Any:
        if self._game is None:
            return values
        try:
            return read_options(self._game, values, f"{self._path.name}: {place}.options.")
        except OptionsError as error:
            self.problems += error.problems
            return None

    def _fits(self, place: str, options: Any, seats: int) -> bool:
        if self._game is None:
            return False
        allowed = self._game.seats(options)
        if seats not in allowed:
            text = ", ".join(map(str, allowed))
            self._wrong(f"{place}.seats", f"{seats} do not fit these options; allowed: {text}")
        return seats in allowed


def _dicts(raw: dict[str, Any], key: str) -> list[dict[str, Any]]:
    """The tables under `[[key]]`; empty if they do not have the right shape, which `Head` reports."""
    parts = raw.get(key)
    return parts if isinstance(parts, list) and all(isinstance(p, dict) for p in parts) else []


def _places(key: str, parts: list[dict[str, Any]]) -> list[tuple[str, dict[str, Any]]]:
    return [(f"{key}[{index}]", part) for index, part in enumerate(parts)]
