"""A bot's process: what it gets, and that nothing of it is left."""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from pathlib import Path
from typing import Any

import pytest
import uvloop

from referee.core.bot_limits import Sandbox
from referee.runtime.bot_process import _AFTER_AN_ANSWER_NS, _TRUSTED_NS, BotProcess
from referee.runtime.confinement import Confinement, Unconfined, _Open, confinement
from referee.runtime.host import HostSettings
from referee.runtime.local_bot import LocalBot
from referee.runtime.process_sessions import end_run
from referee.runtime.process_sessions import members as living
from referee.runtime.sandbox.bubblewrap import Bubblewrap
from tests.runtime.rogues import ENDS_SLOWLY, PATIENT, bot_that_runs, eventually, members, rogue, run_folder, use
from tests.runtime.sandbox.needed import needs_bwrap, needs_landlock

pytestmark = pytest.mark.process

UNCONFINED = Unconfined()


def with_process(
    bot: LocalBot, test: Callable[[BotProcess], Awaitable[None]], confinement: Confinement = UNCONFINED
) -> None:
    """Let `test` use the process, and end the process. Nothing may be left of it."""

    with run_folder() as run_dir:
        uvloop.run(use(bot, HostSettings(run_dir, confinement, PATIENT.start_ms), test))


async def until(holds: Callable[[], bool]) -> None:
    while not holds():
        await asyncio.sleep(0.01)


def test_a_bot_is_given_its_folder_five_variables_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "of the referee")
    found = tmp_path / "looks_around" / "found"

    async def test(process: BotProcess) -> None:
        await until(lambda: found.exists() and found.read_text().endswith("}"))
        assert json.loads(found.read_text()) == {
            "variables": {
                "PATH": os.environ["PATH"],
                "LC_ALL": "C.UTF-8",
                "PYTHONHASHSEED": "0",
                "PYTHONDONTWRITEBYTECODE": "1",
                "REFEREE_ADDRESS": process.box.listening.address,
            },
            "folder": str(found.parent),
            "stdin": "",
            "files": [0, 1, 2],
            "leads_group": True,
            "leads_session": True,
        }

    with_process(rogue(tmp_path, "looks_around"), test)


def shell(folder: Path, script: str) -> LocalBot:
    return bot_that_runs(folder / "shell", "sh", "-c", script)


def test_a_process_that_ignores_sigterm_is_ended_all_the_same(tmp_path: Path) -> None:
    async def test(process: BotProcess) -> None:
        await is_up(process)
        await process.terminate()
        assert process.exit_status == -signal.SIGKILL
        assert process.ended_by_itself is None

    with_process(shell(tmp_path, "trap '' TERM; echo up; sleep 600 & while :; do wait; done"), test)


def test_nothing_of_a_bot_is_left_when_it_has_been_ended_though_a_child_in_a_group_of_its_own_ends_slowly(
    tmp_path: Path,
) -> None:
    async def test(process: BotProcess) -> None:
        await is_up(process)
        await process.kill_now()
        assert living(process.session) == []

    with_process(shell(tmp_path, f"set -m; '{sys.executable}' -c '{ENDS_SLOWLY}' & wait"), test)


@pytest.mark.parametrize("end", [BotProcess.terminate, BotProcess.kill_now])
def test_nothing_of_a_bot_is_left_when_whoever_ends_it_is_cancelled_meanwhile(
    end: Callable[[BotProcess], Coroutine[Any, Any, None]], tmp_path: Path
) -> None:
    async def test(process: BotProcess) -> None:
        await is_up(process)
        ending = asyncio.create_task(end(process))
        await asyncio.sleep(0.001)
        ending.cancel()
        with pytest.raises(asyncio.CancelledError):
            await ending
        assert living(process.session) == []
        assert process.exit_status == -signal.SIGKILL

    script = f"trap '' TERM; set -m; '{sys.executable}' -c '{ENDS_SLOWLY}' & while :; do wait; done"
    with_process(shell(tmp_path, script), test)


def test_nothing_of_a_bot_is_left_when_whoever_starts_it_is_cancelled_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sessions = list[int]()

    async def never(box: _Open) -> int:
        sessions.append(box._session)
        await asyncio.get_running_loop().create_future()
        return 0

    async def test(run_dir: Path) -> None:
        bot = shell(tmp_path, "trap '' TERM; while :; do wait; done")
        starting = asyncio.create_task(bot.host(HostSettings(run_dir, UNCONFINED, PATIENT.start_ms)))
        await until(lambda: bool(sessions))
        starting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await starting
        assert list(run_dir.iterdir()) == []

    monkeypatch.setattr(_Open, "bot_pid", never)
    with run_folder() as run_dir:
        uvloop.run(test(run_dir))
    assert [living(session) for session in sessions] == [[]]


def kill_from_outside(process: BotProcess) -> None:
    os.kill(process.pid, signal.SIGKILL)


def terminate_from_outside(process: BotProcess) -> None:
    os.kill(process.pid, signal.SIGTERM)


