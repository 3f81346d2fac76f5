"""One seat at a table: its bot's host, and the stream to the bot. It starts both again when necessary."""

import asyncio

import msgspec

from referee.core.bot_limits import MAX_BATCH
from referee.core.errors import Busy
from referee.core.text import one_line
from referee.match.conversation import Batch, Chosen, Failed, Ready, Reply, SeatQuestion
from referee.match.transcript import FaultKind
from referee.runtime.bot_stream import BotStream, Description, NoDescription
from referee.runtime.host import Bot, Host, HostSettings, StderrListener, ignore_stderr
from referee.runtime.stopwatch import Stopwatch

_EXIT_S = 0.1
"""How long a dead bot may take to leave its exit status."""


_FAILED_STARTS = 2
"""A bot that fails to start this many times in a row is not started again at its table: each start may cost minutes."""


class SeatedBot:
    """The bot that has one seat, warm from match to match.

    Attributes:
        unpunished: its faults between two matches; after these the bot was only started again.
        start_ms: how long it may take to be ready, in milliseconds.
    """

    def __init__(self, bot: Bot, hosting: HostSettings, stderr_listener: StderrListener = ignore_stderr) -> None:
        self.unpunished: list[Failed] = []
        self._bot = bot
        self._hosting = hosting
        self._stderr_listener = stderr_listener
        self.start_ms = (bot.terms.clock or hosting).start_ms
        self._host: Host | None = None
        self._line: BotStream | None = None
        self._ending: asyncio.Task[None] | None = None
        self._start_failed: Failed | None = None
        self._has_been_ready = False
        self._failed_starts = 0
        self._given_up: Failed | None = None
        self._max_batch = 1

    @property
    def alive(self) -> bool:
        """Whether the process is up and has done nothing wrong."""
        return self._line is not None and self._line.talk.latched is None and self._start_failed is None

    @property
    def max_batch(self) -> int:
        """How many matches the running process can play at once."""
        return self._max_batch if self.alive else 1

    async def start(self) -> None:
        """Start the process if it is not up. If the bot does something wrong, that answers the next `open`.

        This starts a process anew if it was ready before and has died since. It does not if the process died before
        it was ever ready: this is the bot's fault.

        Raises:
            Void: it could not be started, for reasons that are not the bot's.
            Unreachable: it is a remote bot and does not answer, or its folder is away.
        """
        if self._given_up or self.alive or (self._host is not None and not self._has_been_ready):
            return
        if self._line is not None and self._line.talk.latched:
            self.unpunished.append(await self._explain(self._line.talk.latched))
        await self.discard()
        self._start_failed = None
        self._has_been_ready = False
        self._host = await self._bot.host(self._hosting, self._stderr_listener)
        self._start_failed = await self._greet(self._host)
        if self._start_failed is None and self._line is not None:
            self._line.open()
            self._ending = asyncio.create_task(self._end_with_process(self._host, self._line))
            if not self._hosting.pondering:
                self.pause()

    async def open(self, message: bytes) -> Reply:
        """Tell the bot that a match begins.

        If its process died since its last match, this silently starts it anew, once. It does not start a bot that
        failed to start twice in a row. The bot's last fault is the answer.

        Raises:
            Void: it could not be started, for reasons that are not the bot's.
            Unreachable: it is a remote bot and was lost before it was ready, or its folder is away.
        """
        if self._given_up:
            return self._given_up
        reply = await self._open(message)
        self._count_failed_starts(reply)
        return reply

    async def _open(self, message: bytes) -> Reply:
        await self.start()
        reply = await self._begin(message)
        if self._has_been_ready and isinstance(reply, Failed) and reply.kind is FaultKind.CRASH:
            await self.start()
            reply = await self._begin(message)
        self._has_been_ready = isinstance(reply, Ready)
        if isinstance(reply, Failed) and reply.kind in (FaultKind.CRASH, FaultKind.UNAVAILABLE):
            assert self._host is not None  # noqa: S101 - start() made it
            await self._host.not_ready(f"{reply.text} before it was ready")
        return reply

    def _count_failed_starts(self, reply: Reply) -> None:
        """Give the bot up if it fails to start again and again.

        This does not count faults that may depend on the match: a wrong answer to MatchStart, or a death after it.
        Otherwise results would depend on which matches make a sitting.
        """
        if isinstance(reply, Ready):
            self._failed_starts = 0
        elif isinstance(reply, Failed) and (self._start_failed or reply.kind is FaultKind.TIMEOUT):
            self._failed_starts += 1
            if self._failed_starts == _FAILED_STARTS:
                why = f"{reply.text}; it was not started again, since it had failed to start twice in a row"
                self._given_up = Failed(reply.kind, why, reply.stderr)

    async def ask(self, question: SeatQuestion | Batch, message: bytes, limit_ms: int) -> tuple[Reply, int, int | None]:
        """Ask for an answer, or for all of a batch; see `Table.ask`. The process runs on until `pause`."""
        assert self._line is not None  # noqa: S101 - open() comes first
        assert self._host is not None  # noqa: S101
        self._host.resume()
        host, before_ns = self._host, self._host.processor_ns
        reply, elapsed_us = await self._line.ask(question, message, limit_ms)
        after_ns = host.processor_ns
        used_us = None if before_ns is None or after_ns is None else max(0, after_ns - before_ns) // 1000
        if isinstance(reply, Failed):
            reply = await self._explain(reply)
        if isinstance(reply, Chosen | Failed) and reply.note is not None and self._bot.is_ours_to_end:
            reply = msgspec.structs.replace(reply, note=None)  # a stranger's bot could fill the store with notes
        return reply, elapsed_us, used_us

    async def tell(self, message: bytes) -> Failed | None:
        """Send a message that needs no answer. Returns the bot's fault since it was last asked, if there is one."""
        assert self._line is not None  # noqa: S101 - open() comes first
        assert self._host is not None  # noqa: S101
        if self._line.talk.latched:
            return await self._explain(self._line.talk.latched)
        self._host.resume()  # otherwise it could not read
        await self._line.tell(message)
        return None

    def rest(self) -> None:
        """Note that it is another seat's turn now. Keep this one from thinking, unless bots may ponder."""
        if self._host is not None and not self._hosting.pondering:
            self._host.rest()

    def pause(self) -> None:
        """Stop the process until its next question."""
        if self._host is not None:
            self._host.pause()

    async def stop(self) -> bool:
        """End stream and process as the protocol says; whether the bot closed its stream cleanly."""
        clean = False
        if self._host is not None and self._line is not None and self.alive:
            self._host.resume()
            clean = await self._line.hang_up()
            await self._host.terminate()
        await self.discard()
        return clean

    async def discard(self) -> None:
        """End the process at once."""
        if self._ending is not None:
            self._ending.cancel()
        if self._host is not None:
            await self._host.kill_now()
        if self._line is not None:
            await self._line.drop()
        self._host = self._line = self._ending = None

    async def _end_with_process(self, host: Host, line: BotStream) -> None:
        """When the bot has ended, end all that it has started. What it had sent before still counts."""
        await host.ended()
        host.kill()
        await asyncio.sleep(_EXIT_S)
        line.lose_process()

    async def _begin(self, message: bytes) -> Reply:
        if self._start_failed:
            return self._start_failed
        reply, *_ = await self.ask(SeatQuestion(decision=0), message, self.start_ms)
        return reply

    async def _greet(self, host: Host) -> Failed | None:
        """Ask the bot for its name and version. Returns its fault, if something is wrong with it."""
        try:
            described = await self._described(host)
            self._max_batch = min(max(described.max_batch, 1), MAX_BATCH)
            wrong = self._mistaken(described)
        except NoDescription as error:
            failed = await self._explain(Failed(FaultKind.NO_START, str(error)))
            return Failed(failed.kind, await host.not_ready(failed.text), failed.stderr)
        return await self._explain(Failed(FaultKind.NO_START, wrong)) if wrong else None

    async def _described(self, host: Host) -> Description:
        """The bot's description of itself, as soon as it is up.

        Raises:
            NoDescription: it ends before that, or its time is over.
            Busy: the machine kept it from running for much longer than that time.
        """
        over: asyncio.Future[Busy | None] = asyncio.get_running_loop().create_future()
        watch = Stopwatch(host, over.set_result)
        calling = asyncio.create_task(self._call(host))
        ended = asyncio.create_task(host.ended())
        watch.start(self.start_ms)
        outcomes: list[asyncio.Future[Description] | asyncio.Future[None] | asyncio.Future[Busy | None]]
        outcomes = [calling, ended, over]
        try:
            await asyncio.wait(outcomes, return_when=asyncio.FIRST_COMPLETED)
            if calling.done():
                return calling.result()
            if ended.done():
                raise NoDescription("ended before it could be called")
            raise over.result() or NoDescription(f"{host.pending_step} within {self.start_ms} ms")
        finally:
            watch.cancel()
            calling.cancel()
            ended.cancel()

    async def _call(self, host: Host) -> Description:
        peer = await host.peer()
        self._line = BotStream(peer, host.kill, host, self._bot.dialect)
        return self._bot.description or await self._line.describe(None)

    def _mistaken(self, described: Description) -> str | None:
        """The error in the name or version that the bot gives; None if there is none."""
        says = one_line(f"{described.name}@{described.version}")
        if says == self._bot.entry:
            return None
        expects = "its bot.toml says" if self._bot.has_manifest else "it was entered as"
        return f"says it is {says}, but {expects} {self._bot.entry}"

    async def _explain(self, failed: Failed) -> Failed:
        """End the process, and add to the fault what is known: how the process ended by itself, and its last lines."""
        assert self._host is not None  # noqa: S101 - it was started
        if failed.kind in (FaultKind.CRASH, FaultKind.NO_START):
            await self._host.wait(_EXIT_S)
        self._host.kill()
        took = self._host.limit_exceeded
        how = _how_it_ended(self._host.ended_by_itself) if took is None else f"; it {took}"
        return Failed(failed.kind, failed.text + how, await self._host.stderr_tail(), failed.note)


def _how_it_ended(status: int | None) -> str:
    if status is None:
        return ""
    return f"; its process was ended by signal {-status}" if status < 0 else f"; its process ended with code {status}"
