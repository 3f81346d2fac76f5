"""Transcripts made small, and as they were. Each is compressed with the first of its league as a dictionary.

Those of a league are much alike. A dictionary is part of the store and never changes: the store needs it to read the
transcripts that were packed with it. It is made of transcripts as they are, without training, so that its origin is
clear.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import sqlalchemy as sql
import zstandard

from tournaments.store.database import Database
from tournaments.store.schema import DICTIONARY, TRANSCRIPT
from tournaments.store.store_errors import StoreError

PLAIN = 0
"""The number that says: these bytes were not packed."""

SAMPLES = 8
"""Of so many matches a dictionary is made. With more the transcripts become hardly smaller."""

MOST = 16 << 20
"""Bytes of a record or an aside, at most, that are packed or unpacked: a thousand times what matches have. So a damaged
store cannot fill the memory."""

_LONGEST = 64 << 10
"""Bytes of a dictionary, at most."""

_LEVEL = 3  # higher levels cost ten times as much and save a tenth


class Damaged(Exception):
    """These bytes cannot be unpacked."""


class Packing:
    """Packs and unpacks with one dictionary. Not for several threads at once."""

    def __init__(self, dictionary: bytes) -> None:
        words = zstandard.ZstdCompressionDict(dictionary, dict_type=zstandard.DICT_TYPE_RAWCONTENT)
        words.precompute_compress(level=_LEVEL)
        self._compressor = zstandard.ZstdCompressor(level=_LEVEL, dict_data=words, write_checksum=True)
        self._decompressor = zstandard.ZstdDecompressor(dict_data=words)

    def pack(self, plain: bytes) -> bytes:
        """The bytes, at least one, as a frame of Zstandard with their length and a checksum."""
        return self._compressor.compress(plain)

    def unpack(self, packed: bytes) -> bytes:
        """The bytes that `pack` made a frame of.

        Raises:
            Damaged: it is no such frame, or one of more than `MOST` bytes. Nothing that large is ever allocated.
        """
        return unpacked(self._decompressor, packed, MOST)


def unpacked(decompressor: zstandard.ZstdDecompressor, packed: bytes, most: int) -> bytes:
    """The bytes in a frame of Zstandard.

    Raises:
        Damaged: it is no such frame, or one of no byte, or of more than `most`. Nothing that large is ever allocated.
    """
    try:
        size = zstandard.get_frame_parameters(packed).content_size
        # A frame without a length counts as one of 2^64 - 1. No part is empty; of an empty one nothing is checked.
        if not 0 < size <= most:
            raise Damaged(f"it says that it has no length, or more than {most >> 20} MiB")
        return decompressor.decompress(packed, allow_extra_data=False)
    except zstandard.ZstdError as error:
        raise Damaged(str(error)) from error


class NumberedDictionary(NamedTuple):
    """A dictionary of a league, with its number."""

    number: int
    packing: Packing


class Sample(NamedTuple):
    """A match that is not packed."""

    fixture: str
    record: bytes
    metadata: bytes


def packing_of(connection: sql.Connection, league: str, number: int) -> Packing:
    """The dictionary with this number.

    Raises:
        Damaged: the store does not have it.
    """
    its = (DICTIONARY.c.league == league, DICTIONARY.c.number == number)
    content = connection.scalar(sql.select(DICTIONARY.c.content).where(*its))
    if content is None:
        raise Damaged(f"it is packed with dictionary {number}, which the store does not have")
    return Packing(content)


def newest(connection: sql.Connection, league: str) -> NumberedDictionary | None:
    """The dictionary to pack with; it is made as soon as enough matches are stored. None before that."""
    number = connection.scalar(
        sql.select(sql.func.max(DICTIONARY.c.number, type_=sql.Integer)).where(DICTIONARY.c.league == league)
    )
    if number is not None:
        return NumberedDictionary(number, packing_of(connection, league, number))
    samples = samples_of(connection, league)
    if len(samples) < SAMPLES:
        return None
    content = dictionary_of([(sample.record, sample.metadata) for sample in samples])
    connection.execute(sql.insert(DICTIONARY), {"league": league, "number": 1, "content": content})
    return NumberedDictionary(1, Packing(content))


def samples_of(connection: sql.Connection, league: str) -> list[Sample]:
    """The matches that a league's dictionary is made of: the first that are not packed."""
    plain = sql.select(TRANSCRIPT.c.fixture, TRANSCRIPT.c.record, TRANSCRIPT.c.aside).where(
        TRANSCRIPT.c.league == league, TRANSCRIPT.c.dictionary == PLAIN
    )
    return [Sample(*row) for row in connection.execute(plain.order_by(TRANSCRIPT.c.fixture).limit(SAMPLES))]


def dictionary_of(samples: Sequence[tuple[bytes, bytes]]) -> bytes:
    """A dictionary: records and asides one after the other, the last of them if they are long."""
    return b"".join(part for sample in samples for part in sample)[-_LONGEST:]


class Unpacking:
    """Unpacks what a league has packed. Its dictionaries are read when they are first needed."""

    def __init__(self, database: Database, league: str) -> None:
        self._database = database
        self._league = league
        self._packings: dict[int, Packing] = {}

    def parts(self, row: Any) -> tuple[bytes, bytes]:
        """Record and aside in a row of the table `transcript`.

        Raises:
            StoreError: they are damaged.
        """
        return (
            self.unpacked(row.fixture, row.record, row.dictionary),
            self.unpacked(row.fixture, row.aside, row.dictionary),
        )

    def unpacked(self, fixture: str, content: bytes, number: int) -> bytes:
        """A part of the transcript of a fixture that was packed with the dictionary of this number.

        Raises:
            StoreError: it is damaged.
        """
        if number == PLAIN:
            return content
        try:
            return self.packing(number).unpack(content)
        except Damaged as error:
            raise StoreError(f"the transcript of {fixture} is damaged: {error}") from error

    def packing(self, number: int) -> Packing:
        """The dictionary with this number."""
        # A connection of its own reads it: the one that rows are read from may be in the middle of them.
        if number not in self._packings:
            with self._database.reading() as connection:
                self._packings[number] = packing_of(connection, self._league, number)
        return self._packings[number]
