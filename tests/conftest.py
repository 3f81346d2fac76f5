"""Settings for all tests, and the stores and folders that they use."""

import gc
import os
import signal
import tempfile
from collections.abc import Callable, Generator, Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from referee.wire import registry
from tests.made_once import made_once
from tests.postgresql.cluster import Cluster
from tests.quick_stores import make_quick
from tests.quickstart import export_quickstart
from tests.summary import COUNTED, pytest_terminal_summary  # noqa: F401 - pytest looks for its hook here

HEAVY = ("busy", "deploy", "languages", "machines", "mcp", "peers", "postgresql", "semester", "web", "wheel")
"""Folders whose tests all bear the marker of the folder's name. Where that is left out, they are not even imported."""

Tell = Callable[[str, Mapping[str, object]], None]

# A busy machine must not make a test fail, so there are no deadlines. In CI every run tries the same examples. They are
# few, so that the suite is quick; `make ci-soak` tries twenty times as many.
settings.register_profile(
    "referee",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="CI" in os.environ,
    max_examples=20,
    print_blob=True,
)
settings.register_profile("thorough", settings.get_profile("referee"), derandomize=False, max_examples=400)
settings.load_profile("referee")

make_quick()


def _of_this_project(group: str) -> list[EntryPoint]:
    """The entry points of this project: the tests are of our games, and somebody may have installed another one."""
    return [point for point in entry_points(group=group) if point.dist is None or point.dist.name == "referee"]


vars(registry)["entry_points"] = _of_this_project

if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:  # `nohup make test`: what tests start shall not ignore it, too
    signal.signal(signal.SIGHUP, lambda *_: None)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect without garbage collection. What is collected stays to the end: to look through it again takes long.

    Afterwards garbage is collected less often than usual, which saves a twelfth of the processor time.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
        gc.set_threshold(50_000, 20, 100)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out the folders of which every test would be left out."""
    is_heavy = collection_path.parent == Path(__file__).parent and collection_path.name in HEAVY
    return True if is_heavy and f"not {collection_path.name}" in config.option.markexpr else None


# Thousands of tests need none of these two, so what they need is made only where it is needed.
@pytest.fixture(autouse=True)
def patience(request: pytest.FixtureRequest) -> None:
    """Tests that start bots are patient: a busy machine is neither the referee's fault nor the bots'."""
    if request.node.get_closest_marker("process"):
        monkeypatch: pytest.MonkeyPatch = request.getfixturevalue("monkeypatch")
        monkeypatch.setattr("referee.runtime.seat._EXIT_S", 2.0)
        monkeypatch.setattr("referee.runtime.bot_process._LAST_WORDS_S", 2.0)


@pytest.fixture(autouse=True, scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder for what programs keep for a user. It must not be that of whoever runs the tests."""
    folder = tmp_path_factory.mktemp("cache")
    os.environ["XDG_CACHE_HOME"] = os.environ["XDG_CONFIG_HOME"] = str(folder)
    return folder


@pytest.fixture(autouse=True)
def folder_of_a_server(request: pytest.FixtureRequest) -> None:
    """With a store on a server, bots are unpacked and heard in the current folder, which must not be this project's."""
    if request.node.get_closest_marker("postgresql"):
        monkeypatch: pytest.MonkeyPatch = request.getfixturevalue("monkeypatch")
        monkeypatch.chdir(request.getfixturevalue("tmp_path"))


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL server. A test that stops it must start it again."""
    cluster = Cluster()
    yield cluster
    cluster.close()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a store that does not exist yet. A test that asks for it runs with each kind of store."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'league.sqlite'}"
    cluster: Cluster = request.getfixturevalue("cluster")
    return cluster.new_database()


@pytest.fixture(scope="session")
def quickstart(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the league that the documents tell of, played and exported. Nobody writes in it."""
    return made_once(tmp_path_factory, "quickstart", export_quickstart)


@pytest.fixture
def scratch() -> Iterator[Path]:
    """A folder for the temporary files of a run. Its name is short, because a socket's path must be short."""
    with tempfile.TemporaryDirectory(prefix="rt-") as folder:
        yield Path(folder)


@pytest.fixture
def tell(record_property: Callable[[str, object], None]) -> Tell:
    """Take counts to print: of what, and how many of each kind."""

    def told(what: str, counts: Mapping[str, object]) -> None:
        record_property(COUNTED, f"{what}: " + ", ".join(f"{count} {kind}" for kind, count in counts.items()))

    return told
