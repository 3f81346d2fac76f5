"""Random matches of every game, as requests to be encoded."""

from collections.abc import Iterator
from random import Random
from typing import Any

from referee.match.conversation import Chosen, Ready
from referee.match.header import single
from referee.match.match import Ask, Match, Open, Request
from referee.match.terms import Clock
from referee.wire.registry import games

CLOCK = Clock(move_ms=700, bank_ms=5_000, increment_ms=20)


def random_match(game: str, options: Any, seats: int, seed: str) -> Iterator[tuple[Match, Request]]:
    """Every request of a match in which each choice is even over the legal actions and takes some time."""
    rng, rules = Random(seed), games()[game].game
    match = Match(rules, single(rules, options, tuple(f"bot-{seat}@1" for seat in range(seats)), seed), CLOCK)
    for request in match:
        yield match, request
        if isinstance(request, Ask):
            match.reply(Chosen(rng.randrange(len(request.legal))), rng.randrange(100_000))
        elif isinstance(request, Open):
            match.reply(Ready())
