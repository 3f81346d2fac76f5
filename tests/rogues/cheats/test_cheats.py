"""Two cheats that need a world outside: a memory of deals, and the seed of the league. A bot plays against its equal.

Without a box both win clearly. In the box both find nothing, so they play exactly as their equal does.
"""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.command import BOTS, REFEREE
from tests.rogues import leftovers
from tests.rogues.leagues import Box
from tests.runtime.sandbox.boxes import needs_boxes
from tournaments.comparison.compare import judged
from tournaments.comparison.verdict import ComparisonResult, Judge, TwoSided
from tournaments.results.league_location import league_in, store_of
from tournaments.results.stored_league import open_results

pytestmark = [pytest.mark.process, pytest.mark.rogues, pytest.mark.timeout(1800)]

_PARTS = Path(__file__).parent / "bots"

CHEATS = ["from_memory", "from_the_seed"]

_LEAGUE = """\
name = "cheats"
game = "agent-avenue"
deals = {deals}
seed = "of the cheats"
rehearsal = true
sandbox = "{box}"
bots = [{{ path = "bots/mine" }}, {{ path = "bots/hers" }}]
tables = [{{ name = "simple", seats = 2 }}]
clock = {{ move_ms = 60000, start_ms = 60000 }}
"""


@pytest.mark.parametrize("cheat", CHEATS)
def test_without_a_box_the_cheat_wins(cheat: str, tmp_path: Path) -> None:
    assert _duel(cheat, "none", 240, tmp_path).verdict == "better"


@needs_boxes
@pytest.mark.parametrize("cheat", CHEATS)
def test_in_the_box_the_cheat_finds_nothing_and_is_no_better_than_its_equal(cheat: str, tmp_path: Path) -> None:
    duel = _duel(cheat, "bubblewrap", 400, tmp_path)
    assert duel.deals == 400
    assert duel.mean == 0  # on every deal both play the same moves at the same seat
    assert duel.interval[0] < 0 < duel.interval[1]


def _duel(cheat: str, box: Box, deals: int, folder: Path) -> ComparisonResult:
    """What `referee league compare` says of the cheat and its equal."""
    mark = f"{folder.name}-{box}"
    _write_bot(folder / "bots" / "hers", None, mark)
    _write_bot(folder / "bots" / "mine", cheat, mark)
    file = folder / "cheats.toml"
    file.write_text(_LEAGUE.format(deals=deals, box=box))
    with _cleared_away(mark):
        # With one worker the deals come in the same order at both seats.
        command: list[str | Path] = [REFEREE, "league", "run", file.name, "--workers", "1"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    league = league_in(file)
    with open_results(league, store_of(league, file).replace("///", f"///{folder}/")) as kept:
        # Without a margin nobody is ever found to be as good as another, and all deals count.
        finding, left_out = judged(kept, "mine@1", "hers@1", Judge(0.05, TwoSided(0)))
        assert all(not played.faults for played in kept.matches())
    assert left_out == 0
    return finding


def _write_bot(folder: Path, cheat: str | None, mark: str) -> None:
    """A copy of greedy, under the name of its folder, that cheats or not."""
    shutil.copytree(BOTS / "greedy", folder, ignore=shutil.ignore_patterns("__pycache__"))
    manifest = folder / "bot.toml"
    manifest.write_text(manifest.read_text().replace('name = "greedy"', f'name = "{folder.name}"'))
    if cheat is not None:
        (folder / "player.py").rename(folder / "greedy.py")
        shutil.copy(_PARTS / "knowing.py", folder / "player.py")
        shutil.copy(_PARTS / f"{cheat}.py", folder / "knowledge.py")
        (folder / "mark.txt").write_text(mark)


@contextmanager
def _cleared_away(mark: str) -> Iterator[None]:
    try:
        yield
    finally:
        leftovers.remove(mark)
