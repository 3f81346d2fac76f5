"""Who opens many connections, or sends many archives, shuts nobody else out."""

import contextlib
import itertools
import math
import resource
import select
import socket
import ssl
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from referee.http_server.client_clock import ClientTimeouts
from referee.http_server.open_connections import OpenConnections
from tests.http_server.test_slow_clients import CERTIFICATE
from tests.runtime.remotes import TLS
from tests.tournaments.web.service.hall import Hall, hall, token_of
from tests.tournaments.web.visitors.visitor import Visitor
from tests.tournaments.workshops import archive
from tournaments.web.service.replies import Problem
from tournaments.web.service.server import ProxiedRequests, Proxies
from tournaments.web.service.uploads import UploadLimits, UploadQueue

API = "/leagues/autumn/api"
USUAL = ClientTimeouts()
PROMISED_S = 1.0
GUARD_S = 10.0
"""What a test asks for; the machine may do much else."""

Tell = Callable[[str, Mapping[str, object]], None]


@pytest.fixture(autouse=True)
def open_files() -> Iterator[None]:
    """Both ends of all connections are in this process."""
    before, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, most), most))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (before, most))


@pytest.fixture
def url(tmp_path: Path) -> str:
    """Of one kind of store: these tests are not about stores."""
    return f"sqlite:///{tmp_path / 'league.sqlite'}"


def longest_s(served: Hall, times: int = 5) -> float:
    """The longest time in which an honest visitor is answered."""
    worst = 0.0
    for _ in range(times):
        began_s = time.monotonic()
        assert served.ask("/leagues").status == served.ask(API).status == 200
        worst = max(worst, time.monotonic() - began_s)
    return worst


@contextmanager
def idle(
    port: int, count: int, hosts: Iterator[str], begin: bytes = b"GET / HTTP/1.1\r\n"
) -> Iterator[list[socket.socket]]:
    """So many idle connections, all opened before, in which a header or a handshake has begun."""
    with ExitStack() as stack:
        lines = []
        for host in itertools.islice(hosts, count):
            line = stack.enter_context(socket.create_connection(("127.0.0.1", port), 30, (host, 0)))
            with contextlib.suppress(ConnectionError):
                line.sendall(begin)
            lines.append(line)
        yield lines


def ended(lines: list[socket.socket]) -> list[socket.socket]:
    """Those of the connections that the server has answered or ended."""
    poll, numbers = select.poll(), {line.fileno(): line for line in lines}
    for number in numbers:
        poll.register(number, select.POLLIN)
    return [numbers[number] for number, _ in poll.poll(0)]


def answer(line: socket.socket) -> bytes:
    """The first bytes that the server sent; none if it needed the room for others."""
    with contextlib.suppress(ConnectionError):
        return line.recv(15)
    return b""


@pytest.mark.slow
@pytest.mark.parametrize("attacker", ["127.0.0.2", "127.0.0.1"])
def test_a_visitor_is_answered_beside_600_idle_connections_of_one_address_also_if_it_is_the_own(
    attacker: str, url: str, tell: Tell
) -> None:
    with hall(url, patience=USUAL) as here, idle(here.port, 600, itertools.repeat(attacker)) as lines:
        worst_s = longest_s(here)
        assert len(ended(lines)) >= 600 - USUAL.connections_each
    assert worst_s < GUARD_S
    tell("idle of one address", {"s": round(worst_s, 3), "promised": PROMISED_S})


@pytest.mark.slow
def test_a_visitor_is_answered_beside_600_idle_connections_of_600_networks(url: str, tell: Tell) -> None:
    hosts = (f"127.0.{number // 250 + 1}.{number % 250 + 1}" for number in range(600))
    with hall(url, patience=USUAL) as here, idle(here.port, 600, hosts) as lines:
        worst_s = longest_s(here)
        assert len(ended(lines)) >= 600 - USUAL.connections
    assert worst_s < GUARD_S
    tell("idle of many networks", {"s": round(worst_s, 3), "promised": PROMISED_S})


