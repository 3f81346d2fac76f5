"""The tables where visitors play are routes of the service: the rate limit and the refusals are those of the others."""

import asyncio
import re
from pathlib import Path

import pytest

from tests.tournaments.web.visitors.puppets import tables_service
from tests.tournaments.web.visitors.visitor import Got, Visitor
from tournaments.web.service.app import Service, ServiceLimits
from tournaments.web.service.token_bucket import Rate
from tournaments.web.service.worker_messages import WorkBoard

TWO = Rate(burst=2, a_second=0.001)


def service(folder: Path, requests: Rate = TWO) -> Service:
    limits, tables = ServiceLimits(requests=requests), tables_service(folder)
    return Service({}, WorkBoard(tuple, print), lambda: None, limits, lambda: 7.0, visitor_tables=tables)


def asked(folder: Path, times: int, path: str = "/play/", **headers: str) -> list[Got]:
    async def test() -> list[Got]:
        visitor = Visitor(service(folder).app)
        return [await visitor.get(path, **headers) for _ in range(times)]

    return asyncio.run(test())


def test_visitors_find_their_tables_only_if_there_are_some(tmp_path: Path) -> None:
    (lobby,) = asked(tmp_path, 1)
    assert lobby.status == 200
    assert "Play against the bots" in lobby.text
    assert asked(tmp_path, 1, "/play")[0].headers["location"].endswith("/play/")
    without = Visitor(Service({}, WorkBoard(tuple, print), lambda: None).app)
    assert asyncio.run(without.get("/play/")).status == 404


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


def test_the_files_of_the_lobby_and_of_a_seat_are_those_of_the_service(tmp_path: Path) -> None:
    async def test() -> dict[str, tuple[int, str]]:
        visitor = Visitor(service(tmp_path, Rate(burst=100, a_second=1.0)).app)
        form = {"league": "agonia-league", "name": "ann", "seat.0": "you", "seat.1": "puppet@person"}
        seat = await visitor.send_form("/play/tables", form)
        pages = [(await visitor.get(path)).text for path in ("/play/", seat.headers["location"])]
        found = {path for page in pages for path in re.findall(r'(?:href|src)="(/look/[^"]+)"', page)}
        answers = {path: await visitor.get(path) for path in found | {"/look/board-no-game.css", "/look/lobby.py"}}
        return {path: (got.status, got.headers["content-type"].partition(";")[0]) for path, got in answers.items()}

    refused = (404, "application/problem+json")
    assert asyncio.run(test()) == {
        "/look/visitors.css": (200, "text/css"),
        "/look/board-agonia.css": (200, "text/css"),
        "/look/lobby.js": (200, "text/javascript"),
        "/look/seat.js": (200, "text/javascript"),
        "/look/board-no-game.css": refused,
        "/look/lobby.py": refused,
    }
