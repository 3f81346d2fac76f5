"""What a bot in a box can see, do and take; and that the referee reaches it all the same."""

import asyncio
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.core.bot_limits import SandboxLimits
from referee.files.bot_folder import Link, Visible
from referee.files.manifest import Transport
from referee.match.transcript import FaultKind
from referee.runtime.bot_process import BotProcess
from referee.runtime.sandbox import bubblewrap, readable_paths, resource_watch, seccomp
from referee.runtime.sandbox.bubblewrap import Bubblewrap
from referee.runtime.table import play_once
from tests.auction import auction_header
from tests.runtime.rogues import ENTRY, PATIENT, ROGUE_READS, bot_that_runs, faults, rogue, run_folder
from tests.runtime.sandbox.boxes import needs_boxes, probe, prober, with_boxed

pytestmark = [pytest.mark.process, needs_boxes]

ALWAYS = ("dev", "etc", "proc", "tmp", "usr")
LIBRARY = [place for place in sys.path if place.endswith("sample_bots/python/library")]


def as_written(text: str) -> str:
    """The text as a bot's output has it: without the places of our interpreter."""
    for place in readable_paths.own_python():
        text = text.replace(str(place), "{python}")
    return text


def test_a_bot_sees_its_runtime_and_its_folder_and_has_no_rights(tmp_path: Path) -> None:
    seen = probe(tmp_path / "bot", "see")
    shown = (tmp_path, Path(sys.prefix), Path(sys.base_prefix), *map(Path, LIBRARY))
    assert set(seen["root"]) <= {*readable_paths.ROOT_LINKS, *ALWAYS, *(place.parts[1] for place in shown)}
    assert {"passwd", "shadow", "ssh", "machine-id"}.isdisjoint(seen["etc"])
    assert seen["dev"] == ["fd", "full", "null", "random", "shm", "stderr", "stdin", "stdout", "urandom"]
    assert set(seen["tmp"]) <= {place.parts[2] for place in shown if place.parts[1] == "tmp"}
    assert seen["here"] == ["bot.toml", "prober.py"]
    assert seen["folder"] == str(tmp_path / "bot").split("/")
    assert seen["environment"] == {
        "PATH": as_written(os.environ["PATH"]),
        "LC_ALL": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "REFEREE_ADDRESS": "unix:/tmp/bot.sock",
    }
    assert seen["files"] == [0, 1, 2]
    assert seen["processes"] == 2  # bwrap's first one, and the bot
    assert seen["interfaces"] == ["lo"]
    assert seen["host"] == "bot"
    assert (seen["capabilities"], seen["no_new_privileges"], seen["seccomp"]) == ([0], "1", "2")
    assert not seen["root_user"]
    gib = 1 << 30
    assert seen["limits"] == {
        "CORE": [0, 0],
        "DATA": [2 * gib, 2 * gib],
        "NPROC": [128, 128],
        "NOFILE": [256, 256],
        "FSIZE": [64 << 20, 64 << 20],
    }


def test_a_box_is_the_same_where_only_bwrap_may_make_namespaces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nested = probe(tmp_path / "bot", "see")
    monkeypatch.setattr(bubblewrap, "_nest", lambda _program: ())
    assert probe(tmp_path / "bot", "see") == nested


def test_it_can_write_in_its_tmp_and_nowhere_else(tmp_path: Path) -> None:
    written = probe(tmp_path / "bot", "write")
    parents = [str(parent) for parent in (tmp_path / "bot").parents if parent.is_relative_to("/tmp/")]  # noqa: S108
    assert set(written) <= {"/tmp", "/dev/shm", *parents}  # noqa: S108 - the last ones are in the box's own /tmp
    assert "/tmp" in written  # noqa: S108
    assert sorted(path.name for path in (tmp_path / "bot").iterdir()) == ["bot.toml", "prober.py"]
    assert not (tmp_path / "made").exists()
    assert not Path("/tmp/made").exists()  # noqa: S108


def test_every_system_call_of_the_filter_is_refused(tmp_path: Path) -> None:
    numbers = dict(seccomp.ARCHITECTURES[os.uname().machine].numbers)
    asked = {name: number for name, number in numbers.items() if name not in seccomp.LOOKED_AT} | {"later": 463}
    not_there = seccomp._NOT_THERE | {"later"}
    found = probe(tmp_path / "bot", "call", *(f"{name}={number}" for name, number in asked.items()))
    assert found == {name: "ENOSYS" if name in not_there else "EPERM" for name in asked}


def test_it_makes_usual_sockets_only_and_reaches_nothing_of_the_host(tmp_path: Path) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as port,
        socket.socket(socket.AF_UNIX) as hidden,
        run_folder() as folder,
    ):
        hidden.bind("\0referee-test")
        hidden.listen()
        with socket.socket(socket.AF_UNIX) as file:
            file.bind(str(folder / "sock"))
            file.listen()
            places = [f"127.0.0.1:{port.getsockname()[1]}", "@referee-test", str(folder / "sock")]
            found = probe(tmp_path / "bot", "sockets", *places)
    assert found == {"made": ["unix", "inet", "inet6", "routes"], "connected": []}


