"""What is built from a clean clone, and environments to build and install in. Every step is printed as it begins."""

import os
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Ignores the index and the folders of wheels that this machine's pip is set up to use.
_OFFLINE = {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1"}


def step(what: str, *command: str | Path, folder: Path, env: Mapping[str, str] | None = None) -> str:
    """Run a command in a folder. Returns what it printed. If it fails, the suite ends and says what it was for."""
    print(f"\n  {what}", end="", flush=True)
    done = subprocess.run(
        list(map(str, command)),
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        words = f"{done.stdout}{done.stderr}".strip()
        pytest.exit(f"{what}: it failed with code {done.returncode}; its last words: {words[-2000:]}", returncode=1)
    return done.stdout


class Environment:
    """A new virtual environment with the interpreter that runs the tests."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bin = folder / "bin"
        step(f"make the virtual environment {folder.name}", sys.executable, "-m", "venv", folder, folder=folder.parent)

    def pip(self, what: str, *arguments: str | Path) -> str:
        """Run pip as this machine has set it up."""
        return step(what, self.bin / "pip", "--quiet", *arguments, folder=self.folder)

    def pip_offline(self, what: str, *arguments: str | Path) -> str:
        """Run pip without the network."""
        cleared = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
        return step(what, self.bin / "pip", "--quiet", *arguments, folder=self.folder, env=cleared | _OFFLINE)

    def run(self, what: str, *command: str, folder: Path) -> str:
        """Run one of its commands in an environment without other Python packages."""
        environment = {"PATH": f"{self.bin}:/usr/bin:/bin", "HOME": str(self.folder), "LC_ALL": "C.UTF-8"}
        return step(what, self.bin / command[0], *command[1:], folder=folder, env=environment)


class Builder:
    """An environment with `requirements/build.txt` and nothing else. It builds without the network."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._folder = folder
        self._environment = Environment(folder / "builder")
        self._environment.pip(
            "install what builds", "install", "--require-hashes", "-r", ROOT / "requirements/build.txt"
        )

    def clone(self, name: str) -> Path:
        """A clean clone of what is committed."""
        path = self._folder / name
        step(f"clone into {name}", "git", "clone", "--quiet", ROOT, path, folder=self._folder)
        return path

    def sdist(self, clone: Path, to: str) -> Path:
        """The sdist of a clone."""
        told = ("-m", "hatchling", "build", "-t", "sdist", "-d", self._folder / to)
        step(f"build an sdist of {clone.name}", self._environment.bin / "python", *told, folder=clone)
        return self._only(to, "*.tar.gz")

    def wheel(self, source: Path, to: str) -> Path:
        """The wheel of a clone or an sdist."""
        told = ("wheel", "--no-deps", "--no-build-isolation", "-w", self._folder / to, source)
        self._environment.pip_offline(f"build a wheel of {source.name}", *told)
        return self._only(to, "*.whl")

    def isolated_wheel(self, clone: Path, to: str) -> Path:
        """The wheel that a user's `pip wheel .` makes. It fetches the build tools by itself."""
        told = ("wheel", "--no-deps", "-w", self._folder / to, clone)
        self._environment.pip(f"build a wheel of {clone.name} in isolation", *told)
        return self._only(to, "*.whl")

    def dependencies(self, to: str) -> Path:
        """A folder with a wheel of everything that the referee needs, fetched by its hash."""
        told = ("--no-build-isolation", "--require-hashes", "-r", ROOT / "requirements/runtime.txt")
        self._environment.pip("fetch what the referee needs", "wheel", "-w", self._folder / to, *told)
        return self._folder / to

    def _only(self, folder: str, pattern: str) -> Path:
        (path,) = (self._folder / folder).glob(pattern)
        return path


def contents(wheel: Path) -> dict[str, bytes]:
    """The files in a wheel, by name."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def names(sdist: Path) -> set[str]:
    """The files in an sdist, without the folder that contains them all."""
    with tarfile.open(sdist) as archive:
        return {name.partition("/")[2] for name in archive.getnames()}


def committed() -> set[str]:
    """The files under version control, without links."""
    lines = subprocess.check_output(["git", "ls-tree", "-r", "HEAD"], cwd=ROOT, text=True).splitlines()
    return {line.partition("\t")[2] for line in lines if not line.startswith("120000")}
