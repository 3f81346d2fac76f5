"""A recorded match with other bots in some seats. It goes as recorded until one of these chooses otherwise.

A seat may have the bot of the record, a substitute, or nobody. Bots are sent every message from the beginning, so they
know the match when it leaves the record. Until then the recorded choices hold in the seats of nobody, and in those of
bots that only stand in for one that cannot be had.
"""

from collections.abc import Collection, Mapping

import msgspec

from referee.core.outcome import Seat
from referee.match.conversation import Chosen, Failed, Ready, Reply
from referee.match.match import Ask, Match, Open, Request
from referee.match.replay import Replay
from referee.match.transcript import Transcript
from referee.runtime.host import Bot, HostSettings
from referee.runtime.person import Mailbox, Person
from referee.runtime.table import Table
from referee.wire.codec import AnyCodec, GameEntry


class Departure(msgspec.Struct, frozen=True):
    """A decision in which a bot chose otherwise than the record says.

    Attributes:
        number: its number among the decisions of all seats, from 1.
        seat: the seat.
        decision: its number among those of the seat, from 1.
        recorded: the choice of the record in words, or its fault.
        now: the choice or the fault of the bot.
    """

    number: int
    seat: Seat
    decision: int
    recorded: str
    now: str


class NobodyThere(Exception):
    """It is the turn of a seat that nobody has, after the match has left the record; or who stands in has failed."""


class SubstitutedTable(Table):
    """The table of such a match.

    Attributes:
        departure: where the match left the record; None as long as it has not.
        ignored: where those who stand in would have left it.
    """

    def __init__(
        self,
        entry: GameEntry,
        recorded: Transcript,
        bots: Mapping[Seat, Bot],
        hosting: HostSettings,
        standing_in: Collection[Seat] = (),
    ) -> None:
        """Nothing is started yet.

        Args:
            entry: the game.
            recorded: the match; it holds by the rules.
            bots: by seat; the others have nobody.
            hosting: as for any table.
            standing_in: the seats whose bots only stand in for those of the record.

        Raises:
            Difference: the record does not hold.
        """
        terms = recorded.terms
        everybody = [bots.get(seat) or Person("~nobody", Mailbox(), own) for seat, own in enumerate(terms)]
        super().__init__(everybody, hosting)
        self.departure: Departure | None = None
        self.ignored: list[Departure] = []
        self._game = entry.game
        self._followed = {*range(len(terms))} - bots.keys() | {*standing_in}
        self._absent = {*range(len(terms))} - bots.keys()
        self._replies = {
            (step.request.seat, step.request.number): step.reply
            for step in Replay(entry.game, recorded).steps()
            if isinstance(step.request, Ask)
        }
        self._decisions = 0

    async def _reply(self, codec: AnyCodec, match: Match, request: Request) -> tuple[Reply | None, int]:
        if request.seat in self._absent:
            return self._of_nobody(request), 0
        reply, elapsed_us = await super()._reply(codec, match, request)
        if not isinstance(request, Ask) or self.departure is not None:
            return reply, elapsed_us
        self._decisions += 1
        recorded, follows = self._replies[request.seat, request.number], request.seat in self._followed
        if _answer(reply) != _answer(recorded):
            words = self._words(request, recorded), self._words(request, reply)
            departure = Departure(self._decisions, request.seat, request.number, *words)
            if not follows:
                self.departure = departure
            else:
                self.ignored.append(departure)
                if isinstance(reply, Failed):
                    raise NobodyThere
        return recorded if follows else reply, elapsed_us

    def _of_nobody(self, request: Request) -> Reply | None:
        if isinstance(request, Open):
            return Ready()
        if not isinstance(request, Ask):
            return None
        if self.departure is not None:
            raise NobodyThere
        self._decisions += 1
        return self._replies[request.seat, request.number]

    def _words(self, request: Ask, reply: Reply | None) -> str:
        if isinstance(reply, Chosen):
            return self._game.describe_action(request.legal[reply.index])
        assert isinstance(reply, Failed)  # noqa: S101 - a decision has no other answer
        return f"the fault {reply.kind}: {reply.text}"


def _answer(reply: Reply | None) -> int | str | None:
    """The index of a choice, or the kind of a fault."""
    if isinstance(reply, Chosen):
        return reply.index
    return reply.kind if isinstance(reply, Failed) else None