def test_it_can_neither_enlarge_buffers_nor_change_caches_nor_touch_the_machine_s_devices(tmp_path: Path) -> None:
    harmless = ["MADV_DONTNEED", "SO_KEEPALIVE", "TCP_NODELAY", "TCP_SYNCNT", "its own file"]
    assert probe(tmp_path / "bot", "leave_marks") == harmless


def test_its_children_cannot_leave_their_group(tmp_path: Path) -> None:
    assert probe(tmp_path / "bot", "spawn") == []


def test_the_limits_of_a_process_hold(tmp_path: Path) -> None:
    few = SandboxLimits(processes=8, memory_mib=160, scratch_mib=24, file_mib=8)
    assert probe(tmp_path / "bot", "fork", limits=few) == 7
    assert 3 <= probe(tmp_path / "bot", "eat", limits=few) <= 10
    filled = probe(tmp_path / "bot", "fill", limits=few)
    assert filled["in_one"] == 8
    assert 20 <= filled["in_all"] <= 24


@pytest.mark.parametrize(
    ("what", "limits", "words"),
    [
        ("share", SandboxLimits(memory_mib=120), ("MiB of memory; allowed: 120",)),
        ("map_much", SandboxLimits(memory_mib=64), ("MiB of memory; allowed: 64",)),
        ("send_much", SandboxLimits(memory_mib=64), ("MiB of memory; allowed: 64",)),
        ("clutter", SandboxLimits(scratch_mib=1), ("files; allowed: 256",)),
        ("open_sockets", SandboxLimits(), ("sockets; allowed: 512",)),
    ],
)
def test_what_all_processes_take_together_is_watched(
    tmp_path: Path, what: str, limits: SandboxLimits, words: tuple[str, ...]
) -> None:
    async def test(process: BotProcess) -> None:
        await process.wait(60)
        assert process.box.limit_exceeded is not None
        assert all(part in process.box.limit_exceeded for part in words)

    with_boxed(prober(tmp_path / "bot", what), test, Bubblewrap(limits))


def boxed_rogue(folder: Path, how: str, transport: Transport = "unix") -> tuple[list[tuple[int, int, FaultKind]], str]:
    """The faults of a match between a rogue and an honest bot, both in boxes, and the first remark."""
    bots = [rogue(folder, how, transport), rogue(folder, "honest", transport)]
    box = Bubblewrap(read=ROGUE_READS)
    played = asyncio.run(play_once(ENTRY, bots, auction_header(seats=2, seed=1, rounds=3), PATIENT, box))
    return faults(played), played.metadata.remarks[0].text if played.metadata.remarks else ""


@pytest.mark.parametrize("transport", ["unix", "tcp", "tcp-any"])
def test_a_match_is_played_wherever_a_bot_listens(tmp_path: Path, transport: Transport) -> None:
    assert boxed_rogue(tmp_path, "honest", transport) == ([], "")


def test_a_box_that_ends_before_its_relay_reads_the_port_is_waited_for_as_any_other(tmp_path: Path) -> None:
    bot = rogue(tmp_path, "honest", "tcp")

    async def call() -> None:
        box = Bubblewrap().to_play(bot.command, bot.visible, tmp_path, "tcp")
        box.started(0)  # closes our copy of the end that the relay reads
        try:
            await asyncio.wait_for(box.peer(asyncio.get_running_loop().create_future()), 0.1)
        finally:
            box.close()

    with pytest.raises(TimeoutError):
        asyncio.run(call())


def test_a_bot_that_takes_too_much_has_crashed_and_the_remark_says_of_what(tmp_path: Path) -> None:
    bots = [prober(tmp_path / "bot", "clutter"), rogue(tmp_path, "honest")]
    box = Bubblewrap(SandboxLimits(scratch_mib=1), read=ROGUE_READS)
    played = asyncio.run(play_once(ENTRY, bots, auction_header(seats=2, seed=1, rounds=3), PATIENT, box))
    assert faults(played) == [(0, 0, FaultKind.NO_START)]
    assert re.fullmatch(
        r"ended before it could be called; it made \d+ files; allowed: 256", played.metadata.remarks[0].text
    )


