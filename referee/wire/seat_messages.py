"""Reads the messages that a seat gets: the values of a message, from its bytes alone.

A page for a person is made from these values. So the result depends only on the bytes that the referee sent to the
seat.
"""

from typing import TypeAlias

import msgspec
from referee_bot.v1 import bot_pb2

from referee.core.outcome import Outcome, Seat
from referee.match.match import Ask, Close
from referee.match.terms import Clock
from referee.wire.codec import Reader


class DecodedStart(msgspec.Struct, frozen=True):
    """The content of `MatchStart`.

    Attributes:
        match_id: 8 bytes.
        game: the name of the game.
        rules_version: that of the game.
        options: the game's options, still in bytes; `game` says which game reads them.
        seat: the seat that got this.
        seats: how many there are.
        clock: the time limits of the seat. The message does not say how long it may take to start.
    """

    match_id: bytes
    game: str
    rules_version: int
    options: bytes
    seat: Seat
    seats: int
    clock: Clock


Letter: TypeAlias = DecodedStart | Ask | Close
"""The content of one message."""


def read(message: bytes, seat: Seat, reader: Reader) -> Letter:
    """The content of a message of a match to `seat`.

    Raises:
        ValueError: it is a batch, or empty.
    """
    sent = bot_pb2.RefereeMessage.FromString(message)
    match sent.WhichOneof("body"):
        case "match_start":
            return _started(sent.match_start)
        case "decision":
            return _ask(sent.decision, seat, reader)
        case "match_end":
            return _close(sent.match_end, seat, reader)
        case other:
            raise ValueError(f"a message with {other or 'nothing'} in it is no message of one match")


def started(message: bytes) -> DecodedStart:
    """The content of a serialized `MatchStart`.

    Raises:
        ValueError: it is another message.
    """
    sent = bot_pb2.RefereeMessage.FromString(message)
    if sent.WhichOneof("body") != "match_start":
        raise ValueError("a match begins with MatchStart")
    return _started(sent.match_start)


def _started(sent: bot_pb2.MatchStart) -> DecodedStart:
    clock = Clock(sent.clock.move_ms, sent.clock.bank_ms, sent.clock.increment_ms)
    return DecodedStart(sent.match_id, sent.game, sent.rules_version, sent.options, sent.seat, sent.seats, clock)


def _ask(sent: bot_pb2.Decision, seat: Seat, reader: Reader) -> Ask:
    return Ask(
        seat=seat,
        number=sent.number,
        view=reader.view(sent.view),
        legal=tuple(map(reader.action, sent.legal)),
        events=tuple(map(reader.event, sent.events)),
        time_left_ms=sent.time_left_ms,
    )


def _close(sent: bot_pb2.MatchEnd, seat: Seat, reader: Reader) -> Close:
    return Close(seat, Outcome(sent.ending, tuple(sent.places), ()), tuple(map(reader.event, sent.events)))


class DecodedDecision(msgspec.Struct, frozen=True):
    """The facts of a decision that tell whether an answer fits it.

    Attributes:
        decision: its number.
        legal: how many actions are legal.
        left_ms: the time for it, in milliseconds.
    """

    decision: int
    legal: int
    left_ms: int


class MatchBegins(msgspec.Struct, frozen=True):
    """A match begins; the answer is Ready."""


class MatchEnds(msgspec.Struct, frozen=True):
    """The match is over; there is no answer."""


Outline: TypeAlias = MatchBegins | DecodedDecision | MatchEnds
"""The kind of answer that a message needs."""


def outline(message: bytes) -> Outline:
    """The kind of answer that a message of a match needs, in every game.

    Raises:
        ValueError: it is a batch, or empty.
    """
    sent = bot_pb2.RefereeMessage.FromString(message)
    match sent.WhichOneof("body"):
        case "match_start":
            return MatchBegins()
        case "decision":
            return DecodedDecision(sent.decision.number, len(sent.decision.legal), sent.decision.time_left_ms)
        case "match_end":
            return MatchEnds()
        case other:
            raise ValueError(f"a message with {other or 'nothing'} in it is no message of one match")
