"""What a seat is sent can be read again, from the bytes alone."""

from typing import Any

import pytest
from google.protobuf.message import DecodeError
from referee_bot.v1 import agonia_pb2 as pb
from referee_bot.v1 import bot_pb2

from referee.core.outcome import Outcome
from referee.games.agonia.box.cards import Card, jammed_by, marks_of, turn_begins
from referee.games.agonia.position.events import Jammed
from referee.match.match import Ask, Close, Open
from referee.match.terms import Clock
from referee.wire.codec import Reader
from referee.wire.message_mapper import plain
from referee.wire.messages import batch, encode
from referee.wire.registry import game_entry, games
from referee.wire.seat_messages import DecodedDecision, DecodedStart, MatchBegins, MatchEnds, outline, read, started
from tests.wire.matches import CLOCK, random_match

CHOICES = [
    pytest.param(name, options, seats, id=f"{name}-{number}-{seats}")
    for name, entry in games().items()
    for number, options in enumerate(entry.game.varieties)
    if number < 2 or number % 5 == 0 or name != "inside-job"
    for seats in entry.game.seats(options)
]
"""Every choice of options worth trying; of the many pairs of roles in Inside Job a few."""


def reader_of(game: str) -> Reader:
    reader = game_entry(game).reader
    assert reader is not None
    return reader


@pytest.mark.parametrize(("game", "options", "seats"), CHOICES)
def test_every_message_says_again_what_was_put_into_it(game: str, options: Any, seats: int) -> None:
    entry, reader = game_entry(game), reader_of(game)
    for number, (match, request) in enumerate(random_match(game, options, seats, "letters")):
        message = encode(entry.codec, match, request)
        letter = read(message, request.seat, reader)
        if isinstance(request, Open):
            assert isinstance(letter, DecodedStart)
            assert letter == started(message)
            assert (letter.game, letter.seat, letter.seats) == (game, request.seat, seats)
            assert reader.options(letter.options) == match.options
            assert letter.clock == Clock(CLOCK.move_ms, CLOCK.bank_ms, CLOCK.increment_ms)
            assert outline(message) == MatchBegins()
        elif isinstance(request, Ask):
            assert letter == request
            assert outline(message) == DecodedDecision(request.number, len(request.legal), request.time_left_ms)
        else:
            told = Outcome(request.outcome.ending, request.outcome.places, ())
            assert letter == Close(request.seat, told, request.events)
            assert outline(message) == MatchEnds()
        if number > MOST:
            return


MOST = 40
"""So many requests of each match are read: the long matches repeat themselves."""


@pytest.mark.parametrize("message", [batch([]), b""], ids=["batch", "empty"])
def test_what_is_no_message_of_one_match_is_refused(message: bytes) -> None:
    with pytest.raises(ValueError, match="no message of one match"):
        outline(message)
    with pytest.raises(ValueError, match="no message of one match"):
        read(message, 0, reader_of("agonia"))
    with pytest.raises(ValueError, match="begins with MatchStart"):
        started(message)


def test_bytes_that_are_no_message_are_refused() -> None:
    with pytest.raises(DecodeError):
        outline(b"\xff")


def test_a_message_that_should_hold_another_and_holds_none_is_refused() -> None:
    with pytest.raises(ValueError, match="the message Action holds nothing"):
        plain(pb.Action())


def test_a_card_keeps_all_its_jam_marks_in_whatever_order_they_came() -> None:
    held = jammed_by(turn_begins(jammed_by(int(Card.PISTOLA), 2), 2), 2)
    assert marks_of(held) == 3 << 4  # one mark of seat 2 waits, one is ending
    reader, codec = reader_of("agonia"), game_entry("agonia").codec
    event = Jammed(2, held)
    assert reader.event(codec.event(event)) == event
    swapped = pb.Event.FromString(codec.event(event))
    swapped.jammed.card.jams.reverse()
    assert reader.event(swapped.SerializeToString()) == event


def test_a_start_names_its_match() -> None:
    message = bot_pb2.RefereeMessage(
        match_start=bot_pb2.MatchStart(
            match_id=b"12345678", game="agonia", rules_version=3, seats=2, clock=bot_pb2.Clock(move_ms=5)
        )
    )
    assert started(message.SerializeToString()) == DecodedStart(b"12345678", "agonia", 3, b"", 0, 2, Clock(5))
