"""What it costs to turn a decision into the bytes that are sent, compared with a step of the fixed kernel.

The decisions are those of random matches. As in a worker, others were encoded before them in the same process: what the
encoding keeps between matches has filled, and each decision is encoded once.
"""

import time
from collections.abc import Iterator
from random import Random

from benchmarks.rows import Pair, Row, paired_row
from benchmarks.rules import CASES, Case, kernel_rate
from referee.match.clock import Clock
from referee.match.conversation import Chosen, Ready
from referee.match.header import single
from referee.match.match import Ask, Match, Open
from referee.wire.codec import AnyCodec
from referee.wire.messages import decision
from referee.wire.registry import games

_WARM_UP = 20_000
_DECISIONS = 4_000
_ROUNDS = 7
_KERNEL_STEPS = 100_000


def rows() -> list[Row]:
    """A row for each game."""
    return [
        paired_row(f"encoding, {case.name}: CPU us / decision, over a step of a fixed kernel", _pairs(case), "lower")
        for case in CASES
    ]


def _pairs(case: Case) -> list[Pair]:
    codec = games()[case.game].codec
    asks = _asked(case)
    encoding_us(codec, asks, _WARM_UP)
    return [Pair(encoding_us(codec, asks, _DECISIONS), 1e6 / kernel_rate(_KERNEL_STEPS)) for _ in range(_ROUNDS)]


def encoding_us(codec: AnyCodec, asks: Iterator[Ask], decisions: int) -> float:
    """CPU microseconds per decision of encoding the next `decisions` of `asks`."""
    some = [next(asks) for _ in range(decisions)]
    began = time.process_time()
    for ask in some:
        decision(codec, ask)
    return (time.process_time() - began) * 1e6 / decisions


def _asked(case: Case) -> Iterator[Ask]:
    """The decisions of one random match after the other, without end."""
    rng, bots = Random(case.name), tuple(f"bot-{seat}@1" for seat in range(case.seats))
    game = games()[case.game].game
    options = game.options_type(**case.options)
    while True:
        match = Match(game, single(game, options, bots, str(rng.random())), Clock())
        for request in match:
            if isinstance(request, Ask):
                yield request
                match.reply(Chosen(rng.randrange(len(request.legal))))
            elif isinstance(request, Open):
                match.reply(Ready())
