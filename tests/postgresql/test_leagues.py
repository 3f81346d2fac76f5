"""Leagues on a PostgreSQL server, which has other users and may go away. `make ci-postgresql` runs this."""

import gc
import json
import os
import shlex
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Ended, finish
from tests.postgresql.cluster import PASSWORD, Cluster
from tests.runtime.rogues import eventually
from tests.tournaments.arena import starts
from tests.tournaments.cli.runs import Place, wait_until
from tests.tournaments.leagues import league, match
from tests.tournaments.stores import CONTENTS, DRAWN, PLAN, in_sql, opened, saved, tables
from tournaments.results.league_location import league_in
from tournaments.results.live_status import LiveStatus
from tournaments.store import Store, StoreError, address_without_password
from tournaments.store.database import Database
from tournaments.store.run_lock import LockHeld, LockLost

pytestmark = pytest.mark.postgresql

OTHER_SESSIONS = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
CUT = f"SELECT pg_terminate_backend(pid) {OTHER_SESSIONS}"


@pytest.fixture
def database(cluster: Cluster) -> str:
    """The address of an empty database."""
    return cluster.new_database()


@pytest.fixture
def slow(tmp_path: Path, scratch: Path, database: str) -> Place:
    """A league that lasts until something happens to it."""
    return Place(tmp_path, scratch, 20, url=database)


def one_sentence(ended: Ended) -> str:
    assert ended.out == ""
    assert len(ended.err.splitlines()) == 1, ended.err
    assert PASSWORD not in ended.err
    return ended.err.rstrip("\n")


def untimed(value: Any) -> Any:
    """The value without what depends on the speed of the machine and the time of day."""
    if isinstance(value, dict):
        timed = {"thinking_us", "stored_ms", "mean_decision_ms", "costs"}
        return {key: untimed(part) for key, part in value.items() if key not in timed}
    return [untimed(part) for part in value] if isinstance(value, list) else value


# Connections


def test_leagues_of_a_store_share_connections_of_which_none_is_left_whoever_ends_first(database: str) -> None:
    gc.disable()  # or it would end what nobody closed
    try:
        first, second = Database(database), Database(database)
        with first.engine.connect():
            second.close()  # while another league reads
        first.close()
        assert second.engine is first.engine
        assert eventually(lambda: in_sql(database, f"SELECT count(*) {OTHER_SESSIONS}") == [(0,)])
    finally:
        gc.enable()


# A league from start to end


@pytest.mark.process
def test_a_league_is_played_and_answered_for_as_in_a_sqlite_file(tmp_path: Path, scratch: Path, database: str) -> None:
    answers = []
    for url in (None, database):
        place = Place(tmp_path / ("file" if url is None else "server"), scratch, 0, url=url)
        assert place.run("--workers", "2").code == 0
        lines = place.ask("matches", "--json").out.splitlines()
        answers.append(
            (
                place.digest(),
                untimed(place.ask("standings", "--json").json),
                place.ask("status").out,
                place.ask("verify").out,
                [untimed(json.loads(line)) for line in lines],
            )
        )
    assert answers[0] == answers[1]
    assert answers[1][3] == f"{place.matches} matches checked: all hold\n"


def before_the_host(url: str) -> str:
    return url


def behind_the_question_mark(url: str) -> str:
    return f"{url.replace(f':{PASSWORD}@', '@')}?password={PASSWORD}"


@pytest.mark.process
@pytest.mark.parametrize("written", [before_the_host, behind_the_question_mark])
def test_no_password_is_in_anything_that_is_printed_or_exported(
    tmp_path: Path, scratch: Path, database: str, written: Callable[[str], str]
) -> None:
    place = Place(tmp_path, scratch, 0, deals=1, url=written(database))
    stopped = place.start()
    assert stopped.stderr is not None
    first = stopped.stderr.readline()
    stopped.send_signal(signal.SIGTERM)
    ended = [finish(stopped), place.run()]
    asked = ("standings", "status", "matches", "verify")
    ended += [place.ask(command, *more) for command in asked for more in ((), ("--json",))]
    ended += [place.ask("export", tmp_path / "exported"), place.ask("reinstate", "ann@1")]
    assert f"--store {shlex.quote(address_without_password(place.url))}\n" in ended[0].err
    assert {each.code for each in ended[1:]} == {0}
    exported = [path.read_text() for path in (tmp_path / "exported").rglob("*") if path.is_file()]
    assert len(exported) == 3 + place.matches
    assert PASSWORD not in "".join([first, *(each.out + each.err for each in ended), *exported])


def test_a_league_that_was_never_run_is_said_to_be_and_nothing_is_written(tmp_path: Path, database: str) -> None:
    ended = Place(tmp_path, tmp_path, 0, url=database).ask("standings")
    assert ended.code == 2
    assert one_sentence(ended).startswith(
        f"{address_without_password(database)} has no results of autumn; run it first"
    )
    assert tables(database) == set()


