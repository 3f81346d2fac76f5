"""Bad requests, by the risks that OWASP lists for APIs: each gets a clear refusal, and changes nothing."""

import contextlib
import gzip
import http.client
import json
import socket
from collections.abc import Callable, Iterator

import pytest
from msgspec.structs import replace

from tests.tournaments.stores import in_sql
from tests.tournaments.submissions.bad import BAD
from tests.tournaments.web.service.hall import OPEN, Answer, Hall, hall, token_of
from tests.tournaments.workshops import archive
from tournaments.league.service_terms import SubmissionTerms

API = "/leagues/autumn/api"
GOOD = archive("wasp").getvalue()
SMALL = replace(OPEN, submissions=SubmissionTerms(free_mib=0, size_mib=1))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    url = f"sqlite:///{tmp_path_factory.mktemp('store') / 'league.sqlite'}"
    with hall(url, SMALL) as here:
        here.send(archive().getvalue(), "eva")
        yield here


COUNTED = ("submission", "tree", "piece", "audit", "change", "author", "bot_owner")
COUNTS = ", ".join(f"(SELECT count(*) FROM {table})" for table in COUNTED)  # noqa: S608 - ours


def stored(served: Hall) -> list[tuple[object, ...]]:
    """How many rows there are of all that a submission leaves behind."""
    return in_sql(served.store.url, f"SELECT {COUNTS}")


Ask = Callable[[Hall], Answer]

BAD_REQUESTS: dict[str, tuple[Ask, int]] = {
    # of the risk API1, what belongs to somebody else
    "another author's submission": (lambda h: h.ask(f"{API}/submissions/{h.number()}", "max"), 404),
    "another author's events": (lambda h: h.ask(f"{API}/submissions/{h.number()}/events", "max"), 404),
    "another author's list": (lambda h: h.ask(f"{API}/submissions?author=eva", "max"), 400),
    "another league's submission": (lambda h: h.ask(f"/leagues/spring/api/submissions/{h.number()}", "eva"), 404),
    "a number below all": (lambda h: h.ask(f"{API}/submissions/-1", "eva"), 400),
    "a number above all": (lambda h: h.ask(f"{API}/submissions/{10**30}", "eva"), 400),
    "a number that is none": (lambda h: h.ask(f"{API}/submissions/1%20OR%201=1", "eva"), 400),
    "the output of others' bots": (lambda h: h.ask(f"{API}/output/nim/of-2/a@1+b@1/deal-0/turn-0", "max"), 404),
    # of the risk API2, who one is
    "no token": (lambda h: h.send(GOOD, None), 401),
    "a wrong token": (lambda h: h.send(GOOD, None, authorization=f"Bearer {'0' * 64}"), 401),
    "the digest of a token": (lambda h: h.ask(f"{API}/admission", authorization="Bearer " + "a" * 64), 401),
    "a name and a password": (lambda h: h.send(GOOD, None, authorization="Basic ZXZhOmV2YQ=="), 401),
    "a token in the query": (lambda h: h.send(GOOD, None, f"submissions?token={token_of('eva')}"), 401),
    "a token in a cookie": (lambda h: h.send(GOOD, None, cookie=f"token={token_of('eva')}"), 401),
    "a token of half a megabyte": (lambda h: h.ask(API, authorization="Bearer " + "a" * 20_000), 401),
    # of the risk API3, properties that are not for the asker
    "an author of one's choice": (lambda h: h.send(GOOD, "max", "submissions?author=eva"), 400),
    "a state of one's choice": (lambda h: h.send(GOOD, "max", "submissions?state=entered"), 400),
    # of the risk API4, more than is good
    "more than an archive may have, announced": (lambda h: h.send(b"", content_length=str(1 << 40)), 413),
    "more than an archive may have, sent": (lambda h: chunked(h, b"x" * (8 << 20)), 413),
    "pages of any length": (lambda h: h.ask(f"{API}/matches?most=1000000"), 400),
    "a page of nothing": (lambda h: h.ask(f"{API}/matches?most=0"), 400),
    "a query without end": (lambda h: h.ask(f"{API}/matches?bot={'b' * 3000}"), 400),
    # of the risk API5, what only the organizer does
    "withdraw somebody's bot": (lambda h: h.ask(f"{API}/entries/bee@1", "max", "DELETE"), 405),
    "add an author": (lambda h: h.ask(f"{API}/authors", "max", "POST"), 404),
    "close the league": (lambda h: h.ask(API, "max", "POST"), 405),
    "another method by a header": (lambda h: h.ask(API, "max", "POST", x_http_method_override="GET"), 405),
    # of the risk API7, requests made by the service
    "an archive at an address": (lambda h: h.send(b"http://127.0.0.1:22/", "max"), 422),
    # of the risk API8, settings
    "JSON instead of an archive": (lambda h: h.send(b"{}", "max", content_type="application/json"), 415),
    "a form instead of an archive": (lambda h: h.send(b"a=b", "max", content_type="multipart/form-data"), 415),
    "an archive without a type": (lambda h: h.ask(f"{API}/submissions", "max", "POST", GOOD), 415),
    "an archive in an archive": (lambda h: h.send(gzip.compress(GOOD), "max", content_encoding="gzip"), 415),
    "a file of the server": (lambda h: h.ask("/leagues/autumn/api/../../../../etc/passwd"), 404),
    "a file of the server, encoded": (lambda h: h.ask("/leagues/%2e%2e%2f%2e%2e%2fetc%2fpasswd/api"), 404),
    "a transcript of the server": (lambda h: h.ask(f"{API}/transcripts/../../../../etc/passwd"), 404),
    # of the risk API9, what is not there
    "an older version": (lambda h: h.ask("/leagues/autumn/v0/standings"), 404),
    "a page for finding mistakes": (lambda h: h.ask("/debug"), 404),
    # injections
    "SQL in a search": (lambda h: h.ask(f"{API}/matches?bot=x%27%20OR%20%271%27=%271"), 200),
    "SQL in a position": (lambda h: h.ask(f"{API}/matches?after=x%27;DROP%20TABLE%20match"), 404),
    "a NUL in a search": (lambda h: h.ask(f"{API}/matches?bot=%00"), 400),
    "a NUL in a label": (lambda h: h.send(GOOD, "max", "submissions?label=%00"), 400),
    "a path in a label": (lambda h: h.send(GOOD, "max", "submissions?label=..%2F..%2Fx"), 409),
    "half a character": (lambda h: h.ask(f"{API}/entries/%ff%fe@1"), 404),
    "two labels": (lambda h: h.send(GOOD, "max", "submissions?label=a&label=b"), 400),
    "a line break in a label": (lambda h: h.send(GOOD, "max", "submissions?label=a%0d%0aX:y"), 409),
}


