"""The check of a game: every point of the contract of games is tested in random matches of all its varieties.

A package tests its game with one import:

    from referee.check.game_check import require_sound_game

    def test_my_game() -> None:
        require_sound_game(my_game)
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import islice
from random import Random
from typing import Any

import msgspec

from referee.check.game_points import (
    GameSetting,
    Point,
    Steps,
    deals_sides_as_announced,
    ends_as_announced,
    has_messages,
    has_sound_facts,
    has_words,
    hides,
    is_pure,
    loses_nothing,
    makes_fair_worlds,
    names_draws,
    offers_actions,
    places_fit,
)
from referee.check.random_play import anyhow, prolonging, walk
from referee.core.game import AnyGame, Over
from referee.core.plural import several
from referee.wire.codec import GameEntry
from referee.wire.json_codec import json_entry

MATCHES = 10
"""The number of matches with each choice of options and each number of players."""

LONGEST = 20_000
"""A match with more steps is said to have no end."""

_FACTS = "its facts fit each other: endings, options, varieties, draw_probability"
_ENDS = "every match ends"
_POINTS: Mapping[str, Point] = {
    "every match ends by an ending of the game": ends_as_announced,
    "it is pure: the same luck and choices give the same, and no value ever changes": is_pure,
    "a seat that must choose has a legal action, and no two are equal": offers_actions,
    "no two draws of a match have the same label": names_draws,
    "places and sides agree": places_fit,
    "it says whether sides are dealt": deals_sides_as_announced,
    "nothing is lost and nothing is there twice (is_whole)": loses_nothing,
    "everything has words": has_words,
    "every message is read as it was written": has_messages,
}
_OF_WORLDS: Mapping[str, Point] = {
    "other worlds keep what a seat knows, and follow from it alone (resample, reconstruct)": makes_fair_worlds,
    "no seat is sent what it cannot know: views, events, actions, their order, words": hides,
}
_NO_WORLDS = "not tested, since the game has no `resample`; docs/your-own-game.md says how to write it"
_SAME_WORLDS = "not tested, since `resample` never gave another position than the true one"
_REACHED = "random play reaches every ending"


class GameFinding(msgspec.Struct, frozen=True):
    """The finding on one point. `check-game --json` prints it as it is.

    Attributes:
        point: what a game must do.
        kept: whether the game did it; None if this was not tested.
        text: what was seen.
    """

    point: str
    kept: bool | None
    text: str


class UnsoundGame(AssertionError):
    """A game does not keep the contract; the text has a line for each point that failed."""


def require_sound_game(game: AnyGame | GameEntry, matches: int = MATCHES) -> None:
    """Test a game for a test suite.

    Raises:
        UnsoundGame: a point failed.
    """
    entry = game if isinstance(game, GameEntry) else json_entry(game)
    failed = [f"{finding.point}: {finding.text}" for finding in check_game(entry, matches) if finding.kept is False]
    if failed:
        raise UnsoundGame("\n".join([f"the game {entry.game.name} does not keep its contract:", *failed]))


def check_game(entry: GameEntry, matches: int = MATCHES) -> tuple[GameFinding, ...]:
    """Test a game, point by point. The same game gives the same findings.

    `matches` are played with each of its varieties and each number of players.
    """
    return tuple(_Check(entry, matches).findings())


class _Check:
    """The matches of a game, and the first thing that was wrong at each point."""

    def __init__(self, entry: GameEntry, matches: int) -> None:
        self._entry = entry
        self._matches = matches
        self._wrong: dict[str, str] = {}
        self._counts = [0, 0]  # matches and steps
        self._endings: set[str] = set()
        self._other_worlds = False

    def findings(self) -> Iterator[GameFinding]:
        self._note(_FACTS, "", lambda: has_sound_facts(self._entry))
        if _FACTS not in self._wrong:
            for setting in self._settings():
                self._play(setting)
        yield self._finding(_FACTS, several(len(self._entry.game.varieties), "variety", "varieties"))
        played = f"{self._counts[0]} matches, {self._counts[1]} steps"
        for point in (_ENDS, *_POINTS):
            yield self._finding(point, played)
        for point in _OF_WORLDS:
            open_ = _NO_WORLDS if not self._has_worlds else "" if self._other_worlds else _SAME_WORLDS
            yield (
                GameFinding(point, None, open_) if open_ and point not in self._wrong else self._finding(point, played)
            )
        missed = sorted(set(self._entry.game.endings) - self._endings)
        yield GameFinding(_REACHED, None if missed else True, f"never: {', '.join(missed)}" if missed else "did so")

    @property
    def _has_worlds(self) -> bool:
        return hasattr(self._entry.game, "resample")

    def _finding(self, point: str, good: str) -> GameFinding:
        wrong = self._wrong.get(point)
        if wrong is None and point != _FACTS and not self._counts[0]:
            return GameFinding(point, None, "not tested, since no match came to its end")
        return GameFinding(point, wrong is None, good if wrong is None else wrong)

    def _settings(self) -> Iterator[GameSetting]:
        game = self._entry.game
        for options in game.varieties:
            for seats in game.seats(options):
                yield GameSetting(self._entry, options, seats)

    def _play(self, setting: GameSetting) -> None:
        for number in range(self._matches):
            where = f"{setting.options}, {setting.seats} seats, match {number}: "
            seed = f"{self._entry.game.name}/{setting.options}/{setting.seats}/{number}"
            match = self._match(setting, seed, number, where)
            if match:
                for point, test in self._points().items():
                    self._note(point, where, partial(test, setting, match, Random(seed)))

    def _points(self) -> Mapping[str, Point]:
        return {**_POINTS, **_OF_WORLDS} if self._has_worlds else _POINTS

    def _match(self, setting: GameSetting, seed: str, number: int, where: str) -> Steps:
        """A whole match; empty if it came to no end."""
        game, choose = self._entry.game, (anyhow, prolonging)[number % 2]
        found: list[Steps] = []

        def play() -> Iterator[str]:
            steps = list(islice(walk(game, setting.options, setting.seats, choose, Random(seed)), LONGEST))
            if not steps:
                yield "nothing is drawn or chosen in the match"
            elif not isinstance(over := game.awaiting(steps[-1].after), Over):
                yield f"the match has no end after {LONGEST} steps"
            else:
                self._endings.add(over.outcome.ending)
                found.append(steps)

        self._note(_ENDS, where, play)
        if not found:
            return ()
        (match,) = found
        self._counts = [self._counts[0] + 1, self._counts[1] + len(match)]
        self._see_worlds(setting, match)
        return match

    def _see_worlds(self, setting: GameSetting, match: Steps) -> None:
        game: Any = self._entry.game
        if self._other_worlds or not self._has_worlds:
            return
        rng = Random(1)
        with suppress(Exception):  # the points say it, with the place
            self._other_worlds = any(
                game.resample(step.before, seat, rng) != step.before for step in match for seat in range(setting.seats)
            )

    def _note(self, point: str, where: str, test: Any) -> None:
        """Note the first thing that is wrong. A game that raises fails the point at which it does."""
        if point in self._wrong:
            return
        try:
            wrong = next(iter(test()), None)
        except Exception as error:  # the game's own code may fail in any way
            wrong = f"it raised {type(error).__name__}: {error}"
        if wrong is not None:
            self._wrong[point] = f"{where}{wrong}"
