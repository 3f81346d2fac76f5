"""Tells a golden playthrough in full, as it goes today: `python -m tests.golden.tell agonia/main-5/entrance`.

With `--since REVISION` it tells only what reads differently at that revision of this repository.
"""

import difflib
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.golden import records
from tests.golden.tables import GOLDEN

CHECKOUT = Path(__file__).parents[2]
BY_NAME = {str(golden): golden for golden in GOLDEN}


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the playthrough that the arguments name."""
    parser = ArgumentParser("tests.golden.tell", description="Tell a golden playthrough in full, as it goes today.")
    parser.add_argument("play", metavar="PLAY", choices=BY_NAME, help="such as agonia/main-5/entrance")
    parser.add_argument("--since", metavar="REVISION", help="tell only what reads otherwise than it did there")
    wanted = parser.parse_args(arguments)
    now = records.retold(BY_NAME[wanted.play]).text
    print(difference(told_at(wanted.since, wanted.play, CHECKOUT), now) if wanted.since else now, end="")


def told_at(revision: str, play: str, checkout: Path) -> str:
    """What this command prints for a playthrough at `revision`, run with the program of that revision."""
    with TemporaryDirectory() as folder:
        files = _output(["git", "archive", revision], checkout)
        _output(["tar", "--extract"], folder, files)
        return _output([sys.executable, "-m", "tests.golden.tell", play], folder).decode()


def _output(command: Sequence[str], folder: Path | str, given: bytes = b"") -> bytes:
    """What the command prints. If it fails, its own message is on the screen, and we add none."""
    done = subprocess.run(command, cwd=folder, input=given, stdout=subprocess.PIPE, check=False)
    if done.returncode:
        sys.exit(done.returncode)
    return done.stdout


def difference(was: str, now: str) -> str:
    """The lines that changed, with some lines around them. Empty if none changed."""
    changed = list(difflib.unified_diff(was.splitlines(), now.splitlines(), lineterm=""))[2:]
    return "".join(f"{line}\n" for line in changed)


if __name__ == "__main__":
    main()
