"""The steps of the image make, in fresh root folders of Debian 12, a referee that serves.

No container engine runs here: a step runs in its folder by chroot, with the network and the kernel of this machine.
"""

import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from tests.deploy.test_started import free_port
from tests.needed import needs

ROOT = Path(__file__).parents[2]

_NEEDS = (
    needs("root", there=os.geteuid() == 0),
    needs("mmdebstrap", there=shutil.which("mmdebstrap") is not None),
)
pytestmark = [pytest.mark.deploy, pytest.mark.timeout(1_800), *_NEEDS]

LEAGUE = """
name = "evening"
game = "agent-avenue"
deals = 2
sandbox = "landlock"
[submissions]
free_mib = 0
[service]
[[tables]]
name = "simple"
seats = 2
"""

_OF_THIS_MACHINE = ("/etc/resolv.conf", "/etc/pip.conf", "/etc/xdg/pip", "/root/.config/pip", "/etc/ssl/certs")
"""What it takes here to reach the package indexes."""

_AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt", "/usr/local/share/ca-certificates/of-this-machine.crt"
"""Debian's package of certificates writes the first file anew, with what it finds in the second."""


def folders_of_packages() -> list[str]:
    """Folders of this machine from which pip takes packages; those with an index (PEP 503) as a whole."""
    command = [sys.executable, "-m", "pip", "config", "list"]
    settings = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    named = (Path(each) for each in re.findall(r"(?<![:/\w])(?:file://)?(/[\w./-]+)", settings))
    folders = (each.parent if each.name == "simple" else each for each in named if each.is_dir())
    return [str(each) for each in dict.fromkeys(folders)]


def steps(file: Path) -> list[tuple[str, str]]:
    """The instructions of a Containerfile, with what follows each."""
    lines = re.sub(r"^#.*\n", "", file.read_text(), flags=re.MULTILINE).replace("\\\n", " ").splitlines()
    found = [line.split(maxsplit=1) for line in lines if line.strip()]
    return [(word, rest) for word, rest in found]


class Image:
    """An image that is made in folders.

    Attributes:
        root: the folder of its last stage.
        settings: the last words of each other instruction.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._base = folder / "base"
        self._stages: dict[str, Path] = {}
        self.root = self._base
        self.settings: dict[str, str] = {}
        sources = sorted(Path("/etc/apt/sources.list.d").glob("*.sources")) or [Path("/etc/apt/sources.list")]
        options = [f"--aptopt={each}" for each in sorted(Path("/etc/apt/apt.conf.d").glob("99*"))]
        run("mmdebstrap", "--quiet", "--variant=apt", *options, "bookworm", self._base, *sources)
        for place, there in (*((each, each) for each in _OF_THIS_MACHINE), _AUTHORITIES):
            if Path(place).exists():
                self._base.joinpath(there[1:]).parent.mkdir(parents=True, exist_ok=True)
                run("cp", "--recursive", "--dereference", "--no-target-directory", place, self._base / there[1:])

    def make(self, file: Path) -> None:
        for number, (word, rest) in enumerate(steps(file)):
            if word == "FROM":
                assert rest.split()[0] == "debian:12"
                self.root = self._stages[rest.split()[-1]] = self._folder / f"stage{number}"
                run("cp", "--archive", self._base, self.root)
            elif word == "RUN":
                run(*self.entered("sh", "-ec", rest))
            elif word == "COPY":
                self._copy(rest.split())
            else:
                self.settings[word] = rest

    def _copy(self, words: list[str]) -> None:
        source = ROOT
        if words[0].startswith("--from="):
            source = self._stages[words.pop(0).removeprefix("--from=")]
        what, to = words
        target = self.root / to.lstrip("/")
        target.mkdir(parents=True)
        if what == ".":  # what git knows: .dockerignore leaves out the rest
            packed = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, stdout=subprocess.PIPE, check=True)
            subprocess.run(["tar", "--extract", "--directory", target], input=packed.stdout, check=True)
        else:
            run("cp", "--archive", "--no-target-directory", source / what.lstrip("/"), target)

    def entered(self, *command: str | Path) -> list[str | Path]:
        """A command in the root folder, with devices, processes and packages of this machine, which end with it."""
        places = " ".join(["/proc", "/dev", *folders_of_packages()])
        mounts = f'for at in {places}; do mkdir -p "$0$at"; mount --rbind "$at" "$0$at"; done; exec chroot "$0" "$@"'
        return ["unshare", "--mount", "--propagation", "private", "sh", "-ec", mounts, self.root, *command]


def run(*command: str | Path) -> None:
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, (command, done.stdout[-2_000:], done.stderr[-2_000:])


def test_the_image_serves_a_league_and_has_the_driver_of_postgresql_and_the_metrics(tmp_path: Path) -> None:
    image = Image(tmp_path)
    image.make(ROOT / "Containerfile")
    assert image.settings == {
        "USER": "1000",
        "WORKDIR": "/league",
        "ENV": "PATH=/opt/referee/bin:$PATH",
        "ENTRYPOINT": '["referee"]',
    }
    (image.root / "league/league.toml").write_text(LEAGUE)
    ports = free_port(), free_port()
    as_user = ["setpriv", "--reuid=1000", "--regid=1000", "--clear-groups", "--pdeathsig=KILL"]
    words = f"serve league.toml --port {ports[0]} --metrics 127.0.0.1:{ports[1]}"
    command = image.entered(*as_user, "sh", "-c", f"cd /league && PATH=/opt/referee/bin:$PATH exec referee {words}")
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as here:
        try:
            assert here.stderr is not None
            assert "evening is served at" in here.stderr.readline()
            assert ask(f"http://127.0.0.1:{ports[1]}/readyz") == "ready\n"
            assert 'referee_league_phase{league="evening",phase="waiting"} 1.0' in ask(
                f"http://127.0.0.1:{ports[1]}/metrics"
            )
            assert "Bots may be submitted" in ask(f"http://127.0.0.1:{ports[0]}/leagues/evening/league")
        finally:
            here.terminate()
    run(*image.entered("/opt/referee/bin/python", "-c", "import psycopg"))


def ask(url: str) -> str:
    for _ in range(100):
        try:
            with urllib.request.urlopen(url, timeout=60) as found:  # noqa: S310 - of this test
                return str(found.read().decode())
        except OSError:
            time.sleep(0.2)
    raise AssertionError(url)
