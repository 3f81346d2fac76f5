"""The luck of matches that are played without a referee."""

from referee.core import seeds
from referee.core.game import Roll, Shuffle


def draw(awaited: Shuffle | Roll, seed: bytes) -> tuple[int, ...]:
    """The luck that a game asks for."""
    if isinstance(awaited, Shuffle):
        return seeds.permutation(seed, awaited.count)
    return seeds.rolls(seed, awaited.faces, awaited.count)
