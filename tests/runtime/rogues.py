"""Real processes at a table: bots that each misbehave in one way, and the processes that they leave behind."""

import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import msgspec
import uvloop

from referee.files.manifest import Transport
from referee.match.conversation import Reply
from referee.match.match import Match, Request
from referee.match.narrator import Narrator
from referee.match.terms import Clock
from referee.match.transcript import FaultKind, Header, Transcript
from referee.runtime.bot_process import BotProcess
from referee.runtime.confinement import Unconfined
from referee.runtime.host import Bot, HostSettings
from referee.runtime.local_bot import LocalBot, read_sources
from referee.runtime.table import Table
from referee.wire.codec import GameEntry
from tests.auction import Auction, AuctionCodec, auction_header

_BOTS = Path(__file__).parents[1] / "bots"
ROGUE = _BOTS / "rogue" / "start.py"
ROGUE_READS = (_BOTS, _BOTS.parent / "rogues" / "bots")
"""What it needs to see in a box."""
ENTRY = GameEntry(game=Auction(), codec=AuctionCodec())
PATIENT = Clock(move_ms=120_000, start_ms=120_000)
"""A clock for matches in which no bot should run out of time, however busy the machine is."""

ENDS_SLOWLY = 'import time; memory = b"x" * (1 << 28); print("up", flush=True); time.sleep(600)'
"""A program of Python: the kernel takes tens of milliseconds to give its memory back when it is killed."""

MANIFEST = """\
name = "rogue"
version = "1"
author = "the tests"
games = ["*"]
run = {run}
transport = "{transport}"
"""


def rogue(folder: Path, how: str, transport: Transport = "unix") -> LocalBot:
    """The bot in tests/bots/rogue that misbehaves in this way, in a folder of its own."""
    return bot_that_runs(folder / how, "{python}", str(ROGUE), "{address}", how, transport=transport)


def bot_that_runs(folder: Path, *command: str, transport: Transport = "unix") -> LocalBot:
    folder.mkdir(exist_ok=True)
    run = msgspec.json.encode(command).decode()  # TOML's strings and lists are written like JSON's
    (folder / "bot.toml").write_text(MANIFEST.format(run=run, transport=transport))
    return read_sources(folder)


class Sitting:
    """Matches of the auction at one table, and the processes that played them."""

    def __init__(self, table: Table, run_dir: Path, clock: Clock) -> None:
        self.table = table
        self.sessions: list[set[int]] = []
        self._commands: dict[int, str] = {}
        self._run_dir = run_dir
        self._clock = clock

    async def play(self, rounds: int = 3, narrator: Narrator | None = None) -> Transcript:
        """Play the next match. Its processes become the last entry of `sessions`."""
        header = auction_header(seats=len(self.table.bots), seed=len(self.sessions), rounds=rounds)
        return await self.play_game(ENTRY, header, narrator)

    async def play_game(self, entry: GameEntry, header: Header, narrator: Narrator | None = None) -> Transcript:
        """Play the next match, of any game."""
        self.sessions.append(set())

        def look(match: Match, request: Request, reply: Reply | None) -> None:
            self.sessions[-1].update(recorded(self._run_dir))
            for pid in self.sessions[-1] - self._commands.keys():
                self._commands[pid] = Path(f"/proc/{pid}/cmdline").read_text()
            if narrator is not None:
                narrator(match, request, reply)

        return await self.table.play(entry, header, self._clock, look)

    def leader(self, how: str) -> int:
        """The process of the bot that misbehaves in this way."""
        return next(pid for pid in self.sessions[-1] if self._commands[pid].endswith(f"{how}\0"))


def sit(
    bots: Sequence[Bot],
    play: Callable[[Sitting], Awaitable[None]],
    *,
    clock: Clock = PATIENT,
    pondering: bool = False,
) -> list[bool]:
    """Let `play` use a table of these bots. Returns whether each ended cleanly. Nothing may be left of them."""

    async def run() -> list[bool]:
        with run_folder() as run_dir:
            sitting = Sitting(Table(bots, hosting_in(run_dir, clock, pondering)), run_dir, clock)
            try:
                await play(sitting)
            finally:
                clean = await sitting.table.stop()
            assert list(run_dir.iterdir()) == []
            assert_gone(session for sessions in sitting.sessions for session in sessions)
            return clean

    return uvloop.run(run())


def play_one(bots: Sequence[Bot], *, clock: Clock = PATIENT, pondering: bool = False) -> Transcript:
    """One match of three rounds."""
    played: list[Transcript] = []

    async def play(sitting: Sitting) -> None:
        played.append(await sitting.play())

    sit(bots, play, clock=clock, pondering=pondering)
    return played[0]


def hosting_in(run_dir: Path, clock: Clock = PATIENT, pondering: bool = False) -> HostSettings:
    return HostSettings(run_dir, Unconfined(), clock.start_ms, pondering)


@contextmanager
def run_folder() -> Iterator[Path]:
    """A folder for sockets. Its path is short, unlike the paths of pytest's own folders."""
    with tempfile.TemporaryDirectory(prefix="referee-") as folder:
        yield Path(folder)


def faults(transcript: Transcript) -> list[tuple[int, int, FaultKind]]:
    """Seat, decision and kind of every fault."""
    return [(mark.seat, mark.decision, mark.kind) for mark in transcript.record.faults]


async def use(bot: LocalBot, hosting: HostSettings, test: Callable[[BotProcess], Awaitable[None]]) -> None:
    """Let `test` use a process of the bot, and end the process. Nothing may be left of it."""
    process = await bot.host(hosting)
    try:
        await test(process)
    finally:
        await process.kill_now()
    assert list(hosting.run_dir.iterdir()) == []
    assert eventually(lambda: not members(process.session))


def recorded(run_dir: Path) -> list[int]:
    """The sessions that were started below `run_dir` and not cleared away."""
    return [int(path.read_text().split()[0]) for path in run_dir.rglob("*.session")]


def members(session: int) -> list[int]:
    """The living processes of a session."""
    return [pid for pid in map(int, filter(str.isdigit, _names("/proc"))) if _session(pid) == session]


def assert_gone(sessions: Iterator[int]) -> None:
    """Assert that no process of these sessions is left. A killed process may take a moment to end."""
    for session in sessions:
        assert eventually(partial(_is_over, session)), f"session {session} still runs"


def _is_over(session: int) -> bool:
    return not members(session)


def eventually(holds: Callable[[], bool]) -> bool:
    """Whether it becomes true within a minute."""
    for _ in range(6_000):
        if holds():
            return True
        time.sleep(0.01)
    return False


def _names(folder: str) -> list[str]:
    return [path.name for path in Path(folder).iterdir()]


def _session(pid: int) -> int | None:
    try:
        state, _, _, session = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:4]
    except OSError:
        return None
    return None if state == "Z" else int(session)
