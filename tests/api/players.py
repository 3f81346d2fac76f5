"""Players of matches in this process."""

from collections.abc import Callable, Iterable
from random import Random

import referee


def anyhow(decision: referee.Decision) -> int:
    """Any legal action, drawn from the seat's own seed."""
    return Random(decision.seed + bytes([decision.number])).randrange(len(decision.legal))


def scripted(choices: Iterable[int]) -> Callable[[referee.Decision], int]:
    """A player that chooses these indices, one after the other."""
    left = iter(choices)
    return lambda _decision: next(left)


def any_match(game: str) -> referee.LocalMatch:
    """A match of that game with its default options and as few players as possible."""
    return referee.play(game, [anyhow] * min(referee.game(game).seats_with({})), seed="7")
