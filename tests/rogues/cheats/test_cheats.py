"""Cheats that need a world outside: the seed of the league, or a memory of deals. A bot plays against its equals.

Without a box they win clearly, and the test for memory notices those that remember. In the box they find nothing, so
they play exactly as their equals do. With own luck nothing that a bot remembers is worth anything.
"""

import os
import secrets
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.command import BOTS, REFEREE
from tests.conftest import Tell
from tests.rogues import leftovers
from tests.rogues.leagues import Box
from tests.runtime.sandbox.boxes import needs_boxes
from tournaments.comparison.compare import compare_stored
from tournaments.comparison.memory_evidence import memory_of
from tournaments.comparison.stopping_rule import ComparisonResult, Judge, TwoSided
from tournaments.league.model import Luck
from tournaments.results.league_location import league_in, store_of
from tournaments.results.stored_league import StoredLeague, open_results

pytestmark = [pytest.mark.process, pytest.mark.rogues, pytest.mark.timeout(3600)]

_PARTS = Path(__file__).parent / "bots"

_REPEATS = int(os.environ.get("REFEREE_TEST_REPEATS", "1"))
"""How many leagues are played with each cheat that remembers."""

_KERNEL = ["in_names", "in_pages"]
"""Cheats that remember by what the kernel has in its caches."""

_PAGES = 1 << 36
"""The size of a file without content, whose pages `in_pages` reads."""

_EQUALS = ["hers", "his", "ours"]

_LEAGUE = """\
name = "cheats"
game = "agent-avenue"
deals = {deals}
seed = "of the cheats {number}"
rehearsal = true
sandbox = "{box}"
bots = [{bots}]
tables = [{{ name = "simple", seats = 2 }}]
clock = {{ move_ms = 60000, start_ms = 60000 }}
luck = "{luck}"
"""


def test_without_a_box_a_cheat_that_knows_the_seed_wins(tmp_path: Path) -> None:
    assert _duel("none", 240, tmp_path).verdict == "better"


@needs_boxes
def test_in_the_box_a_cheat_finds_no_seed_and_is_no_better_than_its_equal(tmp_path: Path) -> None:
    duel = _duel("bubblewrap", 400, tmp_path)
    assert duel.deals == 400
    assert duel.mean == 0  # on every deal both play the same moves at the same seat
    assert duel.interval[0] < 0 < duel.interval[1]


@needs_boxes
@pytest.mark.parametrize("memory", ["in_files", *_KERNEL])
def test_in_the_box_a_cheat_that_remembers_finds_nothing_and_is_no_better_than_its_equals(
    memory: str, tmp_path: Path
) -> None:
    with _played(memory, _EQUALS, "bubblewrap", 24, tmp_path) as kept:
        assert _wins(kept) == len(_EQUALS) * 24  # it wins each deal against each of them at one of the two seats


@pytest.mark.parametrize("memory", ["in_files", *_KERNEL])
def test_without_a_box_a_cheat_that_remembers_is_noticed_within_100_deals(
    memory: str, tmp_path: Path, tell: Tell
) -> None:
    noticed = 0
    for number in range(_REPEATS):
        with _played(memory, _EQUALS, "none", 100, tmp_path / str(number), number=number) as kept:
            first, *others = memory_of(kept.league, kept.pinned.seed_bytes, kept.state).bots
            wins = _wins(kept)
        noticed += first.bot == "mine@1" and first.noticed
        assert not any(each.noticed for each in others)
        tell(f"{memory}, league {number}", {"of 600 matches won": wins, "evidence": round(first.evidence)})
    assert noticed >= _REPEATS * 19 // 20


@pytest.mark.parametrize("memory", _KERNEL)
def test_with_own_luck_a_cheat_that_remembers_gains_nothing(memory: str, tmp_path: Path, tell: Tell) -> None:
    for number in range(_REPEATS):
        with _played(memory, ["hers"], "none", 200, tmp_path / str(number), "own", number) as kept:
            assert memory_of(kept.league, kept.pinned.seed_bytes, kept.state).bots == ()
            wins = _wins(kept)
        tell(f"{memory}, own luck, league {number}", {"of 400 matches won": wins})
        assert 174 <= wins <= 226  # the 99 % interval around a half


def _wins(results: StoredLeague) -> int:
    matches = results.matches()
    assert all(not played.faults for played in matches)
    mine = [played for played in matches if "mine@1" in played.entries]
    return sum(played.outcome.places[played.entries.index("mine@1")] == 1 for played in mine)


def _duel(box: Box, deals: int, folder: Path) -> ComparisonResult:
    """What `referee league compare` says of the cheat that knows the seed and its equal."""
    with _played("from_the_seed", ["hers"], box, deals, folder) as kept:
        # Without a margin nobody is ever found to be as good as another, and all deals count.
        finding, left_out = compare_stored(kept, "mine@1", "hers@1", Judge(0.05, TwoSided(0)))
        assert all(not played.faults for played in kept.matches())
    assert left_out == 0
    return finding


@contextmanager
def _played(
    cheat: str, equals: Sequence[str], box: Box, deals: int, folder: Path, luck: Luck = "common", number: int = 0
) -> Iterator[StoredLeague]:
    """A league of a cheat and its equals, played by one worker."""
    mark = f"cheats-{secrets.token_hex(8)}"  # the kernel may still have what an earlier run left behind
    for name in ("mine", *equals):
        _write_bot(folder / "bots" / name)
    _teach(folder / "bots" / "mine", cheat, mark)
    bots = ", ".join(f'{{ path = "bots/{name}" }}' for name in ("mine", *equals))
    file = folder / "cheats.toml"
    file.write_text(_LEAGUE.format(deals=deals, box=box, luck=luck, number=number, bots=bots))
    with _cleared_away(mark):
        command: list[str | Path] = [REFEREE, "league", "run", file.name, "--workers", "1"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    (folder / "pages").unlink(missing_ok=True)
    league = league_in(file)
    with open_results(league, store_of(league, file).replace("///", f"///{folder}/")) as results:
        yield results


def _write_bot(folder: Path) -> None:
    """A copy of greedy, under the name of its folder."""
    shutil.copytree(BOTS / "greedy", folder, ignore=shutil.ignore_patterns("__pycache__"))
    manifest = folder / "bot.toml"
    manifest.write_text(manifest.read_text().replace('name = "greedy"', f'name = "{folder.name}"'))


def _teach(folder: Path, cheat: str, mark: str) -> None:
    """Make a bot a cheat."""
    (folder / "player.py").rename(folder / "greedy.py")
    (folder / "mark.txt").write_text(mark)
    if cheat == "from_the_seed":
        shutil.copy(_PARTS / "knowing.py", folder / "player.py")
        shutil.copy(_PARTS / "from_the_seed.py", folder / "knowledge.py")
        return
    shutil.copy(_PARTS / "repeating.py", folder / "player.py")
    shutil.copy(_PARTS / f"{cheat}.py", folder / "memory.py")
    shutil.copy(_PARTS / "hearing_bot.py", folder / "bot.py")
    pages = folder.parent.parent / "pages"
    with pages.open("wb") as file:
        file.truncate(_PAGES)
    (folder / "pages.txt").write_text(str(pages))


@contextmanager
def _cleared_away(mark: str) -> Iterator[None]:
    try:
        yield
    finally:
        leftovers.remove(mark)
