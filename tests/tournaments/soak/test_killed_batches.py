"""Runners are killed at random points while they play in batches, with a bot that fails in some matches."""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.cli.command import finish, referee, start
from tests.conftest import Tell
from tests.runtime.rogues import eventually
from tests.tournaments.arena import PATIENT, alive
from tests.tournaments.cli.runs import wait_until
from tests.tournaments.play.test_batches import HURRIED, league_file
from tournaments.results.league_location import NeverRun, league_in
from tournaments.results.stored_league import open_results

pytestmark = [pytest.mark.process, pytest.mark.soak, pytest.mark.timeout(1_800)]

KILLS = 6
DEALS = 40
FURTHEST = 8
"""A runner is killed at most so many results after it began."""


@pytest.fixture
def scratch() -> Iterator[Path]:
    """A folder for temporary files, with a short path, as the paths of sockets must be."""
    with tempfile.TemporaryDirectory(prefix="rt-") as folder:
        yield Path(folder)


@pytest.mark.parametrize("how", ["right", "dies_in_some", "errs_in_some", "hangs_in_some"])
def test_killed_runners_lose_nothing_and_double_nothing_while_a_bot_fails_in_batches(
    how: str, tmp_path: Path, scratch: Path, tell: Tell
) -> None:
    rng, clock = Random(how), HURRIED if how == "hangs_in_some" else PATIENT
    alone, file = (league_file(tmp_path, how, batch, DEALS, clock) for batch in (1, 8))
    before: dict[str, int] = {}
    for _ in range(KILLS):
        run = start(tmp_path, scratch, "league", "run", file, "--store", store_of(file), "--workers", "2")
        enough = len(before) + rng.randint(1, FURTHEST)
        wait_until(lambda enough=enough: len(stored_ms(file)) >= enough, run)  # type: ignore[misc]
        time.sleep(rng.random() * 0.1)  # matches are stored up to 50 ms after they end
        run.kill()
        finish(run)
        assert before.items() <= stored_ms(file).items(), "a result was lost or stored again"
        before = stored_ms(file)
    digests = [played(each, tmp_path, scratch) for each in (file, alone)]
    assert digests[0] == digests[1]
    assert before.items() <= stored_ms(file).items()
    assert len(stored_ms(file)) == 2 * DEALS
    tell(f"killed in batches: {how}", {"kills": KILLS, "stored before the last": len(before)})


def played(file: Path, folder: Path, scratch: Path) -> str:
    """Play the league to its end. Returns its digest; nothing is left behind."""
    ended = finish(start(folder, scratch, "league", "run", file, "--store", store_of(file), "--workers", "2"))
    assert ended.code == 0, ended.err
    assert eventually(lambda: not alive(scratch))
    assert list(scratch.iterdir()) == []
    digest: str = referee("league", "standings", file, "--store", store_of(file), "--json").json["digest"]
    return digest


def store_of(file: Path) -> str:
    return f"sqlite:///{file.with_suffix('.sqlite')}"


def stored_ms(file: Path) -> dict[str, int]:
    """By fixture, when its match was stored."""
    try:
        with open_results(league_in(file), store_of(file)) as results:
            return {played.fixture: played.stored_ms for played in results.matches()}
    except NeverRun:
        return {}
