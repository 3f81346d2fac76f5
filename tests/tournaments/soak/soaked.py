"""A league on a small disk of its own, which a process runs, with all that can happen to it."""

import contextlib
import json
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from tests.cli.command import Ended, finish, referee, start
from tests.tournaments.arena import alive
from tests.tournaments.processes import children_of, signalled, workers_of
from tests.tournaments.soak.combinations import write_soaked
from tournaments.league.roster import RosterChange
from tournaments.results.league_location import NeverRun, league_in
from tournaments.results.stored_league import open_results
from tournaments.store import Store

DISK = "24m"
WORKERS = 2
STOPPED_S = 2.0
PATIENCE_S = 120.0


class Soaked:
    """The league, its store and the run that plays it. Store and temporary files are on the small disk."""

    def __init__(self, folder: Path, disk: Path, kind: str, where: str, batch: int = 1) -> None:
        """`disk` is where the small disk is mounted. Its path must be short, because a socket's path must be short."""
        self.file = write_soaked(folder, kind, where, batch)
        self.log = folder / "log"
        self.url = f"sqlite:///{disk / 'soaked.sqlite'}"
        self._folder = folder
        self._filler = disk / "filler"
        self._scratch = disk / "tmp"
        self._scratch.mkdir()
        self._process: subprocess.Popen[str] | None = None

    def goes_on(self) -> bool:
        """Whether a run plays the league; it is started if none does. False if the last one ended by itself."""
        if self._process is None:
            words = ("league", "run", self.file, "--store", self.url, "--workers", str(WORKERS), "--log", self.log)
            self._process = start(self._folder, self._scratch, *words)
        return self._process.poll() is None

    def results(self) -> Counter[str]:
        """By fixture, how often the log says that its match was finished and stored."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        told: list[dict[str, Any]] = [json.loads(line) for line in lines if line.endswith("}")]
        return Counter(line["match"] for line in told if line["type"] == "result")

    def wait_for(self, further: int) -> bool:
        """Wait for so many further results; False if the run ended before."""
        enough = self.results().total() + further
        while self.goes_on():
            if self.results().total() >= enough:
                return True
            time.sleep(0.01)
        return False

    def ended(self) -> Ended:
        """How the run ended. Wait for it."""
        assert self._process is not None
        process, self._process = self._process, None
        ended = finish(process)
        assert "Traceback" not in ended.err, ended.err
        return ended

    def stored(self) -> dict[str, tuple[str, int]]:
        """By fixture, the digest of its match, and when it was stored."""
        try:
            with open_results(league_in(self.file), self.url) as results:
                return {played.fixture: (played.digest, played.stored_ms) for played in results.matches()}
        except NeverRun:
            return {}

    def changes(self) -> tuple[RosterChange, ...]:
        """The changes of the roster."""
        with Store(self.url, "soaked") as store:
            return store.changes()

    def ask(self, command: str, *words: str | Path) -> Ended:
        """Ask about the league, as another command beside the run does."""
        return referee("league", command, self.file, *words, "--store", self.url)

    def kill_the_runner(self, _rng: Random) -> None:
        assert self._process is not None
        self._process.kill()
        self.ended()

    def kill_a_worker(self, rng: Random) -> None:
        signalled(self._one_worker(rng), signal.SIGKILL)

    def kill_bots_with_their_worker(self, rng: Random) -> None:
        """The bots first; but the worker does not see it. A bot that is killed alone is at fault, as if it crashed."""
        workers = self._one_worker(rng)
        signalled(workers, signal.SIGSTOP)
        signalled((bot for worker in workers for bot in children_of(worker)), signal.SIGKILL)
        signalled(workers, signal.SIGKILL)

    def kill_a_bot(self, rng: Random) -> None:
        bots = sorted(bot for worker in self._one_worker(rng) for bot in children_of(worker))
        signalled(bots and [rng.choice(bots)], signal.SIGKILL)

    def stop_a_worker(self, rng: Random) -> None:
        workers = self._one_worker(rng)
        signalled(workers, signal.SIGSTOP)
        time.sleep(rng.random() * STOPPED_S)
        signalled(workers, signal.SIGCONT)

    def fill_the_disk(self, _rng: Random) -> None:
        """Leave no room on the small disk until the run gives up, or has ended without it."""
        with contextlib.suppress(OSError), self._filler.open("wb", buffering=0) as filler:
            for size in (1 << 20, 1 << 12):
                with contextlib.suppress(OSError):
                    while True:
                        filler.write(bytes(size))
        ended = self.ended()
        self._filler.unlink()
        assert ended.code in (0, 3), ended

    def enter(self, _rng: Random) -> None:
        _require_change(self.ask("enter", self._folder / "ann", "--label", "late"))

    def withdraw(self, _rng: Random) -> None:
        _require_change(self.ask("withdraw", "ann+a@1", "--yes"))

    def _one_worker(self, rng: Random) -> list[int]:
        """One of the workers; none if there is none at the moment."""
        assert self._process is not None
        workers = sorted(workers_of(self._process.pid))
        return [rng.choice(workers)] if workers else []

    def left_behind(self) -> list[str]:
        """Processes and temporary files of a finished run."""
        by = time.monotonic() + PATIENCE_S
        while alive(self._scratch) and time.monotonic() < by:
            time.sleep(0.05)
        return alive(self._scratch) + [path.name for path in self._scratch.iterdir()]

    def close(self) -> None:
        """End the run, if one is playing."""
        if self._process is not None:
            self._process.kill()
            finish(self._process)


def _require_change(ended: Ended) -> None:
    """The roster has changed, or nobody enters or leaves the league any more."""
    assert ended.code == 0 or (ended.code == 2 and ("nobody enters" in ended.err or "is over" in ended.err)), ended


@contextlib.contextmanager
def small_disk() -> Iterator[Path]:
    """A disk in memory, at a place with a short path.

    Raises:
        subprocess.CalledProcessError: it cannot be mounted.
    """
    with TemporaryDirectory(prefix="rt-") as place:
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", place], check=True, capture_output=True)
        try:
            yield Path(place)
        finally:
            subprocess.run(["umount", "--lazy", place], check=True)
