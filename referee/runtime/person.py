"""A seat for a person: a host that starts nothing, and a channel that ends in a mailbox."""

from typing import ClassVar, Self

import msgspec

from referee.files.manifest import plain_name
from referee.match.terms import EntryTerms
from referee.runtime.channels.channel import CallStatus, PlayListener
from referee.runtime.external_host import ExternalHost
from referee.runtime.host import HostSettings, StderrListener, ignore_stderr
from referee.runtime.mailbox import Mailbox
from referee.runtime.peer import Peer
from referee.wire.bot_messages import ANY_GAME, description

SIGN = "~"
"""The first character of the names of persons. No name of a bot may have it."""

VERSION = "person"
"""Every entry has a version."""

PLACE = "a person"
"""Stands in transcripts where bots have a folder or an address."""

LONGEST_NAME = 24


def person_name(text: str) -> str:
    """The name that a person plays under: the sign, and the given name after it.

    Raises:
        ValueError: it has other characters than letters, digits, - and _, or none, or too many.
    """
    if len(text) > LONGEST_NAME:
        raise ValueError(f"the name has {len(text)} characters; allowed: 1 to {LONGEST_NAME}")
    return SIGN + plain_name(text)


class Person(msgspec.Struct, frozen=True):
    """A person who plays through a page: a `Bot`.

    Attributes:
        name: with the sign before it.
        mailbox: has the messages to the person, and the answers.
        terms: with the clock of persons.
    """

    name: str
    mailbox: Mailbox
    terms: EntryTerms

    has_manifest: ClassVar[bool] = False
    is_ours_to_end: ClassVar[bool] = False
    asks_for_a_token: ClassVar[bool] = False
    games: ClassVar[tuple[str, ...]] = (ANY_GAME,)
    place: ClassVar[str] = PLACE

    @property
    def entry(self) -> str:
        """The person's name in transcripts: `~name@person`."""
        return f"{self.name}@{VERSION}"

    def narrowed(self, game: str) -> dict[str, object]:  # noqa: ARG002 - a person can play with any
        """Nothing: a person lists no options."""
        return {}

    def plays(self, game: str) -> bool:  # noqa: ARG002 - whatever it is
        """Yes."""
        return True

    def refusal(self, game: str, options: dict[str, object]) -> None:
        """Nothing keeps a person from a table."""

    def on_terms(self, terms: EntryTerms) -> Self:
        """The same person, on other terms."""
        return msgspec.structs.replace(self, terms=terms)

    async def host(self, hosting: HostSettings, stderr_listener: StderrListener = ignore_stderr) -> "PersonHost":  # noqa: ARG002 - nothing is started
        """Holds the person's seat."""
        return PersonHost(self)


class PersonHost(ExternalHost):
    """Holds a seat for a person, who may close the page and open it again: a `Host`."""

    pending_step = "was not there"

    def __init__(self, person: Person) -> None:
        self._person = person

    async def peer(self) -> Peer:
        """The way to the mailbox."""
        return Peer(PLACE, door=lambda: _Channel(self._person))

    async def not_ready(self, why: str) -> str:
        """A mailbox is always ready, so this does not happen."""
        return why


class _Channel:
    """Puts a stream's messages into the mailbox, and gives it the person's answers: a `Channel`."""

    def __init__(self, person: Person) -> None:
        self._person = person
        self._hears: PlayListener | None = None

    async def describe(self, request: bytes, timeout_s: float | None) -> bytes:  # noqa: ARG002 - it is known here
        """Answer for the person."""
        return description(self._person.name, VERSION)

    def open(self, hears: PlayListener) -> None:
        """Let the person speak."""
        self._hears = hears
        self._person.mailbox.connect(hears.heard)

    async def send(self, message: bytes) -> None:
        """Put a message into the mailbox. It has left at once."""
        self._person.mailbox.deliver(message)

    async def finish(self) -> None:
        """End the call: the referee sends no more, and the person has no more to say."""
        self._end(CallStatus("ok"))

    def cancel(self) -> None:
        """Listen to the person no more."""
        self._end(None)

    async def close(self) -> None:
        """End everything."""
        self._end(None)

    def _end(self, status: CallStatus | None) -> None:
        if self._hears is not None:
            hears, self._hears = self._hears, None
            self._person.mailbox.disconnect()
            hears.ended(status)
