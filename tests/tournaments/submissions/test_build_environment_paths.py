"""What an author reads names the places of the organizer's machine by their last name alone."""

from pathlib import Path

import pytest

from tournaments.submissions.build_environment import PathFilter, organizer_names

NAMES = {"/home/eve": "~", "/home/eve/league": "league", "/srv/x+y": "x+y"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("/home/eve/league/bot.py: no\n", "league/bot.py: no\n"),
        ("file:///home/eve/a", "file://~/a"),
        ("'/home/eve' and (/srv/x+y)", "'~' and (x+y)"),
        ("/home/eves /data/home/eve /home/eve-2", "/home/eves /data/home/eve /home/eve-2"),
        ("/home/eve.", "~."),
        ("", ""),
    ],
)
@pytest.mark.parametrize("length", [1, 3, 100])
def test_paths_are_replaced_wherever_the_pieces_of_a_text_end(text: str, told: str, length: int) -> None:
    passed: list[str] = []
    filtered = PathFilter(passed.append, NAMES)
    for begin in range(0, len(text), length):
        filtered(text[begin : begin + length])
    filtered.flush()
    assert "".join(passed) == told


def test_a_line_is_passed_on_when_it_ends_and_a_very_long_one_before() -> None:
    passed: list[str] = []
    filtered = PathFilter(passed.append, NAMES)
    filtered("one\ntwo")
    assert passed == ["one\n"]
    filtered("x" * 100_000)
    assert len("".join(passed)) == len("one\ntwo") + 100_000


def test_places_that_every_machine_has_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/")
    names = organizer_names(tmp_path / "eve", [Path("/usr/share/dict"), Path("/srv/books")])
    assert {"/", "/tmp", "/usr/share/dict"}.isdisjoint(names)  # noqa: S108 - no file is made
    assert (names["/srv/books"], names[str(tmp_path / "eve")]) == ("books", "bot")
