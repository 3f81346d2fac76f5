"""Cheats that need a world outside: a memory of deals, and the seed of the league. A bot plays against its equal.

Without a box they win clearly. In the box they find nothing, so they play exactly as their equal does. Without a box, too,
the test for memory notices those that remember, and luck of its own for every match takes all worth from their memory.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.command import BOTS, REFEREE
from tests.conftest import Tell
from tests.rogues import leftovers
from tests.rogues.leagues import Box
from tests.runtime.sandbox.boxes import needs_boxes
from tournaments.comparison.compare import judged
from tournaments.comparison.memory_evidence import memory_of
from tournaments.comparison.verdict import ComparisonResult, Judge
from tournaments.league.model import Luck
from tournaments.results.league_location import league_in, store_of
from tournaments.results.stored_league import StoredLeague, open_results

pytestmark = [pytest.mark.process, pytest.mark.rogues, pytest.mark.timeout(1800)]

_PARTS = Path(__file__).parent / "bots"

REMEMBERING = {
    "from_files": {"remembering.py": "knowledge.py", "in_files.py": "memory.py"},
    "from_names": {"remembering.py": "knowledge.py", "in_names.py": "memory.py"},
    "from_pages": {"remembering.py": "knowledge.py", "in_pages.py": "memory.py"},
}
CHEATS = {**REMEMBERING, "from_the_seed": {"from_the_seed.py": "knowledge.py"}}
"""By cheat, its files beside knowing.py, and their names in its folder."""

_KERNEL = ["from_names", "from_pages"]
"""Those that remember by what the kernel keeps in its caches."""

_PAGES = 1 << 36
"""The size of a file without content. Bots that remember read some of its pages."""

_LEAGUES = int(os.environ.get("REFEREE_TEST_LEAGUES", "1"))
"""How many leagues are played with each cheat and kind of luck."""

_LEAGUE = """\
name = "cheats"
game = "agent-avenue"
deals = {deals}
seed = "of the cheats {number}"
rehearsal = true
sandbox = "{box}"
bots = [{{ path = "bots/mine" }}, {{ path = "bots/hers" }}]
tables = [{{ name = "simple", seats = 2 }}]
clock = {{ move_ms = 60000, start_ms = 60000 }}
luck = "{luck}"
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


@pytest.mark.parametrize("cheat", _KERNEL)
def test_with_common_luck_a_bot_that_remembers_is_noticed_within_200_deals(
    cheat: str, tmp_path: Path, tell: Tell
) -> None:
    noticed = 0
    for number in range(_LEAGUES):
        with _played(cheat, "none", 200, tmp_path / str(number), number=number) as kept:
            found = memory_of(kept.league, kept.pinned.seed_bytes, kept.season)
            wins = _wins(kept)
        noticed += [each.bot for each in found.bots if each.noticed] == ["mine@1"]
        tell(f"{cheat}, league {number}", {"of 400 matches won": wins, "evidence": found.bots[0].evidence})
    assert noticed >= _LEAGUES * 19 // 20


@pytest.mark.parametrize("cheat", _KERNEL)
def test_with_own_luck_a_bot_that_remembers_gains_nothing(cheat: str, tmp_path: Path, tell: Tell) -> None:
    for number in range(_LEAGUES):
        with _played(cheat, "none", 200, tmp_path / str(number), "own", number) as kept:
            assert memory_of(kept.league, kept.pinned.seed_bytes, kept.season).bots == ()
            wins = _wins(kept)
        tell(f"{cheat}, own luck, league {number}", {"of 400 matches won": wins})
        assert 174 <= wins <= 226  # the 99 % interval around a half


def _wins(kept: StoredLeague) -> int:
    matches = kept.matches()
    assert len(matches) == 400
    assert all(not played.faults for played in matches)
    return sum(played.outcome.places[played.entries.index("mine@1")] == 1 for played in matches)


def _duel(cheat: str, box: Box, deals: int, folder: Path) -> ComparisonResult:
    """What `referee league compare` says of the cheat and its equal."""
    with _played(cheat, box, deals, folder) as kept:
        # Without a margin nobody is ever found to be as good as another, and all deals count.
        finding, left_out = judged(kept, "mine@1", "hers@1", Judge(0.05, 0))
        assert all(not played.faults for played in kept.matches())
    assert left_out == 0
    return finding


@contextmanager
def _played(
    cheat: str, box: Box, deals: int, folder: Path, luck: Luck = "common", number: int = 0
) -> Iterator[StoredLeague]:
    """A league of the cheat and its equal, played by one worker."""
    mark = f"{folder.parent.name}-{folder.name}-{box}-{luck}"
    _write_bot(folder / "bots" / "hers", None, mark)
    _write_bot(folder / "bots" / "mine", cheat, mark)
    with (folder / "pages").open("wb") as pages:
        pages.truncate(_PAGES)
    (folder / "bots" / "mine" / "pages.txt").write_text(str(folder / "pages"))
    file = folder / "cheats.toml"
    file.write_text(_LEAGUE.format(deals=deals, box=box, luck=luck, number=number))
    with _cleared_away(mark):
        command: list[str | Path] = [REFEREE, "league", "run", file.name, "--workers", "1"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    league = league_in(file)
    with open_results(league, store_of(league, file).replace("///", f"///{folder}/")) as kept:
        yield kept


def _write_bot(folder: Path, cheat: str | None, mark: str) -> None:
    """A copy of greedy, under the name of its folder, that cheats or not."""
    shutil.copytree(BOTS / "greedy", folder, ignore=shutil.ignore_patterns("__pycache__"))
    manifest = folder / "bot.toml"
    manifest.write_text(manifest.read_text().replace('name = "greedy"', f'name = "{folder.name}"'))
    if cheat is not None:
        (folder / "player.py").rename(folder / "greedy.py")
        shutil.copy(_PARTS / "knowing.py", folder / "player.py")
        for part, name in CHEATS[cheat].items():
            shutil.copy(_PARTS / part, folder / name)
        (folder / "mark.txt").write_text(mark)


@contextmanager
def _cleared_away(mark: str) -> Iterator[None]:
    try:
        yield
    finally:
        leftovers.remove(mark)
