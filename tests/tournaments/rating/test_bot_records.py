"""How bots fared, counted from matches whose outcomes are written down here."""

import random
from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from referee.core.outcome import FAULT, Outcome, Side, faulted
from referee.match.transcript import FaultKind, FaultMark
from tests.tournaments.leagues import league, plan
from tournaments.league.model import Fixture, League, StoredMatch, TableSpec
from tournaments.rating.bot_records import BotRecords, CostMeans, SeatRecord, SideRecord, records

DUEL = TableSpec("duel", 2, {})
THREE = TableSpec("three", 3, {})
PAIRS = TableSpec("pairs", 4, {}, "distinct", ((0, 2), (1, 3)))
ROLES = TableSpec("roles", 4, {}, "copies")
TOGETHER = TableSpec("together", 2, {}, "distinct", ((0, 1),))

AGENTS = (Side("agents", (0, 1, 3)), Side("insider", (2,)))


def fixture(table: TableSpec, *bots: str) -> Fixture:
    return Fixture(f"nim/{table.name}/{'+'.join(bots)}", table.name, tuple(f"{bot}@1" for bot in bots), 0, 0)


def played(of: Fixture, places: Sequence[int], sides: tuple[Side, ...] = (), faults: Sequence[int] = ()) -> StoredMatch:
    marks = tuple(FaultMark(seat, 1, FaultKind.CRASH) for seat in faults)
    outcome = Outcome(FAULT if faults else "won", tuple(places), sides)
    seats = len(of.entries)
    return StoredMatch(of.id, "digest", of.entries, outcome, marks, (2,) * seats, (3_000,) * seats, 0)


def fared(table: TableSpec, *matches: tuple[str, StoredMatch]) -> BotRecords:
    """The records of a league of four in which these matches were played; bots are named by letters."""
    here = league("abcd", tables=(table,))
    return records(here, [(fixture(table, *bots), match) for bots, match in matches])


def match(
    table: TableSpec, bots: str, places: Sequence[int], sides: tuple[Side, ...] = (), faults: Sequence[int] = ()
) -> tuple[str, StoredMatch]:
    return bots, played(fixture(table, *bots), places, sides, faults)


def scores(found: BotRecords) -> dict[str, float | None]:
    return {name.removesuffix("@1"): record.score for name, record in found.bots.items()}


def test_between_two_the_score_is_wins_and_half_the_draws_over_matches() -> None:
    found = fared(DUEL, match(DUEL, "ab", (1, 2)), match(DUEL, "ba", (1, 1)), match(DUEL, "ab", (1, 2)))
    assert scores(found) == {"a": 2.5 / 3, "b": 0.5 / 3, "c": None, "d": None}
    a = found.bots["a@1"]
    assert (a.matches, a.wins, a.draws, a.losses, a.draw_share) == (3, 2, 1, 0, 1 / 3)


def test_the_mean_return_is_that_of_what_the_game_counts_without_matches_that_a_fault_cut_short() -> None:
    def counted(bots: str, chips: tuple[int, ...], faults: Sequence[int] = ()) -> tuple[str, StoredMatch]:
        _, plain = match(DUEL, bots, (1, 2), faults=faults)
        return bots, replace(plain, outcome=replace(plain.outcome, scores=chips))

    found = fared(DUEL, counted("ab", (6, -6)), counted("ba", (1, -1)), counted("ab", (9, 9), faults=(1,)))
    assert {name: record.mean_return for name, record in found.bots.items()} == {
        "a@1": 2.5, "b@1": -2.5, "c@1": None, "d@1": None,
    }  # fmt: skip


def test_among_many_the_score_is_the_share_of_the_others_that_it_came_before() -> None:
    assert scores(fared(THREE, match(THREE, "abc", (1, 2, 2)))) == {"a": 1.0, "b": 0.25, "c": 0.25, "d": None}


