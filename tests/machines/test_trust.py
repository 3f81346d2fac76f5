"""Nodes that are not to be believed, and strangers who come without a certificate of the authority."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.machines.certificates import settings
from tests.machines.hall import REFEREE, Hall, hall
from tests.machines.leagues import digest_here, digest_said, slow

pytestmark = [pytest.mark.machines, pytest.mark.process, pytest.mark.timeout(1800)]


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[Hall]:
    with hall(tmp_path) as started:
        started.start_scheduler()
        yield started


def test_a_node_that_lies_is_left_out_at_once_and_the_league_is_as_ever(machines: Hall, tmp_path: Path) -> None:
    machines.start_node("one")
    machines.start_disguised("two", "liar")
    said = machines.run(slow(tmp_path / "league", 30, delay_ms=5), f"sqlite:///{tmp_path / 'store.sqlite'}")
    liar = f"tls://{machines.network.addresses['two']}:"
    assert "the transcript does not hold: the record ends before" in said
    (left,) = (line for line in said.splitlines() if "is left out" in line)
    assert left.startswith(liar)
    assert digest_said(said) == digest_here(tmp_path / "here", 30)


def test_nodes_with_another_version_or_another_python_are_refused_with_a_sentence(
    machines: Hall, tmp_path: Path
) -> None:
    machines.start_node("one")
    machines.start_disguised("two", "older")
    machines.start_disguised("three", "other")
    said = machines.run(slow(tmp_path / "league", 60, delay_ms=10), f"sqlite:///{tmp_path / 'store.sqlite'}")
    assert said.count("has joined") == 1
    assert " does not play: it has version 0.0.1 of this program, and the runner has " in said
    assert " does not play: it has Python 3.99.1, and the runner has " in said


def test_who_has_no_certificate_of_the_authority_is_not_let_in(machines: Hall, tmp_path: Path) -> None:
    league, store = slow(tmp_path / "league", 1, delay_ms=0), f"sqlite:///{tmp_path / 'store.sqlite'}"
    command: list[str | Path] = [REFEREE, "league", "run", league, "--store", store, "--scheduler"]
    machines.wait_for(lambda: "Scheduler at" in machines.log("scheduler"))
    plain = machines.ask([*command, machines.scheduler.replace("tls:", "tcp:")])
    assert plain.returncode == 2
    assert "a scheduler is called at tls://HOST:PORT" in plain.stderr
    bare = machines.ask([*command, machines.scheduler])
    assert bare.returncode == 2
    assert "no certificates are named" in bare.stderr
    stranger = machines.ask([*command, machines.scheduler], settings(tmp_path / "others"))
    assert stranger.returncode == 3
    assert f"no scheduler of Dask answers at {machines.scheduler}" in stranger.stderr
    assert "Traceback" not in plain.stderr + bare.stderr + stranger.stderr
    joining = machines.ask([REFEREE, "machine", machines.scheduler])
    assert joining.returncode == 2
