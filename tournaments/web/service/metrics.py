"""The metrics of a server for Prometheus, at an address of their own.

All is counted once a minute, so that nothing in it moves in finer steps than on the pages.
"""

import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import TypeAlias

import anyio
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Metric, generate_latest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from referee.core.errors import UserError
from tournaments.web.queries import last_minute
from tournaments.web.service.background_process import Supervisor
from tournaments.web.service.health import Health
from tournaments.web.service.league_service import LeagueService
from tournaments.web.service.worker_messages import WorkBoard

_METRICS = MappingProxyType(
    {
        "requests": ("counter", "Answers by status."),
        "process_restarts": ("counter", "How often it was lost."),
        "checks": ("counter", "Checks of submitted bots that ended."),
        "check_seconds": ("counter", "How long they took together."),
        "league_phase": ("gauge", "1 for the phase of a league."),
        "matches": ("gauge", "Stored matches."),
        "voids": ("gauge", "Matches that did not count."),
        "tables_timestamp_seconds": ("gauge", "When the tables were computed."),
        "faults": ("gauge", "Matches in the tables that a fault cut short."),
        "submissions": ("gauge", "Submissions by state."),
        "oldest_submission_timestamp_seconds": ("gauge", "When the oldest unfinished submission came."),
    }
)
"""The kind of each metric, and what it says."""

_Sample: TypeAlias = tuple[str, dict[str, str], float]
"""The name of a metric, its labels, and its value."""


class ServiceMetrics:
    """Collects the metrics of a server."""

    def __init__(self, leagues: Mapping[str, LeagueService], processes: Sequence[Supervisor], board: WorkBoard) -> None:
        """`leagues` are served, by name."""
        self._leagues = leagues
        self._processes = processes
        self._board = board
        self._answers: Counter[int] = Counter()
        self._minute_ms = -1
        self._samples: list[_Sample] = []

    def counting(self, app: ASGIApp) -> ASGIApp:
        """An app whose answers are counted."""

        async def counted(scope: Scope, receive: Receive, send: Send) -> None:
            async def count(message: Message) -> None:
                self._answers.update([message["status"]] if message["type"] == "http.response.start" else [])
                await send(message)

            await app(scope, receive, count)

        return counted

    def app(self, health: Health) -> Starlette:
        """The app at the address of the metrics: `/metrics`, and `/readyz` with the names of what fails."""
        registry = CollectorRegistry()
        registry.register(self)
        reading = anyio.Lock()

        async def scrape(_request: Request) -> Response:
            async with reading:
                body = await anyio.to_thread.run_sync(generate_latest, registry)
            return Response(body, media_type=CONTENT_TYPE_LATEST)

        async def ready(_request: Request) -> Response:
            failing = await health.failing()
            return PlainTextResponse("\n".join(failing or ["ready"]) + "\n", 503 if failing else 200)

        return Starlette(routes=[Route("/metrics", scrape), Route("/readyz", ready)])

    def collect(self) -> Collection[Metric]:
        """The metrics of this minute. It reads the stores, and blocks. A league whose store fails has fewer."""
        minute_ms = last_minute(time.time_ns() // 1_000_000)
        if minute_ms != self._minute_ms:
            self._minute_ms, self._samples = minute_ms, [*self._of_server()]
            for league, each in self._leagues.items():
                with suppress(UserError):  # `/readyz` says it
                    for name, labels, value in each.samples(minute_ms):
                        self._samples.append((name, {"league": league, **labels}, value))
        found = {name: Metric(f"referee_{name}", text, kind) for name, (kind, text) in _METRICS.items()}
        for name, labels, value in self._samples:
            end = "_total" if found[name].type == "counter" else ""
            found[name].add_sample(f"referee_{name}{end}", labels, value)
        return found.values()

    def _of_server(self) -> Iterator[_Sample]:
        for status, count in sorted(self._answers.items()):
            yield "requests", {"status": str(status)}, count
        for each in self._processes:
            yield "process_restarts", {"process": each.module}, each.restarts
        yield "checks", {}, self._board.checks
        yield "check_seconds", {}, self._board.check_s
