"""The factor of one match: the library's, and the same written out."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.wire.registry import games
from tests.tournaments.rating.leagues import DRAW
from tournaments.rating.contest import Contest, Member
from tournaments.rating.scale import Rating
from tournaments.rating.chain import chain_factor
from tournaments.rating.contest import ResultKind, kinds
from tournaments.rating.gaussian import PRIOR, Gaussian, gaussian, rating
from tournaments.rating.library import Factor, cdf, library_factor

FACTORS = [library_factor, chain_factor]


def match(sizes: list[int], places: list[int], weight: float = 1.0) -> ResultKind:
    names = iter("abcdefghijklmnopqrst")
    teams = tuple(tuple(Member(next(names), weight) for _ in range(size)) for size in sizes)
    return kinds(Contest("deal", teams, tuple(places)))[0]


def posterior(cavity: Gaussian, message: Gaussian) -> Rating:
    return rating((cavity[0] + message[0], cavity[1] + message[1]))


sizes_and_places = st.lists(st.tuples(st.integers(1, 3), st.integers(1, 3)), min_size=2, max_size=5)
skills = st.tuples(st.floats(-20, 70), st.floats(0.03, 8.4))


@settings(max_examples=150)
@given(sizes_and_places, st.lists(skills, min_size=15, max_size=15), st.sampled_from([1.0, 0.5, 1 / 3]))
def test_the_factor_written_out_equals_the_library_and_messages_never_take_certainty_away(
    teams: list[tuple[int, int]], known: list[tuple[float, float]], weight: float
) -> None:
    kind = match([size for size, _ in teams], [place for _, place in teams], weight)
    cavities = [gaussian(Rating(*skill)) for skill, _ in zip(known, kind.members, strict=False)]
    for cavity, one, other in zip(
        cavities, library_factor(kind, DRAW)(cavities), chain_factor(kind, DRAW)(cavities), strict=True
    ):
        before, by_library, by_chain = rating(cavity), posterior(cavity, one), posterior(cavity, other)
        assert abs(by_library.mu - by_chain.mu) < 1e-3 * before.sigma
        assert abs(by_library.sigma - by_chain.sigma) < 1e-3 * before.sigma
        assert min(one[0], other[0]) >= 0


@pytest.mark.parametrize("make", FACTORS)
@pytest.mark.parametrize("places", [[1, 2], [1, 1]])
def test_extreme_gaps_do_not_raise_and_the_larger_the_surprise_the_larger_the_push(make, places) -> None:  # type: ignore[no-untyped-def] # `make` is either factor
    factor: Factor = make(match([1, 1], places), DRAW)
    pushes = []
    for gap in (0, 10, 100, 200, 215, 225, 230, 240, 300, 1000, 5000):
        first, _ = factor([gaussian(Rating(25.0 - gap, 1.0)), gaussian(Rating(25.0, 1.0))])
        pushes.append(first[1] - first[0] * (25.0 - gap))
    assert pushes == sorted(pushes)
    assert pushes[-1] > 100


@pytest.mark.parametrize("make", FACTORS)
def test_a_favourite_that_wins_as_expected_learns_next_to_nothing(make) -> None:  # type: ignore[no-untyped-def] # `make` is either factor
    for gap in (250.0, 5000.0):
        cavities = [gaussian(Rating(25.0 + gap, 1.0)), gaussian(Rating(25.0, 1.0))]
        for cavity, message in zip(cavities, make(match([1, 1], [1, 2]), DRAW)(cavities), strict=True):
            assert posterior(cavity, message).mu == pytest.approx(rating(cavity).mu, abs=1e-9)


def test_the_normal_distribution_has_12_digits_far_below_zero_and_says_where_they_end() -> None:
    assert cdf(-30.0) == pytest.approx(4.906713927148187e-198, rel=1e-12)
    with pytest.raises(FloatingPointError):
        cdf(-37.5)


def test_tied_teams_are_compared_in_one_order_whatever_the_seats() -> None:
    rng = random.Random(5)
    names = {name: gaussian(Rating(rng.gauss(25, 5), 3.0)) for name in "abcd"}
    tables = []
    for _ in range(10):
        seated = rng.sample(sorted(names), 4)
        (kind,) = kinds(Contest("deal", tuple((Member(name),) for name in seated), (1, 1, 1, 1)))
        tables.append(library_factor(kind, DRAW)([names[member.player] for member in kind.members]))
    assert all(table == tables[0] for table in tables)


def test_a_draw_of_equals_keeps_both_where_they_are_at_every_games_draw_probability() -> None:
    for entry in games().values():
        for message in library_factor(match([1, 1], [1, 1]), entry.game.draw_probability)([PRIOR, PRIOR]):
            after = posterior(PRIOR, message)
            assert after.mu == pytest.approx(25.0, abs=1e-9)
            assert after.sigma < 0.8 * 25 / 3
