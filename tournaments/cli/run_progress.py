"""The progress of a run, in numbers and words: matches done, speed, time left, and the bot that is ahead."""

import time
from collections import Counter, defaultdict
from collections.abc import Callable

from referee.core.text import several
from tournaments.league.model import FinishedMatch, outcome_of
from tournaments.rating.sides import result, teams
from tournaments.schedule.formats.plan import Plan
from tournaments.schedule.league_state import LeagueVerdict

_POINTS = {"win": 1.0, "draw": 0.5, "loss": 0.0}
_MINUTE_S, _HOUR_S, _DAY_S = 60, 3_600, 86_400


class RunProgress:
    """A run in progress.

    Attributes:
        planned: how many matches the waves so far have.
        done: how many of them need not be played any more.
        faults: how many matches of this run were cut short by a fault.
    """

    def __init__(
        self, verdict: LeagueVerdict, plan: Plan, *, by_results: bool, now: Callable[[], float] = time.monotonic
    ) -> None:
        """Begin now.

        Args:
            verdict: on the league so far.
            plan: its waves, to which the run adds others.
            by_results: whether results decide what else is played. Then nobody knows how long that takes.
            now: gives the time in seconds.
        """
        self.planned = verdict.planned
        self.done = verdict.planned - verdict.remaining
        self.faults = 0
        self._plan = plan
        self._waves = len(plan.waves)
        self._by_results = by_results
        self._played = 0
        self._now = now
        self._began_s = now()
        self._points: defaultdict[str, float] = defaultdict(float)
        self._matches: Counter[str] = Counter()

    def take(self, match: FinishedMatch) -> None:
        """Count a played match. A bot counts once for each side on which it has seats."""
        if len(self._plan.waves) > self._waves:
            self._begin_wave()
        self.done += 1
        self._played += 1
        self.faults += bool(match.offenders)
        outcome = outcome_of(match)
        for side in teams(outcome):
            for name, seat in {match.fixture.entries[seat]: seat for seat in side}.items():
                self._matches[name] += 1
                self._points[name] += _POINTS[result(outcome, seat)]

    def _begin_wave(self) -> None:
        """Count a new wave. Everything before it needs not be played any more: else it would not have been issued."""
        self._waves = len(self._plan.waves)
        self.planned = len(self._plan)
        self.done = self.planned - len(self._plan.waves[-1])

    @property
    def leader(self) -> tuple[str, float] | None:
        """The bot with the largest share of its points in this run, and that share. None before anybody has a point."""
        shares = {name: points / self._matches[name] for name, points in self._points.items() if points}
        return max(shares.items(), key=lambda each: each[1], default=None)

    def sentence(self) -> str:
        """The whole progress in one sentence."""
        wave = f"wave {self._waves}: " if self._by_results else ""
        told = [f"{wave}{self.done:,} of {several(self.planned, 'match', 'matches')}", self.rate(), self.time_left()]
        if self.leader is not None:
            told.append("ahead in this run {} with {:.0%} of its points".format(*self.leader))
        return ", ".join([*filter(None, told), several(self.faults, "fault", "faults")])

    def numbers(self) -> str:
        """Progress, speed and time left, in a few words."""
        return ", ".join(filter(None, [f"{self.done}/{self.planned}", self.rate(), self.time_left()]))

    def rate(self) -> str:
        """How many matches are played per second, minute or hour. Empty before the first match."""
        a_second = self._a_second()
        return rate(a_second) if a_second else ""

    def time_left(self) -> str:
        """The time left at this rate. Empty before the first match, and if results decide what else is played."""
        a_second = 0.0 if self._by_results else self._a_second()
        return f"{span((self.planned - self.done) / a_second)} left" if a_second else ""

    def _a_second(self) -> float:
        passed_s = self._now() - self._began_s
        return self._played / passed_s if passed_s > 0 else 0.0


def rate(a_second: float) -> str:
    """A speed above 0, per second, minute or hour."""
    units = ((1, "s"), (_MINUTE_S, "min"), (_HOUR_S, "h"))
    seconds, unit = next((each for each in units if a_second * each[0] >= 1), units[-1])
    return f"{a_second * seconds:.0f}/{unit}"


def span(seconds: float) -> str:
    """A time span in its two largest units."""
    if seconds < _MINUTE_S:
        return f"{seconds:.0f} s"
    if seconds < _HOUR_S:
        return f"{seconds / _MINUTE_S:.0f} min"
    if seconds < _DAY_S:
        return f"{seconds // _HOUR_S:.0f} h {seconds % _HOUR_S // _MINUTE_S:.0f} min"
    return f"{seconds // _DAY_S:.0f} d {seconds % _DAY_S // _HOUR_S:.0f} h"
