"""The authors, who may submit bots to a league, and the organizer, who may look at it.

The store keeps only the SHA-256 of a token.
"""

import msgspec
import sqlalchemy as sql

from referee.core.errors import WrongUse
from tournaments.league.submissions import ORGANIZER, name_faults
from tournaments.store.database import Database
from tournaments.store.rows import value_of
from tournaments.store.submission_tables import AUTHOR, note


class AuthorThere(WrongUse):
    """An author of this name was added before."""


class BadAuthorName(WrongUse):
    """The name cannot be that of a new author."""


class NoSuchAuthor(WrongUse):
    """There is no author of this name, or none that may still submit."""


class StoredAuthor(msgspec.Struct, frozen=True):
    """A person who may submit bots, or was allowed to; under the name `organizer`, one who sees everything.

    Attributes:
        name: unique in the league.
        added_ms: since when, in milliseconds since 1970 (UTC).
        revoked_ms: when the token was revoked; None: it is valid.
    """

    name: str
    added_ms: int
    revoked_ms: int | None


class Authors:
    """The authors of one league. Every method raises `StoreError` if the store fails."""

    def __init__(self, database: Database, league: str) -> None:
        self._database = database
        self._league = league

    def all(self) -> list[StoredAuthor]:
        """All of them, by name."""
        with self._database.reading() as connection:
            rows = connection.execute(sql.select(AUTHOR).where(self._mine).order_by(AUTHOR.c.name))
            return [value_of(StoredAuthor, row) for row in rows]

    def add(self, name: str, token_sha256: str, now_ms: int) -> None:
        """Add an author, or give one whose token was revoked a new one.

        Raises:
            AuthorThere: the author has a valid token.
            BadAuthorName: nobody may have this name.
        """
        with self._database.writing() as connection:
            rows = connection.execute(sql.select(AUTHOR.c.name, AUTHOR.c.revoked_ms).where(self._mine))
            revoked = {row.name: row.revoked_ms is not None for row in rows}
            if not revoked.get(name, True):
                raise AuthorThere(f"there is an author {name} already; revoke the token first, or choose another name")
            faults = [] if name in {ORGANIZER, *revoked} else list(name_faults(name, {ORGANIZER, *revoked}))
            if faults:
                raise BadAuthorName("\n".join(faults))
            connection.execute(sql.delete(AUTHOR).where(self._mine, AUTHOR.c.name == name))
            row = {"league": self._league, "name": name, "token_sha256": token_sha256, "added_ms": now_ms}
            connection.execute(sql.insert(AUTHOR), row)
            note(connection, self._league, now_ms, ORGANIZER, "add-author", name)

    def revoke(self, name: str, now_ms: int) -> None:
        """Take an author's token back. The author's bots stay.

        Raises:
            NoSuchAuthor: there is none of this name with a valid token.
        """
        self.require_active(name)
        with self._database.writing() as connection:
            revoked = sql.update(AUTHOR).where(self._mine, AUTHOR.c.name == name).values(revoked_ms=now_ms)
            connection.execute(revoked)
            note(connection, self._league, now_ms, ORGANIZER, "revoke-author", name)

    def require_active(self, name: str) -> None:
        """Check that an author may submit.

        Raises:
            NoSuchAuthor: there is none of this name with a valid token.
        """
        valid = [author.name for author in self.all() if author.revoked_ms is None]
        if name not in valid:
            known = ", ".join(valid) or "none"
            raise NoSuchAuthor(f"there is no author {name} with a valid token; authors: {known}")

    def with_token(self, token_sha256: str) -> str | None:
        """The author whose valid token has this SHA-256; None if there is none."""
        with self._database.reading() as connection:
            valid = (AUTHOR.c.token_sha256 == token_sha256) & AUTHOR.c.revoked_ms.is_(None)
            return connection.scalar(sql.select(AUTHOR.c.name).where(self._mine, valid))

    @property
    def _mine(self) -> sql.ColumnElement[bool]:
        return AUTHOR.c.league == self._league
