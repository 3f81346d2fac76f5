"""What one seat is sent in a match with given luck and choices: every byte, by the real match and the real codec."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from referee.core import seeds
from referee.core.game import AnyGame
from referee.core.outcome import Seat
from referee.match.clock import Clock
from referee.match.conversation import Chosen, Ready
from referee.match.header import header
from referee.match.match import Ask, Match, Open
from referee.match.transcript import Header
from referee.wire.codec import GameEntry
from referee.wire.messages import encode
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


def _messages(
    entry: GameEntry, match: Match, choices: Sequence[Mapping[Seat, Any]], seat: Seat
) -> Iterator[bytes]:
    made, rest = 0, set[Seat]()
    for request in match:
        if isinstance(request, Ask) and not rest:
            rest = set(asked(entry.game, match.state))
            made += 1
            if made > len(choices) and seat not in rest:
                return
        if request.seat == seat:
            yield encode(entry.codec, match, request)
        if isinstance(request, Ask):
            rest.discard(request.seat)
            if made > len(choices):
                if request.seat == seat:
                    return
                match.reply(Chosen(0))
                continue
            action = choices[made - 1][request.seat]
            if action not in request.legal:  # the list of legal actions, which was just sent, tells the difference
                return
            match.reply(Chosen(request.legal.index(action)))
        elif isinstance(request, Open):
            match.reply(Ready())
