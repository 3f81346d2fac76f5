"""A match played again from its transcript, by the rules alone."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import msgspec

from referee.core.errors import UserError
from referee.core.game import AnyGame, Decide, Over, Roll, Shuffle
from referee.core.outcome import Outcome, Seat
from referee.match.conversation import Chosen, Failed, Ready, Reply
from referee.match.match import Ask, Match, Open, Request, cut_short, draw, game_bug, marked
from referee.match.transcript import Choice, Draw, FaultKind, FaultMark, Header, Note, Record, Remark, Transcript


class Difference(Exception):
    """The transcript does not follow from its inputs by the rules. The text names the first difference."""


class OtherRules(Difference):
    """The match is of a rules version that is not installed, so nobody here can say whether it holds."""


@contextmanager
def blame_game(record: Record) -> Iterator[None]:
    """Turn any other exception than a `UserError` or a `Difference` into a bug of the game, with this match.

    Raises:
        GameBug: there was one. The block must run code of the game, and no I/O.
    """
    try:
        yield
    except (UserError, Difference):
        raise
    except BaseException as error:
        raise game_bug(record.header, record.luck, record.choices, error) from error


class Step(msgspec.Struct, frozen=True):
    """One request of the match, and the reply to it."""

    request: Request
    reply: Reply | None


class Replay:
    """Walks through a recorded match.

    Attributes:
        match: the match as the last step left it; its `events` say what happened so far.
    """

    def __init__(self, game: AnyGame, transcript: Transcript) -> None:
        """Prepare to walk.

        Raises:
            Difference: the transcript is of another game or of another rules version, or its options are impossible.
        """
        self.match = _new_match(game, transcript)
        self._record = transcript.record
        self._spent = iter(transcript.metadata.spent)
        self._choices = iter(self._record.choices)
        self._luck, self._compared = iter(self._record.luck), 0
        words = {(remark.seat, remark.decision): remark for remark in transcript.metadata.remarks}
        self._notes = {(each.seat, each.decision): each.note for each in transcript.notes}
        self._faults = {
            at: _as_failed(fault, words.get(at), self._notes.get(at))
            for fault in self._record.faults
            for at in ((fault.seat, fault.decision),)
        }

    def steps(self) -> Iterator[Step]:
        """Every request with its recorded reply, in order. The match moves on when the caller asks for the next step.

        Raises:
            Difference: the record departs from the rules; raised at the first such step.
        """
        for request in self.match:
            self._compare_luck()
            reply = self._reply(request)
            yield Step(request, reply)
            self.match.reply(reply, self._elapsed_us(request))
        self._compare_luck()
        again = self.match.transcript().record
        if self._record != again:
            raise Difference(_what_differs(self._record, again))

    def _elapsed_us(self, request: Request) -> int:
        spent = next(self._spent, None) if isinstance(request, Ask) else None
        return spent.us if spent else 0

    def _reply(self, request: Request) -> Reply | None:
        if isinstance(request, Open):
            return self._faults.get((request.seat, 0)) or Ready()
        if not isinstance(request, Ask):
            return None
        at = request.seat, request.number
        if at in self._faults:
            return self._faults[at]
        return Chosen(_chosen(next(self._choices, None), *at, len(request.legal)).index, self._notes.get(at))

    def _compare_luck(self) -> None:
        """Hold the draws since the last time to the record."""
        while self._compared < len(self.match.luck):
            drawn = self.match.luck[self._compared]
            self._compared += 1
            _check_draw(self._compared, next(self._luck, None), drawn)


def _new_match(game: AnyGame, transcript: Transcript) -> Match:
    """The match of a transcript, as it begins.

    Raises:
        Difference: the transcript is of another game or of another rules version, or its options are impossible.
    """
    header = transcript.record.header
    if header.game != game.name:
        raise Difference(f"the transcript is of {header.game}, not of {game.name}")
    if header.rules_version != game.rules_version:
        raise OtherRules(
            f"the transcript is of rules version {header.rules_version} of {game.name}, but only version "
            f"{game.rules_version} is known here; use the referee that played it"
        )
    try:
        _check_header(game, header)
        return Match(game, header, transcript.metadata.clock, transcript.terms)
    except (msgspec.ValidationError, ValueError) as error:
        raise Difference(f"the header does not describe a match of {game.name}: {error}") from error


def _check_header(game: AnyGame, header: Header) -> None:
    """Raises ValueError if the game is not played by so many, with these options, or its seeds are none."""
    entries, seats = len(header.entries), game.seats(msgspec.convert(header.options, game.options_type))
    if entries not in seats:
        raise ValueError(f"it has {entries} entries, and with these options {' or '.join(map(str, seats))} play")
    if entries != len(header.bot_seeds):
        raise ValueError(f"it has {entries} entries and {len(header.bot_seeds)} seeds of bots")
    for seed in (header.match_id, *header.bot_seeds):
        bytes.fromhex(seed)


def verify(game: AnyGame, transcript: Transcript) -> None:
    """Run the rules on the recorded inputs again. It finds what a replay finds, sooner: it asks nobody.

    Raises:
        Difference: the rules do not lead to the recorded match; the first difference, as `Replay.steps` tells it.
        GameBug: the game raised an exception.
    """
    with blame_game(transcript.record):
        for _ in moves(game, transcript):
            pass


class Move(NamedTuple):
    """What took a match from one position to the next.

    Attributes:
        before: the position.
        cause: the draw of luck, or the actions of all seats that chose.
        after: the next position.
    """

    before: Any
    cause: Draw | dict[Seat, Any]
    after: Any


def moves(game: AnyGame, transcript: Transcript) -> Iterator[Move]:
    """Every draw and every decision of a recorded match, in order. A decision that a fault cut short is none.

    Raises:
        Difference: the record departs from the rules; raised at the first such move, or at the end.
    """
    inputs = _Inputs(transcript.record)
    yield from inputs.moves(game, _new_match(game, transcript))
    if inputs.again != transcript.record:
        raise Difference(_what_differs(transcript.record, inputs.again))


class _Inputs:
    """The draws, choices and faults in a record. The whole match follows from them.

    Attributes:
        again: the record of the match that followed, once it is over.
    """

    again: Record

    def __init__(self, record: Record) -> None:
        self._header = record.header
        self._luck = iter(record.luck)
        self._choices = iter(record.choices)
        self._faults = {(fault.seat, fault.decision): fault for fault in record.faults}
        self._decisions = [0] * len(record.header.entries)
        self._drawn: list[Draw] = []
        self._chosen: list[Choice] = []
        self._marked: list[FaultMark] = []

    def moves(self, game: AnyGame, match: Match) -> Iterator[Move]:
        """The moves of the match, if it continues as recorded.

        Raises:
            Difference: it cannot.
        """
        state, seats, deal_seed = match.state, len(self._decisions), bytes.fromhex(self._header.deal_seed)
        for seat in range(seats):
            self._fails(seat)
        while not self._marked:
            awaiting, before = game.awaiting(state), state
            if isinstance(awaiting, Decide):
                choices = self._decided(game, state, awaiting.seats)
                if not self._marked:
                    state, _ = game.apply(state, choices)
                    yield Move(before, choices, state)
            elif isinstance(awaiting, Over):
                self.again = self._record(awaiting.outcome)
                return
            else:
                luck = self._draw(deal_seed, awaiting)
                state, _ = game.luck(state, luck.drawn)
                yield Move(before, luck, state)
        self.again = self._record(cut_short(game, match.options, seats, self._marked))

    def _decided(self, game: AnyGame, state: Any, seats: tuple[Seat, ...]) -> dict[Seat, Any]:
        """The choices of the seats, without those that failed. All were asked."""
        choices: dict[Seat, Any] = {}
        for seat in seats:
            self._decisions[seat] += 1
            if not self._fails(seat):
                legal = game.legal(state, seat)
                choice = _chosen(next(self._choices, None), seat, self._decisions[seat], len(legal))
                self._chosen.append(choice)
                choices[seat] = legal[choice.index]
        return choices

    def _fails(self, seat: Seat) -> bool:
        fault = self._faults.get((seat, self._decisions[seat]))
        if fault is not None:
            self._marked.append(marked(seat, fault.decision, fault.kind))
        return fault is not None

    def _draw(self, deal_seed: bytes, awaiting: Shuffle | Roll) -> Draw:
        drawn = Draw(awaiting.label, draw(deal_seed, awaiting))
        self._drawn.append(drawn)
        _check_draw(len(self._drawn), next(self._luck, None), drawn)
        return drawn

    def _record(self, outcome: Outcome) -> Record:
        return Record(self._header, tuple(self._drawn), tuple(self._chosen), tuple(self._marked), outcome)


def _chosen(choice: Choice | None, seat: Seat, decision: int, legal: int) -> Choice:
    """The next recorded choice, if it can be the seat's at this decision, with so many legal actions."""
    if choice is not None and choice.seat == seat and 0 <= choice.index < legal:
        return choice
    where = f"decision {decision} of seat {seat}"
    if choice is None:
        raise Difference(f"the record ends before {where}")
    if choice.seat != seat:
        raise Difference(f"the record has a choice of seat {choice.seat} where the rules ask for {where}")
    raise Difference(f"{where} is recorded as index {choice.index}, but has {legal} legal actions")


