"""The second hour of an author: a match is lost; why, and would the next version have won it? For both kinds of bots.

The bot mixes Codebreakers and Daredevils up: it takes these where it should take those. The next version does not.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.bots.alike import write_alike
from tests.cli.command import UNBOXED, referee, run
from tests.runtime.rogues import eventually
from tests.runtime.sandbox.needed import needs_bwrap
from tests.tournaments.arena import write_league

pytestmark = [pytest.mark.submissions, pytest.mark.process, needs_bwrap]

BUG = 'index = 0 if face_up == "DAREDEVIL" else 1 % legal\n'
FIXED = 'index = 0 if face_up == "CODEBREAKER" else 1 % legal\n'
WRONG = ("sees DAREDEVIL, chooses 0", "sees CODEBREAKER, chooses 1")
"""A seat that may recruit has two actions: the card face up, and the one face down."""

CHOOSES = """\
import sys


def choose(number, face_up, legal):
    index = 0
    if face_up is not None:
        CHOICE
    print(f"decision {number}: sees {face_up}, chooses {index}", file=sys.stderr, flush=True)
    return index
"""

LINES = """\
import json
import sys

from choose import choose

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        print("ready", flush=True)
    elif message["type"] == "decide":
        print(choose(message["number"], message["view"]["face_up"], len(message["legal"])), flush=True)
"""

GRPC = """\
from choose import choose
from referee_bot import serve
from referee_bot.v1 import agent_avenue_pb2 as aa


class Player:
    def __init__(self, start):
        pass

    def choose(self, decision):
        view = aa.View.FromString(decision.view)
        face_up = aa.Agent.Name(view.face_up).removeprefix("AGENT_") if view.face_up else None
        return choose(decision.number, face_up, len(decision.legal))


serve(Player)
"""


def write_version(folder: Path, protocol: str, version: int, choice: str) -> Path:
    """A version of the bot `hope`."""
    write_alike(folder, protocol, "hope")
    manifest = folder / "bot.toml"
    manifest.write_text(manifest.read_text().replace('version = "1"', f'version = "{version}"'))
    (folder / "choose.py").write_text(CHOOSES.replace("CHOICE\n", choice))
    (folder / "bot.py").write_text(GRPC if protocol == "grpc" else LINES)
    return folder


def step(protocol: str, bot: Path, match: Path, seat: str) -> list[str]:
    """What a bot that somebody starts by hand writes to stderr, when a seat of a match is played to it."""
    start, keep = [sys.executable, "bot.py"], {"cwd": bot, "stderr": subprocess.PIPE, "text": True}
    if protocol == "lines":
        sent = run("replay", match, "--seat", seat, "--as", "lines", folder=bot).out
        done: Any = subprocess.run(start, input=sent, stdout=subprocess.PIPE, check=True, **keep)  # type: ignore[call-overload]
        return str(done.stderr).splitlines()
    socket = match.parent / "s"
    address = f"unix:{socket}"
    with subprocess.Popen(start, env=os.environ | {"REFEREE_ADDRESS": address}, **keep) as process:  # type: ignore[call-overload]
        eventually(socket.exists)
        told = referee("replay", match, "--seat", seat, "--to", address)
        process.terminate()
        assert (told.code, told.out) == (0, "the same answers as in the record\n")
        return str(process.stderr.read()).splitlines()


@pytest.mark.parametrize("protocol", ["lines", "grpc"])
def test_from_a_lost_match_to_the_next_version_in_the_league(
    protocol: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    one = write_version(tmp_path / "one", protocol, 1, BUG)
    file = write_league(tmp_path / "small.toml", [one, write_alike(tmp_path / "rival", "lines", "rival")], deals=30)
    assert referee("league", "run", file, "--workers", "1").code == 0

    # Which matches were lost?
    lost = [
        line.split("  ")
        for line in referee("league", "matches", file, "--bot", "hope@1", "--result", "lost").out.splitlines()
    ]

    # In which of them, and at which decision, by what it wrote?
    def bad_decisions(match: str) -> list[str]:
        wrote = referee("league", "log", file, "hope@1", "--match", match).out.splitlines()
        return [line.split("  | ")[1] for line in wrote if line.endswith(WRONG)]

    match, bad = next((id_, bad) for id_, *_ in lost if (bad := bad_decisions(id_)))
    assert referee("league", "match", file, match, "match.json").code == 0
    seat = str(match.split("/")[2].split("+").index("hope@1"))

    # The same, step by step.
    assert [line for line in step(protocol, one, tmp_path / "match.json", seat) if line in bad] == bad

    # Would the next version have won?
    two = write_version(tmp_path / "two", protocol, 2, FIXED)
    again = referee("rerun", "match.json", "--bot", f"{seat}={two}", *UNBOXED, "--json").json
    assert again["difference"].startswith(f"the same up to {bad[0].split(':')[0]} of seat {seat} (")
    found = referee("league", "rerun", file, "--losses", "hope@1", "--bot", two, *UNBOXED, "--json").json
    assert [each["match"] for each in found["matches"]] == [id_ for id_, _, _ in lost]
    assert found["won"] + found["lost"] + found["drawn"] == len(lost)
    assert found["won"] > 0
    (this,) = [each for each in found["matches"] if each["match"] == match]
    assert this["difference"] == again["difference"]

    # Is it better, and does the league take it?
    patient = ("--move-ms", "300000", "--start-ms", "300000", "--workers", "1", *UNBOXED)
    words = ("--game", "agent-avenue", "--against", "rival", "--seed", "7", *patient)
    compared = referee("compare", two, one, *words, "--json")
    assert compared.code == 0, compared.err
    assert compared.json["verdict"] == "better"
    serious = write_league(
        tmp_path / "serious.toml", [], 4, more='sandbox = "bubblewrap"\n[submissions]\nfree_mib = 0\n'
    )
    entered = referee("submit", two, "--to", serious)
    assert (entered.code, entered.out.splitlines()[-1]) == (0, "hope@2 is entered; it plays from the next run")
