"""Whether a node is quick enough for a league's clock, by what it measured of itself. Nothing is measured here."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from referee.match.terms import MARGIN_MS, Clock

_ANSWER_SHARE = 20
"""The way to a bot and back may take this part of the time for a decision, where that is more than the margin."""

_START_SHARE = 2
"""A bot that does nothing may take this part of the time for a start."""


class SpeedMeasurement(msgspec.Struct, frozen=True):
    """How quick a node found itself.

    Attributes:
        start_ms: how long a bot that does nothing took until it could be called.
        echo_ms: how long it took to answer: nine of ten answers took no longer.
        late_ms: how late timers of the node were meanwhile: nine of ten were no later.
        load: how many threads wanted a core over the last minute, as the kernel counts (getloadavg(3)).
    """

    start_ms: float
    echo_ms: float
    late_ms: float
    load: float


class SpeedLimits(NamedTuple):
    """How long things may take on a node that do not depend on the bots that play, in milliseconds."""

    answer_ms: float
    start_ms: float


def limits(clocks: Sequence[Clock]) -> SpeedLimits:
    """The limits for a league whose bots have these clocks. There must be one at least.

    Half of the margin is never charged to a bot. Beyond that a bot pays for the way, so it must be short beside the
    time for a decision. A bank pays for the way at each decision, so there the margin alone counts.
    """
    shortest_ms = min(0 if clock.bank_ms else clock.move_ms for clock in clocks)
    answer_ms = max(MARGIN_MS / 2, shortest_ms / _ANSWER_SHARE)
    return SpeedLimits(answer_ms, min(clock.start_ms for clock in clocks) / _START_SHARE)


def too_slow(measured: SpeedMeasurement, limits: SpeedLimits) -> str | None:
    """Why a node is too slow, in words that go after "it"; None if it is quick enough."""
    if measured.start_ms > limits.start_ms:
        return _slow("took", measured.start_ms, "to start a bot that does nothing", limits.start_ms)
    if measured.echo_ms > limits.answer_ms:
        return _slow("took", measured.echo_ms, "for an answer without thought", limits.answer_ms)
    if measured.late_ms > limits.answer_ms:
        return _slow("was", measured.late_ms, "late for its own timers", limits.answer_ms)
    return None


def _slow(verb: str, took_ms: float, phrase: str, most_ms: float) -> str:
    return f"{verb} {took_ms:,.0f} ms {phrase}; for the league's clock it may be {most_ms:,.0f}"
