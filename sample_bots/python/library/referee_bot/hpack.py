"""The compression of headers in HTTP/2 (RFC 7541), as far as gRPC needs it.

We read all that another end may send. What we send is not compressed, so our encoder needs no state.
"""

from collections.abc import Iterable
from typing import Final, TypeAlias

Field: TypeAlias = tuple[bytes, bytes]
"""A name and its value."""

TABLE_BYTES: Final = 4096
"""The largest table of the other end: the initial value of RFC 9113, 6.5.2, which we do not change."""

_ENTRY_BYTES: Final = 32
"""What an entry of the table counts beside its name and value (4.1)."""

_NUMBER_OCTETS: Final = 5
"""How many octets may continue a number. No number that makes sense needs more."""

_STATIC: Final[list[Field]] = [
    (name, value)
    for name, _, value in (
        entry.partition(b"=")
        for entry in b"""\
:authority|:method=GET|:method=POST|:path=/|:path=/index.html|:scheme=http|:scheme=https|:status=200|:status=204|\
:status=206|:status=304|:status=400|:status=404|:status=500|accept-charset|accept-encoding=gzip, deflate|\
accept-language|accept-ranges|accept|access-control-allow-origin|age|allow|authorization|cache-control|\
content-disposition|content-encoding|content-language|content-length|content-location|content-range|content-type|\
cookie|date|etag|expect|expires|from|host|if-match|if-modified-since|if-none-match|if-range|if-unmodified-since|\
last-modified|link|location|max-forwards|proxy-authenticate|proxy-authorization|range|referer|refresh|retry-after|\
server|set-cookie|strict-transport-security|transfer-encoding|user-agent|vary|via|www-authenticate""".split(b"|")
    )
]
"""The static table (appendix A); the first entry has the number 1."""

_BY_LENGTH: Final[dict[int, bytes]] = {
    5: b"012aceiost",
    6: b" %-./3456789=A_bdfghlmnpru",
    7: b":BCDEFGHIJKLMNOPQRSTUVWYjkqvwxyz",
    8: b"&*,;XZ",
    10: b'!"()?',
    11: b"'+|",
    12: b"#>",
    13: b"\x00$@[]~",
    14: b"^}",
    15: b"<`{",
    19: b"\\\xc3\xd0",
    20: b"\x80\x82\x83\xa2\xb8\xc2\xe0\xe2",
    21: b"\x99\xa1\xa7\xac\xb0\xb1\xb3\xd1\xd8\xd9\xe3\xe5\xe6",
    22: b"\x81\x84\x85\x86\x88\x92\x9a\x9c\xa0\xa3\xa4\xa9\xaa\xad\xb2\xb5\xb9\xba\xbb\xbd\xbe\xc4\xc6\xe4\xe8\xe9",
    23: b"\x01\x87\x89\x8a\x8b\x8c\x8d\x8f\x93\x95\x96\x97\x98\x9b\x9d\x9e\xa5\xa6\xa8\xae\xaf\xb4\xb6\xb7\xbc\xbf"
    b"\xc5\xe7\xef",
    24: b"\t\x8e\x90\x91\x94\x9f\xab\xce\xd7\xe1\xec\xed",
    25: b"\xc7\xcf\xea\xeb",
    26: b"\xc0\xc1\xc8\xc9\xca\xcd\xd2\xd5\xda\xdb\xee\xf0\xf2\xf3\xff",
    27: b"\xcb\xcc\xd3\xd4\xd6\xdd\xde\xdf\xf1\xf4\xf5\xf6\xf7\xf8\xfa\xfb\xfc\xfd\xfe",
    28: b"\x02\x03\x04\x05\x06\x07\x08\x0b\x0c\x0e\x0f\x10\x11\x12\x13\x14\x15\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x7f"
    b"\xdc\xf9",
    30: b"\n\r\x16",
}
"""The octets by the lengths of their Huffman codes. Codes rise with the length, then with the octet (appendix B)."""

_LONGEST_PADDING: Final = 0xFF
"""At most 7 bits may follow the last code, all 1. A 1 before them, as before all codes here, keeps their count."""

_UNKNOWN: Final = (_LONGEST_PADDING + 1, b"")

_steps: dict[tuple[int, str], tuple[int, bytes]] = {}
"""By the bits that begin a code and four more bits, in hex: the bits that begin the next code, and the octet of a code
that has ended. It is filled when the first code is read."""


class HpackError(ValueError):
    """A block cannot be read."""


class TooManyFieldsError(HpackError):
    """The fields of a block are longer than the reader allows."""


def encode(fields: Iterable[Field]) -> bytes:
    """A block of these fields: literals that no table keeps (6.2.3), and no Huffman codes."""
    return b"".join(b"\x10" + _string(name) + _string(value) for name, value in fields)