def test_partners_have_the_score_of_their_side() -> None:
    sides = (Side("even", (0, 2)), Side("odd", (1, 3)))
    assert scores(fared(PAIRS, match(PAIRS, "abcd", (2, 1, 2, 1), sides))) == {"a": 0.0, "b": 1.0, "c": 0.0, "d": 1.0}


def test_against_the_game_the_score_is_the_share_of_wins() -> None:
    everybody = (Side("all", (0, 1)),)
    won, lost = (match(TOGETHER, "ab", (place, place), everybody) for place in (1, 2))
    assert scores(fared(TOGETHER, won, won, won, lost))["a"] == 0.75


def test_a_bot_does_not_score_against_itself() -> None:
    found = fared(ROLES, match(ROLES, "aaab", (4, 4, 1, 4), AGENTS))
    assert (found.bots["a@1"].matches, found.bots["a@1"].score) == (
        2,
        1.0,
    )  # as the insider, against b among the agents
    assert found.bots["b@1"].score == 0.0


@pytest.mark.parametrize(("places", "offender", "score"), [((3, 1, 1), 0, 0.0), ((1, 1, 3), 2, 1.0)])
def test_a_fault_among_many_is_a_loss_to_all_others_and_no_tie_of_theirs(
    places: tuple[int, ...], offender: int, score: float
) -> None:
    found = fared(THREE, match(THREE, "abc", places, faults=(offender,)))
    assert (found.bots["a@1"].score, found.bots["b@1"].score) == (score, 1.0)


def test_a_fault_of_one_of_two_sides_is_the_loss_of_that_side() -> None:
    sides = (Side("even", (0, 2)), Side("odd", (1, 3)))
    places = faulted(sides, 4, frozenset({2})).places
    found = fared(PAIRS, match(PAIRS, "abcd", places, sides, faults=(2,)))
    assert scores(found) == {"a": 0.0, "b": 1.0, "c": 0.0, "d": 1.0}
    assert {name: record.faults for name, record in found.bots.items()} == {"a@1": 0, "b@1": 0, "c@1": 1, "d@1": 0}


def test_times_are_added_over_all_seats_of_a_bot() -> None:
    found = fared(ROLES, match(ROLES, "aaab", (4, 4, 1, 4), AGENTS))
    assert found.bots["a@1"].mean_decision_ms == 1.5
    assert found.bots["c@1"].mean_decision_ms is None


def test_tries_and_tokens_are_means_for_a_decision_over_all_seats_of_a_bot() -> None:
    noted = match(ROLES, "aaab", (4, 4, 1, 4), AGENTS)
    found = fared(ROLES, (noted[0], replace(noted[1], tries=(1, 2, 3, 0), tokens=(100, 0, 50, 0))))
    assert found.bots["a@1"].costs == CostMeans(6 / 6, 150 / 6)
    assert found.bots["b@1"].costs == CostMeans()


def test_processor_time_is_a_mean_for_a_measured_decision_and_money_one_for_a_seat_of_a_match() -> None:
    bots, of = match(ROLES, "aaab", (4, 4, 1, 4), AGENTS)
    measured = replace(of, processor_us=(4_000, 8_000, None, None), tries=(1, 1, 1, 1), tokens=(0, 300, 0, 900))
    prices = {"a": (10.0, 3600.0), "b@2": (1.0, 0.0)}
    here = league("abcd", tables=(ROLES,), prices=prices)
    found = records(here, [(fixture(ROLES, *bots), measured)])
    costs = found.bots["a@1"].costs
    assert costs.processor_ms == 3.0
    assert costs.money == pytest.approx((0.003 + 0.012) / 3)
    assert found.bots["b@1"].costs.processor_ms is found.bots["b@1"].costs.money is None


def test_every_seat_is_told_for_each_bot_and_over_all() -> None:
    found = fared(DUEL, match(DUEL, "ab", (1, 2)), match(DUEL, "ab", (1, 1)), match(DUEL, "ba", (1, 2)))
    assert found.seats == (
        SeatRecord("duel", 0, 3, 2, 2 / 3, 1, 2.5 / 3),
        SeatRecord("duel", 1, 3, 0, 0.0, 1, 0.5 / 3),
    )
    assert found.bots["a@1"].seats == (
        SeatRecord("duel", 0, 2, 1, 0.5, 1, 0.75),
        SeatRecord("duel", 1, 1, 0, 0.0, 0, 0.0),
    )


