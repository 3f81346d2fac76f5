"""The facts that the first run of a league pins, and the checks of every later run against them.

Bots, tables and deals may be added. They may be taken out, too: the store keeps their matches, but they do not count.
No table may be taken out where results decide the waves.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec.structs import replace

from referee.core.bot_limits import FolderLimits
from referee.core.errors import WrongUse
from referee.files.bot_folder import digest, read_tree
from referee.files.bot_toml import read_manifest
from referee.match.terms import USUAL, Clock, EntryTerms
from tournaments.league import league_seed
from tournaments.league.deals import OwnDeals
from tournaments.league.format_settings import ByResults, Settings
from tournaments.league.model import Entry, League, PlayRules, TableSpec
from tournaments.league.roster import with_authors


class Content(msgspec.Struct, frozen=True):
    """The content of a bot: the digests of its folder (see `bot_folder.digest`), and the terms of its entry.

    Attributes:
        sources: of the files that people wrote. A remote bot, whose files are elsewhere, has a fixed text instead.
        output: of the build output; empty if it is not known, as in stores from before it was pinned.
        terms: the terms of its entry.
        author: whose it is; None if that is not said.
    """

    sources: str
    output: str
    terms: EntryTerms = USUAL
    author: str | None = None


_REMOTE = Content("remote", "")
"""Stands for a remote bot. Such a bot may move to another address."""


class LeagueChanged(WrongUse):
    """A league is not the one its first run pinned."""


class Pinned(msgspec.Struct, frozen=True):
    """The facts of a league that must stay the same.

    Attributes:
        game: the name of the game.
        rules_version: that of the game.
        draw_probability: also the game's.
        rehearsal: whether the seed may be one that can be guessed.
        seed: 64 hex digits.
        clock: the time limits of bots that have none of their own.
        tables: every table that the league ever had, by name.
        contents: the content of every entry that the league ever had, by name.
        rules: the order of play, who meets whom, and what counts.
    """

    game: str
    rules_version: int
    draw_probability: float
    rehearsal: bool
    seed: str
    clock: Clock
    tables: dict[str, TableSpec]
    contents: dict[str, Content]
    rules: PlayRules = PlayRules()

    @property
    def seed_bytes(self) -> bytes:
        """The seed itself, 32 bytes."""
        return bytes.fromhex(self.seed)

    @property
    def remote(self) -> frozenset[str]:
        """The entries that run elsewhere."""
        return frozenset(name for name, content in self.contents.items() if content.sources == _REMOTE.sources)

    @property
    def own_deals(self) -> OwnDeals:
        """Which matches have deals of their own."""
        return OwnDeals(frozenset(name for name, table in self.tables.items() if table.luck == "own"), self.remote)

    @property
    def commitment(self) -> str:
        """The SHA-256 of the seed, which is published before play."""
        return league_seed.commitment(self.seed_bytes)


def keep_pins(league: League, pinned: Pinned) -> League:
    """The league with the authors and the pieces that were pinned.

    It has the luck that was pinned, too, at each table for which the league file does not say any.

    Where results decide the waves, it has the tables, too, that were taken out of the file: decided waves are on them.
    """
    luck = {name: pinned.tables[name].luck for name in pinned.tables.keys() & league.assumed_luck}
    tables = (replace(each, luck=luck.get(each.name, each.luck)) for each in league.tables)
    silent = tuple(name for name in league.assumed_luck if name not in luck)
    league = replace(league, same_author=pinned.rules.same_author)
    return replace(
        with_authors(league, {name: each.author for name, each in pinned.contents.items()}),
        tables=(*tables, *_taken_out(pinned, league)),
        assumed_luck=silent,
        piece_batch=pinned.rules.batch,
    )


def _taken_out(pinned: Pinned, league: League) -> list[TableSpec]:
    """The tables that are not in the league file any more, where results decide the waves."""
    here = {table.name for table in league.tables}
    return [each for each in pinned.tables.values() if isinstance(league.format, ByResults) and each.name not in here]


def keep_rules(league: League, pinned: Pinned) -> League:
    """The league with what its game said when it was pinned, without the tables that were not."""
    return replace(
        league,
        rules_version=pinned.rules_version,
        draw_probability=pinned.draw_probability,
        tables=tuple(pinned.tables[table.name] for table in league.tables if table.name in pinned.tables),
    )


def contents(league: League) -> dict[str, Content]:
    """By entry, the content of its folder as it is now.

    Raises:
        FileProblems: a folder cannot be used as it is, or a file in it cannot be read.
    """
    places = dict.fromkeys(entry.place for entry in league.entries if entry.remote is None and entry.source is None)
    found = {place: _content(Path(place), league.folders) for place in places}
    return {
        entry.name: replace(_pinned_of(entry) or found[entry.place], terms=entry.terms, author=entry.author)
        for entry in league.entries
    }


def _pinned_of(entry: Entry) -> Content | None:
    """The pinned content of a submitted or remote bot; None for a bot in a folder.

    For a submitted bot it is the submitted source. Its build output differs from platform to platform, so each start is
    compared with it, and not the league.
    """
    if entry.source is not None:
        return Content(entry.source, "")
    return _REMOTE if entry.remote is not None else None


def _content(folder: Path, limits: FolderLimits) -> Content:
    tree = read_tree(folder, read_manifest(folder), limits)
    return Content(digest(tree.sources), digest(tree.output))


def check_pins(pinned: Pinned, league: League, now: Mapping[str, Content]) -> None:
    """Compare a league and the sources of its bots with what was pinned.

    Raises:
        LeagueChanged: something has changed that must stay the same.
    """
    changes = [*changes_of(pinned, league), *_changed_bots(pinned, now)]
    if changes:
        raise LeagueChanged(
            f"league {league.name} is not the one that its first run pinned: {'; '.join(changes)}; undo this,"
            " or start a new league under another name or in another store"
        )


def changes_of(pinned: Pinned, league: League) -> list[str]:
    """The differences between a league file and the pinned league. This does not look at the files of bots."""
    return [*_changes(pinned, league), *_changed_tables(pinned, league)]


def check_builds(pinned: Pinned, now: Mapping[str, Content]) -> None:
    """Compare what building made of the bots with what was pinned.

    Raises:
        LeagueChanged: it has changed, of bots that were in the league before and whose output is known.
    """
    before = {name: pinned.contents[name].output for name in now if name in pinned.contents}
    changed = [name for name, output in before.items() if output not in ("", now[name].output)]
    if changed:
        raise LeagueChanged(
            f"the build output of {', '.join(changed)} has changed since the last run, and the sources have not;"
            " put the old output back, or play on with the new one: referee league run --accept-builds"
        )


def _changes(pinned: Pinned, league: League) -> Iterator[str]:
    if league.game != pinned.game:
        yield f"its game was {pinned.game} and is {league.game}"
    elif league.rules_version != pinned.rules_version:
        yield f"the rules of {league.game} were version {pinned.rules_version} and are {league.rules_version}"
    if league.seed not in (None, pinned.seed):
        yield "its seed is a different one"
    if league.rehearsal != pinned.rehearsal:
        yield f"rehearsal was {_toml(pinned.rehearsal)} and is {_toml(league.rehearsal)}"
    if league.clock != pinned.clock:
        yield f"its clock was {_toml(pinned.clock)} and is {_toml(league.clock)}"
    before, now = pinned.rules, league.play_rules
    if now.same_author != before.same_author:
        yield f"same_author was {_toml(before.same_author)} and is {_toml(now.same_author)}"
    if isinstance(now.format, ByResults) | isinstance(before.format, ByResults) and (
        _pairing(now.format) != _pairing(before.format)
    ):
        yield f"its format was {_toml(before.format)} and is {_toml(now.format)}"
    for entry in league.entries:  # a submitted bot keeps its author, whoever submits it again
        if entry.source is None and (known := pinned.contents.get(entry.name)) and known.author != entry.author:
            yield f"the author of {entry.name} is another one (enter it again under a new label or version)"


def _pairing(settings: Settings) -> dict[str, object]:
    """The settings of a format without those that only say how long it is."""
    length = {"rounds", "matches", "uncertainty"}
    return {key: value for key, value in msgspec.to_builtins(settings).items() if key not in length}


def _changed_tables(pinned: Pinned, league: League) -> Iterator[str]:
    for table in _taken_out(pinned, league):
        yield f"table {table.name} was taken out, and waves were decided by its matches"
    for table in league.tables:
        before = pinned.tables.get(table.name, table)
        if table.seats != before.seats:
            yield f"table {table.name} had {before.seats} seats and has {table.seats}"
        if table.seating != before.seating:
            yield f"the seating of table {table.name} was {before.seating} and is {table.seating}"
        if table.name not in league.assumed_luck and table.luck != before.luck:
            yield f"the luck of table {table.name} was {before.luck} and is {table.luck}"
        if table.weight != before.weight:
            yield f"the weight of table {table.name} was {before.weight:g} and is {table.weight:g}"
        if table.options != before.options:
            yield f"the options of table {table.name} were {_toml(before.options)} and are {_toml(table.options)}"


def _changed_bots(pinned: Pinned, now: Mapping[str, Content]) -> Iterator[str]:
    for entry, content in now.items():
        if pinned.contents.get(entry, content).sources != content.sources:
            yield f"the files of {entry} have changed (a changed bot needs a new version in its bot.toml)"
        if changed := _changed_terms(pinned.contents.get(entry, content).terms, content.terms):
            keys = " and ".join(changed)
            yield f"{entry} was entered with other values of {keys} (enter it again under a new label or version)"


def _changed_terms(before: EntryTerms, now: EntryTerms) -> list[str]:
    """The keys of a bot in the league file that say something else now."""
    return [key for key in now.__struct_fields__ if getattr(before, key) != getattr(now, key)]


def _toml(value: object) -> str:
    return msgspec.json.encode(value).decode()
