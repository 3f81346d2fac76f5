"""The people of a store: their accounts and secrets.

Links, tokens and sessions are one kind of secret: 32 random bytes, and the store keeps only their SHA-256. It needs
neither salt nor a slow hash, because nobody guesses 256 bits.
"""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
import sqlalchemy as sql

from referee.core.errors import WrongUse
from tournaments.league.people import (
    INVITED_MS,
    SESSION_MS,
    BadPeople,
    Person,
    Role,
    SecretKind,
    display_name_faults,
    people_faults,
    plain_display_name,
)
from tournaments.league.submissions import ORGANIZER
from tournaments.store.database import Database
from tournaments.store.rows import value_of
from tournaments.store.submission_tables import PERSON, SECRET, SUBMISSION, note, wait_for_turn

_LOCK = 7234298817

_MOST_EACH = {"link": 1, "token": 16, "session": 8}
"""How many secrets of a kind a person may have. The oldest end first."""


class NoSuchPerson(WrongUse):
    """There is no person of this name, or none with a valid account."""


class NoSuchSecret(WrongUse):
    """The secret was used before, has ended, or never was one. Nobody learns which."""

    def __str__(self) -> str:
        return "this link is not valid any more; ask the organizer for a new one"


class StoredSecret(NamedTuple):
    """A secret of a person, without the secret itself.

    Attributes:
        sha256: its SHA-256, in hex.
        kind: its kind.
        label: the person's word for it.
        made_ms: when it was made, in milliseconds since 1970 (UTC).
        ends_ms: when it ends; None: when somebody ends it.
    """

    sha256: str
    kind: SecretKind
    label: str
    made_ms: int
    ends_ms: int | None


def sha256_of(secret: str) -> str:
    """The SHA-256 of a secret, in hex."""
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


