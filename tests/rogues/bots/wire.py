"""What can be said over HTTP/2 and gRPC in place of an answer."""

import contextlib
import gzip
import os
import random
import struct
import time

from .bot import BEFORE_IT_LISTENS, DESCRIBED, HUNG_UP, OVER, READY, SECOND, STARTED, Moment, at, choice, listener
from .frames import (
    CONTINUATION,
    DATA,
    DESCRIBE,
    END_HEADERS,
    END_STREAM,
    GOAWAY,
    HEADERS,
    OK,
    PADDED,
    PING,
    PLAY,
    PRIORITY,
    PUSH_PROMISE,
    RESPONSE,
    RST_STREAM,
    SETTINGS,
    WINDOW_UPDATE,
    Headers,
    block,
    field,
    fields,
    frame,
    prefixed,
    varint,
)

MANY = 20_000
HOUR_S = 3600.0
PAINT = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202e\x00\r\ndigest: forged"
"""Clears a terminal, names its window, colours and reverses its text, and tries to look like a line of the referee."""


def _silent() -> None:
    """Never answer; the process goes on."""
    time.sleep(HOUR_S)


# Frames


@at(SECOND)
def continues_without_end(moment: Moment) -> None:
    """Begins its trailers and continues them for ever (a CONTINUATION flood)."""
    moment.line.frame(HEADERS, 0, PLAY, block((("x-first", "x"),)))
    while True:
        moment.line.frame(CONTINUATION, 0, PLAY, block((("x-more", "x" * 100),)))


@at(SECOND)
def continues_with_nothing(moment: Moment) -> None:
    """Continues its trailers with empty frames, which cost no limit of headers anything."""
    moment.line.frame(HEADERS, 0, PLAY)
    while True:
        moment.line.raw(frame(CONTINUATION, 0, PLAY) * 1_000)


@at(SECOND)
def interrupts_its_headers(moment: Moment) -> None:
    """Begins a block of headers and sends an answer before the end of it."""
    moment.line.frame(HEADERS, 0, PLAY, block(OK))
    moment.line.message(PLAY, moment.honest)


@at(SECOND)
def floods_with_pings(moment: Moment) -> bool:
    """Sends thousands of pings, each of which wants an answer, and then plays on."""
    moment.line.raw(frame(PING, payload=bytes(8)) * MANY)
    return False


@at(SECOND)
def floods_with_settings(moment: Moment) -> bool:
    """Sends thousands of settings, each of which wants an acknowledgement, and then plays on."""
    moment.line.raw(frame(SETTINGS) * MANY)
    return False


@at(SECOND)
def floods_with_acknowledgements(moment: Moment) -> bool:
    """Acknowledges settings and pings that were never sent."""
    moment.line.raw((frame(SETTINGS, 1) + frame(PING, 1, payload=bytes(8))) * MANY)
    return False


@at(SECOND)
def floods_with_priorities(moment: Moment) -> bool:
    """Sends thousands of frames that only order streams."""
    moment.line.raw(frame(PRIORITY, 0, PLAY, bytes(5)) * MANY)
    return False


@at(SECOND)
def floods_with_windows(moment: Moment) -> bool:
    """Opens its window byte by byte."""
    moment.line.raw(frame(WINDOW_UPDATE, payload=struct.pack(">I", 1)) * MANY)
    return False


@at(SECOND)
def floods_with_nothing(moment: Moment) -> bool:
    """Sends thousands of empty frames of data."""
    moment.line.raw(frame(DATA, 0, PLAY) * MANY)
    return False


@at(SECOND)
def floods_with_unknown_frames(moment: Moment) -> bool:
    """Sends thousands of frames of a kind that does not exist, which HTTP/2 says must be ignored."""
    moment.line.raw(frame(0xBB, 0xFF, PLAY, bytes(64)) * MANY)
    return False


@at(SECOND)
def opens_streams(moment: Moment) -> bool:
    """Opens streams, as only a client may."""
    for stream in range(2, 400, 2):
        moment.line.frame(HEADERS, END_HEADERS, stream, block(RESPONSE))
    return False


