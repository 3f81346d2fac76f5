"""Text that can be shown safely, and numbers with words that agree with them."""

import json

import pytest

from referee.core.text import duration, one_line, printable, printable_json, several

ESCAPES = [
    ("\x1b[2Jgone", r"\x1b[2Jgone"),
    ("\x9b31mred", r"\x9b31mred"),
    ("a\rb\bc\x00\x7f", r"a\rb\x08c\x00\x7f"),
    ("abc\u202edef\u2066", r"abc\u202edef\u2066"),
    ("one\u2028two\u2029three\x85four", r"one\u2028two\u2029three\x85four"),
    ("\udcff\ufeff\U000e0041", r"\udcff\ufeff\U000e0041"),
]


@pytest.mark.parametrize(("text", "shown"), ESCAPES)
def test_what_moves_a_cursor_colours_a_line_or_turns_its_direction_is_an_escape(text: str, shown: str) -> None:
    assert printable(text) == one_line(text) == shown
    assert one_line(shown) == shown


def test_letters_of_any_language_lines_and_tabs_are_left_as_they_are() -> None:
    text = "Agonía ¡Invasión! 日本 \N{GRINNING FACE}\n\tЖ \\x1b"
    assert printable(text) == text


def test_on_one_line_there_is_one_line() -> None:
    assert one_line("first\nok    second\n") == r"first\nok    second"


def test_a_json_document_is_the_same_data_and_can_be_printed() -> None:
    data = {"text": "\x1b[2J\x9b\u202e\U000e0041 Agonía\n"}
    document = json.dumps(data, ensure_ascii=False, indent=2)
    shown = printable_json(document)
    assert json.loads(shown) == data
    assert printable(shown) == shown
    assert "Agonía" in shown


def test_one_has_the_singular_and_every_other_number_the_plural() -> None:
    assert several(1, "match is", "matches are") == "1 match is"
    assert several(0, "deal", "deals") == "0 deals"
    assert several(1_200, "bot", "bots") == "1,200 bots"


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0 s"), (4, "4 s"), (60, "1 min"), (90, "1 min 30 s"), (7_200, "120 min")]
)
def test_a_duration_is_in_minutes_and_seconds(seconds: int, text: str) -> None:
    assert duration(seconds) == text
