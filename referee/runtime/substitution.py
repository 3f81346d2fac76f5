"""A recorded match with other bots in some seats. It goes as recorded until one of these answers otherwise.

A seat may have the bot of the record, a substitute, or nobody. Bots are sent every message from the beginning, so they
know the match when it leaves the record. Until then the recorded answers hold in the seats of nobody, and in those of
bots that only stand in for one that cannot be had.
"""

from collections.abc import Collection, Mapping

import msgspec

from referee.core.outcome import Seat
from referee.match.conversation import Chosen, Failed, Ready, Reply
from referee.match.match import Ask, Close, Match, Request
from referee.match.replay import Replay, blame_game
from referee.match.terms import Clock
from referee.match.transcript import Transcript
from referee.runtime.host import Bot, HostSettings
from referee.runtime.person import Mailbox, Person
from referee.runtime.table import Table
from referee.wire.codec import AnyCodec, GameEntry


class Departure(msgspec.Struct, frozen=True):
    """A bot answered otherwise than the record says.

    Attributes:
        number: how many decisions of all seats came before it, and one.
        seat: the seat.
        decision: the number of the decision among those of the seat, from 1; 0 at the start.
        recorded: the answer of the record in words.
        now: that of the bot.
    """

    number: int
    seat: Seat
    decision: int
    recorded: str
    now: str

    @property
    def words(self) -> str:
        """Where it is, and both answers."""
        where = f"decision {self.decision} of seat {self.seat}" if self.decision else f"the start of seat {self.seat}"
        return f"{where}: recorded {self.recorded}, now {self.now}"


class NobodyThere(Exception):
    """It is the turn of nobody after the match has left the record, or who stands in has failed before."""


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
            recorded: the match.
            bots: by seat; the others have nobody.
            hosting: as for any table.
            standing_in: the seats whose bots only stand in for those of the record.

        Raises:
            Difference: the record does not hold.
        """
        terms = recorded.terms
        super().__init__([bots.get(at) or Person("~nobody", Mailbox(), own) for at, own in enumerate(terms)], hosting)
        self.departure: Departure | None = None
        self.ignored: list[Departure] = []
        self._entry, self._recorded = entry, recorded
        self._absent = {*range(len(terms))} - bots.keys()
        self._followed = self._absent | {*standing_in}
        steps = [step for step in Replay(entry.game, recorded).steps() if not isinstance(step.request, Close)]
        self._answers = {_place(step.request): step.reply for step in steps}
        self._number = 1

    async def play_again(self, clock: Clock) -> Transcript | None:
        """Play the match. Returns it; None if it went as recorded until it was the turn of nobody."""
        try:
            return await self.play(self._entry, self._recorded.record.header, clock)
        except NobodyThere:
            return None
        finally:
            await self.stop()

    async def _reply(self, codec: AnyCodec, match: Match, request: Request) -> tuple[Reply | None, int]:
        if request.seat in self._absent:
            if isinstance(request, Close):
                return None, 0
            if self.departure is not None and isinstance(request, Ask):
                raise NobodyThere
            reply, elapsed_us = self._answers.get(_place(request), Ready()), 0
        else:
            reply, elapsed_us = await super()._reply(codec, match, request)
            if self.departure is None and not isinstance(request, Close):
                reply = self._compared(request, reply)
        self._number += isinstance(request, Ask)
        return reply, elapsed_us

    def _compared(self, request: Request, reply: Reply | None) -> Reply | None:
        """The answer that holds: that of the bot, or of the record if the bot only stands in."""
        recorded, follows = self._answers[_place(request)], request.seat in self._followed
        if _answer(reply) != _answer(recorded):
            words = self._words(request, recorded), self._words(request, reply)
            departure = Departure(self._number, *_place(request), *words)
            if not follows:
                self.departure = departure
                return reply
            self.ignored.append(departure)
            if isinstance(reply, Failed):
                raise NobodyThere
        return recorded if follows else reply

    def _words(self, request: Request, reply: Reply | None) -> str:
        if isinstance(reply, Chosen) and isinstance(request, Ask):
            with blame_game(self._recorded.record):
                return self._entry.game.describe_action(request.legal[reply.index])
        return f"the fault {reply.kind}: {reply.text}" if isinstance(reply, Failed) else "no fault"


def _place(request: Request) -> tuple[Seat, int]:
    """The seat, and the number of its decision; 0 at the start."""
    return request.seat, request.number if isinstance(request, Ask) else 0


def _answer(reply: Reply | None) -> object:
    """The index of a choice, or the kind of a fault."""
    return reply.index if isinstance(reply, Chosen) else getattr(reply, "kind", None)
