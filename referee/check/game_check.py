"""The check of a game: every point of the contract of games is tested in random matches of all its varieties.

A package tests its game with one import:

    from referee.check.game_check import require_sound_game

    def test_my_game() -> None:
        require_sound_game(my_game)
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice, product
from random import Random

import msgspec

from referee.check.game_points import POINTS, POINTS_OF_WORLDS, GameSetting, Steps, has_sound_facts
from referee.check.other_worlds import world_of
from referee.check.random_play import anyhow, prolonging, walk
from referee.core.game import AnyGame, Over
from referee.core.plural import several
from referee.wire.codec import GameEntry
from referee.wire.json_codec import json_entry

MATCHES = 10
"""The number of matches with each choice of options and each number of players."""

_LONGEST = 20_000
"""A match with more steps is said to have no end."""

_FACTS = "its facts fit each other: endings, options, varieties, draw_probability"
_ENDS = "every match ends"
_NO_MATCHES = "not tested, since no match came to its end"
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
        self._has_worlds = hasattr(entry.game, "resample")
        self._points = {**POINTS, **POINTS_OF_WORLDS} if self._has_worlds else POINTS
        self._wrong: dict[str, str] = {}
        self._ended = self._steps = 0
        self._endings: set[str] = set()
        self._other_worlds = False
        self._with_worlds: set[str] = set()  # the options with which `resample` gives positions

    def findings(self) -> Iterator[GameFinding]:
        self._note(_FACTS, "", partial(has_sound_facts, self._entry))
        if not self._wrong:
            for setting in self._settings():
                self._play(setting)
        yield self._finding(_FACTS, several(len(self._entry.game.varieties), "variety", "varieties"))
        played = f"{several(self._ended, 'match', 'matches')}, {several(self._steps, 'step', 'steps')}"
        open_ = "" if self._ended else _NO_MATCHES
        for point in (_ENDS, *POINTS):
            yield self._finding(point, played, open_)
        if not open_ and not self._other_worlds:
            open_ = _SAME_WORLDS if self._has_worlds else _NO_WORLDS
        for point in POINTS_OF_WORLDS:
            yield self._finding(point, f"{played}{self._untested_worlds()}", open_)
        missed = sorted(set(self._entry.game.endings) - self._endings)
        yield GameFinding(_REACHED, None if missed else True, f"never: {', '.join(missed)}" if missed else "did so")

    def _finding(self, point: str, good: str, open_: str = "") -> GameFinding:
        """`good` is what was seen if nothing was wrong; `open_` is why the point was not tested, if it was not."""
        if point in self._wrong:
            return GameFinding(point, False, self._wrong[point])
        return GameFinding(point, None, open_) if open_ else GameFinding(point, True, good)

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
            for point, test in self._points.items() if match else ():
                self._note(point, where, partial(test, setting, match, Random(seed)))

    def _match(self, setting: GameSetting, seed: str, number: int, where: str) -> Steps:
        """A whole match; empty if it came to no end."""
        game, choose = self._entry.game, (anyhow, prolonging)[number % 2]
        found: list[Steps] = []

        def play() -> Iterator[str]:
            steps = list(islice(walk(game, setting.options, setting.seats, choose, Random(seed)), _LONGEST))
            if not steps:
                yield "nothing is drawn or chosen in the match"
            elif not isinstance(over := game.awaiting(steps[-1].after), Over):
                yield f"the match has no end after {_LONGEST} steps"
            else:
                self._endings.add(over.outcome.ending)
                found.append(steps)

        self._note(_ENDS, where, play)
        if not found:
            return ()
        (match,) = found
        self._ended += 1
        self._steps += len(match)
        self._see_worlds(setting, match)
        return match

    def _see_worlds(self, setting: GameSetting, match: Steps) -> None:
        game, options, rng = self._entry.game, str(setting.options), Random(1)
        if not self._has_worlds or (self._other_worlds and options in self._with_worlds):
            return
        with suppress(Exception):  # the points say it, with the place
            for step, seat in product(match, range(setting.seats)):
                world = world_of(game, step.before, seat, rng)
                if world is not None:
                    self._with_worlds.add(options)
                    self._other_worlds |= world != step.before
                if self._other_worlds and options in self._with_worlds:
                    return

    def _untested_worlds(self) -> str:
        """The options with which the game says that it has no other worlds, in words."""
        untested = [options for options in map(str, self._entry.game.varieties) if options not in self._with_worlds]
        return f"; not tested, since `resample` gives nothing there: {', '.join(untested)}" if untested else ""

    def _note(self, point: str, where: str, test: Callable[[], Iterable[str]]) -> None:
        """Note the first thing that is wrong. A game that raises fails the point at which it does."""
        if point in self._wrong:
            return
        try:
            wrong = next(iter(test()), None)
        except Exception as error:  # the game's own code may fail in any way
            wrong = f"it raised {type(error).__name__}: {error}"
        if wrong is not None:
            self._wrong[point] = f"{where}{wrong}"
