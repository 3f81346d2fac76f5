"""The published ratings can be computed from an export alone."""

import ast
import math
from collections.abc import Callable
from pathlib import Path

import choix
import numpy as np
import pytest
from msgspec.structs import replace

from referee.core.game import AnyGame
from tests.tournaments import recomputed
from tests.tournaments.exporting import AGONIA, AVENUE, INSIDE, Exported, exported, league_of, table
from tests.tournaments.fakes import GAME, Bot, bids_high, fails_in
from tournaments.league.format_settings import SwissSettings
from tournaments.league.model import Fixture, Remote, TableSpec

NAMES = ("ann", "bob", "cid", "dan")
FAULTY: dict[str, Bot] = {"ann@1": bids_high, "bob@1": fails_in(19), "cid@1": fails_in(10)}

OF_TWO_TEAMS: dict[str, tuple[AnyGame, list[TableSpec]]] = {
    "duels": (GAME, [table(GAME, 2)]),
    "duels at two tables": (AVENUE, [table(AVENUE, 2), table(AVENUE, 2, mode="advanced")]),
    "partners": (AVENUE, [table(AVENUE, 4, line_up="2v2")]),
    "sides of different size": (AVENUE, [table(AVENUE, 3, line_up="2v1")]),
    "copies on sides of different size": (AVENUE, [table(AVENUE, 3, "copies", line_up="2v1")]),
    "one bot a side": (AVENUE, [table(AVENUE, 3, "teams", line_up="2v1"), table(AVENUE, 4, "teams", line_up="2v2")]),
    "dealt sides": (INSIDE, [table(INSIDE, 3)]),
    "against the game": (AGONIA, [table(AGONIA, 2), table(AGONIA, 3, "teams")]),
}
OF_MANY_TEAMS: dict[str, tuple[AnyGame, list[TableSpec]]] = {
    "every seat for itself": (GAME, [table(GAME, 3)]),
    "copies, every seat for itself": (GAME, [table(GAME, 4, "copies")]),
    "three dealt sides": (INSIDE, [table(INSIDE, 4, "copies", roles="wired,shady")]),
}


def ratings_of(found: Exported) -> dict[str, tuple[float, float]]:
    return {line.bot: (line.rating, line.sigma) for line in found.standings.standings}


def assert_recomputed(found: Exported) -> None:
    again, published = recomputed.ratings(found.folder), ratings_of(found)
    assert again.keys() == published.keys()
    assert [again[bot] for bot in published] == [pytest.approx(numbers, abs=1e-4) for numbers in published.values()]


