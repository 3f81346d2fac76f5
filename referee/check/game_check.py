"""The check of a game: every point of the contract of games, in random matches of all its varieties.

Each point of the contract (`referee.core.game`) looks at a whole match, and says what is wrong. A package tests its
game with one import:

    from referee.check.game_check import require_sound_game

    def test_my_game() -> None:
        require_sound_game(my_game)
"""

import multiprocessing
import os
import resource
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice, product
from multiprocessing.connection import Connection
from random import Random
from typing import Any, NamedTuple, TypeAlias

import msgspec

from referee.check.fair_worlds import Ranks
from referee.check.hidden_information import differences, leaks, open_leaks, positions, world_of
from referee.check.random_play import ChoiceStep, LuckStep, anyhow, prolonging, walk
from referee.core.errors import UserError
from referee.core.game import MOST_DRAWN, AnyGame, Decide, Outlook, Over, Roll, Shuffle
from referee.core.outcome import FAULT, Outcome, first_places, misfits
from referee.core.text import several
from referee.match.match import Ask
from referee.runtime.child_process import serve
from referee.wire.codec import GameEntry
from referee.wire.json_codec import json_entry
from referee.wire.messages import MAX_REFEREE_MESSAGE_BYTES, decision

_MOST_LEGAL = 20
"""So many actions of a decision are put into words and read from their bytes: random matches have enough of them."""

_MOST_CHOICES = 1_000
"""So many varieties a game may have, and numbers of players for each. The check goes through all."""

_STEPS = 40
"""At most so many steps of a match are played in other worlds, spread over the match."""


class GameSetting(NamedTuple):
    """A game with options and a number of seats."""

    entry: GameEntry
    options: Any
    seats: int


Steps: TypeAlias = Sequence[LuckStep | ChoiceStep]
"""A whole match."""

Point: TypeAlias = Callable[[GameSetting, Steps, Random], Iterator[str]]
"""Looks at a match, and says what is wrong in words."""


def has_sound_facts(entry: GameEntry) -> Iterator[str]:
    """The facts that need no match."""
    game = entry.game
    if not game.options_type.__struct_config__.frozen:
        yield "options_type must be frozen"
    if FAULT in game.endings:
        yield f"no ending may have the name {FAULT!r}"
    if not 0.001 <= game.draw_probability < 1:
        yield f"draw_probability is {game.draw_probability}; it must be at least 0.001 and below 1"
    if len(set(game.varieties)) != len(game.varieties) or not 0 < len(game.varieties) <= _MOST_CHOICES:
        yield f"varieties must name at least one choice of options, at most {_MOST_CHOICES}, and none twice"
    for options in (game.options_type(), *game.varieties):
        if not 0 < len(game.seats(options)) <= _MOST_CHOICES:
            yield f"{options} fit no number of players, or more than {_MOST_CHOICES} numbers"
        if msgspec.convert(msgspec.to_builtins(options), game.options_type) != options:
            yield f"{options} are not the same when they are read from plain values"


def deals_sides_as_announced(setting: GameSetting, match: Steps, _rng: Random) -> Iterator[str]:
    """`sides` and `deals_sides` agree with the sides of the outcome."""
    game = setting.entry.game
    dealt = set(_outcome(setting, match).sides) != set(game.sides(setting.options, setting.seats))
    if dealt != game.deals_sides(setting.options):
        yield f"the sides of the outcome {'are not' if dealt else 'are'} those of `sides`, against `deals_sides`"


def outcome_fits(setting: GameSetting, match: Steps, _rng: Random) -> Iterator[str]:
    """The ending is one of the game's, everybody has a place, and the seats of a side share theirs."""
    yield from misfits(_outcome(setting, match), setting.seats, setting.entry.game.endings)


def outlook_fits(setting: GameSetting, match: Steps, _rng: Random) -> Iterator[str]:
    """The outlook, if the game has one, is a chance for each seat, and in the end says who is first."""
    game = setting.entry.game
    if not isinstance(game, Outlook):
        return
    for position in (match[0].before, *(step.after for step in match)):
        chances = game.outlook(position)
        if len(chances) != setting.seats or not all(0 <= chance <= 1 for chance in chances):
            yield f"the outlook must have a number from 0 to 1 for each of {setting.seats} seats, not {chances}"
    first = first_places(_outcome(setting, match))
    if chances != first:
        yield f"the outlook at the end must be {first}, not {chances}"


