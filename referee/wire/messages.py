"""The messages of the protocol as bytes, and bytes as messages: the referee's, and a bot's.

The fields are put together by hand: the protobuf library would make an object of every message first, and copy what is
encoded already into it. A bot's messages are also made here, for seats that a person plays, and not a program.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from google.protobuf.message import DecodeError
from google.protobuf.message import Message as ProtobufMessage
from referee_bot.v1 import bot_pb2

from referee.core.outcome import Outcome
from referee.match.conversation import Answer, Answers, Garbage, Message, Ready, Unavailable
from referee.match.match import Ask, Close, Match, Open, Request
from referee.match.transcript import Note
from referee.wire.codec import AnyCodec, cache_results

_BYTES = 2
"""The wire type of fields that say their length."""


@lru_cache(maxsize=4096)
def varint(number: int) -> bytes:
    """A number that is not negative, as protobuf writes it: seven bits a byte, the lowest first."""
    low, high = number & 0x7F, number >> 7
    return bytes([low | 0x80]) + varint(high) if high else bytes([low])


@lru_cache(maxsize=4096)
def number_field(field: int, number: int) -> bytes:
    """A field of a number that is not negative. Like every field without a presence of its own, 0 is left out."""
    return varint(field << 3) + varint(number) if number else b""


def bytes_field(field: int, content: bytes) -> bytes:
    """A field of bytes, or of a message that is encoded already; it is there even if `content` is empty."""
    return varint(field << 3 | _BYTES) + varint(len(content)) + content


PROTOCOL_MINOR = 4
"""The minor version of the protocol that this referee speaks."""

MAX_BOT_MESSAGE_BYTES = 64 * 1024
"""A longer message from a bot is a fault."""

MAX_REFEREE_MESSAGE_BYTES = 1024 * 1024
"""The longest message that a bot must be able to read."""

_MATCH_START = bot_pb2.RefereeMessage.MATCH_START_FIELD_NUMBER
_DECISION = bot_pb2.RefereeMessage.DECISION_FIELD_NUMBER
_MATCH_END = bot_pb2.RefereeMessage.MATCH_END_FIELD_NUMBER

_BATCH = bot_pb2.RefereeMessage.BATCH_FIELD_NUMBER
_PARTS = bot_pb2.Batch.PARTS_FIELD_NUMBER
_MATCH = bot_pb2.Part.MATCH_FIELD_NUMBER

_NUMBER = bot_pb2.Decision.NUMBER_FIELD_NUMBER
_VIEW = bot_pb2.Decision.VIEW_FIELD_NUMBER
_LEGAL = bot_pb2.Decision.LEGAL_FIELD_NUMBER
_EVENTS = bot_pb2.Decision.EVENTS_FIELD_NUMBER
_TIME_LEFT_MS = bot_pb2.Decision.TIME_LEFT_MS_FIELD_NUMBER
_END_EVENTS = bot_pb2.MatchEnd.EVENTS_FIELD_NUMBER

_CHOICE_BYTES = 16
"""Longer than any Choice that a bot has a reason to send."""

_LATER_NUMBER = b"\xc0\x3e\x07"  # field 1000, a number: 7
_LATER_BYTES = b"\xca\x3e"  # field 1001, bytes


def encode(codec: AnyCodec, match: Match, request: Request) -> bytes:
    """The message for `request`.

    Raises:
        GameBug: the codec raised an exception, or the message is longer than bots must be able to read.
    """
    try:
        if isinstance(request, Ask):
            return decision(codec, request)
        if isinstance(request, Open):
            return match_start(codec, match, request.seat)
        return match_end(codec, request)
    except BaseException as error:
        raise match.game_bug(error) from error


def match_start(codec: AnyCodec, match: Match, seat: int) -> bytes:
    """`MatchStart` for `seat`."""
    header, clock = match.header, match.clocks[seat]
    start = bot_pb2.MatchStart(
        match_id=bytes.fromhex(header.match_id),
        game=header.game,
        rules_version=header.rules_version,
        options=codec.options(match.options),
        seat=seat,
        seats=len(header.entries),
        seed=bytes.fromhex(header.bot_seeds[seat]),
        clock=bot_pb2.Clock(move_ms=clock.move_ms, bank_ms=clock.bank_ms, increment_ms=clock.increment_ms),
    )
    return _enveloped(_MATCH_START, start.SerializeToString())


def decision(codec: AnyCodec, ask: Ask) -> bytes:
    """`Decision` for the request `ask`."""
    parts = (
        number_field(_NUMBER, ask.number),
        bytes_field(_VIEW, codec.view(ask.view)),
        *map(_fields(_LEGAL, codec.action), ask.legal),
        *map(_fields(_EVENTS, codec.event), ask.events),
        number_field(_TIME_LEFT_MS, ask.time_left_ms),
    )
    return _enveloped(_DECISION, b"".join(parts))


def match_end(codec: AnyCodec, close: Close) -> bytes:
    """`MatchEnd` for the request `close`."""
    events = map(_fields(_END_EVENTS, codec.event), close.events)
    return _enveloped(_MATCH_END, b"".join((_outcome(close.outcome), *events)))


def part(match: int, message: bytes) -> bytes:
    """The part of a batch that has this message of a match. `match` is the number of the match."""
    return bytes_field(_PARTS, message + number_field(_MATCH, match))  # they have the same fields for their bodies


def batch(parts: Iterable[bytes]) -> bytes:
    """A batch of these parts."""
    return _enveloped(_BATCH, b"".join(parts))


@lru_cache(maxsize=64)  # three of every codec
def _fields(number: int, encode: Callable[[Any], bytes]) -> Callable[[Any], bytes]:
    """A function that gives the field of this number with a value that `encode` encodes.

    The function caches the fields of the latest actions and events. They are pure functions of what a seat may know, as
    is everything in `kept`. They are smaller than parts of views and repeat more often, so it caches more of them.
    """
    return lru_cache(maxsize=65_536)(lambda value: bytes_field(number, encode(value)))


@cache_results
def _outcome(outcome: Outcome) -> bytes:
    return bot_pb2.MatchEnd(ending=outcome.ending, places=outcome.places).SerializeToString()


def _enveloped(field: int, body: bytes) -> bytes:
    """The bytes of a `RefereeMessage` with `body` in its field of this number."""
    message = bytes_field(field, body)
    if len(message) > MAX_REFEREE_MESSAGE_BYTES:
        raise ValueError(f"a message of {len(message)} bytes; bots need not read more than {MAX_REFEREE_MESSAGE_BYTES}")
    return message


def from_the_future(message: bytes, padding: int = 0) -> bytes:
    """`message` as a later minor version could send it: its body has two more fields, one with `padding` bytes."""
    later = bot_pb2.RefereeMessage.FromString(message)
    body: ProtobufMessage = getattr(later, later.WhichOneof("body") or "decision")
    body.MergeFromString(_LATER_NUMBER + _LATER_BYTES + varint(padding) + bytes(padding))
    return later.SerializeToString()


def parse(raw: bytes) -> Message:
    """A bot's message; Garbage if it cannot be read."""
    return _parse_again(raw) if len(raw) <= _CHOICE_BYTES else _parse(raw)


