"""The check of a game: every point of the contract of games, in random matches of all its varieties.

A package tests its game with one import:

    from referee.check.game_check import require_sound_game

    def test_my_game() -> None:
        require_sound_game(my_game)
"""

import multiprocessing
import os
import resource
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import islice, product
from multiprocessing.connection import Connection
from random import Random
from typing import Any

import msgspec

from referee.check.fair_worlds import Ranks
from referee.check.game_points import MESSAGES, POINTS, POINTS_OF_WORLDS, GameSetting, Steps, has_sound_facts
from referee.check.hidden_information import world_of
from referee.check.random_play import LuckStep, anyhow, prolonging, walk
from referee.core.errors import UserError
from referee.core.game import AnyGame, Over
from referee.core.text import several
from referee.runtime.child_process import serve
from referee.runtime.process_counters import cpu_clock
from referee.wire.codec import GameEntry
from referee.wire.json_codec import json_entry

MATCHES = 10
"""The number of matches with each choice of options and each number of players."""

LIMIT_S = 60.0
"""So much processor time may the test of a point in a match take, in seconds. Other programs do not shorten it."""

_WAITS = 5
"""A game that only waits has so many times as long."""

_LOOK_S = 0.2

_MEMORY = 4 << 30
"""So much memory may the process have that tests a game, in bytes."""

_FORK = multiprocessing.get_context("fork")  # games of tests cannot be pickled

_LONGEST = 20_000
"""The check takes a match with more steps for one without an end."""

_FACTS = "its facts fit each other: endings, options, varieties, draw_probability"
_ENDS = "every match ends"
_NO_MATCHES = "not tested, since no match came to its end"
_NO_READER = "not tested, since the game's entry has no reader"
_NO_WORLDS = "not tested, since the game has no `resample`; docs/your-own-game.md says how to write it"
FAIR = "other worlds are drawn fairly: the truth is one of them like any other (resample)"
_FEW_WORLDS = "not tested, since too few positions have other worlds; play more matches"
_SAME_WORLDS = "not tested, since `resample` never gave another position than the true one"
_REACHED = "random play reaches every ending"
_ALL = (_FACTS, _ENDS, *POINTS, FAIR, *POINTS_OF_WORLDS, _REACHED)


_ADVICE: Mapping[str, str] = {
    "its facts": "what this names, in the class of the game",
    "every match ends": "the method that raised, `legal` (never empty), or `awaiting`, which must come to an `Over`",
    "it is pure": "`apply`, `luck` or what they call: use the arguments alone, and change none of them",
    "no two legal actions": "`legal` or `describe_action`: give each action what distinguishes it",
    "no two draws": "`awaiting`: number the labels, as in `deal/3`",
    "the ending is": "the `Outcome` that `awaiting` gives, or `endings`",
    "the outlook": "`outlook`",
    "it says whether sides": "`sides` or `deals_sides`",
    "nothing is lost": "`apply` or `luck`, where the piece goes; or `is_whole`",
    "everything has words": "`describe`, `describe_action` or `describe_view`",
    "every message": "the types in the annotations of `view`, `describe` and `describe_action`; or the codec",
    "other worlds are drawn": "`resample`: draw each position that fits equally often, also after what was heard",
    "other worlds keep": "`resample` or `reconstruct`: deal what the seat cannot know, keep all that it was told",
    "no seat is sent": "`view`, `heard`, `legal` (also its order) or `awaiting`: use what the seat may know",
}
"""By the beginning of a point: what to change if it fails."""


class GameFinding(msgspec.Struct, frozen=True):
    """The finding on one point. `check-game --json` prints it as it is.

    Attributes:
        point: what a game must do.
        kept: whether the game did it; None if this was not tested.
        text: what was seen, and what to change.
        match: the smallest match in which it was seen: its `options`, `seats`, `luck` and `choices` as in a transcript,
            and its events in `words`. None if the point was kept, or needs no match.
    """

    point: str
    kept: bool | None
    text: str
    match: Mapping[str, Any] | None = None


