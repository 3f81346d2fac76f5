"""Persons, their roles and rights, and which names they may take. Pure.

A person has one account for all leagues of a store. Several persons of a team have one set of entries: in a league
with `teams`, the owner of their bots is the team.
"""

import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Final, Literal, TypeAlias

import msgspec

from referee.core.errors import WrongUse
from tournaments.league.service_terms import DAY_MS
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

INVITED_MS = 14 * DAY_MS
"""How long a link is valid."""

SESSION_MS: Final[Mapping[Role, int]] = {each: DAY_MS // 2 if each == "organizer" else 30 * DAY_MS for each in ROLES}
"""How long a session lasts."""

LONGEST = 64
"""Characters of a display name, and of the label of a token."""


class BadPeople(WrongUse):
    """A list, a name or a team cannot be taken, and nothing of it is; the text has a sentence for each fault."""


class Person(msgspec.Struct, frozen=True):
    """A person with an account, as far as it is known.

    Attributes:
        name: unique in the store, also among the names of teams. It is the owner of the person's bots.
        display_name: the name that others see.
        role: the role in the store.
        team: the person's team; None: there is none.
        full_name: for staff only, as the two below; empty if it is not known.
        reference: the student number, for instance.
        mail: the mail address.
        added_ms: when the person was added, in milliseconds since 1970 (UTC).
        seen_ms: when the last session began; None: there was none.
        removed_ms: when the person was removed; None: the account is valid.
    """

    name: str
    display_name: str
    role: Role = "author"
    team: str | None = None
    full_name: str = ""
    reference: str = ""
    mail: str = ""
    added_ms: int = 0
    seen_ms: int | None = None
    removed_ms: int | None = None

    @property
    def owners(self) -> frozenset[str]:
        """The owners of bots for whom the person may act."""
        return frozenset(filter(None, (self.name, self.team)))


def people_faults(
    listed: Mapping[int, Person], known: Mapping[str, Person], fixed: Collection[str | None]
) -> Iterator[str]:
    """What is wrong with a list, by its lines, beside the persons who are there.

    The `fixed` teams have submitted bots, and take nobody any more.
    """
    twice = Counter(look_of(each.name) for each in listed.values())
    teams = {each.team for each in known.values() if each.team}
    names = {ORGANIZER, *known, *teams, *(each.display_name for each in known.values())}
    for line, each in listed.items():
        name, place, there = each.name, f"line {line}: ", known.get(each.name)
        if twice[look_of(name)] > 1:
            yield f"{place}{name} is in the list twice, or is too like another name there"
        elif there is None:
            yield from (place + fault for fault in name_faults(name, names))
        elif there.team and each.team and there.team != each.team:
            yield f"{place}{name} is of the team {there.team} already, and nobody may be of two"
        if each.team in fixed and (there is None or there.team != each.team):
            yield f"{place}the team {each.team} has submitted a bot, and takes nobody any more"
        if each.team and each.team not in teams:
            others = names | {other.name for other in listed.values()}
            yield from (f"{place}the team: {fault}" for fault in name_faults(each.team, others))


def differences(listed: Mapping[int, Person], known: Mapping[str, Person]) -> Iterator[str]:
    """What a list says otherwise of persons who are there. It changes nothing of them."""
    for line, each in listed.items():
        there = known.get(each.name, each)
        if there.removed_ms:
            yield f"line {line}: {each.name} was removed, and nobody gets this name again"
        for field in ("role", "full_name", "reference", "mail"):
            old, new = getattr(there, field), getattr(each, field)
            if new and old != new:
                yield f"line {line}: {each.name} has {field} {old!r} here, and {new!r} in the list"


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