def test_seats_and_sides_leave_out_what_a_fault_cut_short() -> None:
    whole, cut = match(ROLES, "abab", (4, 4, 1, 4), AGENTS), match(ROLES, "abab", (1, 1, 4, 1), AGENTS, faults=(2,))
    assert fared(ROLES, whole, cut).seats == fared(ROLES, whole).seats
    assert fared(ROLES, whole, cut).sides == (
        SideRecord("roles", "agents", 1, 0, 0.0, 0, 0.0),
        SideRecord("roles", "insider", 1, 1, 1.0, 0, 1.0),
    )


TABLES = st.sampled_from([DUEL, THREE, PAIRS, ROLES])


@st.composite
def leagues(draw: st.DrawFn) -> tuple[League, list[tuple[Fixture, StoredMatch]]]:
    """A few matches at one table, some cut short by a fault."""
    table, rng = draw(TABLES), random.Random(draw(st.integers(0, 1000)))
    here = league("abcd", 2, tables=(table,))
    fixtures = rng.sample(plan(here), draw(st.integers(0, 12)))
    return here, [(each, drawn(each, table, rng)) for each in fixtures]


def drawn(of: Fixture, table: TableSpec, rng: random.Random) -> StoredMatch:
    fixed = tuple(Side(f"s{at}", seats) for at, seats in enumerate(table.sides))
    insider = rng.randrange(4)
    dealt = (Side("agents", tuple({*range(4)} - {insider})), Side("insider", (insider,)))
    sides = dealt if table is ROLES else fixed
    if rng.random() < 0.2:
        offender = rng.randrange(table.seats)
        places = faulted(sides, table.seats, frozenset({offender})).places
        return played(of, places, sides, (offender,))
    if not sides:
        return played(of, [rng.randint(1, 2) for _ in of.entries])
    better = rng.choice([*sides, None])
    return played(of, [1 if better is None or seat in better.seats else 3 for seat in range(table.seats)], sides)


@given(leagues())
def test_the_score_is_between_0_and_1_and_the_results_add_up(
    made: tuple[League, list[tuple[Fixture, StoredMatch]]],
) -> None:
    for record in records(*made).bots.values():
        assert record.wins + record.draws + record.losses == record.matches
        assert record.score is None or 0 <= record.score <= 1


@given(leagues())
def test_the_seats_of_all_bots_add_up_to_those_over_all(made: tuple[League, list[tuple[Fixture, StoredMatch]]]) -> None:
    found = records(*made)
    for seat in found.seats:
        own = [each for record in found.bots.values() for each in record.seats if each.seat == seat.seat]
        assert (sum(each.matches for each in own), sum(each.wins for each in own)) == (seat.matches, seat.wins)
        assert sum(each.score * each.matches for each in own) == pytest.approx(seat.score * seat.matches)


@given(leagues())
def test_if_names_are_exchanged_so_are_the_records(made: tuple[League, list[tuple[Fixture, StoredMatch]]]) -> None:
    here, matches = made
    turned = {"a@1": "b@1", "b@1": "a@1"}

    def exchanged(names: Sequence[str]) -> tuple[str, ...]:
        return tuple(turned.get(name, name) for name in names)

    others = [
        (
            msgspec.structs.replace(of, entries=exchanged(of.entries)),
            msgspec.structs.replace(each, entries=exchanged(each.entries)),
        )
        for of, each in matches
    ]
    found, other = records(here, matches), records(here, others)
    assert (found.sides, found.seats) == (other.sides, other.seats)
    assert [found.bots[name] for name in ("a@1", "b@1", "c@1")] == [other.bots[name] for name in ("b@1", "a@1", "c@1")]
