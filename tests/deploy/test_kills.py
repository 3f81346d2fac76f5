"""Every process of a served store is killed at ten moments, and its leagues come out as if nothing had happened."""

import os
import signal
import ssl
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.command import finish, referee, start
from tests.postgresql.cluster import Cluster
from tests.runtime.rogues import eventually
from tests.tournaments.arena import write_league
from tests.tournaments.cli.runs import Place, wait_until
from tests.tournaments.leagues import match
from tests.tournaments.stores import PLAN, in_sql, opened, tables
from tests.tournaments.web.service.running import CA, QUICK, Serving, serving, token_of
from tests.tournaments.workshops import archive
from tournaments.play.environment import WORKERS_A_CORE
from tournaments.store import copy_store
from tournaments.store.schema import MATCH, SEAT, TRANSCRIPT
from tournaments.web.client.submit import MEDIA
from tournaments.web.visibility.entry_view import SubmissionView

pytestmark = [pytest.mark.deploy, pytest.mark.process, pytest.mark.timeout(1_500)]

Tell = Callable[[str, Mapping[str, object]], None]

MOMENTS = 10
DEALS = 150
"""With bots that wait before each choice, one worker plays them for minutes."""

BESIDE = ("quick_bench", "table_refresher", "visitors.process")
"""The processes beside the server, by what their command lines have."""


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a store that does not exist yet."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'disturbed.sqlite'}"
    cluster: Cluster = request.getfixturevalue("cluster")
    return cluster.new_database()


def written(place: Place) -> tuple[Path, Path]:
    """Two league files of one store: one that is played and has tables for visitors, and one that takes bots."""
    played = place.folder / "autumn.toml"
    head = f'store = "{place.url.removeprefix("sqlite:///").replace("+psycopg", "")}"\n'
    played.write_text(f'{head}{played.read_text()}\n[visitors]\nopponents = ["ann@1"]\n')
    terms = "[submissions]\nfree_mib = 0\nentries = 100\na_day = 100\n[service]\nrequests = 100_000\n"
    more = f'{head}sandbox = "landlock"\n{terms}'
    return played, write_league(place.folder / "spring.toml", [], deals=2, more=more)


@contextmanager
def served(files: tuple[Path, Path]) -> Iterator[Serving]:
    with serving(files[0], QUICK, more=("--metrics", "127.0.0.1:0", files[1])) as here:
        here.url = here.url.replace("autumn", "spring")
        yield here


def page(url: str) -> int:
    """The status of a page."""
    with urllib.request.urlopen(url, context=ssl.create_default_context(cafile=CA)) as found:  # noqa: S310 - of this test
        status: int = found.status
        return status


def kill_beside(here: Serving, module: str) -> None:
    """Kill a process beside the server, and wait for the next one."""
    assert eventually(lambda: bool(here.children(module)))
    (pid,) = here.children(module)
    os.kill(pid, signal.SIGKILL)
    assert eventually(lambda: here.children(module) not in ([], [pid])), here.said


def test_leagues_are_as_undisturbed_when_every_process_was_killed_at_ten_moments(
    tmp_path: Path, scratch: Path, url: str, tell: Tell
) -> None:
    place = Place(tmp_path / "disturbed", scratch, 100, deals=DEALS, url=url)
    files = written(place)
    token, killed, names = token_of("eva", files[1]), dict.fromkeys((*BESIDE, "serve", "run"), 0), list[str]()
    runner = place.start("--workers", "1")
    for moment in range(MOMENTS):
        with served(files) as here:
            names.append(f"bee{moment}")
            here.line(token).send(SubmissionView, archive(names[-1]), MEDIA, "submissions")
            for module in BESIDE:
                time.sleep(0.03 * moment)  # at another moment of its work each time
                kill_beside(here, module)
                killed[module] += 1
            before = len(place.stored_ms())
            wait_until(lambda known=before: len(place.stored_ms()) > known, runner)  # type: ignore[misc]
            time.sleep(0.05 * moment)
            assert runner.poll() is None, "the league ended too soon to be disturbed"
            runner.kill()
            finish(runner)
            runner = place.start("--workers", "1")
            here.kill()
            killed["run"], killed["serve"] = killed["run"] + 1, killed["serve"] + 1
            assert not any("Traceback" in line for line in here.said), here.said
    with served(files):
        assert eventually(lambda: not in_sql(url, "SELECT 1 FROM submission WHERE state <> 'entered'"))
        runner.kill()
        finish(runner)
        ended = place.run("--workers", str(WORKERS_A_CORE * len(os.sched_getaffinity(0))))  # most of the time bots wait
    assert (ended.code, "Traceback" in ended.err) == (0, False), ended.err
    assert sorted(row[0] for row in in_sql(url, "SELECT entry FROM submission")) == sorted(f"{n}@1" for n in names)
    assert in_sql(url, "SELECT count(*) FROM change WHERE league = 'spring'") == [(MOMENTS,)]
    undisturbed = Place(tmp_path / "undisturbed", scratch, 0, deals=DEALS)
    assert undisturbed.run().code == 0
    assert place.digest() == undisturbed.digest()
    tell("kills", killed)


