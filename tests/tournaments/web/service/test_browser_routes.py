"""Pages beside the API: strict policies, entity tags, log-in and log-out, and live viewers."""

import http.client
import re
import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from urllib.parse import urlencode

import anyio
import pytest
from msgspec.structs import replace

from tests.tournaments.accounts import let_in
from tests.tournaments.web.service.hall import OPEN, Answer, Hall, hall, token_of
from tournaments.league.model import TableSpec
from tournaments.league.service_terms import VisitorTerms
from tournaments.league.submissions import ORGANIZER
from tournaments.store import StoreError
from tournaments.web.queries import PublishedLeague
from tournaments.web.service import event_streams
from tournaments.web.service.event_streams import LivePages
from tournaments.web.service.league_service import LeagueService
from tournaments.web.service.replays import Replays
from tournaments.web.service.replies import PAGE, Problem

PAGES = ("/", *(f"/leagues/autumn/{name}" for name in (
    "standings", "crosstable", "fared", "history", "matches", "entries", "league"
)))  # fmt: skip
HERE = {"sec_fetch_site": "same-origin"}
FORM = {"content_type": "application/x-www-form-urlencoded", **HERE}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    with hall(f"sqlite:///{tmp_path_factory.mktemp('store')}/league.sqlite") as found:
        let_in(found.store, ORGANIZER)
        yield found


def logged_in(served: Hall, author: str = "eva", **headers: str) -> Answer:
    form = urlencode({"token": token_of(author), "league": "autumn"}).encode()
    kind = "application/x-www-form-urlencoded"
    return served.ask("/login", None, "POST", form, content_type=kind, **(headers or HERE))


def cookie_of(answer: Answer) -> str:
    return answer.headers["set-cookie"].partition(";")[0]


@pytest.mark.parametrize("path", PAGES)
def test_every_page_has_a_strict_policy_and_is_not_sent_again_unchanged(served: Hall, path: str) -> None:
    found = served.ask(path)
    assert found.status == 200
    assert found.headers["content-security-policy"] == PAGE["content-security-policy"]
    assert "unsafe" not in PAGE["content-security-policy"]
    assert not re.search(rb"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+=", found.body)
    assert served.ask(path, if_none_match=found.headers["etag"]).status == 304


def test_the_address_of_a_league_shows_its_standings(served: Hall) -> None:
    found, standings = (served.ask(f"/leagues/autumn{name}") for name in ("", "/standings"))
    assert (found.status, found.body) == (200, standings.body)


def test_the_title_of_the_list_of_leagues_says_it_once(served: Hall) -> None:
    assert b"<title>Leagues</title>" in served.ask("/").body
    assert "<title>Standings · autumn</title>".encode() in served.ask("/leagues/autumn").body


def test_the_page_of_a_league_leads_to_the_rules_of_each_table_with_its_options(tmp_path: Path) -> None:
    tables = tuple(TableSpec(mode, 2, {"mode": mode}) for mode in ("simple", "advanced"))
    with hall(f"sqlite:///{tmp_path / 'league.sqlite'}", replace(OPEN, game="agent-avenue", tables=tables)) as here:
        page = here.ask("/leagues/autumn/league").body.decode()
        texts = [here.ask(link) for link in re.findall(r'href="(/leagues/autumn/rules/[^"]+)"', page)]
        assert [found.status for found in texts] == [200, 200]
        assert [b"black market" in found.body.lower() for found in texts] == [False, True]
        assert all(found.headers["content-security-policy"] == PAGE["content-security-policy"] for found in texts)
        assert all(b'href="/leagues/autumn/league"' in found.body for found in texts)
        assert here.ask("/leagues/autumn/rules/none").status == 404


