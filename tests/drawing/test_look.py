"""The colours can be told apart and read, by the formulas of WCAG 2.2; words fit their places."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.drawing import svg
from referee.drawing.look import COLOURS, MOST_SEATS, SMALL, WIDTH, fitted, in_two_lines, variables, width_of

SURFACES = ("ground", "panel", "sunk", "glow")
SEATS = tuple(f"seat-{seat}" for seat in range(MOST_SEATS))


def luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (it / 12.92 if it <= 0.04045 else ((it + 0.055) / 1.055) ** 2.4 for it in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str, scheme: int) -> float:
    lights = sorted((luminance(COLOURS[one][scheme]), luminance(COLOURS[other][scheme])))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("ink", ["ink", "soft"])
def test_text_can_be_read_on_every_surface(ink: str, surface: str, scheme: int) -> None:
    assert contrast(ink, surface, scheme) >= 4.5


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("colour", [*SEATS, "edge", "accent", "good", "bad", "gold", "fire"])
def test_shapes_stand_out_from_panel_and_ground(colour: str, scheme: int) -> None:
    assert min(contrast(colour, "panel", scheme), contrast(colour, "ground", scheme)) >= 3


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_the_accent_can_be_read_as_text_on_a_panel(scheme: int) -> None:
    assert contrast("accent", "panel", scheme) >= 4.5


def test_every_colour_is_a_variable_in_light_and_in_dark() -> None:
    sheet = variables()
    light, dark = sheet.split("@media (prefers-color-scheme:dark)")
    for name, colour in COLOURS.items():
        assert f"--{name}:{colour.light};" in light
        assert f"--{name}:{colour.dark};" in dark.split("@media print")[0]


def test_the_smallest_type_has_11_pixels_on_a_telephone() -> None:
    assert SMALL * 384 / WIDTH >= 11


WORDS = st.text(st.characters(codec=None), max_size=60)


@given(WORDS, st.floats(20, 400), st.booleans())
def test_fitted_words_are_never_wider_than_their_place(words: str, width: float, bold: bool) -> None:
    assert width_of(fitted(words, width, bold=bold), bold=bold) <= width


@given(st.text("abcW ", min_size=1, max_size=20))
def test_words_that_fit_stay_as_they_are(words: str) -> None:
    assert fitted(words.strip(), width_of(words)) == words.strip()


@given(WORDS, st.floats(20, 400))
def test_fitted_words_are_the_beginning_of_the_words_on_one_line_without_controls(words: str, width: float) -> None:
    shown = fitted(words, width)
    assert shown.isprintable()
    assert svg.plain(words).startswith(shown.removesuffix("…"))
    assert shown.endswith("…") or shown == svg.plain(words)


def test_megabytes_of_words_cost_no_more_than_what_fits() -> None:
    assert len(fitted("i" * 10_000_000, 100)) < 100


def test_a_narrow_letter_is_narrower_than_a_wide_one_and_a_bold_one_wider_than_a_regular_one() -> None:
    assert width_of("i") < width_of("e") < width_of("W")
    assert width_of("Codebreaker") < width_of("Codebreaker", bold=True)


def test_two_lines_are_broken_where_they_are_most_alike() -> None:
    assert in_two_lines("Leader of the Pack", 100) == ("Leader of", "the Pack")


def test_words_that_fit_on_one_line_are_not_broken() -> None:
    assert in_two_lines("Sinister Twin", 100) == ("Sinister Twin",)


def test_a_long_word_alone_is_shortened() -> None:
    (line,) = in_two_lines("Supercalifragilistic", 80)
    assert line.startswith("Super")
    assert line.endswith("…")
