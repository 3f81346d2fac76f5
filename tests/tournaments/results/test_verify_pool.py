"""Several processes check what one process checks, and end when they should."""

import multiprocessing
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.auction import Auction
from tests.tournaments.fakes import GAME, FakeExecutor, Run, auction_league, fails_in
from tests.tournaments.stores import in_sql
from tournaments.results import verify
from tournaments.results.stored_league import open_results
from tournaments.results.verify import VerifierLost, count_transcripts, differences

LEAGUE = auction_league(("ann", "bob", "cid"), deals=4)
MATCHES = 24


class Deadly(Auction):
    """Rules that kill the process in which they are run."""

    def setup(self, *_: Any) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A store with a league in five parts. In some matches cid fails; two matches were changed."""
    monkeypatch.setattr(verify, "PART", 5)
    with Run(tmp_path, LEAGUE) as run:
        run.play(FakeExecutor({"cid@1": fails_in(20)}))
    url = f"sqlite:///{tmp_path / 'store.sqlite'}"
    in_sql(url, "DELETE FROM transcript WHERE fixture LIKE '%/ann@1+bob@1/deal-2/%'")
    in_sql(url, "UPDATE seat SET place = 7 WHERE fixture LIKE '%/bob@1+cid@1/deal-3/%' AND seat = 0")
    return url


@pytest.mark.slow
def test_two_processes_find_what_one_finds_in_the_same_order_and_end_with_the_audit(url: str) -> None:
    with open_results(LEAGUE, url) as results:
        alone = list(differences(results, GAME))
        assert count_transcripts(results) == len(alone) - 1
        audit = differences(results, GAME, 2)
        together = [next(audit)]
        assert len(multiprocessing.active_children()) == 2
        together += audit
    assert together == alone
    assert not multiprocessing.active_children()
    assert [fixture for fixture, _ in together] == sorted(fixture for fixture, _ in together)
    assert len(together) == MATCHES
    assert sum(difference is not None for _, difference in together) == 2


@pytest.mark.slow
def test_a_process_that_is_killed_is_our_failure_in_one_sentence(url: str) -> None:
    with (
        open_results(LEAGUE, url) as results,
        pytest.raises(VerifierLost, match="was killed; nothing is changed") as lost,
    ):
        list(differences(results, Deadly(), 2))
    assert lost.value.exit_code == 3
    assert not multiprocessing.active_children()


def test_few_matches_are_checked_in_this_process(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify, "PART", MATCHES)
    with open_results(LEAGUE, url) as results:
        audit = differences(results, GAME, 8)
        assert next(audit)
        assert not multiprocessing.active_children()
