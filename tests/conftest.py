"""Settings for all tests, and places for what they keep."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.postgresql.cluster import Cluster

# A busy machine must not make a test fail, so there are no deadlines. In CI every run tries the same examples.
settings.register_profile(
    "referee", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize="CI" in os.environ
)
settings.load_profile("referee")


@pytest.fixture(autouse=True)
def patience(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where bots run in a test: a busy machine is neither the referee's fault nor theirs."""
    if request.node.get_closest_marker("process"):
        monkeypatch.setattr("referee.shell.line.LATE_CALLBACK_S", 60.0)
        monkeypatch.setattr("referee.shell.seat._EXIT_S", 2.0)
        monkeypatch.setattr("referee.shell.process._LAST_WORDS_S", 2.0)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL server. A test that stops it must start it again."""
    cluster = Cluster()
    yield cluster
    cluster.close()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a store that is not there yet: a test that asks for it runs with each kind of store."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'league.sqlite'}"
    cluster: Cluster = request.getfixturevalue("cluster")
    return cluster.new_database()


@pytest.fixture
def scratch() -> Iterator[Path]:
    """A folder for the temporary files of a run. Its name is short, since the path of a socket must not be long."""
    with tempfile.TemporaryDirectory(prefix="rt-") as folder:
        yield Path(folder)
