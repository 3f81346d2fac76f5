"""Leagues on several machines, with the digests of one machine."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.machines.hall import NODES, Hall, hall
from tests.postgresql.cluster import Cluster

pytestmark = [pytest.mark.machines, pytest.mark.process]

_ROOT = Path(__file__).parents[2]
_DIGESTS = tomllib.loads((_ROOT / "tests/tournaments/digests.toml").read_text())


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    with hall(tmp_path_factory.mktemp("hall")) as started:
        started.start()
        yield started


def digest(said: str) -> str:
    (found,) = re.findall(r"^digest: ([0-9a-f]{64})$", said, re.MULTILINE)[-1:]
    return str(found)


@pytest.mark.parametrize("name", ["quickstart"])
def test_three_machines_play_what_one_plays(machines: Hall, tmp_path: Path, name: str) -> None:
    said = machines.run(_ROOT / f"tournaments/leagues/{name}.toml", f"sqlite:///{tmp_path / 'store.sqlite'}", 900)
    assert digest(said) == _DIGESTS[name] if isinstance(_DIGESTS.get(name), str) else _DIGESTS["digests"][name]
    assert said.count("has joined; it plays 1 at once") == len(NODES)
