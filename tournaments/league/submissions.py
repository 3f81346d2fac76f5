"""The submissions to a league so far: their states, and the reasons to refuse new ones.

The work of a state is stored with the next one, so a crash leaves the state before.

Some names are devices: Windows opens the device, whichever folder a file of this name is in. Names of bots and authors
that are there already need not follow the rules for new ones.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Final, Literal, TypeAlias

import msgspec

from referee.core.errors import WrongUse
from referee.core.text import one_line, several
from tournaments.league.service_terms import DAY_MS, SubmissionTerms

State: TypeAlias = Literal[
    "received", "building", "checking", "entered", "rejected", "withdrawn", "disabled", "deleted"
]
"""Where a submission stands. `entered` means on the roster of the league."""

Event: TypeAlias = Literal["build", "check", "enter", "reject", "withdraw", "disable", "recheck", "delete"]
"""What happens to a submission."""

TABLE: Final[Mapping[State, Mapping[Event, State]]] = {
    "received": {"build": "building", "reject": "rejected"},
    "building": {"build": "building", "check": "checking", "reject": "rejected"},
    "checking": {"check": "checking", "enter": "entered", "reject": "rejected"},
    # A bot on the roster stays there while it is checked again. If it fails, the organizer's hand takes it out.
    # When the league is over, nobody leaves it any more, and the files may go all the same.
    "entered": {"withdraw": "withdrawn", "disable": "disabled", "delete": "deleted"},
    "rejected": {"recheck": "building", "delete": "deleted"},
    "withdrawn": {"recheck": "building", "disable": "disabled", "delete": "deleted"},
    "disabled": {"recheck": "building", "delete": "deleted"},
    # The archive is gone. The same files may be submitted again, as a new submission.
    "deleted": {},
}
"""By state, what may happen in it, and the state after that."""

UNDER_WAY: Final = frozenset[State]({"received", "building", "checking"})
"""The states in which something remains to be done. Any process may continue a submission in one of them."""


class NotNow(WrongUse):
    """In the state in which a submission is, this cannot happen to it."""


def after(state: State, event: Event) -> State:
    """The state after an event.

    Raises:
        NotNow: it cannot happen in this state.
    """
    if event not in TABLE[state]:
        possible = ", ".join(TABLE[state]) or "nothing any more"
        raise NotNow(f"this submission is {state}, so there is no {event} now; possible: {possible}")
    return TABLE[state][event]


ORGANIZER = "organizer"
"""The author of bots that somebody submits on the organizer's machine without naming an author. Who may write the store
is the organizer."""

ON_THE_WAY_OR_IN: Final = frozenset[State]({*UNDER_WAY, "entered"})
"""The states of bots that are in the league, or may soon be."""


class SubmissionRefused(WrongUse):
    """An offer is not taken, and nothing of it is kept; the text has a sentence for each reason."""

    def __init__(self, reasons: Sequence[str]) -> None:
        super().__init__("\n".join(map(one_line, reasons)))


class NoSuchEntry(WrongUse):
    """Nothing was submitted under that name."""


class SubmissionOffer(msgspec.Struct, frozen=True):
    """A bot that an author would like to enter.

    Attributes:
        author: the author's name.
        entry: the name of the entry, with its label if it has one.
        bot: the `name@version` that the bot itself gives.
        source: the digest of all files in the archive.
        size: the bytes of these files.
    """

    author: str
    entry: str
    bot: str
    source: str
    size: int

    @property
    def name(self) -> str:
        """The name of the bot, without label and version. It belongs to one author."""
        return self.bot.partition("@")[0]


class Submission(SubmissionOffer, frozen=True):
    """An offer that was taken.

    Attributes:
        number: unique in its store; an author counts on from a random number.
        state: where it stands.
        built: the digest of the bot as it was built and checked, where it was submitted; None before that.
        built_size: the bytes of that.
        received_ms: when it was received, in milliseconds since 1970 (UTC).
        changed_ms: when it got to its state.
        carried: whether it comes from an earlier league, and nobody sent it.
    """

    number: int
    state: State
    built: str | None
    built_size: int
    received_ms: int
    changed_ms: int
    carried: bool = False


class SubmissionRegistry(msgspec.Struct, frozen=True):
    """The submissions to a league so far.

    Attributes:
        submissions: all of them, the oldest first.
        owners: by the name of a bot, the author to whom it belongs.
        taken: the names of all entries that the league ever had.
        roster: the names of those that are on the roster now.
        closed: whether no bot may enter any more, because the league is closed.
    """

    submissions: Sequence[Submission]
    owners: Mapping[str, str]
    taken: Set[str]
    roster: Set[str]
    closed: bool = False

    def of(self, author: str) -> Iterator[Submission]:
        """The submissions of an author."""
        return (each for each in self.submissions if each.author == author)

    def find(self, entry: str) -> Submission:
        """The last submission under the name of an entry.

        Raises:
            NoSuchEntry: there is none.
        """
        for each in reversed(self.submissions):
            if each.entry == entry:
                return each
        known = ", ".join(dict.fromkeys(each.entry for each in self.submissions)) or "none"
        raise NoSuchEntry(f"nothing was submitted to this league as {entry}; submitted: {known}")

    def rejected_since(self, since_ms: int) -> list[Submission]:
        """Of each entry the last submission, if it was rejected then or later, the oldest first."""
        last = {each.entry: each for each in self.submissions}
        return [each for each in last.values() if each.state == "rejected" and each.changed_ms >= since_ms]

    def same(self, offer: SubmissionOffer) -> Submission | None:
        """The submission of the same content, by the same author, under the same name, that was not deleted.

        One that was rejected may be sent again: perhaps it was not the bot that failed.
        It does not look at the submissions of others: nobody learns whether somebody else has the same files.
        """
        found = (
            each
            for each in self.of(offer.author)
            if (each.entry, each.source) == (offer.entry, offer.source) and each.state not in {"rejected", "deleted"}
        )
        return next(found, None)


def refusals(
    offer: SubmissionOffer, registry: SubmissionRegistry, terms: SubmissionTerms, now_ms: int
) -> Iterator[str]:
    """The reasons why an offer is not taken, a sentence each; nothing if it is taken."""
    yield from standing_refusals(offer.author, registry, terms, now_ms)
    yield from _of_names(offer, registry)
    if offer.author != ORGANIZER:
        yield from _of_quotas(offer, registry, terms)


def standing_refusals(author: str, registry: SubmissionRegistry, terms: SubmissionTerms, now_ms: int) -> Iterator[str]:
    """The reasons why nothing at all is taken of an author now, a sentence each. They are known before a bot is."""
    yield from _of_league(registry)
    if author != ORGANIZER:
        yield from refused_now(terms, now_ms)
        yield from _of_a_day(author, registry, terms, now_ms)


def hindrances(offer: SubmissionOffer, registry: SubmissionRegistry) -> Iterator[str]:
    """The reasons why a bot that was checked cannot be entered after all: others were faster."""
    yield from _of_league(registry)
    if is_carried(offer) and any(each.state == "entered" and not each.carried for each in registry.of(offer.author)):
        yield f"{offer.author} has entered a bot of this league"
    yield from _taken(offer, registry)


def superseded(offer: SubmissionOffer, registry: SubmissionRegistry, terms: SubmissionTerms) -> list[Submission]:
    """The entries that are withdrawn when this one is entered: the same bot's that are too old, and carried ones."""
    if is_carried(offer):
        return []
    entered = [each for each in registry.submissions if each.state == "entered"]
    carried = [each for each in entered if each.carried and each.author == offer.author]
    if terms.versions is None:
        return carried
    versions = [each for each in entered if each.name == offer.name and not each.carried]
    versions.sort(key=lambda each: (each.changed_ms, each.number))
    return [*carried, *versions[: max(0, len(versions) + 1 - terms.versions)]]


