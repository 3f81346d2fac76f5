"""Numbers with words that agree with them."""

from referee.core.text import several


def test_one_has_the_singular_and_every_other_number_the_plural() -> None:
    assert several(1, "match is", "matches are") == "1 match is"
    assert several(0, "deal", "deals") == "0 deals"
    assert several(1_200, "bot", "bots") == "1,200 bots"
