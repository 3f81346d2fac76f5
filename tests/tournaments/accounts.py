"""Persons with secrets that the tests know."""

from hashlib import sha256

import sqlalchemy as sql

from tournaments.league.people import Person, Role, SecretKind
from tournaments.store import Store
from tournaments.store.submission_tables import SECRET


def token_of(name: str) -> str:
    """The token of a person of the tests, which is nobody's secret."""
    return sha256(name.encode()).hexdigest()


def let_in(store: Store, name: str, role: Role = "author", team: str = "", secret: str | None = None) -> None:
    """Add a person with the token `token_of(name)`. That of `organizer` is a teacher's."""
    person = Person(name, name, role, team or None)
    if name == "organizer":
        person = Person("teacher", "teacher", "organizer")
    store.people.add({1: person}, 1)
    give(store, person.name, secret or token_of(name))


def give(store: Store, name: str, secret: str, kind: SecretKind = "token", ends_ms: int | None = None) -> None:
    """Give a person a secret."""
    row = {"sha256": sha256(secret.encode()).hexdigest(), "person": name, "kind": kind, "label": ""}
    with store._database.writing() as connection:
        connection.execute(sql.delete(SECRET).where(SECRET.c.sha256 == row["sha256"]))
        connection.execute(sql.insert(SECRET), row | {"made_ms": 1, "ends_ms": ends_ms})
