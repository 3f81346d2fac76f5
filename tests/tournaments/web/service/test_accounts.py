"""Joining by links, logging in, one's own account, and secrets that end in the middle."""

import asyncio
import http.client
import re
import ssl
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from msgspec.structs import replace

from tests.runtime.remotes import TLS
from tests.tournaments.accounts import give, let_in, token_of
from tests.tournaments.web.service.callers import Caller
from tests.tournaments.web.service.hall import OPEN, Answer, Hall, hall
from tests.tournaments.workshops import archive
from tournaments.league.model import Entry, Remote
from tournaments.league.people import Person
from tournaments.store import sha256_of
from tournaments.web.service.app import ServiceLimits
from tournaments.web.service.server import Certificate
from tournaments.web.service.token_bucket import Rate

LIMITS = ServiceLimits(requests=Rate(burst=1 << 20, a_second=1e6))
FORM = {"content_type": "application/x-www-form-urlencoded", "sec_fetch_site": "same-origin"}


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Hall]:
    with hall(f"sqlite:///{tmp_path}/league.sqlite", limits=LIMITS) as found:
        yield found


def linked(served: Hall, *names: str) -> dict[str, str]:
    """New persons with their links."""
    now_ms = time.time_ns() // 1_000_000
    listed = {line: Person(name, name, full_name="Geheim") for line, name in enumerate(names, 2)}
    return served.store.people.add(listed, now_ms)


def post(served: Hall, path: str, cookie: str = "", headers: dict[str, str] = FORM, **fields: str) -> Answer:
    given = {**headers, "cookie": cookie} if cookie else headers
    return served.ask(path, None, "POST", urlencode(fields).encode(), **given)


def session_of(answer: Answer) -> str:
    return answer.headers["set-cookie"].partition(";")[0]


def test_to_open_a_link_changes_nothing_and_to_press_its_button_joins_once(served: Hall) -> None:
    link = linked(served, "ann")["ann"]
    pages = [served.ask(f"/join/{link}") for _ in range(2)]
    assert [page.status for page in pages] == [200, 200]
    assert pages[0].body == pages[1].body
    assert b"Geheim" not in pages[0].body
    assert "set-cookie" not in pages[0].headers
    assert (pages[0].headers["cache-control"], pages[0].headers["referrer-policy"]) == ("no-store", "same-origin")
    wrong = post(served, f"/join/{link}", display_name="=1+1")
    assert (wrong.status, b"a display name has" in wrong.body) == (409, True)
    joined = post(served, f"/join/{link}", display_name="Änn")
    assert (joined.status, joined.headers["location"]) == (303, "/me")
    assert "Änn".encode() in served.ask("/me", cookie=session_of(joined)).body
    assert "Änn".encode() in served.ask("/leagues/autumn/standings", cookie=session_of(joined)).body


def test_a_used_an_old_and_an_invented_link_give_the_same_page_by_get_and_by_post(served: Hall) -> None:
    link = linked(served, "ann", "bob")["ann"]
    post(served, f"/join/{link}", display_name="Ann")
    give(served.store, "bob", "old", "link", ends_ms=2)
    found = [served.ask(f"/join/{each}", accept="text/html") for each in (link, "old", "invented", "%C3%A9%00")]
    assert {page.status for page in found} == {404}
    assert len({page.body for page in found}) == 1
    assert {post(served, f"/join/{each}", display_name="x").status for each in (link, "old", "invented")} == {404}


@pytest.mark.parametrize(
    "headers", [{"sec_fetch_site": "cross-site"}, {"sec_fetch_site": "none"}, {"origin": "https://evil.example"}, {}]
)
def test_no_other_site_acts_for_a_person(served: Hall, headers: dict[str, str]) -> None:
    give(served.store, "eva", "hers", "session")
    link = linked(served, "ann")["ann"]
    given = {"content_type": FORM["content_type"], **headers}
    for path in ("/me/tokens", "/me/end", "/logout", "/login", f"/join/{link}", "/people/max/link"):
        assert post(served, path, "referee=hers", given, display_name="Ann", token=token_of("max")).status == 403
    assert len(served.store.people.secrets_of("eva", 5)) == 2
    assert served.ask(f"/join/{link}").status == 200


def test_a_session_is_a_cookie_of_the_host_over_tls_and_a_plain_one_without(served: Hall, tmp_path: Path) -> None:
    plain = post(served, "/login", token=token_of("eva")).headers["set-cookie"]
    assert re.fullmatch(r"referee=[0-9a-f]{64}; HttpOnly; Max-Age=2592000; Path=/; SameSite=lax", plain)
    certificate = Certificate(TLS / "bot.pem", TLS / "bot.key")
    with hall(f"sqlite:///{tmp_path}/tls.sqlite", certificate=certificate) as secure:
        context = ssl.create_default_context(cafile=str(TLS / "ca.pem"))
        line = http.client.HTTPSConnection("localhost", secure.port, context=context)
        headers = {"Content-Type": FORM["content_type"], "Sec-Fetch-Site": "same-origin"}
        line.request("POST", "/login", urlencode({"token": token_of("eva")}), headers)
        answer = line.getresponse()
        answer.read()
        cookie = str(answer.getheader("set-cookie"))
        assert re.fullmatch(
            r"__Host-referee=[0-9a-f]{64}; HttpOnly; Max-Age=2592000; Path=/; SameSite=lax; Secure", cookie
        )
        secret = cookie.partition(";")[0].partition("=")[2]
        for name, knows in (("__Host-referee", True), ("referee", False)):  # a plain page could set the latter
            line.request("GET", "/me", headers={"Cookie": f"{name}={secret}"})
            seen = line.getresponse()
            seen.read()
            assert (seen.status == 200) == knows
        line.close()


