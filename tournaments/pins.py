"""What the first run of a league pins, and how every later run is held to it.

Bots, tables and deals may be added. They may be taken out, too: what they played is kept, but not counted.
"""

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from referee.core.errors import WrongUse
from referee.match.clock import Clock
from tournaments import seeding
from tournaments.model import League, TableSpec

OUTPUT_FOLDERS = frozenset(
    {"__pycache__", ".git", ".hg", ".svn", ".venv", "node_modules", "build", "dist", "target", "obj"}
)
"""Folders that belong to tools, at any depth: caches, version control, installed packages, build output.

Also left out: every folder named `.something_cache`, and files ending in `.pyc`.
"""


_REMOTE = "remote"
"""Stands for the digest of a remote bot, whose files are elsewhere. Such a bot may move to another address."""


class LeagueChanged(WrongUse):
    """A league is not the one its first run pinned."""


class UnreadableBot(WrongUse):
    """A file of a bot cannot be read."""


class Pinned(msgspec.Struct, frozen=True):
    """What must stay the same in a league.

    Attributes:
        game: the name of the game.
        rules_version: that of the game.
        rehearsal: whether the seed may be one that can be guessed.
        seed: 64 hex digits.
        clock: the time limits of every match.
        tables: every table that the league ever had, by name.
        contents: the tree digest of every entry that the league ever had, by name.
    """

    game: str
    rules_version: int
    rehearsal: bool
    seed: str
    clock: Clock
    tables: dict[str, TableSpec]
    contents: dict[str, str]

    @property
    def seed_bytes(self) -> bytes:
        """The seed itself, 32 bytes."""
        return bytes.fromhex(self.seed)

    @property
    def remote(self) -> frozenset[str]:
        """The entries that run elsewhere."""
        return frozenset(name for name, content in self.contents.items() if content == _REMOTE)

    @property
    def commitment(self) -> str:
        """The SHA-256 of the seed, which is published before play."""
        return seeding.commitment(self.seed_bytes)


def contents(league: League) -> dict[str, str]:
    """By entry, the tree digest of its folder as it is now. A remote entry has a fixed text instead.

    Raises:
        UnreadableBot: a file cannot be read.
    """
    return {entry.name: _REMOTE if entry.remote else tree_digest(Path(entry.place)) for entry in league.entries}


def hold_to(pinned: Pinned, league: League, now: Mapping[str, str]) -> None:
    """Compare a league and the contents of its bots with what was pinned.

    Raises:
        LeagueChanged: something has changed that must stay the same.
    """
    changes = [*_changes(pinned, league), *_changed_tables(pinned, league), *_changed_bots(pinned, now)]
    if changes:
        raise LeagueChanged(
            f"league {league.name} is not the one that its first run pinned: {'; '.join(changes)}; undo this,"
            " or start a new league under another name or in another store"
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


def _changed_tables(pinned: Pinned, league: League) -> Iterator[str]:
    for table in league.tables:
        before = pinned.tables.get(table.name, table)
        if table.seats != before.seats:
            yield f"table {table.name} had {before.seats} seats and has {table.seats}"
        if table.seating != before.seating:
            yield f"the seating of table {table.name} was {before.seating} and is {table.seating}"
        if table.options != before.options:
            yield f"the options of table {table.name} were {_toml(before.options)} and are {_toml(table.options)}"


def _changed_bots(pinned: Pinned, now: Mapping[str, str]) -> Iterator[str]:
    for entry, digest in now.items():
        if pinned.contents.get(entry, digest) != digest:
            yield f"the files of {entry} have changed (a changed bot needs a new version in its bot.toml)"


def _toml(value: object) -> str:
    return msgspec.json.encode(value).decode()


def tree_digest(folder: Path) -> str:
    """SHA-256, in hex, over path, mode and content of every file of a bot, sorted by path.

    The mode says whether the owner may execute the file. For a link it names the target, and the content is the
    target's if that is a file. The folders in `OUTPUT_FOLDERS` are left out.

    Raises:
        UnreadableBot: a file cannot be read.
    """
    total = hashlib.sha256()
    try:
        for name, path in sorted((path.relative_to(folder).as_posix(), path) for path in _files(folder)):
            line = f"{name}\0{_mode(path)}\0{_content(path)}\n"
            total.update(line.encode("utf-8", "surrogateescape"))
    except OSError as error:
        raise UnreadableBot(f"{error.filename}: a bot's file cannot be read: {error.strerror}") from error
    return total.hexdigest()


def _files(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            if not _is_output(path.name):
                yield from _files(path)
        elif (path.is_symlink() or path.is_file()) and path.suffix != ".pyc":
            yield path


def _is_output(folder: str) -> bool:
    return folder in OUTPUT_FOLDERS or (folder.startswith(".") and folder.endswith("_cache"))


def _mode(path: Path) -> str:
    if path.is_symlink():
        return f"link to {path.readlink().as_posix()}"
    return "executable" if path.stat().st_mode & 0o100 else "plain"


def _content(path: Path) -> str:
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
