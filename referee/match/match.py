"""A match: the questions to seats, and the effects of the answers. It does no I/O; the caller gives it all times.

A loop over its requests plays it:

    for request in match:
        match.reply(answer_to(request), elapsed_us)

When the loop ends, the match is over and `transcript` is complete.
"""

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import msgspec

from referee.core import seeds
from referee.core.game import AnyGame, Decide, Over, Roll, Shuffle
from referee.core.outcome import Outcome, Seat, faulted
from referee.core.sandbox import Sandbox
from referee.match.clock import Clock
from referee.match.conversation import Chosen, Failed, Ready, Reply
from referee.match.entry_terms import USUAL, EntryTerms
from referee.match.transcript import (
    Choice,
    Draw,
    FaultKind,
    FaultMark,
    Header,
    Metadata,
    Record,
    Remark,
    Spent,
    Transcript,
)


class Open(msgspec.Struct, frozen=True):
    """Tell `seat` that the match begins. The reply is Ready or Failed."""

    seat: Seat


class Ask(msgspec.Struct, frozen=True):
    """Ask `seat` for its decision `number`. The reply is Chosen or Failed.

    Attributes:
        seat: the seat that must choose.
        number: counts the seat's own decisions, from 1.
        view: the position as the seat may know it.
        legal: the actions that it may choose from.
        heard: the events that it heard since it was last asked, oldest first.
        time_left_ms: the time for this decision.
    """

    seat: Seat
    number: int
    view: Any
    legal: tuple[Any, ...]
    heard: tuple[Any, ...]
    time_left_ms: int


class Close(msgspec.Struct, frozen=True):
    """Tell `seat`, which has not failed, how the match ended.

    No reply is needed. If there is one, it is None, or Failed for a fault after the seat's last decision, which costs
    the seat nothing.
    """

    seat: Seat
    outcome: Outcome
    heard: tuple[Any, ...]


Request: TypeAlias = Open | Ask | Close