def is_carried(offer: SubmissionOffer) -> bool:
    """Whether the bot comes from an earlier league. It gives way to the first bot that its owner enters."""
    return isinstance(offer, Submission) and offer.carried


def _of_league(registry: SubmissionRegistry) -> Iterator[str]:
    if registry.closed:
        yield "the league is closed; nobody enters it any more"


def _taken(offer: SubmissionOffer, registry: SubmissionRegistry) -> Iterator[str]:
    if offer.entry in registry.roster:
        yield f"{offer.entry} is in the league already; a changed bot needs a new version or label"
    owner = registry.owners.get(offer.name)
    if owner not in (None, offer.author):
        yield f"the name {offer.name} belongs to another author; choose another one"
    if owner is None:
        others = (name for name, of in registry.owners.items() if of != offer.author)
        yield from name_faults(offer.name, others)


def _of_names(offer: SubmissionOffer, registry: SubmissionRegistry) -> Iterator[str]:
    yield from _taken(offer, registry)
    same_name = [each for each in registry.submissions if each.entry == offer.entry]
    if any(each.state in UNDER_WAY for each in same_name):
        yield f"{offer.entry} is being built or checked already; a changed bot needs a new version or label"
    elif offer.entry in registry.taken - registry.roster and all(each.source != offer.source for each in same_name):
        # Its results stand under this name, and its content is pinned.
        yield f"{offer.entry} was in the league before, with other files; a changed bot needs a new version or label"


