"""What it costs to turn matches into the bytes that are sent, compared with a step of the fixed kernel.

The matches are random, and each is encoded once, with its starts and ends. As in a worker, others were encoded before
it in the same process, so that what the encoding keeps is there.
"""

import time
from collections.abc import Iterator
from itertools import islice
from random import Random

from benchmarks.rows import Pair, Row, paired_row
from benchmarks.rules import CASES, Case, kernel_rate
from referee.match.clock import Clock
from referee.match.conversation import Chosen, Ready
from referee.match.header import single
from referee.match.match import Ask, Match, Open, Request
from referee.wire.codec import AnyCodec
from referee.wire.messages import encode
from referee.wire.registry import games

_WARM_UP = 50_000
_REQUESTS = 5_000
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
    sent = _sent(case)
    encoding_us(codec, sent, _WARM_UP)
    return [Pair(encoding_us(codec, sent, _REQUESTS), 1e6 / kernel_rate(_KERNEL_STEPS)) for _ in range(_ROUNDS)]


def encoding_us(codec: AnyCodec, sent: Iterator[tuple[Match, Request]], requests: int) -> float:
    """CPU microseconds per decision of encoding the next `requests` of `sent`."""
    some = list(islice(sent, requests))
    decisions = sum(isinstance(request, Ask) for _, request in some)
    began = time.process_time()
    for match, request in some:
        encode(codec, match, request)
    return (time.process_time() - began) * 1e6 / decisions


def _sent(case: Case) -> Iterator[tuple[Match, Request]]:
    """The requests of one random match after the other, without end."""
    rng, bots = Random(case.name), tuple(f"bot-{seat}@1" for seat in range(case.seats))
    game = games()[case.game].game
    options = game.options_type(**case.options)
    while True:
        match = Match(game, single(game, options, bots, str(rng.random())), Clock())
        for request in match:
            yield match, request
            if isinstance(request, Ask):
                match.reply(Chosen(rng.randrange(len(request.legal))))
            elif isinstance(request, Open):
                match.reply(Ready())
