"""What one seat is sent in a match with given luck and choices: every byte, by the real match and the real codec.

In every dialect: the protos, lines and flat.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from referee.core import seeds
from referee.core.game import AnyGame
from referee.core.outcome import Seat
from referee.match.conversation import Chosen, Ready
from referee.match.header import header
from referee.match.match import Ask, Match, Open
from referee.match.terms import Clock
from referee.match.transcript import Header
from referee.wire.codec import GameEntry
from referee.wire.dialects import DIALECTS
from tests.leaks.observing import asked
from tests.leaks.worlds import Course
from tests.leaks.wrapped import Arranged


def header_of(game: AnyGame, options: Any, seats: int) -> Header:
    """The header of all matches that are compared."""
    return header(
        game=game.name,
        rules_version=game.rules_version,
        options=msgspec.to_builtins(options),
        fixture=f"{game.name}/leaks",
        entries=("bot@1",) * seats,
        root=seeds.from_text("leaks"),
        deal=0,
    )


def sent(entry: GameEntry, options: Any, seats: int, course: Course, seat: Seat) -> list[bytes]:
    """The messages to `seat` until the last of the choices was made, and the one that it then gets, if it gets one."""
    match = Match(Arranged(entry.game, course.draws).rules, header_of(entry.game, options, seats), Clock())
    return list(_messages(entry, match, course.choices, seat))


def _messages(entry: GameEntry, match: Match, choices: Sequence[Mapping[Seat, Any]], seat: Seat) -> Iterator[bytes]:
    script = Script(entry.game, choices, seat)
    for request in match:
        if isinstance(request, Ask) and script.is_over(match.state):
            return
        if request.seat == seat:
            yield from (dialect.encode(entry.codec, match, request) for dialect in DIALECTS.values())
        if isinstance(request, Open):
            match.reply(Ready())
        elif isinstance(request, Ask):
            index = script.answer(request)
            if index is None:
                return
            match.reply(Chosen(index))


class Script:
    """The choices, in order, and after them one more question to `seat`. Several seats may be asked for one choice."""

    def __init__(self, game: AnyGame, choices: Sequence[Mapping[Seat, Any]], seat: Seat | None = None) -> None:
        self._game = game
        self._seat = seat
        self._choices = iter(choices)
        self._now: Mapping[Seat, Any] | None = {}
        self._left = set[Seat]()

    def is_over(self, state: Any) -> bool:
        """Whether all choices were made, and the seat is not asked next."""
        if not self._left:
            self._now = next(self._choices, None)
            self._left = set(asked(self._game, state))
        return self._now is None and self._seat not in self._left

    def answer(self, request: Ask) -> int | None:
        """The index of the choice. None if there is none, or if it is not legal, as the question has just shown."""
        self._left.discard(request.seat)
        if self._now is None:
            return None if request.seat == self._seat else 0
        action = self._now[request.seat]
        return request.legal.index(action) if action in request.legal else None
