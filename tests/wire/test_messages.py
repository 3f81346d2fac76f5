"""Fields put together by hand have protobuf's bytes."""

import pytest
from google.protobuf.unknown_fields import UnknownFieldSet
from hypothesis import given
from hypothesis import strategies as st
from referee_bot.v1 import bot_pb2

from referee.core.errors import GameBug
from referee.core.outcome import Outcome
from referee.match.conversation import Answer, Garbage, Ready, Unavailable
from referee.match.match import Ask, Close, Match, Open
from referee.match.terms import USUAL, Clock, EntryTerms
from referee.match.transcript import Note
from referee.wire.messages import (
    MAX_REFEREE_MESSAGE_BYTES,
    bytes_field,
    encode,
    from_the_future,
    number_field,
    parse,
    varint,
)
from tests.auction import Auction, AuctionCodec, Purse, View, auction_header

CLOCK = Clock(move_ms=700, bank_ms=5000, increment_ms=20)
MATCH = Match(Auction(), auction_header(3, seed=9), CLOCK)


def read(request: Open | Ask | Close) -> bot_pb2.RefereeMessage:
    return bot_pb2.RefereeMessage.FromString(encode(AuctionCodec(), MATCH, request))


def test_match_start_tells_the_seat_its_own_seed_the_clock_and_nothing_of_deal_fixture_or_opponents() -> None:
    message = read(Open(1))
    start = message.match_start
    assert (start.game, start.rules_version, start.seat, start.seats) == ("auction", 3, 1, 3)
    assert (start.clock.move_ms, start.clock.bank_ms, start.clock.increment_ms) == (700, 5000, 20)
    assert start.seed.hex() == MATCH.header.bot_seeds[1]
    assert start.options == b'{"rounds":2,"sides":"none"}'
    raw = message.SerializeToString()
    hidden = [bytes.fromhex(MATCH.header.deal_seed), MATCH.header.fixture.encode(), b"bot0", b"bot2"]
    hidden += [bytes.fromhex(MATCH.header.bot_seeds[seat]) for seat in (0, 2)]
    assert not any(secret in raw for secret in hidden)


def test_each_seat_is_told_its_own_clock_and_no_other() -> None:
    own = EntryTerms(("--depth", "4"), {"DEPTH": "4"}, Clock(move_ms=0, bank_ms=90, increment_ms=3))
    match = Match(Auction(), auction_header(3, seed=9), CLOCK, [USUAL, own, USUAL])
    told = [bot_pb2.RefereeMessage.FromString(encode(AuctionCodec(), match, Open(seat))) for seat in range(3)]
    assert [(each.match_start.clock.move_ms, each.match_start.clock.bank_ms) for each in told] == [
        (700, 5000),
        (0, 90),
        (700, 5000),
    ]
    assert told[0] == read(Open(0))
    told[1].match_start.clock.CopyFrom(told[0].match_start.clock)
    assert told[1] == read(Open(1))


@pytest.mark.parametrize("request_", [Open(1), Ask(2, 5, View(2, 1, (0, 0, 1)), (0, 1), (), 640)])
@pytest.mark.parametrize("padding", [0, 1, 127, 128, 20_000, MAX_REFEREE_MESSAGE_BYTES])
def test_a_message_of_a_later_version_says_the_same_and_more(request_: Open | Ask, padding: int) -> None:
    message = encode(AuctionCodec(), MATCH, request_)
    raw = from_the_future(message, padding)
    assert padding < len(raw) - len(message) < padding + 32
    later = bot_pb2.RefereeMessage.FromString(raw)
    assert len(UnknownFieldSet(getattr(later, later.WhichOneof("body") or ""))) == 2
    later.DiscardUnknownFields()
    assert later.SerializeToString() == message


def test_decision_carries_number_view_actions_events_and_time() -> None:
    ask = Ask(2, 5, View(2, 1, (0, 0, 1)), (0, 1, 2), (Purse(2, 1),), 640)
    asked = read(ask).decision
    assert (asked.number, asked.time_left_ms) == (5, 640)
    assert asked.view == b'{"seat":2,"purse":1,"won":[0,0,1]}'
    assert list(asked.legal) == [b"0", b"1", b"2"]
    assert list(asked.events) == [b'{"type":"Purse","seat":2,"coins":1}']


def test_match_end_carries_ending_places_and_the_last_events() -> None:
    end = read(Close(0, Outcome("sold", (1, 2, 2), ()), (Purse(0, 2),))).match_end
    assert (end.ending, list(end.places), len(end.events)) == ("sold", [1, 2, 2], 1)


