"""Whether boxes can be made on this machine: one is made, and what prevents it is named."""

import subprocess
import tempfile
from pathlib import Path

from referee.shell.sandbox.bubblewrap import Bubblewrap
from referee.shell.sandbox.visible import Visible

_PATIENCE_S = 10.0


def obstacle() -> str | None:
    """Why no box can be made here, in words that go after a colon; None if one could."""
    with tempfile.TemporaryDirectory(prefix="referee-") as folder:
        try:
            box = Bubblewrap().to_build(["true"], Visible(Path(folder)))
        except OSError as error:
            return str(error)
        try:
            tried = subprocess.run(
                box.command,
                pass_fds=box.inherited,
                check=False,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_PATIENCE_S,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error)
        finally:
            box.close()
    words = tried.stderr.decode(errors="replace").strip().splitlines()
    return None if tried.returncode == 0 else (words or [f"it ended with code {tried.returncode}"])[-1]
