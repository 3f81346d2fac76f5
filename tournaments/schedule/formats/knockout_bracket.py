"""The bracket of a knock-out, as values."""

from typing import Literal, TypeAlias

import msgspec

Why: TypeAlias = Literal["score", "further", "seed", "walk-over", "changed"]
"""What decided who goes on. `score`: the round's deals. `further`: further deals. `seed`: all were equal.
`walk-over`: no more are there than may go on. `changed`: results that counted then; now others count."""


class Contestant(msgspec.Struct, frozen=True):
    """A bot in a round.

    Attributes:
        name: the name of the entry.
        seed: its seed, counted from 1.
        scores: its mean share of the round's matches, then of each further wave of its group; None where none counts.
            Empty if it has a bye.
        on: whether it goes on; in the final, whether it won.
    """

    name: str
    seed: int
    scores: tuple[float | None, ...]
    on: bool


class BracketGroup(msgspec.Struct, frozen=True):
    """Bots that meet.

    Attributes:
        contestants: the best first; those that have left the league last.
        advance: how many go on.
        why: what decided; None if nothing has yet.
    """

    contestants: tuple[Contestant, ...]
    advance: int
    why: Why | None


class BracketRound(msgspec.Struct, frozen=True):
    """A round.

    Attributes:
        groups: the groups, in the order of their best slots.
        byes: those who go on without playing, in the order of their slots.
    """

    groups: tuple[BracketGroup, ...]
    byes: tuple[Contestant, ...]


class Bracket(msgspec.Struct, frozen=True):
    """A knock-out so far.

    Attributes:
        rounds: the rounds that have begun.
        over: whether there will be no other wave.
        champion: the winner; None if it is not over, or no bot is left.
    """

    rounds: tuple[BracketRound, ...]
    over: bool
    champion: str | None
