"""A match: the questions to seats, and the effects of the answers. It does no I/O; the caller gives it all times.

A loop over its requests plays it:

    for request in match:
        match.reply(my_answer(request), elapsed_us)

When the loop ends, the match is over and `transcript` is complete. A match can be copied and pickled at any point.
"""

import traceback
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import msgspec

from referee.core import seeds
from referee.core.bot_limits import Sandbox
from referee.core.errors import GameBug, pass_on
from referee.core.game import MOST_DRAWN, AnyGame, Decide, Over, Past, Roll, Shuffle
from referee.core.outcome import Outcome, Seat, faulted, misfits
from referee.match.conversation import Chosen, Failed, Ready, Reply
from referee.match.terms import USUAL, Clock, EntryTerms
from referee.match.transcript import (
    Choice,
    DecisionNote,
    Draw,
    FaultKind,
    FaultMark,
    Header,
    Metadata,
    Note,
    Record,
    Remark,
    Spent,
    Transcript,
)

_MOST_STEPS = 100_000
"""A match with more draws and choices counts as endless."""

_NOTE = 2_000
_NOTES = 40_000
"""Characters of notes that are kept: of one decision, and of all decisions of a seat."""


class Open(msgspec.Struct, frozen=True):
    """Tell `seat` that the match begins. The reply is Ready or Failed."""

    seat: Seat


class Ask(msgspec.Struct, frozen=True, rename={"events": "heard"}):
    """Ask `seat` for its decision `number`. The reply is Chosen or Failed.

    Attributes:
        seat: the seat that must choose.
        number: counts the seat's own decisions, from 1.
        view: the position as the seat may know it.
        legal: the actions that it may choose from.
        events: the events that it heard since it was last asked, oldest first.
        time_left_ms: the time for this decision.
    """

    seat: Seat
    number: int
    view: Any
    legal: tuple[Any, ...]
    events: tuple[Any, ...]
    time_left_ms: int


