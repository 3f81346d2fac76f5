import os
import random
import subprocess
import sys
from itertools import combinations

import choix
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.rating.leagues import DRAW, SEED, converged, league, solo, unshared
from tournaments.rating.contest import Contest, Member
from tournaments.rating.intervals import bootstrap
from tournaments.rating.scale import Rating


def names(count: int) -> list[str]:
    return [f"bot{number}" for number in range(count)]


def spread(count: int, gap: float) -> dict[str, float]:
    return {name: 25 + gap * (at - (count - 1) / 2) for at, name in enumerate(names(count))}


def in_teams(contests: list[Contest], weight: float) -> list[Contest]:
    """Every player with a pseudo-player for its place in the alphabet, and a mate from the other table."""
    return [
        Contest(
            contest.block,
            tuple(
                (*team, Member(f"mate{at % 3}", weight), Member(f"~side{at % 2}"))
                for at, team in enumerate(contest.teams)
            ),
            contest.places,
        )
        for contest in contests
    ]


def in_part(contests: list[Contest]) -> list[Contest]:
    """In each contest the player that comes last in the alphabet learns nothing."""
    deaf = [max(member.player for team in contest.teams for member in team) for contest in contests]
    return [
        Contest(
            contest.block,
            tuple((Member(team[0].player, updated=team[0].player != name),) for team in contest.teams),
            contest.places,
        )
        for contest, name in zip(contests, deaf, strict=True)
    ]


LEAGUES = {
    "two players": league(spread(2, 4), 16),
    "two players, one of whom always wins": [solo("bot0", "bot1")] * 20,
    "two players who only draw": [solo("bot0", "bot1", places=(1, 1))] * 10,
    "three players": league(spread(3, 3), 12),
    "three players, draws": league(spread(3, 3), 12, tie=3.0),
    "three at a table, draws": league(spread(3, 2), 6, size=3, tie=2.0),
    "four at a table": league(spread(4, 2), 4, size=4),
    "five players, two at a table": league(spread(5, 3), 20, tie=0.5),
    "five at a table": league(spread(5, 2), 3, size=5, tie=1.0),
    "matches that do not teach everybody": [*league(spread(3, 3), 6), *in_part(league(spread(4, 3), 8, size=3))],
    "teams with unequal weights and sides": in_teams(league(spread(4, 3), 12, tie=1.0), 0.5),
}


@pytest.mark.slow
@pytest.mark.parametrize("title", LEAGUES)
def test_ratings_are_those_of_a_full_run_with_a_library_factor_for_every_comparison_of_every_match(title: str) -> None:
    contests = LEAGUES[title]
    players = sorted({member.player for contest in contests for team in contest.teams for member in team})
    full, shared = unshared(contests, players, 1e-7), converged(contests, players, DRAW)
    for player in players:
        assert shared[player].mu == pytest.approx(full[player].mu, abs=1e-4)
        assert shared[player].sigma == pytest.approx(full[player].sigma, abs=1e-4)


def test_forty_orders_of_one_match_table_give_one_table_to_the_last_bit() -> None:
    rng = random.Random(11)
    contests = league(spread(5, 2), 40, size=3, tie=1.0)
    tables = []
    for _ in range(40):
        players = rng.sample(names(5), 5)
        tables.append(converged([turned(contest, rng) for contest in rng.sample(contests, 40)], players, DRAW))
    assert all(table == tables[0] for table in tables)


def turned(contest: Contest, rng: random.Random) -> Contest:
    """The same contest with its teams listed in another order."""
    order = rng.sample(range(len(contest.teams)), len(contest.teams))
    return Contest(contest.block, tuple(contest.teams[at] for at in order), tuple(contest.places[at] for at in order))


@pytest.mark.slow
def test_ratings_do_not_depend_on_the_order_of_hashes() -> None:
    truth = {"ann": 22.0, "bob": 25.0, "cid": 28.0, "dan": 25.0}
    here = str(bootstrap(league(truth, 120, 3, 1.0), list(truth), DRAW, SEED, 5))
    code = (
        "from tests.tournaments.rating.leagues import *; from tournaments.rating.intervals import *\n"
        f"print(bootstrap(league({truth}, 120, 3, 1.0), list({truth}), DRAW, SEED, 5))"
    )
    other = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    elsewhere = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": other},
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    assert elsewhere == f"{here}\n"


