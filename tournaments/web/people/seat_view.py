"""The view of a seat on its page. It is a function of the bytes that the seat was sent, and of nothing else."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from referee.core.outcome import Outcome, Seat
from referee.drawing.drawer import AnyDrawer, Barred, Box, Layers, Moment, Question
from referee.drawing.registry import drawer
from referee.drawing.snapshot import board
from referee.drawing.svg import markup, plain
from referee.match.match import Ask, Close
from referee.wire.codec import GameEntry
from referee.wire.decode import DecodedStart, read, started
from referee.wire.reader import Reader
from referee.wire.registry import game_entry


class BarredAction(msgspec.Struct, frozen=True):
    """A forbidden action, for the page.

    Attributes:
        words: the action, the reason, and the ruling.
        box: its place in the picture: x, y, width, height; None without a place.
    """

    words: str
    box: Box | None


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
        board: the whole picture; empty if `layers` are given, or if nothing is new.
        layers: the layers that differ from the previous picture, by name.
        chose: the person's choice, in words; empty if there is none yet.
        result: the result of the match, at its end.
    """

    number: int
    seat: Seat
    heard: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    decision: int = 0
    legal: tuple[str, ...] = ()
    barred: tuple[BarredAction, ...] = ()
    board: str = ""
    layers: dict[str, str] = {}
    chose: str = ""
    result: str = ""


class SeatView:
    """Turns the messages of a seat into the content of its page, one after the other."""

    def __init__(self) -> None:
        self._number = 0
        self._at: _Table | None = None

    def shown(self, messages: Iterable[bytes], chosen: Mapping[int, int]) -> list[SeatMessage]:
        """The next messages. Of several messages, only the last has a picture and actions: the others are past.

        Args:
            messages: the messages to the seat since the last call.
            chosen: by decision, the choices of the person so far.
        """
        shown = [self._take(message, chosen) for message in messages]
        if not shown or self._at is None:
            return shown
        return [*shown[:-1], self._at.now(shown[-1])]

    def chose(self, chosen: Mapping[int, int]) -> str:
        """The person's choice at the last decision, in words; empty if there is none yet."""
        return "" if self._at is None else self._at.chose(chosen)

    def _take(self, message: bytes, chosen: Mapping[int, int]) -> SeatMessage:
        number, self._number = self._number, self._number + 1
        if self._at is None:
            start = started(message)
            self._at = _Table(start, game_entry(start.game))
            return SeatMessage(number, start.seat)
        return msgspec.structs.replace(self._at.take(number, message), chose=self._at.chose(chosen))


class _Table:
    """The match as the seat knows it so far."""

    def __init__(self, start: DecodedStart, entry: GameEntry) -> None:
        if entry.reader is None:
            raise ValueError(f"{start.game} cannot be read from its messages")
        self._start = start
        self._game = entry.game
        self._reader: Reader = entry.reader
        self._drawer: AnyDrawer = drawer(entry.game)
        self._options = entry.reader.options(start.options)
        you = {start.seat: " (you)"}
        self._names = tuple(f"seat {seat}{you.get(seat, '')}" for seat in range(start.seats))
        self._moment: Moment[Any] | None = None
        self._picture: dict[str, str] = {}
        self._asks: Ask | None = None

    def chose(self, chosen: Mapping[int, int]) -> str:
        ask = self._asks
        if ask is None or ask.number not in chosen:
            return ""
        return plain(self._game.describe_action(ask.legal[chosen[ask.number]]))

    def take(self, number: int, message: bytes) -> SeatMessage:
        """The next message, as the page shows it later."""
        letter = read(message, self._start.seat, self._reader)
        self._asks = letter if isinstance(letter, Ask) else None
        if isinstance(letter, Ask):
            return self._asked(number, letter)
        if isinstance(letter, Close):
            return self._over(number, letter)
        raise ValueError("a match begins once")

    def _asked(self, number: int, ask: Ask) -> SeatMessage:
        question = Question(ask.seat, ask.legal, None)
        self._look(ask.view, ask.heard, (question,), None)
        return SeatMessage(number, ask.seat, self._told(ask.heard))

    def _over(self, number: int, close: Close) -> SeatMessage:
        # A seat does not get the last position. So its picture is the previous one, with the events since.
        if self._moment is not None:
            self._look(self._moment.position, close.heard, (), close.outcome)
        one_side = len(self._game.sides(self._options, self._start.seats)) == 1
        told = result(close.outcome, close.seat, one_side=one_side)
        return SeatMessage(number=number, seat=close.seat, heard=self._told(close.heard), result=told)

    def _look(self, view: Any, heard: tuple[Any, ...], asked: tuple[Question, ...], outcome: Outcome | None) -> None:
        before = None if self._moment is None else self._moment.position
        self._moment = Moment(self._options, self._names, before, view, heard, asked, outcome)

    def _told(self, events: Iterable[Any]) -> tuple[str, ...]:
        return tuple(plain(self._game.describe(event)) for event in events)

    def now(self, shown: SeatMessage) -> SeatMessage:
        """The last message, with the legal actions and the picture."""
        if self._moment is None:
            return shown
        lines = tuple(self._game.describe_view(self._moment.position).splitlines())
        shown = msgspec.structs.replace(shown, lines=lines)
        if self._asks is not None:
            shown = self._with_actions(shown, self._asks, self._moment)
        return self._drawn(shown, self._drawer.seen(self._moment))

    def _with_actions(self, shown: SeatMessage, ask: Ask, moment: Moment[Any]) -> SeatMessage:
        return msgspec.structs.replace(
            shown,
            decision=ask.number,
            legal=tuple(plain(self._game.describe_action(action)) for action in ask.legal),
            barred=tuple(map(_bar, self._drawer.barred(moment))),
        )

    def _drawn(self, shown: SeatMessage, layers: Layers) -> SeatMessage:
        """The message with its picture: whole at first, then only the changed layers."""
        new = {layer.name: markup(layer.inside) for layer in layers}
        before, self._picture = self._picture, new
        if before:
            changed = {name: drawn for name, drawn in new.items() if before.get(name) != drawn}
            return msgspec.structs.replace(shown, layers=changed)
        return msgspec.structs.replace(shown, board=self._board(layers))

    def _board(self, layers: Layers) -> str:
        return markup(board(self._drawer.size(self._options, self._start.seats), layers, aria_labelledby="sentence"))


def _bar(barred: Barred) -> BarredAction:
    return BarredAction(f"{barred.what}: {barred.why} ({barred.ruling})", barred.box)


def result(outcome: Outcome, seat: Seat, *, one_side: bool) -> str:
    """The result of a match for a seat, in a sentence. A seat learns the ending and the places."""
    won, all_equal = outcome.places[seat] == 1, len(set(outcome.places)) == 1
    if one_side:
        who = "All win together" if won else "All lose together"
    elif all_equal:
        who = "Nobody wins"
    else:
        who = "You win" if won else "You lose"
    return f"{who}: {outcome.ending.replace('_', ' ')}."