def _string(octets: bytes) -> bytes:
    size = len(octets)
    if size < 127:
        return bytes((size,)) + octets
    size, head = size - 127, bytearray(b"\x7f")
    while size > 127:
        head.append(size & 127 | 128)
        size >>= 7
    head.append(size)
    return bytes(head) + octets


class Decoder:
    """Reads the blocks of one direction of a connection, in their order."""

    def __init__(self, longest: int) -> None:
        """Allow `longest` bytes of fields in a block, by the count of RFC 9113, 6.5.2."""
        self._longest = longest
        self._table: list[Field] = []  # the newest first
        self._table_bytes = 0
        self._most_bytes = TABLE_BYTES

    def decode(self, block: bytes) -> list[Field]:
        """The fields of a block.

        Raises:
            HpackError: the block cannot be read, or its fields are too long. No later block can be read, either.
        """
        fields: list[Field] = []
        left = self._longest
        at = self._read_table_sizes(block)
        while at < len(block):
            first = block[at]
            if first & 0x80:
                index, at = _number(block, at, 7)
                field = self._entry(index)
            elif first & 0x40:
                field, at = self._literal(block, at, 6)
                self._keep(field)
            elif first & 0x20:
                raise HpackError("a change of the table's size follows a field")
            else:
                field, at = self._literal(block, at, 4)
            left -= _bytes_of(field)
            if left < 0:
                raise TooManyFieldsError(f"more than {self._longest:,} bytes of fields")
            fields.append(field)
        return fields

    def _read_table_sizes(self, block: bytes) -> int:
        """Change the size of the table as a block wants it (6.3). Returns where its fields begin."""
        at = 0
        while at < len(block) and block[at] & 0xE0 == 0x20:
            self._most_bytes, at = _number(block, at, 5)
            if self._most_bytes > TABLE_BYTES:
                raise HpackError("the table becomes too large")
            self._evict()
        return at

    def _entry(self, index: int) -> Field:
        if index == 0:
            raise HpackError("there is no entry 0")
        if index <= len(_STATIC):
            return _STATIC[index - 1]
        if index > len(_STATIC) + len(self._table):
            raise HpackError("there is no such entry")
        return self._table[index - len(_STATIC) - 1]

    def _literal(self, block: bytes, at: int, bits: int) -> tuple[Field, int]:
        index, at = _number(block, at, bits)
        name, at = (self._entry(index)[0], at) if index else _text(block, at)
        value, at = _text(block, at)
        return (name, value), at

    def _keep(self, field: Field) -> None:
        self._table.insert(0, field)
        self._table_bytes += _bytes_of(field)
        self._evict()

    def _evict(self) -> None:
        while self._table_bytes > self._most_bytes:
            self._table_bytes -= _bytes_of(self._table.pop())


def _bytes_of(field: Field) -> int:
    return len(field[0]) + len(field[1]) + _ENTRY_BYTES


def _number(block: bytes, at: int, bits: int) -> tuple[int, int]:
    """A number that begins with the last `bits` of an octet (5.1), and where it ends."""
    most = (1 << bits) - 1
    number = block[at] & most
    at += 1
    if number < most:
        return number, at
    for place, octet in enumerate(block[at : at + _NUMBER_OCTETS]):
        number += (octet & 0x7F) << 7 * place
        if octet < 0x80:
            return number, at + place + 1
    raise HpackError("a number is too large, or cut short")


def _text(block: bytes, at: int) -> tuple[bytes, int]:
    """A string (5.2), and where it ends."""
    if at >= len(block):
        raise HpackError("a string is missing")
    is_coded = block[at] & 0x80
    size, at = _number(block, at, 7)
    end = at + size
    if end > len(block):
        raise HpackError("a string is cut short")
    return _uncoded(block[at:end]) if is_coded else block[at:end], end


def _uncoded(coded: bytes) -> bytes:
    """The octets that these Huffman codes stand for."""
    if not _steps:
        _fill()
    text, prefix = bytearray(), 1
    for four in coded.hex():
        prefix, octet = _steps.get((prefix, four), _UNKNOWN)
        text += octet
    if prefix > _LONGEST_PADDING or prefix & (prefix + 1):
        raise HpackError("a Huffman code is unknown, or cut short")
    return bytes(text)


def _fill() -> None:
    octets: dict[int, bytes] = {}
    code, last = 1, 0
    for length, group in _BY_LENGTH.items():
        code <<= length - last
        for octet in group:
            octets[code] = bytes((octet,))
            code += 1
        last = length
    for start in {code >> shift for code in octets for shift in range(1, code.bit_length())}:
        for four in range(16):
            prefix, ended = start, b""
            for shift in (3, 2, 1, 0):
                prefix = prefix << 1 | four >> shift & 1
                if prefix in octets:
                    prefix, ended = 1, octets[prefix]
            _steps[start, f"{four:x}"] = prefix, ended
