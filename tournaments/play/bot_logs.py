"""What the bots of a league write to stdout and stderr: files of JSON lines, two of bounded length for each bot.

A worker appends each piece of output as soon as it reads it. So the output survives if worker and runner are killed.

A node stores the output in files for a while, as one machine does, and sends it with each piece. No bot can fill a
disk, the network or the runner's memory with it: a node sends at most `MOST_BYTES` of one bot's output during a piece.
The runner does not trust the lines that a node sends, so it checks each line before it stores it.
"""

import contextlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO, TypeAlias

import msgspec

from tournaments.play.log_files import LogFile, is_at, moment, old_file

LONGEST = 1 << 20
"""A log with this many bytes is put aside, and a new one is begun."""

_OLD_FILES = 1
_ENDING = ".log"

_READ_BYTES = 1 << 16


class LogRecord(msgspec.Struct, frozen=True):
    r"""A piece of a bot's output: a line of its log.

    Attributes:
        at: when the worker read it, in ISO 8601.
        match: the id of the fixture that was played then, or just before.
        seat: the seat of the process that wrote it, in that match.
        text: the piece. A byte that is not UTF-8 is written as an escape, such as `\xff`.
        left_out: how many bytes of the same match before it were not stored.
    """

    at: str
    match: str
    seat: int
    text: str
    left_out: int = 0


class BotLog:
    """The output of one bot. Several workers may append at once.

    Output that cannot be written is lost, and the league continues.
    """

    def __init__(self, folder: Path, bot: str, longest: int = LONGEST) -> None:
        """`folder` has the logs of all bots of the league; it is made when there is something to keep."""
        self._path = log_of(folder, bot)
        self._longest = longest
        self._lines: LogFile | None = None

    def keep(self, now_ms: int, match: str, seat: int, text: str, left_out: int = 0) -> int:
        """Append a piece that was read at `now_ms`, in milliseconds since 1970 (UTC); returns the bytes of its line."""
        return self.add(LogRecord(moment(now_ms), match, seat, text, left_out))

    def add(self, record: LogRecord) -> int:
        """Append a piece; how many bytes its line has."""
        line = msgspec.json.encode(record) + b"\n"
        with contextlib.suppress(OSError):
            if self._lines is None:
                self._path.parent.mkdir(mode=0o700, exist_ok=True)
                self._lines = LogFile(self._path, self._longest, _OLD_FILES)
            self._lines.append(line)
        return len(line)

    def close(self) -> None:
        """Close the file."""
        if self._lines is not None:
            self._lines.close()


def log_of(folder: Path, bot: str) -> Path:
    """The newer file of a bot's log."""
    return folder / f"{bot}{_ENDING}"


def taken(folder: Path, bot: str) -> bytes:
    """All lines of a bot's log, which is removed. A worker that writes meanwhile begins a new log."""
    path, lines = log_of(folder, bot), b""
    for each in (old_file(path, _OLD_FILES), path):
        away = each.with_name(f".{each.name}")
        with contextlib.suppress(FileNotFoundError):
            each.replace(away)  # what is written after this and before the next line is lost
            lines += away.read_bytes()
            away.unlink()
    return lines


def pieces(lines: Iterable[bytes]) -> Iterator[LogRecord]:
    """The pieces in whole lines of a log. Parts of lines are left out: a process was killed, or the disk was full."""
    for line in lines:
        with contextlib.suppress(ValueError, RecursionError):
            yield msgspec.json.decode(line, type=LogRecord)


def old_files(folder: Path, before_ms: int) -> dict[Path, int]:
    """The files of logs to which nothing was added since a time (milliseconds since 1970, UTC), with their sizes.

    The folder need not exist.
    """
    old: dict[Path, int] = {}
    for path in sorted([*folder.glob(f"*@*{_ENDING}"), *folder.glob(f"*@*{_ENDING}.{_OLD_FILES}")]):
        with contextlib.suppress(FileNotFoundError):  # it was put aside just now
            found = path.stat()
            if found.st_mtime_ns < before_ms * 1_000_000:
                old[path] = found.st_size
    return old


class LogReader:
    """A log that is read, while it may be written."""

    def __init__(self, folder: Path, bot: str) -> None:
        """`folder` has the logs of all bots of the league."""
        self._path = log_of(folder, bot)
        self._file: BinaryIO | None = None
        self._rest = b""

    def more(self) -> Iterator[LogRecord]:
        """The lines written since the last call, in the order of the log; at the first call, all of them."""
        if self._file is None:
            yield from self._older()
        while self._file is not None:
            yield from self._read(self._file)
            if is_at(self._file.fileno(), self._path):
                return
            yield from self._read(self._file)  # the lines written before the file was put aside
            self._begin()

    def close(self) -> None:
        """Close the file."""
        file, self._file, self._rest = self._file, None, b""
        if file is not None:
            file.close()

    def _older(self) -> Iterator[LogRecord]:
        """Begin with the file that was put aside."""
        self._begin()
        older = old_file(self._path, _OLD_FILES)
        with contextlib.suppress(FileNotFoundError), older.open("rb") as file:
            if self._file is None or not is_at(self._file.fileno(), older):  # it is if it was put aside just now
                yield from self._read(file)
                self._rest = b""

    def _begin(self) -> None:
        self.close()
        with contextlib.suppress(FileNotFoundError):
            self._file = self._path.open("rb")

    def _read(self, file: BinaryIO) -> Iterator[LogRecord]:
        while read := file.read(_READ_BYTES):
            *lines, self._rest = (self._rest + read).split(b"\n")
            yield from pieces(lines)


MOST_BYTES = 256 << 10

Words: TypeAlias = Mapping[str, bytes]
"""By bot, lines of its log."""


def collected(folder: Path, bots: Iterable[str]) -> Words:
    """The output of these bots since the last call. It is removed from `folder`, whether or not all of it is sent."""
    found = {bot: _cut(taken(folder, bot)) for bot in sorted(set(bots))}
    return {bot: lines for bot, lines in found.items() if lines}


def keep(folder: Path, bots: Collection[str], words: Words) -> None:
    """Store the output from a node in the logs of a league. Bots that are not in `bots` have no log."""
    for bot, lines in words.items():
        if bot in bots:
            log = BotLog(folder, bot)
            for record in pieces(_cut(lines).split(b"\n")):
                log.add(record)
            log.close()


def _cut(lines: bytes) -> bytes:
    """The first lines, as many as may be sent."""
    return lines if len(lines) <= MOST_BYTES else lines[: lines.rfind(b"\n", 0, MOST_BYTES) + 1]