def test_sessions_outlive_the_server(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/league.sqlite"
    with hall(url) as served:
        cookie = session_of(post(served, "/login", token=token_of("eva"), league="autumn"))
    with hall(url) as served:
        assert served.ask("/me", cookie=cookie).status == 200


def test_a_person_makes_and_ends_tokens_and_logs_out_everywhere(served: Hall) -> None:
    cookie = session_of(post(served, "/login", token=token_of("eva")))
    page = post(served, "/me/tokens", cookie, label="<lap\x07top>").body.decode()
    token = re.search(r"<pre>([0-9a-f]{64})</pre>", page)
    assert token
    assert "&lt;laptop&gt;" in page
    assert token[1] not in served.ask("/me", cookie=cookie).body.decode()  # it is display_name once
    bearer = {"authorization": f"Bearer {token[1]}"}
    assert served.ask("/leagues/autumn/api/me", **bearer).json["name"] == "eva"
    post(served, "/me/end", cookie, secret=sha256_of(token[1]))
    assert served.ask("/leagues/autumn/api/me", **bearer).status == 401
    post(served, "/me/end", cookie, secret=sha256_of(token_of("max")))  # it is not hers
    assert served.ask("/leagues/autumn/api/me", "max").status == 200
    assert post(served, "/me/end", cookie).headers["location"] == "/"
    assert served.ask("/me", cookie=cookie).status == 303
    assert served.ask("/leagues/autumn/api/me", "eva").status == 401


def test_a_form_sends_nobody_to_another_site(served: Hall) -> None:
    for league in ("//evil.example", "autumn/../..", "https://evil.example", "winter"):
        assert post(served, "/login", token=token_of("eva"), league=league).headers["location"] == "/me"
    assert b"evil" not in served.ask("/login?league=%22%3E%3Cevil").body.replace(b"&lt;evil", b"")


def test_nobody_guesses_faster_than_the_rate_of_their_network(tmp_path: Path) -> None:
    limits = ServiceLimits(requests=Rate(burst=5, a_second=0.001))
    with hall(f"sqlite:///{tmp_path}/league.sqlite", limits=limits) as served:
        statuses = [post(served, "/login", token=str(at)).status for at in range(4)]
        statuses += [served.ask(f"/join/{at}").status for at in range(4)]
        assert statuses == [403] * 4 + [404] + [429] * 3


def test_an_upload_whose_token_ends_meanwhile_is_not_taken(served: Hall) -> None:
    body = archive().getvalue()
    line = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
    line.putrequest("POST", "/leagues/autumn/api/submissions")
    for name, value in (("Authorization", f"Bearer {token_of('eva')}"), ("Content-Type", "application/gzip")):
        line.putheader(name, value)
    line.putheader("Content-Length", str(len(body)))
    line.endheaders(body[:10])
    deadline_s = time.monotonic() + 60
    while not served.ask("/leagues/autumn/api/admission", "eva").json["author"] and time.monotonic() < deadline_s:
        time.sleep(0.01)
    time.sleep(0.5)  # the head of the request is read by then
    served.store.people.remove("eva", 5, erase=False)
    line.send(body[10:])
    answer = line.getresponse()
    assert answer.status == 401
    line.close()
    assert served.store.submissions.under_way() == ()


def test_a_seat_of_a_team_is_for_its_members_and_their_tokens_until_they_are_removed(tmp_path: Path) -> None:
    far = Entry("far@1", "seat:foxes/far@1", Remote(calls=True), author="foxes")
    with hall(f"sqlite:///{tmp_path}/seats.sqlite", replace(OPEN, name="hall", entries=(far,)), authors=()) as here:
        for name, team in (("eva", "foxes"), ("max", "")):
            let_in(here.store, name, team=team)
        give(here.store, "eva", "hers", "session")

        async def called(token: str) -> int:
            async with Caller(here.port, "far@1", token, None) as caller:
                return caller.status

        def statuses() -> list[int]:
            return [asyncio.run(called(token)) for token in (token_of("eva"), token_of("max"), "hers", "nonsense")]

        assert statuses() == [101, 403, 401, 401]
        here.store.people.remove("eva", 5, erase=False)
        assert statuses() == [401, 403, 401, 401]


def test_the_page_of_an_account_leads_to_the_leagues_and_only_staff_to_people(served: Hall) -> None:
    let_in(served.store, "sue", "spectator")
    give(served.store, "sue", "hers", "session")
    page = served.ask("/me", cookie="referee=hers").body
    assert b'href="/leagues/autumn/entries"' in page
    assert b'href="/people"' not in page


def test_tables_show_the_display_names_of_authors_and_search_for_them(served: Hall) -> None:
    link = linked(served, "ann")["ann"]
    post(served, f"/join/{link}", display_name="Änn Müller")
    give(served.store, "ann", token_of("ann"))
    number = served.send(archive().getvalue(), "ann").json["number"]
    while served.work():
        pass
    for query in ("", "?find=m%C3%BCll"):
        (entry,) = served.ask(f"/leagues/autumn/api/entries{query}").json["items"]
        assert (entry["bot"], entry["author"]) == ("bee@1", "Änn Müller")
        assert "Änn Müller".encode() in served.ask(f"/leagues/autumn/entries{query}").body
    assert served.ask("/leagues/autumn/api/entries?find=ann").json["items"] == []
    assert served.ask(f"/leagues/autumn/api/submissions/{number}", "ann").json["author"] == "ann"
