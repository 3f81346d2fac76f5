"""What the public port says of the server's health, and what the metrics count."""

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.types import ASGIApp, Message

from tests.tournaments.leagues import league, match
from tests.tournaments.stores import PLAN, opened
from tests.tournaments.web.service.hall import OPEN, hall
from tournaments.league.model import StoredVoid
from tournaments.play.environment import LocalEnvironment
from tournaments.store import StoreAway
from tournaments.submissions.pipeline import DiskFull
from tournaments.web.service import health as health_module
from tournaments.web.service import metrics as metrics_module
from tournaments.web.service.app import Service
from tournaments.web.service.health import Health
from tournaments.web.service.league_service import open_league_service
from tournaments.web.service.metrics import ServiceMetrics
from tournaments.web.service.worker_messages import ServedLeague, WorkBoard

LEAGUE = league()


class League:
    """A league of which something may fail."""

    def __init__(self) -> None:
        self.league = OPEN
        self.asked = 0
        self.fails: Exception | None = None
        self.waits_s = 0.0

    def check_ready(self) -> None:
        self.asked += 1
        time.sleep(self.waits_s)
        if self.fails is not None:
            raise self.fails


def process(name: str, *, is_up: bool = True) -> Any:
    return SimpleNamespace(module=name, is_up=is_up, restarts=3)


def failing(league: League, *processes: Any) -> list[str]:
    return list(asyncio.run(_failing(league, *processes)))


async def _failing(league: League, *processes: Any) -> Sequence[str]:
    return await Health([league], processes).failing()  # type: ignore[list-item] # all that is asked of one


def test_what_fails_is_named() -> None:
    league = League()
    assert failing(league, process("table_refresher")) == []
    for each in (StoreAway("it is away"), DiskFull("it is full")):
        league.fails = each
        assert failing(league, process("submission_worker", is_up=False)) == [
            "process submission_worker",
            f"store of autumn: {each}",
        ]


def test_a_store_that_does_not_answer_fails_and_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health_module, "_ANSWERS_S", 0.05)
    league = League()
    league.waits_s = 1.0
    assert failing(league) == ["store of autumn: it does not answer"]


def test_however_many_ask_at_once_it_is_looked_once() -> None:
    league = League()

    async def ask() -> None:
        health = Health([league], ())  # type: ignore[list-item] # as above
        await asyncio.gather(*(health.failing() for _ in range(50)))

    asyncio.run(ask())
    assert league.asked == 1


def test_the_public_port_says_one_word_and_names_nothing(url: str) -> None:
    with hall(url) as here:
        for path, word in (("/healthz", b"alive"), ("/readyz", b"ready")):
            answer = here.ask(path)
            assert (answer.status, answer.body, answer.headers["cache-control"]) == (200, word, "no-store")
        assert here.ask("/metrics").status == 404


def test_the_address_of_the_metrics_names_what_fails_and_the_public_word_does_not() -> None:
    league = League()
    league.fails = StoreAway("it is away")
    health, board = Health([league], ()), WorkBoard(tuple, print)  # type: ignore[list-item] # as above
    public = Service({}, board, lambda: None, health=health).app
    assert asked(public, "/readyz") == (503, "unready")
    assert asked(public, "/healthz") == (200, "alive")
    assert asked(ServiceMetrics({}, (), board).app(health), "/readyz") == (503, "store of autumn: it is away\n")


def asked(app: ASGIApp, path: str) -> tuple[int, str]:
    """The status and the body of an app's answer."""
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "query_string": b""}
    scope |= {"headers": [], "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 2), "scheme": "http", "root_path": ""}
    asyncio.run(app(scope, receive, send))  # type: ignore[arg-type] # it is a coroutine
    return sent[0]["status"], b"".join(each.get("body", b"") for each in sent).decode()


def samples(text: str) -> dict[str, float]:
    lines = [line.rpartition(" ") for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in lines}


def test_the_metrics_count_leagues_by_the_minute_and_no_finer(
    tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment_ms = 90_000
    now = SimpleNamespace(time_ns=lambda: moment_ms * 1_000_000)
    monkeypatch.setattr(metrics_module, "time", now)
    with opened(url) as store:
        store.save([match(PLAN[0])], 61_000, [StoredVoid(PLAN[1].id, "busy", 61_000, True, True, "")])
        served = ServedLeague(str(tmp_path / "autumn.toml"), LEAGUE, url)
        machine = LocalEnvironment()
        monkeypatch.setattr(machine, "now_ms", lambda: moment_ms)
        with open_league_service(served, machine) as service:
            board = WorkBoard(tuple, lambda _: None)
            board.checks, board.check_s = 2, 5.0
            metrics = ServiceMetrics({"autumn": service}, [process("table_refresher")], board)
            app = metrics.app(Health((), ()))
            first = samples(asked(app, "/metrics")[1])
            assert first['referee_matches{league="autumn"}'] == first['referee_voids{league="autumn"}'] == 0
            moment_ms = 119_000
            store.save([match(PLAN[2])], 119_000)
            assert samples(asked(app, "/metrics")[1]) == first
            moment_ms = 121_000
            second = samples(asked(app, "/metrics")[1])
    assert second['referee_matches{league="autumn"}'] == 2
    assert second['referee_voids{league="autumn"}'] == 1
    assert second['referee_process_restarts_total{process="table_refresher"}'] == 3
    assert (second["referee_checks_total"], second["referee_check_seconds_total"]) == (2, 5.0)


def test_answers_are_counted_by_status_and_by_the_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    moment_s = 90
    monkeypatch.setattr(metrics_module, "time", SimpleNamespace(time_ns=lambda: moment_s * 10**9))
    metrics = ServiceMetrics({}, (), WorkBoard(tuple, lambda _: None))
    app = metrics.counting(metrics.app(Health((), ())))
    assert [asked(app, path)[0] for path in ("/metrics", "/none", "/none")] == [200, 404, 404]
    assert "referee_requests_total{" not in asked(app, "/metrics")[1]
    moment_s = 120
    counted = samples(asked(app, "/metrics")[1])
    assert counted['referee_requests_total{status="404"}'] == 2
    assert counted['referee_requests_total{status="200"}'] == 2


def test_a_league_whose_store_fails_leaves_the_others_counted() -> None:
    class Broken:
        def samples(self, _before_ms: int) -> Any:
            raise StoreAway("it is away")

    class Sound:
        def samples(self, _before_ms: int) -> Any:
            yield "matches", {}, 7

    leagues: Any = {"a": Broken(), "b": Sound()}
    (found,) = [
        each
        for each in ServiceMetrics(leagues, (), WorkBoard(tuple, print)).collect()
        if each.name == "referee_matches"
    ]
    assert [(each.labels, each.value) for each in found.samples] == [({"league": "b"}, 7)]
