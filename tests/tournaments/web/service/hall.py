"""A league that is served on loopback, in a thread, with a build environment that only records its calls."""

import http.client
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

import msgspec
import uvloop

from referee.http_server.client_clock import ClientTimeouts
from tests.tournaments.accounts import let_in, token_of
from tests.tournaments.leagues import game, league
from tests.tournaments.workshops import FakeWorkshop
from tournaments.league.model import League
from tournaments.league.service_terms import SubmissionTerms
from tournaments.play.cores import CoreLease
from tournaments.store import Store, lock_path, trees_folder
from tournaments.submissions.bot_folders import BotFolders
from tournaments.submissions.pipeline import SubmissionPipeline
from tournaments.submissions.tree_cache import TreeCache
from tournaments.web.client.address import address
from tournaments.web.client.http_client import LeagueClient
from tournaments.web.client.submit import mine
from tournaments.web.queries import PublishedLeague
from tournaments.web.scrimmages import ScrimmageEnvironment
from tournaments.web.service.app import Service, ServiceLimits
from tournaments.web.service.league_service import LeagueService
from tournaments.web.service.server import Certificate, ServerAddress, opened, server, url_of
from tournaments.web.service.submission_worker import SubmissionWorker
from tournaments.web.service.worker_messages import ServedLeague, WorkBoard

OPEN = league((), seats=(2,), sandbox="bubblewrap", submissions=SubmissionTerms(free_mib=0))


class Answer(NamedTuple):
    """The answer of a service."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return msgspec.json.decode(self.body)

    @property
    def detail(self) -> str:
        """The text of a refusal."""
        assert self.headers["content-type"] == "application/problem+json"
        return str(self.json["detail"])


class Hall:
    """A service under test.

    Attributes:
        url: the address of its league.
        build_environment: what it builds and checks with.
        told: the messages to the organizer.
    """

    def __init__(
        self, url: str, port: int, build_environment: FakeWorkshop, build_worker: SubmissionWorker, store: Store
    ) -> None:
        self.url = url
        self.build_environment = build_environment
        self.store = store
        self.told: list[str] = []
        self.port = port
        self._bench = build_worker

    def work(self) -> bool:
        """Let the submission worker do one piece of work, if there is any."""
        return self._bench.work()

    def line(self, author: str | None = None) -> LeagueClient:
        """The client of an author, or of a visitor."""
        return LeagueClient(address(self.url), None if author is None else token_of(author))

    def number(self, author: str = "eva") -> int:
        """The number of the author's latest submission."""
        return next(mine(self.line(author))).number

    def ask(
        self,
        path: str,
        author: str | None = None,
        method: str = "GET",
        body: bytes | None = None,
        **headers: str,
    ) -> Answer:
        """Ask for something below the league's address."""
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if author is not None:
            given["authorization"] = f"Bearer {token_of(author)}"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, given)
            found = connection.getresponse()
            return Answer(found.status, {name.lower(): value for name, value in found.getheaders()}, found.read())
        finally:
            connection.close()

    def send(self, archive: bytes, author: str | None = "eva", path: str = "submissions", **headers: str) -> Answer:
        """Submit an archive."""
        given = {"content_type": "application/gzip", **headers}
        return self.ask(f"/leagues/autumn/api/{path}", author, "POST", archive, **given)


@contextmanager
def hall(
    url: str,
    planned: League = OPEN,
    authors: tuple[str, ...] = ("eva", "max"),
    build_environment: FakeWorkshop | None = None,
    limits: ServiceLimits = ServiceLimits(),  # noqa: B008 - a value
    certificate: Certificate | None = None,
    patience: ClientTimeouts = ClientTimeouts(header_s=5),  # noqa: B008 - a value
    *,
    proxies: str = "",
) -> Iterator[Hall]:
    """Serve a league whose store is at `url`."""
    build_environment = build_environment or FakeWorkshop()
    machine = _Machine()
    with ExitStack() as stack:
        store = stack.enter_context(Store(url, planned.name))
        if store.pinned() is None:
            store.open_league(planned, {}, bytes(32), now_ms=1)
        for author in authors:
            let_in(store, author)
        cache = stack.enter_context(TreeCache(trees_folder(url), store.trees))
        bot_folders = BotFolders(store, cache)
        pipeline = SubmissionPipeline(planned, store, bot_folders, build_environment, lambda _: game())
        ring = ScrimmageEnvironment(planned, store, bot_folders, machine)
        shown = stack.enter_context(PublishedLeague(planned, url))
        told: list[str] = []
        board = WorkBoard(lambda: (ServedLeague("autumn.toml", planned, url),), told.append)
        turn = stack.enter_context(CoreLease(lock_path(url, planned.name)))
        build_worker = SubmissionWorker(
            planned.name, pipeline, lambda news: board.line(msgspec.json.encode(news)), machine.now_ms, {}, turn, ring
        )
        league_service = LeagueService(planned, store, shown, pipeline, machine)
        place = ServerAddress(port=0, certificate=certificate, proxies=proxies)
        listening = stack.enter_context(opened(place))
        stack.enter_context(_running({planned.name: league_service}, board, limits, listening, place, patience))
        here = Hall(
            f"{url_of(listening, place)}/leagues/{planned.name}",
            listening.getsockname()[1],
            build_environment,
            build_worker,
            store,
        )
        here.told = told
        yield here


@contextmanager
def _running(
    league_services: Mapping[str, LeagueService],
    board: WorkBoard,
    limits: ServiceLimits,
    listening: Any,
    place: ServerAddress,
    patience: ClientTimeouts,
) -> Iterator[None]:
    made: list[Any] = []

    async def main() -> None:
        service = Service(league_services, board, lambda: None, limits)
        made.append(server(service.app, listening, place, patience))
        await made[0].serve()

    thread = threading.Thread(target=lambda: uvloop.run(main()))
    thread.start()
    try:
        while not made or not made[0].started:
            assert thread.is_alive()
            time.sleep(0.01)
        yield
    finally:
        made[0].should_exit = True
        thread.join()


class _Machine:
    """A machine of which only the clock is asked for."""

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(name)