def test_the_recomputation_uses_nothing_of_the_referee() -> None:
    tree = ast.parse(Path(recomputed.__file__).read_text(encoding="utf-8"))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    modules |= {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    assert modules == {"json", "math", "collections.abc", "pathlib", "statistics", "typing"}


@pytest.mark.slow
@pytest.mark.parametrize("kind", OF_TWO_TEAMS)
def test_the_ratings_of_matches_of_two_teams_follow_from_the_export(kind: str, tmp_path: Path) -> None:
    game, tables = OF_TWO_TEAMS[kind]
    found = exported(tmp_path, league_of(game, tables, NAMES, deals=2), game, FAULTY)
    assert any(match["faults"] for match in found.matches)
    assert_recomputed(found)


@pytest.mark.slow
@pytest.mark.parametrize("kind", OF_MANY_TEAMS)
def test_the_ratings_of_matches_of_three_teams_or_more_follow_from_the_export(kind: str, tmp_path: Path) -> None:
    game, tables = OF_MANY_TEAMS[kind]
    found = exported(tmp_path, league_of(game, tables, NAMES[:3], deals=3), game, FAULTY)
    assert any(match["faults"] for match in found.matches)
    assert_recomputed(found)


def test_draws_are_rated_as_draws(tmp_path: Path) -> None:
    both: dict[str, Bot] = {"ann@1": fails_in(15), "bob@1": fails_in(15)}
    found = exported(tmp_path, league_of(GAME, [table(GAME, 2)], NAMES[:3], deals=20, draw_probability=0.3), GAME, both)
    assert any(match["outcome"]["places"] == [1, 1] for match in found.matches if match["counts"])
    assert_recomputed(found)


def test_what_does_not_count_is_not_rated(tmp_path: Path) -> None:
    failing: dict[str, Bot] = {"ann@1": bids_high, "bob@1": fails_in(90)}
    found = exported(tmp_path, league_of(GAME, [table(GAME, 2)], NAMES, deals=4), GAME, failing, arrange=by_rotation)
    assert 0 < len([match for match in found.matches if not match["counts"]]) < len(found.matches)
    assert_recomputed(found)


def by_rotation(fixtures: list[Fixture]) -> list[Fixture]:
    """So that a suspension finds later matches already played."""
    return sorted(fixtures, key=lambda fixture: fixture.deal, reverse=True)


def test_a_league_that_was_stopped_and_has_a_remote_bot_is_rated_as_well(tmp_path: Path) -> None:
    planned = league_of(AVENUE, [table(AVENUE, 3, line_up="2v1")], NAMES, deals=4)
    planned = replace(planned, entries=(*planned.entries[:3], replace(planned.entries[3], remote=Remote())))
    found = exported(tmp_path, planned, AVENUE, FAULTY, stops_after=20)
    assert found.league["matches"]["remaining"] == 28
    assert_recomputed(found)


def test_in_a_swiss_spread_and_dispersion_follow_from_the_export_too(tmp_path: Path) -> None:
    planned = league_of(GAME, [table(GAME, 2)], NAMES, deals=4, format=SwissSettings())
    found = exported(tmp_path, planned, GAME, FAULTY)
    assert len(found.matches) > 20
    assert_recomputed(found)


# By another library. choix knows wins only, and keeps what it knows about all bots together. On its scale the luck in
# the difference of two bots has the deviation 1; on ours the luck of each bot has the deviation beta.

SCALE = math.sqrt(2) * recomputed.BETA
RARE = 0.001
"""The least probability of a draw: its margin moves no rating by more than some thousandths."""


def by_choix(found: Exported) -> dict[str, tuple[float, float]]:
    """Mean and standard deviation by bot, of a league of duels without draws."""
    bots = [bot["bot"] for bot in found.league["bots"]]
    ranked = [sorted(zip(match["outcome"]["places"], match["entries"], strict=True)) for match in found.matches]
    wins = [(bots.index(first), bots.index(second)) for (_, first), (_, second) in ranked]
    np.random.seed(1)  # choix draws the order in which it takes the matches
    mean, covariance = choix.ep_pairwise(len(bots), wins, alpha=(SCALE / recomputed.SIGMA) ** 2, model="probit")
    mus = recomputed.MU + SCALE * (mean - mean.mean())
    return dict(zip(bots, zip(mus, SCALE * np.sqrt(covariance.diagonal()), strict=True), strict=True))


def first(*pairs: str) -> Callable[[list[Fixture]], list[Fixture]]:
    """Play one match of each of these pairs before all others."""

    def arrange(fixtures: list[Fixture]) -> list[Fixture]:
        chosen = [next(each for each in fixtures if "+".join(each.entries) == pair) for pair in pairs]
        return chosen + [each for each in fixtures if each not in chosen]

    return arrange


def test_where_every_two_bots_are_compared_in_one_way_only_choix_gives_the_same(tmp_path: Path) -> None:
    # Then it makes no difference that we keep what we know about each bot apart.
    planned = league_of(GAME, [table(GAME, 2)], NAMES, deals=1, draw_probability=RARE)
    order = first("ann@1+bob@1", "cid@1+bob@1", "cid@1+dan@1")
    found = exported(tmp_path, planned, GAME, {"ann@1": bids_high}, arrange=order, stops_after=3)
    assert len(found.matches) == 3
    again = by_choix(found)
    for bot, numbers in ratings_of(found).items():
        assert again[bot] == pytest.approx(numbers, abs=0.005)


@pytest.mark.slow
@pytest.mark.parametrize("game", [GAME, AVENUE], ids=lambda game: game.name)
def test_in_a_league_of_duels_choix_gives_nearly_the_same_ratings(game: AnyGame, tmp_path: Path) -> None:
    planned = league_of(game, [table(game, 2)], NAMES, deals=25, draw_probability=RARE)
    found = exported(tmp_path, planned, game, {"ann@1": bids_high})
    again = by_choix(found)
    for bot, (rating, _) in ratings_of(found).items():
        assert again[bot][0] == pytest.approx(rating, abs=0.02)
