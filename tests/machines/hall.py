"""A scheduler, nodes and a runner, each on a machine of its own."""

import contextlib
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.machines.certificates import settings
from tests.machines.network import Network
from tests.tournaments.arena import alive

NODES = ("one", "two", "three")
_BIN = Path(sys.executable).parent
REFEREE = _BIN / "referee"
_HASTY = """
from referee.cli.main import main
from tournaments.play.nodes.dask_transport import DaskTransport
DaskTransport.__init__.__defaults__ = (3.0,)
main()
"""
"""`referee`, but a node or a scheduler is lost after three seconds of silence, not nine."""


class Hall:
    """Machines that can be killed, frozen and cut off.

    Attributes:
        folder: has all that they write.
        network: what connects them.
    """

    def __init__(self, folder: Path, short: Path, network: Network) -> None:
        """`short` is a folder with a short name, because a socket's path must be short."""
        self.folder = folder
        self._short = short
        self.network = network
        self._env = settings(folder / "tls")
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    @property
    def scheduler(self) -> str:
        """Its address."""
        return f"tls://{self.network.addresses['scheduler']}:8786"

    def start_scheduler(self) -> None:
        address = self.network.addresses["scheduler"]
        self._start(
            "scheduler", [_BIN / "dask", "scheduler", "--no-dashboard", "--host", f"tls://{address}", "--port", "8786"]
        )

    def start_node(self, name: str) -> None:
        self._start(name, [REFEREE, "machine", self.scheduler, "--cores", "1"])

    def start_disguised(self, name: str, how: str) -> None:
        """Start a node that lies or has another version."""
        self._start(name, [sys.executable, Path(__file__).with_name("disguised.py"), how, self.scheduler])

    def start(self) -> None:
        """Start the scheduler and all nodes."""
        self.start_scheduler()
        for name in NODES:
            self.start_node(name)

    def start_runner(self, league: Path, store: str, *words: str | Path, is_hasty: bool = False) -> None:
        """Start a run of the league, which takes the place of the one before. A hasty one soon gives nodes up."""
        program = [sys.executable, "-c", _HASTY] if is_hasty else [REFEREE]
        self._start_runner([*program, "league", "run", league, "--store", store, *words])

    def compare(self, *words: str | Path, seconds: float = 300.0) -> str:
        """Compare two bots on the nodes; what the command said."""
        self._start_runner([REFEREE, "compare", *words])
        return self.finish(seconds)

    def _start_runner(self, command: list[str | Path]) -> None:
        self._start("runner", [*command, "--scheduler", self.scheduler])

    def has_run(self, name: str) -> bool:
        """Whether something was started on this machine."""
        return (self.folder / f"{name}.log").exists()

    def run(self, league: Path, store: str, seconds: float = 300.0) -> str:
        """Play the league to its end; what the run said."""
        self.start_runner(league, store)
        return self.finish(seconds)

    def finish(self, seconds: float = 300.0) -> str:
        """Wait for the end of the run; the output of it and of the nodes before it."""
        code = self._running.pop("runner").wait(seconds)
        said = self.log("runner")
        assert code == 0, said + self.log("one")
        return said

    def ask(
        self, command: Sequence[str | Path], env: Mapping[str, str] | None = None
    ) -> "subprocess.CompletedProcess[str]":
        """What a command on the runner's machine says that is given no certificates, or those in `env`."""
        return self.network.ask("runner", command, {**(env or {}), "TMPDIR": str(self._short)})

    def runs(self, name: str) -> bool:
        return name in self._running and self._running[name].poll() is None

    def signal(self, name: str, number: signal.Signals) -> None:
        """Send a signal to what runs on a machine; a kill is waited for."""
        process = self._running[name]
        process.send_signal(number)
        if number == signal.SIGKILL:
            process.wait()

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text()

    def wait_for(self, what: Callable[[], bool], seconds: float = 300.0) -> float:
        """Wait until it is so; how long that took, in seconds."""
        began = time.monotonic()
        while not what():
            assert time.monotonic() - began < seconds, f"{self.log('runner')}\n{alive(self.folder)}"
            time.sleep(0.1)
        return time.monotonic() - began

    def close(self) -> None:
        """End everything."""
        for process in self._running.values():
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGCONT)
                process.terminate()
        for process in self._running.values():
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _start(self, name: str, command: list[str | Path]) -> None:
        env = {**self._env, "XDG_CACHE_HOME": str(self.folder / f"{name}-cache"), "TMPDIR": str(self._short)}
        self._running[name] = self.network.start(name, command, self.folder / f"{name}.log", env)


@contextmanager
def hall(folder: Path) -> Iterator[Hall]:
    """A hall that is not started yet. When it is left, all its processes have ended."""
    with (
        tempfile.TemporaryDirectory(prefix="rt-") as short,
        Network(["scheduler", "runner", *NODES]) as network,
    ):
        machines = Hall(folder, Path(short), network)
        try:
            yield machines
        finally:
            machines.close()
        machines.wait_for(lambda: not alive(folder))