def _parse(raw: bytes) -> Message:
    try:
        message = bot_pb2.BotMessage.FromString(raw)
    except DecodeError:
        return Garbage(f"sent {len(raw)} bytes that are no BotMessage")
    kind = message.WhichOneof("body")
    if kind == "choice":
        choice = message.choice
        note = _note(choice.note) if choice.HasField("note") else None
        return Answer(choice.decision, choice.index if choice.HasField("index") else None, note)
    if kind == "ready":
        return Ready()
    if kind == "unavailable":
        return Unavailable(message.unavailable.decision, _note(message.unavailable.note))
    if kind == "answers":
        return _answers(message.answers)
    return Garbage("sent a BotMessage that is none of Ready, Choice, Unavailable and Answers")


def _note(note: bot_pb2.Note) -> Note:
    return Note(note.text, note.tries, note.tokens)


def _answers(answers: bot_pb2.Answers) -> Message:
    matches, decisions, indices = answers.match, answers.decision, answers.index
    if not len(matches) == len(decisions) == len(indices):
        return Garbage(f"sent Answers with columns of {len(matches)}, {len(decisions)} and {len(indices)} entries")
    if not matches and not answers.ready:
        return Garbage("sent Answers without an answer")
    return Answers(tuple(zip(matches, map(Answer, decisions, indices), strict=True)), tuple(answers.ready))


# There are few different Choices, and every match has the same ones.
_parse_again = lru_cache(maxsize=1024)(_parse)


ANY_GAME = "*"

READY = bot_pb2.BotMessage(ready=bot_pb2.Ready()).SerializeToString()
"""The answer to MatchStart."""


def choice(decision: int, index: int) -> bytes:
    """The answer to the decision of this number."""
    return bot_pb2.BotMessage(choice=bot_pb2.Choice(decision=decision, index=index)).SerializeToString()


def description(name: str, version: str) -> bytes:
    """The answer to Describe."""
    message = bot_pb2.DescribeResponse(name=name, version=version, games=[ANY_GAME], protocol_minor=PROTOCOL_MINOR)
    return message.SerializeToString()
