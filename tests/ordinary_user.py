"""An ordinary user, as whom root runs what must not need root, and the interpreters that this user may run."""

import os
import pwd
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

USER = "nobody"
GROUP = pwd.getpwnam(USER).pw_gid
"""Its name differs from system to system."""
VERSION = f"python{sys.version_info.major}.{sys.version_info.minor}"
CODE_OF_WRONG_USE = 2
NO_INTERPRETER = f"no {VERSION} that {USER} may run; install it: on Debian, apt install {VERSION}-venv"


def find_interpreter(*modules: str) -> Path | None:
    """An interpreter of this version that the user may run, and that has these modules; None if there is none.

    The one that runs this comes first. It may lie where only root can look: then the system's own takes its place.
    """
    candidates = [
        Path(sys.executable).resolve(),
        *Path("/usr").glob(f"*/{VERSION}"),
        *Path("/usr").glob(f"*/*/{VERSION}"),
    ]
    look = f"import {', '.join(modules)}"
    return next((python for python in candidates if run_as_the_user([python, "-c", look], Path("/"), {}) == 0), None)


def run_as_the_user(command: Sequence[str | Path], folder: Path, environment: Mapping[str, str]) -> int:
    """Run a command; its exit code. The environment has PATH and the given variables, nothing else."""
    whole = {"PATH": os.environ["PATH"], "HOME": str(folder), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    try:
        done = subprocess.run(command, cwd=folder, env=whole, user=USER, group=GROUP, extra_groups=[], check=False)
    except PermissionError:
        return CODE_OF_WRONG_USE
    return done.returncode