class UnsoundGame(AssertionError):
    """A game does not keep the contract; the text has a line for each point that failed."""


def require_sound_game(game: AnyGame | GameEntry, matches: int = MATCHES) -> None:
    """Test a game for a test suite.

    Raises:
        UnsoundGame: a point failed.
    """
    entry = game if isinstance(game, GameEntry) else json_entry(game)
    findings = check_game(lambda: entry, matches)
    failed = [f"{finding.point}: {finding.text}" for finding in findings if finding.kept is False]
    if failed:
        raise UnsoundGame("\n".join([f"the game {entry.game.name} does not keep its contract:", *failed]))


def check_game(load: Callable[[], GameEntry], matches: int = MATCHES) -> tuple[GameFinding, ...]:
    """Test the game that `load` gives, point by point, in another process. The same game gives the same findings.

    `matches` are played with each of its varieties and each number of players. If the test of a point in a match takes
    too long, or the game ends the process, the check ends, and the game does not keep this point.

    Raises:
        UserError: `load` raised it.
    """
    ours, theirs = _FORK.Pipe(duplex=False)
    process = _FORK.Process(target=_test, args=(theirs, load, matches, os.getpid()))
    process.start()
    theirs.close()
    point, where, wrong = _FACTS, "", dict[str, str]()
    try:
        while _hears(ours, process.pid or 0):
            found = ours.recv()
            if isinstance(found, UserError):
                raise found
            if isinstance(found, list):
                return tuple(found)
            point, where, what = found
            wrong |= {point: _with_advice(point, where, what)} if what else {}
        ended = f"it took more than {LIMIT_S:.0f} s of processor time, or waited for {_WAITS} times as long"
    except EOFError:
        process.join()
        ended = f"it ended the process (exit code {process.exitcode})"
    finally:
        process.kill()
        process.join()
    wrong.setdefault(point, _with_advice(point, where, ended))
    open_ = f"not tested to the end: {ended}"
    return tuple(GameFinding(each, False if each in wrong else None, wrong.get(each, open_)) for each in _ALL)


def _hears(ours: Connection, pid: int) -> bool:
    """Wait for the next message of a process. Returns whether there is one before its time is over."""
    until_s, ran_ns = time.monotonic() + _WAITS * LIMIT_S, _ran_ns(pid)
    while not ours.poll(_LOOK_S):
        if _ran_ns(pid) - ran_ns > LIMIT_S * 1e9 or time.monotonic() > until_s:
            return False
    return True


def _ran_ns(pid: int) -> int:
    with suppress(OSError):  # it is gone, and the pipe says so
        return time.clock_gettime_ns(cpu_clock(pid))
    return 0


def _with_advice(point: str, where: str, wrong: str) -> str:
    what = next(what for words, what in _ADVICE.items() if point.startswith(words))
    return f"{where}{wrong}; change {what}"


def _test(connection: Connection, load: Callable[[], GameEntry], matches: int, master: int) -> None:
    """Send what is being tested (a point, where) with what was wrong, if something was; in the end the findings."""
    serve(master)
    with suppress(ValueError):  # the limit is lower already
        resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))
    try:
        found: Any = list(_Check(load(), matches, connection.send).findings())
    except UserError as error:
        found = error
    except BaseException as error:
        found = (_FACTS, "", f"it raised {type(error).__name__}: {error}")
    with suppress(ConnectionError):  # the master was killed, and this process is about to be
        connection.send(found)