def test_a_store_is_copied_to_the_other_kind_and_back_beside_a_run_and_the_rest_is_played_alike(
    tmp_path: Path, scratch: Path, url: str, cluster: Cluster
) -> None:
    place = Place(tmp_path / "first", scratch, 50, deals=20, url=url)
    runner = place.start("--workers", "1")
    wait_until(lambda: len(place.stored_ms()) > 5, runner)
    assert runner.poll() is None
    there = cluster.new_database() if url.startswith("sqlite") else f"sqlite:///{tmp_path / 'there.sqlite'}"
    back = f"sqlite:///{tmp_path / 'back.sqlite'}" if url.startswith("sqlite") else cluster.new_database()
    copy_store(url, there)
    copy_store(there, back)
    assert finish(runner).code == 0
    digest = place.digest()
    for copied in (there, back):
        place.url = copied
        assert 5 < len(place.stored_ms()) < place.matches
        ended = referee("league", "run", place.folder / "autumn.toml", "--store", copied, "--workers", "1")
        assert ended.code == 0, ended.err
        assert place.digest() == digest
        assert place.ask("verify").code == 0


def many_matches(folder: Path, count: int) -> str:
    """A store with so many matches, which are copies of a few."""
    url = f"sqlite:///{folder / 'many.sqlite'}"
    with opened(url) as store:
        store.save([match(each) for each in PLAN[:10]], 1_000)
    most = f"SELECT i + 1 FROM n WHERE i < {count // 10 - 1}"  # noqa: S608 - a number
    numbers = f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL {most})"
    for table in (MATCH, SEAT, TRANSCRIPT):
        names = [f'"{column.name}"' for column in table.columns]
        copied = ", ".join("fixture || '/' || i" if name == '"fixture"' else name for name in names)
        in_sql(url, f"INSERT INTO {table.name} ({', '.join(names)}) {numbers} SELECT {copied} FROM {table.name}, n")  # noqa: S608
    return url


def copied_matches(url: str) -> int:
    """How many matches a store has; 0 if it has no tables, or is not there: to look must not make it."""
    if url.startswith("sqlite") and not Path(url.removeprefix("sqlite:///")).exists():
        return 0
    return in_sql(url, "SELECT count(*) FROM match")[0][0] if "match" in tables(url) else 0


def test_a_copy_that_is_killed_leaves_an_empty_store_and_the_same_command_makes_it(tmp_path: Path, url: str) -> None:
    old, moments = many_matches(tmp_path, 20_000), 0
    for moment in range(MOMENTS):
        process = start(tmp_path, tmp_path, "store", "copy", old, url)
        time.sleep(1.0 + 0.2 * moment)
        moments += process.poll() is None
        process.kill()
        finish(process)
        found = copied_matches(url)
        assert found in (0, 20_000)
        if found:
            break
    assert moments >= 1
    if not copied_matches(url):
        ended = referee("store", "copy", old, url)
        assert ended.code == 0, ended.err
    assert copied_matches(url) == 20_000


def test_a_hundred_thousand_matches_are_copied_within_a_minute_either_way(tmp_path: Path, url: str, tell: Tell) -> None:
    old, took_s = many_matches(tmp_path, 100_000), list[int]()
    for place, copied in ((old, url), (url, f"sqlite:///{tmp_path / 'back.sqlite'}")):
        began_s = time.process_time()
        assert copy_store(place, copied) == {"autumn": 100_000}
        took_s.append(round(time.process_time() - began_s))  # of this process; the server of a store works beside it
    assert max(took_s) < 60
    tell("copies of 100,000 matches", {"s of processor there": took_s[0], "and back": took_s[1]})


def test_fifteen_leagues_of_a_store_that_are_served_and_looked_at_take_twenty_connections(
    tmp_path: Path, cluster: Cluster
) -> None:
    database = cluster.new_database()
    files = [
        write_league(tmp_path / f"week{number}.toml", [], 2, f'store = "{database.replace("+psycopg", "")}"\n')
        for number in range(15)
    ]
    for file in files:
        file.write_text(f"{file.read_text()}[submissions]\nfree_mib = 0\n[service]\nrequests = 100_000\n")
    with serving(files[0], QUICK, more=files[1:]) as here, ThreadPoolExecutor(30) as pool:
        base, most = here.url.rpartition("/")[0], 0
        for _ in range(5):
            pages = [pool.submit(page, f"{base}/{file.stem}/standings") for file in files for _ in range(4)]
            while not all(each.done() for each in pages):
                counted = in_sql(
                    database, "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'referee%'"
                )
                most = max(most, counted[0][0])
            assert {each.result() for each in pages} == {200}
        time.sleep(3)  # the processes beside the server have asked, too
        assert 0 < most <= 20