class Close(msgspec.Struct, frozen=True, rename={"events": "heard"}):
    """Tell `seat`, which has not failed, how the match ended.

    No reply is needed. If there is one, it is None, or Failed for a fault after the seat's last decision, which costs
    the seat nothing.
    """

    seat: Seat
    outcome: Outcome
    events: tuple[Any, ...]


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
        outcome: how the match ended; None before its end.
        past: by seat, its finished decisions.
        from_start: whether the match began with the first position of the game.
    """

    def __init__(
        self, game: AnyGame, header: Header, clock: Clock, terms: Sequence[EntryTerms] = (), state: Any = None
    ) -> None:
        """Prepare the match. Without `terms`, no bot has any of its own. It begins in `state`, if that is given.

        Raises:
            ValueError: there are terms, but not for every seat, or the options are not the game's.
            GameBug: the game raised an exception.
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
        self.from_start = state is None
        self.past: list[Past] = [()] * self._seats
        self._pending_events: list[list[Any]] = [[] for _ in range(self._seats)]
        self._decisions = [0] * self._seats
        self._processor_us: list[int | None] = [None] * self._seats
        self._banks_ms = [each.bank_ms for each in self.clocks]
        self.luck: list[Draw] = []
        self._choices: list[Choice] = []
        self._spent: list[Spent] = []
        self._faults: list[FaultMark] = []
        self._remarks: list[Remark] = []
        self._notes: list[DecisionNote] = []
        self.outcome: Outcome | None = None
        self.open: Request | None = None
        self._reply: Reply | None = None
        self._elapsed_us = 0
        self._unsettled: Request | None = None  # the last request, until its reply has taken effect
        self._opened = self._closed = 0  # how many seats know of the beginning, and of the end
        self._to_ask: tuple[Seat, ...] = ()  # the seats that a decision still has to ask
        self._sealed: dict[Seat, Any] | None = None  # the choices of a decision; None between decisions
        try:
            self.state = game.setup(self.options, self._seats) if state is None else state
        except BaseException as error:
            raise self.game_bug(error) from error

    def __copy__(self) -> "Match":
        """Another match in the same position, with the same open request. What the copies share never changes."""
        twin = object.__new__(type(self))
        twin.__dict__ |= {
            name: value.copy() if isinstance(value, list | dict) else value for name, value in vars(self).items()
        }
        twin._pending_events = [pending.copy() for pending in self._pending_events]
        return twin

    def __deepcopy__(self, _memo: object) -> "Match":
        """The same as a copy."""
        return self.__copy__()

    def __iter__(self) -> Iterator[Request]:
        """The remaining requests. Each follows from the replies to all before it."""
        return self

    def __next__(self) -> Request:
        """The next request.

        Raises:
            RuntimeError: the loop asks for the next request although an Open or an Ask has no valid reply.
            GameBug: the game raised an exception.
        """
        unsettled = self._unsettled
        if isinstance(unsettled, Ask):
            self._decide(unsettled)
        elif unsettled is not None:
            self._settle(unsettled)
        self._reply = None
        try:
            self.open = self._unsettled = request = self._next_request()
        except BaseException as error:
            raise self.game_bug(error) from error
        if request is None:
            raise StopIteration
        return request

    def reply(self, reply: Reply | None, elapsed_us: int = 0, processor_us: int | None = None) -> None:
        """Take the reply to the open request; `elapsed_us` is the time in microseconds since the request was made.

        `processor_us` is the processor time that the seat's process used for it; None: it was not seen.

        Raises:
            RuntimeError: no request is open: the loop has not begun, is over, or this request has a reply already.
        """
        if self.open is None:
            raise RuntimeError("no request is open that could be replied to")
        if processor_us is not None:
            self._processor_us[self.open.seat] = (self._processor_us[self.open.seat] or 0) + processor_us
        self.open, self._reply, self._elapsed_us = None, reply, elapsed_us

    def transcript(self, bots: tuple[str, ...] = (), sandbox: Sandbox | None = None) -> Transcript:
        """The finished match.

        `bots` are the folders or addresses that were played with, by seat; those in folders ran in `sandbox`.
        """
        if self.outcome is None:
            raise RuntimeError("the match is not over")
        if not self.from_start:
            raise RuntimeError("a match that began in a given position has no transcript")
        record = Record(
            header=self.header,
            luck=tuple(self.luck),
            choices=tuple(self._choices),
            faults=tuple(self._faults),
            outcome=self.outcome,
        )
        terms = msgspec.UNSET if all(each == USUAL for each in self.terms) else self.terms
        notes = tuple(self._notes) or msgspec.UNSET
        used_us = msgspec.UNSET if all(each is None for each in self._processor_us) else tuple(self._processor_us)
        metadata = Metadata(self.clock, tuple(self._spent), tuple(self._remarks), bots, sandbox, terms, notes, used_us)
        return Transcript(record, metadata)

    def game_bug(self, error: BaseException) -> GameBug:
        """The bug of the game, with the match so far; as the function `game_bug`."""
        return game_bug(self.header, self.luck, self._choices, error)

    def _next_request(self) -> Request | None:
        if self._opened < self._seats:
            self._opened += 1
            return Open(self._opened - 1)
        while self.outcome is None:
            if self._to_ask:  # even after one has failed: the number of questions must not reveal what others chose
                seat, self._to_ask = self._to_ask[0], self._to_ask[1:]
                return self._question(seat)
            self.outcome = self._advance()
        return self._next_close(self.outcome)

    def _advance(self) -> Outcome | None:
        """Carry out a decision that all have made, and then what the game awaits. Returns the outcome of the match."""
        if self._faults:
            return cut_short(self._game, self.options, self._seats, self._faults)
        if self._sealed is not None:
            sealed, self._sealed = self._sealed, None
            self._step(self._game.apply(self.state, sealed))
        if len(self.luck) + len(self._choices) > _MOST_STEPS:
            raise ValueError(f"the match has no end after {_MOST_STEPS} draws and choices")
        awaiting = self._game.awaiting(self.state)
        if isinstance(awaiting, Decide):
            if not awaiting.seats or not set(awaiting.seats) <= set(range(self._seats)):
                raise ValueError(f"the seats {awaiting.seats} must choose, of {self._seats}")
            self._to_ask, self._sealed = awaiting.seats, {}
        elif isinstance(awaiting, Over):
            outcome = msgspec.convert(msgspec.to_builtins(awaiting.outcome), Outcome)
            if wrong := next(misfits(outcome, self._seats, self._game.endings), None):
                raise ValueError(wrong)
            return outcome
        else:
            drawn = draw(self._deal_seed, awaiting)
            self.luck.append(Draw(awaiting.label, drawn))
            self._step(self._game.luck(self.state, drawn))
        return None

    def _next_close(self, outcome: Outcome) -> Close | None:
        at_fault = {fault.seat for fault in self._faults}
        while self._closed < self._seats:
            seat = self._closed
            self._closed += 1
            if seat not in at_fault:
                return Close(seat, outcome, self._take_events(seat))
        return None

    def _settle(self, request: Open | Close) -> None:
        """Let the reply to the beginning or to the end take effect."""
        reply, seat = self._reply, request.seat
        if isinstance(request, Close):
            if isinstance(reply, Failed):
                self._remarks.append(Remark(seat, None, reply.text, reply.stderr))
        elif isinstance(reply, Failed):
            self._fault(seat, reply)
        elif not isinstance(reply, Ready):
            raise _unfit(seat, reply)

    def _decide(self, ask: Ask) -> None:
        """Let the reply to a question take effect. A choice is sealed until all seats have chosen."""
        seat, reply, elapsed_us = ask.seat, self._reply, self._elapsed_us
        if isinstance(reply, Chosen) and self._sealed is not None:
            action = ask.legal[reply.index]
            self._choices.append(Choice(seat, reply.index))
            self.past[seat] += ((ask.events, action),)
            self._sealed[seat] = action
        elif isinstance(reply, Failed):
            self._fault(seat, reply)
        else:
            raise _unfit(seat, reply)
        if reply.note is not None:
            self._keep_note(ask, reply.note)
        self._spent.append(Spent(seat, elapsed_us))
        self._banks_ms[seat] = self.clocks[seat].bank_after(self._banks_ms[seat], elapsed_us // 1000)

    def _question(self, seat: Seat) -> Ask:
        legal = tuple(self._game.legal(self.state, seat))
        if not legal:
            raise ValueError(f"seat {seat} must choose, and has no legal action")
        self._decisions[seat] += 1
        return Ask(
            seat=seat,
            number=self._decisions[seat],
            view=self._game.view(self.state, seat),
            legal=legal,
            events=self._take_events(seat),
            time_left_ms=self.clocks[seat].time_left(self._banks_ms[seat]),
        )

    def _step(self, after: tuple[Any, tuple[Any, ...]]) -> None:
        self.state, events = after
        self.events += events
        hear = self._game.heard
        for seat, pending in enumerate(self._pending_events):
            for event in events:
                if (part := hear(event, seat)) is not None:
                    pending.append(part)

    def _take_events(self, seat: Seat) -> tuple[Any, ...]:
        events = tuple(self._pending_events[seat])
        self._pending_events[seat].clear()
        return events

    def _keep_note(self, ask: Ask, note: Note) -> None:
        """Keep a note, as far as it is not too long. The bot chose every character of it."""
        length = sum(len(each.note.text) for each in self._notes if each.seat == ask.seat)
        text = note.text[: min(_NOTE, _NOTES - length)]
        self._notes.append(DecisionNote(ask.seat, ask.number, msgspec.structs.replace(note, text=text)))

    def _fault(self, seat: Seat, failed: Failed) -> None:
        self._faults.append(marked(seat, self._decisions[seat], failed.kind))
        self._remarks.append(Remark(seat, self._decisions[seat], failed.text, failed.stderr))


def _unfit(seat: Seat, reply: Reply | None) -> RuntimeError:
    what = "no reply" if reply is None else f"{reply}"
    return RuntimeError(f"the match cannot go on: seat {seat} was asked, and the loop gave {what}")


def marked(seat: Seat, decision: int, kind: FaultKind) -> FaultMark:
    """The fault as it stands in the record.

    A bot that is not ready in time, or dies before it is ready, counts as not started, whatever the cause.
    """
    never_ready = decision == 0 and kind in (FaultKind.TIMEOUT, FaultKind.CRASH)
    return FaultMark(seat, decision, FaultKind.NO_START if never_ready else kind)


def game_bug(header: Header, luck: Sequence[Draw], choices: Sequence[Choice], error: BaseException) -> GameBug:
    """The bug of the game, with this match, because its own code, its codec or its drawer raised this exception.

    Raises:
        BaseException: this one, and the game is not to blame: the machine lacks memory, or somebody stopped us.
    """
    pass_on(error)
    played = {"header": header, "luck": luck, "choices": choices, "traceback": traceback.format_exception(error)}
    what = "".join(traceback.format_exception_only(error)).strip()
    text = f"the game {header.game} failed in the match {header.fixture}: {what}; this is a bug of the game"
    return GameBug(text, header.match_id, msgspec.json.encode(played))


def cut_short(game: AnyGame, options: Any, seats: int, faults: Sequence[FaultMark]) -> Outcome:
    """The end of a match that faults cut short."""
    return faulted(game.sides(options, seats), seats, frozenset(fault.seat for fault in faults))


def draw(deal_seed: bytes, awaited: Shuffle | Roll) -> tuple[int, ...]:
    """The luck of a deal. It depends only on the deal's seed and the label, never on earlier draws."""
    if awaited.count > MOST_DRAWN:
        raise ValueError(f"the draw {awaited.label!r} has {awaited.count} numbers; it may have {MOST_DRAWN}")
    seed = seeds.child(deal_seed, awaited.label)
    if isinstance(awaited, Shuffle):
        return seeds.permutation(seed, awaited.count)
    return seeds.rolls(seed, awaited.faces, awaited.count)
