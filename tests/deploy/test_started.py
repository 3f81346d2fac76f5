"""What docs/deploy/compose.yaml would start, started as plain processes with the very same files, and used over TLS.

No container engine runs here. PostgreSQL and Caddy are Debian's; addresses inside the network of compose become
127.0.0.1.
"""

import json
import os
import signal
import socket
import ssl
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.cli.command import REFEREE, referee
from tests.deploy.test_files import DEPLOY, commands, needs_caddy
from tests.postgresql.cluster import PASSWORD, Cluster
from tests.runtime.rogues import eventually
from tests.runtime.sandbox.needed import needs_bwrap

pytestmark = [pytest.mark.deploy, pytest.mark.process, needs_caddy, needs_bwrap]

LEAGUE = """
name = "evening"
game = "agent-avenue"
deals = 2
store = "{store}"
[submissions]
opens = "2026-01-01T08:00:00+01:00"
free_mib = 0
[[tables]]
name = "simple"
seats = 2
"""


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port: int = sock.getsockname()[1]
        return port


class Site(NamedTuple):
    """What was started.

    Attributes:
        folder: that of the league file, in which the server works.
        url: the address of Caddy.
        ca: the file with the authority of Caddy's certificate.
        metrics: the address of the metrics.
        server: the server.
        log: what it printed.
    """

    folder: Path
    url: str
    ca: Path
    metrics: str
    server: "subprocess.Popen[bytes]"
    log: Path

    def ask(self, path: str, body: bytes | None = None, **headers: str) -> tuple[int, Any, bytes]:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        asked = urllib.request.Request(f"{self.url}{path}", body, named)  # noqa: S310 - of this test
        opener = urllib.request.build_opener(
            urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=self.ca)), NoRedirect()
        )
        try:
            with opener.open(asked, timeout=60) as found:
                return found.status, found.headers, found.read()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.headers, refused.read()

    def measured(self, path: str) -> tuple[int, str]:
        try:
            with urllib.request.urlopen(f"{self.metrics}{path}", timeout=60) as found:  # noqa: S310 - of this test
                return found.status, found.read().decode()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read().decode()


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


