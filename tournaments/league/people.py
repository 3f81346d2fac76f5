"""Persons, their roles and rights, teams, and the list of a class. Pure.

A person has one account for all leagues of a store. Several persons of a team have one set of entries: in a league
with `teams`, the owner of their bots is the team.
"""

import csv
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from referee.core.errors import WrongUse
from tournaments.league.submissions import ORGANIZER, look_of, name_faults

Role: TypeAlias = Literal["spectator", "author", "assistant", "organizer"]
"""The role of a person. Visitors have no account."""

ROLES: Final[tuple[Role, ...]] = ("spectator", "author", "assistant", "organizer")
STAFF: Final = frozenset[Role]({"assistant", "organizer"})

Right: TypeAlias = Literal["look", "account", "submissions", "output", "submit", "links", "people"]
"""What somebody may do: look at what everybody sees; have an account; read submissions with their logs; read what bots
wrote in matches; submit bots, withdraw them and have them play scrimmages; make new links for authors; and for staff.

The first four say of what kind, and not of whom: authors read only what is theirs."""

RIGHTS: Final[Mapping[Role | None, frozenset[Right]]] = {
    None: frozenset({"look"}),
    "spectator": frozenset({"look", "account"}),
    "author": frozenset({"look", "account", "submissions", "output", "submit"}),
    "assistant": frozenset({"look", "account", "submissions", "links"}),
    "organizer": frozenset({"look", "account", "submissions", "output", "links", "people"}),
}
"""The rights of each role; None: of a visitor. The organizer submits bots on the machine itself."""

SecretKind: TypeAlias = Literal["link", "token", "session"]
"""What a secret is for: to join once, to be sent by programs, and to be sent by a browser."""

DAY_MS = 24 * 3600 * 1000
INVITED_MS = 14 * DAY_MS
"""How long a link is valid."""

