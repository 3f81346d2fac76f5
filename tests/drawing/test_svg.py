"""What is drawn cannot break out of its element, whatever foreign words are in it."""

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.text import one_line
from referee.drawing import svg

WORDS = st.text(st.characters(codec=None), max_size=40)


@given(WORDS)
def test_any_words_are_the_text_of_their_element_on_one_line_and_nothing_else(words: str) -> None:
    parsed = ElementTree.fromstring(svg.markup(svg.element("g", svg.text(0, 0, words))))  # noqa: S314 - it is ours
    assert [child.tag for child in parsed.iter()] == ["g", "text"]
    assert (parsed[0].text or "") == one_line(words).replace("\t", " ")


@given(WORDS)
def test_any_words_are_the_value_of_their_attribute_and_nothing_else(words: str) -> None:
    parsed = ElementTree.fromstring(svg.markup(svg.element("g", data_piece=words)))  # noqa: S314 - it is ours
    assert parsed.attrib == {"data-piece": one_line(words).replace("\t", " ")}


@given(WORDS)
def test_no_control_and_no_surrogate_is_left_in_the_markup(words: str) -> None:
    drawn = svg.markup(svg.element("text", words, data_piece=words))
    assert drawn.isprintable()


@pytest.mark.parametrize("name", ["style", "onclick", "onload", "a b", "a>", "1a", ""])
def test_an_attribute_that_the_policy_of_pages_forbids_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="may not be drawn"):
        svg.element("g", **{name: "x"})


def test_a_number_has_at_most_one_digit_after_the_point() -> None:
    assert svg.markup(svg.dot(1.26, 2.0, -0.04)) == '<circle cx="1.3" cy="2" r="0"/>'


def test_an_attribute_without_a_value_is_left_out() -> None:
    assert svg.markup(svg.group(class_=None)) == "<g/>"


def test_what_is_inside_stands_between_the_tags_in_its_order() -> None:
    drawn = svg.at(1, 2, "a<", svg.group("b"), data_layer="x")
    assert svg.markup(drawn) == '<g transform="translate(1 2)" data-layer="x">a&lt;<g>b</g></g>'