def test_bots_of_known_strength_come_out_in_their_order_and_at_their_distances() -> None:
    truth = {"a": 14.0, "b": 19.0, "c": 22.0, "d": 25.0, "e": 26.5, "f": 31.0, "g": 36.0}
    for size in (2, 4):
        ratings = converged(league(truth, 4000, size=size), list(truth), DRAW)
        found = [ratings[name].mu for name in sorted(truth)]
        assert found == sorted(found)
        assert np.corrcoef(found, [truth[name] for name in sorted(truth)])[0, 1] > 0.99


def test_the_order_and_the_distances_are_those_of_plackett_and_luce() -> None:
    truth = dict(zip(names(6), (18.0, 21.0, 24.0, 26.0, 29.0, 32.0), strict=True))
    contests = league(truth, 2000, size=3)
    rankings = [tuple(int(team[0].player[3:]) for team in contest.teams) for contest in contests]
    strengths = choix.ilsr_rankings(6, rankings, alpha=1e-4)
    found = [rating.mu for _, rating in sorted(converged(contests, names(6), DRAW).items())]
    assert np.argsort(found).tolist() == np.argsort(strengths).tolist()
    assert np.corrcoef(found, strengths)[0, 1] > 0.999


def test_a_player_that_lost_every_match_has_a_rating_below_all_others() -> None:
    contests = [*league(spread(3, 2), 300), *[solo(name, "loser") for name in names(3) for _ in range(1000)]]
    ratings = converged(contests, [*names(3), "loser"], DRAW)
    assert 0 < min(ratings[name].mu for name in names(3)) - ratings["loser"].mu < 60
    assert 1 < ratings["loser"].sigma < 25 / 3