@contextmanager
def started(folder: Path, *command: str | Path, **environment: str) -> Iterator["subprocess.Popen[bytes]"]:
    with (folder / f"{Path(command[0]).name}.log").open("wb") as log:
        process = subprocess.Popen(
            [*map(str, command)], cwd=folder, stdout=log, stderr=log, env=os.environ | environment
        )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=60)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL server. A test that stops it must start it again."""
    cluster = Cluster()
    yield cluster
    cluster.close()


@pytest.fixture
def site(tmp_path: Path, cluster: Cluster) -> Iterator[Site]:
    store = cluster.new_database().replace("+psycopg", "").replace(f":{PASSWORD}", "")
    (tmp_path / "league.toml").write_text(LEAGUE.format(store=store))
    port, https, metrics = free_port(), free_port(), free_port()
    words = [word.replace("172.31.79.2", "127.0.0.1") for word in commands()["referee"]]
    words[words.index("--metrics") + 1] = f"127.0.0.1:{metrics}"
    caddy = {
        "HTTP_PORT": str(free_port()),
        "HTTPS_PORT": str(https),
        "REFEREE_HOST": "localhost",
        "REFEREE_SERVER": f"127.0.0.1:{port}",
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "CADDY_ADMIN": f"127.0.0.1:{free_port()}",
    }
    with ExitStack() as stack:
        server = stack.enter_context(started(tmp_path, REFEREE, *words, "--port", str(port), PGPASSWORD=PASSWORD))
        run = ("caddy", "run", "--config", DEPLOY / "Caddyfile", "--adapter", "caddyfile")
        stack.enter_context(started(tmp_path, *run, **caddy))
        ca = tmp_path / "data/caddy/pki/authorities/local/root.crt"
        here = Site(
            tmp_path, f"https://localhost:{https}", ca, f"http://127.0.0.1:{metrics}", server, tmp_path / "referee.log"
        )
        assert eventually(lambda: ca.exists() and _answers(here))
        yield here


def _answers(here: Site) -> bool:
    try:
        return here.ask("/readyz")[0] == 200
    except OSError:
        return False


def token_of(author: str, here: Site, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    name, role = ("teacher", "organizer") if author == "organizer" else (author, "author")
    added = referee("people", "add", name, here.folder / "league.toml", "--token", "--role", role)
    assert added.code == 0, added.err
    return added.out.strip()


def test_a_bot_is_submitted_through_caddy_its_log_is_live_and_the_league_is_played_and_copied(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_TOKEN", token_of("eva", site, monkeypatch))
    monkeypatch.chdir(site.folder)
    for name in ("bee", "ant"):
        assert referee("new", "python", name).code == 0
        command = [str(REFEREE), "submit", name, "--to", f"{site.url}/leagues/evening", "--ca", str(site.ca)]
        begun: list[tuple[float, str]] = []
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as client:
            assert client.stdout is not None
            begun += [(time.monotonic(), line) for line in client.stdout]
        assert client.returncode == 0, begun
        assert f"{name}@1 is entered" in begun[-1][1]
        assert begun[-1][0] - begun[0][0] > 0.2, "the log came while the bot was built, and not at the end"
    played = subprocess.run(
        [str(REFEREE), *commands()["runner"]], cwd=site.folder, capture_output=True, text=True, check=False, timeout=600
    )
    assert played.returncode == 0, played.stderr
    (line,) = [each for each in (site.folder / "league.toml").read_text().splitlines() if each.startswith("store")]
    there = referee("store", "copy", json.loads(line.partition("=")[2]), "backup.sqlite")
    assert there.code == 0, there.err
    assert "evening: 4 matches" in there.out
    shown = referee("league", "standings", "league.toml", "--store", "sqlite:///backup.sqlite", "--json").json
    assert shown["digest"] == referee("league", "standings", "league.toml", "--json").json["digest"]


def test_a_session_is_for_tls_alone_and_outlives_a_change_of_the_league_file(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    token, league = token_of("organizer", site, monkeypatch), "/leagues/evening"
    form = {"content_type": "application/x-www-form-urlencoded", "origin": site.url}
    status, headers, _ = site.ask("/login", f"token={token}".encode(), **form)
    cookie = headers["set-cookie"]
    assert (status, "Secure" in cookie, "HttpOnly" in cookie) == (303, True, True)
    other = site.ask("/login", f"token={token}".encode(), **form | {"origin": "https://other.example.org"})
    assert other[0] == 403
    file, session = site.folder / "league.toml", {"cookie": cookie.partition(";")[0]}
    assert b"Matches a minute" in site.ask(f"{league}/league", **session)[2]
    good = file.read_text()
    file.write_text(good.replace("deals = 2", "deals = none"))
    site.server.send_signal(signal.SIGHUP)
    assert eventually(lambda: b"The league file is wrong" in site.ask(f"{league}/league", **session)[2])
    assert b"The league file is wrong" not in site.ask(f"{league}/league")[2]
    file.write_text(good.replace("free_mib = 0", "free_mib = 0\ncloses = 2026-02-01T00:00:00Z"))
    site.server.send_signal(signal.SIGHUP)
    assert eventually(lambda: b"Only the organizer enters bots now" in site.ask(f"{league}/league")[2])
    page = site.ask(f"{league}/league", **session)[2]
    assert b"Matches a minute" in page
    assert b"The league file is wrong" not in page
    assert "is not taken in, and evening is served as before" in site.log.read_text()


def test_the_public_port_says_one_word_and_the_address_of_the_metrics_names_what_fails(
    site: Site, cluster: Cluster
) -> None:
    assert (site.ask("/healthz")[0], site.ask("/healthz")[2]) == (200, b"alive")
    assert (site.ask("/readyz")[0], site.ask("/readyz")[2]) == (200, b"ready")
    assert site.ask("/metrics")[0] == 404
    assert site.measured("/readyz") == (200, "ready\n")
    text = site.measured("/metrics")[1]
    assert 'referee_matches{league="evening"} 0.0' in text
    assert 'referee_process_restarts_total{process="tournaments.web.service.submission_worker"} 0.0' in text
    cluster.stop()
    try:
        assert eventually(lambda: site.ask("/readyz")[0] == 503)
        assert site.ask("/readyz")[2] == b"unready"
        assert site.ask("/healthz")[0] == 200
        status, names = site.measured("/readyz")
        assert (status, "store of evening" in names) == (503, True)
        assert site.measured("/metrics")[0] == 200
    finally:
        cluster.start()
    assert eventually(lambda: site.ask("/readyz")[0] == 200)


def test_a_header_of_20_kib_passes_caddy_and_the_server(site: Site) -> None:
    assert site.ask("/leagues/evening/standings", x_long="x" * 20_480)[0] == 200
