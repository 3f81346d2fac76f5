"""The view of a seat on its page: a function of the bytes that the seat was sent, and after the match of its end.

The end has the result of the match in words. Pure.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import msgspec

from referee.core.outcome import FAULT, Outcome, Seat
from referee.drawing.drawer import (
    AnyDrawer,
    Box,
    ForbiddenAction,
    Layers,
    Moment,
    Question,
    StepwiseDrawer,
    ending_text,
)
from referee.drawing.registry import drawer
from referee.drawing.seat_names import SeatNames
from referee.drawing.steps import shapes
from referee.drawing.svg import Element, markup, plain
from referee.match.match import Ask, Close
from referee.match.transcript import FaultKind
from referee.wire.codec import GameEntry, Reader
from referee.wire.registry import game_entry
from referee.wire.seat_messages import DecodedStart, read, started
from tournaments.web.visitors.protocol import SeatEnd

_FAULTS = {
    FaultKind.TIMEOUT: "the time of {} ran out",
    FaultKind.CRASH: "{} crashed",
    FaultKind.ILLEGAL: "{} chose something impossible",
    FaultKind.PROTOCOL: "{} broke the protocol",
    FaultKind.NO_START: "{} did not start",
    FaultKind.UNAVAILABLE: "{} was unavailable",
}
"""By kind of fault, what happened to a player."""


def result(end: SeatEnd, seat: Seat, names: Sequence[str], drawer: AnyDrawer, *, one_side: bool) -> str:
    """The result and the reason, such as "You lost: your time ran out". `names` are by seat."""
    scores = "" if end.scores is None else f" {_score(end.scores, seat, one_side=one_side)}."
    return f"{_standing(end.places, seat, one_side=one_side)}: {_reason(end, seat, names, drawer)}.{scores}"


def _standing(places: Sequence[int], seat: Seat, *, one_side: bool) -> str:
    won, kinds = places[seat] == 1, len(set(places))
    if one_side:
        return "You won together" if won else "You lost together"
    if kinds == 1:
        return "Nobody won"
    if won or kinds == 2:
        return "You won" if won else "You lost"
    return f"You came in at place {places[seat]} of {len(places)}"


def _reason(end: SeatEnd, seat: Seat, names: Sequence[str], drawer: AnyDrawer) -> str:
    if end.ending == FAULT:
        return " and ".join(_fault(kind, at, names, own=at == seat) for at, kind in end.faults)
    return ending_text(drawer, end.ending)


def _fault(kind: FaultKind, seat: Seat, names: Sequence[str], *, own: bool) -> str:
    # The mailbox of a person refuses every wrong answer, so only the clock costs a person a match.
    return "your time ran out" if own else _FAULTS[kind].format(names[seat])


def _score(scores: Sequence[int | float], seat: Seat, *, one_side: bool) -> str:
    return f"{'Your score together' if one_side else 'Your score'}: {scores[seat]}"


class BarredAction(msgspec.Struct, frozen=True):
    """A forbidden action, for the page.

    Attributes:
        words: the action, the reason, and the ruling.
        box: its place in the picture: x, y, width, height; None without a place.
        layer: the layer of the picture that has this place.
    """

    words: str
    box: Box | None
    layer: str


class SeatMessage(msgspec.Struct, frozen=True):
    """One message to a seat, as the page shows it.

    Attributes:
        number: counted from 0, the start of the match.
        seat: the seat.
        heard: the past events, in sentences.
        lines: the position in words.
        decision: the number of the open decision; 0 if none is open.
        legal: the legal actions in words.
        barred: the forbidden actions.
        steps: the pictures after the past events, except the last one: of each, the layers that differ from the picture
            before it, by name. They are made from the events and from the position before, so they hold nothing new.
        board: the whole picture in each of its shapes; empty if `layers` are given, or if nothing is new.
        layers: the layers that differ from the previous picture, by name.
        chose: the person's choice, in words; empty if there is none yet.
        result: the result of the match and the reason, at its end.
    """

    number: int
    seat: Seat
    heard: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    decision: int = 0
    legal: tuple[str, ...] = ()
    barred: tuple[BarredAction, ...] = ()
    steps: tuple[dict[str, str], ...] = ()
    board: str = ""
    layers: dict[str, str] = {}
    chose: str = ""
    result: str = ""


class SeatView:
    """Turns the messages of a seat into the content of its page, one after the other."""

    def __init__(self) -> None:
        self._number = 0
        self._at: _Table | None = None

    def next_messages(
        self,
        messages: Iterable[bytes],
        chosen: Mapping[int, int],
        players: Sequence[str] = (),
        end: SeatEnd | None = None,
    ) -> list[SeatMessage]:
        """The next messages. Of several messages, only the last has pictures and actions: the others are past.

        Args:
            messages: the messages to the seat since the last call.
            chosen: by decision, the choices of the person so far.
            players: by seat, the name of its player; without them, players are called by their seats.
            end: the end of the match. It makes one more message.
        """
        seat_messages = [self._take(message, chosen, players) for message in messages]
        if self._at is not None and end is not None:
            seat_messages.append(self._at.end(self._number, end))
            self._number += 1
        if not seat_messages or self._at is None:
            return seat_messages
        return [*seat_messages[:-1], self._at.now(seat_messages[-1])]

    def chose(self, chosen: Mapping[int, int]) -> str:
        """The person's choice at the last decision, in words; empty if there is none yet."""
        return "" if self._at is None else self._at.chose(chosen)

    def _take(self, message: bytes, chosen: Mapping[int, int], players: Sequence[str]) -> SeatMessage:
        number, self._number = self._number, self._number + 1
        if self._at is None:
            start = started(message)
            self._at = _Table(start, game_entry(start.game), players)
            return SeatMessage(number, start.seat)
        return msgspec.structs.replace(self._at.take(number, message), chose=self._at.chose(chosen))


