"""Entries and submissions as a viewer may see them. Only authors and organizer see what was submitted, and its log."""

import msgspec

from tournaments.league.admission.registry import Submission
from tournaments.league.admission.states import State
from tournaments.web.visibility.bot_view import Membership


class EntryView(msgspec.Struct, frozen=True):
    """A bot that is in the league, or was in it.

    Attributes:
        bot: its entry name.
        author: whose it is; `organizer` for those of the league file.
        membership: whether it plays.
        remote: whether it runs elsewhere.
    """

    bot: str
    author: str
    membership: Membership
    remote: bool


class LogView(msgspec.Struct, frozen=True):
    """What happened to a submission in a state.

    Attributes:
        state: the state.
        text: what happened. Words of bots and compilers are in it as they came.
        stored_ms: when the submission left the state, in milliseconds since 1970 (UTC).
    """

    state: State
    text: str
    stored_ms: int


class SubmissionView(msgspec.Struct, frozen=True):
    """A bot that was submitted. Its author and the organizer see it, and nobody else.

    Attributes:
        number: counted from 1 in the store.
        bot: the name of the entry.
        author: who submitted it.
        state: where it stands.
        source: the digest of its files.
        size: the bytes of these.
        received_ms: when it was received, in milliseconds since 1970 (UTC).
        changed_ms: when it got to its state.
        log: what happened in each state that it has left; empty in lists.
    """

    number: int
    bot: str
    author: str
    state: State
    source: str
    size: int
    received_ms: int
    changed_ms: int
    log: tuple[LogView, ...]


def submission_seen(found: Submission, log: tuple[LogView, ...] = ()) -> SubmissionView:
    """A submission as its author sees it."""
    return SubmissionView(
        number=found.number,
        bot=found.entry,
        author=found.author,
        state=found.state,
        source=found.source,
        size=found.size,
        received_ms=found.received_ms,
        changed_ms=found.changed_ms,
        log=log,
    )
