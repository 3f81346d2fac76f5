"""Whatever clients send, and whenever they hang up: nothing is printed, and the server serves on."""

import http.client
import socket
import ssl
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.http_server.test_slow_clients import CERTIFICATE, rest
from tests.runtime.remotes import TLS
from tests.tournaments.web.service.hall import Hall, hall, token_of
from tests.tournaments.workshops import archive
from tournaments.web.service.app import ServiceLimits
from tournaments.web.service.token_bucket import Rate

LEAGUE = "/leagues/autumn"
FORM = urlencode({"token": token_of("eva")})
BROKEN = ("http://[", "[", "://", "http://a:b:c", "\xff\xfe", "")
HEADERS = (
    "Host",
    "Origin",
    "Referer",
    "Authorization",
    "Cookie",
    "Content-Type",
    "If-None-Match",
    "Accept",
    "X-Forwarded-For",
    "X-Forwarded-Proto",
    "Sec-Fetch-Site",
    "Content-Encoding",
)
PATHS = (
    ("GET", "/"),
    ("GET", LEAGUE),
    ("GET", f"{LEAGUE}/"),
    ("GET", "/login"),
    ("POST", "/login"),
    ("POST", "/logout"),
    ("GET", f"{LEAGUE}/submit"),
    ("GET", f"{LEAGUE}/api"),
    ("POST", f"{LEAGUE}/api/submissions"),
    ("POST", f"{LEAGUE}/api/scrimmages"),
    ("GET", "/nothing/"),
    ("HEAD", "/"),
    ("OPTIONS", "*"),
)