@pytest.mark.slow
def test_a_visitor_is_answered_beside_600_handshakes_that_stall(url: str, tell: Tell) -> None:
    context = ssl.create_default_context(cafile=TLS / "ca.pem")
    with (
        hall(url, patience=USUAL, certificate=CERTIFICATE) as here,
        idle(here.port, 600, itertools.repeat("127.0.0.2"), b"\x16\x03\x01\x02\x00") as lines,
    ):
        began_s = time.monotonic()
        with (
            socket.create_connection(("127.0.0.1", here.port), 30) as plain,
            context.wrap_socket(plain, server_hostname="localhost") as line,
        ):
            line.sendall(b"GET /leagues HTTP/1.1\r\nHost: here\r\n\r\n")
            assert line.recv(15) == b"HTTP/1.1 200 OK"
        waited_s = time.monotonic() - began_s
        assert len(ended(lines)) >= 600 - USUAL.connections_each
    assert waited_s < GUARD_S
    tell("handshakes", {"s": round(waited_s, 3), "promised": PROMISED_S})


@pytest.mark.slow
def test_a_visitor_and_another_author_are_answered_beside_600_uploads_of_one_author(url: str, tell: Tell) -> None:
    head = (
        f"POST {API}/submissions HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer {token_of('eva')}\r\n"
        "Content-Type: application/gzip\r\nContent-Length: 60000000\r\n\r\n"
    ).encode()

    uploads = head + bytes(8 << 10)
    with hall(url, patience=USUAL) as here, idle(here.port, 600, itertools.repeat("127.0.0.2"), uploads) as lines:
        worst_s = longest_s(here)
        began_s = time.monotonic()
        assert here.send(archive().getvalue(), "max").status == 201
        worst_s = max(worst_s, time.monotonic() - began_s)
        answers = Counter(map(answer, ended(lines)))
    assert answers.total() >= 600 - USUAL.connections_each
    assert answers[b"HTTP/1.1 429 To"] > 0
    assert answers.keys() <= {b"HTTP/1.1 429 To", b""}
    assert worst_s < GUARD_S
    tell("uploads of one author", {"s": round(worst_s, 3), "promised": PROMISED_S})


def test_who_sends_too_many_archives_at_once_is_told_when_to_try_again(url: str) -> None:
    head = (
        f"POST {API}/submissions HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer {token_of('eva')}\r\n"
        "Content-Type: application/gzip\r\nContent-Length: 4000000\r\n\r\n"
    ).encode()
    with hall(url, patience=replace(USUAL, header_s=600)) as here, ExitStack() as stack:
        for _ in range(UploadLimits().most_each):
            line = stack.enter_context(socket.create_connection(("127.0.0.1", here.port)))
            line.sendall(head + bytes(1000))
        time.sleep(0.5)
        refused = here.send(archive().getvalue())
        assert (refused.status, refused.headers["retry-after"]) == (429, "10")
        assert refused.detail == "too many of your archives arrive at once; wait until some have arrived"
        assert here.send(archive().getvalue(), "max").status == 201


async def problem_of(queue: UploadQueue, author: str) -> tuple[int, str]:
    with pytest.raises(Problem) as refused, queue.place(author):
        async with queue.turn(author):
            pass
    return refused.value.status, refused.value.headers["retry-after"]


def test_uploads_wait_so_many_of_each_and_in_all_and_so_long_and_no_more() -> None:
    async def test() -> None:
        queue = UploadQueue(UploadLimits(reading=2, reading_each=1, most=3, most_each=2, wait_s=0.05))
        with queue.place("eva"):
            async with queue.turn("eva"):
                assert await problem_of(queue, "eva") == (503, "10")  # it has waited too long
                with queue.place("eva"):
                    assert await problem_of(queue, "eva") == (429, "10")
                    with queue.place("max"):
                        async with queue.turn("max"):
                            assert await problem_of(queue, "ann") == (503, "10")
        for author in ("eva", "max", "ann"):
            with queue.place(author):
                async with queue.turn(author):
                    pass

    anyio.run(test)


# Which connection goes


class Line:
    def __init__(self, late_s: float) -> None:
        self.late_s = late_s


