"""One served league: its queries, and its submissions. All methods block: call them in threads."""

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import BinaryIO

from tournaments.league.model import League
from tournaments.league.people import Person, SecretKind
from tournaments.league.scrimmages import ScrimmageRequest
from tournaments.league.submissions import ORGANIZER, UNDER_WAY, SubmissionRefused, standing_refusals
from tournaments.play.environment import Environment
from tournaments.store import Store
from tournaments.submissions.pipeline import SubmissionPipeline, open_submissions
from tournaments.web.queries import LeagueQueries, PublishedLeague, last_minute
from tournaments.web.scrimmages import ScrimmageRequests
from tournaments.web.service.authentication import Caller
from tournaments.web.service.worker_messages import ServedLeague
from tournaments.web.visibility.entry_view import SubmissionAdmission, SubmissionView, submission_seen
from tournaments.web.visibility.match_view import ScrimmageView
from tournaments.web.visibility.permissions import Assistant, Author, Organizer, Viewer, Visitor

_PACKED_MIB = 4
"""How much longer than its files an archive may be, in MiB, for headers and incompressible content."""


class LeagueService:
    """One league, ready to be served.

    Attributes:
        league: the league, as its file describes it now.
        store: its store, which other leagues may share.
        published_league: its published data.
        submissions: all its submissions.
        now_ms: gives the time, in milliseconds since 1970 (UTC).
    """

    def __init__(
        self,
        league: League,
        store: Store,
        published_league: PublishedLeague,
        pipeline: SubmissionPipeline,
        machine: Environment,
    ) -> None:
        """Serve a league with its store, its published data, and its submission pipeline."""
        self.league = league
        self.submissions = store.submissions
        self.store = store
        self.published_league = published_league
        self._intake = pipeline
        self.now_ms = machine.now_ms

    def is_over(self) -> bool:
        """Whether the league is closed."""
        return self.store.closing().is_whole

    def renew(self, other: "LeagueService") -> None:
        """Serve what another one would serve: the same league of the same store, as its file describes it now."""
        vars(self).update(vars(other))

    def samples(self, before_ms: int) -> Iterator[tuple[str, dict[str, str], float]]:
        """The metrics of the league: name, labels and value. Of matches they tell what the pages tell a visitor.

        Void matches are counted that were stored before a time, in milliseconds since 1970 (UTC).
        """
        showing, submissions = self.to(), self._intake.registry().submissions
        league = showing.league()
        yield "league_phase", {"phase": league.phase}, 1
        yield "matches", {}, league.stored
        yield "voids", {}, sum(void.stored_ms < before_ms for void in self.store.voids())
        if league.progress is not None:
            yield "tables_timestamp_seconds", {}, league.progress.at_ms / 1000
        for kind, count in sorted(showing.faults().items()):
            yield "faults", {"kind": kind}, count
        for state, count in sorted(Counter(each.state for each in submissions).items()):
            yield "submissions", {"state": state}, count
        waiting = [each.received_ms for each in submissions if each.state in UNDER_WAY]
        if waiting:
            yield "oldest_submission_timestamp_seconds", {}, min(waiting) / 1000

    def check_ready(self) -> None:
        """Check that the store answers and its disk has room for bots.

        Raises:
            StoreError, DiskFull: it does not, or has none.
        """
        self.is_over()
        self._intake.check_room()

    def account(self, sha256: str, kind: SecretKind) -> Person | None:
        """The owner of the valid secret of this kind with this SHA-256; None if there is none."""
        return self.store.people.account(sha256, kind, self.now_ms())

    def owners(self, token_sha256: str) -> frozenset[str]:
        """The owners of bots for whom this valid token speaks; empty: the token is invalid."""
        account = self.account(token_sha256, "token")
        return frozenset() if account is None else account.owners

    def caller(self, asker: Caller, account: Person) -> Caller:
        """The requester with an account. An assistant with entries in the league is only an author there."""
        role, team = account.role, account.team if self._intake.terms.teams else None
        if role == "assistant":
            submitted = (each.author for each in self._intake.registry().submissions)
            if not account.owners.isdisjoint({*submitted, *(entry.author for entry in self.league.entries)}):
                role = "author"
        owner = ORGANIZER if role == "organizer" else team or account.name
        return asker._replace(account=account, role=role, owner=owner)

    def to(self, asker: Caller | None = None) -> LeagueQueries:
        """The queries of a requester; None: of a visitor."""
        return self.published_league.to(Visitor() if asker is None else viewer_of(asker))

    @property
    def most_bytes(self) -> int:
        """The limit of an archive, in bytes."""
        return (self._intake.terms.size_mib + _PACKED_MIB) << 20

    def admission(self, author: str) -> SubmissionAdmission:
        """The terms on which an author may submit now."""
        return SubmissionAdmission(author, self._intake.terms.size_mib, tuple(self._refusals(author)))

    def check_acceptable(self, author: str) -> None:
        """Check that an author may submit, before reading the upload.

        Raises:
            SubmissionRefused: the author may not.
        """
        reasons = list(self._refusals(author))
        if reasons:
            raise SubmissionRefused(reasons)

    def receive(self, archive: BinaryIO, asker: Caller, label: str | None) -> SubmissionView:
        """Receive an archive, as `SubmissionPipeline.receive` does."""
        person = asker.account.name if asker.account else None
        return submission_seen(self._intake.receive(archive, asker.owner, label, self.now_ms(), person))

    def withdraw(self, asker: Caller, number: int) -> SubmissionView:
        """Let a bot leave the league because its author wants it.

        Raises:
            NoSuchEntry: the author has none of this number.
            LeavingRefused: the league is over; or its results would no longer count, so the author could choose which
                results count.
            NotNow: its state does not allow this.
        """
        own, who = self._intake.of(asker.owner, number), asker.account.name if asker.account else asker.owner
        left = self._intake.take_out(own, "withdraw", who, "withdrawn by its author", self.now_ms())
        return submission_seen(left, self._intake.log(left))

    def scrimmages_of(self, author: str) -> ScrimmageRequests:
        """The scrimmages of an author."""
        return ScrimmageRequests(self.league, self.store, author)

    def spar(self, author: str, request: ScrimmageRequest) -> ScrimmageView:
        """Request a scrimmage, as `ScrimmageRequests.ask` does.

        Raises:
            NotThere: it is on the deal of a match that not everybody may see.
        """
        if request.match:
            self.to().transcript(request.match)
        return self.scrimmages_of(author).ask(request, self.now_ms())

    def _refusals(self, author: str) -> Iterator[str]:
        yield from self._intake.closed_to(author)
        terms = self._intake.terms_of(author)
        yield from standing_refusals(author, self._intake.registry(), terms, self.now_ms())


def viewer_of(asker: Caller) -> Viewer:
    """The viewer that a requester is in the league of the request."""
    match asker.role, asker.account:
        case "organizer", _:
            return Organizer()
        case "assistant", _:
            return Assistant()
        case "author", Person(name=name, team=team):
            return Author(name, team)
    return Visitor()


@contextmanager
def open_league_service(served: ServedLeague, machine: Environment) -> Iterator[LeagueService]:
    """Open a league for serving, also before its first run and while it is played.

    Raises:
        LeagueChanged: the file differs from the pinned league.
        StoreError, WrongAddress: the store fails.
    """
    league, url = served.league, served.url
    with ExitStack() as stack:
        pipeline = stack.enter_context(open_submissions(league, url, machine))
        store = stack.enter_context(Store(url, league.name))
        published_league = stack.enter_context(PublishedLeague(league, url, lambda: last_minute(machine.now_ms())))
        yield LeagueService(league, store, published_league, pipeline, machine)