SESSION_MS: Final[Mapping[Role, int]] = {each: DAY_MS // 2 if each == "organizer" else 30 * DAY_MS for each in ROLES}
"""How long a session lasts."""

LONGEST = 64
"""Characters of a display name, and of the label of a token."""


class BadPeople(WrongUse):
    """A list, a name or a team cannot be taken, and nothing of it is; the text has a sentence for each fault."""


class PersonDetails(msgspec.Struct, frozen=True):
    """A person, as a list of a class has it.

    Attributes:
        name: unique in the store, also among the names of teams. It is the owner of the person's bots.
        display_name: the display name.
        role: the role.
        full_name: for staff only, as the two below; empty if it is not known.
        reference: the student number, for instance.
        mail: the mail address.
    """

    name: str
    display_name: str
    role: Role = "author"
    full_name: str = ""
    reference: str = ""
    mail: str = ""


class StoredPerson(PersonDetails, frozen=True):
    """A person who was added.

    Attributes:
        added_ms: when, in milliseconds since 1970 (UTC).
        seen_ms: when the last session began; None: there was none.
        removed_ms: when the person was removed; None: the account is valid.
    """

    added_ms: int = 0
    seen_ms: int | None = None
    removed_ms: int | None = None


class Account(msgspec.Struct, frozen=True):
    """The account of a valid secret.

    Attributes:
        name: of the person.
        display_name: the display name.
        role: the role in the store.
        team: the person's team; None: there is none.
    """

    name: str
    display_name: str
    role: Role
    team: str | None = None

    @property
    def owners(self) -> frozenset[str]:
        """The owners of bots for whom the person may act."""
        return frozenset(filter(None, (self.name, self.team)))

    def owner(self, *, teams: bool) -> str:
        """The owner of bots that the person submits, where teams submit or persons do."""
        return self.team if teams and self.team is not None else self.name


class ListedPerson(msgspec.Struct, frozen=True):
    """A line of a class list.

    Attributes:
        line: its number, from 1.
        person: the person.
        team: the team; empty: none.
    """

    line: int
    person: PersonDetails
    team: str = ""


_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


def plain_name(text: str) -> str:
    """The text itself, if it can be the name of a person or a team.

    Raises:
        ValueError: it has other characters than letters, digits, - and _, or none, or too many.
    """
    if _NAME.fullmatch(text) is None:
        raise ValueError(f"the name {text[:64]!r} is not allowed; allowed: letters, digits, - and _, at most 64")
    return text


_COLUMNS = ("name", "full_name", "mail", "reference", "team", "role")
_MAIL = re.compile(r"[^@\s,;<>\"]{1,64}@[A-Za-z0-9.-]{1,190}")


def read_class_list(text: str) -> list[ListedPerson]:
    """The persons of a list as CSV: a line of headings, then a line for each person.

    The columns are `name`, `full_name`, `mail`, `reference`, `team` and `role`, in any order. Only `name` or `mail` is
    needed. The separator is `,` or `;` or a tab.

    Raises:
        BadPeople: lines are wrong by themselves.
    """
    first = text.lstrip("\ufeff").partition("\n")[0]
    separator = max(",;\t", key=first.count)
    rows = csv.reader(text.lstrip("\ufeff").splitlines(), delimiter=separator)
    try:
        headings = [each.strip().casefold().replace(" ", "_") for each in next(rows, [])]
        lines = [(rows.line_num, row) for row in rows if any(map(str.strip, row))]
    except csv.Error as error:
        raise BadPeople(f"line {rows.line_num}: is no CSV: {error}") from error
    unknown = [each for each in headings if each not in _COLUMNS]
    if unknown or len(set(headings)) < len(headings) or not {"name", "mail"} & set(headings):
        raise BadPeople(f"line 1: the headings are these, each once: {', '.join(_COLUMNS)}; name or mail must be there")
    faults, found = [], []
    for number, row in lines:
        fields = {key: value.strip() for key, value in zip(headings, row, strict=False)}
        try:
            if len(row) > len(headings):
                raise ValueError(f"it has {len(row)} fields, and there are {len(headings)} headings")
            found.append(ListedPerson(number, _person(fields), fields.get("team", "")))
        except ValueError as error:
            faults.append(f"line {number}: {error}")
    if faults:
        raise BadPeople("\n".join(faults))
    return found


def _person(fields: Mapping[str, str]) -> PersonDetails:
    mail, full_name = fields.get("mail", ""), fields.get("full_name", "")
    if mail and _MAIL.fullmatch(mail) is None:
        raise ValueError(f"{mail[:64]!r} is no mail address")
    name = fields.get("name") or re.sub(r"[^A-Za-z0-9_-]+", "-", mail.partition("@")[0]).strip("-")
    if not name:
        raise ValueError("name or mail must be given")
    if (role := fields.get("role") or "author") not in ROLES:
        raise ValueError(f"{role[:64]!r} is no role; allowed: {', '.join(ROLES)}")
    for text in (full_name, fields.get("reference", "")):
        if len(text) > 4 * LONGEST or not text.isprintable():
            raise ValueError(f"{text[:64]!r} is too long, or cannot be printed")
    if team := fields.get("team"):
        plain_name(team)
    return PersonDetails(plain_name(name), name, role, full_name, fields.get("reference", ""), mail)  # type: ignore[arg-type] # looked up


def people_faults(
    listed: Sequence[ListedPerson],
    known: Mapping[str, PersonDetails],
    teams: Mapping[str, Collection[str]],
    fixed: Collection[str],
) -> Iterator[str]:
    """What is wrong with a list beside the persons who are there, with its line.

    `teams` has the members of teams by name; the `fixed` ones have submitted bots, and take nobody any more.
    """
    twice = Counter(look_of(each.person.name) for each in listed)
    names = {*known, *teams, ORGANIZER}
    team_of = {member: team for team, members in teams.items() for member in members}
    for each in listed:
        name, place = each.person.name, f"line {each.line}: "
        if twice[look_of(name)] > 1:
            yield f"{place}{name} is in the list twice, or is too like another name there"
        elif name not in known:
            yield from (place + fault for fault in name_faults(name, names))
        elif team_of.get(name) not in (None, each.team or team_of.get(name)):
            yield f"{place}{name} is of the team {team_of[name]} already, and nobody may be of two"
        if each.team in fixed and team_of.get(name) != each.team:
            yield f"{place}the team {each.team} has submitted a bot, and takes nobody any more"
        if each.team and each.team not in teams:
            others = names | {other.person.name for other in listed}
            yield from (f"{place}the team: {fault}" for fault in name_faults(each.team, others))


def differences(listed: Sequence[ListedPerson], known: Mapping[str, PersonDetails]) -> Iterator[str]:
    """What a list says otherwise of persons who are there. It changes nothing of them."""
    for each in listed:
        there = known.get(each.person.name)
        for field in ("role", "full_name", "reference", "mail") if there else ():
            old, new = getattr(there, field), getattr(each.person, field)
            if new and old != new:
                yield f"line {each.line}: {each.person.name} has {field} {old!r} here, and {new!r} in the list"


_PUNCTUATION = " .'\u2019-"


def display_name_faults(display_name: str, others: Collection[str]) -> Iterator[str]:
    """Why nobody may take a display name, a sentence each. `others` are those of other persons.

    It begins with a letter or a digit, so no spreadsheet takes it for a formula. All its letters are of one script, so
    that a letter of another one does not pass for the one that it looks like.
    """
    letters = [each for each in display_name if unicodedata.category(each)[0] == "L"]
    scripts = {unicodedata.name(each, "?").partition(" ")[0] for each in letters}
    plain = all(unicodedata.category(each)[0] in "LMN" or each in _PUNCTUATION for each in display_name)
    if (
        not display_name
        or len(display_name) > LONGEST
        or not plain
        or not display_name[0].isalnum()
        or display_name != display_name.strip()
    ):
        yield f"a display name has letters, digits, spaces and {_PUNCTUATION.strip()}, and at most {LONGEST} of them"
    elif len(scripts) > 1:
        yield "a display name has letters of one script only"
    elif display_look(display_name) in {display_look(other) for other in others}:
        yield f"the display name {display_name} is too like one that is taken; choose another one"


def plain_display_name(text: str) -> str:
    """A display name as it is kept: composed, and with single spaces."""
    return unicodedata.normalize("NFC", " ".join(text.split()))


def display_look(display_name: str) -> str:
    """A text that is the same for all display names that people could take for one another."""
    plain = unicodedata.normalize("NFKC", display_name).casefold()
    return look_of("".join(each for each in plain if each not in _PUNCTUATION))
