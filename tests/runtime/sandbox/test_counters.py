"""Every counter that a bot in a box could read: closed, its own, random, or open as docs/sandbox.md says."""

import json
import re
import socket
import sys
from pathlib import Path

import pytest

from referee.runtime.sandbox.bubblewrap import _COUNTERS, Bubblewrap
from referee.runtime.sandbox.run_command import run_playing
from tests.runtime.sandbox import counters
from tests.runtime.sandbox.boxes import needs_boxes

SOURCE = Path(counters.__file__).read_text()
TABLE = (Path(__file__).parents[3] / "docs" / "sandbox.md").read_text().partition("## Counters of the machine")[2]
STATES = dict(re.findall(r"^\| (.+?) \| (closed|own|random|reused|open)\b", TABLE, re.MULTILINE))
"""The state of each counter, by its name, as the document says."""

WALK = """
import json, os
found = {}
for root, folders, files in os.walk("/proc"):
    if root == "/proc":
        folders[:] = [name for name in folders if not name.isdigit() and name not in ("self", "thread-self")]
    for name in files:
        try:
            opened = os.open(f"{root}/{name}", os.O_RDONLY | os.O_NONBLOCK)
            found[f"{root}/{name}"] = os.read(opened, 1 << 16).hex()
            os.close(opened)
        except OSError:
            pass
print(json.dumps(found))
"""
"""Reads all of /proc that is not about a process."""

CHANGE_ALL_THE_SAME = {"/proc/meminfo", "/proc/cpuinfo", "/proc/sys/kernel/random/uuid", "/proc/mounts"}
"""The last one names the folders that the box shows, here two different ones."""


def boxed(source: str, folder: Path) -> dict[str, str]:
    """What a program in a new box prints."""
    folder.mkdir()
    ended = run_playing(Bubblewrap(), [sys.executable, "-I", "-S", "-c", source], folder)
    assert ended.code == 0, ended.words
    found: dict[str, str] = json.loads(ended.output)
    return found


def test_the_document_names_every_counter_that_is_read_here() -> None:
    assert list(STATES) == list(counters.READ)
    hidden = {f"`/proc/{name}`" for name in _COUNTERS.split()}
    assert {name for name in STATES if name in hidden} == hidden - {
        f"`/proc/{name}`" for name in ("sched_debug", "schedstat", "timer_list")
    }


@pytest.mark.process
@needs_boxes
def test_every_counter_is_what_the_document_says(tmp_path: Path) -> None:
    first = boxed(SOURCE, tmp_path / "first")
    for _ in range(100):
        for end in socket.socketpair():
            end.close()
    second = boxed(SOURCE, tmp_path / "second")
    of_state = {state: [name for name in STATES if STATES[name] == state] for state in STATES.values()}
    assert {name: first[name] for name in of_state["closed"] if not first[name].startswith("!")} == {}
    assert {name: first[name] for name in of_state["own"] if first[name] != second[name]} == {}
    assert {name: first[name] for name in of_state["random"] if first[name] == second[name]} == {}
    for state in ("own", "random", "reused"):
        assert [name for name in of_state[state] if first[name].startswith("!")] == []
    assert int(second["inode numbers of pipes"]) != int(first["inode numbers of pipes"])


@pytest.mark.process
@needs_boxes
def test_nothing_else_in_proc_changes_from_box_to_box(tmp_path: Path) -> None:
    first, second = boxed(WALK, tmp_path / "first"), boxed(WALK, tmp_path / "second")
    assert len(first) > 100
    assert {path for path in first if first[path] != second.get(path)} <= CHANGE_ALL_THE_SAME
