"""A match played again from its transcript, by the rules alone."""

from collections.abc import Iterator
from typing import Any

import msgspec

from referee.core.game import AnyGame
from referee.core.outcome import Seat
from referee.match.conversation import Chosen, Failed, Ready, Reply
from referee.match.match import Ask, Match, Open, Request
from referee.match.transcript import Choice, FaultMark, Header, Record, Remark, Transcript


class Difference(Exception):
    """The transcript does not follow from its inputs by the rules. The text names the first difference."""


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
        header = transcript.record.header
        if header.game != game.name:
            raise Difference(f"the transcript is of {header.game}, not of {game.name}")
        if header.rules_version != game.rules_version:
            raise Difference(
                f"the transcript is of rules version {header.rules_version} of {game.name}, but only version "
                f"{game.rules_version} is known here; use the referee that played it"
            )
        try:
            _hold_seats(game, header)
            self.match = Match(game, header, transcript.aside.clock, transcript.terms)
        except (msgspec.ValidationError, ValueError) as error:
            raise Difference(f"the header does not describe a match of {game.name}: {error}") from error
        self._record = transcript.record
        self._spent = iter(transcript.aside.spent)
        self._choices = iter(self._record.choices)
        self._luck, self._compared = iter(self._record.luck), 0
        words = {(remark.seat, remark.decision): remark for remark in transcript.aside.remarks}
        self._faults = {
            (fault.seat, fault.decision): _as_failed(fault, words.get((fault.seat, fault.decision)))
            for fault in self._record.faults
        }

    def steps(self) -> Iterator[Step]:
        """Every request with its recorded reply, in order. The match moves on when the next step is asked for.

        Raises:
            Difference: the record departs from the rules; raised at the first such step.
        """
        for request in self.match:
            self._compare_luck()
            reply = self._reply(request)
            yield Step(request, reply)
            self.match.reply(reply, self._elapsed_us(request))
        self._compare_end()

    def _elapsed_us(self, request: Request) -> int:
        spent = next(self._spent, None) if isinstance(request, Ask) else None
        return spent.us if spent else 0

    def _reply(self, request: Request) -> Reply | None:
        if isinstance(request, Open):
            return self._faults.get((request.seat, 0)) or Ready()
        if not isinstance(request, Ask):
            return None
        return self._faults.get((request.seat, request.number)) or self._recorded_choice(request)

    def _recorded_choice(self, ask: Ask) -> Chosen:
        where = f"decision {ask.number} of seat {ask.seat}"
        choice = next(self._choices, None)
        if choice is None:
            raise Difference(f"the record ends before {where}")
        if choice.seat != ask.seat:
            raise Difference(f"the record has a choice of seat {choice.seat} where the rules ask for {where}")
        if not 0 <= choice.index < len(ask.legal):
            raise Difference(f"{where} is recorded as index {choice.index}, but has {len(ask.legal)} legal actions")
        return Chosen(choice.index)

    def _compare_luck(self) -> None:
        """Hold the draws since the last time to the record."""
        while self._compared < len(self.match.luck):
            drawn = self.match.luck[self._compared]
            self._compared += 1
            if next(self._luck, None) != drawn:
                raise Difference(f"draw {self._compared} ({drawn.label}) is recorded otherwise than the seed gives it")

    def _compare_end(self) -> None:
        self._compare_luck()
        again = self.match.transcript().record
        if self._record == again:
            return
        raise Difference(_what_differs(self._record, again))


def _hold_seats(game: AnyGame, header: Header) -> None:
    """Raises ValueError if the game is not played by so many, with these options."""
    entries, seats = len(header.entries), game.seats(msgspec.convert(header.options, game.options_type))
    if entries not in seats:
        raise ValueError(f"it has {entries} entries, and with these options {' or '.join(map(str, seats))} play")


class _Unwatched:
    """A game that shows its seats nothing. Nothing in a record follows from views, which cost a third of a match."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self.awaiting, self.legal, self.luck, self.apply = game.awaiting, game.legal, game.luck, game.apply

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def view(self, _state: Any, _seat: Seat) -> None:
        """What the seat sees: nothing."""

    def heard(self, _event: Any, _seat: Seat) -> None:
        """What the seat hears: nothing."""


def verify(game: AnyGame, transcript: Transcript) -> None:
    """Run the rules on the recorded inputs again.

    Raises:
        Difference: the rules do not lead to the recorded match.
    """
    for _ in Replay(_Unwatched(game), transcript).steps():
        pass


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
    asked: dict[int, int] = {}
    for was, now in zip(recorded.choices, again.choices, strict=False):
        asked[was.seat] = asked.get(was.seat, 0) + 1
        if was != now:
            return f"decision {asked[was.seat]} of seat {was.seat}: recorded {_said(was)}, now {_said(now)}"
    return _what_differs(recorded, again)


def _said(choice: Choice) -> str:
    return f"index {choice.index} by seat {choice.seat}"


def _what_differs(recorded: Record, again: Record) -> str:
    for name in recorded.__struct_fields__:
        was, now = getattr(recorded, name), getattr(again, name)
        if was != now:
            return f"{name}: recorded {_plain(was)}, now {_plain(now)}"
    raise RuntimeError("the records are equal")


def _plain(value: object) -> str:
    text = msgspec.json.encode(value, order="deterministic").decode()
    return text if len(text) <= 300 else text[:300] + "..."


def _as_failed(fault: FaultMark, remark: Remark | None) -> Failed:
    return Failed(fault.kind, remark.text, remark.stderr) if remark else Failed(fault.kind, "as recorded")
