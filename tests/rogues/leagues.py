"""Small leagues of one rogue and two honest bots, and all that can be seen of them afterwards."""

import atexit
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from referee.match.transcript import FaultKind
from tests.rogues import leftovers
from tests.rogues.bots.bot import PRIVATE, SERVICE_HOST
from tests.rogues.bots.lines import NO_ADDRESS
from tests.rogues.warden import Order
from tournaments.results.league_location import league_in, store_of
from tournaments.results.stored_league import open_results
from tournaments.store import Store

Box: TypeAlias = Literal["bubblewrap", "landlock", "none"]

_BOXES: dict[Box, str] = {
    "bubblewrap": '{{ kind = "bubblewrap", memory_mib = {memory_mib}, processes = 64, files = 256, scratch_mib = 8 }}',
    "landlock": '"landlock"',
    "none": '"none"',
}
"""What league files say. The limits are small, so that rogues reach them soon."""

_HERE = Path(__file__).parent
_PROGRAM = _HERE / "bots"
_IN_THE_FUTURE = 4_000_000_000
"""Seconds since 1970. If a file was changed after it was read last, the kernel notes the next time it is read."""

HONEST = "honest.plays"

_HEAD = """\
name = "rogues"
game = "agent-avenue"
deals = {deals}
batch = {batch}
seed = "14"
rehearsal = true
sandbox = {box}
clock = {{ move_ms = {move_ms}, start_ms = {start_ms} }}
tables = [{{ name = "table", {table} }}]
"""


class Fault(NamedTuple):
    """A fault as a league stores it."""

    fixture: str
    entry: str
    kind: FaultKind
    text: str
    stderr_tail: str


class Seen(NamedTuple):
    """What can be seen of a league that was run.

    Attributes:
        code: how the command ended.
        printed: what it printed.
        digests: of the records, by fixture.
        faults: of all matches.
        processes: the processes that it left running.
        files: the files that it left behind or changed, by path.
        greeted: how often a service of this machine was called.
        broken: how many batches each entry broke.
    """

    code: int
    printed: str
    digests: dict[str, str]
    faults: list[Fault]
    processes: list[str]
    files: list[str]
    greeted: int
    broken: dict[str, int]

    @property
    def honest(self) -> dict[str, str]:
        """The digests of the matches without the rogue."""
        return {fixture: digest for fixture, digest in self.digests.items() if "rogue@1" not in fixture}


ONE_SEAT_EACH = "seats = 2"
TWO_SEATS_EACH = 'seats = 4, seating = "teams", options = { line_up = "2v2" }'


class Terms(NamedTuple):
    """How a league is played, and what it allows its bots.

    `breaks` says whether the rogue breaks every batch, and `reads_lines` whether it reads lines; the others are called.
    """

    table: str = ONE_SEAT_EACH
    move_ms: int = 100_000
    start_ms: int = 100_000
    transport: str = "unix"
    reads_lines: bool = False
    workers: int = 1
    opponents: str = HONEST
    memory_mib: int = 2_000
    deals: int = 1
    batch: int = 1
    breaks: bool = False


def undisturbed(terms: Terms) -> Seen:
    """The league with an honest bot in the rogue's place. Clock, transport, limits and batches do not change it."""
    return _undisturbed(terms.table, terms.deals)


@cache
def _undisturbed(table: str, deals: int) -> Seen:
    return play(HONEST, "none", Terms(table=table, deals=deals))


def play(attack: str, box: Box, terms: Terms) -> Seen:
    """Let a rogue play in a league with two honest bots."""
    # The path is short, because the paths of sockets must be.
    with tempfile.TemporaryDirectory(prefix="rogues-") as made, victim() as pid, service() as (port, calls):
        folder = Path(made)
        mark = folder.name
        league, opponent = folder / "league", folder / "bots" / "ann"
        given = {"league": str(league), "opponent": str(opponent), "victim": pid, "port": port, "mark": mark}
        for rule, name in enumerate(("ann", "bob", "rogue"), start=1):
            is_rogue = name == "rogue"
            talks = "lines" if is_rogue and terms.reads_lines else terms.transport
            write_bot(folder / "bots" / name, rule, attack if is_rogue else terms.opponents, given, talks)
        file = _write_league(league, box, terms)
        before = contents(folder / "bots")
        (folder / "tmp").mkdir()
        code, printed, processes = _run(file, folder / "tmp", terms.workers)
        left = [*_changes(before, contents(folder / "bots")), *_left(folder), *leftovers.found(mark)]
        leftovers.remove(mark)
        digests, faults, broken = _results(file)
        return Seen(code, printed, digests, faults, processes, left, len(calls), broken)


