"""Fields of protobuf messages, put together by hand.

The protobuf library would make an object of every message first, and copy what is encoded already into it.
"""

from functools import lru_cache

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
