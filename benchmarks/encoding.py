"""What it costs to turn matches into the bytes that are sent, compared with a step of the fixed kernel.

The matches are random, and each is encoded once, with its starts and ends. As in a worker, others were encoded before
it in the same process, so that what the encoding keeps is there.
"""

import time
from collections.abc import Iterator
from random import Random

from benchmarks.kernel import kernel_rate
from benchmarks.rows import Pair, Row, Target, paired_row
from benchmarks.rules import CASES, Case
from referee.match.conversation import Chosen, Ready
from referee.match.header import single
from referee.match.match import Ask, Match, Open, Request
from referee.match.terms import Clock
from referee.wire.codec import AnyCodec
from referee.wire.dialects import GRPC, Dialect
from referee.wire.registry import games

_WARM_UP = 20_000
_DECISIONS = 5_000
_ROUNDS = 9
_KERNEL_STEPS = 100_000

_BEFORE = {
    "Agent Avenue simple": 16.6,
    "Agent Avenue advanced": 22.5,
    "Inside Job, 4 players": 22.8,
    "Agonía, 3 players": 49.8,
}
"""Steps of the kernel that a decision cost before anything was encoded by hand. The first target is seven
tenths of that, the next is what a trial reached: 7 us instead of 13."""


def rows() -> list[Row]:
    """A row for each game."""
    return [
        paired_row(
            f"encoding, {case.name}: CPU us / decision, over a step of a fixed kernel", _pairs(case), "lower", target
        )
        for case in CASES
        for target in [_target(_BEFORE[case.name])]
    ]


def _target(before: float) -> Target:
    return Target(first=round(0.7 * before, 1), then=round(7 / 13 * before, 1))


def _pairs(case: Case) -> list[Pair]:
    codec, matches = games()[case.game].codec, matches_of(case)
    encoding_us(codec, matches, _WARM_UP)
    return [Pair(encoding_us(codec, matches, _DECISIONS), 1e6 / kernel_rate(_KERNEL_STEPS)) for _ in range(_ROUNDS)]


def encoding_us(
    codec: AnyCodec, matches: Iterator[tuple[Match, list[Request]]], decisions: int, dialect: Dialect = GRPC
) -> float:
    """CPU microseconds per decision of encoding the next of `matches`, until there were that many decisions."""
    encoded, seconds = 0, 0.0
    while encoded < decisions:
        match, requests = next(matches)
        began = time.process_time()
        for request in requests:
            dialect.encode(codec, match, request)
        seconds += time.process_time() - began
        encoded += sum(isinstance(request, Ask) for request in requests)
    return seconds * 1e6 / encoded


def matches_of(case: Case) -> Iterator[tuple[Match, list[Request]]]:
    """One random match after the other, without end, each with all its requests."""
    rng, bots = Random(case.name), tuple(f"bot-{seat}@1" for seat in range(case.seats))
    game = games()[case.game].game
    options = game.options_type(**case.options)
    while True:
        match = Match(game, single(game, options, bots, str(rng.random())), Clock())
        yield match, list(_requests(match, rng))


def _requests(match: Match, rng: Random) -> Iterator[Request]:
    for request in match:
        yield request
        if isinstance(request, Ask):
            match.reply(Chosen(rng.randrange(len(request.legal))))
        elif isinstance(request, Open):
            match.reply(Ready())