@given(st.lists(st.tuples(st.sampled_from(["a", "b", "c", None]), st.integers(-1, 3)), max_size=60))
def test_there_are_never_too_many_connections_and_only_one_that_is_late_gives_way(
    arrivals: list[tuple[str | None, int]],
) -> None:
    connections = OpenConnections[Line](most=8, most_each=3)
    there: dict[Line, str | None] = {}
    for network, late_s in arrivals:
        there[new := Line(late_s)] = network
        goes = connections.add(new, network)
        of = Counter(there.values())
        too_many = {each for each in there if network is not None and there[each] == network and of[network] > 3}
        too_many = too_many or (set(there) if len(there) > 8 else set())
        assert (goes is not None) == bool(too_many)
        if goes is not None:
            others = [each.late_s for each in too_many - {new}]
            assert goes in too_many
            assert goes is new or goes.late_s == max(others) >= 0
            assert goes is not new or max(others) < 0
            connections.remove(goes)
            del there[goes]


def test_the_oldest_of_those_that_are_equally_late_goes_and_the_room_of_one_that_left_is_free() -> None:
    connections = OpenConnections[Line](most=2, most_each=2)
    first, second, third, fourth = (Line(1.0) for _ in range(4))
    assert [connections.add(each, "a") for each in (first, second, third)] == [None, None, first]
    for gone in (first, second, second):
        connections.remove(gone)
    assert connections.add(fourth, "b") is None
    assert connections.add(Line(-math.inf), "b") is third


def test_a_connection_that_must_end_counts_until_it_has_ended_and_is_not_chosen_again() -> None:
    connections = OpenConnections[Line](most=2, most_each=2)
    first, second, third = Line(2.0), Line(1.0), Line(-math.inf)
    assert [connections.add(each, "a") for each in (first, second, third)] == [None, None, first]
    first.late_s = -math.inf
    assert connections.add(Line(-math.inf), "b") is second


# Behind a proxy


def test_behind_a_proxy_the_requests_of_a_network_at_once_are_limited_and_those_of_others_are_not_in_the_way() -> None:
    async def test() -> None:
        going_on, end = anyio.Event(), anyio.Event()

        async def app(_scope: object, _receive: object, send: Callable[..., Awaitable[None]]) -> None:
            going_on.set()
            await end.wait()
            await send({"type": "http.response.start", "status": 204, "headers": []})
            await send({"type": "http.response.body"})

        visitor = Visitor(ProxiedRequests(app, Proxies(""), most_each=1))
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(visitor.get, "/")
            await going_on.wait()
            refused = await visitor.get("/")
            assert (refused.status, refused.headers["retry-after"]) == (429, "10")
            end.set()
        assert (await visitor.get("/")).status == 204

    anyio.run(test)


@pytest.mark.parametrize(
    ("proxies", "forwarded", "client"),
    [
        ("10.0.0.1", "192.0.2.1", "192.0.2.1"),
        ("10.0.0.1", "1.1.1.1, 192.0.2.1:99, 10.0.0.1", "192.0.2.1"),  # the client said that it is 1.1.1.1
        ("10.0.0.0/24, ::1", "192.0.2.1,10.0.0.9", "192.0.2.1"),
        ("10.0.0.1", "10.0.0.1", "10.0.0.1"),
        ("10.0.0.1", "[2001:db8::1]:99", "2001:db8::1"),
        ("10.0.0.1", "2001:db8::1", "2001:db8::1"),
        ("*", "1.1.1.1, 192.0.2.1", "1.1.1.1"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.2", "192.0.2.1", "10.0.0.1"),  # it is no proxy of ours
        ("nonsense/99,", "192.0.2.1", "10.0.0.1"),
    ],
)
def test_the_client_is_the_last_one_that_is_no_proxy_of_ours(proxies: str, forwarded: str, client: str) -> None:
    found = anyio.run(_seen_behind, proxies, {"x-forwarded-for": forwarded, "x-forwarded-proto": "https"})
    assert found["client"][0] == client
    assert found["scheme"] == ("https" if "10.0.0.1" in Proxies(proxies) else "http")


async def _seen_behind(proxies: str, headers: Mapping[str, str]) -> dict[str, Any]:
    """What an app sees of a request from 10.0.0.1."""
    seen = []

    async def app(scope: Any, _receive: object, _send: object) -> None:
        seen.append(scope)

    lines = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "scheme": "http", "client": ("10.0.0.1", 5), "headers": lines}
    await ProxiedRequests(app, Proxies(proxies), most_each=9)(scope, None, None)  # type: ignore[arg-type] # unused
    return dict(seen[0])
