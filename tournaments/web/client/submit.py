"""Packs a bot, sends it to a served league, and follows the submission to its end."""

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from referee.core.bot_limits import FolderLimits
from tournaments.league.submissions import NoSuchEntry, State, SubmissionRefused
from tournaments.submissions.bundle import bundle, pack
from tournaments.web.client.http_client import LeagueClient, ServiceUnreachable, Wait
from tournaments.web.visibility.entry_view import SubmissionAdmission, SubmissionStep, SubmissionView

MEDIA = "application/gzip"

_TRIES = 10
_REST_S = 3.0
"""How often to connect again after a lost connection, and after how long. A server needs less time to restart."""


class _Page(msgspec.Struct, frozen=True):
    """A page of submissions, as a service sends it."""

    items: tuple[SubmissionView, ...]
    next: str | None


def submitted(line: LeagueClient, bot: Path, label: str | None) -> SubmissionView:
    """Send a bot.

    Raises:
        FileProblems: the folder cannot be submitted.
        SubmissionRefused: the league takes no bot of this author now. Nothing was sent.
        RequestRefused, ServiceUnreachable: the service did not take it.
    """
    admission = line.get(SubmissionAdmission, "admission")
    if admission.refusals:
        raise SubmissionRefused(admission.refusals)
    with tempfile.TemporaryFile() as archive:
        pack(bot, bundle(bot, FolderLimits(size_mib=admission.size_mib)), archive)
        return line.send(SubmissionView, archive, MEDIA, "submissions", label=label)


def followed(line: LeagueClient, number: int, show: Callable[[str], None], wait: Wait = time.sleep) -> State:
    """Show the progress of a submission, to the end. After a lost connection it connects again and repeats nothing.

    `show` receives the text, piece by piece: each state on a line of its own, then its log.

    Returns:
        The state at the end.

    Raises:
        RequestRefused: the service refuses.
        ServiceUnreachable: the client could not reach it for a while.
    """
    shown_length = 0
    for tried in range(1, _TRIES + 1):
        passed = 0
        try:
            for step, words in _in_words(line.events(SubmissionStep, "submissions", str(number), "events")):
                show(words[max(0, shown_length - passed) :])
                passed += len(words)
                shown_length = max(shown_length, passed)
                if step.is_over:
                    return step.state
        except ServiceUnreachable:
            if tried == _TRIES:
                raise
        wait(_REST_S)
    raise ServiceUnreachable(f"{line.address.text} ended the stream again and again; look later: referee entries")


def mine(line: LeagueClient) -> Iterator[SubmissionView]:
    """The submissions of an author, the latest first, without logs.

    Raises:
        RequestRefused, ServiceUnreachable: the service does not answer.
    """
    after: str | None = None
    while True:
        page = line.get(_Page, "submissions", after=after)
        yield from page.items
        if page.next is None:
            return
        after = page.next


def submission_of(line: LeagueClient, entry: str) -> SubmissionView:
    """The last submission of an author under the name of an entry, with its log.

    Raises:
        NoSuchEntry: there is none.
        RequestRefused, ServiceUnreachable: the service does not answer.
    """
    for each in mine(line):
        if each.bot == entry:
            return line.get(SubmissionView, "submissions", str(each.number))
    raise NoSuchEntry(f"you have submitted nothing to this league as {entry}; see: referee entries {line.address.text}")


def withdrawn(line: LeagueClient, entry: str) -> SubmissionView:
    """Take a bot of an author out of the league. Returns its submission.

    Raises:
        NoSuchEntry: there is none.
        RequestRefused, ServiceUnreachable: the bot stays.
    """
    return line.ask(SubmissionView, "submissions", str(submission_of(line, entry).number), "withdrawal")


def _in_words(steps: Iterator[SubmissionStep]) -> Iterator[tuple[SubmissionStep, str]]:
    state: State | None = None
    for step in steps:
        yield step, (f"{step.state}\n" if step.state != state else "") + step.text
        state = step.state
