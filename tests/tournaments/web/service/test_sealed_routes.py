"""Every address of the service is sealed: two worlds that differ only in open deals give the same bytes."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache
from itertools import permutations, product
from typing import Any, NamedTuple
from urllib.parse import quote

import pytest
from msgspec.structs import replace
from starlette.routing import Route

from referee.drawing.svg import Element, element
from referee.match.transcript import Transcript
from tests.tournaments.leagues import plan
from tests.tournaments.web.queries import worlds
from tests.tournaments.web.queries.test_sealing import _tells_of_all_times, _tells_what_is_closed
from tests.tournaments.web.service.hall import Hall, hall
from tournaments.web import page_router
from tournaments.web.page_router import Pages
from tournaments.web.pages.match_pictures import DecidedMoment
from tournaments.web.queries import LeagueQueries, PublishedLeague, build_views, match_queries
from tournaments.web.service.app import Service, ServiceLimits
from tournaments.web.service.token_bucket import Rate
from tournaments.web.service.worker_messages import WorkBoard

PLAN = [fixture.id for fixture in plan(worlds.everybody(worlds.round_robin(2)))]
MATCHES = [PLAN[0], PLAN[12], PLAN[18]]
"""One on the first deal, and two on the second, which is open."""

BOTS = [entry.name for entry in worlds.everybody(worlds.round_robin(2)).entries]
NUMBERS = ["1", "2"]
TABLES = [table.name for table in worlds.everybody(worlds.round_robin(2)).tables]
FILLED = {
    "league": ["autumn"],
    "language": ["py", "js"],
    "name": ["pages.css"],
    "number": NUMBERS,
    "bot": BOTS,
    "match": MATCHES,
    "table": TABLES,
}
KEYS = {
    "match": MATCHES,
    "replay": MATCHES,
    "difference": MATCHES,
    "bot": BOTS,
    "losses": BOTS,
    "decisions": BOTS,
    "entry": NUMBERS,
    "bots": ["ann", "bob", "cid", "nobody"],
    "authors": ["alice", "bert", "organizer", "nobody"],
}
"""The values of a parameter `key`, by page."""

SOUGHT = ["n", "ann", "alice", "autumn", "won", "timeout", *MATCHES]
"""What is searched in all leagues."""

ENDLESS = "/leagues/{league}/events"
"""A stream with the number of stored matches, which everybody may know. It never ends."""

OF_THE_LEAGUE = "/leagues/autumn"


class AnyMatch(NamedTuple):
    """Stands for a replayed match: the matches of these worlds were never played. Its pictures tell all."""

    transcript: Transcript

    def begin(self) -> Element:
        return element("text", self.result())

    def end(self) -> Element:
        return self.begin()

    def halfway(self) -> Element:
        return element("div", self.begin())

    def film(self) -> Element:
        return self.halfway()

    def result(self) -> str:
        return repr(self.transcript.record)

    def replay(self) -> str:
        return self.result()


def first_differing(*both: AnyMatch) -> tuple[DecidedMoment, ...]:
    """All that there is of both."""
    return tuple(DecidedMoment(it.end(), [it.result()], 0) for it in both)


@pytest.fixture(autouse=True)
def every_match_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_router, "played", AnyMatch)
    monkeypatch.setattr(page_router, "first_differing", first_differing)
    monkeypatch.setattr(Pages, "_decided", lambda _pages, _match: ())


Told = dict[str, tuple[int, dict[str, str], bytes]]


@cache
def addresses() -> tuple[str, ...]:
    """All that can be asked, with every parameter filled in."""
    return tuple(_addresses())


def _addresses() -> Iterator[str]:
    for route in Service({}, WorkBoard(tuple, print), lambda: None).app.routes:
        if isinstance(route, Route) and "GET" in (route.methods or ()) and route.path != ENDLESS:
            names = re.findall(r"{(\w+)", route.path)
            page = route.path.rpartition("/{key")[0].rpartition("/")[2]
            given = [KEYS[page] if name == "key" else FILLED[name] for name in names]
            for values in product(*given):
                yield re.sub(r"{\w+(:path)?}", "{}", route.path).format(*values)
    yield from (f"/find?q={quote(text)}" for text in SOUGHT)
    for one, other in permutations(MATCHES, 2):
        yield f"/leagues/autumn/difference/{one}?other={quote(other)}"


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Hall]]:
    """A service in each of two worlds. Bert has an entry; most matches are between others."""
    with ExitStack() as stack:
        found = []
        for world in (1, 2):
            url = f"sqlite:///{tmp_path_factory.mktemp('world') / 'league.sqlite'}"
            league = worlds.short_round_robin(url, world)
            with PublishedLeague(league, url) as shown:
                assert shown.refresh(worlds.MOMENT_MS)
            limits = ServiceLimits(requests=Rate(burst=1_000_000, a_second=1.0))
            found.append(stack.enter_context(hall(url, league, ("bert",), limits=limits)))
        yield found


def told(served: Hall, author: str | None, below: tuple[str, ...] = ("/",)) -> Told:
    """The answers at the addresses that begin with one of these."""
    found = {}
    for address in addresses():
        if address.removeprefix(OF_THE_LEAGUE).startswith(below):
            answer = served.ask(address, author, host="games.example")
            headers = {name: value for name, value in answer.headers.items() if name != "date"}
            found[address] = answer.status, headers, answer.body
    return found


def differences(one: Told, other: Told) -> set[str]:
    """The addresses that give something else in the other world."""
    return {address.removeprefix(OF_THE_LEAGUE) for address in one if one[address] != other[address]}


def test_whoever_asks_gets_the_same_bytes_in_both_worlds_and_whatever_there_is_is_asked(both: list[Hall]) -> None:
    for author in (None, "bert"):
        one, other = (told(each, author) for each in both)
        assert differences(one, other) == set(), author
    statuses = [status for address, (status, _, _) in one.items() if "/rules/" not in address]
    assert set(statuses) <= {200, 404}
    # The game of these leagues is not installed beside the server, so it has no rules to show, and says so.
    assert {status for address, (status, _, _) in one.items() if "/rules/" in address} == {503}
    assert statuses.count(200) > 30
    # How a match ended decides nothing that is found: there were such matches.
    assert all(b"Nothing has this in its name" in one[f"/find?q={text}"][2] for text in ("won", "timeout"))
    described = {path for path, methods in both[0].ask("/openapi.json").json["paths"].items() if "get" in methods}
    patterns = [re.sub(r"\\{\w+\\}", ".+", re.escape(path)) for path in described]
    assert [it for it in patterns if not any(re.fullmatch(it, address) for address in one)] == []


def _rates_by_times(line: Any, lines: Any, sight: Any) -> Any:
    return replace(_tells_of_all_times(line, lines, sight), rating=lines.all_ms[line.bot])


LEAKS: tuple[tuple[Any, str, Any, tuple[str, ...]], ...] = (
    (match_queries, "match_seen", _tells_what_is_closed, ("/api/matches", "/api/matches/")),
    (build_views, "_line", _tells_of_all_times, ("/api/standings", "/bot/")),
    (build_views, "_line", _rates_by_times, ("/bots/", "/authors/", "/show")),
    (
        LeagueQueries,
        "_require_visible",
        lambda self, match: self._stored_match(match)[0],
        ("/api/transcripts/", "/difference/"),
    ),
)


def test_a_planted_leak_is_found(both: list[Hall], monkeypatch: pytest.MonkeyPatch) -> None:
    for where, name, leak, found in LEAKS:
        with monkeypatch.context() as planted:
            planted.setattr(where, name, leak)
            leaking = differences(*(told(each, None, found) for each in both))
        assert all(any(address.startswith(each) for address in leaking) for each in found), name
