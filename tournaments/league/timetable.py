"""When leagues are played: which of them are due now, and when to look again. Pure functions of values.

All times are in milliseconds since 1970 (UTC). The terms are those of DOMjudge: a contest starts and ends by itself.
"""

from collections.abc import Sequence
from typing import Literal, TypeAlias

import msgspec

from referee.core.text import several

RunnerStateKind: TypeAlias = Literal[
    "due", "plays", "waits for its time", "waits for checks", "waits for bots", "idle", "paused", "rests", "closed"
]
"""What a runner does about a league. `due`: another league is played first. `idle`: nothing remains to be played."""


class RunnerState(msgspec.Struct, frozen=True):
    """What the runner does about a league now.

    Attributes:
        kind: what it does.
        until_ms: until when it waits for the time, or rests.
        number: for how many checks or bots it waits.
        reason: why it is paused or rests, in words.
    """

    kind: RunnerStateKind
    until_ms: int | None = None
    number: int = 0
    reason: str = ""

    @property
    def sentence(self) -> str:
        """The same in words, without the time."""
        match self.kind:
            case "waits for checks" if self.number:
                return f"waits for {several(self.number, 'bot that is', 'bots that are')} still checked"
            case "waits for bots":
                return f"waits for {several(self.number, 'bot', 'bots')}"
            case "paused" | "rests":
                return f"{self.kind}: {self.reason}" if self.reason else self.kind
        return self.kind


class Rest(msgspec.Struct, frozen=True):
    """A time in which a league is not played, after a run of it failed.

    Attributes:
        until_ms: its end.
        reason: why the run failed, in words.
    """

    until_ms: int
    reason: str


class Situation(msgspec.Struct, frozen=True):
    """What is known about a league at one moment, as far as it decides whether the league is played.

    Attributes:
        league: the name of the league.
        is_open: whether its format goes on without end. All others are played first.
        starts_ms: no match begins before it; None: nothing to wait for.
        is_begun: whether a match of it was ever played.
        is_closed: whether it is closed for good.
        pause: why the organizer paused it; None: it is not paused.
        checks: how many bots that were received in time are still built or checked.
        lacks: how many bots more it needs before it can be played.
        is_done: whether nothing remained to be played, and nothing changed since.
        rest: what the runner waits for after a failure; None: there was none.
    """

    league: str
    is_open: bool
    starts_ms: int | None = None
    is_begun: bool = False
    is_closed: bool = False
    pause: str | None = None
    checks: int = 0
    lacks: int = 0
    is_done: bool = False
    rest: Rest | None = None


class Timetable(msgspec.Struct, frozen=True):
    """What a runner does now.

    Attributes:
        states: by league, what the runner does about it.
        due: the leagues that may be played now, the first one first.
        look_ms: when to look again at the latest; None: whenever something changes.
    """

    states: dict[str, RunnerState]
    due: tuple[str, ...]
    look_ms: int | None


def timetable(situations: Sequence[Situation], now_ms: int) -> Timetable:
    """Which leagues are due. Leagues that end come before open ones, and else the order stays."""
    states = {each.league: _state(each, now_ms) for each in situations}
    due = [each for each in situations if states[each.league].kind == "due"]
    due.sort(key=lambda each: each.is_open)
    times = [state.until_ms for state in states.values() if state.until_ms is not None]
    return Timetable(states, tuple(each.league for each in due), min(times, default=None))


def _state(now: Situation, now_ms: int) -> RunnerState:
    states = (
        (now.is_closed, RunnerState("closed")),
        (now.pause is not None, RunnerState("paused", reason=now.pause or "")),
        (now_ms < (now.starts_ms or 0), RunnerState("waits for its time", now.starts_ms)),
        # A league that has begun takes bots in between two waves. It waits for nobody.
        (now.checks and not now.is_begun, RunnerState("waits for checks", number=now.checks)),
        (now.lacks, RunnerState("waits for bots", number=now.lacks)),
        (now.rest is not None and now_ms < now.rest.until_ms, _resting(now.rest)),
        (now.is_done, RunnerState("idle")),
    )
    return next((state for holds, state in states if holds), RunnerState("due"))


def _resting(rest: Rest | None) -> RunnerState:
    return RunnerState("rests") if rest is None else RunnerState("rests", rest.until_ms, reason=rest.reason)


def must_give_way(playing: str, plan: Timetable) -> bool:
    """Whether the league that is played lets another one go first, or may not be played any more."""
    return (bool(plan.due) and plan.due[0] != playing) or plan.states[playing].kind not in {"due", "idle"}


JUMP_MS = 60_000
"""A clock that is off by more than this since the last look has jumped."""

TRUST_MS = 600_000
"""After so long a clock that jumped is believed."""


class SteadyClock:
    """The time of the machine, without jumps of its clock.

    A clock that is set wrongly for a moment would start and close leagues for good. So after a jump the time goes on as
    before. If the clock still says the same ten minutes later, it counts.
    """

    def __init__(self, now_ms: int, running_ms: int) -> None:
        """`now_ms` is what the clock says; `running_ms` counts the time that passes, from anywhere."""
        self._offset_ms = now_ms - running_ms
        self._jumped_offset_ms, self._jumped_ms = self._offset_ms, running_ms

    def now_ms(self, now_ms: int, running_ms: int) -> int:
        """The time, where the clock says `now_ms`."""
        offset_ms = now_ms - running_ms
        if abs(offset_ms - self._offset_ms) <= JUMP_MS:
            self._offset_ms = self._jumped_offset_ms = offset_ms
        elif abs(offset_ms - self._jumped_offset_ms) > JUMP_MS:  # it has jumped now, perhaps not for the first time
            self._jumped_offset_ms, self._jumped_ms = offset_ms, running_ms
        elif running_ms - self._jumped_ms >= TRUST_MS:
            self._offset_ms = offset_ms
        return running_ms + self._offset_ms