def kill_its_leader(process: BotProcess) -> None:
    os.kill(process.session, signal.SIGKILL)


def exceed_a_limit(process: BotProcess) -> None:
    watch = process.box._watch  # type: ignore[attr-defined] # of a box
    watch.limit_exceeded = "used too much"
    watch.end()


def kills_noted(bot: LocalBot, kind: Sandbox, end: Callable[[BotProcess], None]) -> list[int]:
    """The kills that are noted when a bot ends in this way."""
    noted: list[int] = []

    async def test(process: BotProcess) -> None:
        await is_up(process)
        end(process)
        assert await process.wait(60) is not None

    with run_folder() as run_dir:
        uvloop.run(use(bot, HostSettings(run_dir, confinement(kind), PATIENT.start_ms, kills=noted), test))
    return noted


BOXES = [
    "none", pytest.param("landlock", marks=needs_landlock), pytest.param("bubblewrap", marks=needs_bwrap),
]  # fmt: skip
SLEEPS = "echo up; exec sleep 600"


@pytest.mark.parametrize("kind", BOXES)
@pytest.mark.parametrize(
    ("script", "end", "kills"),
    [
        (SLEEPS, kill_from_outside, [signal.SIGKILL]),
        (SLEEPS, terminate_from_outside, [signal.SIGTERM]),
        (SLEEPS, kill_its_leader, [signal.SIGKILL]),
        (SLEEPS, BotProcess.kill, []),
        ("echo up; exit 3", lambda _: None, []),
        ("echo up; kill -ABRT $$", lambda _: None, []),
    ],
)
def test_what_ends_a_bot_by_force_is_noted_if_it_is_not_the_referee(
    tmp_path: Path, kind: Sandbox, script: str, end: Callable[[BotProcess], None], kills: list[int]
) -> None:
    assert kills_noted(shell(tmp_path, script), kind, end) == kills


@pytest.mark.parametrize("kind", BOXES[1:])
def test_a_bot_that_is_ended_at_a_limit_is_not_noted_as_killed(tmp_path: Path, kind: Sandbox) -> None:
    assert kills_noted(shell(tmp_path, SLEEPS), kind, exceed_a_limit) == []


@pytest.mark.parametrize("script", [SLEEPS, "trap '' TERM; echo up; sleep 600 & while :; do wait; done"])
def test_a_bot_that_the_referee_asks_to_end_is_not_noted_as_killed(tmp_path: Path, script: str) -> None:
    noted: list[int] = []

    async def test(process: BotProcess) -> None:
        await is_up(process)
        await process.terminate()

    with run_folder() as run_dir:
        hosting = HostSettings(run_dir, UNCONFINED, PATIENT.start_ms, kills=noted)
        uvloop.run(use(shell(tmp_path, script), hosting, test))
    assert noted == []


def state(process: BotProcess) -> str:
    """A letter of proc(5): R runs, S sleeps, T is stopped."""
    return Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0]


def is_stopped(process: BotProcess) -> bool:
    return state(process) == "T"


async def is_up(process: BotProcess) -> None:
    await until(lambda: "up" in process._tail.text())


async def works(process: BotProcess, nanoseconds: int) -> None:
    """Wait until the process has used this much processor time, however long that takes."""
    enough = process.processor_ns + nanoseconds
    await until(lambda: process.processor_ns >= enough)


OVERTIME_NS = 2 * (_TRUSTED_NS + _AFTER_AN_ANSWER_NS)


def test_a_process_that_sleeps_off_turn_is_never_stopped_by_rest(tmp_path: Path) -> None:
    async def test(process: BotProcess) -> None:
        await is_up(process)
        await until(lambda: state(process) == "S" and b"sleep" in Path(f"/proc/{process.pid}/cmdline").read_bytes())
        for _ in range(5):
            process.rest()
            await asyncio.sleep(0.02)
            assert not is_stopped(process)
            process.resume()

    with_process(shell(tmp_path, "echo up; exec sleep 600"), test)


def test_a_process_that_thinks_off_turn_is_stopped_off_turn_from_then_on(tmp_path: Path) -> None:
    """P-22."""

    async def test(process: BotProcess) -> None:
        await is_up(process)
        process.rest()
        await works(process, OVERTIME_NS)
        assert not is_stopped(process)
        process.resume()
        for _ in range(3):
            process.rest()
            await until(lambda: is_stopped(process))
            process.resume()
            await until(lambda: not is_stopped(process))

    with_process(shell(tmp_path, "echo up; while :; do :; done"), test)


async def think_until_stopped(process: BotProcess) -> None:
    """Let it think a little in every turn of others, each time too little to matter, until it is stopped there."""
    while not is_stopped(process):
        process.resume()
        process.rest()
        if process._paused:
            await until(lambda: is_stopped(process))
        else:
            await works(process, 2 * _AFTER_AN_ANSWER_NS)


def test_many_small_thoughts_off_turn_add_up(tmp_path: Path) -> None:
    async def test(process: BotProcess) -> None:
        await is_up(process)
        await think_until_stopped(process)

    with_process(shell(tmp_path, "echo up; while :; do :; done"), test)


