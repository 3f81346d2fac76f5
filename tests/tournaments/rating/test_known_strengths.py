"""Whole simulated leagues of bots of known strength: how the ratings treat teams and unequal sides.

The better side wins more often. Its performance is the average strength of its seats, plus the worth of the side
itself, plus Gaussian noise.
"""

import random
from collections.abc import Callable, Iterable
from functools import cache
from statistics import mean

import msgspec
import numpy as np
import pytest

from referee.core.outcome import Outcome, Side
from referee.games.inside_job.game import InsideJob
from tests.tournaments.leagues import league, plan
from tests.tournaments.rating.leagues import converged
from tournaments.league.model import Fixture, League, Seating, StoredMatch, TableSpec
from tournaments.rating.contest import Contest, Member, contests
from tournaments.rating.scale import BETA, Rating

TRUTH = {"a": 18.0, "b": 34.0, "c": 22.0, "d": 30.0, "e": 16.0, "f": 28.0}
NAMES = [f"{bot}@1" for bot in TRUTH]
TWO_V_TWO = ((0, 2), (1, 3))
TWO_V_ONE = ((0, 2), (1,))
TABLES = {
    "2v2 distinct": TableSpec("2v2-distinct", 4, {"line_up": "2v2"}, "distinct", TWO_V_TWO),
    "2v2 teams": TableSpec("2v2-teams", 4, {"line_up": "2v2"}, "teams", TWO_V_TWO),
    "2v1 distinct": TableSpec("2v1-distinct", 3, {"line_up": "2v1"}, "distinct", TWO_V_ONE),
    "2v1 teams": TableSpec("2v1-teams", 3, {"line_up": "2v1"}, "teams", TWO_V_ONE),
}
DEALS = {"2v2 distinct": 6, "2v2 teams": 30, "2v1 distinct": 15, "2v1 teams": 40}
BONUS = 8.0
"""The worth, in points, of side B, which is that of seat 1."""

Matches = list[tuple[Fixture, StoredMatch]]


def played(title: str, bonus: float, seed: int) -> tuple[League, Matches]:
    table = TABLES[title]
    rng = random.Random(seed)
    here = league(TRUTH, DEALS[title], tables=(table,))
    return here, [(fixture, result(fixture, table, bonus, rng)) for fixture in plan(here)]


def result(fixture: Fixture, table: TableSpec, bonus: float, rng: random.Random) -> StoredMatch:
    performances = [
        mean(TRUTH[fixture.entries[seat].removesuffix("@1")] for seat in seats)
        + (bonus if 1 in seats else 0)
        + rng.gauss(0, BETA)
        for seats in table.sides
    ]
    winners = table.sides[performances.index(max(performances))]
    places = tuple(1 if seat in winners else 2 for seat in range(table.seats))
    sides = tuple(Side(name, seats) for name, seats in zip("AB", table.sides, strict=True))
    return StoredMatch(fixture.id, "digest", fixture.entries, Outcome("won", places, sides), (), (), (), 0)


def rated(found: Iterable[Contest]) -> dict[str, Rating]:
    return converged(list(found), NAMES, 0.01)


def agreement(found: Iterable[Contest]) -> float:
    """The correlation of the ratings with the truth."""
    ratings = rated(found)
    return float(np.corrcoef([ratings[name].mu for name in NAMES], list(TRUTH.values()))[0, 1])


def without_weights(found: Contest) -> Contest:
    return altered(found, lambda team: tuple(msgspec.structs.replace(member, weight=1.0) for member in team))


def without_pseudo_players(found: Contest) -> Contest:
    return altered(found, lambda team: tuple(member for member in team if member.player in NAMES))


def altered(found: Contest, change: Callable[[tuple[Member, ...]], tuple[Member, ...]]) -> Contest:
    return msgspec.structs.replace(found, teams=tuple(map(change, found.teams)))


@pytest.mark.parametrize("bonus", [BONUS, -BONUS])
@pytest.mark.parametrize("title", TABLES)
def test_ratings_agree_with_the_strengths_whichever_side_is_the_better_one(title: str, bonus: float) -> None:
    assert agreement(contests(*played(title, bonus, seed=1))) > 0.97


@pytest.mark.parametrize("bonus", [BONUS, -BONUS])
@pytest.mark.parametrize("title", ["2v1 distinct", "2v1 teams"])
def test_a_pseudo_player_is_rated_by_what_its_side_is_worth(title: str, bonus: float) -> None:
    marks = {name[-1]: rating.mu for name, rating in rated(contests(*played(title, bonus, seed=1))).items()}
    assert 0.6 < (marks["B"] - marks["A"]) / bonus < 2


