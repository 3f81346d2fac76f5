"""`referee serve` as a process, with TLS on loopback, as an organizer runs it."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tests.cli.command import REFEREE, referee
from tests.runtime.remotes import TLS
from tournaments.web.client.address import address
from tournaments.web.client.http_client import LeagueClient

QUICK = [sys.executable, "-m", "tests.tournaments.web.service.quick_serve"]
"""With a build environment that starts no processes."""

WHOLE = [str(REFEREE)]

ROOT = Path(__file__).parents[4]
CA = TLS / "ca.pem"


class Serving:
    """A server.

    Attributes:
        process: it.
        url: the address of its league.
    """

    def __init__(self, process: "subprocess.Popen[str]", scheme: str = "https") -> None:
        self.process = process
        self.said: list[str] = []
        threading.Thread(target=self._listen, daemon=True).start()
        self.url = self._awaited(rf"is served at ({scheme}://\S+)").replace("127.0.0.1", "localhost")

    def line(self, token: str | None = None) -> LeagueClient:
        return LeagueClient(address(self.url), token, CA)

    def kill(self) -> None:
        """End it as a failure of power would."""
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self, number: signal.Signals = signal.SIGINT) -> int:
        """End it as an organizer does; its exit code."""
        self.process.send_signal(number)
        return self.process.wait(timeout=60)

    def memory_mib(self, what: str = "VmHWM") -> float:
        """The memory of the server itself: at most so far (`VmHWM`), or now (`VmRSS`)."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(rf"^{what}:\s+(\d+) kB", status, re.MULTILINE)
        assert found
        return int(found[1]) / 1024

    def children(self, module: str) -> list[int]:
        """The processes beside it that run a module."""
        asked = ["pgrep", "-f", "-P", str(self.process.pid), module]
        return [int(word) for word in subprocess.run(asked, capture_output=True, text=True, check=False).stdout.split()]

    def _listen(self) -> None:
        assert self.process.stderr is not None
        with self.process.stderr as lines:
            for line in lines:
                self.said.append(line)

    def _awaited(self, pattern: str) -> str:
        found = eventually(lambda: re.search(pattern, "".join(self.said)), lambda: self.process.poll() is None)
        return str(found[1])


def eventually(find: Callable[[], "re.Match[str] | None"], goes_on: Callable[[], bool]) -> "re.Match[str]":
    """The result of `find`, within a generous time."""
    until_s = time.monotonic() + 600
    while time.monotonic() < until_s:
        alive = goes_on()
        found = find()
        if found is not None:
            return found
        assert alive, "the process has ended"
        time.sleep(0.02)
    raise AssertionError("not found")


@contextlib.contextmanager
def serving(
    file: Path, command: list[str] = WHOLE, port: int = 0, more: Sequence[str | Path] = ()
) -> Iterator[Serving]:
    """Serve a league. `more` are further words of the command."""
    words = ["serve", file, *more, "--port", port, "--certificate", TLS / "bot.pem", "--key", TLS / "bot.key"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        [*command, *map(str, words)], stderr=subprocess.PIPE, text=True, env=environment, cwd=file.parent
    )
    try:
        yield Serving(process)
    finally:
        process.kill()
        process.wait()


def token_of(author: str, file: Path) -> str:
    """Add an author."""
    added = referee("people", "add", author, file, "--token")
    assert added.code == 0, added.err
    return added.out.strip()
