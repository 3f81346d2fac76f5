"""The dialects of bots: how a message of the referee is written, and how an answer is read.

The protos are one. The two others are lines of text: `lines`, where each message is a JSON object in one line, and
`flat`, where each line has one value, after its path in that object.
"""

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, TypeAlias

import msgspec

from referee.core.text import one_line, printable_json
from referee.match.conversation import Answer, Answers, Batch, Garbage, Message, Ready, SeatQuestion, Unavailable
from referee.match.match import Ask, Close, Match, Open, Request
from referee.match.transcript import Note
from referee.wire import messages
from referee.wire.codec import AnyCodec
from referee.wire.line_values import line_value, line_value_once
from referee.wire.messages import MAX_REFEREE_MESSAGE_BYTES

Question: TypeAlias = SeatQuestion | Batch


class Dialect:
    """How the referee and a bot write their messages: as `messages` does, unless a subclass says otherwise."""

    encode = staticmethod(messages.encode)
    part = staticmethod(messages.part)
    batch = staticmethod(messages.batch)
    from_the_future = staticmethod(messages.from_the_future)

    def parse(self, raw: bytes, question: Question) -> Message:  # noqa: ARG002 - other dialects need it
        """A bot's message after it was asked `question`; Garbage if it cannot be read."""
        return messages.parse(raw)


class _Lines(Dialect):
    """Each message is a JSON object in a line. Its first field is always `type`."""

    def encode(self, codec: AnyCodec, match: Match, request: Request) -> bytes:  # noqa: ARG002 - types say enough
        try:
            message = self._message(match, request)
            if len(message) > MAX_REFEREE_MESSAGE_BYTES:
                raise ValueError(f"a message of {len(message)} bytes; bots need not read more")
        except BaseException as error:
            raise match.game_bug(error) from error
        return message

    def _message(self, match: Match, request: Request) -> bytes:
        text = _json(match, request)
        # Java and JavaScript see the end of a line in some characters that JSON need not escape.
        return (text if text.isascii() else printable_json(text.decode()).encode()) + b"\n"

    def part(self, match: int, message: bytes) -> bytes:
        kind, _, rest = message.partition(b",")
        return b'%b,"match":%d,%b' % (kind, match, rest)

    def batch(self, parts: Iterable[bytes]) -> bytes:
        return b"".join(parts)

    def parse(self, raw: bytes, question: Question) -> Message:
        line = raw.strip()
        answer = _parse(line) if len(line) <= _SHORT else _parse.__wrapped__(line)
        if isinstance(answer, Garbage):
            return answer
        if isinstance(question, SeatQuestion):
            return answer.message(question.decision)
        # Without a number, it answers the oldest open question.
        match = next(iter(question.open), 0) if answer.match is None else answer.match
        answered = question.open.get(match, SeatQuestion(0))
        message = answer.message(answered.decision)
        if isinstance(message, Ready):
            return Answers(ready=(match,))
        return Answers(((match, message),)) if isinstance(message, Answer) else message

    def from_the_future(self, message: bytes, padding: int = 0) -> bytes:
        return b'%b,"later":7,"later_text":"%b"}\n' % (message[:-2], b"x" * padding)


