"""What a result says about the difference of two performances, against the library and 60 digits."""

import mpmath
import numpy as np
import pytest
import trueskill
from hypothesis import given
from hypothesis import strategies as st

from referee.wire.registry import games
from tests.tournaments.rating.leagues import converged, solo
from tournaments.rating.numerics import Floats, above, within

differences = st.floats(-60, 60)
margins = st.floats(1e-4, 5)


def array(value: float) -> Floats:
    return np.array([value])


def precisely(difference: float, low: float, high: float) -> tuple[float, float]:
    """Shift and loss of a standard normal around `difference` that is known to lie between `low` and `high`."""
    with mpmath.workdps(60):
        a, b = mpmath.mpf(low) - difference, mpmath.mpf(high) - difference
        mass = mpmath.ncdf(b) - mpmath.ncdf(a) if a < 0 else mpmath.ncdf(-a) - mpmath.ncdf(-b)
        shift = (mpmath.npdf(a) - mpmath.npdf(b)) / mass
        ends = (0 if mpmath.isinf(b) else b * mpmath.npdf(b)) - a * mpmath.npdf(a)
        return float(shift), float(shift**2 + ends / mass)


@given(differences, margins)
def test_a_win_says_what_60_digits_say_however_far_the_two_are_apart(difference: float, margin: float) -> None:
    shift, loss = above(array(difference), array(margin))
    assert (shift[0], loss[0]) == pytest.approx(precisely(difference, margin, mpmath.inf), rel=1e-9, abs=1e-12)


@given(differences, margins)
def test_a_draw_says_what_60_digits_say_however_far_the_two_are_apart(difference: float, margin: float) -> None:
    shift, loss = within(array(difference), array(margin))
    assert (shift[0], loss[0]) == pytest.approx(precisely(difference, -margin, margin), rel=1e-7, abs=1e-7)


@given(st.floats(-5, 5), margins)
def test_both_are_what_the_library_says_where_it_has_digits(difference: float, margin: float) -> None:
    environment = trueskill.TrueSkill(backend="scipy")
    won, drawn = above(array(difference), array(margin)), within(array(difference), array(margin))
    assert won[0][0] == pytest.approx(environment.v_win(difference, margin), rel=1e-6, abs=1e-9)
    assert won[1][0] == pytest.approx(environment.w_win(difference, margin), rel=1e-6, abs=1e-9)
    assert drawn[0][0] == pytest.approx(environment.v_draw(difference, margin), rel=1e-5, abs=1e-7)
    assert drawn[1][0] == pytest.approx(environment.w_draw(difference, margin), rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("result", [above, within])
def test_extreme_gaps_are_no_error_and_the_larger_the_surprise_the_larger_the_push(result) -> None:  # type: ignore[no-untyped-def] # `result` is either
    gaps = -np.array([0.0, 1, 10, 30, 38, 40, 100, 1000, 10_000])
    shift, loss = result(gaps, np.full_like(gaps, 0.02))
    assert shift.tolist() == sorted(shift.tolist())
    assert shift[-1] == pytest.approx(10_000, rel=1e-3)
    assert ((loss >= 0) & (loss <= 1)).all()


def test_a_favourite_that_wins_as_expected_learns_nothing() -> None:
    shift, loss = above(np.array([40.0, 1e4]), np.array([0.1, 0.1]))
    assert shift.tolist() == loss.tolist() == [0, 0]


def test_a_draw_of_equals_keeps_both_where_they_are_at_every_games_draw_probability() -> None:
    for entry in games().values():
        ratings = converged([solo("a", "b", places=(1, 1))], ["a", "b"], entry.game.draw_probability)
        assert ratings["a"].mu == ratings["b"].mu == pytest.approx(25.0, abs=1e-9)
        assert ratings["a"].sigma < 0.8 * 25 / 3