# What can fail


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ((f":{PASSWORD}@", ":another@"), "password authentication failed"),
        (("/league_", "/nowhere_"), "does not exist"),
        (("127.0.0.1", "no-such-host.invalid"), "no-such-host.invalid"),
    ],
)
@pytest.mark.parametrize("command", ["run", "standings"])
def test_a_server_that_lets_nobody_in_is_one_sentence(
    tmp_path: Path, database: str, command: str, change: tuple[str, str], reason: str
) -> None:
    url = database.replace(*change)
    ended = Place(tmp_path, tmp_path, 0, url=url).ask(command)
    assert ended.code == 3
    sentence = one_sentence(ended)
    assert sentence.startswith(f"the store {address_without_password(url)} could not be opened: ")
    assert reason in sentence


@pytest.mark.parametrize("command", ["run", "standings"])
def test_a_server_that_is_not_there_is_one_sentence(
    tmp_path: Path, cluster: Cluster, database: str, command: str
) -> None:
    cluster.stop()
    try:
        ended = Place(tmp_path, tmp_path, 0, url=database).ask(command)
    finally:
        cluster.start()
    assert ended.code == 3
    assert "could not be opened: connection failed: " in one_sentence(ended)


def test_who_may_not_make_tables_is_told_so_in_one_sentence(cluster: Cluster, database: str) -> None:
    cluster.ask("postgres", f"CREATE ROLE guest LOGIN PASSWORD '{PASSWORD}'")
    url = database.replace("//referee:", "//guest:")
    with Store(url, "autumn") as store, pytest.raises(StoreError) as caught:
        store.open_league(league(), CONTENTS, DRAWN, now_ms=1)
    assert (
        str(caught.value)
        == f"the store {address_without_password(url)} could not be written: permission denied for schema public"
    )


@pytest.mark.process
def test_a_run_whose_connections_are_cut_goes_on_and_plays_no_match_twice(
    tmp_path: Path, scratch: Path, slow: Place
) -> None:
    process = slow.start("--workers", "2")
    wait_until(lambda: slow.begun() >= 4 and len(slow.stored_ms()) > 0, process)
    stored = slow.stored_ms()
    in_sql(slow.url, CUT)
    ended = finish(process)
    assert ended.code == 0
    assert PASSWORD not in ended.err
    assert slow.left_behind() == []
    assert stored.items() <= slow.stored_ms().items()
    assert set(starts(slow.log, "ann").values()) == {1}
    undisturbed = Place(tmp_path / "undisturbed", scratch, 0)
    assert undisturbed.run().code == 0
    assert slow.digest() == undisturbed.digest()


# Only one runner


@pytest.mark.process
def test_a_runner_on_another_machine_is_refused_and_told_of_the_first(slow: Place, scratch: Path) -> None:
    elsewhere = scratch / "other"  # it finds no lock file of this machine there
    elsewhere.mkdir()
    process = slow.start("--workers", "1")
    wait_until(lambda: slow.begun() >= 1, process)
    second = slow.run("--workers", "1", scratch=elsewhere)
    process.kill()
    finish(process)
    assert second.code == 2
    assert one_sentence(second).startswith(f"referee {process.pid}@")
    assert slow.run("--workers", "2", scratch=elsewhere).code == 0, "the lock of a killed runner is free"


def test_the_lock_is_one_for_each_league_and_database_and_ends_with_the_store(cluster: Cluster, database: str) -> None:
    with Store(database, "autumn") as first, Store(database, "autumn") as second:
        assert second.holder() is None
        first.lock()
        assert (second.holder() or "").startswith(f"referee {os.getpid()}@")
        for url, name in ((database, "spring"), (cluster.new_database(), "autumn")):
            with Store(url, name) as other:
                other.lock()
        with pytest.raises(LockHeld, match=r"referee \d+@.+ is playing this league; wait for it, or stop it first"):
            second.lock()
        first.close()
        assert eventually(lambda: second.holder() is None)
        second.lock()


def test_who_watches_sees_a_runner_whose_lock_file_is_on_another_machine(slow: Place, database: str) -> None:
    process = slow.start("--workers", "1")  # its files are in a folder of its own
    watched = LiveStatus(league_in(slow.folder / "autumn.toml"), database)
    wait_until(lambda: slow.begun() >= 1, process)
    glance = watched.look()
    assert (glance.state, (glance.runner or "").partition("@")[0]) == ("playing", f"referee {process.pid}")
    process.kill()
    finish(process)
    assert eventually(lambda: watched.look().state == "idle")


def test_who_lost_the_lock_cannot_write_while_another_has_it(database: str) -> None:
    with opened(database) as first:
        first.lock()
        saved(first, 0)
        in_sql(database, CUT)
        with Store(database, "autumn") as second:
            second.lock()
            with pytest.raises(LockLost, match="has taken over this league"):
                first.save([match(PLAN[1])], now_ms=1)
            second.open_league(league(), CONTENTS, DRAWN, now_ms=2)
            saved(second, 1)
            assert len(second.results()) == 2
