"""The environment that the peers from the package index are installed in. It is made when it is first asked for."""

import hashlib
import subprocess
import sys
from pathlib import Path

from benchmarks.rows import Missing

_ENVIRONMENT = Path(__file__).with_name(".venv")
_REQUIREMENTS = Path(__file__).parents[2] / "requirements"


def python(environment: Path = _ENVIRONMENT, requirements: Path = _REQUIREMENTS) -> Path:
    """The interpreter of the environment. Takes a minute if the environment, or what it should contain, is new.

    Raises:
        Missing: something cannot be installed for this version of Python, or from here.
    """
    # One comes as source, so what builds it must be there first; no build may fetch anything by itself.
    builds, peers = requirements / "build.txt", requirements / "peers.txt"
    interpreter, stamp = environment / "bin" / "python", environment / "installed"
    contents = _digest(builds, peers)
    if not stamp.exists() or stamp.read_text() != contents:
        _run("no environment could be made", sys.executable, "-m", "venv", "--clear", environment)
        for what, file in (("what builds the peers", builds), ("the peers", peers)):
            pip = (interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes")
            _run(f"pip could not install {what}", *pip, "--no-build-isolation", "-r", file)
        stamp.write_text(contents)  # last, so that half of an environment is made again
    return interpreter


def _digest(*files: Path) -> str:
    """Of the files, and of the Python for which they are installed."""
    return hashlib.sha256(b"\n".join([sys.version.encode(), *(file.read_bytes() for file in files)])).hexdigest()


def _run(failure: str, *command: str | Path) -> None:
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        raise Missing(f"{failure} (Python {sys.version_info.major}.{sys.version_info.minor}): {_reason(ended)}")


def _reason(ended: subprocess.CompletedProcess[str]) -> str:
    """The last line that is marked as an error, or else the last line."""
    told = [line for line in (ended.stdout + ended.stderr).splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR: ") for line in told if line.startswith("ERROR: ")]
    return (errors or told or [f"it ended with {ended.returncode}"])[-1]
