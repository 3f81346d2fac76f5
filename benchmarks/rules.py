"""How fast the rules are: decisions a CPU second in process, with the mover's legal actions and view at each of them.

Beside them runs a kernel in plain Python that never changes, so that figures of different machines can be compared.
"""

import time

from benchmarks.rows import Pair, Row, Target, paired_row, plain_row
from referee.core import seeds
from referee.core.game import AnyGame, Decide, Over
from referee.games.agent_avenue.game import AgentAvenue
from referee.match.match import draw

_ROUNDS = 7
_DEALS = 1_000
_DECISIONS = 100_000
_KERNEL_STEPS = 200_000
_TARGET = Target(first=150_000, then=430_000)
_NAME = "rules and mover's view, Agent Avenue simple: decisions / CPU s"


def rows() -> list[Row]:
    """The rate by itself, and over the kernel's."""
    pairs = [Pair(decision_rate(AgentAvenue(), _DECISIONS), kernel_rate(_KERNEL_STEPS)) for _ in range(_ROUNDS)]
    return [
        plain_row(_NAME, [pair.value for pair in pairs], "higher", _TARGET),
        paired_row(f"{_NAME}, over steps / CPU s of a fixed kernel", pairs, "higher"),
    ]


def decision_rate(game: AnyGame, decisions: int) -> float:
    """Decisions a CPU second of random two-player games.

    The luck of `_DEALS` deals is drawn before; legal actions are chosen by a linear congruential generator.
    """
    luck = _Luck(game)
    options = game.options_type()
    number, left = 1, decisions
    began = time.process_time()
    while left > 0:
        state, deal = game.setup(options, 2), luck.next_deal()
        while not isinstance(awaited := game.awaiting(state), Over):
            if isinstance(awaited, Decide):
                (seat,) = awaited.seats
                legal = game.legal(state, seat)
                game.view(state, seat)
                number = (number * 1_103_515_245 + 12_345) & 0x7FFF_FFFF
                state, _ = game.apply(state, {seat: legal[(number >> 8) % len(legal)]})
                left -= 1
            else:
                state, _ = game.luck(state, deal[awaited.label])
    return (decisions - left) / (time.process_time() - began)


class _Luck:
    """Draws made beforehand, deal after deal, over and over."""

    def __init__(self, game: AnyGame) -> None:
        seed = seeds.from_text("bench")
        self._deals = [self._draws(game, seeds.child(seed, str(deal))) for deal in range(_DEALS)]
        self._next = 0

    def next_deal(self) -> dict[str, tuple[int, ...]]:
        """What is drawn in the next deal, by label."""
        self._next = (self._next + 1) % _DEALS
        return self._deals[self._next]

    @staticmethod
    def _draws(game: AnyGame, deal_seed: bytes) -> dict[str, tuple[int, ...]]:
        """Everything that is drawn before the first decision, which in Agent Avenue is all there is."""
        draws: dict[str, tuple[int, ...]] = {}
        state = game.setup(game.options_type(), 2)
        while not isinstance(awaited := game.awaiting(state), Decide | Over):
            draws[awaited.label] = draw(deal_seed, awaited)
            state, _ = game.luck(state, draws[awaited.label])
        return draws


def kernel_rate(steps: int) -> float:
    """Steps a CPU second of the kernel: what rules in Python mostly do, on numbers without a meaning.

    A step takes an item out of a sorted tuple, puts another in, counts, looks up and calls. It must never be changed:
    all ratios to it would lose their meaning.
    """
    prices = {item: item * 7 % 11 - 5 for item in range(16)}
    held: tuple[int, ...] = (1, 3, 5, 7)
    score, number = 0, 1
    began = time.process_time()
    for _ in range(steps):
        number = (number * 1_103_515_245 + 12_345) & 0x7FFF_FFFF
        place = (number >> 8) % 4
        held = _exchanged(held, place, number % 16)
        score += prices[held[place]] * held.count(held[0])
    assert score  # the work was done
    return steps / (time.process_time() - began)


def _exchanged(held: tuple[int, ...], place: int, item: int) -> tuple[int, ...]:
    return tuple(sorted((*held[:place], *held[place + 1 :], item)))
