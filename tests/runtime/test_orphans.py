import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.runtime.rogues import eventually
from tests.tournaments.arena import alive

PARENTS = """
import os, signal, subprocess, sys
from pathlib import Path
from referee.runtime.child_process import with_parent_death_signal
for _ in range(20):
    parent = os.fork()
    if not parent:
        subprocess.Popen(with_parent_death_signal(["sleep", "60"]), env={**os.environ, "MARK": sys.argv[1]})
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(parent, 0)
"""


@pytest.mark.process
def test_a_bot_whose_parent_dies_while_it_starts_does_not_outlive_it() -> None:
    with tempfile.TemporaryDirectory(prefix="rt-") as mark:
        subprocess.run([sys.executable, "-c", PARENTS, mark], check=True)
        assert eventually(lambda: not alive(Path(mark)))
