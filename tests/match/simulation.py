"""A whole match in virtual time: seats that are slow, silent, dead, wrong or talkative, and a clock that is a number.

It takes the place of the shell: the same `Match`, `Conversation` and deadlines, but no process and no socket. The
script says what each seat does at each decision, so a fault happens whatever the other seats do.
"""

import heapq
from collections.abc import Callable
from itertools import count

import msgspec

from referee.core.game import AnyGame
from referee.match.conversation import Answer, Conversation, Failed, Garbage, Message, Ready, Reply, SeatQuestion
from referee.match.match import Ask, Match, Open, Request
from referee.match.terms import MARGIN_MS, Clock
from referee.match.transcript import Header, Transcript


class Says(msgspec.Struct, frozen=True):
    """What a seat does when it is asked: these messages, each after `delay_ms`. If it `dies`, it does so then."""

    messages: tuple[Message, ...] = ()
    delay_ms: int = 1
    dies: bool = False


Behaviour = Callable[[int, int, int], Says]
"""Takes (seat, decision, number of legal actions), and gives what the seat does. Decision 0 is the start."""


def honest(seat: int, decision: int, legal: int) -> Says:
    if not decision:
        return Says((Ready(),))
    return Says((Answer(decision, (seat + decision) % legal),))


class Simulation:
    """One match, its seats and its time in milliseconds."""

    def __init__(self, game: AnyGame, header: Header, clock: Clock, behave: Behaviour) -> None:
        self.now_ms = 0
        self._clock = clock
        self._behave = behave
        self._match = Match(game, header, clock)
        self._talks = [Conversation() for _ in header.entries]
        self._coming: list[tuple[int, int, int, Message | None]] = []  # when, tie-breaker, seat, message or death
        self._order = count()

    def play(self) -> Transcript:
        for request in self._match:
            before = self.now_ms
            reply = self._carry_out(request)
            self._match.reply(reply, (self.now_ms - before) * 1000)
        return self._match.transcript()

    def _carry_out(self, request: Request) -> Reply | None:
        talk = self._talks[request.seat]
        if isinstance(request, Open):
            return self._ask(request.seat, SeatQuestion(0), self._clock.start_ms)
        if isinstance(request, Ask):
            return self._ask(request.seat, SeatQuestion(request.number, len(request.legal)), request.time_left_ms)
        return talk.latched

    def _ask(self, seat: int, question: SeatQuestion, limit_ms: int) -> Reply:
        latched = self._talks[seat].ask(question)
        if latched:
            return latched
        self._schedule(seat, self._behave(seat, question.decision, question.legal))
        deadline = self.now_ms + limit_ms + MARGIN_MS
        while self._coming and self._coming[0][0] <= deadline:
            self.now_ms, _, speaker, message = heapq.heappop(self._coming)
            reply = self._deliver(speaker, message)
            if reply is not None and speaker == seat:
                return reply
        self.now_ms = deadline
        return self._talks[seat].expire(limit_ms)

    def _schedule(self, seat: int, says: Says) -> None:
        at = self.now_ms
        for message in (*says.messages, None)[: len(says.messages) + says.dies]:
            at += says.delay_ms
            heapq.heappush(self._coming, (at, next(self._order), seat, message))

    def _deliver(self, seat: int, message: Message | None) -> Reply | None:
        talk = self._talks[seat]
        reply = talk.lose("died") if message is None else talk.hear(message)
        if reply is None or isinstance(reply, Failed):  # the shell kills the process, so nothing more comes from it
            self._coming = [item for item in self._coming if item[2] != seat]
            heapq.heapify(self._coming)
        return reply


NOISE = Garbage("sent noise")
