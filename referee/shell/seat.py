"""One seat at a table: a bot's process and the line to it, started anew when that is due."""

import asyncio
from pathlib import Path
from typing import TypeAlias

import msgspec

from referee.match.clock import MARGIN_MS
from referee.match.conversation import Failed, Question, Ready, Reply
from referee.match.transcript import FaultKind
from referee.shell.bot import Bot
from referee.shell.line import Description, Line, NoDescription
from referee.shell.process import BotProcess, Sandbox
from referee.shell.remote import RemoteBot, RemoteHost, Unreachable

_EXIT_S = 0.1
"""How long a dead bot may take to leave its exit status."""


AnyBot: TypeAlias = Bot | RemoteBot


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
    """The process that holds one seat, warm from match to match.

    Attributes:
        lapses: what it did wrong between two matches, for which it was started anew and nothing else.
    """

    def __init__(self, bot: AnyBot, house: House) -> None:
        self.lapses: list[Failed] = []
        self._bot = bot
        self._house = house
        self._process: BotProcess | RemoteHost | None = None
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
            Unreachable: it is a remote bot and does not answer.
        """
        if self.alive or (self._process is not None and not self._has_been_ready):
            return
        if self._line is not None and self._line.talk.latched:
            self.lapses.append(await self._explain(self._line.talk.latched))
        await self.discard()
        self._start_failed = None
        self._has_been_ready = False
        self._process = await self._host()
        self._start_failed = await self._greet(self._process)
        if self._start_failed is None and self._line is not None:
            self._line.open()
            self.pause()

    async def open(self, message: bytes) -> Reply:
        """Tell that a match begins. A process that died since its last match is started anew once, silently.

        Raises:
            Void: it could not be started for reasons that are not the bot's.
            Unreachable: it is a remote bot and was lost before it was ready.
        """
        await self.start()
        reply = await self._begin(message)
        if self._has_been_ready and isinstance(reply, Failed) and reply.kind is FaultKind.CRASH:
            await self.start()
            reply = await self._begin(message)
        self._has_been_ready = isinstance(reply, Ready)
        if isinstance(self._bot, RemoteBot) and isinstance(reply, Failed) and reply.kind is FaultKind.CRASH:
            raise Unreachable(self._bot.entry, f"{reply.text} before it was ready")
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

    async def _host(self) -> BotProcess | RemoteHost:
        if isinstance(self._bot, RemoteBot):
            return RemoteHost(self._bot)
        return await BotProcess.start(self._bot, self._house.run_dir, self._house.sandbox)

    async def _greet(self, host: BotProcess | RemoteHost) -> Failed | None:
        """Ask the bot who it is; what is wrong with it, if anything."""
        try:
            wrong = self._mistaken(await self._described(host))
        except NoDescription as error:
            if isinstance(self._bot, RemoteBot):
                raise Unreachable(self._bot.entry, str(error)) from error
            wrong = str(error)
        return await self._explain(Failed(FaultKind.NO_START, wrong)) if wrong else None

    async def _described(self, host: BotProcess | RemoteHost) -> Description:
        """What the bot says of itself, as soon as it is up.

        Raises:
            NoDescription: it ends before, or its time is over.
        """
        calling = asyncio.create_task(self._call(host))
        ended = asyncio.create_task(host.ended())
        timeout_s = (self._house.start_ms + MARGIN_MS) / 1000
        try:
            await asyncio.wait([calling, ended], timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
            if calling.done():
                return calling.result()
            if ended.done():
                raise NoDescription("ended before it could be called")
            raise NoDescription(f"did not print REFEREE_PORT=... within {self._house.start_ms} ms")
        finally:
            calling.cancel()
            ended.cancel()

    async def _call(self, host: BotProcess | RemoteHost) -> Description:
        peer = await host.peer()
        self._line = Line(peer, on_fault=host.kill)
        return await self._line.describe(self._house.start_ms, patient=isinstance(host, BotProcess))

    def _mistaken(self, described: Description) -> str | None:
        """What is wrong with who the bot says it is."""
        says = f"{described.name}@{described.version}"
        if says == self._bot.entry:
            return None
        expects = "it was entered as" if isinstance(self._bot, RemoteBot) else "its bot.toml says"
        return f"says it is {says}, but {expects} {self._bot.entry}"

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
