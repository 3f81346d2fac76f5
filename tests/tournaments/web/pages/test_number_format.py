"""Numbers, scales and shades."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.rating.scale import MU
from tournaments.web.pages import number_format
from tournaments.web.pages.scales import KEY, Scale, shade, trend

numbers = st.floats(-500, 1_000, allow_nan=False)
rated = st.tuples(numbers, st.none() | st.tuples(st.floats(0.01, 50), st.floats(0.01, 50)))


@given(st.lists(rated, min_size=1, max_size=30))
def test_every_rating_lies_on_the_scale_inside_its_interval_and_in_order(
    found: list[tuple[float, tuple[float, float] | None]],
) -> None:
    lines = [(rating, None if by is None else (rating - by[0], rating + by[1])) for rating, by in found]
    scale = Scale(lines)
    drawn = [scale.drawn(*line) for line in lines]
    assert all(0 <= x <= 100 for each in drawn for x in (each.x, *(each.ends or ())))
    assert all(each.ends[0] <= each.x <= each.ends[1] for each in drawn if each.ends)
    by_rating = sorted(zip((rating for rating, _ in lines), (each.x for each in drawn), strict=True))
    assert [x for _, x in by_rating] == sorted(x for _, x in by_rating)
    assert 2 <= len(scale.ticks) <= 8


def test_a_scale_without_ratings_has_lines() -> None:
    assert len(Scale([]).ticks) >= 2


@given(st.integers(0, 1_000))
def test_a_score_and_its_opposite_are_shaded_alike(thousandths: int) -> None:
    """In thousandths, since a score between two shades may be rounded to either."""
    lead = (thousandths - 500) / 1_000 + 0.000_1
    turned = shade(0.5 - lead).translate(str.maketrans("wl", "lw"))
    assert shade(0.5 + lead) == turned


def test_the_higher_the_score_the_stronger_the_shade() -> None:
    assert [shade(score) for score in (0.0, 0.2, 0.3, 0.45, 0.5, 0.55, 0.7, 0.8, 1.0)] == [
        "l4", "l3", "l2", "l1", "e0", "w1", "w2", "w3", "w4"
    ]  # fmt: skip
    assert shade(None) == "none"


@pytest.mark.parametrize(("name", "meaning"), KEY)
def test_the_key_names_every_shade_by_a_score_where_it_begins(name: str, meaning: str) -> None:
    assert len({name for name, _ in KEY}) == 9
    word, _, number = meaning.removesuffix("%").partition(" ")
    if word == "even":
        assert name == shade(0.5)
    else:
        edge, inside = int(number) / 100, -0.01 if word == "below" else 0.01
        assert shade(edge + inside) == name
        assert shade(edge - inside) != name


@given(st.lists(numbers, max_size=40))
def test_a_trend_stays_in_its_picture(ratings: list[float]) -> None:
    path = trend(ratings)
    if len(ratings) < 2:
        assert path is None
        return
    assert path is not None
    points = [tuple(map(float, point.split())) for point in path.removeprefix("M").split("L")]
    assert all(0 <= x <= 80 and 0 <= y <= 20 for x, y in points)


@pytest.mark.parametrize(
    ("told", "text"),
    [
        (number_format.span(None), number_format.NOTHING),
        (number_format.span(20), "less than a minute"),
        (number_format.span(600), "10 min"),
        (number_format.span(3_600 * 5 + 60), "5 h 1 min"),
        (number_format.span(86_400 * 3), "3 days"),
        (number_format.percent(0.6128), "61.3%"),
        (number_format.percent(None), number_format.NOTHING),
        (number_format.chance(0.001), "<1%"),
        (number_format.signed(-1.5), "\N{MINUS SIGN}1.50"),
        (number_format.interval((1, 2)), "1.00 to 2.00"),
        (number_format.milliseconds(1.5), "1.50 ms"),
        (number_format.milliseconds(12_345), "12.35 s"),
        (number_format.tenths(9_000.04), "9,000.0"),
        (number_format.tenths(None), number_format.NOTHING),
        (number_format.limit(10_000), "10 s"),
        (number_format.limit(1_500), "1.5 s"),
        (number_format.limit(20), "20 ms"),
        (number_format.places((3, 8)), "3 to 8"),
    ],
)
def test_numbers_are_told_so(told: str, text: str) -> None:
    assert told == text


def test_400_points_that_people_know_are_ten_wins_for_one_loss_however_far_ahead_a_bot_is() -> None:
    assert number_format.elo(MU) == "1500"
    assert number_format.elo(MU + 1) == "1547"
    assert number_format.elo(MU + 8) == "1908"
    assert int(number_format.elo(MU + 100)) + int(number_format.elo(MU - 100)) == 3_000
