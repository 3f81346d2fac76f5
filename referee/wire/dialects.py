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
from referee.wire.line_writer import write, write_once
from referee.wire.messages import MAX_REFEREE_MESSAGE_BYTES

Question: TypeAlias = SeatQuestion | Batch


class Dialect:
    """How the referee and a bot write their messages: as the protos say, unless a subclass says otherwise."""

    def encode(self, codec: AnyCodec, match: Match, request: Request) -> bytes:
        """The message for `request`.

        Raises:
            GameBug: the game or its codec raised an exception, or the message is longer than bots must be able to read.
        """
        return messages.encode(codec, match, request)

    def part(self, match: int, message: bytes) -> bytes:
        """The part of a batch that has this message of a match. `match` is the number of the match."""
        return messages.part(match, message)

    def batch(self, parts: Iterable[bytes]) -> bytes:
        """A batch of these parts."""
        return messages.batch(parts)

    def parse(self, raw: bytes, question: Question) -> Message:  # noqa: ARG002 - other dialects need it
        """A bot's message after it was asked `question`; Garbage if it cannot be read."""
        return messages.parse(raw)

    def from_the_future(self, message: bytes, padding: int = 0) -> bytes:
        """`message` as a later version could send it: with unknown fields, one or many with `padding` bytes."""
        return messages.from_the_future(message, padding)


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
        return f"{text if text.isascii() else printable_json(text)}\n".encode()

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
        tree = msgspec.json.decode(_json(match, request))
        lines: list[str] = []
        for name, each in tree.items():
            _flatten(name, each, lines)
        return "\n".join([*lines, "over" if isinstance(request, Close) else "go", ""]).encode()

    def part(self, match: int, message: bytes) -> bytes:
        kind, _, rest = message.partition(b"\n")
        return b"%b\nmatch %d\n%b" % (kind, match, rest)

    def from_the_future(self, message: bytes, padding: int = 0) -> bytes:
        body, _, last = message[:-1].rpartition(b"\n")
        # Many short lines: a line of a megabyte is more than a scanf(3) takes, and no later version will send one.
        return b"%b\nlater 7\n%b%b\n" % (body, _LATER_LINE * (padding // len(_LATER_LINE)), last)


_LATER_LINE = b"later_text." + b"0 " + b"x" * 50 + b"\n"


def _json(match: Match, request: Request) -> str:
    if isinstance(request, Ask):
        return (
            f'{{"type":"decide","number":{request.number},"view":{write_once(request.view)},'
            f'"legal":{write(request.legal)},"events":{write(request.events)},"time_left_ms":{request.time_left_ms}}}'
        )
    if isinstance(request, Open):
        return "{" + ",".join(f'"{name}":{write(each)}' for name, each in _start(match, request.seat).items()) + "}"
    outcome = request.outcome
    return (
        f'{{"type":"end","ending":{write(outcome.ending)},"places":{write(outcome.places)},'
        f'"events":{write(request.events)}}}'
    )


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
        "options": match.options,
    }


def _flatten(path: str, tree: Any, lines: list[str]) -> None:
    """Add the lines of a value. A list has a line with its length first; what is null has no line."""
    if isinstance(tree, dict):
        for name, each in tree.items():
            _flatten(f"{path}.{_step(name)}", each, lines)
    elif isinstance(tree, list):
        lines.append(f"{path} {len(tree)}")
        for number, each in enumerate(tree):
            _flatten(f"{path}.{number}", each, lines)
    elif isinstance(tree, str):
        lines.append(f"{path} {_escaped(tree)}")
    elif tree is not None:
        lines.append(f"{path} {write(tree)}")


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
