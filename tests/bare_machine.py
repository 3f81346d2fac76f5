"""`python -m tests.bare_machine [REVISION]`: the two commands of the README work on a machine that has nothing else.

`make league` and `make test` run in a clone of what is committed, in a folder whose name has a space, with LC_ALL=C.
Programs that are not needed are hidden from them: in a mount namespace, an empty file lies over each. Root runs them
twice at the same time, as root and as an ordinary user. Without root they run once. Only the standard library is used.
"""

import contextlib
import fnmatch
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from tests.ordinary_user import CODE_OF_WRONG_USE, GROUP, NO_INTERPRETER, USER, find_interpreter

ROOT = Path(__file__).parents[1]
LEAGUE = ("make", "league")
TESTS = (("make", "test", "TESTS=-n 2"),)
FOLDERS = ("tests/files", "tests/cli", "tests/runtime", "tests/tournaments")
TESTS_OF_A_USER = (
    ("make", "test", f"TESTS=-n 2 {' '.join(FOLDERS)}"),
    ("make", "test", f"TESTS=-n 2 -k process {' '.join(f'--ignore={folder}' for folder in FOLDERS)}"),
)
"""The tests that can see who runs them, if root runs all the others."""

UNNEEDED = (
    *("bwrap", "git", "git-*", "uv", "uvx", "docker", "podman", "strace", "gdb", "curl", "wget", "openssl"),
    *("cc", "c89*", "c99*", "cpp*", "c++*", "gcc*", "g++*", "*-gcc*", "*-g++*", "*-cpp*"),
    *("clang*", "tcc", "ld", "ld.bfd", "ld.gold", "rustc", "cargo", "rustup", "go", "gofmt", "java", "javac"),
    *("node", "nodejs", "npm", "npx", "protoc*", "psql", "postgres", "initdb", "pg_*", "dask*", "ip", "tc", "nft"),
    *("chromium*", "chromedriver*", "google-chrome*", "firefox*", "geckodriver*"),
)
"""Names of programs that Linux, Python, make and util-linux come without, with wildcards."""

_SYSTEM = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_MODULES = ("ssl", "ensurepip", "venv")

# Its arguments: an empty file, the programs that it is laid over, `--`, and the command to run then.
_HIDING = (
    'empty=$1; shift; while [ "$1" != -- ]; do mount --bind "$empty" "$1" || exit 2; shift; done; shift; exec "$@"'
)
_LOOKING = "import shutil, sys; found = list(filter(shutil.which, sys.argv[1:])); sys.exit(' '.join(found) or None)"


class Person(NamedTuple):
    """The user who runs the commands.

    Attributes:
        name: in words that go after `as`.
        python: an interpreter that they may run.
        owner: the user and group to whom the clone is given, with a colon between; None if it is not given away.
        becoming: the beginning of a command that makes its rest run as this person.
        tests: the commands that test.
    """

    name: str
    python: Path
    owner: str | None
    becoming: tuple[str, ...]
    tests: tuple[tuple[str, ...], ...] = TESTS


def main(arguments: Sequence[str]) -> int:
    """Run the commands as each person, and tell at the end how they went; 0 if all passed."""
    people = people_here()
    if sentence := hindrance(people):
        print(sentence)
        return CODE_OF_WRONG_USE
    revision = arguments[0] if arguments else "HEAD"
    with ThreadPoolExecutor(len(people)) as pool:
        outcomes = list(chain.from_iterable(pool.map(lambda person: _try(person, revision), people)))
    print("what was covered on a bare machine:", *(row for row, _ in outcomes), sep="\n  ")
    failed = sum(not passed for _, passed in outcomes)
    print(f"{len(outcomes) - failed} passed, {failed} failed", flush=True)
    return int(failed > 0)


def people_here() -> list[Person]:
    """Root and an ordinary user, if this is root; otherwise who this is."""
    own = Path(sys.executable).resolve()
    if os.geteuid() != 0:
        ids = f"--map-user={os.geteuid()}", f"--map-group={os.getegid()}"
        return [Person(pwd.getpwuid(os.geteuid()).pw_name, own, None, ("unshare", "--user", *ids))]
    dropping = "setpriv", f"--reuid={USER}", f"--regid={GROUP}", "--clear-groups", "--inh-caps=-all"
    python = find_interpreter(*_MODULES)
    users = [Person(USER, python, f"{USER}:{GROUP}", dropping, TESTS_OF_A_USER)] if python else []
    return [Person("root", own, None, ()), *users]


