"""Behind a fence a bot can play, and reach nothing else except what `referee doctor` admits."""

import fcntl
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
import uvloop

from referee.core.bot_limits import SandboxLimits
from referee.core.errors import Void
from referee.files.bot_folder import Visible
from referee.files.manifest import Transport
from referee.runtime.bot_process import BotProcess
from referee.runtime.confinement import Confinement, Unconfined
from referee.runtime.host import HostSettings
from referee.runtime.sandbox import landlock, landlock_fence
from referee.runtime.sandbox.landlock import Landlock
from referee.runtime.sandbox.resource_watch import written
from referee.runtime.sandbox.self_test import bait_in
from tests.needed import skip_for_lack
from tests.runtime.rogues import PATIENT, bot_that_runs, eventually, members, run_folder, use
from tests.runtime.sandbox.needed import needs_landlock

pytestmark = [pytest.mark.process, needs_landlock]

INMATE = Path(__file__).with_name("inmate.py").read_text()


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder whose path is short enough for sockets."""
    with run_folder() as folder:
        yield folder


def attempts(place: Path, confined: Confinement) -> dict[str, list[str]]:
    """What a bot can do, by kind: of attacks, of what bots need, and of what weakens a fence."""
    bot, scratch = place / "bot", place / "scratch"
    bot.mkdir()
    scratch.mkdir()
    (bot / "bot.txt").write_text("secret")
    (place / "program").write_text("#!/bin/sh\n")
    (place / "program").chmod(0o755)
    with bait_in(place) as bait, (bot / "bot.txt").open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        told = json.dumps({**bait, "own": str(bot), "networks": socket.if_nameindex()})
        output = run(confined, [sys.executable, "-I", "-S", "-c", INMATE, told], Visible(bot), scratch)
    found: dict[str, dict[str, bool]] = json.loads(output)
    return {kind: [name for name, went_well in tried.items() if went_well] for kind, tried in found.items()}


def run(
    confined: Confinement, command: list[str], visible: Visible, scratch: Path, transport: Transport = "unix"
) -> str:
    """What a confined command prints."""
    box = confined.to_play(command, visible, scratch, transport)
    try:
        ended = subprocess.run(
            box.command,
            env={"TMPDIR": str(scratch), **os.environ, **box.environment},
            pass_fds=box.inherited,
            cwd=visible.folder,
            stdout=subprocess.PIPE,
            check=True,
            text=True,
        )
    finally:
        box.close()
    return ended.stdout


# Not every file system and not every machine has these.
NOT_EVERYWHERE = {
    "set an attribute",
    "set flags",
    "send datagrams by IPv6",
    "have a root of its own",
    "empty in the oldest way",
}


def test_what_is_tried_goes_well_where_nothing_confines_the_bot(place: Path) -> None:
    all_of_them = set(re.findall(r'^    "(.+?)": ', INMATE, re.MULTILINE))
    found = attempts(place, Unconfined())
    done = {name for names in found.values() for name in names}
    assert all_of_them - done <= NOT_EVERYWHERE
    assert len(found["attacks"]) > 40


NEEDED = [
    "files of its own",
    "its own files",
    "the system's files",
    "a socket of its own",
    "a pair of sockets",
    "children",
    "threads",
    "memory",
    "nothing",
    "luck",
    "what is said of itself",
    "how much memory there is",
    "its own limits",
]
WEAK = ["the size of a file", "whether there is a process", "the networks"]


def test_a_bot_has_what_it_needs_and_reaches_nothing_else_but_what_is_said_aloud(place: Path) -> None:
    found = attempts(place, Landlock())
    assert found == {"attacks": [], "needed": NEEDED, "weak": WEAK}
    assert (place / "bot" / "bot.txt").read_text() == "secret"


@pytest.fixture
def same_user(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot stays the referee's user, as where the referee is an ordinary user. Here that may be root itself."""
    monkeypatch.setattr("os.geteuid", lambda: 1000)


@pytest.mark.usefixtures("same_user")
def test_a_bot_that_is_the_referee_s_own_user_reaches_nothing_either(place: Path) -> None:
    found = attempts(place, Landlock())
    assert (found["attacks"], found["needed"]) == ([], NEEDED)


