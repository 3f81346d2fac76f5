"""`python -m tests.rogues.as_a_user ARGUMENTS`: root runs pytest once more as an ordinary user without any rights.

The user gets a copy of the tree and of the installed packages, since the originals may lie where only root can look.
Without root, the tests have already run as an ordinary user.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from tests.ordinary_user import (
    CODE_OF_WRONG_USE,
    GROUP,
    NO_INTERPRETER,
    USER,
    find_interpreter,
    run_as_the_user,
)

ROOT = Path(__file__).parents[2]


def main(arguments: list[str]) -> int:
    """Run pytest as an ordinary user; its exit code."""
    if os.geteuid() != 0:
        print("these tests have just run as an ordinary user; there is nothing to repeat")
        return 0
    with tempfile.TemporaryDirectory(prefix="rogues-tree-") as folder:
        Path(folder).chmod(0o755)
        python = find_interpreter("ssl")
        if python is None:
            print(NO_INTERPRETER)
            return CODE_OF_WRONG_USE
        tree = Path(folder) / "tree"
        _copy(tree, python)
        home = Path(folder) / "home"
        home.mkdir()
        shutil.chown(home, USER, GROUP)
        return _pytest(tree, home, arguments)


def _copy(tree: Path, python: Path) -> None:
    """The files of the project, and an environment with its packages and the commands that tests call."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in listed.rstrip("\0").split("\0"):
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tree / name, follow_symlinks=False)
    messages = Path("sample_bots/python/library/referee_bot/v1")
    shutil.copytree(ROOT / messages, tree / messages)
    environment = tree / ".venv"
    subprocess.run([python, "-m", "venv", "--without-pip", environment], check=True)
    packages = Path(sysconfig.get_path("platlib", vars={"base": str(environment), "platbase": str(environment)}))
    shutil.copytree(sysconfig.get_path("platlib"), packages, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.pth"))
    (packages / "tree.pth").write_text(f"{tree}\n{tree / 'sample_bots/python/library'}\n")
    command = environment / "bin" / "referee"
    command.write_text(f"#!{environment / 'bin' / 'python'}\nfrom referee.cli.main import main\nmain()\n")
    command.chmod(0o755)
    # The user may write no bytecode. Without it, every process of every league would compile the program anew.
    subprocess.run([python, "-m", "compileall", "-q", tree / "referee", tree / "tournaments"], check=True)


def _pytest(tree: Path, home: Path, arguments: list[str]) -> int:
    command: list[str | Path] = [tree / ".venv/bin/python", "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    return run_as_the_user(command, tree, {"HOME": str(home)})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
