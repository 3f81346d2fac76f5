"""Words fit their places."""

from hypothesis import given
from hypothesis import strategies as st

from referee.drawing import svg
from referee.drawing.look import fitted, in_two_lines, width_of

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
