"""The metrics of a server for Prometheus, at an address of their own.

What is counted of leagues is read once a minute, so that nothing in it moves in finer steps than on the pages.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

import anyio
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Metric, generate_latest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from referee.core.errors import UserError
from tournaments.web.queries import last_minute
from tournaments.web.service.background_process import Supervisor
from tournaments.web.service.health import Health
from tournaments.web.service.league_service import LeagueCounts, LeagueService
from tournaments.web.service.worker_messages import WorkBoard


class CountedRequests:
    """An app whose answers are counted.

    Attributes:
        answers: by status, how many there were.
    """

    def __init__(self, app: ASGIApp) -> None:
        """Pass the requests to `app`."""
        self.answers: Counter[int] = Counter()
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, and count the answer."""

        async def counting(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.answers[message["status"]] += 1
            await send(message)

        await self._app(scope, receive, counting)


class ServiceMetrics:
    """Collects the metrics of a server."""

    def __init__(
        self,
        leagues: Mapping[str, LeagueService],
        processes: Sequence[Supervisor],
        board: WorkBoard,
        answers: Mapping[int, int],
        now_ms: Callable[[], int],
    ) -> None:
        """`leagues` are served, by name; `answers` counts the answers by status."""
        self._leagues = leagues
        self._processes = processes
        self._board = board
        self._answers = answers
        self._now_ms = now_ms
        self._minute_ms = -1
        self._counts: dict[str, LeagueCounts] = {}

    def collect(self) -> Iterator[Metric]:
        """The metrics now. It reads the stores, and blocks."""
        now_ms = self._now_ms()
        if last_minute(now_ms) != self._minute_ms:
            self._minute_ms = last_minute(now_ms)
            self._counts = dict(self._counted(now_ms))
        board, processes = self._board, self._processes
        yield _metric("requests", "counter", "status", self._answers, "Answers by status.")
        yield _metric("process_up", "gauge", "process", {each.name: each.is_up for each in processes}, "Does it run?")
        restarts = {each.name: each.restarts for each in processes}
        yield _metric("process_restarts", "counter", "process", restarts, "How often it was lost.")
        yield _metric("checks", "counter", "", {"": board.checks}, "Checks of submitted bots.")
        yield _metric("check_seconds", "counter", "", {"": board.check_s}, "How long these took together.")
        yield from self._of_leagues(now_ms)

    def _counted(self, now_ms: int) -> Iterator[tuple[str, LeagueCounts]]:
        for name, each in self._leagues.items():
            try:
                yield name, each.counts(now_ms)
            except UserError:
                continue  # its store fails, which `/readyz` says

    def _of_leagues(self, now_ms: int) -> Iterator[Metric]:
        every = self._counts.items()
        parts = "league phase", "league kind", "league state"
        phases = {(name, each.phase): 1 for name, each in every}
        yield _metric("league_phase", "gauge", parts[0], phases, "1 for the phase of a league.")
        yield _metric("matches", "gauge", "league", {n: each.matches for n, each in every}, "Stored, by the minute.")
        yield _metric("voids", "gauge", "league", {n: each.voids for n, each in every}, "Void matches, by the minute.")
        faults = {(name, kind): count for name, each in every for kind, count in each.faults.items()}
        yield _metric("faults", "gauge", parts[1], faults, "Matches in the tables that a fault cut short.")
        ages = {name: (now_ms - each.tables_ms) / 1000 for name, each in every if each.tables_ms is not None}
        yield _metric("tables_age_seconds", "gauge", "league", ages, "How old the tables are.")
        states = {(name, state): count for name, each in every for state, count in each.submissions.items()}
        yield _metric("submissions", "gauge", parts[2], states, "Submissions by state.")
        waits = {name: (now_ms - (each.oldest_ms or now_ms)) / 1000 for name, each in every}
        yield _metric("submission_wait_seconds", "gauge", "league", waits, "The longest wait of a submission.")


def _metric(name: str, kind: str, labels: str, values: Mapping[object, float], text: str) -> Metric:
    """A metric with its values, by the values of its labels. `labels` are their names."""
    metric = Metric(f"referee_{name}", text, kind)
    for key, value in values.items():
        parts = map(str, key if isinstance(key, tuple) else (key,))
        sample = f"referee_{name}_total" if kind == "counter" else f"referee_{name}"
        metric.add_sample(sample, dict(zip(labels.split(), parts, strict=False)), value)
    return metric


def metrics_app(metrics: ServiceMetrics, health: Health) -> Starlette:
    """The app at the address of the metrics: `/metrics`, and `/readyz` with the names of what fails."""
    registry = CollectorRegistry()
    registry.register(metrics)  # type: ignore[arg-type] # its class describes more than is asked of a collector
    reading = anyio.Lock()

    async def scrape(_request: Request) -> Response:
        async with reading:
            body = await anyio.to_thread.run_sync(generate_latest, registry)
        return Response(body, media_type=CONTENT_TYPE_LATEST)

    async def ready(_request: Request) -> Response:
        return await health.names()

    return Starlette(routes=[Route("/metrics", scrape), Route("/readyz", ready)])