@settings(max_examples=settings().max_examples // 2)
@given(st.integers(1, 40000), st.integers(1, 40000))
def test_more_wins_than_losses_is_a_higher_rating_at_any_number_of_matches(wins: int, losses: int) -> None:
    ratings = converged([solo("a", "b")] * wins + [solo("b", "a")] * losses, ["a", "b"], DRAW)
    assert (ratings["a"].mu - ratings["b"].mu) * (wins - losses) >= 0
    assert ratings["a"].mu + ratings["b"].mu == pytest.approx(50)


def test_a_long_perfect_record_settles_where_a_full_run_would() -> None:
    """30,000 factors give 39.8181; 16 shared ones without a step of their own settle at 41.1428."""
    ratings = converged([solo("a", "b")] * 30_000, ["a", "b"], DRAW)
    assert ratings["a"].mu == pytest.approx(39.8181, abs=1e-3)
    assert ratings["a"].sigma == pytest.approx(2.6331, abs=1e-3)


def test_two_groups_that_never_crossed_settle_as_far_apart_as_they_would_in_thousands_of_sweeps() -> None:
    within = [solo(*pair) for group in ("ab", "cd") for pair in (group, group[::-1])] * 5000
    across = [solo(good, bad) for good in "ab" for bad in "cd"] * 10_000
    ratings = converged(within + across, "abcd", DRAW)
    assert [ratings[name].mu for name in "abcd"] == pytest.approx([37.4877, 37.4877, 12.5123, 12.5123], abs=2e-3)


def test_without_contests_everyone_is_a_newcomer() -> None:
    assert converged([], ["a", "b"], DRAW) == {"a": Rating(25.0, 25 / 3), "b": Rating(25.0, 25 / 3)}


def test_the_mean_of_the_players_is_25_and_pseudo_players_move_along() -> None:
    contests = [
        Contest("deal", ((Member("a", 0.5), Member("b", 0.5)), (Member("~board"),)), places)
        for places in ((1, 2), (1, 2), (1, 2), (2, 1))
    ]
    ratings = converged(contests, ["a", "b"], DRAW)
    assert ratings["a"].mu + ratings["b"].mu == pytest.approx(50)
    assert ratings["~board"].mu < 23


def test_an_advantage_of_a_side_goes_to_its_pseudo_player_and_not_to_those_who_sat_there() -> None:
    rng = random.Random(4)
    contests = []
    for first, second in [("a", "b")] * 300 + [("b", "a")] * 100:
        ahead = rng.gauss(6, BETA_OF_A_PAIR) > 0
        teams = ((Member(first), Member("~first")), (Member(second), Member("~second")))
        contests.append(Contest("deal", teams, (1, 2) if ahead else (2, 1)))
    ratings = converged(contests, ["a", "b"], DRAW)
    assert abs(ratings["a"].mu - ratings["b"].mu) < 1.5
    assert ratings["~first"].mu - ratings["~second"].mu == pytest.approx(6, abs=1.5)


BETA_OF_A_PAIR = 25 / 3  # four performances of deviation 25/6 each


def test_a_member_that_is_not_updated_learns_nothing_and_still_is_an_opponent() -> None:
    alone = league(spread(3, 4), 300)
    lost = Contest("fault", ((Member("bot2", updated=False),), (Member("offender"),)), (1, 2))
    ratings = converged([*alone, lost], names(3), DRAW)
    undisturbed = converged(alone, names(3), DRAW)
    for name in names(3):
        assert ratings[name].mu == pytest.approx(undisturbed[name].mu, abs=1e-4)
        assert ratings[name].sigma == pytest.approx(undisturbed[name].sigma, abs=1e-4)
    weaker = Contest("fault", ((Member("bot0", updated=False),), (Member("offender"),)), (1, 2))
    assert converged([*alone, weaker], names(3), DRAW)["offender"].mu < ratings["offender"].mu < 25


def test_a_partner_that_is_not_updated_keeps_the_rating_of_a_newcomer() -> None:
    contest = Contest(
        "fault", ((Member("a"), Member("b")), (Member("offender"), Member("mate", updated=False))), (1, 2)
    )
    ratings = converged([contest] * 10, ["a", "b", "offender", "mate"], DRAW)
    assert ratings["mate"].sigma == pytest.approx(25 / 3)
    assert ratings["offender"].mu < ratings["mate"].mu < ratings["a"].mu


@pytest.mark.parametrize("probability", [0.0, 1e-6, 1.0, float("nan")])
def test_a_draw_probability_that_cannot_be_computed_is_refused(probability: float) -> None:
    with pytest.raises(ValueError, match="draw probability must be at least"):
        converged([solo("a", "b")], ["a", "b"], probability)


def test_nobody_cannot_be_rated() -> None:
    with pytest.raises(ValueError, match="nobody to rate"):
        converged([], [], DRAW)


def test_faults_of_one_player_push_nobody_else_apart() -> None:
    fair = [solo(*pair) for pair in combinations("abc", 2)] * 10 + [
        solo(*pair[::-1]) for pair in combinations("abc", 2)
    ] * 10
    fault = Contest("f", ((Member("a", updated=False),), (Member("b", updated=False),), (Member("c"),)), (1, 1, 2))
    ratings = converged([*fair, *[fault] * 5], "abc", DRAW)
    assert ratings["a"].mu == pytest.approx(ratings["b"].mu, abs=0.05)
    assert ratings["c"].mu < ratings["a"].mu


CORES = """
import os, sys
if sys.argv[1] == "one": os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
from tests.tournaments.rating.leagues import *; from tournaments.rating.intervals import bootstrap
truth = {f"bot{at}": 25 + at / 20 for at in range(160)}
print(bootstrap(league(truth, 2000), list(truth), DRAW, SEED, 6))
"""


@pytest.mark.slow
def test_ratings_and_intervals_are_the_same_on_one_core_and_on_all() -> None:
    """With 150 players and more the library of linear algebra adds up in threads, if it may, and rounds otherwise."""
    one, all_of_them = (
        subprocess.run([sys.executable, "-c", CORES, which], capture_output=True, check=True, text=True).stdout
        for which in ("one", "all")
    )
    assert one == all_of_them != ""