def loses_nothing(setting: GameSetting, match: Steps, _rng: Random) -> Iterator[str]:
    """`is_whole` holds everywhere."""
    for step in (match[0].before, *(step.after for step in match)):
        if not setting.entry.game.is_whole(step):
            yield f"is_whole is false in {step}"


def distinguishes_actions(setting: GameSetting, match: Steps, _rng: Random) -> Iterator[str]:
    """All legal actions of a seat differ on the wire."""
    game, codec = setting.entry.game, setting.entry.codec
    for step in match:
        awaited = game.awaiting(step.before)
        for seat in awaited.seats if isinstance(awaited, Decide) else ():
            legal = game.legal(step.before, seat)
            sent = [codec.action(action) for action in legal]
            if len(set(sent)) != len(sent):
                yield f"two legal actions of seat {seat} are equal on the wire"
            words = [game.describe_action(action) for action in legal[:_MOST_LEGAL]]
            if len(set(words)) != len(words):
                yield f"two legal actions of seat {seat} have the same words"


def names_draws(setting: GameSetting, match: Steps, _rng: Random) -> Iterator[str]:
    """No two draws have one label."""
    awaited = [setting.entry.game.awaiting(step.before) for step in match]
    draws = [draw for draw in awaited if isinstance(draw, Shuffle | Roll)]
    labels = [draw.label for draw in draws]
    if any(draw.count > MOST_DRAWN for draw in draws):
        yield f"a draw has more than {MOST_DRAWN} numbers"
    if len(set(labels)) != len(labels):
        twice = next(label for label in labels if labels.count(label) > 1)
        yield f"two draws of the match have the label {twice!r}, so they draw the same numbers"


def is_pure(setting: GameSetting, match: Steps, _rng: Random) -> Iterator[str]:
    """The same luck and choices give the same positions, events, views and actions, and change no value."""
    game = setting.entry.game
    state = game.setup(setting.options, setting.seats)
    for step in match:
        if state != step.before:
            yield "a position changed after it was made, or the same luck and choices lead to another one"
            return
        awaited = game.awaiting(state)
        once, twice = (_looked_at(setting, state, step.events) for _ in range(2))
        if once != twice:
            yield "a view, an action, words or what is heard or awaited differs when it is asked for again"
        # Not in the order of the choices, which no answer may depend on.
        state, events = (
            game.luck(state, step.drawn)
            if isinstance(step, LuckStep)
            else game.apply(state, dict(sorted(step.choices.items(), reverse=True)))
        )
        if events != step.events:
            yield f"the same {'choices' if isinstance(awaited, Decide) else 'luck'} give other events"


def _looked_at(setting: GameSetting, state: Any, events: tuple[Any, ...]) -> tuple[Any, ...]:
    game, options, seats = setting.entry.game, setting.options, range(setting.seats)
    awaited = game.awaiting(state)
    views = [game.view(state, seat) for seat in seats]
    legal = [game.legal(state, seat) for seat in (awaited.seats if isinstance(awaited, Decide) else ())]
    event_views = [[game.heard(event, seat) for event in events] for seat in seats]
    words = [*map(game.describe, events), *map(game.describe_view, views)]
    action_texts = [game.describe_action(action) for actions in legal for action in actions[:_MOST_LEGAL]]
    facts = game.seats(options), game.sides(options, setting.seats), game.deals_sides(options), game.is_whole(state)
    return awaited, views, legal, event_views, words, action_texts, facts


def has_words(setting: GameSetting, match: Steps, _rng: Random) -> Iterator[str]:
    """Every event, view and action has words."""
    game = setting.entry.game
    for step in match:
        parts = [game.heard(event, seat) for event in step.events for seat in range(setting.seats)]
        texts = {"an event": [game.describe(event) for event in (*step.events, *parts) if event is not None]}
        texts["a view"] = [game.describe_view(game.view(step.after, seat)) for seat in range(setting.seats)]
        texts["an action"] = [game.describe_action(action) for action in _actions(setting, step)]
        for what, words in texts.items():
            if not all(each.strip() for each in words):
                yield f"the words for {what} are empty"