class _Flat(_Lines):
    """Each line has the path of one value, a blank and the value. The last line is `go`, or `over` after the end."""

    def _message(self, match: Match, request: Request) -> bytes:
        text = "".join([_flat(name, each) for name, each in _parts(_json(match, request)).items()])
        return f"{text}{'over' if isinstance(request, Close) else 'go'}\n".encode()

    def part(self, match: int, message: bytes) -> bytes:
        kind, _, rest = message.partition(b"\n")
        return b"%b\nmatch %d\n%b" % (kind, match, rest)

    def from_the_future(self, message: bytes, padding: int = 0) -> bytes:
        body, _, last = message[:-1].rpartition(b"\n")
        # Many short lines: a line of a megabyte is more than a scanf(3) takes, and no later version will send one.
        return b"%b\nlater 7\n%b%b\n" % (body, _LATER_LINE * (padding // len(_LATER_LINE)), last)


_LATER_LINE = b"later_text." + b"0 " + b"x" * 50 + b"\n"


def _json(match: Match, request: Request) -> bytes:
    if isinstance(request, Open):
        return _encode(_start(match, request.seat))
    events = line_value(request.events)
    if isinstance(request, Ask):
        view, legal = line_value_once(request.view), line_value(request.legal)
        return _encode(_Decide(request.number, view, legal, events, request.time_left_ms))
    return _encode(_End(request.outcome.ending, request.outcome.places, events))


class _Decide(msgspec.Struct, tag_field="type", tag="decide", gc=False):
    number: int
    view: Any
    legal: Any
    events: Any
    time_left_ms: int


class _End(msgspec.Struct, tag_field="type", tag="end", gc=False):
    ending: str
    places: Any
    events: Any


_encode = msgspec.json.Encoder().encode  # in the order of the fields; what has no order is sorted already


def _start(match: Match, seat: int) -> dict[str, Any]:
    """The fields of the first message. `seed` has 31 bits, which every language can hold; `seed_hex` has all."""
    header, seed = match.header, match.header.bot_seeds[seat]
    return {
        "type": "start",
        "match_id": header.match_id,
        "game": header.game,
        "rules_version": header.rules_version,
        "seat": seat,
        "seats": len(header.entries),
        "seed": int.from_bytes(bytes.fromhex(seed)[:4], "little") >> 1,
        "seed_hex": seed,
        "clock": {name: getattr(match.clocks[seat], name) for name in ("move_ms", "bank_ms", "increment_ms")},
        "options": line_value_once(match.options),
    }


def _flat(path: str, raw: msgspec.Raw) -> str:
    """The lines of a value."""
    text = bytes(raw)
    if text.startswith((b"{", b"[")):
        return _kept_lines(text).replace(_PATH, path) if len(text) < _KEPT_BYTES else _lines(path, text)
    if text.startswith(b'"'):
        return f"{path} {_escaped(_decode_text(text))}\n"
    return "" if text == b"null" else f"{path} {text.decode()}\n"


@lru_cache(maxsize=4096)
def _kept_lines(text: bytes) -> str:
    return _lines(_PATH, text)


def _lines(path: str, text: bytes) -> str:
    """The lines of an object or a list. A list has a line with its length first; what is null has no line."""
    if text.startswith(b"{"):
        return "".join([_flat(f"{path}.{_step(name)}", each) for name, each in _parts(text).items()])
    items = _items(text)
    return f"{path} {len(items)}\n{''.join([_flat(f'{path}.{at}', each) for at, each in enumerate(items)])}"


_PATH = "\0"  # it is escaped in texts
_KEPT_BYTES = 256
_parts = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_items = msgspec.json.Decoder(list[msgspec.Raw]).decode
_decode_text = msgspec.json.Decoder(str).decode


@lru_cache(maxsize=1024)
def _step(name: str) -> str:
    """The part of a path for a field. It has no blank, which would end the path."""
    return _escaped(name).replace(" ", "_")


def _escaped(text: str) -> str:
    return text if text.isprintable() and "\\" not in text else json.dumps(text)[1:-1]


class _LineAnswer(msgspec.Struct, frozen=True):
    """A line of a bot: a word, or the fields of an object, which may have any others."""

    index: int | None = None
    number: int | None = None
    match: int | None = None
    ready: bool = False
    unavailable: str | None = None
    note: str | Note | None = None

    def message(self, decision: int) -> Ready | Answer | Unavailable:
        """The message to a seat that was asked for this decision, 0 for the start of a match."""
        note = Note(self.note) if isinstance(self.note, str) else self.note
        number = decision if self.number is None else self.number
        if self.unavailable is not None:
            return Unavailable(number, note or Note(self.unavailable))
        return Ready() if self.ready else Answer(number, self.index, note)


_decode = msgspec.json.Decoder(_LineAnswer).decode


@lru_cache(maxsize=1024)  # most answers are short and come again
def _parse(line: bytes) -> _LineAnswer | Garbage:
    if line.isdigit() and len(line) <= _MOST_DIGITS:
        return _LineAnswer(int(line))
    if line == b"ready":
        return _LineAnswer(ready=True)
    if not line.startswith(b"{"):
        quoted = one_line(line[:_QUOTED].decode(errors="backslashreplace"))
        return Garbage(f"sent a line that is no answer: '{quoted}'; what people are to read belongs on stderr")
    try:
        answer = _decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return Garbage(f"sent an object that is no answer: {one_line(str(error))}")
    return Garbage(f"chose index {answer.index}, which is negative") if (answer.index or 0) < 0 else answer


_SHORT = 64
"""Bytes of an answer that is kept."""

_MOST_DIGITS = 9
_QUOTED = 80


GRPC = Dialect()
LINES = _Lines()
FLAT = _Flat()
DIALECTS: Mapping[str, Dialect] = MappingProxyType({"grpc": GRPC, "lines": LINES, "flat": FLAT})
"""The dialects by their names in a bot.toml."""
