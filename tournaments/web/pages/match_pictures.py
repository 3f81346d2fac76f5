"""Matches on closed deals as pictures: the final position, and the page that shows them step by step."""

from collections.abc import Mapping
from typing import NamedTuple

from referee.core.errors import WrongUse
from referee.core.outcome import FAULT
from referee.drawing.drawer import AnyDrawer
from referee.drawing.look import PICTURE
from referee.drawing.page.caption import for_everyone
from referee.drawing.page.html import first_picture, page_of_all, recording_of_all
from referee.drawing.playback import Playback, first_difference, watch, whole_moment
from referee.drawing.registry import drawer
from referee.drawing.steps import board, last_steps, shapes
from referee.drawing.svg import Element, element
from referee.match.replay import Difference, blame_game
from referee.match.transcript import Transcript
from referee.wire.registry import game_entry
from tournaments.web.pages import words

FRAMES = 12
"""The number of pictures of a film. The style sheet of the pages has as many steps."""


class DecidedMoment(NamedTuple):
    """A moment of a match.

    Attributes:
        board: its picture.
        choices: who chose what.
        step: the number of its step in the replay.
    """

    board: Element
    choices: list[str]
    step: int


class PlayedMatch(NamedTuple):
    """A replayed match, with the code that draws it."""

    watched: Playback
    drawer: AnyDrawer

    def end(self) -> Element:
        """The final position, as everybody sees it.

        Raises:
            GameBug: the game or its drawer raised an exception.
        """
        return self._picture(len(self.watched.passages) - 1, words.board(self.watched.transcript.record.outcome))

    def at(self, passage: int) -> DecidedMoment:
        """A passage in which somebody decides, as everybody sees it.

        Raises:
            GameBug: the game or its drawer raised an exception.
        """
        names, game = for_everyone(self.watched, self.drawer).names, self.watched.game
        choices = [
            f"{names.of(it.ask.seat)}: "
            + ("fails" if it.chosen is None else names.put_into(game.describe_action(it.ask.legal[it.chosen])))
            for it in self.watched.passages[passage].decisions
        ]
        return DecidedMoment(self._picture(passage, ", ".join(choices)), choices, last_steps(self.watched)[passage])

    def _picture(self, passage: int, label: str) -> Element:
        with blame_game(self.watched.transcript.record):
            size = self.drawer.size(self.watched.options, self.watched.seats)
            layers = self.drawer.whole(whole_moment(self.watched, passage))
        return board(size, layers, aria_label=label)

    def begin(self) -> Element:
        """The first position, as everybody sees it.

        Raises:
            GameBug: the game or its drawer raised an exception.
        """
        with blame_game(self.watched.transcript.record):
            return first_picture(self.watched, self.drawer, None)

    def halfway(self) -> Element:
        """The position in the middle of the match, as everybody sees it, in all shapes that its drawer gives.

        Raises:
            GameBug: the game or its drawer raised an exception.
        """
        return element("div", *self._shapes(len(self.watched.passages) // 2), class_="shapes")

    def film(self) -> Element:
        """Positions of the whole match, each in the widest shape. A style sheet shows one after the other.

        Raises:
            GameBug: the game or its drawer raised an exception.
        """
        last = len(self.watched.passages) - 1
        passages = (round(last * at / (FRAMES - 1)) for at in range(FRAMES))
        return element("div", *(self._shapes(passage)[-1] for passage in passages), class_="film")

    def _shapes(self, passage: int) -> tuple[Element, ...]:
        watched = self.watched
        with blame_game(watched.transcript.record):
            layers = self.drawer.whole(whole_moment(watched, passage))
            return shapes(self.drawer, watched.options, watched.seats, layers)

    def result(self) -> str:
        """Who won, and why."""
        return for_everyone(self.watched, self.drawer).result

    def replay(self) -> str:
        """The page that shows the match step by step, as everybody sees it."""
        return page_of_all(self.watched, self.drawer)

    def recording(self) -> str:
        """All steps, for the script of a page that contains them."""
        return recording_of_all(self.watched, self.drawer)


def first_differing(one: PlayedMatch, other: PlayedMatch) -> tuple[DecidedMoment, DecidedMoment] | None:
    """The first decision that differs in two matches on one deal; None if there is none."""
    passage = first_difference(one.watched, other.watched)
    return None if passage is None else (one.at(passage), other.at(passage))


def played(transcript: Transcript) -> PlayedMatch | None:
    """The match of a transcript; None if it was played by other rules, or no installed package has its game.

    Raises:
        GameBug: the game raised an exception.
    """
    try:
        game = game_entry(transcript.record.header.game).game
        return PlayedMatch(watch(game, transcript), drawer(game))
    except (WrongUse, Difference):
        return None


def endings_of(game: str) -> tuple[str, ...]:
    """The possible endings of matches of a game, a fault included; none if no installed package has the game."""
    try:
        return (*game_entry(game).game.endings, FAULT)
    except WrongUse:
        return ()


def ending_texts(game: str) -> Mapping[str, str]:
    """What happened at an ending, as the drawer of a game says it; none if it does not say."""
    try:
        texts: Mapping[str, str] = getattr(drawer(game_entry(game).game), "endings", {})
    except WrongUse:
        return {}
    return texts


def style_of(game: str) -> str:
    """The style sheet of the pictures of a game; only the common part if no installed package has the game."""
    try:
        return f"{PICTURE}{drawer(game_entry(game).game).style}"
    except WrongUse:
        return PICTURE
