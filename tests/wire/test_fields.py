"""Fields put together by hand have protobuf's bytes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from referee_bot.v1 import bot_pb2

from referee.wire.messages import bytes_field, number_field, varint

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
