"""Habits that readers stumble over are found in prose, with their line, and in prose only."""

from pathlib import PurePath

import pytest

from tests.lints.program import Module
from tests.plain_english import HABITS, habits, habits_of


@pytest.mark.parametrize(
    "sentence",
    [
        "Whoever leaves a table gives up its seats, and others go on.",
        "| a row | Who is late loses. |",
        "What counts hangs on the wave.",
        "A bot has one seat, and so it is.",
        "Nothing is told before it is stored.",
        "The clerk computes the tables.",
        "Run it in order to see more.",
        "Close it prior to the end.",
        "They utilise the box.",
        "More is said below.",
        "The lead is such a one.",
        "A node of which nothing was heard is lost.",
    ],
)
def test_a_habit_is_found_with_its_line(sentence: str) -> None:
    assert [found.line for found in habits(f"# A page\n\n{sentence}\n")] == [3]


def test_every_habit_has_a_sentence_that_shows_it() -> None:
    shown = (
        "Who is late loses. It hangs on luck, and so it is. It is told here."
        " A clerk, in order to win, utilizes what was there prior to it."
        " It was said by such a one, of which there are two."
    )
    assert len([*habits(shown)]) == len(HABITS)


@pytest.mark.parametrize(
    "page",
    [
        "Who is the page for? Authors.\n",
        "```\nclerk = 1  # is told here\n```\n",
        "`clerk` is a folder.\n",
        "Seats are told apart by number.\n",
    ],
)
def test_questions_and_code_are_no_habits(page: str) -> None:
    assert list(habits(page)) == []


def test_a_habit_is_found_in_the_docstrings_and_comments_of_a_module() -> None:
    source = '"""Play.\n\n    Who is late loses.\n"""\nwas = told = "was told here"  # it was told here\n'
    found = [*habits_of(Module(PurePath("a.py"), source))]
    assert [sentence.split(": ")[0] for sentence in found] == ["a.py:3", "a.py:5"]
