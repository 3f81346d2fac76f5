"""What a run does after a failure: which matches it plays again, when, how many at once, and when it stops.

Nothing here uses a clock of its own. The causes differ, and so does what follows:

- The machine can start no bots. That is neither the bots' fault nor that of a match. So nothing is stored, and no match
  comes nearer to being abandoned. The run tries a few more times, and then it stops. The next run goes on as if these
  attempts had not been made.
- The machine is too busy. No bot is at fault, so the run repeats such a match as often as it takes, and reduces the
  load: first it plays fewer matches at once, then it rests between them. It speeds up again when matches are finished.
- A remote bot cannot be reached: when to call it again, and when to give it up.
- A worker is lost in the middle of a match: line-up by line-up, since a bot of the line-up may be the reason.
- A batch broke: counted by the entry whose bot was to blame.
- A bot that the organizer named was unavailable before its first choice. The run forgives it: the match is void, and
  played again. The organizer says how many of them a bot may have in the whole league. So a bot cannot buy a second
  chance: it has seen nothing but its first view, its cards stay the same, and the number is small.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

from tournaments.league.model import Entry, FinishedMatch, StoredVoid
from tournaments.play.match_results import MatchVoided

BATCH_FAILURES_ALLOWED = 3
"""After so many broken batches an entry plays singly for the rest of the league. Breaking a batch that goes badly, to
have its matches played anew, gains it no more than that many."""


class BatchFailures:
    """Decides which bots play singly."""

    def __init__(self, so_far: Mapping[str, int]) -> None:
        """`so_far` says for entries how many batches they have broken already."""
        self._count = Counter(so_far)

    def note(self, culprit: str | None) -> None:
        """Note a broken batch; None if no bot was to blame."""
        if culprit is not None:
            self._count[culprit] += 1

    def singly(self, entries: Iterable[str]) -> bool:
        """Whether the matches of these entries are played one by one."""
        return any(self._count[entry] >= BATCH_FAILURES_ALLOWED for entry in entries)


FIRST_START_REST_MS = 1_000
FAILED_STARTS_ALLOWED = 4
"""After so many failed attempts in a row the run stops. It rests between them: 1, 2 and 4 seconds."""


class FailedStarts:
    """The attempts in a row at which this machine could start nothing.

    Attributes:
        reason: why the last one failed; None if none did since a match was finished.
    """

    def __init__(self, workers: int) -> None:
        """`workers` matches at most are played at once."""
        self.reason: str | None = None
        self._workers = workers
        self._attempts = 0
        self._begun_before = 0

    def finish(self) -> None:
        """Note that a match was finished."""
        self.reason = None
        self._attempts = self._begun_before = 0

    def fail(self, reason: str) -> None:
        """Note a failed attempt. Those that had begun before the run noticed the first one say nothing more."""
        if self.reason is None:
            self._begun_before = self._workers
        self.reason = reason
        self._begun_before -= 1
        self._attempts += self._attempts == 0 or self._begun_before < 0

    def at_once(self, others: int) -> int:
        """How many matches to play at once, where it would be `others` if all went well."""
        return others if self.reason is None else 1

    @property
    def hopeless(self) -> bool:
        """Whether the run stops."""
        return self._attempts >= FAILED_STARTS_ALLOWED

    @property
    def rest_ms(self) -> int:
        """How long to wait before the next attempt, in milliseconds."""
        return FIRST_START_REST_MS << max(0, self._attempts - 1)


CALM = 10
"""After this many matches for each that is played at once, without a void one, one more is played at once."""

FIRST_REST_MS = 1_000
LONGEST_REST_MS = 60_000
IN_VAIN_MS = 3_600_000
"""After rests of this length in all, without a finished match in between, the run is given up."""


class Throttle:
    """The pace of one run.

    Attributes:
        at_once: how many matches may be played at once; at least one.
        rest_ms: how long to rest before the next match, in milliseconds.
    """

    def __init__(self, workers: int) -> None:
        """Begin with as many matches at once as there are `workers`."""
        self.at_once = workers
        self.rest_ms = 0
        self._workers = workers
        self._begun_before = 0
        self._calm = 0
        self._rested_ms = 0

    def finish(self) -> None:
        """Note that a match was finished."""
        self._begun_before = max(0, self._begun_before - 1)
        self.rest_ms = self._rested_ms = 0
        self._calm += 1
        if self._calm >= CALM * self.at_once:
            self._calm = 0
            self.at_once = min(self.at_once + 1, self._workers)

    def disturb(self) -> None:
        """Note that a match was void because the machine was too busy.

        The matches that had begun before the run slowed down say nothing about the slower run.
        """
        self._calm = 0
        if self._begun_before:
            self._begun_before -= 1
        elif self.at_once > 1:
            self._begun_before = self.at_once - 1
            self.at_once //= 2
        else:
            self._rested_ms += self.rest_ms
            self.rest_ms = min(2 * self.rest_ms, LONGEST_REST_MS) or FIRST_REST_MS

    @property
    def hopeless(self) -> bool:
        """Whether the run has rested for too long in vain.

        It must end some time: a match of a bot that never stops computing, on a machine that is always too busy, can
        never be judged.
        """
        return self._rested_ms >= IN_VAIN_MS


FIRST_WAIT_MS = 1_000
LONGEST_WAIT_MS = 60_000
PATIENCE_MS = 3_600_000
"""A bot that could not be reached for this long is given up."""


class UnreachableBot(msgspec.Struct, frozen=True):
    """A bot that is away.

    Attributes:
        since_ms: when it could first not be reached.
        call_ms: when to call it again.
        wait_ms: how long the wait before that call is.
        reason: what went wrong at the last call.
    """

    since_ms: int
    call_ms: int
    wait_ms: int
    reason: str


class UnreachableBots:
    """The bots that are away. All times are in milliseconds, by one clock."""

    def __init__(self) -> None:
        self._away: dict[str, UnreachableBot] = {}
        self._looked_for: set[str] = set()

    def __bool__(self) -> bool:
        return bool(self._away)

    def miss(self, entry: str, reason: str, now_ms: int) -> None:
        """Note that `entry` could not be reached. The wait for the next call is twice the last one, up to a limit.

        If the next call is not due yet, this one was made before the last one was known to fail. It changes no wait.
        """
        before = self._away.get(entry)
        if before is not None and self.awaited((entry,), now_ms):
            self._away[entry] = msgspec.structs.replace(before, reason=reason)
            return
        wait_ms = FIRST_WAIT_MS if before is None else min(2 * before.wait_ms, LONGEST_WAIT_MS)
        since_ms = now_ms if before is None else before.since_ms
        self._away[entry] = UnreachableBot(since_ms, now_ms + wait_ms, wait_ms, reason)

    def met(self, entries: Iterable[str]) -> None:
        """Note that these entries have just played."""
        for entry in entries:
            if self._away.pop(entry, None):
                self._looked_for.clear()  # they may play against it now

    def awaited(self, entries: Iterable[str], now_ms: int) -> bool:
        """Whether one of these entries is away, and it is too early to call it again."""
        return any(entry in self._away and _left_ms(self._away[entry], now_ms) for entry in entries)

    def wait_ms(self, now_ms: int) -> int:
        """The milliseconds until the run looks for matches again; at least one bot must be away.

        A bot whose call became due while the run looked gets one more look soon. If that did not help, the bot plays
        only against bots that are awaited. So then the run waits until the call of one of these is due.
        """
        left_ms = {entry: _left_ms(absence, now_ms) for entry, absence in self._away.items()}
        due = {entry for entry, left in left_ms.items() if not left}
        is_new, self._looked_for = bool(due - self._looked_for), due
        if is_new:
            return min(FIRST_WAIT_MS, max(left_ms.values()))
        return min((left for left in left_ms.values() if left), default=FIRST_WAIT_MS)

    def given_up(self, now_ms: int) -> dict[str, UnreachableBot]:
        """The bots that have been away for too long, by entry."""
        return {entry: absence for entry, absence in self._away.items() if now_ms - absence.since_ms >= PATIENCE_MS}


def _left_ms(absence: UnreachableBot, now_ms: int) -> int:
    """The milliseconds until a bot is called again; 0 if the call is due, or if the clock was set back since."""
    left_ms = absence.call_ms - now_ms
    return left_ms if 0 < left_ms <= absence.wait_ms else 0


IN_A_ROW = 3
"""A line-up that has lost this many workers in a row goes last. This many line-ups without a common bot are no accident
either: then the machine is at fault."""


class WorkerCrashes:
    """Says whom lost workers hold up. The seats do not matter, only the entries."""

    def __init__(self) -> None:
        self._in_a_row: Counter[tuple[str, ...]] = Counter()
        self._involved: set[str] = set()
        self._apart = 0

    def lose(self, entries: Iterable[str]) -> None:
        """Note that a worker was lost while it played a match of these entries."""
        line_up = _line_up(entries)
        if not self.is_deprioritised(line_up) and self._involved.isdisjoint(line_up):
            self._involved.update(line_up)
            self._apart += 1
        self._in_a_row[line_up] += 1

    def finish(self, entries: Iterable[str]) -> None:
        """Note that a match of these entries was finished."""
        del self._in_a_row[_line_up(entries)]
        self._involved.clear()
        self._apart = 0

    def is_deprioritised(self, entries: Iterable[str]) -> bool:
        """Whether these entries must let all others play first."""
        return bool(self._in_a_row) and self._in_a_row[_line_up(entries)] >= IN_A_ROW

    @property
    def nothing_works(self) -> bool:
        """Whether line-up after line-up was lost without a common bot, and no match was finished in between.

        So a single bot can never stop a league, nor can two.
        """
        return self._apart >= IN_A_ROW


def _line_up(entries: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(entries))


class Forgiveness:
    """How many more matches of each bot the run may forgive."""

    def __init__(self, entries: Iterable[Entry], voids: Iterable[StoredVoid]) -> None:
        """Begin with the void matches in the store: those of all runs of the league count."""
        self._left = Counter({entry.name: entry.remote.forgiven for entry in entries if entry.remote})
        self._left.subtract(void.forgiven for void in voids if void.forgiven)

    def judge(self, match: FinishedMatch) -> FinishedMatch | MatchVoided:
        """The match, or a void one in its place if each of its faults is forgiven."""
        away = match.unavailable
        if not away or any(self._left[entry] <= 0 for entry in away):
            return match
        self._left.subtract(away)
        who = " and ".join(sorted(away))
        return MatchVoided(match.fixture, f"{who} said before the first choice that it is unavailable", forgiven=away)
