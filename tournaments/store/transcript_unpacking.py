"""Transcripts as they were before they were packed, with the dictionaries of their league."""

from typing import Any

from tournaments.store import transcript_packing
from tournaments.store.address import StoreError
from tournaments.store.database import Database
from tournaments.store.transcript_packing import PLAIN, Packing


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
        except transcript_packing.Damaged as error:
            raise StoreError(f"the transcript of {fixture} is damaged: {error}") from error

    def packing(self, number: int) -> Packing:
        """The dictionary with this number."""
        # A connection of its own reads it: the one that rows are read from may be in the middle of them.
        if number not in self._packings:
            with self._database.reading() as connection:
                self._packings[number] = transcript_packing.packing_of(connection, self._league, number)
        return self._packings[number]
