"""The people of a store: their accounts, teams and secrets.

Links, tokens and sessions are one kind of secret: 32 random bytes, and the store keeps only their SHA-256. It needs
neither salt nor a slow hash, because nobody guesses 256 bits.
"""

import hashlib
import secrets
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec
import sqlalchemy as sql

from referee.core.errors import WrongUse
from tournaments.league.people import (
    INVITED_MS,
    SESSION_MS,
    Account,
    BadPeople,
    ListedPerson,
    Role,
    SecretKind,
    StoredPerson,
    display_name_faults,
    people_faults,
    plain_display_name,
)
from tournaments.league.submissions import ORGANIZER
from tournaments.store.database import Database
from tournaments.store.rows import value_of
from tournaments.store.submission_tables import PERSON, SECRET, SUBMISSION, TEAM, note, wait_for_turn

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

    def all(self) -> list[StoredPerson]:
        """All of them, by name, also those who were removed."""
        with self._database.reading() as connection:
            return _all(connection)

    def teams(self) -> Mapping[str, Sequence[str]]:
        """The members of each team, by name."""
        with self._database.reading() as connection:
            return _teams(connection)

    def require_owner(self, name: str) -> None:
        """Check that somebody may submit bots as this owner.

        Raises:
            NoSuchPerson: it is neither a person with a valid account nor a team.
        """
        valid = [each.name for each in self.all() if each.removed_ms is None]
        if name not in {*valid, *self.teams()}:
            known = ", ".join(valid) or "none"
            raise NoSuchPerson(f"there is no person or team {name} in the store; persons: {known}")

    # Organizers

    def add(self, listed: Sequence[ListedPerson], now_ms: int, *, dry_run: bool = False) -> dict[str, str]:
        """Add those who are not there yet, and form their teams. Returns a link for each new one, by name.

        After a `dry_run` nobody is added, and the links are empty.

        Raises:
            BadPeople: something in the list is wrong; nobody is added.
        """
        with self._database.writing() as connection:
            wait_for_turn(connection, _LOCK)
            known, teams = {each.name: each for each in _all(connection)}, _teams(connection)
            fixed = _with_bots(connection, teams)
            if faults := list(people_faults(listed, known, teams, fixed)):
                raise BadPeople("\n".join(faults))
            if dry_run:
                return {each.person.name: "" for each in listed if each.person.name not in known}
            links = {}
            for each in listed:
                name, row = each.person.name, msgspec.structs.asdict(each.person)
                if name not in known:
                    connection.execute(sql.insert(PERSON), row | {"added_ms": now_ms})
                    links[name] = _made(connection, name, "link", "", now_ms, now_ms + INVITED_MS)
                    note(connection, "", now_ms, ORGANIZER, "add-person", f"{name} ({each.person.role})")
                if each.team and name not in teams.get(each.team, ()):
                    connection.execute(sql.insert(TEAM), {"person": name, "team": each.team})
                    note(connection, "", now_ms, ORGANIZER, "join-team", f"{name} to {each.team}")
            return links

    def renew(self, name: str, kind: SecretKind, now_ms: int, actor: str = ORGANIZER) -> str:
        """Give a person a new link or token, and end all older secrets of the person. Returns the secret.

        Raises:
            NoSuchPerson: there is none of this name with a valid account.
        """
        with self._database.writing() as connection:
            _require(connection, name)
            _end(connection, name)
            note(connection, "", now_ms, actor, f"new-{kind}", name)
            return _made(connection, name, kind, "", now_ms, now_ms + INVITED_MS if kind == "link" else None)

    def set_role(self, name: str, role: Role, now_ms: int) -> None:
        """Give a person another role. The person must log in again.

        Raises:
            NoSuchPerson: there is none of this name with a valid account.
        """
        self._change(name, {"role": role}, now_ms, "role", f"{name} to {role}")

    def remove(self, name: str, now_ms: int, *, erase: bool) -> None:
        """End the account of a person. The bots stay. `erase` also drops what only staff may know.

        Raises:
            NoSuchPerson: there is none of this name with a valid account.
        """
        private = {"display_name": name, "full_name": "", "reference": "", "mail": ""} if erase else {}
        self._change(name, {"removed_ms": now_ms, **private}, now_ms, "remove-person", name)
        if erase:
            self._database.shrink()  # else the bytes stay in the file

    def _change(self, name: str, values: Mapping[str, object], now_ms: int, what: str, about: str) -> None:
        with self._database.writing() as connection:
            _require(connection, name)
            _end(connection, name)
            connection.execute(sql.update(PERSON).where(PERSON.c.name == name).values(values))
            note(connection, "", now_ms, ORGANIZER, what, about)

    # Secrets

    def account(self, sha256: str, kinds: Iterable[SecretKind], now_ms: int) -> Account | None:
        """The account with a valid secret of these kinds and this SHA-256; None if none has it. This writes nothing."""
        with self._database.reading() as connection:
            return _account(connection, sha256, kinds, now_ms)

    def begin_session(self, sha256: str, now_ms: int) -> str:
        """Begin a session of a person who sends a token. Returns the secret of the session.

        Raises:
            NoSuchSecret: this is not the SHA-256 of a valid token.
        """
        with self._database.writing() as connection:
            account = _account(connection, sha256, ("token",), now_ms)
            if account is None:
                raise NoSuchSecret
            return _session(connection, account, now_ms)

    def activate(self, sha256: str, display_name: str, now_ms: int) -> str:
        """Use a link: take a display name, and begin a session. Returns the secret of the session.

        Raises:
            NoSuchSecret: this is not the SHA-256 of a valid link.
            BadPeople: nobody may have this display name. The link stays valid.
        """
        display_name = plain_display_name(display_name)
        with self._database.writing() as connection:
            wait_for_turn(connection, _LOCK)
            account = _account(connection, sha256, ("link",), now_ms)
            if account is None:
                raise NoSuchSecret
            others = {ORGANIZER, *_teams(connection)}
            for each in _all(connection):
                others |= {each.name, each.display_name} if each.name != account.name else set()
            if faults := list(display_name_faults(display_name, others)):
                raise BadPeople("\n".join(faults))
            connection.execute(sql.delete(SECRET).where(SECRET.c.sha256 == sha256))
            connection.execute(
                sql.update(PERSON).where(PERSON.c.name == account.name).values(display_name=display_name)
            )
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
            _require(connection, name)
            note(connection, "", now_ms, name, "new-token", name)
            return _made(connection, name, "token", label, now_ms, None)

    def end(self, name: str, sha256: str | None = None) -> None:
        """End a secret of a person; without one, all of them."""
        with self._database.writing() as connection:
            _end(connection, name, sha256)