def chunked(served: Hall, body: bytes) -> Answer:
    """An archive without a length in front."""
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
    headers = {"authorization": f"Bearer {token_of('max')}", "content-type": "application/gzip"}
    pieces = (body[at : at + 65536] for at in range(0, len(body), 65536))
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        connection.request("POST", f"{API}/submissions", pieces, headers, encode_chunked=True)
    found = connection.getresponse()
    answer = Answer(found.status, {name.lower(): value for name, value in found.getheaders()}, found.read())
    connection.close()
    return answer


@pytest.mark.parametrize("name", BAD_REQUESTS)
def test_a_bad_request_is_refused_clearly_and_changes_nothing(name: str, served: Hall) -> None:
    ask, status = BAD_REQUESTS[name]
    before = stored(served)
    answer = ask(served)
    assert answer.status == status
    if status == 200:
        assert answer.json["items"] == []
    else:
        assert answer.detail
        assert "Traceback" not in answer.detail
        assert "/tmp" not in answer.detail  # noqa: S108 - what must not be told
    assert stored(served) == before


def test_there_are_thirty_bad_requests_and_forty_bad_archives_at_least() -> None:
    assert len(BAD_REQUESTS) >= 30
    assert len(BAD) >= 40


@pytest.mark.submissions
def test_bad_archives_are_refused_with_their_sentence_and_nothing_of_them_is_kept(served: Hall) -> None:
    before = stored(served)
    for make, sentence in BAD.values():
        answer = served.send(make(), "max")
        assert (answer.status, answer.detail) == (422, f"the archive is refused: {sentence}")
    assert stored(served) == before


def test_a_body_that_is_cut_short_is_nowhere_afterwards(served: Hall) -> None:
    before = stored(served)
    head = (
        f"POST {API}/submissions HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer {token_of('max')}\r\n"
        f"Content-Type: application/gzip\r\nContent-Length: {len(GOOD)}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", served.port), timeout=60) as line:
        line.sendall(head.encode() + GOOD[:50])
    assert served.send(b"", "max").status == 422
    assert stored(served) == before


def test_after_all_of_that_the_league_takes_bots_as_before(served: Hall) -> None:
    assert served.send(GOOD, "max").status == 201
    while served.work():
        pass
    assert json.loads(served.ask(f"{API}/submissions", "max").body)["items"][0]["state"] == "entered"
