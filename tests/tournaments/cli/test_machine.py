"""`referee machine` and `league run --scheduler` on a machine without Dask."""

import sys
from pathlib import Path

import pytest

from tests.cli.command import referee
from tests.tournaments.arena import write_bot, write_league
from tournaments.play import nodes

NO_DASK = "playing on several machines needs Dask; install it with: pip install 'referee[machines]'\n"


@pytest.fixture(autouse=True)
def _no_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("tournaments.play.nodes.")]:
        monkeypatch.delitem(sys.modules, name)
    for name, module in list(vars(nodes).items()):  # an import puts modules there, too; they are put back
        monkeypatch.setattr(nodes, name, module)
    for name in ("dask", "distributed"):
        monkeypatch.setitem(sys.modules, name, None)


def test_a_machine_without_dask_says_what_to_install() -> None:
    ended = referee("machine", "tls://10.0.0.1:8786")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.endswith(NO_DASK)


def test_a_run_on_many_machines_without_dask_says_what_to_install_and_stores_nothing(tmp_path: Path) -> None:
    bots = [write_bot(tmp_path / name, name, tmp_path / "log") for name in ("ann", "bob")]
    file = write_league(tmp_path / "league.toml", bots, deals=1)
    ended = referee("league", "run", file, "--scheduler", "tls://10.0.0.1:8786")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.endswith(NO_DASK)
    assert list(tmp_path.glob("*.sqlite")) == []
