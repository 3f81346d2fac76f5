"""Compressed headers (RFC 7541), held to another implementation (hpack) and to noise."""

import hpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from referee_bot.hpack import Decoder, HpackError, TooManyFieldsError, encode

FIELDS = st.lists(st.tuples(st.binary(max_size=20), st.binary(max_size=300)), max_size=12)
KNOWN = st.sampled_from([(b":method", b"POST"), (b":path", b"/index.html"), (b"te", b"trailers"), (b"via", b"")])


@given(st.lists(FIELDS | st.lists(KNOWN), max_size=5), st.booleans(), st.lists(st.integers(0, 4096), max_size=5))
def test_what_another_encoder_packs_is_read(
    blocks: list[list[tuple[bytes, bytes]]], huffman: bool, sizes: list[int]
) -> None:
    encoder, decoder = hpack.Encoder(), Decoder(1 << 20)
    for place, fields in enumerate(blocks):
        if place < len(sizes):
            encoder.header_table_size = sizes[place]
        assert decoder.decode(encoder.encode(fields, huffman=huffman)) == fields


@given(FIELDS)
def test_another_decoder_reads_what_we_pack_and_keeps_nothing_of_it(fields: list[tuple[bytes, bytes]]) -> None:
    decoder = hpack.Decoder(max_header_list_size=1 << 20)
    assert [(bytes(name), bytes(value)) for name, value in decoder.decode(encode(fields), raw=True)] == fields
    assert list(decoder.header_table.dynamic_entries) == []


@pytest.mark.parametrize(
    ("block", "said"),
    [
        (b"\x80", "there is no entry 0"),
        (b"\xbe", "there is no such entry"),
        (b"\x7f\xff\xff", "a number is too large, or cut short"),
        (b"\xff\xff\xff\xff\xff\xff\x0f", "a number is too large, or cut short"),
        (b"\x00", "a string is missing"),
        (b"\x00\x05abc", "a string is cut short"),
        (b"\x00\x84\xff\xff\xff\xff\x00", "a Huffman code is unknown, or cut short"),
        (b"\x00\x81\x00\x00", "a Huffman code is unknown, or cut short"),  # padded by 0 (5.2)
        (b"\x00\x82\x1f\xff\x00", "a Huffman code is unknown, or cut short"),  # padded by more than 7 bits (5.2)
        (b"\x3f\xe2\x1f", "the table becomes too large"),
        (b"\x82\x20", "a change of the table's size follows a field"),  # 4.2
    ],
)
def test_a_block_that_breaks_a_rule_is_refused(block: bytes, said: str) -> None:
    with pytest.raises(HpackError) as error:
        Decoder(16_384).decode(block)
    assert str(error.value) == said


def test_a_long_list_is_refused_though_its_block_is_short() -> None:
    kept = b"\x40\x01x\x7f\x9f\x0f" + b"y" * 2_078
    assert len(Decoder(16_384).decode(kept + b"\xbe" * 6)) == 7
    with pytest.raises(TooManyFieldsError, match="more than 16,384 bytes of fields"):
        Decoder(16_384).decode(kept + b"\xbe" * 20)


def test_an_entry_larger_than_the_table_empties_it() -> None:
    decoder = Decoder(16_384)
    decoder.decode(b"\x40\x01a\x01b")
    decoder.decode(b"\x40\x01x\x7f\x81\x20" + b"y" * 4_224)  # 4.4
    with pytest.raises(HpackError, match="there is no such entry"):
        decoder.decode(b"\xbe")


@given(st.lists(st.binary(max_size=200), max_size=5))
def test_noise_is_read_or_refused_and_fills_no_memory(blocks: list[bytes]) -> None:
    decoder = Decoder(2_000)
    for block in blocks:
        try:
            fields = decoder.decode(block)
        except HpackError:
            return
        assert sum(len(name) + len(value) + 32 for name, value in fields) <= 2_000
