import subprocess
import sys

import pytest

from referee.wire.registry import games
from tests.cli.command import referee

COMMANDS = [
    *[(name,) for name in ("games", "play", "new", "build", "check", "replay", "verify", "rerun", "league")],
    *[("league", name) for name in ("run", "standings", "status", "matches", "verify", "export", "reinstate")],
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_explains_itself(command: tuple[str, ...]) -> None:
    ended = referee(*command, "--help")
    assert ended.code == 0
    assert f"Usage: referee {' '.join(command)}" in ended.out


def test_without_a_command_all_are_listed() -> None:
    ended = referee()
    assert ended.code == 2
    assert all(name in ended.out + ended.err for (name, *_) in COMMANDS)


@pytest.mark.parametrize("arguments", [("bogus",), ("play",), ("replay", "x.json", "--seat", "-1"), ("games", "--x")])
def test_what_the_command_line_does_not_know_is_wrong_use(arguments: tuple[str, ...]) -> None:
    ended = referee(*arguments)
    assert (ended.code, ended.out) == (2, "")
    assert "Error" in ended.err


def test_games_are_listed_with_their_options() -> None:
    listed = referee("games").out
    assert listed.startswith(
        "agent-avenue: 2 or 3 or 4 players, rules version 1\n"
        "  mode: advanced, simple (default simple)\n"
        "  line_up: 1v1, 2v1, 2v2 (default 1v1)\n"
        "  ceasefire: true, false (default false)\n"
    )
    assert (
        "agonia: 2 or 3 or 4 or 5 players, rules version 5\n"
        "  board: main, secondary (default main)\n"
        "  rounds: 3 to 30 (default usual)\n"
        "  characters: drawn, or 2 to 5 different ones of vera, bruno, marta, ismael, lia, joined by commas "
        "(default drawn)\n"
    ) in listed
    assert (
        "inside-job: 3 or 4 or 5 players, rules version 1\n"
        "  roles: none, or one or two of wired, paranoid, daredevil, decoy, accomplice, shady, sleeper, prof_no "
        "(4 or 5 players) (default none)\n"
        "  talk: before_vote, every_trick, none (default before_vote)\n"
        "  leader_wagers: true, false (default true)\n"
    ) in listed


def test_games_as_json() -> None:
    listed = {game["name"]: game for game in referee("games", "--json").json}
    assert list(listed) == list(games())
    assert listed["agonia"]["endings"] == ["victory", "entrance", "siege"]
    game = listed["agent-avenue"]
    assert game["seats"] == [2, 3, 4]
    assert game["options"][0] == {
        "name": "mode",
        "default": "simple",
        "allowed": "advanced, simple",
        "values": ["advanced", "simple"],
    }


THREADS = """
import os, sys
from referee.cli.main import main
sys.argv[1:] = ["games"]
try:
    main()
finally:
    import scipy.linalg
    print(len(os.listdir("/proc/self/task")), file=sys.stderr)
"""


@pytest.mark.slow
def test_the_libraries_for_sums_start_no_threads() -> None:
    """Where processes are few, OpenBLAS would answer the failure of a thread with a SIGINT to its own process."""
    ended = subprocess.run([sys.executable, "-c", THREADS], check=False, capture_output=True, text=True)
    assert ended.stderr.splitlines()[0] == "1"
