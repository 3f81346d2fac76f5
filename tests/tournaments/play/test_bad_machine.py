"""Leagues on a machine that can start nothing for a while: the run stops soon, and later it ends as on any other.

Each case breaks the machine for one run. The run must end with exit code 3, with at most ten lines. After that, a run
on the machine as it is must end with the digest of a league that was never disturbed.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.command import BOTS as SAMPLES
from tests.cli.command import REFEREE
from tests.needed import needs, skip_for_lack
from tests.ordinary_user import GROUP, USER, find_interpreter, run_as_the_user
from tournaments.results.computed_tables import league_standings
from tournaments.results.league_location import NeverRun, league_in
from tournaments.results.progress import is_league_over, league_status
from tournaments.results.stored_league import open_results

pytestmark = [pytest.mark.process, pytest.mark.slow]

FORMATS = {
    "knockout": 'kind = "knockout"',
    "swiss": 'kind = "swiss"\nrounds = 3',
    "open": 'kind = "open"\nmatches = 48',
    "round-robin": 'kind = "round-robin"',
}
MOST_LINES = 10
GUARD_S = 600


class Broken(NamedTuple):
    """How a run begins on a machine that is broken: words before its command, and its environment."""

    prefix: Sequence[str] = ()
    variables: Mapping[str, str] = {}
    after: Callable[[Path], None] = lambda _store: None


def write(folder: Path, kind: str, deals: int = 2) -> Path:
    """A league of four bots in a folder."""
    bots = "".join(f'[[bots]]\npath = "{SAMPLES / name}"\n' for name in ("greedy", "counter", "random", "starter"))
    head = f'name = "night"\ngame = "agent-avenue"\ndeals = {deals}\nseed = "7"\nrehearsal = true\nsandbox = "none"\n'
    file = folder / "night.toml"
    file.write_text(f'{head}[format]\n{FORMATS[kind]}\n{bots}[[tables]]\nname = "simple"\nseats = 2\n')
    return file


WORKS = Broken()


def run(folder: Path, broken: Broken = WORKS) -> tuple[int, str]:
    """Run the league, at most two matches at once; the exit code and all output."""
    command = [*broken.prefix, str(REFEREE), "league", "run", "night.toml", "--workers", "2"]
    with subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, **broken.variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            broken.after(folder)
            output = process.communicate(timeout=GUARD_S)[0]
        finally:
            process.kill()
    return process.returncode, output


def digest(folder: Path) -> str:
    with open_results(league_in(folder / "night.toml"), f"sqlite:///{folder / 'night.sqlite'}") as results:
        assert is_league_over(results)
        assert not results.store.voids()
        assert not league_status(results).suspended
        return league_standings(results).digest


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, int], str]:
    """The digests of leagues that nothing disturbs, by format and number of deals."""
    known: dict[tuple[str, int], str] = {}

    def of(kind: str, deals: int = 2) -> str:
        if (kind, deals) not in known:
            folder = tmp_path_factory.mktemp(kind)
            write(folder, kind, deals)
            code, output = run(folder)
            assert code == 0, output
            known[kind, deals] = digest(folder)
        return known[kind, deals]

    return of


def assert_it_stops_and_goes_on(folder: Path, broken: Broken, words: str, quiet: str) -> None:
    code, output = run(folder, broken)
    assert code == 3, output
    assert len(output.splitlines()) <= MOST_LINES, output
    assert words in output, output
    code, output = run(folder)
    assert code == 0, output
    assert digest(folder) == quiet


@contextmanager
def path_without(folder: Path, program: str) -> Iterator[str]:
    """A PATH with all programs of this one but one."""
    for place in os.environ["PATH"].split(os.pathsep):
        for each in sorted(Path(place).glob("*")) if Path(place).is_dir() else ():
            if each.name != program and not (folder / each.name).is_symlink():
                (folder / each.name).symlink_to(each)
    yield str(folder)


@pytest.mark.parametrize("kind", FORMATS)
def test_path_without_setpriv(tmp_path: Path, kind: str, quiet: Callable[..., str]) -> None:
    write(tmp_path, kind)
    (tmp_path / "bin").mkdir()
    with path_without(tmp_path / "bin", "setpriv") as path:
        assert_it_stops_and_goes_on(tmp_path, Broken(variables={"PATH": path}), "install util-linux", quiet(kind))


@needs("the right to mount a file system, which takes root", there=os.geteuid() == 0)
@pytest.mark.parametrize("kind", FORMATS)
def test_four_inodes_for_temporary_files(tmp_path: Path, kind: str, quiet: Callable[..., str]) -> None:
    write(tmp_path, kind)
    (tmp_path / "few").mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "nr_inodes=5", "tmpfs", str(tmp_path / "few")]  # one is the root's
    if subprocess.run(command, check=False, capture_output=True).returncode:
        skip_for_lack("the right to mount a file system, though this is root")
    with ExitStack() as undo:
        undo.callback(lambda: subprocess.run(["umount", "--lazy", str(tmp_path / "few")], check=False))
        broken = Broken(variables={"TMPDIR": str(tmp_path / "few")})
        assert_it_stops_and_goes_on(tmp_path, broken, "No space left on device", quiet(kind))


@pytest.mark.parametrize("kind", ["knockout", "swiss", "round-robin"])
def test_a_folder_for_temporary_files_that_is_removed_during_a_run(
    tmp_path: Path, scratch: Path, kind: str, quiet: Callable[..., str]
) -> None:
    write(tmp_path, kind, deals=60)
    (scratch / "gone").mkdir()

    def remove(folder: Path) -> None:
        wait_for_a_match(folder)
        shutil.rmtree(scratch / "gone", ignore_errors=True)

    broken = Broken(variables={"TMPDIR": str(scratch / "gone")}, after=remove)
    assert_it_stops_and_goes_on(tmp_path, broken, "the folder for temporary files (TMPDIR) must stay", quiet(kind, 60))


def wait_for_a_match(folder: Path) -> None:
    until = time.monotonic() + GUARD_S
    while time.monotonic() < until:
        try:
            with open_results(league_in(folder / "night.toml"), f"sqlite:///{folder / 'night.sqlite'}") as results:
                if results.store.matches.count():
                    return
        except NeverRun:
            pass
        time.sleep(0.05)


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("files", [15, 22])
def test_few_descriptors(tmp_path: Path, kind: str, files: int, quiet: Callable[..., str]) -> None:
    write(tmp_path, kind)
    broken = Broken(prefix=["prlimit", f"--nofile={files}"])
    assert_it_stops_and_goes_on(tmp_path, broken, "allow more open files (ulimit -n 1024)", quiet(kind))


@needs("the right to become another user, which takes root", there=os.geteuid() == 0)
@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("processes", [6, 10])
def test_few_processes(scratch: Path, kind: str, processes: int, quiet: Callable[..., str]) -> None:
    scratch.chmod(0o755)  # the folders of pytest are root's alone
    python = ordinary_environment(scratch)
    home = scratch / "home"
    home.mkdir()
    write(home, kind)
    shutil.chown(home, USER, GROUP)
    output = home / "output"
    limited = ["prlimit", f"--nproc={processes}", str(python), "-c", "from referee.cli.main import main; main()"]
    words = ["sh", "-c", 'out=$1; shift; exec "$@" > "$out" 2>&1', "sh", str(output), *limited]
    command = [*words, "league", "run", "night.toml", "--workers", "2"]
    assert run_as_the_user(command, home, {"TMPDIR": str(home)}) == 3, output.read_text()
    assert len(output.read_text().splitlines()) <= MOST_LINES, output.read_text()
    assert "allow more processes (ulimit -u)" in output.read_text(), output.read_text()
    code, said = run(home)
    assert code == 0, said
    assert digest(home) == quiet(kind)


def ordinary_environment(folder: Path) -> Path:
    """An interpreter with the packages of this one that an ordinary user may run."""
    python = find_interpreter("ssl")
    if python is None:
        skip_for_lack("an interpreter that an ordinary user may run")
    subprocess.run([python, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    (packages,) = (folder / "venv" / "lib").glob("*/site-packages")
    (packages / "tree.pth").write_text("".join(f"{place}\n" for place in sys.path if place and Path(place).is_dir()))
    folder.chmod(0o755)
    found = folder / "venv" / "bin" / "python"
    if run_as_the_user([found, "-c", "import grpc, referee.cli.main, referee_bot"], folder, {}):
        skip_for_lack("an environment whose packages an ordinary user may read")
    return found


@pytest.mark.parametrize("kind", ["knockout", "swiss", "round-robin"])
def test_a_folder_that_is_away_for_six_seconds_costs_no_bot_anything(
    tmp_path: Path, kind: str, quiet: Callable[..., str]
) -> None:
    file = write(tmp_path, kind, deals=60)
    shutil.copytree(SAMPLES / "counter", tmp_path / "counter")
    file.write_text(file.read_text().replace(str(SAMPLES / "counter"), str(tmp_path / "counter")))

    def move_away(folder: Path) -> None:
        wait_for_a_match(folder)
        (folder / "counter").rename(folder / "away")
        time.sleep(6)
        (folder / "away").rename(folder / "counter")

    code, output = run(tmp_path, Broken(after=move_away))
    assert code == 0, output
    assert digest(tmp_path) == quiet(kind, 60)