@at(SECOND)
def pushes(moment: Moment) -> bool:
    """Promises to push a response that nobody asked for."""
    moment.line.frame(PUSH_PROMISE, END_HEADERS, PLAY, struct.pack(">I", 2) + block(RESPONSE))
    return False


@at(SECOND)
def sends_data_to_nobody(moment: Moment) -> bool:
    """Sends data on stream 0, which has none."""
    moment.line.frame(DATA, 0, 0, prefixed(moment.honest))
    return False


@at(SECOND)
def answers_in_a_closed_call(moment: Moment) -> bool:
    """Sends an answer in the call of Describe, which is over."""
    moment.line.frame(DATA, 0, DESCRIBE, prefixed(moment.honest))
    return False


@at(SECOND)
def answers_in_a_call_to_come(moment: Moment) -> bool:
    """Sends an answer in a call that the referee has not begun."""
    moment.line.frame(DATA, 0, 101, prefixed(moment.honest))
    return False


@at(SECOND)
def sends_too_long_a_frame(moment: Moment) -> None:
    """Sends a frame of 16 MiB, longer than the referee allowed."""
    moment.line.frame(DATA, 0, PLAY, bytes((1 << 24) - 1))
    _silent()


@at(SECOND)
def pads_more_than_there_is(moment: Moment) -> None:
    """Says that a frame has more padding than bytes."""
    moment.line.frame(DATA, PADDED, PLAY, b"\xff" + prefixed(moment.honest))
    _silent()


@at(SECOND)
def resets_its_stream(moment: Moment) -> None:
    """Resets the stream in place of an answer."""
    moment.line.frame(RST_STREAM, 0, PLAY, struct.pack(">I", 0xB))


@at(SECOND)
def resets_without_an_error(moment: Moment) -> None:
    """Resets the stream and says that nothing is wrong."""
    moment.line.frame(RST_STREAM, 0, PLAY, struct.pack(">I", 0))


@at(SECOND)
def resets_again_and_again(moment: Moment) -> None:
    """Resets streams that are open, over, and not yet begun."""
    for stream in range(1, 2 * MANY, 2):
        moment.line.frame(RST_STREAM, 0, stream, struct.pack(">I", 8))


@at(SECOND)
def goes_away(moment: Moment) -> None:
    """Says that it goes away, in colours, and hangs up."""
    moment.line.frame(GOAWAY, 0, 0, struct.pack(">II", 0, 0xB) + PAINT.encode() * 100)
    moment.line.hang_up()


@at(SECOND)
def goes_away_and_stays(moment: Moment) -> bool:
    """Says that it goes away after this call, and plays on."""
    moment.line.frame(GOAWAY, 0, 0, struct.pack(">II", PLAY, 0) + b"soon")
    return False


@at(SECOND)
def hangs_up(moment: Moment) -> None:
    """Closes the connection in place of an answer; the process goes on."""
    moment.line.hang_up()
    _silent()


@at(SECOND)
def hangs_up_in_the_middle(moment: Moment) -> None:
    """Closes the connection in the middle of a frame; the process goes on."""
    moment.line.raw(frame(DATA, 0, PLAY, prefixed(moment.honest))[:-1])
    moment.line.hang_up()
    _silent()


