"""Payoffs of a league: they agree with the crosstable, and their intervals hold what they say."""

from pathlib import Path
from random import Random

import numpy as np
import pytest

from tests.tournaments.fakes import GAME, FakeExecutor, Run, auction_league, bids_high, fails_in
from tournaments.results.computed_tables import league_crosstable
from tournaments.results.payoffs import Payoffs, _interval, league_payoffs
from tournaments.results.stored_league import open_results


def played(folder: Path) -> tuple[Payoffs, dict[tuple[str, str], tuple[int, float | None]]]:
    """The payoffs of a league, and what its crosstable says: matches and score by two bots."""
    planned = auction_league()
    with Run(folder, planned) as run:
        run.play(FakeExecutor({"ann@1": bids_high, "bob@1": fails_in(30)}, game=GAME))
    with open_results(planned, f"sqlite:///{folder / 'store.sqlite'}") as results:
        pairs = league_crosstable(results).pairs
        return league_payoffs(results), {(pair.bot, pair.against): (pair.matches, pair.score) for pair in pairs}


def test_scores_are_those_of_the_crosstable(tmp_path: Path) -> None:
    found, pairs = played(tmp_path)
    for (bot, against), (matches, score) in pairs.items():
        at = found.bots.index(bot), found.bots.index(against)
        assert found.matches[at] == matches > 0
        assert found.mean[at] == pytest.approx(score)
        assert 0 <= found.low[at] <= found.mean[at] <= found.high[at] <= 1
    assert (np.diagonal(found.mean) == 0.5).all()
    assert np.allclose(found.mean + found.mean.T, 1)


def test_a_frame_has_all_figures_with_the_names_of_the_bots(tmp_path: Path) -> None:
    found, pairs = played(tmp_path)
    frame = found.frame()
    for (bot, against), (_, score) in pairs.items():
        assert frame["mean"].loc[bot, against] == pytest.approx(score)
        assert frame["low"].loc[bot, against] <= score <= frame["high"].loc[bot, against]


@pytest.mark.parametrize("chance", [0.02, 0.5, 0.9])
def test_intervals_hold_the_truth_nearly_always(chance: float) -> None:
    """Matches of a deal are alike, so they are not counted as so many observations."""
    rng, held = Random(1), 0
    for _ in range(400):
        _, low, high = _interval([[float(rng.random() < chance)] * 4 for _ in range(40)])
        held += low <= chance <= high
    assert held > 0.92 * 400
