"""Leagues on several machines, with the digests of one machine."""

import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.machines.hall import NODES, Hall, hall
from tests.machines.leagues import digest_said
from tournaments.kept import league_in
from tournaments.machine import ThisMachine
from tournaments.run import to_play

pytestmark = [pytest.mark.machines, pytest.mark.process, pytest.mark.timeout(3600)]

_ROOT = Path(__file__).parents[2]
_DIGESTS = tomllib.loads((_ROOT / "tests/tournaments/digests.toml").read_text())


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    with hall(tmp_path_factory.mktemp("hall")) as started:
        started.start()
        yield started


def test_bots_in_boxes_and_in_batches_play_on_nodes_as_at_home(machines: Hall, tmp_path: Path) -> None:
    lines = (_ROOT / "tournaments/leagues/quickstart.toml").read_text().replace('"../../', f'"{_ROOT}/')
    lines = lines.replace("deals = 500", "deals = 20").replace(
        'sandbox = "none"', 'sandbox = "bubblewrap"\nagain = 0.3'
    )
    shutil.copytree(_ROOT / "sample_bots/python/starter", tmp_path / "starter")  # its protos are links that lead out
    lines = lines.replace(f"{_ROOT}/sample_bots/python/random", f"{tmp_path}/starter")
    digests = set()
    for batch in (1, 8):
        file = tmp_path / f"boxed-{batch}.toml"
        file.write_text(lines.replace('name = "quickstart"', f'name = "boxed-{batch}"\nbatch = {batch}', 1))
        said = machines.run(file, f"sqlite:///{tmp_path / f'{batch}.sqlite'}")
        assert "differently" not in said
        digests.add(digest_said(said))
    with to_play(league_in(file), f"sqlite:///{tmp_path / 'here.sqlite'}", ThisMachine()) as run:
        assert sum(1 for _ in run.play()) == 120
        digests.add(run.standings().digest)
    assert len(digests) == 1


@pytest.mark.parametrize("name", ["quickstart", "inside_job_roles", "agonia", "agent_avenue_open"])
def test_three_machines_play_what_one_plays(machines: Hall, tmp_path: Path, name: str) -> None:
    joined = 0 if not (machines.folder / "runner.log").exists() else machines.log("runner").count("has joined")
    said = machines.run(_ROOT / f"tournaments/leagues/{name}.toml", f"sqlite:///{tmp_path / 'store.sqlite'}", 1800)
    assert digest_said(said) == _DIGESTS[name]
    assert said.count("has joined; it plays 1 at once") >= joined + len(NODES)
