"""Leagues on several machines, with the digests of one machine."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.machines.hall import NODES, Hall, hall
from tests.machines.leagues import digest_said

pytestmark = [pytest.mark.machines, pytest.mark.process, pytest.mark.timeout(3600)]

_ROOT = Path(__file__).parents[2]
_DIGESTS = tomllib.loads((_ROOT / "tests/tournaments/digests.toml").read_text())


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    with hall(tmp_path_factory.mktemp("hall")) as started:
        started.start()
        yield started


@pytest.mark.parametrize("name", ["quickstart", "inside_job_roles", "agonia", "agent_avenue_open"])
def test_three_machines_play_what_one_plays(machines: Hall, tmp_path: Path, name: str) -> None:
    joined = 0 if not (machines.folder / "runner.log").exists() else machines.log("runner").count("has joined")
    said = machines.run(_ROOT / f"tournaments/leagues/{name}.toml", f"sqlite:///{tmp_path / 'store.sqlite'}", 1800)
    assert digest_said(said) == _DIGESTS[name]
    assert said.count("has joined; it plays 1 at once") >= joined + len(NODES)
