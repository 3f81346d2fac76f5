"""Entries and submissions as a viewer may see them. Only author and organizer see a submission and its log.

An author who submits a bot gets a message for each step.
"""

from collections.abc import Iterable

import msgspec
from msgspec.structs import asdict

from tournaments.league.people import Role
from tournaments.league.submissions import State, Submission
from tournaments.web.visibility.bot_view import Membership


class SubmissionAdmission(msgspec.Struct, frozen=True):
    """The terms on which an author may submit now.

    Attributes:
        author: the author who asks.
        size_mib: the limit of all files of a bot together, in MiB, before its build and after it.
        refusals: the reasons to refuse any bot of the author now, a sentence each; empty: it depends on the bot.
    """

    author: str
    size_mib: int
    refusals: tuple[str, ...]


class SubmissionStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """One step of a submission.

    Attributes:
        state: the state in which it happened, or the new state.
        text: new text of the log, to append to the previous text. It contains the output of bots, unescaped.
        is_over: whether this is the last step of the submission.
    """

    state: State
    text: str = ""
    is_over: bool = False


class AccountView(msgspec.Struct, frozen=True):
    """The account of a requester, in a league.

    Attributes:
        name: of the person.
        display_name: the display name.
        role: the role in this league.
        owner: to whom the bots belong that the person submits here: the person, or the team.
    """

    name: str
    display_name: str
    role: Role
    owner: str


class EntryView(msgspec.Struct, frozen=True):
    """A bot that is or was in the league.

    Attributes:
        bot: its entry name.
        author: the name of its author; `organizer` for bots of the league file.
        membership: whether it plays.
        remote: whether it runs elsewhere.
    """

    bot: str
    author: str
    membership: Membership
    remote: bool


class LogView(msgspec.Struct, frozen=True):
    """The log of a submission in one state.

    Attributes:
        state: the state.
        text: the log. It contains the output of bots and compilers, unescaped.
        stored_ms: when the submission left the state, in milliseconds since 1970 (UTC).
    """

    state: State
    text: str
    stored_ms: int


class SubmissionView(msgspec.Struct, frozen=True):
    """A submitted bot. Only its author and the organizer see it.

    Attributes:
        number: counted from 1 in the store.
        bot: the name of the entry.
        author: its author.
        state: its state.
        source: the digest of its files.
        size: the size of its files, in bytes.
        received_ms: when it was received, in milliseconds since 1970 (UTC).
        changed_ms: when it reached its state.
        log: its log, for each state that it has left; empty in lists.
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


def submission_seen(submission: Submission, log: Iterable[tuple[State, str, int]] = ()) -> SubmissionView:
    """A submission as its author sees it. `log` has what a `LogView` has."""
    return msgspec.convert(
        {**asdict(submission), "bot": submission.entry, "log": tuple(LogView(*part) for part in log)}, SubmissionView
    )
