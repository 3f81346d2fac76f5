"""The identification of requesters."""

import hashlib

import pytest

from referee.http_server.open_connections import network_of
from tournaments.league.people import Person
from tournaments.web.service.authentication import Caller, token_sha256
from tournaments.web.service.replies import Problem

TOKEN = "5f" * 32


def test_the_token_of_a_header_is_known_by_its_digest_alone() -> None:
    digest = hashlib.sha256(TOKEN.encode()).hexdigest()
    assert token_sha256(f"Bearer {TOKEN}") == digest
    assert token_sha256(f"bearer  {TOKEN}") == digest
    assert token_sha256(None) is None


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", f"Basic {TOKEN}", f"Bearer {TOKEN} {TOKEN}", f"Bearer {TOKEN}\n", "Bearer é"]
)
def test_anything_else_is_refused_without_being_repeated(header: str) -> None:
    with pytest.raises(Problem) as refused:
        token_sha256(header)
    assert refused.value.status == 401
    assert TOKEN not in refused.value.detail


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("::1", "::/64"),
        ("localhost", ""),
        (None, ""),
    ],
)
def test_visitors_are_counted_by_the_network_that_is_theirs(host: str | None, network: str) -> None:
    assert network_of(host) == network


def test_no_visitor_is_counted_as_an_author() -> None:
    assert Caller("eva").bucket != Caller("192.0.2.7", Person("eva", "Eva")).bucket
