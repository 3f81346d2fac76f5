"""Pages speak in words: no name of a machine stands where somebody reads."""

import re
from html.parser import HTMLParser

import pytest
from msgspec.structs import replace

from referee.drawing.drawer import options_text
from referee.drawing.seat_names import bot_in_words
from tests.tournaments.web.pages import values
from tests.tournaments.web.pages.every import FRAME, pages
from tournaments.web.pages import words
from tournaments.web.pages.rendering import rendered
from tournaments.web.pages.urls import relative_links
from tournaments.web.visibility.league_view import LeagueView

LABELS = re.compile(
    r"[a-z0-9]@\d|\w_\w|line up|\bnone\b|\d/\d|\b(?:mode|talk|roles) [a-z]+,|\bseat 0\b|\bdistinct\b|True|False"
)
"""A name with its version, a name of a variable, an option, the id of a match, a seat that is counted from 0."""

UNREAD = {"script", "style", "pre", "code"}
DATA = {"hash", "said"}
"""Elements of these classes have data that readers copy, or the words of a program."""


class Reader(HTMLParser):
    """The text that people read, piece by piece."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.read: list[str] = []
        self._open: list[tuple[str, bool]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        unread = (
            tag in UNREAD or not DATA.isdisjoint((given.get("class") or "").split()) or given.get("id") == "recording"
        )
        if tag not in {"meta", "link", "input", "br", "img"}:
            self._open.append((tag, unread))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element without text."""

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not any(unread for _, unread in self._open):
            self.read.append(" ".join(data.split()))


@pytest.mark.parametrize("name", pages())
def test_no_page_shows_a_label_of_a_machine(name: str) -> None:
    page = pages()[name]
    league = page.context.get("league", FRAME.league)
    assert league is None or isinstance(league, LeagueView)
    found = Reader(rendered(page, FRAME._replace(league=league), relative_links(page.place)))
    assert [text for text in found.read if LABELS.search(text)] == []


def test_a_bot_has_its_label_in_brackets_and_its_version_after_it() -> None:
    assert [bot_in_words(name) for name in ("greedy+copy@1.2", "greedy@2", "ada", "~ann@person")] == [
        "greedy (copy) v1.2",
        "greedy v2",
        "ada",
        "~ann",
    ]


@pytest.mark.parametrize(
    ("game", "options", "expected"),
    [
        (
            "agent-avenue",
            {"mode": "advanced", "line_up": "1v1", "ceasefire": False},
            "with the black market, one against one",
        ),
        (
            "inside-job",
            {"roles": "none", "talk": "before_vote", "leader_wagers": True},
            "no special roles, they talk before the vote",
        ),
        ("inside-job", {"roles": "daredevil,decoy"}, "the Daredevil Agent and the Decoy"),
        (
            "agonia",
            {"board": "main", "rounds": None, "characters": "drawn"},
            "on the main board, with drawn characters",
        ),
        (
            "unheard-of",
            {"line_up": None, "fast_play": True, "cards": [1, 2], "dice": False},
            "fast play, cards: 1, 2, without dice",
        ),
    ],
)
def test_options_of_a_table_are_told_in_the_words_of_the_game(
    game: str, options: dict[str, object], expected: str
) -> None:
    assert words.options(game, values.table("one", **options)) == expected


def test_an_option_that_a_drawer_does_not_know_is_told_by_its_name() -> None:
    assert options_text(None, {"board_size": 9, "komi": ""}) == "board size: 9"


def test_seats_and_seatings_are_counted_from_one() -> None:
    two, four = (values.table("x", len(sides) * 2, sides) for sides in (((0,), (1,)), ((0, 2), (1, 3))))
    assert words.sides(two) == "seat 1 against seat 2"
    assert words.sides(four) == "seats 1 and 3 against seats 2 and 4"
    assert [words.ordinal(number) for number in (1, 2, 3, 4, 11, 12, 21, 113)] == [
        "1st",
        "2nd",
        "3rd",
        "4th",
        "11th",
        "12th",
        "21st",
        "113th",
    ]
    assert words.match_title(values.match(239)) == "Deal 239, 1st seating at table simple"


def test_several_copies_of_a_bot_are_told_as_several_of_one() -> None:
    seat = values.match().seats[0]
    found = values.match(seats=tuple(replace(seat, seat=at, bot=bot) for at, bot in enumerate(("a@1", "b@2", "b@2"))))
    assert words.players(found) == "a v1, two of b v2"