def write_bot(folder: Path, rule: int, attack: str, given: dict[str, object], talks: str) -> None:
    """Make the folder of a bot that attacks, or is honest. It reads lines, or is called by a kind of address."""
    shutil.copytree(_PROGRAM, folder / "rogues", ignore=shutil.ignore_patterns("__pycache__"))
    for looked_at in ("look.txt", "unread.txt"):
        os.utime(folder / "rogues" / looked_at, (0, _IN_THE_FUTURE))
    (folder / "given.json").write_text(json.dumps(given))
    reads_lines = talks == "lines"
    address, how = (NO_ADDRESS, "max_batch = 64\nprotocol") if reads_lines else ("{address}", "transport")
    run = ["{python}", "-m", "rogues", address, folder.name, str(rule), attack]
    (folder / "bot.toml").write_text(
        f'name = "{folder.name}"\nversion = "1"\nauthor = "the tests"\ngames = ["*"]\n'
        f'run = {json.dumps(run)}\n{how} = "{talks}"\n'
    )


def _write_league(folder: Path, box: Box, terms: Terms) -> Path:
    folder.mkdir()
    head = _HEAD.format(
        box=_BOXES[box].format(memory_mib=terms.memory_mib),
        table=terms.table,
        deals=terms.deals,
        batch=terms.batch,
        move_ms=terms.move_ms,
        start_ms=terms.start_ms,
    )
    bots = "".join(f'[[bots]]\npath = "../bots/{name}"\n' for name in ("ann", "bob", "rogue"))
    (folder / "league.toml").write_text(head + bots)
    return folder / "league.toml"


def _run(file: Path, scratch: Path, workers: int) -> tuple[int, str, list[str]]:
    output = scratch.parent / "output"
    order = Order(["league", "run", file.name, "--workers", str(workers)], str(file.parent), str(scratch), str(output))
    warden = _warden()
    assert warden.stdin is not None
    assert warden.stdout is not None
    warden.stdin.write(json.dumps(order) + "\n")
    warden.stdin.flush()
    code, processes = json.loads(warden.stdout.readline())
    return code, output.read_text(), processes


@cache
def _warden() -> "subprocess.Popen[str]":
    """The process that runs the leagues of this one."""
    started = subprocess.Popen(
        [sys.executable, _HERE / "warden.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    atexit.register(started.communicate)  # which closes its input, so that it ends
    return started


def _results(file: Path) -> tuple[dict[str, str], list[Fault], dict[str, int]]:
    league = league_in(file)
    url = store_of(league, file).replace("///", f"///{file.parent}/")
    with Store(url, league.name) as store:
        broken = store.broken_batches()
    with open_results(league, url) as results:
        digests = {played.fixture: played.digest for played in results.matches()}
        faults = []
        for fixture, transcript in results.store.transcripts():
            entries = transcript.record.header.entries
            said = {remark.seat: remark for remark in transcript.metadata.remarks}
            for mark in transcript.record.faults:
                remark = said[mark.seat]
                faults.append(Fault(fixture, entries[mark.seat], mark.kind, remark.text, remark.stderr))
        return digests, faults, broken


def contents(folder: Path) -> dict[str, object]:
    """What can be known of every file below a folder without opening it."""
    return {
        str(path): (stat.st_mode, stat.st_size, stat.st_mtime_ns, stat.st_nlink)
        for path in sorted(folder.rglob("*"))
        for stat in [path.lstat()]
    }


def _changes(before: dict[str, object], after: dict[str, object]) -> list[str]:
    return sorted(path for path in before | after if before.get(path) != after.get(path))


def _left(folder: Path) -> list[str]:
    """What lies where a run should leave nothing."""
    ours = {"league.toml", "league.sqlite", "league.sqlite.rogues.lock", "league.sqlite.rogues.logs"}
    return [
        *(str(path) for path in (folder / "tmp").iterdir()),
        *(str(path) for path in (folder / "league").iterdir() if path.name not in ours),
    ]


@contextmanager
def victim() -> Iterator[int]:
    """A process of this user that has nothing to do with the league. It must outlive it."""
    with subprocess.Popen(["sleep", "3600"], env={PRIVATE: "1", "PATH": os.defpath}) as sleeping:
        try:
            yield sleeping.pid
            assert sleeping.poll() is None, "the victim was killed"
        finally:
            sleeping.kill()


@contextmanager
def service() -> Iterator[tuple[int, list[None]]]:
    """A service of this machine, and one entry for each call that it got."""
    calls: list[None] = []

    def serve() -> None:
        while True:
            try:
                called, _ = listening.accept()
            except OSError:  # it was shut down
                return
            calls.append(None)
            called.sendall(b"hello\n")
            called.close()

    with socket.create_server((SERVICE_HOST, 0)) as listening:
        serving = threading.Thread(target=serve)
        serving.start()
        try:
            yield listening.getsockname()[1], calls
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            serving.join()