def test_a_box_that_is_still_being_made_is_not_judged_by_what_lies_on_the_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until its own root is there, its `/tmp` is that of the host, which may have any number of files."""
    monkeypatch.setattr(resource_watch, "_LOOK_EVERY_S", 0.0001)
    bot = bot_that_runs(tmp_path / "bot", "sleep", "600")

    async def test(process: BotProcess) -> None:
        assert process.limit_exceeded is None

    for _ in range(4):
        with_boxed(bot, test, Bubblewrap())


@pytest.mark.slow
def test_a_bot_that_never_listens_in_its_box_did_not_answer(tmp_path: Path) -> None:
    bots = [bot_that_runs(tmp_path / "bot", "sleep", "600"), rogue(tmp_path, "honest")]
    clock = replace(PATIENT, start_ms=500)
    box = Bubblewrap(read=ROGUE_READS)
    played = asyncio.run(play_once(ENTRY, bots, auction_header(seats=2, seed=1, rounds=3), clock, box))
    assert (0, 0, FaultKind.NO_START) in faults(played)
    assert [each.text for each in played.metadata.remarks if each.seat == 0] == [
        "did not answer Describe within 500 ms"
    ]


@pytest.mark.slow
def test_a_link_in_the_place_of_its_socket_leads_nowhere(tmp_path: Path) -> None:
    """The referee must not be led to a socket of the host, such as that of another bot."""
    with run_folder() as folder, socket.socket(socket.AF_UNIX) as host:
        host.bind(str(folder / "sock"))
        host.listen()
        host.settimeout(0)

        async def test(process: BotProcess) -> None:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(1):
                    await process.peer()
            with pytest.raises(BlockingIOError):
                host.accept()

        links = f"ln -s {folder / 'sock'} /tmp/bot.sock; sleep 600"
        with_boxed(bot_that_runs(tmp_path / "bot", "sh", "-c", links), test, Bubblewrap())


def test_hidden_folders_are_shown_empty_and_links_are_followed(tmp_path: Path) -> None:
    folder, outside = tmp_path / "bot", tmp_path / "outside"
    (folder / "cache").mkdir(parents=True)
    (folder / "cache" / "old").touch()
    outside.mkdir()
    (outside / "shared").write_text("words")
    (folder / "link").symlink_to("../outside")
    box = Bubblewrap().to_play(
        ["sh", "-c", "ls -A cache; cat link/shared; ls -A .."],
        Visible(folder, (folder / "cache",), (Link("link", outside, outside),)),
        tmp_path,
        "unix",
    )
    try:
        said = subprocess.check_output(box.command, pass_fds=box.inherited, text=True)
    finally:
        box.close()
    assert said == "wordsbot\noutside\n"


def test_without_bwrap_or_a_filter_there_is_no_box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "vax")
    with pytest.raises(OSError, match="x86_64 and aarch64 only, and this machine is vax"):
        Bubblewrap().to_play(["true"], Visible(tmp_path), tmp_path, "unix")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(OSError, match="bwrap is not installed"):
        Bubblewrap().to_play(["true"], Visible(tmp_path), tmp_path, "unix")


def test_a_bot_whose_files_are_their_owner_s_alone_can_read_them(tmp_path: Path) -> None:
    """As under umask 077. Node asks with access(2) before it opens a file."""
    folder = tmp_path / "bot"
    folder.mkdir(mode=0o700)
    (folder / "words").touch(mode=0o600)
    look = [sys.executable, "-c", "import os; open('words').close(); print(os.access('words', os.R_OK))"]
    box = Bubblewrap().to_play(look, Visible(folder), tmp_path, "unix")
    try:
        assert subprocess.check_output(box.command, pass_fds=box.inherited, text=True) == "True\n"
    finally:
        box.close()


def test_a_build_in_a_box_writes_in_its_folder_which_is_its_owner_s_again_afterwards(tmp_path: Path) -> None:
    folder = tmp_path / "bot"
    (folder / "src").mkdir(parents=True)
    tries = f"mkdir build && touch build/made src/made; touch {tmp_path}/made; wc -l </proc/net/dev"
    box = Bubblewrap().to_build(["sh", "-c", tries], Visible(folder))
    try:
        said = subprocess.check_output(box.command, pass_fds=box.inherited, text=True, stderr=subprocess.DEVNULL)
    finally:
        box.close()
    assert said == "3\n"  # two lines of heading, and lo
    assert sorted(path.name for path in folder.rglob("*")) == ["build", "made", "made", "src"]
    assert {path.stat().st_uid for path in [folder, *folder.rglob("*")]} == {os.getuid()}
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(("folder", "made"), [(".", True), ("gone", False)])
def test_a_bot_that_has_ended_before_anybody_looks_was_started_if_its_box_was_made(
    tmp_path: Path, folder: str, made: bool
) -> None:
    box = Bubblewrap().to_play(["true"], Visible(tmp_path), tmp_path, "unix")
    command = [word.replace(str(tmp_path), str(tmp_path / folder)) for word in box.command]
    try:
        with subprocess.Popen(command, pass_fds=box.inherited, stderr=subprocess.DEVNULL) as bwrap:
            box.started(bwrap.pid)
            bwrap.wait()
            if made:
                assert asyncio.run(box.bot_pid())
            else:
                with pytest.raises(OSError, match="could not make a box"):
                    asyncio.run(box.bot_pid())
    finally:
        box.close()
