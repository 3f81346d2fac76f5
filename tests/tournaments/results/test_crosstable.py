"""Bots against each other, in matches whose outcomes are written down here."""

import random
from collections.abc import Iterable, Sequence

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.core.outcome import FAULT, Outcome, Side, faulted
from referee.match.transcript import FaultKind, FaultMark
from tests.tournaments.leagues import SEED, league, plan
from tests.tournaments.seasons import season_of, table_of
from tournaments.league.deals import OPEN, LeagueDeals
from tournaments.league.model import Fixture, League, StoredMatch, TableSpec
from tournaments.league.status import Progress
from tournaments.rating.contest import contests
from tournaments.rating.ranking import ranking
from tournaments.results.crosstable import Crosstable, PairResults, crosstable_of
from tournaments.results.league_tables import Rounds, tables
from tournaments.results.standings import TableInputs
from tournaments.schedule.counting_rules import LeagueVerdict

DUELS = league("abc", deals=8)
PAIRS = league("abcd", deals=6, tables=(TableSpec("pairs", 4, {}, "distinct", ((0, 2), (1, 3))),))
PAIRS_SIDES = (Side("even", (0, 2)), Side("odd", (1, 3)))
THREE = league("abc", deals=6, seats=(3,))
ROLES = league("ab", deals=6, tables=(TableSpec("roles", 4, {}, "copies"),))
TOGETHER = league("ab", deals=6, tables=(TableSpec("together", 2, {}, "distinct", ((0, 1),)),))


def played(of: Fixture, places: Sequence[int], sides: tuple[Side, ...] = (), faults: Sequence[int] = ()) -> StoredMatch:
    marks = tuple(FaultMark(seat, 1, FaultKind.CRASH) for seat in faults)
    outcome = Outcome(FAULT if faults else "won", tuple(places), sides)
    seats = len(of.entries)
    return StoredMatch(of.id, f"digest of {of.id}", of.entries, outcome, marks, (2,) * seats, (3_000,) * seats, 0)


def crossed(here: League, results: Iterable[StoredMatch]) -> Crosstable:
    season = season_of(here, list(results))
    return computed(here, season.verdict(), season.counted())


def computed(here: League, verdict: LeagueVerdict, matches: Sequence[tuple[Fixture, StoredMatch]]) -> Crosstable:
    inputs = TableInputs(here, SEED, verdict, matches, 0, LeagueDeals(OPEN))
    return crosstable_of(inputs, ranking(here, SEED, contests(here, matches)))


def between(found: Crosstable, bot: str, against: str) -> PairResults:
    (pair,) = (each for each in found.pairs if (each.bot, each.against) == (f"{bot}@1", f"{against}@1"))
    return pair


def by_name(of: Fixture) -> StoredMatch:
    """The name that comes first in the alphabet wins."""
    return played(of, [1 if entry == min(of.entries) else 2 for entry in of.entries])


def test_the_score_of_a_pair_is_wins_and_half_the_draws_of_their_matches() -> None:
    met = [of for of in plan(DUELS) if of.entries == ("a@1", "b@1")][:4]
    results = [played(of, places) for of, places in zip(met, ((1, 2), (1, 2), (1, 1), (2, 1)), strict=True)]
    pair = between(crossed(DUELS, results), "a", "b")
    assert (pair.matches, pair.points, pair.score) == (4, 2.5, 0.625)


def test_bots_that_did_not_meet_have_no_score_but_a_difference_if_they_met_by_way_of_others() -> None:
    found = crossed(DUELS, [by_name(of) for of in plan(DUELS) if of.entries[0] != "c@1" and "c@1" in of.entries])
    pair = between(found, "a", "b")
    assert (pair.matches, pair.points, pair.score, pair.expected) == (0, 0.0, None, None)
    assert pair.difference == pytest.approx(0.0)
    assert pair.beats == pytest.approx(0.5)


def test_bots_that_never_met_have_nothing_between_them() -> None:
    found = crossed(DUELS, [by_name(of) for of in plan(DUELS) if "c@1" not in of.entries])
    assert found.groups == (("a@1", "b@1"), ("c@1",))
    pair = between(found, "a", "c")
    assert (pair.difference, pair.interval, pair.beats, pair.expected) == (None, None, None, None)