def refused_now(terms: SubmissionTerms, now_ms: int) -> Iterator[str]:
    """Why the league takes no submissions at a time, in milliseconds since 1970 (UTC)."""
    if terms.opens_ms is not None and now_ms < terms.opens_ms:
        yield "the league does not take submissions yet (opens in [submissions])"
    if terms.closes_ms is not None and now_ms >= terms.closes_ms + terms.late_ms:
        yield "the league takes no more submissions (closes in [submissions])"


def _of_a_day(author: str, registry: SubmissionRegistry, terms: SubmissionTerms, now_ms: int) -> Iterator[str]:
    if sum(each.received_ms > now_ms - DAY_MS and not each.carried for each in registry.of(author)) >= terms.a_day:
        yield f"{author} has submitted {several(terms.a_day, 'time', 'times')} within a day; try again tomorrow"


def _of_quotas(offer: SubmissionOffer, registry: SubmissionRegistry, terms: SubmissionTerms) -> Iterator[str]:
    own = list(registry.of(offer.author))
    # A newer version takes the place of those that are withdrawn for it.
    leaves = {each.number for each in superseded(offer, registry, terms)}
    counted = (each for each in own if not each.carried and each.number not in leaves)
    if sum(each.state in ON_THE_WAY_OR_IN for each in counted) >= terms.entries:
        yield f"{offer.author} has {several(terms.entries, 'bot', 'bots')} in the league already; withdraw one first"
    stored_bytes = sum(each.size + each.built_size for each in own if each.state != "deleted")
    if stored_bytes + offer.size > terms.author_mib << 20:
        yield f"what is kept of {offer.author} would be more than {terms.author_mib:,} MiB; have an old bot deleted"


_DEVICES = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?")


def device_in(name: str) -> str | None:
    """The device that Windows sees in a name without upper case, whatever follows a dot; None: it sees none."""
    found = _DEVICES.fullmatch(name)
    return None if found is None else found[1]


_LOOKS = str.maketrans("01i_", "oll-")
_PAIRS = {"rn": "m", "vv": "w"}
"""Among the characters that names may have, those that look like others (Unicode Technical Standard 39)."""


def name_faults(name: str, others: Iterable[str]) -> Iterator[str]:
    """The reasons why nobody may take a new name, a sentence each.

    `others` are the names that it must not be taken for.
    """
    if name.startswith("-"):
        yield f"the name {name} begins with -, as options of commands do; choose another one"
    if device_in(name.casefold()) is not None:
        yield f"the name {name} is that of a device on some systems; choose another one"
    alike = next((other for other in others if look_of(other) == look_of(name)), None)
    if alike is not None:
        yield f"the name {name} is too like a name that is taken, {alike}; choose another one"


def look_of(name: str) -> str:
    """A text that is the same for all names that people could take for one another."""
    look = name.casefold().translate(_LOOKS)
    for pair, letter in _PAIRS.items():
        look = look.replace(pair, letter)
    return look
