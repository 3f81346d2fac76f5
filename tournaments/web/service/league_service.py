"""A league as it is served: what may be seen of it, and where bots come in. All of it blocks: call it in threads."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO

import msgspec

from tournaments.league.admission.registry import ORGANIZER, SubmissionRefused, standing_refusals
from tournaments.league.admission.scrimmages import ScrimmageRequest
from tournaments.league.model import League
from tournaments.play.environment import Environment
from tournaments.results.stored_league import game_of
from tournaments.store import Store, Submissions
from tournaments.submissions.pipeline import SubmissionPipeline, open_submissions
from tournaments.web.queries import LeagueQueries, PublishedLeague
from tournaments.web.scrimmages.requests import ScrimmageRequests
from tournaments.web.visibility.entry_view import SubmissionView, submission_seen
from tournaments.web.visibility.scrimmage_view import ScrimmageView
from tournaments.web.visibility.submission_steps import SubmissionAdmission
from tournaments.web.visibility.viewer import Author, Organizer, Viewer, Visitor

_PACKED_MIB = 4
"""How much longer than its files an archive may be: headers, and what cannot be compressed."""


class ServedLeague(msgspec.Struct, frozen=True):
    """A league to be served.

    Attributes:
        file: its file.
        league: what the file says.
        url: the address of its store. There may be a password in it.
    """

    file: Path
    league: League
    url: str


class LeagueService:
    """One league, open to be served."""

    def __init__(
        self, league: League, store: Store, shown: PublishedLeague, pipeline: SubmissionPipeline, machine: Environment
    ) -> None:
        """Serve a league with its store, what is shown of it, and its intake."""
        self.league = league
        self._store = store
        self._shown = shown
        self._intake = pipeline
        self._machine = machine

    def author(self, token_sha256: str) -> str | None:
        """Whose valid token this is; None: nobody's."""
        return self._store.authors.with_token(token_sha256)

    def to(self, author: str | None) -> LeagueQueries:
        """What an author may see, or the organizer, or a visitor."""
        return self._shown.to(_viewer(author))

    @property
    def submissions(self) -> Submissions:
        """What was submitted."""
        return self._store.submissions

    @property
    def shown(self) -> PublishedLeague:
        """What may be shown."""
        return self._shown

    @property
    def most_bytes(self) -> int:
        """The longest archive that may be a bot's."""
        return (self._intake.terms.size_mib + _PACKED_MIB) << 20

    def admission(self, author: str) -> SubmissionAdmission:
        """What an author may submit now."""
        return SubmissionAdmission(author, self._intake.terms.size_mib, tuple(self._refusals(author)))

    def check_acceptable(self, author: str) -> None:
        """Check that something may be taken of an author, before any of it is read.

        Raises:
            Refused: nothing may.
        """
        reasons = list(self._refusals(author))
        if reasons:
            raise SubmissionRefused(reasons)

    def receive(self, archive: BinaryIO, author: str, label: str | None) -> SubmissionView:
        """Take an archive, as `SubmissionPipeline.receive` does."""
        return submission_seen(self._intake.receive(archive, author, label, self._machine.now_ms()))

    def withdraw(self, author: str, number: int) -> SubmissionView:
        """Let a bot leave the league, as `SubmissionPipeline.withdraw_own` does."""
        return submission_seen(self._intake.withdraw_own(self._intake.of(author, number), self._machine.now_ms()))

    def corner(self, author: str) -> ScrimmageRequests:
        """The scrimmages of an author."""
        return ScrimmageRequests(self.league, self._store, author)

    def spar(self, author: str, wanted: ScrimmageRequest) -> ScrimmageView:
        """Ask for a scrimmage, as `ScrimmageRequests.ask` does."""
        return self.corner(author).ask(wanted, self._machine.now_ms())

    def _refusals(self, author: str) -> Iterator[str]:
        yield from self._intake.closed_to(author)
        yield from standing_refusals(author, self._intake.registry(), self._intake.terms, self._machine.now_ms())


def _viewer(author: str | None) -> Viewer:
    if author is None:
        return Visitor()
    return Organizer() if author == ORGANIZER else Author(author)


@contextmanager
def open_league_service(served: ServedLeague, machine: Environment) -> Iterator[LeagueService]:
    """Open a league to be served, also before its first run and while it is played.

    Raises:
        LeagueChanged: the file says something else than what was pinned.
        StoreError, WrongAddress: the store fails.
    """
    league, url = served.league, served.url
    with ExitStack() as stack:
        pipeline = stack.enter_context(open_submissions(league, game_of(league), url, machine))
        store = stack.enter_context(Store(url, league.name))
        shown = stack.enter_context(PublishedLeague(league, url))
        yield LeagueService(league, store, shown, pipeline, machine)