def test_what_a_process_ran_before_its_pause_is_not_what_it_ran_since(tmp_path: Path) -> None:
    async def test(process: BotProcess) -> None:
        await until(lambda: process.ran_ns > 300_000_000)
        process.pause()
        process.resume()
        assert process.ran_ns < 200_000_000

    with_process(bot_that_runs(tmp_path, sys.executable, "-c", "while True: pass"), test)


def test_a_paused_process_can_be_ended(tmp_path: Path) -> None:
    async def test(process: BotProcess) -> None:
        await is_up(process)
        process.pause()
        await process.terminate()
        assert process.exit_status == 5  # it could go on, and ended by itself

    with_process(shell(tmp_path, "trap 'exit 5' TERM; echo up; while :; do sleep 0.01; done"), test)


@pytest.mark.parametrize(("script", "status"), [("exit 3", 3), ("kill -USR1 $$", -signal.SIGUSR1)])
def test_the_exit_status_is_told_as_often_as_asked_and_survives_a_later_kill(
    script: str, status: int, tmp_path: Path
) -> None:
    async def test(process: BotProcess) -> None:
        assert await process.wait(PATIENT.start_ms / 1000) == status
        process.kill()
        assert (process.exit_status, process.ended_by_itself) == (status, status)
        await process.kill_now()
        assert (process.exit_status, process.ended_by_itself) == (status, status)

    with_process(shell(tmp_path, script), test)


def test_the_last_words_are_whole_when_the_process_is_dead(tmp_path: Path) -> None:
    async def test(process: BotProcess) -> None:
        await process.wait(PATIENT.start_ms / 1000)
        words = await process.stderr_tail()
        assert len(words) <= 4096
        assert words.endswith("9998\n9999\nthe end")

    with_process(shell(tmp_path, "seq 0 9999; echo the end >&2"), test)


def groups(process: BotProcess) -> Iterable[int]:
    """How many processes are in each group of the bot's session."""
    found = Counter[int]()
    for pid in members(process.session):
        with contextlib.suppress(ProcessLookupError):
            found[os.getpgid(pid)] += 1
    return found.values()


def test_children_end_with_the_bot_whatever_group_they_are_in(tmp_path: Path) -> None:
    async def test(process: BotProcess) -> None:
        # Two groups: a moment after its start, one child leaves the bot's own group.
        await until(lambda: sorted(groups(process)) == [1, 2])

    with_process(rogue(tmp_path, "leaves_children"), test)


def boxed(folder: Path, script: str, test: Callable[[BotProcess], Awaitable[None]]) -> None:
    """Let `test` use the process of a bot in a box."""
    with_process(shell(folder, script), test, Bubblewrap())


@needs_bwrap
def test_of_a_boxed_bot_the_bot_itself_is_watched_off_turn(tmp_path: Path) -> None:
    """P-22."""

    async def test(process: BotProcess) -> None:
        assert process.pid != process.session
        await is_up(process)
        await think_until_stopped(process)

    boxed(tmp_path, "echo up; while :; do :; done", test)


@needs_bwrap
def test_a_boxed_bot_is_asked_to_end_and_not_its_box(tmp_path: Path) -> None:
    async def test(process: BotProcess) -> None:
        await is_up(process)
        process.pause()
        await process.terminate()
        assert process.ended_by_itself == 5

    boxed(tmp_path, "trap 'exit 5' TERM; echo up; while :; do sleep 0.01; done", test)


@needs_bwrap
def test_a_boxed_bot_s_end_is_told_as_any_other_s(tmp_path: Path) -> None:
    async def test(process: BotProcess) -> None:
        assert await process.wait(PATIENT.start_ms / 1000) == -signal.SIGUSR1

    boxed(tmp_path, "sleep 0.1; kill -USR1 $$", test)


REFEREE = """\
import asyncio, sys
from pathlib import Path
from typing import Any
from referee.runtime.confinement import Unconfined
from referee.runtime.host import HostSettings
from referee.runtime.local_bot import read_bot

async def start():
    process = await read_bot(Path(sys.argv[1])).host(HostSettings(Path(sys.argv[2]), Unconfined(), 20_000))
    print(process.session, flush=True)
    await asyncio.sleep(600)

asyncio.run(start())
"""


def test_a_bot_dies_with_its_referee_and_the_next_run_ends_its_children(tmp_path: Path) -> None:
    bot = rogue(tmp_path, "leaves_children")
    with run_folder() as parent:
        run_dir = parent / "run"
        (run_dir / "slot").mkdir(parents=True)
        command = [sys.executable, "-c", REFEREE, str(bot.folder), str(run_dir / "slot")]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as referee:
            assert referee.stdout is not None
            leader = int(referee.stdout.readline())
            assert eventually(lambda: len(members(leader)) == 3)
            referee.kill()
        assert eventually(lambda: leader not in members(leader))
        assert len(members(leader)) == 2
        assert end_run(run_dir) == 1
        assert eventually(lambda: not members(leader))
        assert not run_dir.exists()
