"""The course of a match tells its moves as `referee explain` does; suspicions follow from views alone."""

from functools import cache
from html.parser import HTMLParser
from random import Random
from typing import Any

import pytest

from referee.core.game import Worlds
from referee.drawing.drawer import SuspectingDrawer
from referee.drawing.page.course import Course, course
from referee.drawing.playback import watch
from referee.drawing.registry import drawer
from referee.drawing.seat_names import SeatNames
from referee.match.transcript import Transcript
from referee.match.turning_points import swings
from tests.drawing.matches import drawn_games, random_match, rules, watched
from tests.drawing.test_page import HOSTILE
from tests.golden.tables import TABLES
from tests.leaks.wrapped import Wrapped

every_drawn_game = pytest.mark.parametrize("game", drawn_games())


@cache
def match_of(game: str, entries: tuple[str, ...] = ()) -> Transcript:
    return random_match(game, TABLES[game][0], 3, entries)


def told(transcript: Transcript) -> Course:
    played = watched(transcript)
    return course(played, drawer(played.game), SeatNames(transcript.record.header.entries, ()))


class Buttons(HTMLParser):
    """The passage to which each button leads, and its words."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.found: list[tuple[int, str]] = []
        self._open = False
        self.feed(markup)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "button":
            self.found.append((int(dict(attrs)["data-passage"] or ""), ""))
            self._open = True

    def handle_data(self, data: str) -> None:
        if self._open:
            passage, words = self.found[-1]
            self.found[-1] = passage, f"{words} {data}"

    def handle_endtag(self, tag: str) -> None:
        self._open &= tag != "button"


@every_drawn_game
def test_a_turning_point_leads_to_its_decision_or_to_what_luck_has_brought(game: str) -> None:
    transcript = match_of(game)
    played, moved = watched(transcript), swings(rules(game), transcript)
    found = told(transcript)
    points = Buttons(found.turning_points).found
    assert len(points) == found.turning_points.count("data-seat=") == found.turning_points.count("data-change=")
    assert 0 < len(points) <= 8
    for passage, words in points:
        decided = words.startswith(" decision")
        swing = moved[passage if decided else passage - 1]
        assert f"{swing.before[swing.seat]:.2f} to {swing.after[swing.seat]:.2f}" in words
        assert words.startswith(f" decision {swing.decision}:" if decided else " luck (")
        assert bool(played.passages[passage].decisions) or not decided
    assert sorted(seat for seats, _ in found.lines for seat in seats) == list(range(played.seats))
    assert {len(values) for _, values in found.lines} == {len(played.passages)}


@every_drawn_game
def test_foreign_names_are_words_in_the_course(game: str) -> None:
    found = told(match_of(game, HOSTILE[: TABLES[game][0].seats]))
    markup = found.turning_points + found.knew
    assert "<img" not in markup
    assert "<script" not in markup
    assert len(markup) < 60_000


def test_a_game_without_an_outlook_has_no_course() -> None:
    class Plain(Wrapped):
        def __getattr__(self, name: str) -> Any:
            if name == "outlook":
                raise AttributeError(name)
            return super().__getattr__(name)

    game = Plain(rules("agent-avenue")).rules
    played = watch(game, match_of("agent-avenue"))
    assert course(played, drawer(rules("agent-avenue")), SeatNames(("a@1", "b@1"), ())) == Course()


def test_what_a_seat_could_suspect_follows_from_its_view_alone() -> None:
    game = rules("inside-job")
    by = drawer(game)
    assert isinstance(by, SuspectingDrawer)
    assert isinstance(game, Worlds)
    for passage in watched(match_of("inside-job")).passages[::5]:
        for seat, shares in enumerate(by.suspicions(passage.state)):
            assert abs(sum(shares) - 1) < 1e-9
            assert by.suspicions(game.resample(passage.state, seat, Random(seat)))[seat] == pytest.approx(shares)
