"""How fast the rules are: decisions per CPU second in process, each with the mover's legal actions and view.

A fixed kernel in plain Python is measured beside them, so that figures from different machines can be compared.
"""

import time
from functools import cache
from itertools import cycle
from typing import Any, NamedTuple

from benchmarks.kernel import kernel_rate
from benchmarks.rows import Pair, Row, Target, paired_row, plain_row
from referee.core import seeds
from referee.core.game import Decide, Over, Roll, Shuffle
from referee.match.match import draw
from referee.wire.registry import games

_ROUNDS = 7
_DRAWS = 1_000
_DECISIONS = 100_000
_KERNEL_STEPS = 200_000


class Case(NamedTuple):
    """A game as it is measured.

    Attributes:
        name: for people.
        game: its name.
        options: what differs from the defaults.
        seats: how many players.
        target: decisions over steps of the kernel; None if there is no such target.
    """

    name: str
    game: str
    options: dict[str, Any]
    seats: int
    target: Target | None


CASES = (
    Case("Agent Avenue simple", "agent-avenue", {}, 2, Target(first=0.125, then=0.15)),
    Case("Agent Avenue advanced", "agent-avenue", {"mode": "advanced"}, 2, None),
    Case("Inside Job, 4 players", "inside-job", {}, 4, Target(first=0.098, then=0.11)),
    Case("Agonía, 3 players", "agonia", {}, 3, Target(first=0.023, then=0.028)),
)


def rows() -> list[Row]:
    """The rate of every game by itself, and over the kernel's."""
    return [row for case in CASES for row in _rows(case)]


def _rows(case: Case) -> list[Row]:
    name = f"rules and mover's view, {case.name}: decisions / CPU s"
    pairs = [Pair(decision_rate(case, _DECISIONS), kernel_rate(_KERNEL_STEPS)) for _ in range(_ROUNDS)]
    return [
        plain_row(name, [pair.value for pair in pairs], "higher"),
        paired_row(f"{name}, over steps / CPU s of a fixed kernel", pairs, "higher", case.target),
    ]


def decision_rate(case: Case, decisions: int) -> float:
    """Decisions a CPU second of random games.

    Their luck is drawn only once; legal actions are chosen by a linear congruential generator.
    """
    game = games()[case.game].game
    options = game.options_type(**case.options)
    luck = _Luck()
    number, left = 1, decisions
    began = time.process_time()
    while left > 0:
        state = game.setup(options, case.seats)
        while not isinstance(awaited := game.awaiting(state), Over):
            if isinstance(awaited, Decide):
                choices = {}
                for seat in awaited.seats:
                    legal = game.legal(state, seat)
                    game.view(state, seat)
                    number = (number * 1_103_515_245 + 12_345) & 0x7FFF_FFFF
                    choices[seat] = legal[(number >> 8) % len(legal)]
                    left -= 1
                state, _ = game.apply(state, choices)
            else:
                state, _ = game.luck(state, luck.next(awaited))
    return (decisions - left) / (time.process_time() - began)


class _Luck:
    """Draws of every kind, handed out over and over."""

    def __init__(self) -> None:
        self._left: dict[tuple[int, ...], cycle[tuple[int, ...]]] = {}

    def next(self, wanted: Shuffle | Roll) -> tuple[int, ...]:
        """The next draw of this kind."""
        kind = (wanted.count,) if isinstance(wanted, Shuffle) else (wanted.faces, wanted.count)
        if kind not in self._left:
            self._left[kind] = cycle(_draws(*kind))
        return next(self._left[kind])


@cache
def _draws(*kind: int) -> list[tuple[int, ...]]:
    """Draws of one kind, made for the first round, so that the median of all rounds has no part of them."""
    seed = seeds.from_text("bench")
    wanted = Shuffle("", *kind) if len(kind) == 1 else Roll("", *kind)
    return [draw(seeds.child(seed, str(number)), wanted) for number in range(_DRAWS)]