@cache
def half_a_league(seed: int) -> tuple[Contest, ...]:
    """The first line-up of every group only: in a league that was stopped, a bot may have had one side mostly."""
    here, matches = played("2v1 teams", BONUS, seed)
    return tuple(contests(here, [(fixture, match) for fixture, match in matches if fixture.rotation == 0]))


def mean_agreement(change: Callable[[Contest], Contest]) -> float:
    return mean(agreement(map(change, half_a_league(seed))) for seed in range(2))


def test_ratings_agree_with_the_strengths_though_the_sides_were_not_shared_out_evenly() -> None:
    assert mean_agreement(lambda contest: contest) > 0.97


def test_they_would_not_without_pseudo_players() -> None:
    assert mean_agreement(without_pseudo_players) < 0.9


def test_they_would_be_worse_without_weights() -> None:
    assert mean_agreement(without_weights) < 0.96


# Sides that are dealt: one against the rest, with somebody who wins or loses alone or without


def dealt(fixture: Fixture, bonus: float, neutral: bool, rng: random.Random) -> StoredMatch:
    """The deal decides the roles. The seat alone performs better by `bonus`; a neutral wins by its own strength."""
    first, *rest = random.Random(fixture.deal).sample(range(4), 4)
    others = tuple(sorted(rest[neutral:]))
    strength = {seat: TRUTH[entry.removesuffix("@1")] for seat, entry in enumerate(fixture.entries)}
    alone = strength[first] + bonus + rng.gauss(0, BETA)
    won = {first} if alone > mean(strength[seat] for seat in others) + rng.gauss(0, BETA) else {*others}
    sides = [Side("many", others), Side("one", (first,))]
    if neutral:
        sides.append(Side("neutral", (rest[0],)))
        won |= {rest[0]} if strength[rest[0]] + rng.gauss(0, BETA) > mean(TRUTH.values()) else set()
    places = tuple(1 if seat in won else len(won) + 1 for seat in range(4))
    return StoredMatch(fixture.id, "digest", fixture.entries, Outcome("won", places, tuple(sides)), (), (), (), 0)


@pytest.mark.parametrize("bonus", [BONUS, -BONUS])
@pytest.mark.parametrize("neutral", [False, True], ids=["two sides", "and a neutral"])
def test_ratings_agree_with_the_strengths_where_sides_are_dealt_to_copies(neutral: bool, bonus: float) -> None:
    rng, bots = random.Random(1), "abd"
    here = league(bots, 8, tables=(TableSpec("roles", 4, {}, "copies"),))
    matches = [(fixture, dealt(fixture, bonus, neutral, rng)) for fixture in plan(here)]
    names = [f"{bot}@1" for bot in bots]
    ratings = converged(contests(here, matches), names, InsideJob.draw_probability)
    found = [ratings[name].mu for name in names]
    assert np.corrcoef(found, [TRUTH[bot] for bot in bots])[0, 1] > 0.95


# All on one side, against the game


def played_together(seating: Seating, hardness: float, seed: int) -> tuple[League, Matches]:
    """A league in which every pair of bots, or each bot alone, plays against a game of this strength."""
    everybody = ((0, 1),)
    here = league(TRUTH, 40, tables=(TableSpec("together", 2, {}, seating, everybody),))
    rng = random.Random(seed)
    return here, [(fixture, against_the_game(fixture, hardness, rng)) for fixture in plan(here)]


def against_the_game(fixture: Fixture, hardness: float, rng: random.Random) -> StoredMatch:
    performance = mean(TRUTH[name.removesuffix("@1")] for name in fixture.entries) + rng.gauss(0, BETA)
    place = 1 if performance > hardness + rng.gauss(0, BETA) else 2
    outcome = Outcome("over", (place, place), (Side("all", (0, 1)),))
    return StoredMatch(fixture.id, "digest", fixture.entries, outcome, (), (), (), 0)


@pytest.mark.parametrize("hardness", [22.0, 28.0])
@pytest.mark.parametrize("seating", ["distinct", "teams"])
def test_where_all_are_one_side_ratings_agree_with_the_strengths_of_bots_and_game(
    seating: Seating, hardness: float
) -> None:
    found = contests(*played_together(seating, hardness, seed=1))
    assert agreement(found) > 0.96
    (game,) = {rating.mu for name, rating in rated(found).items() if name not in NAMES}
    assert game - 25 == pytest.approx(hardness - mean(TRUTH.values()), abs=2.5)
