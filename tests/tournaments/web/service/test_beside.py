"""The tables where visitors play are routes of the service: the rate limit and the refusals are those of the others."""

import asyncio
from pathlib import Path

import pytest

from tests.tournaments.web.visitors.puppets import tables_service
from tests.tournaments.web.visitors.visitor import Got, Visitor
from tournaments.web.service.app import Service, ServiceLimits
from tournaments.web.service.token_bucket import Rate
from tournaments.web.service.worker_messages import WorkBoard


def asked(folder: Path, times: int, path: str = "/play/", *, are_open: bool = True, **headers: str) -> list[Got]:
    async def test() -> list[Got]:
        service = Service(
            {},
            WorkBoard((), print),
            lambda: None,
            ServiceLimits(requests=Rate(burst=2, a_second=0.001)),
            clock_s=lambda: 7.0,
            visitor_tables=tables_service(folder) if are_open else None,
        )
        visitor = Visitor(service.app)
        return [await visitor.get(path, **headers) for _ in range(times)]

    return asyncio.run(test())


def test_visitors_find_their_tables_only_if_there_are_some(tmp_path: Path) -> None:
    (lobby,) = asked(tmp_path, 1)
    assert lobby.status == 200
    assert "Play against the bots" in lobby.text
    assert asked(tmp_path, 1, "/play")[0].headers["location"].endswith("/play/")
    assert asked(tmp_path, 1, are_open=False)[0].status == 404


def test_who_asks_too_often_is_told_when_to_ask_again(tmp_path: Path) -> None:
    assert [got.status for got in asked(tmp_path, 4)] == [200, 200, 429, 429]
    assert int(asked(tmp_path, 3)[2].headers["retry-after"]) > 0


@pytest.mark.parametrize("path", ["/play/at/wrong", "/play/nowhere"])
def test_a_refusal_is_a_page_for_browsers_and_a_problem_for_scripts(tmp_path: Path, path: str) -> None:
    (page,) = asked(tmp_path, 1, path, accept="text/html")
    (problem,) = asked(tmp_path, 1, path)
    assert (page.status, problem.status) == (404, 404)
    assert page.text.startswith("<!doctype html>")
    assert problem.headers["content-type"] == "application/problem+json"
    assert problem.json["status"] == 404
