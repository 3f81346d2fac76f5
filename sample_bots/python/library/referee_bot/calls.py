"""The calls of gRPC on one connection, as a function of bytes. It uses no socket."""

from collections.abc import Callable, Iterator, Set
from typing import Final, Protocol, TypeAlias

from referee_bot.framing import CODES, MessageReader, prefixed
from referee_bot.http2 import (
    ENHANCE_YOUR_CALM,
    Breach,
    ConnectionBroken,
    DataReceived,
    Fields,
    HeadersReceived,
)
from referee_bot.http2_server import Http2Server

DESCRIBE: Final = b"/referee_bot.v1.Bot/Describe"
PLAY: Final = b"/referee_bot.v1.Bot/Play"

_LONGEST_MESSAGE: Final = 1 << 22
"""The longest message that is read: gRPC's default, four times as long as any of the referee."""

_MOST_UNSENT: Final = 1 << 20
"""How many bytes of a call may wait for a client that asks, but does not let us answer."""

_MOST_OF_A_STRANGER: Final = 16_384
_PIECE_OF_A_STRANGER: Final = 4_096
"""How many bytes are taken in before a call that is allowed, so that reading them takes little time. They are taken in
in pieces, since such a call may be among them."""

_LONGEST_TEXT: Final = 1_000

_RESPONSE_HEADERS: Final[Fields] = ((b":status", b"200"), (b"content-type", b"application/grpc"))

Answer: TypeAlias = Callable[[bytes], bytes | None]
"""Takes a message of the referee. Returns the answer, if there is one."""


