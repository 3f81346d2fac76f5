"""Expectation propagation over a whole league, until nothing changes.

Every match sends each of its members a message, a Gaussian. What is known about a player is the prior times all its
messages. A sweep takes match after match: it divides out the match's messages, lets the match look at what is left (the
cavities), and puts its new messages in. At rest, all matches of one kind send the same message, so n of them are one
factor here, whose message counts n times.

Such a factor overshoots: each match corrects alone what all n correct together. 30,000 wins of one player against
another would then never settle, or settle in a wrong state. So each factor measures how much of its last change it
takes back, and shortens its step to the length at which it would have taken back nothing.

No cavity is improper. What a match says about performances (their difference is above, or within, the margin of a draw)
is log-concave, so no message has a negative precision, and no cavity has less precision than the prior.

Source: T. Minka, "Expectation Propagation for Approximate Bayesian Inference", UAI 2001. The length of the step is
Aitken's dynamic relaxation: B. Irons, R. Tuck, "A version of the Aitken accelerator for computer iteration", 1969.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

import msgspec

from tournaments.rating.contest import Contest, ResultCounts, ResultKind, result_counts
from tournaments.rating.drift import Drift
from tournaments.rating.gaussian import FLAT, MU, PRIOR, Gaussian, Rating, rating
from tournaments.rating.level import Level
from tournaments.rating.library import Factor, library_factor

TOLERANCE = 1e-5
"""The published ratings have settled when no mu or sigma changes by more than this, in this sweep or a later one."""

_MOST_SWEEPS = 500
"""A league needs 10 to 100. What has not settled by then is a gap that no match measures: one group of players never
lost to another, and matches that teach only one side push the two apart. The gap is left as wide as it is."""

_SHORTEST_STEP = 1 / 1024
_MOST_GROWTH = 3.0
"""A player's precision may become up to 4 times what it was, or a quarter of it, in one step."""
_MOST_SHRINKAGE = 0.75

Messages: TypeAlias = Mapping[ResultKind, Sequence[Gaussian]]


class Solution(msgspec.Struct, frozen=True):
    """A league in which nothing changes any more.

    Attributes:
        known: what is known about each player and pseudo-player, by name.
        messages: by kind, what each of its matches says about its members.
    """

    known: dict[str, Gaussian]
    messages: dict[ResultKind, list[Gaussian]]

    def ratings(self, players: Sequence[str]) -> dict[str, Rating]:
        """The rating of every player and pseudo-player, all shifted equally so that the mean of `players` is 25."""
        ratings = {name: rating(known) for name, known in self.known.items()}
        shift = MU - math.fsum(ratings[player].mu for player in players) / len(players)
        return {name: Rating(known.mu + shift, known.sigma) for name, known in ratings.items()}


def converged(contests: Sequence[Contest], players: Sequence[str], draw_probability: float) -> dict[str, Rating]:
    """The ratings of `players` and of all others in `contests` (the pseudo-players).

    They do not depend on the order of the contests or of the players, not even in the last bit.

    Args:
        contests: the matches.
        players: the players whose ratings have the mean 25; at least one.
        draw_probability: how often two equal teams draw, at least 0.001 and below 1.

    Raises:
        ValueError: a contest cannot be rated, `players` is empty or `draw_probability` out of range.
    """
    check(players, draw_probability)
    counts = result_counts(contests)
    factors = {kind: library_factor(kind, draw_probability) for kind in counts}
    listed = sorted(set(players))
    return solve(counts, factors, listed).ratings(listed)


def check(players: Sequence[str], draw_probability: float) -> None:
    """Refuse an empty list of players, and draws that are certain or impossible (a draw would overflow the floats).

    Raises:
        ValueError: with the reason.
    """
    if not players:
        raise ValueError("There is nobody to rate: the list of players is empty.")
    if not 0.001 <= draw_probability < 1:
        raise ValueError(f"The draw probability must be at least 0.001 and below 1, not {draw_probability}.")


def solve(
    counts: ResultCounts,
    factors: Mapping[ResultKind, Factor],
    players: Sequence[str],
    start: Messages | None = None,
    tolerance: float = TOLERANCE,
    expected: Mapping[str, float] | None = None,
) -> Solution:
    """Sweep until no mu and no sigma changes by `tolerance`, now or in sweeps to come.

    Args:
        counts: the league, its kinds in canonical order.
        factors: of every kind in `counts`.
        players: the players to be rated.
        start: messages to begin with; None for a cold start.
        tolerance: in points of rating.
        expected: by name, the mean of the prior if it is not a newcomer's; their average over `players` is 25.
    """
    names = sorted({*players, *(member.player for kind in counts for member in kind.members)})
    index = {name: at for at, name in enumerate(names)}
    begin = start or {}
    voices = [_Voice(kind, count, factors[kind], index, begin.get(kind)) for kind, count in counts.items()]
    level = Level(counts, players, names)
    prior = [(PRIOR[0], PRIOR[0] * (expected or {}).get(name, MU)) for name in names]
    known = _total(voices, prior)
    drift = Drift()
    for _ in range(_MOST_SWEEPS):
        before, known = known, _swept(voices, known, level, prior)
        drift.watch(before, known)
        if max(1.0, drift.ahead) * _change(before, known) < tolerance:
            break
        if leap := drift.leap():
            known = _shifted(voices, leap, prior)
    return Solution(dict(zip(names, known, strict=True)), {voice.kind: voice.messages for voice in voices})


