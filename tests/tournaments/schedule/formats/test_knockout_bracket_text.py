from pathlib import Path

import msgspec
import pytest

from tests.tournaments.schedule.formats.brackets import FOLDER, brackets, texts
from tournaments.schedule.formats.knockout_bracket import Bracket, BracketGroup, BracketRound, Contestant, drawn


@pytest.mark.parametrize(("path", "text"), list(texts()), ids=lambda each: each.name if isinstance(each, Path) else "")
def test_a_bracket_is_drawn_as_it_is_stored(path: Path, text: str) -> None:
    assert text == path.read_text()


def test_every_stored_bracket_is_drawn() -> None:
    assert set(FOLDER.iterdir()) == {path for path, _ in texts()}


def test_no_line_is_longer_than_asked_for() -> None:
    for bracket in brackets().values():
        for width in (80, 100):
            assert max(map(len, drawn(bracket, width).splitlines())) <= width


def test_a_name_that_does_not_fit_ends_in_an_ellipsis() -> None:
    text = drawn(brackets()["long-names"], 80)
    assert " 3 very-… 0.50 ┐" in text
    assert "very-v" not in text.partition("Round")[0]


def test_before_the_first_round_it_says_so() -> None:
    assert drawn(Bracket((), over=False, champion=None)) == "No round has begun.\n"


def test_if_nobody_is_left_it_says_so() -> None:
    gone = tuple(Contestant(name, seed, (0.5,), on=False) for seed, name in enumerate(("ann@1", "bob@1"), 1))
    text = drawn(Bracket((BracketRound((BracketGroup(gone, 1, "walk-over"),), ()),), over=True, champion=None))
    assert "├ nobody" in text
    assert text.endswith(
        "Round 1, 1 ann@1 v 2 bob@1: no more are left than may go on.\n\nIt is over, and nobody is left.\n"
    )


def test_a_bracket_is_the_same_after_json() -> None:
    for bracket in brackets().values():
        assert msgspec.json.decode(msgspec.json.encode(bracket), type=Bracket) == bracket
