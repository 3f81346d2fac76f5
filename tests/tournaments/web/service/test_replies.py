"""Answers to visitors are compressed where clients take that, and no answer to an author is."""

import gzip
from collections.abc import Iterator

import pytest

from tests.tournaments.web.service.hall import Hall, hall
from tests.tournaments.web.service.test_browser_routes import cookie_of, logged_in
from tournaments.web.service.replies import SHORTEST, accepts_gzip

LONG = "/leagues/autumn/matches"
API = "/leagues/autumn/api"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    with hall(f"sqlite:///{tmp_path_factory.mktemp('store')}/league.sqlite") as found:
        yield found


@pytest.mark.parametrize("path", [LONG, "/leagues/autumn/league", "/look/pages.css", "/openapi.json"])
def test_a_long_answer_to_a_visitor_is_the_same_in_gzip_with_another_entity_tag(served: Hall, path: str) -> None:
    plain, packed = served.ask(path), served.ask(path, accept_encoding="br, gzip")
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    assert len(packed.body) < len(plain.body) / 2
    assert "content-encoding" not in plain.headers
    assert plain.headers["etag"] != packed.headers["etag"]
    assert all("accept-encoding" in answer.headers["vary"] for answer in (plain, packed))


def test_an_unchanged_answer_is_not_sent_again_in_the_coding_that_the_client_has(served: Hall) -> None:
    packed = served.ask(LONG, accept_encoding="gzip")
    again = served.ask(LONG, accept_encoding="gzip", if_none_match=packed.headers["etag"])
    assert (again.status, again.body, again.headers["etag"]) == (304, b"", packed.headers["etag"])
    assert served.ask(LONG, if_none_match=packed.headers["etag"]).status == 200


def test_the_headers_of_an_answer_are_those_that_its_body_would_have(served: Hall) -> None:
    whole, head = (served.ask(LONG, method=method, accept_encoding="gzip") for method in ("GET", "HEAD"))
    assert (head.status, head.body) == (200, b"")
    for name in ("etag", "content-encoding", "content-length", "vary"):
        assert head.headers[name] == whole.headers[name], name


def test_what_an_author_gets_is_not_compressed_since_typed_words_stand_beside_secrets(served: Hall) -> None:
    cookie = cookie_of(logged_in(served))
    for answer in (
        served.ask(f"{LONG}?bot=guess", accept_encoding="gzip", cookie=cookie),
        served.ask("/leagues/autumn/submit", accept_encoding="gzip", cookie=cookie),
        served.ask(API, "eva", accept_encoding="gzip"),
    ):
        assert answer.status == 200
        assert answer.body
        assert "content-encoding" not in answer.headers


def test_a_short_answer_is_sent_as_it_is(served: Hall) -> None:
    found = served.ask("/leagues", accept_encoding="gzip")
    assert len(found.body) < SHORTEST
    assert "content-encoding" not in found.headers


@pytest.mark.parametrize(
    ("header", "takes"),
    [
        ("gzip", True),
        ("br;q=1.0, GZIP;q=0.8", True),
        ("gzip; q=0.5", True),
        ("gzip;q=0", False),
        ("gzip;q=0.000", False),
        ("identity", False),
        ("", False),
        ("*", False),
        ("x-gzip-not", False),
        (",;,=;;q=gzip" * 100, False),
    ],
)
def test_only_a_client_that_says_so_gets_gzip(header: str, takes: bool) -> None:
    assert accepts_gzip({"accept-encoding": header}) == takes