def has_messages(setting: GameSetting, match: Steps, _rng: Random) -> Iterator[str]:
    """Every value can be sent, and is the same when it is read."""
    game, codec, reader = setting.entry.game, setting.entry.codec, setting.entry.reader
    if reader is None:
        return
    read: list[tuple[str, Any, Callable[[Any], bytes], Callable[[bytes], Any]]] = [
        ("options", setting.options, codec.options, reader.options)
    ]
    for step in match:
        parts = (game.heard(event, seat) for event in step.events for seat in range(setting.seats))
        read += [("an event", each, codec.event, reader.event) for each in parts if each is not None]
        read += [("an action", each, codec.action, reader.action) for each in _actions(setting, step)]
        if isinstance(step, ChoiceStep):
            for at in step.choices:
                read.append(("a view", view := game.view(step.before, at), codec.view, reader.view))
                decision(codec, Ask(at, 1, view, game.legal(step.before, at), (), 0))  # no longer than bots must read
    for what, value, encode, decode in read:
        yield from _message(what, value, encode(value), decode)


def _message(kind: str, value: Any, sent: bytes, decode: Callable[[bytes], Any]) -> Iterator[str]:
    if kind in ("an event", "an action"):
        hash(value)  # the referee caches their bytes
    if len(sent) > MAX_REFEREE_MESSAGE_BYTES // 2:
        yield f"{kind} has {len(sent)} bytes; a whole message may have {MAX_REFEREE_MESSAGE_BYTES}"
    if (again := decode(sent)) != value:
        yield f"{kind} is another one when its message is read: {value} became {again}"


def makes_fair_worlds(setting: GameSetting, match: Steps, rng: Random) -> Iterator[str]:
    """`resample` keeps what a seat knows, and depends on nothing else; `reconstruct` fits what the seat was told."""
    game = setting.entry.game
    for number, position in enumerate(positions(game, setting.options, setting.seats, anyhow, rng)):
        if number % (1 + len(match) // _STEPS) == 0 and not isinstance(game.awaiting(position.state), Over):
            for seat in range(setting.seats):
                yield from (f"seat {seat}: {each}" for each in differences(game, position, seat, rng))


def hides(setting: GameSetting, match: Steps, rng: Random) -> Iterator[str]:
    """No seat is sent anything that depends on what it cannot know."""
    for step in match[:: 1 + len(match) // _STEPS]:
        yield from leaks(setting.entry, step, setting.seats, rng)
    yield from open_leaks(setting.entry, match, setting.seats, rng)


def _actions(setting: GameSetting, step: LuckStep | ChoiceStep) -> list[Any]:
    """The legal actions at a step, or the first of them."""
    if not isinstance(step, ChoiceStep):
        return []
    return [action for seat in step.choices for action in setting.entry.game.legal(step.before, seat)[:_MOST_LEGAL]]


def _outcome(setting: GameSetting, match: Steps) -> Outcome:
    over = setting.entry.game.awaiting(match[-1].after)
    if not isinstance(over, Over):
        raise TypeError("the match is not over")
    return over.outcome


MESSAGES = "every message is read as it was written"

POINTS: Mapping[str, Point] = {
    "it is pure: the same luck and choices give the same, and no value ever changes": is_pure,
    "no two legal actions of a seat are equal": distinguishes_actions,
    "no two draws of a match have the same label": names_draws,
    "the ending is one of the game's, and places, sides and scores agree": outcome_fits,
    "the outlook, if there is one, is a chance for each seat (outlook)": outlook_fits,
    "it says whether sides are dealt": deals_sides_as_announced,
    "nothing is lost and nothing is there twice (is_whole)": loses_nothing,
    "everything has words": has_words,
    MESSAGES: has_messages,
}
"""By what a game must do, what looks at it."""

POINTS_OF_WORLDS: Mapping[str, Point] = {
    "other worlds keep what a seat knows, and follow from it alone (resample, reconstruct)": makes_fair_worlds,
    "no seat is sent what it cannot know: views, events, actions, their order, words": hides,
}
"""The same, for a game with `resample`."""


MATCHES = 10
"""The number of matches with each choice of options and each number of players."""

LIMIT_S = 60.0
"""So long may the test of a point in a match take, in seconds."""

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
        while ours.poll(LIMIT_S):
            found = ours.recv()
            if isinstance(found, UserError):
                raise found
            if isinstance(found, list):
                return tuple(found)
            point, where, what = found
            wrong |= {point: _with_advice(point, where, what)} if what else {}
        ended = f"it took more than {LIMIT_S:.0f} s"
    except EOFError:
        process.join()
        ended = f"it ended the process (exit code {process.exitcode})"
    finally:
        process.kill()
        process.join()
    wrong.setdefault(point, _with_advice(point, where, ended))
    open_ = f"not tested to the end: {ended}"
    return tuple(GameFinding(each, False if each in wrong else None, wrong.get(each, open_)) for each in _ALL)


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