def test_partners_do_not_meet_and_opponents_meet_once_a_match() -> None:
    of = next(iter(plan(PAIRS)))
    found = crossed(PAIRS, [played(of, (1, 2, 1, 2), PAIRS_SIDES)])
    (a, b, c, d) = (name.removesuffix("@1") for name in of.entries)
    assert (between(found, a, c).matches, between(found, b, d).matches) == (0, 0)
    assert [(between(found, *pair).matches, between(found, *pair).score) for pair in ((a, b), (a, d), (c, b))] == [
        (1, 1.0)
    ] * 3


def test_the_match_of_two_who_both_sit_on_both_sides_counts_once_and_is_level() -> None:
    here = league("ab", tables=(TableSpec("pairs", 4, {}, "copies", ((0, 2), (1, 3))),))
    of = next(
        each for each in plan(here) if each.entries in {("a@1", "a@1", "b@1", "b@1"), ("b@1", "b@1", "a@1", "a@1")}
    )
    pair = between(crossed(here, [played(of, (1, 2, 1, 2), PAIRS_SIDES)]), "a", "b")
    assert (pair.matches, pair.score) == (1, 0.5)
    assert pair.expected == pytest.approx(0.5)


def test_among_many_it_is_told_how_often_one_came_before_the_other() -> None:
    (one, two, *_) = plan(THREE)
    found = crossed(THREE, [played(one, (1, 2, 3)), played(two, (2, 2, 1))])
    first, second, third = (name.removesuffix("@1") for name in one.entries)
    came = {name: [(1, 2, 3)[one.entries.index(name)], (2, 2, 1)[two.entries.index(name)]] for name in one.entries}
    for a, b in ((first, second), (first, third), (second, third)):
        before = sum(0.5 if x == y else float(x < y) for x, y in zip(came[f"{a}@1"], came[f"{b}@1"], strict=True))
        assert (between(found, a, b).matches, between(found, a, b).points) == (2, before)


def test_after_a_fault_among_many_only_the_offender_met_anybody() -> None:
    of = plan(THREE)[0]
    found = crossed(THREE, [played(of, (1, 1, 3), faults=(2,))])
    offender = of.entries[2].removesuffix("@1")
    others = [name.removesuffix("@1") for name in of.entries[:2]]
    assert between(found, *others).matches == 0
    assert [between(found, other, offender).score for other in others] == [1.0, 1.0]


def test_against_the_game_nobody_meets_and_nobody_beats_anybody() -> None:
    everybody = (Side("all", (0, 1)),)
    found = crossed(TOGETHER, [played(of, (1, 1), everybody) for of in plan(TOGETHER)])
    assert {(pair.matches, pair.beats) for pair in found.pairs} == {(0, None)}


def test_what_the_ratings_expect_of_two_bots_agrees_with_what_they_did() -> None:
    rng = random.Random(1)
    here = league("ab", deals=200)
    results = [played(of, (1, 2) if rng.random() < (0.7, 0.3)[of.entries[0] == "b@1"] else (2, 1)) for of in plan(here)]
    pair = between(crossed(here, results), "a", "b")
    assert pair.score == pytest.approx(0.7, abs=0.05)
    assert pair.expected == pytest.approx(pair.score, abs=0.01)


def test_what_is_expected_allows_for_the_sides() -> None:
    """The bot that is alone wins: equal bots are expected to win by the sides they had."""
    roles = (Side("agents", (0, 1, 3)), Side("insider", (2,)))
    results = [played(of, (4, 4, 1, 4), roles) for of in plan(ROLES) if of.entries[2] == "a@1"]
    pair = between(crossed(ROLES, results), "a", "b")
    assert pair.score == 1.0
    assert pair.expected is not None
    assert pair.expected > 0.9


def test_the_pairs_are_in_the_order_of_the_standings_with_the_same_ratings() -> None:
    results = [by_name(of) for of in plan(DUELS)]
    found, table = crossed(DUELS, results), table_of(DUELS, results)
    assert found.groups == table.groups
    assert (found.digest, found.matches, found.interim) == (table.digest, table.matches, table.interim)
    ratings = {line.bot: line.rating for line in table.standings}
    for pair in found.pairs:
        assert pair.difference == pytest.approx(ratings[pair.bot] - ratings[pair.against])
        assert pair.interval is not None
        assert pair.interval[0] < (pair.difference or 0) < pair.interval[1]


