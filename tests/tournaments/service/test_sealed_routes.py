"""Every address of the service is sealed: of two worlds that differ only in what is open it gives the same bytes."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import product
from typing import Any

import pytest
from starlette.routing import Route

from tests.tournaments.leagues import plan
from tests.tournaments.service.hall import Hall, hall
from tests.tournaments.showing import worlds
from tests.tournaments.showing.test_sealing import _tells_of_all_times, _tells_what_is_closed
from tournaments.service.allowances import Rate
from tournaments.service.app import Limits, Service
from tournaments.service.news import Board
from tournaments.showing import Showing, Shown, showing, telling

MATCHES = [fixture.id for fixture in plan(worlds.everybody(worlds.round_robin()))[:70:24]]
BOTS = [entry.name for entry in worlds.everybody(worlds.round_robin()).entries]
NUMBERS = ["1", "2"]
FILLED = {"league": ["autumn"], "name": ["pages.css"], "number": NUMBERS, "bot": BOTS, "match": MATCHES}
KEYS = {"match": MATCHES, "replay": MATCHES, "bot": BOTS, "entry": NUMBERS}
"""What stands for a parameter `key`, by the page."""

ENDLESS = "/leagues/{league}/events"
"""It tells how many matches are stored, which everybody may know, and never ends."""

Told = dict[str, tuple[int, dict[str, str], bytes]]


def addresses() -> Iterator[str]:
    """All that can be asked, with every parameter filled in."""
    for route in Service({}, Board((), print), lambda: None).app.routes:
        if isinstance(route, Route) and "GET" in (route.methods or ()) and route.path != ENDLESS:
            names = re.findall(r"{(\w+)", route.path)
            given = [KEYS[route.path.split("/")[3]] if name == "key" else FILLED[name] for name in names]
            for values in product(*given):
                yield re.sub(r"{\w+(:path)?}", "{}", route.path).format(*values)


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Hall]]:
    """A service in each of two worlds. Bert has an entry; most matches are between others."""
    with ExitStack() as stack:
        found = []
        for world in (1, 2):
            url = f"sqlite:///{tmp_path_factory.mktemp('world') / 'league.sqlite'}"
            league = worlds.open_round_robin(url, world)
            with Shown(league, url) as shown:
                assert shown.refresh(worlds.MOMENT_MS)
            limits = Limits(requests=Rate(burst=1_000_000, a_second=1.0))
            found.append(stack.enter_context(hall(url, league, ("bert",), limits=limits)))
        yield found


def told(served: Hall, author: str | None) -> Told:
    found = {}
    for address in addresses():
        answer = served.ask(address, author)
        headers = {name: value for name, value in answer.headers.items() if name != "date"}
        found[address] = answer.status, headers, answer.body
    return found


def differences(both: list[Hall], author: str | None) -> set[str]:
    """The addresses that give something else in the other world."""
    one, other = (told(each, author) for each in both)
    return {address.removeprefix("/leagues/autumn") for address in one if one[address] != other[address]}


@pytest.mark.parametrize("author", [None, "bert"])
def test_whoever_asks_gets_the_same_bytes_in_both_worlds(both: list[Hall], author: str | None) -> None:
    assert differences(both, author) == set()


def test_whatever_there_is_is_asked(both: list[Hall]) -> None:
    found = told(both[0], "bert")
    statuses = {status for status, _, _ in found.values()}
    assert statuses <= {200, 307, 404}
    assert sum(status == 200 for status, _, _ in found.values()) > 30
    described = {path for path, methods in both[0].ask("/openapi.json").json["paths"].items() if "get" in methods}
    patterns = [re.sub(r"\\{\w+\\}", ".+", re.escape(path)) for path in described]
    assert [it for it in patterns if not any(re.fullmatch(it, address) for address in found)] == []


@pytest.mark.parametrize(
    ("where", "name", "leak", "found"),
    [
        (showing, "match_seen", _tells_what_is_closed, ("/api/matches", "/api/matches/")),
        (telling, "_line", _tells_of_all_times, ("/api/standings", "/bot/")),
        (Showing, "_hold_sees", lambda self, match: self._found(match)[0], ("/api/transcripts/",)),
    ],
)
def test_a_planted_leak_is_found(
    both: list[Hall], where: Any, name: str, leak: Any, found: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, name, leak)
    leaking = differences(both, None)
    assert all(any(address.startswith(each) for address in leaking) for each in found)