def _check_draw(number: int, recorded: Draw | None, drawn: Draw) -> None:
    """Raises Difference if the draw with this number, from 1, is not the recorded one."""
    if recorded != drawn:
        raise Difference(f"draw {number} ({drawn.label}) is recorded otherwise than the seed gives it")


def check_digest(transcript: Transcript, claimed: str) -> None:
    """Hold a transcript to the digest that its file claims.

    Raises:
        Difference: the transcript has a different digest.
    """
    if transcript.digest != claimed:
        raise Difference(f"its digest is {transcript.digest}, but it claims {claimed}")


def compare(recorded: Record, again: Record) -> str | None:
    """The first difference between a recorded match and the same match played again, in a sentence; None for none."""
    if recorded == again:
        return None
    was, now = _answers(recorded), _answers(again)
    differ = [at for at in (was | now) if was.get(at) != now.get(at)]
    # An answer that the other match never came to is no difference: a fault before it is.
    reached = [at for at in differ if at in was.keys() & now.keys() or at in _faults(recorded) | _faults(again)]
    if not reached:
        return _what_differs(recorded, again)
    seat, decision = reached[0]
    where = f"decision {decision} of seat {seat}" if decision else f"the start of seat {seat}"
    return f"{where}: recorded {was.get(reached[0], 'no fault')}, now {now.get(reached[0], 'no fault')}"


