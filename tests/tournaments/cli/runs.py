"""A league that a process runs. The process can be killed, stopped and refused."""

import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.cli.command import Ended, finish, referee, start
from tests.runtime.rogues import eventually
from tests.tournaments.arena import alive, starts, write_bot, write_league
from tournaments.results.league_location import NeverRun, league_in
from tournaments.results.stored_league import open_results


class Place:
    """A league of two bots that think a while, in a folder of its own.

    Its results are in `url`. By default, that is the file that a run makes if no other place is named.
    """

    def __init__(self, folder: Path, scratch: Path, delay_ms: int, deals: int = 8, url: str | None = None) -> None:
        self.folder = folder
        self.scratch = scratch
        self.log = folder / "log"
        self.matches = 2 * deals
        self.url = url or f"sqlite:///{folder / 'autumn.sqlite'}"
        self._store = ("--store", url) if url else ()
        bots = [write_bot(folder / name, name, self.log, delay_ms) for name in ("ann", "bob")]
        write_league(folder / "autumn.toml", bots, deals)

    def start(self, *words: str, prefix: tuple[str, ...] = (), scratch: Path | None = None) -> "subprocess.Popen[str]":
        command = ("league", "run", "autumn.toml", *self._store, *words)
        return start(self.folder, scratch or self.scratch, *command, prefix=prefix)

    def run(self, *words: str, prefix: tuple[str, ...] = (), scratch: Path | None = None) -> Ended:
        return finish(self.start(*words, prefix=prefix, scratch=scratch))

    def ask(self, command: str, *words: str | Path) -> Ended:
        return referee("league", command, self.folder / "autumn.toml", *words, "--store", self.url)

    def digest(self) -> str:
        table: Any = self.ask("standings", "--json").json
        assert table["matches"]["played"] == self.matches
        digest: str = table["digest"]
        return digest

    def stored_ms(self) -> dict[str, int]:
        try:
            with open_results(league_in(self.folder / "autumn.toml"), self.url) as results:
                return {played.fixture: played.stored_ms for played in results.matches()}
        except NeverRun:
            return {}

    def begun(self) -> int:
        return starts(self.log, "ann").total()

    def left_behind(self) -> list[str]:
        """Processes of a finished run, and the files in the folder of its sockets.

        Processes may take a moment to end after the run.
        """
        locks = set(self.scratch.glob("referee-*.lock"))  # for a store on a server; the file stays, and is empty
        assert not any(lock.read_bytes() for lock in locks)
        eventually(lambda: not alive(self.scratch))
        return alive(self.scratch) + [path.name for path in self.scratch.iterdir() if path not in locks]


def wait_until(holds: Callable[[], bool], process: "subprocess.Popen[str]") -> None:
    while not holds() and process.poll() is None:
        time.sleep(0.01)
