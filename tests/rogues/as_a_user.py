"""`python -m tests.rogues.as_a_user ARGUMENTS`: root runs pytest once more as an ordinary user, who has nothing.

The user gets a copy of the tree and of the installed packages, since the originals may lie where only root can look.
So may the interpreter: then the system's own of the same version takes its place. Whoever is no root has run the
tests as an ordinary user already.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
_USER, _GROUP = "nobody", "nogroup"
_VERSION = f"python{sys.version_info.major}.{sys.version_info.minor}"
_CODE_OF_WRONG_USE = 2


def main(arguments: list[str]) -> int:
    """Run pytest as an ordinary user; its exit code."""
    if os.geteuid() != 0:
        print("these tests have just run as an ordinary user; there is nothing to repeat")
        return 0
    with tempfile.TemporaryDirectory(prefix="rogues-tree-") as folder:
        Path(folder).chmod(0o755)
        python = _interpreter()
        if python is None:
            print(f"no {_VERSION} that {_USER} may run; install it: on Debian, apt install {_VERSION}")
            return _CODE_OF_WRONG_USE
        tree = Path(folder) / "tree"
        _copy(tree, python)
        home = Path(folder) / "home"
        home.mkdir()
        shutil.chown(home, _USER, _GROUP)
        return _pytest(tree, home, arguments)


def _interpreter() -> Path | None:
    """An interpreter of this version that the user may run."""
    candidates = [
        Path(sys.executable).resolve(),
        *Path("/usr").glob(f"*/{_VERSION}"),
        *Path("/usr").glob(f"*/*/{_VERSION}"),
    ]
    return next(
        (python for python in candidates if _as_the_user([python, "-c", "import ssl"], Path("/"), None) == 0), None
    )


def _copy(tree: Path, python: Path) -> None:
    """The files of the project, and an environment with its packages and the commands that tests call."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in listed.rstrip("\0").split("\0"):
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tree / name, follow_symlinks=False)
    shutil.copytree(ROOT / "generated", tree / "generated")
    environment = tree / ".venv"
    subprocess.run([python, "-m", "venv", "--without-pip", environment], check=True)
    packages = Path(sysconfig.get_path("platlib", vars={"base": str(environment), "platbase": str(environment)}))
    shutil.copytree(sysconfig.get_path("platlib"), packages, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.pth"))
    (packages / "tree.pth").write_text(f"{tree}\n{tree / 'generated'}\n")
    command = environment / "bin" / "referee"
    command.write_text(f"#!{environment / 'bin' / 'python'}\nfrom referee.cli.main import main\nmain()\n")
    command.chmod(0o755)


def _pytest(tree: Path, home: Path, arguments: list[str]) -> int:
    command: list[str | Path] = [tree / ".venv/bin/python", "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    return _as_the_user(command, tree, home)


def _as_the_user(command: list[str | Path], folder: Path, home: Path | None) -> int:
    environment = {"PATH": os.environ["PATH"], "HOME": str(home or folder), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, user=_USER, group=_GROUP, extra_groups=[], check=False
        )
    except PermissionError:
        return _CODE_OF_WRONG_USE
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
