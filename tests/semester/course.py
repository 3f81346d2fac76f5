"""A course in virtual time: its leagues are served in this process, and its pages are asked for over ASGI."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple, cast
from urllib.parse import urlencode

import msgspec
from starlette.types import ASGIApp, Message

from tests.tournaments.workshops import FakeWorkshop
from tournaments.league.model import League
from tournaments.league.service_terms import DAY_MS
from tournaments.play.environment import Environment
from tournaments.web.service.app import Service, ServiceLimits
from tournaments.web.service.league_service import LeagueService, open_league_service
from tournaments.web.service.token_bucket import Rate
from tournaments.web.service.worker_messages import ServedLeague, WorkBoard

SEPTEMBER_MS = 1_788_220_800_000
"""The first of September 2026."""

FORM = {"content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin"}
_LIMITS = ServiceLimits(requests=Rate(burst=1 << 20, a_second=1e6))


class Machine:
    """A machine whose clock is set by the tests, and whose workshop only notes what it is asked to do.

    Attributes:
        clock_ms: its time.
    """

    def __init__(self) -> None:
        self.clock_ms = SEPTEMBER_MS

    def go_on(self, days: float) -> None:
        """Let time pass."""
        self.clock_ms += int(days * DAY_MS)

    def now_ms(self) -> int:
        return self.clock_ms

    def new_seed(self) -> bytes:
        return bytes(32)

    def build_environment(self, _league: League) -> FakeWorkshop:
        return FakeWorkshop()


class Reply(NamedTuple):
    """The answer to a request."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return msgspec.json.decode(self.body)

    @property
    def cookie(self) -> str:
        """The cookie that it sets."""
        return self.headers["set-cookie"].partition(";")[0]


class Served:
    """The leagues of a course, as a server has them.

    Attributes:
        services: the leagues, by name.
    """

    def __init__(self, app: ASGIApp, services: Mapping[str, LeagueService]) -> None:
        self._app = app
        self.services = services

    async def ask(
        self, path: str, method: str = "GET", body: bytes = b"", headers: Mapping[str, str] = FORM, cookie: str = ""
    ) -> Reply:
        """Ask for something, as a browser does with the headers of a form of this server."""
        given = {"host": "ai.example.edu", "content-length": str(len(body)), **headers}
        given |= {"cookie": cookie} if cookie else {}
        place, _, query = path.partition("?")
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": place,
            "raw_path": place.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in given.items()],
            "client": ("192.0.2.1", 4711),
            "server": ("ai.example.edu", 80),
        }
        coming: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]
        sent: list[Message] = []

        async def receive() -> Message:
            if not coming:
                await asyncio.Event().wait()
            return coming.pop()

        async def send(message: Message) -> None:
            sent.append(message)

        await self._app(scope, receive, send)
        start, *parts = sent
        found = {name.decode(): value.decode() for name, value in start["headers"]}
        return Reply(start["status"], found, b"".join(part["body"] for part in parts))

    async def post(self, path: str, cookie: str = "", headers: Mapping[str, str] = FORM, **fields: str) -> Reply:
        """Send a form."""
        return await self.ask(path, "POST", urlencode(fields).encode(), headers, cookie)

    async def submit(self, league: str, archive: bytes, cookie: str) -> Reply:
        """Submit a bot, as the page does."""
        headers = {"content-type": "application/gzip", "sec-fetch-site": "same-origin"}
        return await self.ask(f"/leagues/{league}/api/submissions", "POST", archive, headers, cookie)


@contextmanager
def served(
    url: str, leagues: Mapping[str, League], machine: Machine, beside: Sequence[ServedLeague] = ()
) -> Iterator[Served]:
    """Serve the leagues of a store, and others beside."""
    with ExitStack() as stack:
        services = {}
        for job in (*(ServedLeague(f"{name}.toml", league, url) for name, league in leagues.items()), *beside):
            opened = open_league_service(job, cast("Environment", machine))
            services[job.league.name] = stack.enter_context(opened)
        service = Service(services, WorkBoard(lambda: (), lambda _: None), lambda: None, _LIMITS)
        yield Served(service.app, services)
