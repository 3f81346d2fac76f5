"""The world around a run, in virtual time: what a night does to it comes from here, drawn from one seed.

Everything that happens is a step. A run is killed at a step. From then on nothing of it has an effect any more: each
further step of it raises `Killed` again, so no clean-up reaches the store.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random

from tests.nights.faults import CLOCK_JUMPS, KILLED, SIGNALLED, FaultPlan

STARTED_MS = 1_790_000_000_000
"""The clock when a night begins, in milliseconds since 1970."""

MOST_STEPS = 50_000
"""A run with more steps does not end by itself. Most runs take some hundred. A run that waits
for remote bots for an hour and a half takes 15,000, since it looks at the clock for every match that waits."""

_DAY_MS = 86_400_000
_KILLED_BY = 600
"""A run that is killed is killed within so many steps."""


class Killed(BaseException):
    """The runner was killed: it does nothing more, and cleans nothing up."""


class Signalled(BaseException):
    """The runner was told to end. It cleans up."""


class Endless(BaseException):
    """A run goes on and on."""


LONGEST_WAIT_MS = 60_000
"""No run waits for longer before it looks again."""


class World:
    """Time and chance.

    Attributes:
        seed: all luck of the night comes from it.
        rng: draws this luck.
        plan: the faults that may strike now.
        strikes: how often each fault struck.
        pairs: how often a result of the second row came after one of the first row in a run.
        log: what happened, a line each.
        killed: whether the runner is dead.
        passed_ms: the true time since the night began.
    """

    def __init__(self, seed: int, plan: FaultPlan) -> None:
        self.seed = seed
        self.rng = Random(seed)
        self.plan = plan
        self.strikes: Counter[str] = Counter()
        self.pairs: Counter[tuple[str, str]] = Counter()
        self.log: list[str] = []
        self.killed = False
        self.passed_ms = 0
        self._offset_ms = STARTED_MS
        self._steps = 0
        self._kill_at: int | None = None
        self._signal_at: int | None = None
        self._is_runner = False
        self._rows: set[str] = set()
        self.on_kill: Callable[[], None] = lambda: None

    # Chance

    def happens(self, fault: str) -> bool:
        """Whether a fault strikes that strikes by chance. If so, it is counted."""
        chance = self.plan.chances.get(fault, 0.0)
        if not chance or self.rng.random() >= chance:
            return False
        self.strike(fault)
        return True

    def lasts(self, fault: str) -> bool:
        """Whether a lasting fault lasts now."""
        return any(start <= self.passed_ms < end for start, end in self.plan.lasting.get(fault, ()))

    def strike(self, fault: str, detail: str = "") -> None:
        """Note that a fault has struck."""
        self.strikes[fault] += 1
        self.note(f"! {fault}{detail and ': '}{detail}")

    def note(self, line: str) -> None:
        """Write a line into the log of the night."""
        self.log.append(f"{self.passed_ms / 1000:10.3f} s  {line}")

    def note_row(self, row: str) -> None:
        """Note in which row of `RetryPolicy` the next result of the run is."""
        self.pairs.update((before, row) for before in self._rows)
        self._rows.add(row)

    # Time

    def now_ms(self) -> int:
        """What the clock shows, in milliseconds since 1970. It may jump."""
        self.step()
        self.passed_ms += 1
        if self.happens(CLOCK_JUMPS):
            self._offset_ms += round(self.rng.gauss(0, _DAY_MS / 24))
        return self._offset_ms + self.passed_ms

    def pass_ms(self, milliseconds: int) -> None:
        """Let time pass."""
        self.passed_ms += milliseconds

    def pass_until(self, moment_ms: int) -> None:
        """Let time pass until a moment, if it is not over."""
        self.passed_ms = max(self.passed_ms, moment_ms)

    def wait_ms(self, milliseconds: int) -> None:
        """Let a run wait.

        Raises:
            Endless: it would wait for longer than any rest may last.
        """
        self.step()
        if milliseconds > LONGEST_WAIT_MS:
            raise Endless(f"it waits for {milliseconds} ms at once")
        self.passed_ms += max(0, milliseconds)

    # The life of a runner

    def begin_run(self) -> None:
        """A runner begins; when it will be killed is drawn."""
        self.killed = False
        self._rows.clear()
        self._is_runner = True
        self._steps = 0
        self._kill_at = self.rng.randrange(1, _KILLED_BY) if self._draw(KILLED) else None
        self._signal_at = self.rng.randrange(1, _KILLED_BY) if self._draw(SIGNALLED) else None

    def end_run(self) -> None:
        """The runner is gone."""
        self.killed = self._is_runner = False

    def _draw(self, fault: str) -> bool:
        return self.rng.random() < self.plan.chances.get(fault, 0.0)

    @property
    def is_dead(self) -> bool:
        """Whether the runner acts, although it was killed: nothing that it does has an effect."""
        return self._is_runner and self.killed

    def step(self) -> None:
        """The runner comes a step further.

        Raises:
            Killed: it is killed here, or was before.
            Signalled: it gets a signal here.
            Endless: it has come too far.
        """
        if not self._is_runner:
            return
        if self.killed:
            raise Killed
        self._steps += 1
        if self._steps == self._kill_at:
            self.strike(KILLED, f"at step {self._steps}")
            self.killed = True
            self.on_kill()
            raise Killed
        if self._steps == self._signal_at:
            self.strike(SIGNALLED, f"at step {self._steps}")
            raise Signalled
        if self._steps > MOST_STEPS:
            raise Endless(f"it has taken {MOST_STEPS} steps")

    @contextmanager
    def aside(self) -> Iterator[None]:
        """A context in which another process than the runner works: it is not killed."""
        before, self._is_runner = self._is_runner, False
        try:
            yield
        finally:
            self._is_runner = before
