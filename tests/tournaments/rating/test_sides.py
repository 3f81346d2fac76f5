from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.outcome import Outcome, Side, faulted
from tournaments.rating.sides import score

NEW, OLD, OTHER = "new", "old", "other"


def outcome(*places: int, sides: tuple[tuple[int, ...], ...] = ()) -> Outcome:
    return Outcome("over", places, tuple(Side(f"side {number}", seats) for number, seats in enumerate(sides)))


def shares(found: Outcome, *entries: str) -> tuple[float, float]:
    return score(found, entries, NEW), score(found, entries, OLD)


@pytest.mark.parametrize(("places", "expected"), [((1, 2), (1, 0)), ((2, 1), (0, 1)), ((1, 1), (0.5, 0.5))])
def test_of_two_bots_the_winner_gets_all_and_a_tie_is_shared(
    places: tuple[int, int], expected: tuple[float, float]
) -> None:
    assert shares(outcome(*places), NEW, OLD) == expected


def test_among_several_a_bot_gets_the_fraction_that_it_beat() -> None:
    assert shares(outcome(2, 4, 1, 2), NEW, OLD, OTHER, OTHER) == ((0 + 0.5 + 1) / 3, 0)


def test_a_side_is_one_opponent_however_many_seats_it_has() -> None:
    found = outcome(2, 1, 1, 1, 3, sides=((0,), (1, 2, 3), (4,)))
    assert score(found, (NEW, OLD, OLD, OTHER, OTHER), NEW) == 0.5


def test_two_bots_on_one_side_get_the_same() -> None:
    new, old = shares(outcome(1, 1, 2, sides=((0, 1), (2,))), NEW, OLD, OTHER)
    assert new == old == 1


def test_a_side_that_the_bot_alone_holds_is_no_opponent_of_its_own() -> None:
    insider_new = outcome(1, 2, 2, sides=((0,), (1, 2)))
    assert shares(insider_new, NEW, NEW, OLD) == (1, 0)
    assert shares(insider_new, OLD, NEW, NEW) == (0, 1)


def test_a_bot_with_several_seats_gets_their_mean() -> None:
    assert shares(outcome(1, 2, 3, 4), NEW, OLD, OLD, NEW) == (0.5, 0.5)


def test_after_a_fault_each_seat_has_its_own_place() -> None:
    sides = tuple(Side(f"side {number}", seats) for number, seats in enumerate(((0, 1), (2,), (3,))))
    found = faulted(sides, 4, frozenset({0}))
    assert shares(found, NEW, OLD, OTHER, OTHER) == (0, 0.5)


def test_the_fault_of_one_side_of_two_is_the_other_sides_win() -> None:
    sides = (Side("even", (0, 2)), Side("odd", (1, 3)))
    assert shares(faulted(sides, 4, frozenset({2})), OLD, NEW, OLD, NEW) == (1, 0)


def test_together_a_match_is_won_or_lost() -> None:
    everybody = ((0, 1),)
    assert score(outcome(1, 1, sides=everybody), (NEW, NEW), NEW) == 1
    assert score(outcome(2, 2, sides=everybody), (NEW, OTHER), NEW) == 0


@st.composite
def matches(draw: st.DrawFn) -> tuple[Outcome, tuple[str, ...]]:
    """Any match in which both bots sit, with sides or without."""
    seats = draw(st.integers(2, 6))
    entries = draw(st.permutations([NEW, OLD, *draw(st.lists(st.sampled_from([NEW, OLD, OTHER]), max_size=4))]))[:seats]
    seats = len(entries)
    order = draw(st.permutations(range(seats)))
    cuts = sorted({0, seats, *draw(st.sets(st.integers(1, seats - 1), min_size=1))})
    sides = tuple(tuple(order[start:end]) for start, end in pairwise(cuts))
    places = draw(st.lists(st.integers(1, 3), min_size=seats, max_size=seats))
    return outcome(*places, sides=draw(st.sampled_from([(), sides]))), tuple(entries)


@given(matches())
def test_every_bot_at_a_table_has_a_share_from_0_to_1(match: tuple[Outcome, tuple[str, ...]]) -> None:
    found, entries = match
    assert all(0 <= score(found, entries, bot) <= 1 for bot in set(entries) if len(set(entries)) > 1)