@at(SECOND)
def speaks_html(moment: Moment) -> None:
    """Answers in HTTP/1.1, in the middle of HTTP/2."""
    moment.line.raw(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<h1>hello</h1>\r\n")
    _silent()


@at(SECOND)
def speaks_noise(moment: Moment) -> None:
    """Sends a megabyte of noise."""
    moment.line.raw(random.Random(14).randbytes(1 << 20))
    _silent()


@at(BEFORE_IT_LISTENS)
def never_greets(moment: Moment) -> None:
    """Takes the call and says nothing."""
    taken = listener(moment.given.address).accept()
    _silent()
    taken[0].close()


@at(BEFORE_IT_LISTENS)
def greets_in_html(moment: Moment) -> None:
    """Is a web server, and not one of HTTP/2."""
    waiting = listener(moment.given.address)
    while True:
        taken, _ = waiting.accept()
        with taken, contextlib.suppress(OSError):  # the referee may have hung up
            taken.sendall(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")


@at(BEFORE_IT_LISTENS)
def hangs_up_on_every_call(moment: Moment) -> None:
    """Takes each call and closes it, so that the referee calls again at once."""
    waiting = listener(moment.given.address)
    while True:
        waiting.accept()[0].close()


# Windows and settings


def _setting(number: int, value: int) -> bytes:
    return struct.pack(">HI", number, value)


@at(STARTED)
def closes_its_window(moment: Moment) -> bool:
    """Leaves the referee no byte to ask with, once a match has begun."""
    moment.line.frame(SETTINGS, payload=_setting(4, 0))
    return False


@at(STARTED)
def opens_its_window_by_a_byte(moment: Moment) -> bool:
    """Lets the referee send one byte of every question."""
    moment.line.frame(SETTINGS, payload=_setting(4, 1))
    return False


@at(SECOND)
def opens_its_window_too_far(moment: Moment) -> bool:
    """Opens its window beyond what a number of HTTP/2 can say."""
    moment.line.raw(frame(WINDOW_UPDATE, 0, PLAY, struct.pack(">I", (1 << 31) - 1)) * 3)
    return False


@at(SECOND)
def opens_its_window_by_nothing(moment: Moment) -> bool:
    """Opens its window by 0 bytes, which is an error."""
    moment.line.frame(WINDOW_UPDATE, 0, PLAY, bytes(4))
    return False


@at(DESCRIBED)
def allows_no_stream(moment: Moment) -> bool:
    """Describes itself, and then allows the referee no stream to play on."""
    moment.line.frame(SETTINGS, payload=_setting(3, 0))
    return False


@at(SECOND)
def sets_what_is_not_allowed(moment: Moment) -> bool:
    """Sets a longest frame of 1 byte, which HTTP/2 does not allow."""
    moment.line.frame(SETTINGS, payload=_setting(5, 1))
    return False


@at(STARTED)
def wants_a_table_of_4_gib(moment: Moment) -> bool:
    """Offers a table of headers of 4 GiB, and changes its mind a thousand times."""
    moment.line.raw(
        (frame(SETTINGS, payload=_setting(1, (1 << 32) - 1)) + frame(SETTINGS, payload=_setting(1, 0))) * 1_000
    )
    return False


# Headers and trailers


def _ends(moment: Moment, *trailers: tuple[str, str | bytes]) -> None:
    moment.line.end(PLAY, trailers)


@at(SECOND)
def ends_well(moment: Moment) -> None:
    """Ends its stream in the middle of a match, with the status OK."""
    _ends(moment, *OK)


@at(SECOND)
def ends_with_a_painted_status(moment: Moment) -> None:
    """Ends with a message that would take over a terminal."""
    painted = "".join(f"%{octet:02X}" for octet in PAINT.encode())
    _ends(moment, ("grpc-status", "2"), ("grpc-message", painted))


@at(SECOND)
def ends_with_a_message_that_is_no_text(moment: Moment) -> None:
    """Ends with a message that is not UTF-8."""
    _ends(moment, ("grpc-status", "13"), ("grpc-message", "%FF%FE%C0%80%ED%A0%80"), ("x-bin", b"\x80\xff"))


@at(SECOND)
def ends_with_a_long_message(moment: Moment) -> None:
    """Ends with a message of 7,000 letters."""
    _ends(moment, ("grpc-status", "2"), ("grpc-message", "long " * 1_400))


@at(SECOND)
def ends_with_no_number(moment: Moment) -> None:
    """Ends with a status that is no number."""
    _ends(moment, ("grpc-status", "fine, thanks"))


@at(SECOND)
def ends_with_an_unknown_status(moment: Moment) -> None:
    """Ends with a status that gRPC does not have."""
    _ends(moment, ("grpc-status", "99999999999999999999"))


@at(SECOND)
def ends_with_two_statuses(moment: Moment) -> None:
    """Ends well and badly at once."""
    _ends(moment, ("grpc-status", "0"), ("grpc-status", "13"))


@at(SECOND)
def ends_without_a_status(moment: Moment) -> None:
    """Ends without trailers."""
    moment.line.frame(DATA, END_STREAM, PLAY)


@at(SECOND)
def says_that_the_referee_cancelled(moment: Moment) -> None:
    """Ends with CANCELLED, as if the referee had ended the call."""
    _ends(moment, ("grpc-status", "1"), ("grpc-message", "Locally cancelled by application!"))


@at(SECOND)
def says_that_time_is_up(moment: Moment) -> None:
    """Ends with DEADLINE_EXCEEDED, as if a limit of the referee had passed."""
    _ends(moment, ("grpc-status", "4"), ("grpc-message", "Deadline Exceeded"))


@at(SECOND)
def says_that_its_message_was_too_long(moment: Moment) -> None:
    """Ends with the words by which the referee knows its own limit."""
    words = "CLIENT: Received message larger than max (65537 vs. 65536)"
    _ends(moment, ("grpc-status", "8"), ("grpc-message", words))


@at(SECOND)
def says_that_the_token_is_wrong(moment: Moment) -> None:
    """Ends with UNAUTHENTICATED in the middle of a match."""
    _ends(moment, ("grpc-status", "16"), ("grpc-message", "who are you?"))


@at(SECOND)
def ends_by_chance(moment: Moment) -> None:
    """Ends with each other status of gRPC: a different one in each match."""
    _ends(moment, ("grpc-status", str(5 + os.getpid() % 11)), ("grpc-message", "something"))


@at(STARTED)
def has_a_megabyte_of_headers(moment: Moment) -> None:
    """Begins its response with a megabyte of headers."""
    many: Headers = tuple((f"x-{number}", "x" * 1_000) for number in range(1_000))
    octets = block((*RESPONSE, *many))
    pieces = [octets[at : at + 16_000] for at in range(0, len(octets), 16_000)]
    moment.line.frame(HEADERS, 0, PLAY, pieces[0])
    for piece in pieces[1:-1]:
        moment.line.frame(CONTINUATION, 0, PLAY, piece)
    moment.line.frame(CONTINUATION, END_HEADERS, PLAY, pieces[-1])
    moment.line.frame(DATA, 0, PLAY, prefixed(READY))


@at(STARTED)
def calls_itself_html(moment: Moment) -> bool:
    """Begins its response with another type of content."""
    moment.line.headers(PLAY, ((":status", "200"), ("content-type", "text/html")))
    return False


@at(STARTED)
def is_not_found(moment: Moment) -> bool:
    """Begins its response with 404, and plays on."""
    moment.line.headers(PLAY, ((":status", "404"), ("content-type", "application/grpc")))
    return False


@at(STARTED)
def has_no_status(moment: Moment) -> bool:
    """Begins its response without a status of HTTP."""
    moment.line.headers(PLAY, (("content-type", "application/grpc"),))
    return False


@at(STARTED)
def shouts(moment: Moment) -> bool:
    """Begins its response with a header in capitals, which HTTP/2 does not allow, with control characters."""
    moment.line.headers(PLAY, (*RESPONSE, ("X-SHOUT", PAINT)))
    return False


@at(SECOND)
def begins_again(moment: Moment) -> bool:
    """Begins its response a second time."""
    moment.line.headers(PLAY, RESPONSE)
    return False


@at(STARTED)
def names_a_header_that_is_not_there(moment: Moment) -> None:
    """Names an entry of a table of headers that has none."""
    moment.line.frame(HEADERS, END_HEADERS, PLAY, b"\xff\xff\xff\xff\x0f")
    _silent()


@at(STARTED)
def wastes_the_table_of_headers(moment: Moment) -> bool:
    """Fills the table of headers once and then names its largest entry thousands of times (an HPACK bomb)."""
    large = b"\x40\x01x\x7f" + varint(4_000 - 0x7F) + b"x" * 4_000  # a literal that is put into the table
    moment.line.frame(HEADERS, END_HEADERS, PLAY, block(RESPONSE) + large + b"\xbe" * 10_000)
    return False


# Messages


@at(SECOND)
def is_a_gzip_bomb(moment: Moment) -> None:
    """Sends 64 MiB of nothing, compressed to 64 KiB, and says that it is compressed."""
    moment.line.data(PLAY, prefixed(gzip.compress(bytes(1 << 26)), compressed=1))
    _silent()


@at(STARTED)
def announces_a_gzip_bomb(moment: Moment) -> None:
    """Says from the start that it compresses, and sends 64 MiB of nothing."""
    moment.line.headers(PLAY, (*RESPONSE, ("grpc-encoding", "gzip")))
    moment.line.data(PLAY, prefixed(gzip.compress(bytes(1 << 26)), compressed=1))
    _silent()


@at(STARTED)
def compresses(moment: Moment) -> None:
    """Says Ready in gzip, which the referee never offered to read."""
    moment.line.headers(PLAY, (*RESPONSE, ("grpc-encoding", "gzip")))
    moment.line.data(PLAY, prefixed(gzip.compress(READY), compressed=1))


@at(STARTED)
def compresses_in_its_own_way(moment: Moment) -> None:
    """Says that it compresses in a way that nobody knows."""
    moment.line.headers(PLAY, (*RESPONSE, ("grpc-encoding", "rogue")))
    moment.line.data(PLAY, prefixed(READY, compressed=1))
    _silent()


@at(SECOND)
def has_an_unknown_flag(moment: Moment) -> None:
    """Says that its message is compressed seven times."""
    moment.line.data(PLAY, prefixed(moment.honest, compressed=7))
    _silent()


@at(SECOND)
def promises_4_gib(moment: Moment) -> None:
    """Says that a message of 4 GiB follows, and sends what it can of it."""
    moment.line.data(PLAY, prefixed(b"", length=(1 << 32) - 1))
    while True:
        moment.line.data(PLAY, bytes(1 << 14))


@at(SECOND)
def promises_a_byte_more(moment: Moment) -> None:
    """Says that its answer is a byte longer than it is."""
    moment.line.data(PLAY, prefixed(moment.honest, length=len(moment.honest) + 1))
    _silent()


@at(SECOND)
def promises_a_byte_more_and_ends(moment: Moment) -> None:
    """Says that its answer is a byte longer than it is, and ends its stream."""
    moment.line.data(PLAY, prefixed(moment.honest, length=len(moment.honest) + 1))
    moment.line.end(PLAY)


@at(SECOND)
def promises_a_byte_less(moment: Moment) -> None:
    """Says that its answer is a byte shorter than it is."""
    moment.line.data(PLAY, prefixed(moment.honest, length=len(moment.honest) - 1))
    _silent()


@at(SECOND)
def drips(moment: Moment) -> None:
    """Sends its answer so slowly that it is never whole: there is always a byte under way."""
    for octet in prefixed(moment.honest + field(15, bytes(5_000))):
        moment.line.data(PLAY, bytes([octet]))
        time.sleep(0.02)


@at(SECOND)
def answers_at_the_last_moment(moment: Moment) -> bool:
    """Answers when little of its time is left, which is its right."""
    time.sleep(moment.time_left_ms / 1000 * 0.9)
    return False


@at(SECOND)
def answers_too_late(moment: Moment) -> bool:
    """Answers after its time."""
    time.sleep(moment.time_left_ms / 1000 + 5)  # a busy machine gives it some seconds more
    return False


@at(SECOND)
def answers_twice(moment: Moment) -> bool:
    """Gives its answer twice."""
    moment.line.message(PLAY, moment.honest)
    return False


@at(SECOND)
def floods_with_answers(moment: Moment) -> None:
    """Gives its answer again and again."""
    while True:
        moment.line.data(PLAY, prefixed(moment.honest) * 1_000)


@at(SECOND)
def answers_the_first_again(moment: Moment) -> None:
    """Answers decision 1 once more."""
    moment.line.message(PLAY, choice(1, 0))


@at(STARTED)
def answers_before_it_is_asked(moment: Moment) -> None:
    """Says Ready and answers decisions 1 to 9 in advance."""
    moment.line.message(PLAY, READY)
    for number in range(1, 10):
        moment.line.message(PLAY, choice(number, 0))


@at(OVER)
def answers_after_the_end(moment: Moment) -> bool:
    """Continues to answer when the match is over."""
    moment.line.message(PLAY, choice(99, 0))
    return False


@at(SECOND)
def answers_with_minus_one(moment: Moment) -> None:
    """Chooses the action before the first: -1, as protobuf writes it."""
    moment.line.message(PLAY, choice(moment.number, (1 << 64) - 1))


@at(SECOND)
def answers_with_a_huge_index(moment: Moment) -> None:
    """Chooses action 4,294,967,295."""
    moment.line.message(PLAY, choice(moment.number, (1 << 32) - 1))


@at(SECOND)
def answers_by_a_wrapped_number(moment: Moment) -> None:
    """Answers decision 2 + 4,294,967,296, which is 2 in 32 bits, and is honest for a reader of protobuf."""
    answer = dict(fields(moment.honest))[2]
    assert isinstance(answer, bytes)
    moment.line.message(PLAY, field(2, field(1, moment.number + (1 << 32)) + answer[2:]))


@at(SECOND)
def has_much_unknown(moment: Moment) -> None:
    """Puts a megabyte of unknown fields around its answer."""
    moment.line.message(PLAY, moment.honest + field(15, bytes(1 << 20)))
    _silent()


@at(SECOND)
def is_deeply_nested(moment: Moment) -> None:
    """Sends 10,000 messages, each inside the other."""
    message = b""
    while len(message) < 60_000:
        message = field(2, message)
    moment.line.message(PLAY, message)


@at(SECOND)
def opens_groups(moment: Moment) -> None:
    """Opens 30,000 groups of protobuf, each inside the other, and closes none."""
    moment.line.message(PLAY, b"\x7b" * 30_000)


@at(SECOND)
def sends_noise(moment: Moment) -> None:
    """Sends a message that is none."""
    moment.line.message(PLAY, random.Random(14).randbytes(1_000))


@at(SECOND)
def sends_nothing(moment: Moment) -> None:
    """Sends a message without any content."""
    moment.line.message(PLAY, b"")


@at(SECOND)
def sends_64_kib(moment: Moment) -> None:
    """Sends a byte more than a message may have."""
    moment.line.message(PLAY, bytes((1 << 16) + 1))


# Describe, and the end


@at(DESCRIBED)
def is_somebody_else(moment: Moment) -> None:
    """Says that it is another bot of the league."""
    moment.line.message(DESCRIBE, field(1, b"ann") + field(2, b"1") + field(3, b"*"))
    moment.line.end(DESCRIBE)


@at(DESCRIBED)
def has_a_painted_name(moment: Moment) -> None:
    """Has a name that would take over a terminal."""
    moment.line.message(DESCRIBE, field(1, PAINT.encode()) + field(2, b"1") + field(3, b"*"))
    moment.line.end(DESCRIBE)


@at(DESCRIBED)
def has_a_name_that_is_no_text(moment: Moment) -> None:
    """Has a name that is not UTF-8."""
    moment.line.message(DESCRIBE, field(1, b"\xff\xfe") + field(2, b"1") + field(3, b"*"))
    moment.line.end(DESCRIBE)


@at(DESCRIBED)
def never_stops_describing(moment: Moment) -> None:
    """Describes itself with games without end."""
    while True:
        moment.line.data(DESCRIBE, prefixed(field(3, b"x" * 4_000)))


@at(DESCRIBED)
def has_a_long_description(moment: Moment) -> None:
    """Describes itself in 32 MiB."""
    moment.line.message(DESCRIBE, moment.honest + field(3, b"x" * (1 << 25)))
    moment.line.end(DESCRIBE)


@at(HUNG_UP)
def keeps_its_stream(_moment: Moment) -> None:
    """Does not close its stream when the referee has closed its own."""


@at(HUNG_UP)
def floods_at_the_end(moment: Moment) -> None:
    """Floods the referee with messages when it has hung up."""
    while True:
        moment.line.data(PLAY, prefixed(b"") * 1_000)