class _Voice:
    """The message of all matches of one kind; each of them says the same."""

    def __init__(
        self, kind: ResultKind, count: int, factor: Factor, index: Mapping[str, int], start: Sequence[Gaussian] | None
    ) -> None:
        self.kind = kind
        self.count = count
        self.messages = list(start or [FLAT] * len(kind.members))
        self.seats = [index[member.player] for member in kind.members]
        self.learners = [at for at, member in enumerate(kind.members) if member.updated]
        self._factor = factor
        self._step = 1.0
        self._pull: list[float] = []

    def speak(self, known: list[Gaussian]) -> None:
        """Look at what is known without one of these matches. Update its messages, and `known` for all of them."""
        new = self._factor(self._cavities(known))
        changes = [(new[at][0] - self.messages[at][0], new[at][1] - self.messages[at][1]) for at in self.learners]
        step = self._stride(known, changes)
        for at, (pi, tau) in zip(self.learners, changes, strict=True):
            seat = self.seats[at]
            self.messages[at] = (self.messages[at][0] + step * pi, self.messages[at][1] + step * tau)
            by = step * self.count
            known[seat] = (known[seat][0] + by * pi, known[seat][1] + by * tau)

    def _cavities(self, known: Sequence[Gaussian]) -> list[Gaussian]:
        return [
            (known[seat][0] - pi, known[seat][1] - tau)
            for seat, (pi, tau) in zip(self.seats, self.messages, strict=True)
        ]

    def _stride(self, known: Sequence[Gaussian], changes: Sequence[Gaussian]) -> float:
        """The share of the changes to make. A single match has no others to overshoot with."""
        if self.count == 1:
            return 1.0
        pull, swell = self._weighed(known, changes)
        step = _relaxed(self._step, self._pull, pull)
        self._step = min(step, 1 / swell) if swell else step
        self._pull = pull
        return self._step

    def _weighed(self, known: Sequence[Gaussian], changes: Sequence[Gaussian]) -> tuple[list[float], float]:
        """What the full changes would do to each learner, as fractions of its precision and of its sigma.

        The second value says by what factor the worst change of a precision exceeds the limit.
        """
        pull: list[float] = []
        swell = 0.0
        for at, (pi, tau) in zip(self.learners, changes, strict=True):
            all_pi, all_tau = known[self.seats[at]]
            growth = self.count * pi / all_pi
            pull += (growth, self.count * (tau - all_tau / all_pi * pi) / math.sqrt(all_pi))
            swell = max(swell, growth / _MOST_GROWTH, -growth / _MOST_SHRINKAGE)
        return pull, swell

    def excess(self, means: Sequence[float]) -> Iterable[tuple[int, float]]:
        """By seat, how far these matches pull the common level. They do so only if some member does not learn."""
        if len(self.learners) < len(self.seats):
            for at in self.learners:
                pi, tau = self.messages[at]
                yield self.seats[at], self.count * (tau - pi * means[self.seats[at]])

    def shift(self, by: Sequence[float]) -> None:
        """Move every message along the scale, by seat."""
        self.messages = [(pi, tau + pi * by[seat]) for seat, (pi, tau) in zip(self.seats, self.messages, strict=True)]


def _relaxed(step: float, last: Sequence[float], pull: Sequence[float]) -> float:
    """The length of the next step. `last` was the full pull before the last step, `pull` is the full pull now.

    On a line the pull falls from `last` to `pull` over a length of `step`, and reaches 0 at step / (1 - pull / last).
    """
    size = sum(was * was for was in last)
    if not size:
        return step
    left = sum(is_ * was for is_, was in zip(pull, last, strict=True)) / size
    return 1.0 if left >= 1 else min(1.0, max(_SHORTEST_STEP, step / (1 - left)))


def _swept(
    voices: Sequence[_Voice], known: Sequence[Gaussian], level: Level, prior: Sequence[Gaussian]
) -> list[Gaussian]:
    """What is known after every voice has spoken once and the common level has been set."""
    working = list(known)
    for voice in voices:
        voice.speak(working)
    means = [tau / pi for pi, tau in working]
    excess = [0.0] * len(means)
    for voice in voices:
        for seat, pull in voice.excess(means):
            excess[seat] += pull
    return _shifted(voices, level.shifts(means, excess), prior)


def _shifted(voices: Sequence[_Voice], by: Sequence[float], prior: Sequence[Gaussian]) -> list[Gaussian]:
    """What is known after all messages have moved along the scale, by seat."""
    for voice in voices:
        voice.shift(by)
    return _total(voices, prior)


def _total(voices: Iterable[_Voice], prior: Iterable[Gaussian]) -> list[Gaussian]:
    """The prior times all messages. It is computed anew after each sweep, so that rounding errors do not pile up."""
    pis, taus = map(list, zip(*prior, strict=True))
    for voice in voices:
        for seat, (pi, tau) in zip(voice.seats, voice.messages, strict=True):
            pis[seat] += voice.count * pi
            taus[seat] += voice.count * tau
    return list(zip(pis, taus, strict=True))


def _change(before: Iterable[Gaussian], after: Iterable[Gaussian]) -> float:
    """The largest change of a mu or sigma."""
    pairs = [(rating(was), rating(is_)) for was, is_ in zip(before, after, strict=True)]
    return max(max(abs(was.mu - is_.mu), abs(was.sigma - is_.sigma)) for was, is_ in pairs)
