"""A table: the processes of one line-up, and a match carried out with them."""

import asyncio
from collections.abc import Callable, Sequence

from referee.match.clock import Clock
from referee.match.conversation import Failed, Question, Reply
from referee.match.match import Ask, Match, Open, Request
from referee.match.transcript import Header, Transcript
from referee.shell.bot import Bot
from referee.shell.seat import House, SeatProcess
from referee.shell.void import Void
from referee.wire.codec import AnyCodec, GameEntry
from referee.wire.messages import decision, match_end, match_start

Witness = Callable[[Match], None]
"""Is shown the match after every step, to tell people about it."""


class Table:
    """Processes that stay warm from match to match, until one of them fails or a match is void."""

    def __init__(self, bots: Sequence[Bot], house: House) -> None:
        self.bots = tuple(bots)
        self._seats = [SeatProcess(bot, house) for bot in bots]
        self._running = self._seats[0]  # at most one process runs; whoever is asked takes over

    async def play(self, entry: GameEntry, header: Header, clock: Clock, witness: Witness | None = None) -> Transcript:
        """Play one match.

        Raises:
            Void: the match does not count; the processes have been ended.
        """
        match = Match(entry.game, header, clock)
        try:
            await asyncio.gather(*(seat.start() for seat in self._seats))
            await self._carry_out(entry.codec, match, witness)
        except Void:
            await self._discard()
            raise
        transcript = match.transcript(tuple(str(bot.folder) for bot in self.bots))
        if transcript.record.faults:
            await self._discard()
        return transcript

    async def stop(self) -> list[bool]:
        """End all processes as agreed; by seat, whether the bot closed its stream cleanly."""
        return await asyncio.gather(*(seat.stop() for seat in self._seats))

    async def _discard(self) -> None:
        await asyncio.gather(*(seat.discard() for seat in self._seats))

    async def _carry_out(self, codec: AnyCodec, match: Match, witness: Witness | None) -> None:
        request: Request | None = match.begin()
        while request is not None:
            reply, elapsed_ms = await self._reply(codec, match, request)
            request = match.receive(reply, elapsed_ms)
            if witness is not None:
                witness(match)

    async def _reply(self, codec: AnyCodec, match: Match, request: Request) -> tuple[Reply | None, int]:
        seat = self._seats[request.seat]
        if seat is not self._running:
            self._running.pause()
            self._running = seat
        if isinstance(request, Ask):
            question = Question(request.number, len(request.legal))
            return await seat.ask(question, decision(codec, request), request.time_left_ms)
        if isinstance(request, Open):
            return await seat.open(match_start(codec, match, request.seat)), 0
        failed: Failed | None = await seat.tell(match_end(codec, request))
        return failed, 0
