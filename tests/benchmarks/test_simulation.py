"""Simulated leagues are what their model says."""

from statistics import correlation, fmean

import pytest

from benchmarks.simulation import PERFECT, TABLES, Leagues, Luck, Model
from referee.core import seeds
from tournaments.rating.contest import Contest

SEED = seeds.from_text("simulated")
DEALS = 2_000


def duels(*strengths: float, luck: Luck = "nobody", ties: float = 0.0) -> list[Contest]:
    return Leagues(Model("duel", strengths, luck, ties), DEALS).contests(SEED)


def points(contest: Contest) -> float:
    """Of the first bot: 1 for a win, a half for a draw."""
    mine = next(at for at, team in enumerate(contest.teams) if team[0].player == "bot00@1")
    return (1 + contest.places[1 - mine] - contest.places[mine]) / 2


def test_the_better_of_two_bots_wins_as_often_as_the_docs_say() -> None:
    assert fmean(map(points, duels(27.0, 23.0))) == pytest.approx(0.75, abs=0.03)


def test_equal_bots_tie_as_often_as_the_model_says() -> None:
    assert fmean(points(match) == 0.5 for match in duels(25.0, 25.0, ties=0.4)) == pytest.approx(0.4, abs=0.03)


def test_a_perfect_bot_never_loses() -> None:
    assert {points(match) for match in duels(PERFECT, 25.0)} == {1.0}


def by_deal(contests: list[Contest]) -> tuple[tuple[float, ...], ...]:
    """The points of the first bot in the first match on every deal, and in the second."""
    found: dict[str, list[float]] = {}
    for match in contests:
        found.setdefault(match.block, []).append(points(match))
    return tuple(zip(*found.values(), strict=True))


@pytest.mark.parametrize(("luck", "alike"), [("nobody", 0.0), ("bot", 1 / 3), ("seat", -1 / 3)])
def test_the_luck_of_a_deal_makes_both_matches_on_it_alike_or_unlike(luck: Luck, alike: float) -> None:
    assert correlation(*by_deal(duels(25.0, 25.0, luck=luck))) == pytest.approx(alike, abs=0.07)


def test_hard_deals_are_hard_for_all_that_play_together() -> None:
    matches = Leagues(Model("cooperation, teams", (25.0, 25.0), "deal"), DEALS).contests(SEED)
    wins: dict[str, list[float]] = {}
    for match in matches:
        wins.setdefault(match.block, []).append(match.places[0])
    assert correlation(*zip(*wins.values(), strict=True)) == pytest.approx(0.26, abs=0.07)


@pytest.mark.parametrize("table", TABLES)
def test_every_bot_has_as_many_seats_as_every_other(table: str) -> None:
    contests = Leagues(Model(table, (25.0,) * 4), 6).contests(SEED)
    seats: dict[str, int] = {}
    for member in (member for match in contests for team in match.teams for member in team):
        seats[member.player] = seats.get(member.player, 0) + 1
    assert len({count for bot, count in seats.items() if bot.startswith("bot")}) == 1