def hindrance(people: Sequence[Person]) -> str | None:
    """Why this cannot be tried here, in a sentence; None if it can."""
    if os.geteuid() == 0 and len(people) == 1:
        return NO_INTERPRETER
    if shutil.which("git") is None:
        return "git is needed to make the clone; on Debian: apt install git"
    if subprocess.run([*_unsharing(), "true"], stderr=subprocess.DEVNULL, check=False).returncode:
        return "programs cannot be hidden here: run this as root, or where users may make namespaces (unshare -rm true)"
    return None


def programs(patterns: Iterable[str], folders: Iterable[Path]) -> dict[Path, str]:
    """The files behind the programs in these folders whose names match, and the name by which each was found."""
    patterns, found = tuple(patterns), {}
    for folder in folders:
        with contextlib.suppress(OSError):  # it is not there, or others may not look
            for place in sorted(folder.iterdir()):
                if any(fnmatch.fnmatchcase(place.name, pattern) for pattern in patterns) and place.is_file():
                    found[place.resolve()] = place.name
    return found


def without(hidden: Iterable[Path], empty: Path, command: Sequence[str | Path]) -> list[str]:
    """A command that runs another where these files are empty and cannot be run."""
    return [*_unsharing(), "sh", "-c", _HIDING, "sh", str(empty), *map(str, hidden), "--", *map(str, command)]


def _unsharing() -> list[str]:
    return ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"])]


def _try(person: Person, revision: str) -> list[tuple[str, bool]]:
    with tempfile.TemporaryDirectory(prefix="a bare machine ") as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "empty").touch(0o644)
        _prepare(folder, person, revision)
        path = f"{person.python.parent}:{_SYSTEM}"
        folders = [Path(one) for one in dict.fromkeys(f"{path}:{os.environ['PATH']}".split(":"))]
        hidden = programs(UNNEEDED, [*folders, *Path("/usr/lib/postgresql").glob("*/bin")])
        looking = str(person.python), "-c", _LOOKING, *sorted(set(hidden.values()))
        print(f"as {person.name}: {len(hidden)} programs are hidden; the clone is {folder / 'clone'}", flush=True)
        environment = _environment(folder / "home", path)
        outcomes = []
        commands = LEAGUE, *person.tests
        for title, command in (("a look for what is hidden", looking), *((" ".join(one), one) for one in commands)):
            whole = without(hidden, folder / "empty", [*person.becoming, *command])
            outcomes.append(_run(f"as {person.name}", title, whole, folder / "clone", environment))
        return outcomes


def _run(
    who: str, title: str, command: Sequence[str], folder: Path, environment: Mapping[str, str]
) -> tuple[str, bool]:
    """How a command ended. Each line of it is printed after the words who runs it, since others print, too."""
    began = time.monotonic()
    streams: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen(command, cwd=folder, env=environment, text=True, errors="replace", **streams) as process:
        for line in process.stdout or ():
            print(f"{who}: {line}", end="", flush=True)
    ended = f"failed with code {process.returncode}" if process.returncode else "passed"
    return f"{who}: {title}: {ended}, {time.monotonic() - began:.0f} s", process.returncode == 0


def _prepare(folder: Path, person: Person, revision: str) -> None:
    """A clone at the revision, and a home with nothing but the settings of pip."""
    clone = folder / "clone"
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", "--no-checkout", ROOT, clone], check=True)
    commit = subprocess.run(["git", "rev-parse", revision], cwd=ROOT, check=True, capture_output=True, text=True)
    subprocess.run(["git", "-C", clone, "checkout", "--quiet", "--detach", commit.stdout.strip()], check=True)
    settings = folder / "home/.config/pip/pip.conf"
    settings.parent.mkdir(parents=True)
    for place in (".config/pip/pip.conf", ".pip/pip.conf"):
        if (Path.home() / place).is_file():
            shutil.copyfile(Path.home() / place, settings)
    if person.owner:
        subprocess.run(["chown", "--recursive", "--no-dereference", person.owner, folder], check=True)


def _environment(home: Path, path: str) -> dict[str, str]:
    """Nothing but what says where pip finds packages."""
    kept = {name: value for name, value in os.environ.items() if _says_where_packages_are(name)}
    return kept | {"PATH": path, "HOME": str(home), "LC_ALL": "C"}


def _says_where_packages_are(name: str) -> bool:
    return name.startswith("PIP_") or name.upper().endswith("_PROXY") or name in {"SSL_CERT_FILE", "SSL_CERT_DIR"}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
