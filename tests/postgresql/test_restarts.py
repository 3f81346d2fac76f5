"""A PostgreSQL server that goes away and comes back while a league is played, served and submitted to.

It is a server of its own: other tests run beside these.
"""

import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from email.message import Message
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.command import finish, referee, start
from tests.postgresql.cluster import Cluster
from tests.tournaments.arena import starts, write_league
from tests.tournaments.cli.runs import Place, wait_until
from tests.tournaments.stores import in_sql, opened, saved
from tests.tournaments.web.service.running import CA, QUICK, Serving, serving, token_of
from tournaments.store import Store, StoreAway
from tournaments.store.run_lock import LockHeld, LockLost
from tournaments.web.client.http_client import LeagueClient
from tournaments.web.client.submit import mine

pytestmark = [pytest.mark.postgresql, pytest.mark.slow, pytest.mark.timeout(600)]

Tell = Callable[[str, Mapping[str, object]], None]

TERMS = "[submissions]\nfree_mib = 0\nentries = 100\na_day = 100\n[service]\nrequests = 100_000\n"

MOMENTS = 10
AWAY_S = 1.5
BACK_S = 5.0
"""Pages must be right so soon after the server is back."""


@pytest.fixture(scope="module")
def mortal() -> Iterator[Cluster]:
    cluster = Cluster()
    yield cluster
    cluster.close()


@pytest.fixture
def url(mortal: Cluster) -> str:
    return mortal.new_database()


def in_file(url: str) -> str:
    """The address as league files have it, without a driver."""
    return url.replace("+psycopg", "")