def _all(connection: sql.Connection) -> list[StoredPerson]:
    rows = connection.execute(sql.select(PERSON).order_by(PERSON.c.name))
    return [value_of(StoredPerson, row) for row in rows]


def _teams(connection: sql.Connection) -> Mapping[str, Sequence[str]]:
    teams = defaultdict[str, list[str]](list)
    for row in connection.execute(sql.select(TEAM).order_by(TEAM.c.team, TEAM.c.person)):
        teams[row.team].append(row.person)
    return teams


def _with_bots(connection: sql.Connection, owners: Iterable[str]) -> set[str]:
    """Those of these owners who have submitted something, to any league."""
    query = sql.select(SUBMISSION.c.author).where(SUBMISSION.c.author.in_(list(owners))).distinct()
    return set(connection.scalars(query))


def _require(connection: sql.Connection, name: str) -> None:
    valid = (PERSON.c.name == name) & PERSON.c.removed_ms.is_(None)
    if connection.scalar(sql.select(PERSON.c.name).where(valid)) is None:
        raise NoSuchPerson(f"there is no person {name} with a valid account; see: referee people list")


def _valid(now_ms: int) -> sql.ColumnElement[bool]:
    return SECRET.c.ends_ms.is_(None) | (SECRET.c.ends_ms > now_ms)


def _account(connection: sql.Connection, sha256: str, kinds: Iterable[SecretKind], now_ms: int) -> Account | None:
    shows = (
        (SECRET.c.sha256 == sha256) & SECRET.c.kind.in_(list(kinds)) & _valid(now_ms) & PERSON.c.removed_ms.is_(None)
    )
    columns = PERSON.c.name, PERSON.c.display_name, PERSON.c.role
    row = connection.execute(sql.select(*columns).select_from(SECRET.join(PERSON)).where(shows)).first()
    if row is None:
        return None
    team = connection.scalar(sql.select(TEAM.c.team).where(TEAM.c.person == row.name))
    return value_of(Account, row, team=team)


def _session(connection: sql.Connection, account: Account, now_ms: int) -> str:
    connection.execute(sql.update(PERSON).where(PERSON.c.name == account.name).values(seen_ms=now_ms))
    return _made(connection, account.name, "session", "", now_ms, now_ms + SESSION_MS[account.role])


def _made(connection: sql.Connection, name: str, kind: SecretKind, label: str, now_ms: int, ends_ms: int | None) -> str:
    """Make a secret. Those that have ended go, and the oldest of the kind if the person has too many."""
    same = (SECRET.c.person == name) & (SECRET.c.kind == kind)
    old = sql.select(SECRET.c.sha256).where(same & _valid(now_ms)).order_by(SECRET.c.made_ms.desc(), SECRET.c.sha256)
    newest = connection.scalars(old.limit(_MOST_EACH[kind] - 1)).all()
    connection.execute(sql.delete(SECRET).where(same, SECRET.c.sha256.not_in(newest)))
    secret = secrets.token_hex(32)
    row = {"sha256": sha256_of(secret), "person": name, "kind": kind, "label": label}
    connection.execute(sql.insert(SECRET), row | {"made_ms": now_ms, "ends_ms": ends_ms})
    return secret


def _end(connection: sql.Connection, name: str, sha256: str | None = None) -> None:
    mine = SECRET.c.person == name
    connection.execute(sql.delete(SECRET).where(mine if sha256 is None else mine & (SECRET.c.sha256 == sha256)))
