"""Whole matches that end in a wanted way, played in process by the real `Match` from a seed."""

from functools import cache
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.core import seeds
from referee.core.game import AnyGame, Decide, Over
from referee.core.outcome import FAULT
from referee.match.clock import Clock
from referee.match.conversation import Answer, Chosen, Question, Ready, Reply
from referee.match.header import header
from referee.match.match import Ask, Match, Open, Request
from tests.games.kits import KITS
from tests.games.walks import Choose
from tests.golden.tables import Golden
from tests.golden.teller import Teller

MANNERS = ("anyhow", "prolonging")
"""How the seats choose: evenly among what is legal; or so, but ending the match only where they must, which leads to
endings that are rare otherwise. What a game's kit calls `seekers` are further manners of that game, by their names."""

_FAULT_AT = 3
_THINKING_US = 1_000


class NotReached(Exception):
    """No seed that was tried leads to the wanted ending."""


def shortest_that_ends_so(golden: Golden) -> str:
    """The shortest playthrough to its ending, of all the seeds that are tried; of equal ones the first.

    Raises:
        NotReached: there is none.
    """
    shortest = _shortest(golden) if golden.ending == FAULT else _shortest(replace(golden, ending=""))
    if golden.ending not in shortest:
        raise NotReached(
            f"no seed below {golden.table.seeds} leads to {golden}; a manner of playing is needed that does"
        )
    return shortest[golden.ending]


@cache
def _shortest(golden: Golden) -> dict[str, str]:
    """By ending, the shortest playthrough at a table; to a fault, of the first seed that lasts long enough for it."""
    shortest: dict[str, str] = {}
    for seed in range(golden.table.seeds):
        if FAULT in shortest:
            break
        for manner in (*MANNERS, *_seekers(golden.game)):
            ending, text = play(golden, manner, str(seed))
            if ending not in shortest or text.count("\n") < shortest[ending].count("\n"):
                shortest[ending] = text
    return shortest


def _seekers(game: str) -> dict[str, Choose]:
    return {seeker.__name__: seeker for seeker in KITS[game].seekers}


def play(golden: Golden, manner: str, seed: str) -> tuple[str, str]:
    """How a match ends, and the text of it."""
    match = _match(golden, manner, seed)
    teller = Teller(golden.rules, match, f"seed {seed}, played {manner}")
    for request in match:
        reply = _reply(golden, match, request, manner)
        teller.before(request, reply)
        match.reply(reply, _THINKING_US)
        teller.after()
    transcript = match.transcript()
    return transcript.record.outcome.ending, teller.text(transcript)


def _match(golden: Golden, manner: str, seed: str) -> Match:
    game, table = golden.rules, golden.table
    of_the_match = header(
        game=game.name,
        rules_version=game.rules_version,
        options=msgspec.to_builtins(table.options),
        fixture=f"{game.name}/{table.name}/golden/seed-{seed}",
        entries=tuple(f"{manner}-{seat}@1" for seat in range(table.seats)),
        root=seeds.from_text(seed),
        deal=0,
    )
    return Match(game, of_the_match, Clock())


def _reply(golden: Golden, match: Match, request: Request, manner: str) -> Reply | None:
    if isinstance(request, Open):
        return Ready()
    if not isinstance(request, Ask):
        return None
    if golden.ending == FAULT and request.number == _FAULT_AT:
        # One more than there is: an index that is not legal.
        question = Question(request.number, len(request.legal))
        return question.judge(Answer(request.number, len(request.legal)))
    return Chosen(_preferred(golden.rules, match, request, manner))


def _preferred(game: AnyGame, match: Match, ask: Ask, manner: str) -> int:
    """The first in an order drawn from the seat's own seed; in the second manner, the first that does not end it.

    A seeker chooses by itself, with chance from the same seed.
    """
    seed = seeds.child(bytes.fromhex(match.header.bot_seeds[ask.seat]), str(ask.number))
    if seeker := _seekers(game.name).get(manner):
        return ask.legal.index(seeker(game, match.state, (ask.seat,), Random(seed))[ask.seat])
    order = seeds.permutation(seed, len(ask.legal))
    if manner == "prolonging":
        return next((index for index in order if not _ends(game, match, ask, index)), order[0])
    return order[0]


def _ends(game: AnyGame, match: Match, ask: Ask, index: int) -> bool:
    """Whether the match ends, now or whatever is chosen next, if all who are asked choose this.

    Of a sealed decision nobody knows more than the own choice.
    """
    awaited, choice = game.awaiting(match.state), ask.legal[index]
    if not isinstance(awaited, Decide) or any(choice not in game.legal(match.state, seat) for seat in awaited.seats):
        return False
    after, _ = game.apply(match.state, dict.fromkeys(awaited.seats, choice))
    return _is_over(game, after) or _must_end(game, after)


def _must_end(game: AnyGame, state: Any) -> bool:
    """Whether whatever is chosen next ends the match."""
    awaited = game.awaiting(state)
    if not isinstance(awaited, Decide):
        return False
    legal = game.legal(state, awaited.seats[0])
    if any(game.legal(state, seat) != legal for seat in awaited.seats):
        return False
    return all(_is_over(game, game.apply(state, dict.fromkeys(awaited.seats, choice))[0]) for choice in legal)


def _is_over(game: AnyGame, state: Any) -> bool:
    return isinstance(game.awaiting(state), Over)