SIGNALS = ["signal to a process", "end a process"]


@pytest.mark.slow
@pytest.mark.usefixtures("same_user")
@pytest.mark.parametrize(
    ("version", "weaker"),
    [(1, ["listen on a port", *SIGNALS]), (3, ["listen on a port", *SIGNALS]), (4, SIGNALS), (5, SIGNALS), (6, [])],
)
def test_older_versions_of_landlock_stop_all_but_what_is_said_aloud(
    version: int, weaker: list[str], place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = place / "fence.py"
    source = Path(landlock_fence.__file__).read_text()
    asked = "    known = version()\n"
    assert asked in source
    older.write_text(source.replace(asked, f"    known = {version}\n"))
    monkeypatch.setattr(landlock_fence, "__file__", str(older))
    found = attempts(place, Landlock())
    assert found["attacks"] == weaker
    said = set(landlock.weaknesses(version)) - set(landlock.WEAKNESSES)
    assert len(said) == ("listen on a port" in weaker) + ("end a process" in weaker)
    # Versions 1 and 2 move no file to another folder.
    assert set(found["needed"]) >= set(NEEDED) - ({"files of its own"} if version < 2 else set())


def test_a_bot_can_remember_by_the_time_of_last_access_as_is_said_aloud(place: Path) -> None:
    file = place / "bot.txt"
    file.write_text("bot")
    os.utime(file, (1, 2))
    file.read_text()
    if file.stat().st_atime == 1:
        skip_for_lack("files that keep the time of last access")
    os.utime(file, (1, 2))
    (place / "scratch").mkdir()
    run(Landlock(), ["cat", str(file)], Visible(place), place / "scratch")
    assert file.stat().st_atime != 1
    assert "time of last access" in landlock.WEAKNESSES[0]


def test_hidden_folders_are_shut_and_the_others_open(place: Path) -> None:
    bot, scratch = place / "bot", place / "scratch"
    for folder in (bot / "hidden", bot / "open" / "hidden", bot / "open" / "inner", scratch):
        folder.mkdir(parents=True)
    for file in (bot / "a", bot / "hidden/b", bot / "open/c", bot / "open/hidden/d", bot / "open/inner/e"):
        file.write_text(file.name)
    visible = Visible(bot, (bot / "hidden", bot / "open" / "hidden"))
    script = "for file in a hidden/b open/c open/hidden/d open/inner/e; do cat $file; done 2>/dev/null; ls"
    assert run(Landlock(), ["sh", "-c", script], visible, scratch) == "acea\nhidden\nopen\n"


LISTENS = """
import os, socket
for port in (int(os.environ["REFEREE_ADDRESS"].rpartition(":")[2]), 2, 0):
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
            print("yes")
        except PermissionError:
            print("no")
"""


@pytest.mark.parametrize(("transport", "may"), [("tcp", ["yes", "no", "no"]), ("tcp-any", ["yes", "no", "yes"])])
def test_a_bot_listens_on_the_port_that_it_is_told_and_on_no_other(
    transport: Transport, may: list[str], place: Path
) -> None:
    command = [sys.executable, "-I", "-S", "-c", LISTENS]
    assert run(Landlock(), command, Visible(place), place, transport).split() == may


LIMITED = "import resource as r; print([r.getrlimit(x)[0] for x in (r.RLIMIT_NOFILE, r.RLIMIT_FSIZE, r.RLIMIT_DATA)])"


def test_each_process_has_the_limits_of_the_league_file(place: Path) -> None:
    confined = Landlock(SandboxLimits(files=77, file_mib=3, memory_mib=300))
    shown = run(confined, [sys.executable, "-I", "-S", "-c", LIMITED], Visible(place), place)
    assert json.loads(shown) == [77, 3 << 20, 300 << 20]


def test_only_a_user_of_the_bot_s_own_has_a_limit_of_processes_in_the_kernel() -> None:
    assert landlock._limits(SandboxLimits(processes=5), has_own_user=True)["NPROC"] == 5
    assert "NPROC" not in landlock._limits(SandboxLimits(processes=5), has_own_user=False)


def with_bot(script: str, confined: Confinement, test: Callable[[BotProcess], Awaitable[None]]) -> None:
    """Let `test` use a process that runs a script of the shell. Nothing may be left of it."""

    async def go(run_dir: Path) -> None:
        bot = bot_that_runs(run_dir.parent / "bots" / "shell", "sh", "-c", script)
        await use(bot, HostSettings(run_dir, confined, PATIENT.start_ms), test)

    with run_folder() as folder:
        (folder / "run").mkdir(mode=0o700)
        (folder / "bots").mkdir()
        uvloop.run(go(folder / "run"))


@pytest.mark.usefixtures("same_user")
@pytest.mark.parametrize(
    ("script", "limits", "words"),
    [
        (
            "for i in 1 2 3 4 5 6; do sleep 600 & done; wait",
            SandboxLimits(processes=5),
            "had 7 processes and threads; allowed: 5",
        ),
        (
            "cd $TMPDIR; for i in 1 2 3; do mkdir $i; head -c 900000 /dev/urandom > $i/a; done; sleep 600",
            SandboxLimits(scratch_mib=2),
            "wrote 2 MiB; allowed: 2",
        ),
    ],
)
def test_a_bot_that_takes_too_much_is_ended_with_all_its_processes(
    script: str, limits: SandboxLimits, words: str
) -> None:
    async def test(process: BotProcess) -> None:
        assert await process.wait(60) == -signal.SIGKILL
        assert process.box.limit_exceeded is not None
        assert words in process.box.limit_exceeded
        assert eventually(lambda: not members(process.session))

    with_bot(script, Landlock(limits), test)


def test_all_that_a_bot_wrote_is_counted_and_folders_that_cannot_be_looked_into_are_noticed(place: Path) -> None:
    (place / "a" / "b").mkdir(parents=True)
    (place / "a" / "c").write_bytes(bytes(10_000))
    (place / "link").symlink_to("/")
    files, size = written(place, 100) or (0, 0)
    assert files == 4
    assert 10_000 <= size < 100_000
    assert (written(place, 2) or (0, 0))[0] > 2
    assert written(place / "gone", 100) == (0, 0)
    folder = os.open(place, os.O_PATH)
    for _ in range(20):  # deeper than a path can be long
        os.mkdir("d" * 250, dir_fd=folder)
        inner = os.open("d" * 250, os.O_PATH, dir_fd=folder)
        os.close(folder)
        folder = inner
    os.close(folder)
    assert written(place, 100) is None


def test_a_program_that_cannot_be_run_is_the_bot_s_fault_and_a_fence_that_cannot_be_made_is_ours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def test(process: BotProcess) -> None:
        assert await process.wait(60) == 127

    with_bot("/nowhere/program", Landlock(), test)
    monkeypatch.setattr(landlock, "filter_for", lambda _architecture: b"\xff" * 8)
    with pytest.raises(Void, match="prctl: Invalid argument"):
        with_bot("sleep 600", Landlock(), test)


PARENT = """
import os, signal, subprocess, sys
from pathlib import Path
from referee.runtime.bot_process import _popen
from referee.runtime.sandbox.landlock import Landlock
from referee.files.bot_folder import Visible
folder = Path(sys.argv[1])
script = "echo up; exec sleep 600"
box = Landlock().to_play(["sh", "-c", script], Visible(folder), folder / "scratch", "unix")
bot = _popen(box, folder, "unix")
bot.stdout.readline()
print(bot.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_bot_does_not_outlive_the_referee_although_it_became_another_user(place: Path) -> None:
    (place / "scratch").mkdir()
    told = subprocess.run([sys.executable, "-c", PARENT, place], check=False, stdout=subprocess.PIPE)
    assert told.stdout
    assert eventually(lambda: not members(int(told.stdout)))


def test_no_build_is_confined(place: Path) -> None:
    with pytest.raises(OSError, match="cannot confine builds"):
        Landlock().to_build(["true"], Visible(place))
