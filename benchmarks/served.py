"""Leagues that are served while they are played, as organizers serve them: with a core for the service."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

from tournaments.play.nodes.self_test import ECHO

_FILE = f"""
name = "bench"
game = "agent-avenue"
seed = "bench"
rehearsal = true
deals = %d
[service]
cores = 1
requests = 100000
[submissions]
free_mib = 0
entries = 1000
a_day = 1000
[[bots]]
path = {json.dumps(str(ECHO))}
label = "a"
[[bots]]
path = {json.dumps(str(ECHO))}
label = "b"
[[tables]]
name = "simple"
seats = 2
"""


def write_league(file: Path, deals: int) -> None:
    """Write the file of a league of two echo bots."""
    file.write_text(_FILE % deals)


@contextmanager
def served(file: Path, store: str) -> Iterator[str]:
    """The address of the league, while it is served."""
    command = [sys.executable, "-m", "referee.cli.main", "serve", str(file), "--port", "0", "--store", store]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=file.parent) as server:
        assert server.stderr is not None
        found = re.search(r"is served at (http://\S+)", server.stderr.readline())
        assert found
        says = Thread(target=server.stderr.read)  # a pipe that nobody reads would fill, and the server would wait
        says.start()
        try:
            yield found[1]
        finally:
            server.terminate()
            says.join()