class People:
    """The people of a store. Every method raises `StoreError` if the store fails."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> dict[str, Person]:
        """All of them, by name, also those who were removed."""
        with self._database.reading() as connection:
            return _all(connection)

    def display_names(self) -> dict[str, str]:
        """The display name of each, by name."""
        with self._database.reading() as connection:
            rows = connection.execute(sql.select(PERSON.c.name, PERSON.c.display_name))
            return {row.name: row.display_name for row in rows}

    # Organizers

    def add(
        self, listed: Mapping[int, Person], now_ms: int, faults: Sequence[str] = (), *, dry_run: bool = False
    ) -> dict[str, str]:
        """Add those who are not there yet, and form their teams. Returns a link for each new one, by name.

        `listed` has them by their line in a list, and `faults` what is wrong with other lines. After a `dry_run` nobody
        is added, and the links are empty.

        Raises:
            BadPeople: something in the list is wrong; nobody is added.
        """
        with self._database.writing() as connection:
            wait_for_turn(connection, _LOCK)
            known, links = _all(connection), dict[str, str]()
            fixed = set(connection.scalars(sql.select(SUBMISSION.c.author).distinct()))
            if faults := [*faults, *people_faults(listed, known, fixed)]:
                raise BadPeople("\n".join(faults))
            if dry_run:
                return {each.name: "" for each in listed.values() if each.name not in known}
            for each in listed.values():
                if each.name not in known:
                    connection.execute(sql.insert(PERSON), msgspec.structs.asdict(each) | {"added_ms": now_ms})
                    links[each.name] = _made(connection, each, "link", now_ms)
                    note(connection, "", now_ms, ORGANIZER, "add-person", f"{each.name} ({each.role})")
                elif each.team and known[each.name].team is None:
                    connection.execute(_change(each.name, team=each.team))
                    note(connection, "", now_ms, ORGANIZER, "join-team", f"{each.name} to {each.team}")
            return links

    def renew(self, name: str, kind: SecretKind, now_ms: int, actor: str = ORGANIZER) -> str:
        """Give a person a new link or token, and end all older secrets of the person. Returns the secret.

        Raises:
            NoSuchPerson: there is none of this name with a valid account.
        """
        with self._database.writing() as connection:
            person = _require(connection, name)
            _end(connection, name)
            note(connection, "", now_ms, actor, f"new-{kind}", name)
            return _made(connection, person, kind, now_ms)

    def set_role(self, name: str, role: Role, now_ms: int) -> None:
        """Give a person another role. The person must log in again.

        Raises:
            NoSuchPerson: there is none of this name with a valid account.
        """
        self._set(name, {"role": role}, now_ms, "role", f"{name} to {role}")

    def remove(self, name: str, now_ms: int, *, erase: bool) -> None:
        """End the account of a person; this takes no bots out. `erase` also drops what only staff may know.

        Raises:
            NoSuchPerson: there is none of this name with a valid account.
        """
        private = {"display_name": name, "full_name": "", "reference": "", "mail": ""} if erase else {}
        self._set(name, {"removed_ms": now_ms, **private}, now_ms, "remove-person", name)
        if erase:
            self._database.shrink()  # else the bytes stay in the file

    def _set(self, name: str, values: Mapping[str, object], now_ms: int, what: str, about: str) -> None:
        with self._database.writing() as connection:
            _require(connection, name)
            _end(connection, name)
            connection.execute(_change(name, **values))
            note(connection, "", now_ms, ORGANIZER, what, about)

    # Secrets

    def account(self, sha256: str, kind: SecretKind, now_ms: int) -> Person | None:
        """The person with a valid secret of this kind and this SHA-256; None if nobody has it. This writes nothing."""
        with self._database.reading() as connection:
            return _account(connection, sha256, kind, now_ms)

    def begin_session(self, sha256: str, now_ms: int) -> str:
        """Begin a session of a person who sends a token. Returns the secret of the session.

        Raises:
            NoSuchSecret: this is not the SHA-256 of a valid token.
        """
        with self._database.writing() as connection:
            return _session(connection, _required(_account(connection, sha256, "token", now_ms)), now_ms)

    def activate(self, sha256: str, display_name: str, now_ms: int) -> str:
        """Use a link: take a display name, and begin a session. Returns the secret of the session.

        Raises:
            NoSuchSecret: this is not the SHA-256 of a valid link.
            BadPeople: nobody may have this display name. The link stays valid.
        """
        display_name = plain_display_name(display_name)
        with self._database.writing() as connection:
            wait_for_turn(connection, _LOCK)
            account = _required(_account(connection, sha256, "link", now_ms))
            everybody = _all(connection).values()
            taken = {ORGANIZER, *(each.team for each in everybody if each.team)}
            taken |= {name for each in everybody if each != account for name in (each.name, each.display_name)}
            if faults := list(display_name_faults(display_name, taken)):
                raise BadPeople("\n".join(faults))
            connection.execute(sql.delete(SECRET).where(SECRET.c.sha256 == sha256))
            connection.execute(_change(account.name, display_name=display_name))
            note(connection, "", now_ms, account.name, "join", account.name)
            return _session(connection, account, now_ms)

    def secrets_of(self, name: str, now_ms: int) -> list[StoredSecret]:
        """The valid tokens and sessions of a person, the oldest first."""
        with self._database.reading() as connection:
            mine = (SECRET.c.person == name) & (SECRET.c.kind != "link") & _valid(now_ms)
            query = sql.select(SECRET).where(mine).order_by(SECRET.c.made_ms, SECRET.c.sha256)
            rows = connection.execute(query)
            return [StoredSecret(row.sha256, row.kind, row.label, row.made_ms, row.ends_ms) for row in rows]

    def new_token(self, name: str, label: str, now_ms: int) -> str:
        """Make another token of a person. Returns it."""
        with self._database.writing() as connection:
            note(connection, "", now_ms, name, "new-token", name)
            return _made(connection, _require(connection, name), "token", now_ms, label)

    def end(self, name: str, sha256: str | None = None) -> None:
        """End a secret of a person; without one, all of them."""
        with self._database.writing() as connection:
            _end(connection, name, sha256)


def _all(connection: sql.Connection) -> dict[str, Person]:
    rows = connection.execute(sql.select(PERSON).order_by(PERSON.c.name))
    return {row.name: value_of(Person, row) for row in rows}


def _change(name: str, **values: object) -> sql.Update:
    return sql.update(PERSON).where(PERSON.c.name == name).values(values)


def _require(connection: sql.Connection, name: str) -> Person:
    row = connection.execute(sql.select(PERSON).where(PERSON.c.name == name, PERSON.c.removed_ms.is_(None))).first()
    if row is None:
        raise NoSuchPerson(f"there is no person {name} with a valid account; see: referee people list")
    return value_of(Person, row)


def _valid(now_ms: int) -> sql.ColumnElement[bool]:
    return SECRET.c.ends_ms.is_(None) | (SECRET.c.ends_ms > now_ms)


def _account(connection: sql.Connection, sha256: str, kind: SecretKind, now_ms: int) -> Person | None:
    shows = (SECRET.c.sha256 == sha256) & (SECRET.c.kind == kind) & _valid(now_ms) & PERSON.c.removed_ms.is_(None)
    row = connection.execute(sql.select(PERSON).join(SECRET).where(shows)).first()
    return None if row is None else value_of(Person, row)


def _required(found: Person | None) -> Person:
    if found is None:
        raise NoSuchSecret
    return found


def _session(connection: sql.Connection, account: Person, now_ms: int) -> str:
    connection.execute(_change(account.name, seen_ms=now_ms))
    return _made(connection, account, "session", now_ms)


def _made(connection: sql.Connection, person: Person, kind: SecretKind, now_ms: int, label: str = "") -> str:
    """Make a secret. Those that have ended go, and the oldest of the kind if the person has too many."""
    same = (SECRET.c.person == person.name) & (SECRET.c.kind == kind)
    ends_ms = {"link": now_ms + INVITED_MS, "session": now_ms + SESSION_MS[person.role]}.get(kind)
    old = sql.select(SECRET.c.sha256).where(same & _valid(now_ms)).order_by(SECRET.c.made_ms.desc(), SECRET.c.sha256)
    newest = connection.scalars(old.limit(_MOST_EACH[kind] - 1)).all()
    connection.execute(sql.delete(SECRET).where(same, SECRET.c.sha256.not_in(newest)))
    secret = secrets.token_hex(32)
    row = {"sha256": sha256_of(secret), "person": person.name, "kind": kind, "label": label}
    connection.execute(sql.insert(SECRET), row | {"made_ms": now_ms, "ends_ms": ends_ms})
    return secret


def _end(connection: sql.Connection, name: str, sha256: str | None = None) -> None:
    mine = SECRET.c.person == name
    connection.execute(sql.delete(SECRET).where(mine if sha256 is None else mine & (SECRET.c.sha256 == sha256)))