@st.composite
def leagues(draw: st.DrawFn) -> tuple[League, list[StoredMatch]]:
    here, rng = draw(st.sampled_from([DUELS, PAIRS, THREE, ROLES])), random.Random(draw(st.integers(0, 1000)))
    fixtures = rng.sample(plan(here), draw(st.integers(0, 16)))
    return here, [drawn(of, here.tables[0], rng) for of in fixtures]


def drawn(of: Fixture, table: TableSpec, rng: random.Random) -> StoredMatch:
    insider = rng.randrange(4)
    dealt = (Side("agents", tuple({*range(4)} - {insider})), Side("insider", (insider,)))
    sides = dealt if table.name == "roles" else PAIRS_SIDES if table.name == "pairs" else ()
    if rng.random() < 0.2:
        offender = rng.randrange(table.seats)
        return played(of, faulted(sides, table.seats, frozenset({offender})).places, sides, (offender,))
    if not sides:
        return played(of, [rng.randint(1, 2) for _ in of.entries])
    better = rng.choice([*sides, None])
    return played(of, [1 if better is None or seat in better.seats else 3 for seat in range(table.seats)], sides)


@settings(max_examples=settings().max_examples * 5 // 4)
@given(leagues())
def test_every_bot_stands_against_every_other_and_the_scores_of_two_add_up_to_their_matches(
    made: tuple[League, list[StoredMatch]],
) -> None:
    found = crossed(*made)
    pairs = {(pair.bot, pair.against): pair for pair in found.pairs}
    names = [entry.name for entry in made[0].entries]
    assert pairs.keys() == {(a, b) for a in names for b in names if a != b}
    for (a, b), pair in pairs.items():
        other = pairs[b, a]
        assert pair.matches == other.matches
        assert pair.points + other.points == pytest.approx(pair.matches)
        if pair.matches:
            assert (pair.score or 0) + (other.score or 0) == pytest.approx(1)
            assert (pair.expected or 0) + (other.expected or 0) == pytest.approx(1)


@settings(max_examples=settings().max_examples * 5 // 4)
@given(leagues())
def test_differences_are_antisymmetric(made: tuple[League, list[StoredMatch]]) -> None:
    pairs = {(pair.bot, pair.against): pair for pair in crossed(*made).pairs}
    for (a, b), pair in pairs.items():
        other = pairs[b, a]
        assert (pair.difference is None) == (other.difference is None)
        if pair.difference is not None and other.difference is not None:
            assert pair.difference == -other.difference
        if pair.interval is not None:
            assert other.interval == (-pair.interval[1], -pair.interval[0])


@settings(max_examples=settings().max_examples * 3 // 4)
@given(leagues())
def test_if_names_are_exchanged_so_are_the_pairs(made: tuple[League, list[StoredMatch]]) -> None:
    here, results = made
    season = season_of(here, results)
    turned = {"a@1": "b@1", "b@1": "a@1"}
    others = [
        (
            msgspec.structs.replace(of, entries=tuple(turned.get(name, name) for name in of.entries)),
            msgspec.structs.replace(each, entries=tuple(turned.get(name, name) for name in each.entries)),
        )
        for of, each in season.counted()
    ]
    found, other = (
        {(pair.bot, pair.against): pair for pair in computed(here, season.verdict(), matches).pairs}
        for matches in (season.counted(), others)
    )
    for (a, b), pair in found.items():
        twin = other[turned.get(a, a), turned.get(b, b)]
        assert pair.matches == twin.matches
        assert pair.points == pytest.approx(twin.points)
        if pair.difference is not None:
            assert pair.difference == pytest.approx(twin.difference, abs=1e-6)


def test_the_cells_of_the_pages_mark_the_pairs_that_one_number_does_not_describe() -> None:
    """Each bot beats the next of a circle."""
    here = league("abc", deals=12)
    before = {"a@1": "c@1", "b@1": "a@1", "c@1": "b@1"}
    results = [
        played(of, [1 if before[other] == bot else 2 for bot, other in zip(of.entries, of.entries[::-1], strict=True)])
        for of in plan(here)
    ]
    season = season_of(here, results)
    inputs = TableInputs(here, SEED, season.verdict(), season.counted(), 0, LeagueDeals(OPEN))
    found = tables(inputs, Rounds(), Progress(1, season.verdict().counts, 0, 0, 0), 0, is_over=True)
    assert [cell.unusual for bot in found.bots.values() for cell in bot.row if cell] == [True] * 6
