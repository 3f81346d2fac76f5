"""A bot that breaks a batch whenever it is losing, so as to play its matches again, gains next to nothing.

The bot has the best that it can have of this: it tells a batch from single play, and singly it plays otherwise than in
a batch. So each match of a broken batch is a second chance, and what was won before the batch broke, it keeps.
"""

import tempfile
from pathlib import Path

import pytest

from tests.conftest import Tell
from tests.tournaments.play.test_batches import league_file
from tournaments.play.environment import LocalEnvironment
from tournaments.play.retry_policy import BATCH_FAILURES_ALLOWED
from tournaments.play.run import open_run
from tournaments.results.league_location import league_in
from tournaments.results.stored_league import open_results
from tournaments.store import Store

ROGUE = "other@1"
DEALS = 40


@pytest.mark.process
@pytest.mark.rogues
@pytest.mark.parametrize("size", [4, 16])
@pytest.mark.parametrize("seed", ["0", "1", "2"])
def test_who_breaks_every_batch_that_goes_badly_gains_three_matches_at_most(
    size: int, seed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tell: Tell
) -> None:
    with tempfile.TemporaryDirectory(prefix="rt-") as scratch:  # its path is short, as the paths of sockets must be
        monkeypatch.setattr(tempfile, "tempdir", scratch)
        honest, nothing = wins(tmp_path, 1, seed)
        found, broken = wins(tmp_path, size, seed)
        assert list(Path(scratch).iterdir()) == []
    assert (nothing, broken) == ({}, {ROGUE: BATCH_FAILURES_ALLOWED})
    assert found - honest <= BATCH_FAILURES_ALLOWED
    tell(f"second chances, batches of {size}, seed {seed}", {"wins": found, "without batches": honest})


def wins(folder: Path, batch: int, seed: str) -> tuple[int, dict[str, int]]:
    """How many of its 80 matches the rogue wins, and how many batches each entry breaks."""
    file = league_file(folder, "breaks_when_losing", batch, DEALS)
    file.write_text(file.read_text().replace('seed = "7"', f'seed = "{seed}"'))
    league, url = league_in(file), f"sqlite:///{file.with_suffix('.sqlite')}"
    with open_run(league, url, LocalEnvironment(1)) as run:
        for _ in run.play():
            pass
    with open_results(league, url) as results:
        records = [transcript.record for _, transcript in results.store.transcripts()]
    with Store(url, league.name) as store:
        broken = store.broken_batches()
    assert len(records) == 2 * DEALS
    return sum(record.outcome.places[record.header.entries.index(ROGUE)] == 1 for record in records), broken
