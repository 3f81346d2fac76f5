"""The search for the shortest match to every ending, over many seeds and manners of playing."""

from collections.abc import Iterator
from functools import cache, partial
from random import Random
from typing import Any

from msgspec.structs import replace

from referee.check.random_play import Choose
from referee.core import seeds
from referee.core.game import AnyGame, Decide, Over
from referee.core.outcome import FAULT
from referee.match.match import Ask, Match
from tests.games.kits import KITS
from tests.golden.playthrough import Played, play
from tests.golden.tables import Golden

MANNERS = ("anyhow", "prolonging")
"""How the seats choose: any legal action, all equally likely; or the same, but without ending the match where they can
avoid it, which leads to rare endings. The `seekers` of a game's kit are further manners of that game, by name."""

_FAULT_AT = 3


class NotReached(Exception):
    """No seed that was tried leads to the wanted ending."""


def shortest_that_ends_so(golden: Golden) -> Played:
    """The shortest playthrough to its ending, among all seeds that are tried. Among equals, the first.

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
def _shortest(golden: Golden) -> dict[str, Played]:
    """By ending, the shortest playthrough at a table. For a fault, the first seed that lasts long enough."""
    shortest: dict[str, Played] = {}
    for seed in range(golden.table.seeds):
        if FAULT in shortest:
            break
        for played in _played(golden, str(seed)):
            if played.ending not in shortest or played.lines < shortest[played.ending].lines:
                shortest[played.ending] = played
    return shortest


def _played(golden: Golden, seed: str) -> Iterator[Played]:
    """The matches of one seed, one in each manner."""
    for manner in (*MANNERS, *_seekers(golden.game)):
        yield play(golden, seed, manner, partial(_index, golden, manner))


def _seekers(game: str) -> dict[str, Choose]:
    return {seeker.__name__: seeker for seeker in KITS[game].seekers}


def _index(golden: Golden, manner: str, match: Match, ask: Ask) -> int:
    """The index of the answer. For a fault it is one too high, and so not legal."""
    if golden.ending == FAULT and ask.number == _FAULT_AT:
        return len(ask.legal)
    return _preferred(golden.rules, match, ask, manner)


def _preferred(game: AnyGame, match: Match, ask: Ask, manner: str) -> int:
    """The first action in an order drawn from the seat's own seed. `prolonging`: the first that does not end the match.

    A seeker chooses by itself, with random numbers from the same seed.
    """
    seed = seeds.child(bytes.fromhex(match.header.bot_seeds[ask.seat]), str(ask.number))
    if seeker := _seekers(game.name).get(manner):
        return ask.legal.index(seeker(game, match.state, (ask.seat,), Random(seed))[ask.seat])
    order = seeds.permutation(seed, len(ask.legal))
    if manner == "prolonging":
        return next((index for index in order if not _ends(game, match, ask, index)), order[0])
    return order[0]


def _ends(game: AnyGame, match: Match, ask: Ask, index: int) -> bool:
    """Whether this choice of all seats ends the match, at once or after every possible next choice.

    In a sealed decision, nobody knows more than their own choice.
    """
    awaited, choice = game.awaiting(match.state), ask.legal[index]
    if not isinstance(awaited, Decide) or any(choice not in game.legal(match.state, seat) for seat in awaited.seats):
        return False
    after, _ = game.apply(match.state, dict.fromkeys(awaited.seats, choice))
    return _is_over(game, after) or _must_end(game, after)


def _must_end(game: AnyGame, state: Any) -> bool:
    """Whether every next choice ends the match."""
    awaited = game.awaiting(state)
    if not isinstance(awaited, Decide):
        return False
    legal = game.legal(state, awaited.seats[0])
    if any(game.legal(state, seat) != legal for seat in awaited.seats):
        return False
    return all(_is_over(game, game.apply(state, dict.fromkeys(awaited.seats, choice))[0]) for choice in legal)


def _is_over(game: AnyGame, state: Any) -> bool:
    return isinstance(game.awaiting(state), Over)