class _Table:
    """The match as the seat knows it so far."""

    def __init__(self, start: DecodedStart, entry: GameEntry, players: Sequence[str]) -> None:
        if entry.reader is None:
            raise ValueError(f"{start.game} cannot be read from its messages")
        self._start = start
        self._game = entry.game
        self._reader: Reader = entry.reader
        self._drawer: AnyDrawer = drawer(entry.game)
        self._options = entry.reader.options(start.options)
        self._sides = entry.game.sides(self._options, start.seats)
        self._names = SeatNames(players or [f"seat {seat}" for seat in range(start.seats)], self._sides)
        you = {start.seat: " (you)"}
        self._on_board = tuple(f"{self._names.of(seat)}{you.get(seat, '')}" for seat in range(start.seats))
        self._moment: Moment[Any] | None = None
        self._heard_last: tuple[Any, ...] = ()
        self._picture: dict[str, tuple[Element, ...]] = {}
        self._asks: Ask | None = None

    def chose(self, chosen: Mapping[int, int]) -> str:
        ask = self._asks
        if ask is None or ask.number not in chosen:
            return ""
        return self._action(ask.legal[chosen[ask.number]])

    def take(self, number: int, message: bytes) -> SeatMessage:
        """The next message, as the page shows it later."""
        letter = read(message, self._start.seat, self._reader)
        self._asks = letter if isinstance(letter, Ask) else None
        if isinstance(letter, Ask):
            return self._decision_message(number, letter)
        if isinstance(letter, Close):
            self._heard_last = letter.events  # `end` tells it, together with the last position
            return SeatMessage(number, letter.seat)
        raise ValueError("a match begins once")

    def _decision_message(self, number: int, ask: Ask) -> SeatMessage:
        question = Question(ask.seat, ask.legal, None)
        self._look(ask.view, ask.events, (question,), None)
        return SeatMessage(number, ask.seat, self._sentences(ask.events))

    def end(self, number: int, end: SeatEnd) -> SeatMessage:
        """The end of the match, as the page shows it later."""
        self._asks = None
        self._look(self._reader.view(end.view), self._heard_last, (), Outcome(end.ending, end.places, ()))
        names = [self._names.of(seat) for seat in range(self._start.seats)]
        text = result(end, self._start.seat, names, self._drawer, one_side=len(self._sides) == 1)
        return SeatMessage(number, self._start.seat, self._sentences(self._heard_last), result=text)

    def _look(
        self, view: Any, events: tuple[Any, ...], questions: tuple[Question, ...], outcome: Outcome | None
    ) -> None:
        before = None if self._moment is None else self._moment.position
        self._moment = Moment(self._options, self._on_board, before, view, events, questions, outcome)

    def _sentences(self, events: Iterable[Any]) -> tuple[str, ...]:
        return tuple(self._sentence(self._game.describe(event)) for event in events)

    def _sentence(self, words: str) -> str:
        """It begins with a capital letter, except that of a name, which stays as it is."""
        text, same = self._words(words), plain(words)
        return f"{text[:1].upper()}{text[1:]}" if text[:1] == same[:1] and not same.startswith("seat ") else text

    def _action(self, action: Any) -> str:
        return self._words(self._game.describe_action(action))

    def _words(self, words: str) -> str:
        return self._names.put_into(plain(words))

    def now(self, message: SeatMessage) -> SeatMessage:
        """The last message, with the legal actions and the picture."""
        if self._moment is None or (self._asks is None and not message.result):
            return message
        lines = tuple(map(self._words, self._game.describe_view(self._moment.position).splitlines()))
        steps = tuple(map(self._changed, self._on_the_way(self._moment)))
        message = msgspec.structs.replace(message, lines=lines, steps=steps)
        if self._asks is not None:
            message = self._with_actions(message, self._asks, self._moment)
        return self._drawn(message, self._drawer.for_seat(self._moment))

    def _on_the_way(self, moment: Moment[Any]) -> Iterator[Layers]:
        """The pictures after all events of a moment but the last, if there is a picture from which they lead on."""
        if self._picture and moment.before is not None and isinstance(self._drawer, StepwiseDrawer):
            yield from islice(self._drawer.seen_after_each_event(moment), max(0, len(moment.events) - 1))

    def _with_actions(self, message: SeatMessage, ask: Ask, moment: Moment[Any]) -> SeatMessage:
        return msgspec.structs.replace(
            message,
            decision=ask.number,
            legal=tuple(map(self._action, ask.legal)),
            barred=tuple(map(self._bar, self._drawer.barred(moment))),
        )

    def _bar(self, barred: ForbiddenAction) -> BarredAction:
        return BarredAction(
            self._words(f"{barred.action}: {barred.reason} ({barred.ruling})"), barred.box, barred.layer
        )

    def _drawn(self, message: SeatMessage, layers: Layers) -> SeatMessage:
        """The message with its picture: whole at first, then only the changed layers."""
        if self._picture:
            return msgspec.structs.replace(message, layers=self._changed(layers))
        self._picture = {layer.name: layer.inside for layer in layers}
        return msgspec.structs.replace(message, board=self._board(layers))

    def _changed(self, layers: Layers) -> dict[str, str]:
        """The layers that differ from the previous picture, by name. From now on this picture is the previous one."""
        before, self._picture = self._picture, {layer.name: layer.inside for layer in layers}
        return {layer.name: markup(layer.inside) for layer in layers if before.get(layer.name) != layer.inside}

    def _board(self, layers: Layers) -> str:
        return markup(shapes(self._drawer, self._options, self._start.seats, layers))
