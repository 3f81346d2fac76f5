"""One seat at a table: a bot's process and the line to it, started anew when that is due."""

import asyncio
import math
from pathlib import Path

import msgspec

from referee.match.conversation import Failed, Question, Ready, Reply
from referee.match.transcript import FaultKind
from referee.shell.bot import Bot
from referee.shell.line import Description, Line, NoDescription
from referee.shell.process import BotProcess, Sandbox

_EXIT_S = 0.1
"""How long a dead bot may take to leave its exit status."""


class House(msgspec.Struct, frozen=True):
    """What holds for every process of a run.

    Attributes:
        run_dir: where the processes' sockets lie.
        sandbox: how a bot's command is confined.
        start_ms: until a bot must be up.
        pondering: whether bots may think while others are asked.
    """

    run_dir: Path
    sandbox: Sandbox
    start_ms: int
    pondering: bool = False


class SeatProcess:
    """The process that holds one seat, warm from match to match."""

    def __init__(self, bot: Bot, house: House) -> None:
        self._bot = bot
        self._house = house
        self._process: BotProcess | None = None
        self._line: Line | None = None
        self._start_failed: Failed | None = None
        self._has_been_ready = False

    @property
    def alive(self) -> bool:
        """Whether the process is up and has done nothing wrong."""
        return self._line is not None and self._line.talk.latched is None and self._start_failed is None

    async def start(self) -> None:
        """Bring the process up, if it is not; what goes wrong on the bot's side answers the next `open`.

        A process that has been ready before and died since is started anew; one that died before it was ever ready
        is not, which is its fault.

        Raises:
            Void: it could not be started for reasons that are not the bot's.
        """
        if self.alive or (self._process is not None and not self._has_been_ready):
            return
        await self.discard()
        self._start_failed = None
        self._has_been_ready = False
        self._process = await BotProcess.start(self._bot, self._house.run_dir, self._house.sandbox)
        self._line = Line(self._process.address, on_fault=self._process.kill)
        self._start_failed = await self._greet(self._process, self._line)
        if self._start_failed is None:
            self._line.open()
            self.pause()

    async def open(self, message: bytes) -> Reply:
        """Tell that a match begins. A process that died since its last match is started anew once, silently."""
        await self.start()
        reply = await self._begin(message)
        if self._has_been_ready and isinstance(reply, Failed) and reply.kind is FaultKind.CRASH:
            await self.start()
            reply = await self._begin(message)
        self._has_been_ready = isinstance(reply, Ready)
        return reply

    async def ask(self, question: Question, message: bytes, limit_ms: int) -> tuple[Reply, int]:
        """Ask for one answer; see `Line.ask`. The process runs on until `pause`."""
        assert self._line is not None  # noqa: S101 - open() comes first
        assert self._process is not None  # noqa: S101
        self._process.resume()
        reply, elapsed_us = await self._line.ask(question, message, limit_ms)
        if isinstance(reply, Failed):
            reply = await self._explain(reply)
        return reply, elapsed_us

    async def tell(self, message: bytes) -> Failed | None:
        """Send what needs no answer; what the bot did wrong since it was last asked, if anything."""
        assert self._line is not None  # noqa: S101 - open() comes first
        assert self._process is not None  # noqa: S101
        if self._line.talk.latched:
            return await self._explain(self._line.talk.latched)
        self._process.resume()  # or it could not read
        await self._line.tell(message)
        return None

    def rest(self) -> None:
        """Another seat is asked now: see that this one does not think, unless bots may ponder."""
        if self._process is not None and not self._house.pondering:
            self._process.rest()

    def pause(self) -> None:
        """Stop the process until it is asked again, unless bots may ponder."""
        if self._process is not None and not self._house.pondering:
            self._process.pause()

    async def stop(self) -> bool:
        """End stream and process as agreed; whether the bot closed its stream cleanly."""
        clean = False
        if self._process is not None and self._line is not None and self.alive:
            self._process.resume()
            clean = await self._line.hang_up()
            await self._process.terminate()
        await self.discard()
        return clean

    async def discard(self) -> None:
        """End the process at once."""
        if self._process is not None:
            await self._process.bury()
        if self._line is not None:
            await self._line.drop()
        self._process = self._line = None

    async def _begin(self, message: bytes) -> Reply:
        if self._start_failed:
            return self._start_failed
        reply, _ = await self.ask(Question(decision=0), message, self._house.start_ms)
        return reply

    async def _greet(self, process: BotProcess, line: Line) -> Failed | None:
        """Wait until the bot says who it is, or ends, or its time is over; what is wrong with it, if anything."""
        describe = asyncio.create_task(line.describe(self._house.start_ms))
        died = asyncio.create_task(process.wait(math.inf))
        try:
            await asyncio.wait([describe, died], return_when=asyncio.FIRST_COMPLETED)
            wrong = self._mistaken(describe.result()) if describe.done() else "ended before it could be called"
        except NoDescription as error:
            wrong = str(error)
        finally:
            describe.cancel()
            died.cancel()
        return await self._explain(Failed(FaultKind.NO_START, wrong)) if wrong else None

    def _mistaken(self, described: Description) -> str | None:
        """What is wrong with who the bot says it is."""
        expected = self._bot.manifest
        if (described.name, described.version) == (expected.name, expected.version):
            return None
        return f"says it is {described.name}@{described.version}, but its bot.toml says {expected.entry}"

    async def _explain(self, failed: Failed) -> Failed:
        """End the process, and add what is known of it: how it ended, if by itself, and its last words."""
        assert self._process is not None  # noqa: S101 - it was started
        if failed.kind in (FaultKind.CRASH, FaultKind.NO_START):
            await self._process.wait(_EXIT_S)
        self._process.kill()
        how = _how_it_ended(self._process.own_end)
        return Failed(failed.kind, failed.text + how, await self._process.last_words())


def _how_it_ended(status: int | None) -> str:
    if status is None:
        return ""
    return f"; its process was ended by signal {-status}" if status < 0 else f"; its process ended with code {status}"