class Match:
    """One match from its header to its transcript.

    Attributes:
        header: the facts that were fixed before the match.
        clock: the time limits of seats that have no others.
        terms: by seat, the terms of its bot's entry.
        clocks: by seat, its time limits.
        options: the game's options, as the game's own type.
        luck: every draw so far.
        state: the position with everything hidden in it, for narrators.
        events: everything that happened so far, also with everything hidden.
        open: the request that has no reply yet; None if there is no such request.
    """

    def __init__(self, game: AnyGame, header: Header, clock: Clock, terms: Sequence[EntryTerms] = ()) -> None:
        """Prepare the match. Without `terms`, no bot has any of its own.

        Raises:
            ValueError: there are terms, but not for every seat, or the options are not the game's.
        """
        self.header = header
        self.clock = clock
        self.terms = tuple(terms) or (USUAL,) * len(header.entries)
        if len(self.terms) != len(header.entries):
            raise ValueError(f"{len(self.terms)} bots have terms, and {len(header.entries)} sit at the table")
        self.clocks = tuple(each.clock or clock for each in self.terms)
        self.options = msgspec.convert(header.options, game.options_type)
        self.events: list[Any] = []
        self._game = game
        self._seats = len(header.entries)
        self._deal_seed = bytes.fromhex(header.deal_seed)
        self.state = game.setup(self.options, self._seats)
        self._heard: list[list[Any]] = [[] for _ in range(self._seats)]
        self._asked = [0] * self._seats
        self._banks_ms = [each.bank_ms for each in self.clocks]
        self.luck: list[Draw] = []
        self._choices: list[Choice] = []
        self._spent: list[Spent] = []
        self._faults: list[FaultMark] = []
        self._remarks: list[Remark] = []
        self._outcome: Outcome | None = None
        self.open: Request | None = None
        self._reply: Reply | None = None
        self._elapsed_us = 0
        self._requests = self._play()

    def __iter__(self) -> Iterator[Request]:
        """The remaining requests. Each follows from the replies to all before it.

        Raises:
            RuntimeError: the loop asks for the next request although an Open or an Ask has no valid reply.
        """
        return self._requests

    def reply(self, reply: Reply | None, elapsed_us: int = 0) -> None:
        """Take the reply to the open request; `elapsed_us` is the time in microseconds since the request was made.

        Raises:
            RuntimeError: no request is open: the loop has not begun, is over, or this request has a reply already.
        """
        if self.open is None:
            raise RuntimeError("no request is open that could be replied to")
        self.open, self._reply, self._elapsed_us = None, reply, elapsed_us

    def transcript(self, bots: tuple[str, ...] = (), sandbox: Sandbox | None = None) -> Transcript:
        """The finished match.

        `bots` are the folders or addresses that were played with, by seat; those in folders ran in `sandbox`.
        """
        if self._outcome is None:
            raise RuntimeError("the match is not over")
        record = Record(
            header=self.header,
            luck=tuple(self.luck),
            choices=tuple(self._choices),
            faults=tuple(self._faults),
            outcome=self._outcome,
        )
        terms = msgspec.UNSET if all(each == USUAL for each in self.terms) else self.terms
        aside = Metadata(self.clock, tuple(self._spent), tuple(self._remarks), bots, sandbox, terms)
        return Transcript(record, aside)

    def _play(self) -> Iterator[Request]:
        for seat in range(self._seats):
            self.open = Open(seat)
            yield self.open
            reply = self._take_reply()
            if isinstance(reply, Failed):
                self._fault(seat, reply)
            elif not isinstance(reply, Ready):
                raise _unfit(seat, reply)
        while self._outcome is None and not self._faults:
            yield from self._advance()
        if self._outcome is None:
            self._outcome = cut_short(self._game, self.options, self._seats, self._faults)
        yield from self._close(self._outcome)

    def _advance(self) -> Iterator[Request]:
        awaiting = self._game.awaiting(self.state)
        if isinstance(awaiting, Decide):
            yield from self._decide(awaiting.seats)
        elif isinstance(awaiting, Over):
            self._outcome = awaiting.outcome
        else:
            drawn = draw(self._deal_seed, awaiting)
            self.luck.append(Draw(awaiting.label, drawn))
            self._step(self._game.luck(self.state, drawn))

    def _decide(self, seats: tuple[Seat, ...]) -> Iterator[Request]:
        """Ask every seat, even after one has failed: the number of questions must not reveal what others chose."""
        choices: dict[Seat, Any] = {}
        for seat in seats:
            legal = self._game.legal(self.state, seat)
            self.open = self._question(seat, legal)
            yield self.open
            reply = self._take_reply()
            self._spent.append(Spent(seat, self._elapsed_us))
            self._banks_ms[seat] = self.clocks[seat].bank_after(self._banks_ms[seat], self._elapsed_us // 1000)
            if isinstance(reply, Chosen):
                self._choices.append(Choice(seat, reply.index))
                choices[seat] = legal[reply.index]
            elif isinstance(reply, Failed):
                self._fault(seat, reply)
            else:
                raise _unfit(seat, reply)
        if not self._faults:
            self._step(self._game.apply(self.state, choices))

    def _close(self, outcome: Outcome) -> Iterator[Request]:
        at_fault = {fault.seat for fault in self._faults}
        for seat in range(self._seats):
            if seat not in at_fault:
                self.open = Close(seat, outcome, self._take_heard(seat))
                yield self.open
                if isinstance(reply := self._take_reply(), Failed):
                    self._remarks.append(Remark(seat, None, reply.text, reply.stderr))
        self.open = None

    def _take_reply(self) -> Reply | None:
        reply, self._reply = self._reply, None
        return reply

    def _question(self, seat: Seat, legal: tuple[Any, ...]) -> Ask:
        self._asked[seat] += 1
        return Ask(
            seat=seat,
            number=self._asked[seat],
            view=self._game.view(self.state, seat),
            legal=legal,
            heard=self._take_heard(seat),
            time_left_ms=self.clocks[seat].time_left(self._banks_ms[seat]),
        )

    def _step(self, after: tuple[Any, tuple[Any, ...]]) -> None:
        self.state, events = after
        self.events.extend(events)
        for seat, heard in enumerate(self._heard):
            for event in events:
                part = self._game.heard(event, seat)
                if part is not None:
                    heard.append(part)

    def _take_heard(self, seat: Seat) -> tuple[Any, ...]:
        heard = tuple(self._heard[seat])
        self._heard[seat].clear()
        return heard

    def _fault(self, seat: Seat, failed: Failed) -> None:
        self._faults.append(marked(seat, self._asked[seat], failed.kind))
        self._remarks.append(Remark(seat, self._asked[seat], failed.text, failed.stderr))


def _unfit(seat: Seat, reply: Reply | None) -> RuntimeError:
    what = "no reply" if reply is None else f"{reply}"
    return RuntimeError(f"the match cannot go on: seat {seat} was asked, and the loop gave {what}")


def marked(seat: Seat, decision: int, kind: FaultKind) -> FaultMark:
    """The fault as it stands in the record.

    A bot that is not ready in time, or dies before it is ready, counts as not started, whatever the cause.
    """
    never_ready = decision == 0 and kind in (FaultKind.TIMEOUT, FaultKind.CRASH)
    return FaultMark(seat, decision, FaultKind.NO_START if never_ready else kind)


def cut_short(game: AnyGame, options: Any, seats: int, faults: Sequence[FaultMark]) -> Outcome:
    """The end of a match that faults cut short."""
    return faulted(game.sides(options, seats), seats, frozenset(fault.seat for fault in faults))


def draw(deal_seed: bytes, wanted: Shuffle | Roll) -> tuple[int, ...]:
    """The luck of a deal. It depends only on the deal's seed and the label, never on earlier draws."""
    seed = seeds.child(deal_seed, wanted.label)
    if isinstance(wanted, Shuffle):
        return seeds.permutation(seed, wanted.count)
    return seeds.rolls(seed, wanted.faces, wanted.count)