def test_what_is_not_there_is_a_page_that_says_so(served: Hall) -> None:
    for path in ("bot/nobody@1", "match/x/y", "entry/7", "crosstable?after=x", "replay/x"):
        found = served.ask(f"/leagues/autumn/{path}", accept="text/html")
        assert (found.status, found.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert served.ask("/leagues/autumn/standings?nonsense=1").status == 400
    assert served.ask(f"/leagues/autumn/matches?bot={'x' * 3_000}").status == 400
    assert served.ask("/leagues/autumn/matches?seat=-1").status == 400


@pytest.mark.parametrize("path", ["/nothing", "/leagues/autumn/nothing", "/leagues/autumn/api/nothing", "/debug/x?y=1"])
def test_an_unknown_address_is_a_page_for_a_browser_and_json_for_a_program(served: Hall, path: str) -> None:
    page = served.ask(path, accept="text/html,application/xhtml+xml;q=0.9,*/*;q=0.8")
    assert (page.status, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert b"There is nothing at this address." in page.body
    assert page.headers["content-security-policy"] == PAGE["content-security-policy"]
    for accept in ("*/*", "application/json"):
        found = served.ask(path, accept=accept)
        assert (found.status, found.detail) == (404, "there is nothing at this address; see /openapi.json")
        assert found.headers["vary"] == page.headers["vary"] == "accept"
    assert served.ask("/leagues/autumn/standings", method="DELETE", accept="text/html").status == 405


def test_lists_are_searched_and_sorted_by_their_addresses_and_wrong_ones_are_refused_on_a_page(served: Hall) -> None:
    for path in ("matches?bot=a&other=b&result=won&seat=0", "entries?sort=-author&find=b", "standings?sort=-score"):
        assert served.ask(f"/leagues/autumn/{path}").status == 200
    assert (
        b"Result: of which bot? name it, too."
        in served.ask("/leagues/autumn/matches?result=won", accept="text/html").body
    )
    for path in ("matches?bot=a&result=nonsense", "entries?sort=nonsense", "entries?order=bot"):
        found = served.ask(f"/leagues/autumn/{path}", accept="text/html")
        assert (found.status, found.headers["content-type"]) == (400, "text/html; charset=utf-8"), path


def test_hostile_words_in_an_address_are_words(served: Hall) -> None:
    found = served.ask("/leagues/autumn/matches?bot=%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E")
    assert found.status == 200
    assert b"<img" not in found.body


def test_a_token_is_exchanged_for_a_cookie_that_no_script_reads_and_no_other_site_sends(served: Hall) -> None:
    found = logged_in(served)
    assert (found.status, found.headers["location"]) == (303, "/leagues/autumn/entries")
    kept = found.headers["set-cookie"].lower()
    assert all(word in kept for word in ("httponly", "samesite=lax", "path=/;"))
    assert token_of("eva") not in kept
    page = served.ask("/leagues/autumn/entries", cookie=cookie_of(found))
    assert b"eva" in page.body
    assert b"private" in page.headers["cache-control"].encode()


def test_a_wrong_token_logs_nobody_in(served: Hall) -> None:
    for token in ("nonsense", "", "\r\nset-cookie: x=y", "é", token_of("mallory")):
        form = urlencode({"token": token}).encode()
        found = served.ask("/login", None, "POST", form, **FORM)
        assert found.status == 403
        assert "set-cookie" not in found.headers
        assert b"not valid here" in found.body


def test_a_form_that_is_too_long_is_refused(served: Hall) -> None:
    assert served.ask("/login", None, "POST", b"token=" + b"x" * 10_000, **FORM).status == 413


def test_what_is_no_form_is_refused(served: Hall) -> None:
    for body, kind, status in ((b"token=x", "text/plain", 415), (b"\xff", FORM["content_type"], 400)):
        assert served.ask("/login", None, "POST", body, content_type=kind, **HERE).status == status
    assert served.ask("/login", None, "POST", b"&".join([b"a=1"] * 9), **FORM).status == 400


@pytest.mark.parametrize(
    "headers",
    [
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
        {"sec_fetch_site": "none"},
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"user_agent": "says nothing"},
    ],
)
def test_a_page_of_another_site_can_neither_log_in_nor_out_nor_submit(served: Hall, headers: dict[str, str]) -> None:
    assert logged_in(served, **headers).status == 403
    cookie = cookie_of(logged_in(served))
    assert served.ask("/logout", None, "POST", b"", cookie=cookie, **headers).status == 403
    sent = served.send(b"archive", None, cookie=cookie, **headers)
    assert sent.status == 403
    assert b"eva" in served.ask("/leagues/autumn/entries", cookie=cookie).body


def test_a_page_of_ours_submits_with_the_cookie(served: Hall) -> None:
    cookie = cookie_of(logged_in(served))
    sent = served.send(b"no archive", None, cookie=cookie, origin=f"http://127.0.0.1:{served.port}")
    assert sent.status == 422  # it was let in, and is no archive
    assert served.send(b"no archive", None, **HERE).status == 401


def test_the_organizer_sees_everything_and_changes_nothing(served: Hall) -> None:
    served.send(b"no archive", "eva")
    cookie = cookie_of(logged_in(served, ORGANIZER))
    page = served.ask("/leagues/autumn/entries", cookie=cookie).body
    assert b"teacher" in page
    assert b"Submit a bot" not in page
    assert served.ask("/leagues/autumn/submit", cookie=cookie).status == 403
    assert served.send(b"archive", None, cookie=cookie, **HERE).status == 403
    assert served.send(b"archive", ORGANIZER).detail.startswith("the organizer can only look here")
    assert served.send(b"{}", ORGANIZER, "scrimmages").status == 403


def test_a_league_that_opens_bots_to_visitors_links_to_where_they_play(tmp_path: Path) -> None:
    opened = replace(OPEN, visitors=VisitorTerms(opponents=("bob@1",)))
    with hall(f"sqlite:///{tmp_path}/league.sqlite", opened) as served:
        for path in ("/", "/leagues/autumn/standings"):
            assert b'<a href="/play/">' in served.ask(path).body


def test_a_league_that_opens_none_does_not(served: Hall) -> None:
    assert b"/play/" not in served.ask("/leagues/autumn/standings").body


def test_a_failure_of_ours_is_a_page_that_says_so(
    served: Hall, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fails(*_: object) -> None:
        raise StoreError("disk I/O error at /srv/league.sqlite")

    monkeypatch.setattr(PublishedLeague, "to", fails)
    for path in ("/", "/leagues/autumn/standings"):
        found = served.ask(path, accept="text/html")
        assert (found.status, found.headers["content-type"]) == (503, "text/html; charset=utf-8")
        assert b"/srv" not in found.body
    assert "disk I/O error" in capfd.readouterr().err


def test_who_logs_out_is_a_visitor_again(served: Hall) -> None:
    cookie = cookie_of(logged_in(served))
    out = served.ask("/logout", None, "POST", b"", cookie=cookie, **HERE)
    assert out.status == 303
    assert "max-age=0" in out.headers["set-cookie"].lower()
    assert b"eva" not in served.ask("/leagues/autumn/entries", cookie=cookie).body


def test_who_is_removed_has_no_session_any_more(tmp_path: Path) -> None:
    with hall(f"sqlite:///{tmp_path}/league.sqlite") as served:
        cookie = cookie_of(logged_in(served))
        assert b"eva" in served.ask("/leagues/autumn/entries", cookie=cookie).body
        served.store.people.remove("eva", 5, erase=False)
        assert b"eva" not in served.ask("/leagues/autumn/entries", cookie=cookie).body
        assert served.send(b"archive", None, cookie=cookie, **HERE).status == 401


@pytest.mark.slow
def test_twenty_who_look_on_cost_one_look_a_second_and_hear_what_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[float] = []
    pulse = PublishedLeague.pulse

    def counted(self: PublishedLeague) -> Any:
        looks.append(time.monotonic())
        return pulse(self)

    monkeypatch.setattr(PublishedLeague, "pulse", counted)
    heard: list[bytes] = []
    there = threading.Barrier(21)
    with hall(f"sqlite:///{tmp_path}/league.sqlite") as served:
        viewers = [threading.Thread(target=listen, args=(served.port, heard, there)) for _ in range(20)]
        for viewer in viewers:
            viewer.start()
        there.wait(60)
        seen = len(looks)
        while len(looks) < seen + 2:  # the first look that somebody hears of is what later ones are compared with
            time.sleep(0.05)
        served.store.change("ann@1", None, 5)
        for viewer in viewers:
            viewer.join(60)
        assert heard == [b"event: changed"] * 20
    assert all(later - earlier > 0.9 for earlier, later in pairwise(looks))


def listen(port: int, heard: list[bytes], there: threading.Barrier) -> None:
    """Wait for the first event."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", "/leagues/autumn/events")
    answer = connection.getresponse()
    there.wait(60)
    while not (line := answer.readline()).startswith(b"event: changed"):
        assert line
    heard.append(line.strip())
    connection.close()


def test_how_long_the_rest_takes_is_told_by_what_is_seen_now_and_not_by_what_was_seen_long_ago(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = SimpleNamespace(now_s=0.0, stored=0)
    monkeypatch.setattr(event_streams, "time", SimpleNamespace(monotonic=lambda: seen.now_s))
    here = LivePages(cast("LeagueService", SimpleNamespace(published_league=SimpleNamespace(pulse=lambda: seen))))

    def look(after_s: float, came: int) -> float | None:
        seen.now_s, seen.stored = seen.now_s + after_s, seen.stored + came
        here._look([])
        return here.left_s(100)

    assert here.left_s(100) is None
    assert [look(1, 5), look(1, 5), look(1, 15)] == [None, 20, 10]
    seen.now_s += 600
    assert here.left_s(100) is None
    assert [look(1, 6_000), look(1, 50)] == [None, 2]


class Drawing:
    """Draws replays, which takes a while."""

    def __init__(self) -> None:
        self.drawn = 0
        self.at_once = 0

    def draw(self, match: str) -> bytes:
        self.at_once += 1
        assert self.at_once == 1
        time.sleep(0.02)
        self.at_once -= 1
        self.drawn += 1
        return f"the replay of {match}".encode()


def test_replays_are_drawn_one_at_a_time_once_each_and_for_no_crowd() -> None:
    drawing, answers = Drawing(), list[object]()

    async def ask(replays: Replays, match: str) -> None:
        try:
            answers.append(await replays.page(("autumn", "", match), lambda: drawing.draw(match)))
        except Problem as refused:
            answers.append(type(refused))

    async def crowd() -> None:
        replays = Replays()
        async with anyio.create_task_group() as group:
            for number in range(12):
                group.start_soon(ask, replays, f"match {number % 2}")
        await ask(replays, "match 0")

    anyio.run(crowd)
    assert drawing.drawn == 2
    assert answers.count(Problem) == 4
    assert answers[-1] == b"the replay of match 0"
