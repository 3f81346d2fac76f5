"""Tables of a league that are kept to be shown, in parts, so that nobody reads more than is shown.

A store without them has lost nothing: they are computed again.
"""

import zstandard

from tournaments.store import answers
from tournaments.store.database import Database

_PREFIX = "shown/"


class Shelf:
    """The tables of one league. Every method raises `StoreError` if the store fails.

    All parts are put there at once, under one key, and those that are taken at once belong together.
    """

    def __init__(self, database: Database, league: str) -> None:
        self._database = database
        self._league = league

    def key(self) -> str | None:
        """A digest of all that the parts were computed from; None if there are none."""
        with self._database.reading() as connection:
            return answers.key(connection, self._league, _PREFIX)

    def put(self, key: str, parts: dict[str, bytes]) -> None:
        """Keep these parts by name, instead of all that were there."""
        packer = zstandard.ZstdCompressor(level=1)
        packed = {f"{_PREFIX}{name}": packer.compress(part) for name, part in parts.items()}
        with self._database.writing() as connection:
            answers.keep_all(connection, self._league, _PREFIX, key, packed | {_PREFIX: b""})

    def take(self, *names: str) -> dict[str, bytes]:
        """Those of the parts of these names that there are."""
        with self._database.reading() as connection:
            found = answers.kept(connection, self._league, [f"{_PREFIX}{name}" for name in names])
        unpacker = zstandard.ZstdDecompressor()
        return {name.removeprefix(_PREFIX): unpacker.decompress(part) for name, part in found.items()}