class _Check:
    """The matches of a game, and the first thing that was wrong at each point."""

    def __init__(self, entry: GameEntry, matches: int, tell: Callable[[tuple[str, str, str]], None]) -> None:
        self._entry = entry
        self._matches = matches
        self._tell = tell
        self._has_worlds = hasattr(entry.game, "resample")
        self._points = {**POINTS, **POINTS_OF_WORLDS, FAIR: self._rank} if self._has_worlds else POINTS
        self._ranks = Ranks()
        self._wrong: dict[str, str] = {}
        self._failing: dict[str, tuple[GameSetting, Steps]] = {}
        self._ended = self._steps = 0
        self._endings: set[str] = set()
        self._other_worlds = False
        self._with_worlds: set[str] = set()  # the options with which `resample` gives positions

    def findings(self) -> Iterator[GameFinding]:
        self._note(_FACTS, "", partial(has_sound_facts, self._entry))
        if not self._wrong:
            for setting in self._settings():
                self._play(setting)
            self._note(FAIR, "", self._ranks.unfair)
        yield self._finding(_FACTS, several(len(self._entry.game.varieties), "variety", "varieties"))
        played = f"{several(self._ended, 'match', 'matches')}, {several(self._steps, 'step', 'steps')}"
        open_ = "" if self._ended else _NO_MATCHES
        for point in (_ENDS, *POINTS):
            unread = _NO_READER if point == MESSAGES and not self._entry.reader else ""
            yield self._finding(point, played, open_ or unread)
        if not open_ and not self._other_worlds:
            open_ = _SAME_WORLDS if self._has_worlds else _NO_WORLDS
        yield self._finding(FAIR, played, open_ or ("" if self._ranks.chi_squared() else _FEW_WORLDS))
        for point in POINTS_OF_WORLDS:
            yield self._finding(point, played, open_ or self._untested_worlds())
        missed = sorted(set(self._entry.game.endings) - self._endings)
        yield GameFinding(_REACHED, None if missed else True, f"never: {', '.join(missed)}" if missed else "did so")

    def _rank(self, setting: GameSetting, match: Steps, rng: Random) -> Iterator[str]:
        self._ranks.add_match(setting.entry.game, setting.seats, match, rng)
        return iter(())  # one match tells nothing

    def _finding(self, point: str, good: str, open_: str = "") -> GameFinding:
        """`good` is what was seen if nothing was wrong; `open_` is why the point was not tested, if it was not."""
        if point in self._wrong:
            match = _failing_match(*self._failing[point]) if point in self._failing else None
            return GameFinding(point, False, self._wrong[point], match)
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
                self._note(point, where, partial(test, setting, match, Random(seed)), (setting, match))

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
        with suppress(BaseException):  # the points say it, with the place
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
        return f"not tested, since `resample` gives nothing there: {', '.join(untested)}" if untested else ""

    def _note(
        self, point: str, where: str, test: Callable[[], Iterable[str]], match: tuple[GameSetting, Steps] | None = None
    ) -> None:
        """Note the first thing that is wrong, in the shortest match. A game that raises fails the point where it does.

        `match` is what the test looks at, if it is one match.
        """
        kept = self._failing.get(point)
        if point in self._wrong and (match is None or kept is None or len(match[1]) >= len(kept[1])):
            return
        self._tell((point, where, ""))
        try:
            wrong = next(iter(test()), None)
        except BaseException as error:  # the game's own code may fail in any way
            wrong = f"it raised {type(error).__name__}: {error}"
        if wrong is not None:
            self._wrong[point] = _with_advice(point, where, wrong)
            self._tell((point, where, wrong))
            if match is not None:
                self._failing[point] = match


def _failing_match(setting: GameSetting, match: Steps) -> Mapping[str, Any] | None:
    """A match in plain values; None if the game's own words fail."""
    game, luck, choices, words = setting.entry.game, list[Any](), list[Any](), list[str]()
    with suppress(Exception):
        for step in match:
            words += map(game.describe, step.events)
            if isinstance(step, LuckStep):
                luck.append((game.awaiting(step.before).label, step.drawn))  # type: ignore[union-attr] # it awaits luck
            else:
                choices += [(at, game.legal(step.before, at).index(it)) for at, it in step.choices.items()]
        options = msgspec.to_builtins(setting.options)
        return {"options": options, "seats": setting.seats, "luck": luck, "choices": choices, "words": words}
    return None