@pytest.mark.parametrize("events", [0, 1, 3, 4, 500, 20_000])
def test_a_message_has_the_bytes_that_protobuf_itself_gives_it(events: int) -> None:
    heard = (Purse(2, 1),) * events
    outcome = Outcome("sold", (1, 2, 2), ())
    for request in (Open(1), Ask(2, 5, View(2, 1, (0, 0, 1)), (0, 1, 2), heard, 640), Close(0, outcome, heard)):
        assert read(request).SerializeToString() == encode(AuctionCodec(), MATCH, request)


def test_a_message_that_no_bot_need_read_is_a_bug_of_the_game() -> None:
    one = len(encode(AuctionCodec(), MATCH, Ask(0, 1, View(0, 1, ()), (0,), (Purse(0, 1),), 640)))
    two = len(encode(AuctionCodec(), MATCH, Ask(0, 1, View(0, 1, ()), (0,), (Purse(0, 1),) * 2, 640)))
    too_many = (Purse(0, 1),) * ((MAX_REFEREE_MESSAGE_BYTES - one) // (two - one) + 2)
    assert len(encode(AuctionCodec(), MATCH, Ask(0, 1, View(0, 1, ()), (0,), too_many[3:], 640))) > 1_048_400
    with pytest.raises(GameBug, match=r"ValueError: a message of \d+ bytes; bots need not read more than 1048576;"):
        encode(AuctionCodec(), MATCH, Ask(0, 1, View(0, 1, ()), (0,), too_many, 640))


def test_a_choice_with_index_0_is_not_a_choice_without_index() -> None:
    with_index = bot_pb2.BotMessage(choice=bot_pb2.Choice(decision=3, index=0))
    without = bot_pb2.BotMessage(choice=bot_pb2.Choice(decision=3))
    assert parse(with_index.SerializeToString()) == Answer(3, 0)
    assert parse(without.SerializeToString()) == Answer(3, None)


def test_a_choice_is_read_alike_however_often_and_however_long_it_is_written() -> None:
    short = bot_pb2.BotMessage(choice=bot_pb2.Choice(decision=300, index=70)).SerializeToString()
    long = short + b"\xc0\x3e\x07" * 10  # ten times an unknown field
    assert [parse(raw) for raw in (short, short, long, long)] == [Answer(300, 70)] * 4


def test_a_note_and_unavailability_are_read_as_they_were_written() -> None:
    note = bot_pb2.Note(text="I bluff.\n", tries=2, tokens=300)
    choice = bot_pb2.BotMessage(choice=bot_pb2.Choice(decision=3, index=1, note=note))
    away = bot_pb2.BotMessage(unavailable=bot_pb2.Unavailable(decision=3, note=note))
    expected = Note("I bluff.\n", 2, 300)
    assert parse(choice.SerializeToString()) == Answer(3, 1, expected)
    assert parse(away.SerializeToString()) == Unavailable(3, expected)
    assert parse(bot_pb2.BotMessage(unavailable=bot_pb2.Unavailable()).SerializeToString()) == Unavailable(0, Note())


def test_ready_is_ready() -> None:
    assert parse(bot_pb2.BotMessage(ready=bot_pb2.Ready()).SerializeToString()) == Ready()


def test_an_empty_message_is_garbage() -> None:
    assert parse(b"") == Garbage("sent a BotMessage that is none of Ready, Choice, Unavailable and Answers")


def test_bytes_that_are_no_message_are_garbage_with_their_number() -> None:
    assert parse(b"\xff" * 9) == Garbage("sent 9 bytes that are no BotMessage")


@given(st.binary(max_size=200))
def test_whatever_a_bot_sends_is_understood_or_garbage(raw: bytes) -> None:
    assert isinstance(parse(raw), Ready | Answer | Unavailable | Garbage)


def test_fields_of_a_later_protocol_are_ignored() -> None:
    choice = bot_pb2.Choice(decision=3, index=1).SerializeToString() + b"\xc2\x3e\x03abc"
    raw = b"\x12" + bytes([len(choice)]) + choice
    assert parse(raw) == Answer(3, 1)


NUMBERS = st.integers(0, (1 << 32) - 1)


@given(NUMBERS, st.binary(max_size=300))
def test_numbers_and_bytes_are_as_protobuf_writes_them(number: int, content: bytes) -> None:
    by_hand = number_field(bot_pb2.Decision.NUMBER_FIELD_NUMBER, number)
    assert by_hand == bot_pb2.Decision(number=number).SerializeToString()
    by_hand += bytes_field(bot_pb2.Decision.LEGAL_FIELD_NUMBER, content)
    assert by_hand == bot_pb2.Decision(number=number, legal=[content]).SerializeToString()


@pytest.mark.parametrize(("number", "raw"), [(0, "00"), (127, "7f"), (128, "8001"), (300, "ac02"), (16384, "808001")])
def test_a_varint_has_seven_bits_a_byte_and_begins_with_the_lowest(number: int, raw: str) -> None:
    assert varint(number).hex() == raw