class Page(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: str


def lower(headers: Message) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def page(here: Serving, path: str, accept: str = "text/html") -> Page:
    asked = urllib.request.Request(f"{here.url}{path}", headers={"Accept": accept})  # noqa: S310 - of this test
    try:
        with urllib.request.urlopen(asked, context=ssl.create_default_context(cafile=CA)) as found:  # noqa: S310
            return Page(found.status, lower(found.headers), found.read().decode())
    except urllib.error.HTTPError as refused:
        return Page(refused.code, lower(refused.headers), refused.read().decode())


def check_away(here: Serving) -> None:
    """While the server is away, every address says so in a sentence."""
    for path, media in (("/matches", "text/html"), ("/api/matches", "application/problem+json")):
        found = page(here, path, media)
        assert (found.status, found.headers["retry-after"]) == (503, "5"), found
        assert found.headers["content-type"].startswith(media)
        assert "he service cannot do this now; try again later" in found.body
        assert "Traceback" not in found.body


def check_back(here: Serving) -> float:
    """After the server is back, pages are right again. Returns after how many seconds."""
    began_s = time.monotonic()
    while page(here, "/matches").status != 200 or page(here, "/api/matches").status != 200:
        assert time.monotonic() < began_s + BACK_S
        time.sleep(0.1)
    return time.monotonic() - began_s


@pytest.mark.process
def test_a_run_goes_on_through_ten_restarts_and_plays_no_match_twice_and_pages_are_right_again_at_once(
    tmp_path: Path, scratch: Path, mortal: Cluster, url: str, tell: Tell
) -> None:
    place = Place(tmp_path / "disturbed", scratch, 20, deals=40, url=url)
    file = place.folder / "autumn.toml"
    file.write_text(f'store = "{in_file(url)}"\n{file.read_text()}')
    process = place.start("--workers", "1")
    wait_until(lambda: place.begun() >= 2 and len(place.stored_ms()) > 0, process)
    back_s = []
    with serving(file) as here:
        for number, end in zip(range(MOMENTS), cycle((mortal.stop, mortal.crash)), strict=False):
            before = place.stored_ms()
            wait_until(lambda known=before: len(place.stored_ms()) > len(known), process)  # type: ignore[misc]
            time.sleep(0.07 * number)  # another moment of a match each time
            before = place.stored_ms()
            end()
            check_away(here)
            time.sleep(AWAY_S)
            assert process.poll() is None
            mortal.start()
            back_s.append(check_back(here))
            assert before.items() <= place.stored_ms().items()
        assert here.stop() == 0
        assert not any("Traceback" in line for line in here.said), here.said
    ended = finish(process)
    assert (ended.code, "Traceback" in ended.err) == (0, False), ended.err
    waits = ended.err.count("the run keeps its results, and waits for the store")
    assert ended.err.count("the store is back, and the run goes on") == waits > 0
    assert set(starts(place.log, "ann").values()) == {1}, "no match was played twice"
    assert in_sql(url, "SELECT count(*) FROM void") == [(0,)]
    assert place.left_behind() == []
    undisturbed = Place(tmp_path / "undisturbed", scratch, 0, deals=40)
    assert undisturbed.run().code == 0
    assert place.digest() == undisturbed.digest()
    tell("restarts", {"during the run": MOMENTS, "s at most until pages were right": round(max(back_s), 1)})


@pytest.mark.process
def test_a_run_ends_with_one_sentence_if_another_took_the_league_while_the_server_was_away(
    tmp_path: Path, scratch: Path, url: str
) -> None:
    place = Place(tmp_path, scratch, 20, url=url)
    process = place.start("--workers", "1")
    wait_until(lambda: len(place.stored_ms()) > 0, process)
    with Store(url, "autumn") as other:
        in_sql(url, "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'")
        other.lock()  # before the run, which looks at its connection when it has a result
        stored = len(place.stored_ms())
        ended = finish(process)
        assert len(place.stored_ms()) == stored
    assert ended.code == 3
    sentence, go_on = ended.err.splitlines()[-2:]
    assert "the connection to the store was lost, and referee " in sentence
    assert "has taken over this league meanwhile" in sentence
    assert go_on.startswith("what was played is kept in ")
    assert "Traceback" not in ended.err


@pytest.mark.process
def test_a_run_that_lost_its_lock_to_one_that_is_over_starts_again_and_comes_to_the_same_end(
    tmp_path: Path, scratch: Path, url: str
) -> None:
    place = Place(tmp_path / "disturbed", scratch, 20, url=url)
    process = place.start("--workers", "1")
    wait_until(lambda: len(place.stored_ms()) > 0, process)
    with Store(url, "autumn") as other:
        in_sql(url, "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'")
        other.lock()  # before the run, which looks at its connection when it has a result
    ended = finish(process)
    assert ended.code == 0, ended.err
    assert "has taken over this league meanwhile" in ended.err
    assert "the run starts again" in ended.err
    undisturbed = Place(tmp_path / "undisturbed", scratch, 0)
    assert undisturbed.run().code == 0
    assert place.digest() == undisturbed.digest()


def test_a_connection_that_waited_is_tested_before_it_is_used(mortal: Cluster, url: str) -> None:
    with opened(url) as store:
        saved(store, 0)
        assert len(store.results()) == 1
        mortal.stop()
        with pytest.raises(StoreAway, match="could not be read: connection failed"):
            store.results()
        mortal.start()
        assert len(store.results()) == 1


def test_who_lost_the_lock_takes_it_again_unless_another_runner_has_come_and_gone(mortal: Cluster, url: str) -> None:
    with opened(url) as first:
        first.lock()
        saved(first, 0)
        mortal.crash()
        with pytest.raises(StoreAway, match="could not be written"):
            saved(first, 1)
        mortal.start()
        saved(first, 1)
        with Store(url, "autumn") as second, pytest.raises(LockHeld):
            second.lock()
        mortal.crash()
        mortal.start()
        with Store(url, "autumn") as second:
            second.lock()
        with pytest.raises(LockLost, match="has taken over this league meanwhile"):
            saved(first, 2)
        assert len(first.results()) == 2


@pytest.mark.process
def test_a_bot_that_is_submitted_while_the_server_restarts_is_entered_once(
    tmp_path: Path, scratch: Path, mortal: Cluster, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    head = f'store = "{in_file(url)}"\nsandbox = "landlock"\n'
    file = write_league(tmp_path / "autumn.toml", [], deals=2, more=head + TERMS)
    monkeypatch.setenv("REFEREE_TOKEN", token_of("eva", file))
    names = [f"bee{number}" for number in range(5)]
    with serving(file, QUICK) as here:
        for number, name in enumerate(names):
            assert referee("new", "python", "--protocol", "grpc", name).code == 0
            client = start(tmp_path, scratch, "submit", name, "--to", here.url, "--ca", CA)
            time.sleep(0.3 * number)  # in another state of the submission each time
            mortal.stop()
            time.sleep(AWAY_S)
            mortal.start()
            ended = finish(client)
            assert ended.code == 0, (ended.err, here.said)
            assert "@1 is entered; " in ended.out
        line: LeagueClient = here.line(token_of("max", file))
        assert list(mine(line)) == []
        assert here.stop() == 0
        assert not any("Traceback" in said for said in here.said), here.said
    assert in_sql(url, "SELECT state, count(*) FROM submission GROUP BY state") == [("entered", len(names))]
    assert in_sql(url, "SELECT count(*) FROM change") == [(len(names),)]
