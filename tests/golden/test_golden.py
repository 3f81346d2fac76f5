"""Golden playthroughs: a match for every ending, told in plain text, compared word by word.

`make golden` writes them anew. Read the difference before you commit it: it is what changed for players.
"""

import difflib
import re

import pytest

from referee.core.outcome import FAULT
from referee.wire.registry import games
from tests.golden.plays import play, shortest_that_ends_so
from tests.golden.tables import FOLDER, GOLDEN, TABLES, Golden

HOW = re.compile(r"; seed (\S+), played (\S+)$", re.MULTILINE)


@pytest.mark.parametrize("golden", GOLDEN, ids=str)
def test_the_playthrough_reads_as_it_did(golden: Golden, request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update-golden", default=False):
        golden.path.parent.mkdir(parents=True, exist_ok=True)
        golden.path.write_text(shortest_that_ends_so(golden), encoding="utf-8")
    if not golden.path.exists():
        pytest.fail(f"there is no golden playthrough {golden}; write it with: make golden", pytrace=False)
    was = golden.path.read_text(encoding="utf-8")
    how = HOW.search(was)
    assert how is not None, f"{golden} does not say by which seed it was played"
    seed, manner = how.groups()
    ending, now = play(golden, manner, seed)
    if now != was:
        pytest.fail(f"{golden} now reads otherwise (- was, + is):\n{_difference(was, now)}", pytrace=False)
    assert ending == golden.ending


def _difference(was: str, now: str) -> str:
    """What changed, with some lines around it; the first hundred lines of that."""
    changed = list(difflib.unified_diff(was.splitlines(), now.splitlines(), lineterm=""))[2:]
    return "\n".join(changed[:100] + ["..."] * (len(changed) > 100))


def test_every_ending_of_every_registered_game_has_a_playthrough_and_so_has_a_fault() -> None:
    wanted = {(name, ending) for name, entry in games().items() for ending in (*entry.game.endings, FAULT)}
    assert wanted - {(golden.game, golden.ending) for golden in GOLDEN} == set()


def test_every_game_with_playthroughs_is_registered() -> None:
    assert set(TABLES) <= set(games())


def test_no_playthrough_is_left_over() -> None:
    wanted = {golden.path for golden in GOLDEN}
    assert sorted(set(FOLDER.rglob("*.txt")) - wanted) == []