class CallFailed(Exception):
    """A call ends with this code of gRPC, and a text."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class BotMethods(Protocol):
    """What is called. Messages are bytes. Each method may raise `CallFailed`, and so may an `Answer`."""

    def describe(self, request: bytes) -> bytes:
        """Answer `Describe`."""

    def play(self, number: int) -> Answer:
        """Begin a stream of `Play`, whose number is for answers that come later (`Calls.say`)."""


class _Call:
    """One call that has not ended."""

    def __init__(self, answer: Answer, *, is_unary: bool) -> None:
        self.answer = answer
        self.is_unary = is_unary
        self.reader = MessageReader(_LONGEST_MESSAGE)
        self.messages = 0


class Calls:
    """The calls of one client.

    Attributes:
        are_over: whether the connection is of no use any more.
        were_allowed: whether the client has begun a call that it may make.
    """

    def __init__(self, service: BotMethods, token: str | None) -> None:
        """Serve clients that bring `token`; None: all."""
        self.are_over = False
        self.were_allowed = False
        self._service = service
        self._token = None if token is None else f"Bearer {token}".encode()
        self._connection = Http2Server()
        self._calls: dict[int, _Call] = {}
        self._strange = 0  # how many bytes came before a call that is allowed

    def receive(self, octets: bytes) -> Iterator[bytes]:
        """Take bytes from the client. Yields the bytes to send, after every answer."""
        while len(octets) > _PIECE_OF_A_STRANGER and not (self.were_allowed or self.are_over):
            yield from self._take_in(octets[:_PIECE_OF_A_STRANGER])
            octets = octets[_PIECE_OF_A_STRANGER:]
        if not self.are_over:
            yield from self._take_in(octets)

    def say(self, number: int, message: bytes) -> bytes:
        """Answer a call of `Play`, unless it has ended. Returns the bytes to send."""
        if number in self._calls:
            self._connection.send(number, prefixed(message))
        return self._connection.outgoing()

    def fail(self, number: int, failure: CallFailed) -> bytes:
        """End a call, unless it has ended. Returns the bytes to send."""
        if number in self._calls:
            self._finish(number, failure.code, str(failure))
        return self._connection.outgoing()

    def ping(self) -> bytes:
        """Ask the client for a sign of life. Returns the bytes to send."""
        self._connection.ping()
        return self._connection.outgoing()

    @property
    def open_calls(self) -> Set[int]:
        """The numbers of the calls that have not ended."""
        return self._calls.keys()

    def _take_in(self, octets: bytes) -> Iterator[bytes]:
        if not self.were_allowed:
            if self._strange > _MOST_OF_A_STRANGER:
                self._break_off("it sends much, and begins no call that it may make")
            self._strange += len(octets)
        for event in self._connection.receive(octets):
            if isinstance(event, DataReceived):
                yield from self._take_content(event)
            elif isinstance(event, HeadersReceived):
                self._take_headers(event)
            elif isinstance(event, ConnectionBroken):
                self.are_over = True
            else:
                self._calls.pop(event.stream, None)
        yield self._connection.outgoing()

    def _take_headers(self, event: HeadersReceived) -> None:
        number = event.stream
        fields = dict(reversed(event.fields))
        if fields[b":method"] != b"POST":
            self._connection.finish(number, ((b":status", b"405"),))
        elif not fields.get(b"content-type", b"").startswith(b"application/grpc"):
            self._connection.finish(number, ((b":status", b"415"),))
        else:
            self._begin(number, fields, event.is_last)

    def _begin(self, number: int, fields: dict[bytes, bytes], is_last: bool) -> None:
        try:
            call = self._called(number, fields[b":path"], fields.get(b"authorization"))
        except CallFailed as failure:
            self._connection.finish(number, (*_RESPONSE_HEADERS, *_status(failure.code, str(failure))))
            return
        self.were_allowed = True
        self._calls[number] = call
        self._connection.respond(number, _RESPONSE_HEADERS)
        if is_last:
            self._take_end(number, call)

    def _called(self, number: int, path: bytes, authorization: bytes | None) -> _Call:
        if self._token not in (None, authorization):
            raise CallFailed("unauthenticated", "the token is missing or wrong")
        if path == PLAY:
            return _Call(self._service.play(number), is_unary=False)
        if path == DESCRIBE:
            return _Call(self._service.describe, is_unary=True)
        raise CallFailed("unimplemented", "there is no such method")

    def _take_content(self, event: DataReceived) -> Iterator[bytes]:
        number = event.stream
        call = self._calls.get(number)
        if call is None:
            return
        try:
            for message in call.reader.take(event.content):
                self._take_message(number, call, message)
                yield self._connection.outgoing()
            _check_reading(call.reader)
        except CallFailed as failure:
            self._finish(number, failure.code, str(failure))
        else:
            if event.is_last:
                self._take_end(number, call)

    def _take_message(self, number: int, call: _Call, message: bytes) -> None:
        call.messages += 1
        if call.is_unary and call.messages > 1:
            raise CallFailed("internal", "this method takes one message")
        answer = call.answer(message)
        if answer is None:
            return
        self._connection.send(number, prefixed(answer))
        if self._connection.unsent_bytes(number) > _MOST_UNSENT:
            self._break_off("it asks, and takes no answers")

    def _break_off(self, why: str) -> None:
        self._connection.break_off(Breach(why, ENHANCE_YOUR_CALM))
        self.are_over = True

    def _take_end(self, number: int, call: _Call) -> None:
        """End a call whose client sends nothing more."""
        if not call.reader.is_between_messages:
            self._finish(number, "internal", "a message is cut short")
        elif call.is_unary and call.messages == 0:
            self._finish(number, "internal", "this method takes one message")
        else:
            self._finish(number, "ok", "")

    def _finish(self, number: int, code: str, text: str) -> None:
        del self._calls[number]
        self._connection.finish(number, _status(code, text))


def _check_reading(reader: MessageReader) -> None:
    """Raise `CallFailed` if a message cannot be read."""
    if reader.refused == 0:
        raise CallFailed("resource_exhausted", f"a message is over {_LONGEST_MESSAGE:,} bytes")
    if reader.refused is not None:
        raise CallFailed("unimplemented", "a message is compressed")


def _status(code: str, text: str) -> Fields:
    """The trailers of a call, with a text for people."""
    number = str(CODES.index(code)).encode()
    return ((b"grpc-status", number), *([(b"grpc-message", _quoted(text[:_LONGEST_TEXT]))] if text else ()))


def _quoted(text: str) -> bytes:
    """A text with `%XX` for each byte that no header may have."""
    octets = text.encode(errors="replace")
    return "".join(chr(one) if 0x20 <= one <= 0x7E and one != 0x25 else f"%{one:02X}" for one in octets).encode()