def _answers(record: Record) -> dict[tuple[Seat, int], str]:
    """By seat and decision, in the order of play: what was chosen, or the fault that ended the match."""
    counts = Counter[Seat]()
    found: dict[tuple[Seat, int], str] = {}
    for choice in record.choices:
        counts[choice.seat] += 1
        found[choice.seat, counts[choice.seat]] = f"index {choice.index}"
    return found | {at: f"the fault {kind}" for at, kind in _faults(record).items()}


def _faults(record: Record) -> dict[tuple[Seat, int], FaultKind]:
    return {(fault.seat, fault.decision): fault.kind for fault in record.faults}


def _what_differs(recorded: Record, again: Record) -> str:
    for name in recorded.__struct_fields__:
        was, now = getattr(recorded, name), getattr(again, name)
        if was != now:
            return f"{name}: recorded {_plain(was)}, now {_plain(now)}"
    raise RuntimeError("the records are equal")


def _plain(value: object) -> str:
    text = msgspec.json.encode(value, order="deterministic").decode()
    return text if len(text) <= 300 else text[:300] + "..."


def _as_failed(fault: FaultMark, remark: Remark | None, note: Note | None) -> Failed:
    if remark is None:
        return Failed(fault.kind, "as recorded", note=note)
    return Failed(fault.kind, remark.text, remark.stderr, note)