@pytest.fixture(autouse=True)
def silent(capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """The test fails if anything is printed or logged."""
    yield
    printed = capfd.readouterr()
    assert (printed.out, printed.err) == ("", "")
    assert [record.getMessage() for record in caplog.get_records("call")] == []


@pytest.fixture
def url(tmp_path: Path) -> str:
    """Of one kind of store: these tests are not about stores."""
    return f"sqlite:///{tmp_path / 'league.sqlite'}"


@pytest.fixture
def served(url: str) -> Iterator[Hall]:
    with hall(url) as here:
        yield here


@contextmanager
def called(served: Hall) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", served.port), timeout=30) as line:
        yield line


def hang_up(line: socket.socket) -> None:
    """End a connection with a reset, as a lost client does."""
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    line.close()


def status(served: Hall, method: str, path: str, **headers: str) -> int:
    given = {"Host": "here", "Content-Type": "application/x-www-form-urlencoded", **headers}
    head = "".join(f"{name}: {value}\r\n" for name, value in given.items())
    request = f"{method} {path} HTTP/1.1\r\nContent-Length: {len(FORM)}\r\nConnection: close\r\n{head}\r\n{FORM}"
    with called(served) as line:
        line.sendall(request.encode("latin-1"))
        answer = http.client.HTTPResponse(line, method=method)
        answer.begin()
        answer.read()
        return answer.status


def test_malformed_headers_are_answered_and_print_nothing(url: str) -> None:
    with hall(url, limits=ServiceLimits(requests=Rate(burst=1_000_000, a_second=1.0))) as served:
        found = {
            (name, value): status(served, "POST", "/login", **({"Origin": "http://here"} | {name: value}))
            for name in HEADERS
            for value in BROKEN
        }
        for method, path in PATHS:
            for value in BROKEN[::4]:
                every = dict.fromkeys(HEADERS, value)
                for given in (every, {**every, "Authorization": f"Bearer {token_of('eva')}"}):
                    found[method + path, value] = status(served, method, path, **given)
    assert [request for request, code in found.items() if code >= 500] == []


@pytest.mark.parametrize("origin", ["http://[", "https://evil.example", "null", "://here", "here", ""])
def test_a_login_from_an_origin_that_is_not_ours_is_refused_however_it_is_written(origin: str, served: Hall) -> None:
    assert status(served, "POST", "/login", Origin=origin) == 403
    assert status(served, "POST", "/login", Origin="http://here") == 303


HALVES = {
    "in the header": b"POST /login HTTP/1.1\r\nHost: he",
    "in a form": (b"POST /login HTTP/1.1\r\nHost: here\r\nOrigin: http://here\r\nContent-Length: 100\r\n\r\ntok"),
    "in an archive": (
        f"POST /leagues/autumn/api/submissions HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer {token_of('eva')}\r\n"
        "Content-Type: application/gzip\r\nContent-Length: 100000\r\n\r\nxyz"
    ).encode(),
    "after the request": b"GET /leagues/autumn/standings HTTP/1.1\r\nHost: here\r\n\r\n",
    "in a stream": b"GET /leagues/autumn/events HTTP/1.1\r\nHost: here\r\n\r\n",
    "in a chunk": b"POST /login HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
}


@pytest.mark.parametrize("half", HALVES)
@pytest.mark.parametrize("pause_s", [0.0, pytest.param(0.1, marks=pytest.mark.slow)])
def test_who_hangs_up_prints_nothing(half: str, pause_s: float, served: Hall) -> None:
    for _ in range(3):
        with called(served) as line:
            line.sendall(HALVES[half])
            time.sleep(pause_s)
            hang_up(line)
        with called(served) as line:
            line.sendall(HALVES[half])
            time.sleep(pause_s)
    assert served.ask("/").status == 200


def test_who_hangs_up_while_a_submission_is_followed_prints_nothing(served: Hall) -> None:
    number = served.send(archive().getvalue()).json["number"]
    head = (
        f"GET {LEAGUE}/api/submissions/{number}/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {token_of('eva')}"
    )
    with called(served) as line:
        line.sendall(f"{head}\r\n\r\n".encode())
        assert b"200 OK" in line.recv(1000)
        hang_up(line)
    assert served.ask("/").status == 200


def test_nonsense_after_the_answer_or_before_it_prints_nothing(served: Hall) -> None:
    head = b"POST /login HTTP/1.1\r\nHost: here\r\nOrigin: http://here\r\nTransfer-Encoding: chunked"
    for nonsense in (b"zz\r\n", b"5\r\nabcdefgh\r\n", b"-1\r\n", b"\0" * 100 + b"\r\n"):
        for pause_s in (0.0, 0.2):
            with called(served) as line:
                line.sendall(head.replace(b"Origin: http://here", b"Origin: http://there") if pause_s else head)
                line.sendall(b"\r\n\r\n")
                time.sleep(pause_s)
                line.sendall(nonsense)
                assert rest(line).startswith(b"HTTP/1.1 4")
    assert served.ask("/").status == 200


@pytest.mark.parametrize(
    "sent", [b"", b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00", b"\x16\x03\x01" + bytes(600)]
)
def test_who_speaks_no_tls_or_hangs_up_in_its_handshake_prints_nothing(sent: bytes, url: str) -> None:
    with hall(url, certificate=CERTIFICATE) as served:
        for _ in range(3):
            with called(served) as line:
                line.sendall(sent)
                time.sleep(0.05)
            with called(served) as line:
                line.sendall(sent)
                hang_up(line)
        time.sleep(0.2)


def test_who_breaks_off_tls_prints_nothing(url: str) -> None:
    context = ssl.create_default_context(cafile=TLS / "ca.pem")
    with hall(url, certificate=CERTIFICATE) as served:
        for nonsense in (b"", b"\x17\x03\x03\x00\x05hello", b"nonsense" * 10):
            for half in HALVES.values():
                with called(served) as plain:
                    line = context.wrap_socket(plain, server_hostname="localhost")
                    line.sendall(half)
                    raw = socket.socket(fileno=line.detach())
                    raw.sendall(nonsense)
                    hang_up(raw)
        time.sleep(0.2)
