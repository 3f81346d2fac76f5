#!/usr/bin/env python3
"""Installs what a test suite needs besides the referee: the Debian 12 packages that a file names (toolchains.toml).

Run it as root on Debian 12 with the name of the file; a bare system is enough. Elsewhere, and without the right to
install, it only says what to install. It ends with 1 if something is still missing afterwards.
"""

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

_APT = ("apt-get", "-o", "DPkg::Lock::Timeout=600", "-o", "Dpkg::Use-Pty=0", "-qq")


class Toolchain(NamedTuple):
    """What one language or server needs: packages, and the commands and files that these install."""

    packages: tuple[str, ...]
    needs: tuple[str, ...]

    @property
    def missing(self) -> list[str]:
        """The parts that are missing."""
        return [need for need in self.needs if not _is_there(need)]


def toolchains(file: Path) -> dict[str, Toolchain]:
    """The toolchains in a file, by name."""
    raw = tomllib.loads(file.read_text(encoding="utf-8"))
    return {name: Toolchain(tuple(parts["packages"]), tuple(parts["needs"])) for name, parts in raw.items()}


def main(file: Path) -> int:
    """Install the packages one by one. If one fails, the others are still installed."""
    wanted = {name: chain for name, chain in toolchains(file).items() if chain.missing}
    if wanted and (hindrance := _hindrance()):
        packages = " ".join(sorted({package for chain in wanted.values() for package in chain.packages}))
        _say(f"{hindrance} Install what Debian 12 calls:\n  apt-get install --no-install-recommends {packages}")
    elif wanted:
        _apt("update")
        for name, chain in wanted.items():
            _say(f"{name}: installing {' '.join(chain.packages)}")
            _apt("install", "-y", "--no-install-recommends", *chain.packages)
    return _report(toolchains(file).items())


def _report(chains: Iterable[tuple[str, Toolchain]]) -> int:
    missing = {name: chain.missing for name, chain in chains}
    for name, lacks in missing.items():
        _say(f"{name}: {'missing: ' + ', '.join(lacks) if lacks else 'ready'}")
    return int(any(missing.values()))


def _hindrance() -> str | None:
    """Why packages cannot be installed here, or None."""
    release = _os_release()
    if (release.get("ID"), release.get("VERSION_ID")) != ("debian", "12"):
        return f"This is {release.get('PRETTY_NAME', 'an unknown system')}, whose packages are not known here."
    if os.geteuid() != 0:
        return "Only root can install packages."
    return None


def _os_release() -> dict[str, str]:
    path = Path("/etc/os-release")
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return {key: value.strip('"') for key, equals, value in (line.partition("=") for line in lines) if equals}


def _is_there(need: str) -> bool:
    """A command, or a path that may have wildcards."""
    return any(Path("/").glob(need[1:])) if need.startswith("/") else shutil.which(need) is not None


def _apt(*arguments: str) -> None:
    # apt shows its failures on stderr. The report says what is missing because of them.
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(
        [*_APT, *arguments], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False
    )


def _say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
