"""A bot on its way into a league that is served elsewhere: packed here, sent, and followed to the end."""

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from referee.core.folder_limits import FolderLimits
from tournaments.league.admission.registry import NoSuchEntry, SubmissionRefused
from tournaments.league.admission.states import State
from tournaments.submissions.bundle import bundle
from tournaments.submissions.pack import pack
from tournaments.web.client.http_client import LeagueClient, ServiceUnreachable
from tournaments.web.visibility.entry_view import SubmissionView
from tournaments.web.visibility.submission_steps import SubmissionAdmission, SubmissionStep

MEDIA = "application/gzip"

_TRIES = 10
_REST_S = 3.0
"""How often a stream that breaks is begun again, and after how long. A server that is started again is back by then."""

Wait = Callable[[float], None]


class _Page(msgspec.Struct, frozen=True):
    """A page of submissions, as a service sends it."""

    items: tuple[SubmissionView, ...]
    next: str | None


def submitted(line: LeagueClient, bot: Path, label: str | None) -> SubmissionView:
    """Send a bot.

    Raises:
        FileProblems: the folder cannot be submitted.
        Refused: nothing is taken of the author now; then nothing was sent.
        NotServed, ServiceUnreachable: it was not taken.
    """
    admission = line.get(SubmissionAdmission, "admission")
    if admission.refusals:
        raise SubmissionRefused(admission.refusals)
    with tempfile.TemporaryFile() as archive:
        pack(bot, bundle(bot, FolderLimits(size_mib=admission.size_mib)), archive)
        return line.send(SubmissionView, archive, MEDIA, "submissions", label=label)


def followed(line: LeagueClient, number: int, show: Callable[[str], None], wait: Wait = time.sleep) -> State:
    """Show what happens to a submission, to the end. A stream that breaks is begun again, and nothing is shown twice.

    `show` is given the text, piece by piece: each state on a line of its own, then what happens in it.

    Returns:
        The state at the end.

    Raises:
        NotServed: the service refuses.
        ServiceUnreachable: it cannot be reached for a while.
    """
    shown = 0
    for tried in range(1, _TRIES + 1):
        passed = 0
        try:
            for step, words in _in_words(line.events(SubmissionStep, "submissions", str(number), "events")):
                show(words[max(0, shown - passed) :])
                passed += len(words)
                shown = max(shown, passed)
                if step.is_over:
                    return step.state
        except ServiceUnreachable:
            if tried == _TRIES:
                raise
        wait(_REST_S)
    raise ServiceUnreachable(f"{line.address.text} ended the stream again and again; look later: referee entries")


def mine(line: LeagueClient) -> Iterator[SubmissionView]:
    """What an author has submitted, the latest first, without logs.

    Raises:
        NotServed, ServiceUnreachable: the service does not say.
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
        NotServed, ServiceUnreachable: the service does not say.
    """
    for each in mine(line):
        if each.bot == entry:
            return line.get(SubmissionView, "submissions", str(each.number))
    raise NoSuchEntry(f"you have submitted nothing to this league as {entry}; see: referee entries {line.address.text}")


def withdrawn(line: LeagueClient, entry: str) -> SubmissionView:
    """Take a bot of an author out of the league; its submission then.

    Raises:
        NoSuchEntry: there is none.
        NotServed, ServiceUnreachable: it stays.
    """
    return line.ask(SubmissionView, "submissions", str(submission_of(line, entry).number), "withdrawal")


def _in_words(steps: Iterator[SubmissionStep]) -> Iterator[tuple[SubmissionStep, str]]:
    state: State | None = None
    for step in steps:
        yield step, (f"{step.state}\n" if step.state != state else "") + step.text
        state = step.state
