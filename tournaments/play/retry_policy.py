"""What a run does after each result: what it plays again, when, how many at once, and when it stops.

`RetryPolicy` is the whole of it. Nothing here uses a clock of its own. The principles behind its table:

- The machine can start no bots. That is neither the bots' fault nor that of a match. So nothing is stored, and no match
  comes nearer to being abandoned. The next run goes on as if these attempts had not been made.
- The machine is too busy. No bot is at fault, so the run repeats such a match as often as it takes, and reduces the
  load: first it plays fewer matches at once, then it rests between them.
- A worker is lost in the middle of a match: line-up by line-up, since a bot of the line-up may be the reason.
- A bot that the organizer named was unavailable before its first choice. The organizer says how many of such matches a
  bot may have in the whole league. So a bot cannot buy a second chance: it has seen nothing but its first view, its
  cards stay the same, and the number is small.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Set
from types import MappingProxyType

import msgspec

from referee.core.errors import OurFailure
from referee.core.text import duration
from tournaments.league.model import Entry, FinishedMatch, StoredVoid
from tournaments.play.match_results import BrokenBatch, MatchPostponed, MatchVoided, Result


class BotsUnreachable(OurFailure):
    """Every remaining match needs a remote bot that could not be reached for a long time."""


class MachineBusy(OurFailure):
    """The machine was too busy for every match that was tried for a long time."""


class MachineCannotStart(OurFailure):
    """This machine could start no bot, and not even a program of ours, a few times in a row."""


class WorkersFail(OurFailure):
    """Worker after worker is lost without finishing a match; the machine or the installation is at fault."""


BATCH_FAILURES_ALLOWED = 3
"""After so many broken batches an entry plays singly for the rest of the league. Breaking a batch that goes badly, to
have its matches played anew, gains it no more than that many."""


class RetryPolicy:
    """What follows from each result of a run, in one table.

    | result | stored | nearer to abandonment | effect | ends the run |
    |---|---|---|---|---|
    | finished | result | - | resets the counters of its bots, its line-up and starts; often: one more at once | - |
    | finished, forgiven | void, `forgiven` | no | its bot waits as one that is unreachable | see there |
    | void | void | yes | played again at the end of the wave | - |
    | void, busy | void, `busy` | no | half as many at once, then rests of 1 s to 60 s | 1 h of rests: `MachineBusy` |
    | void, busy elsewhere | void, `busy` | no | none here: that machine slows down | - |
    | void, worker lost | void | yes | the third of a line-up: last in the wave | 3 line-ups apart: `WorkersFail` |
    | cannot start | nothing | no | one at once, rests of 1, 2, 4 s | 4 in a row: `MachineCannotStart` |
    | postponed | nothing | no | waits 1 s to 60 s, or until the bot calls | 1 h, nothing else left: `BotsUnreachable` |
    | batch broken by a bot | its bot | no | played singly; the third of a bot: for good | - |
    | batch broken by us | nobody | no | played singly | - |

    `judge` makes the second row of the first. A match is abandoned after `counting_rules.VOIDS_ALLOWED` that count.

    Attributes:
        failure: why the run ends now; None if it goes on.
        pause_ms: how long it waits before the next match begins, in milliseconds.
        left_out: the bots that were away for too long, and without which the run goes on.
    """

    def __init__(
        self, workers: int, voids: Iterable[StoredVoid] = (), broken_batches: Mapping[str, int] = MappingProxyType({})
    ) -> None:
        """Begin a run in which `workers` matches at most are played at once.

        `voids` are all void matches of the league so far; `broken_batches` counts its broken batches, by entry.
        """
        self.failure: OurFailure | None = None
        self.pause_ms = 0
        self.left_out: Set[str] = frozenset()
        self._throttle = Throttle(workers)
        self._starts = FailedStarts(workers)
        self._crashes = WorkerCrashes()
        self._unreachable = UnreachableBots()
        self._forgiven = Counter(void.forgiven for void in voids)  # by entry, how many matches
        self._broken_batches = Counter(broken_batches)
        self._others_remain = True  # whether line-ups that lose workers have others to wait for
        self._has_played = False

    def judge(self, result: Result, entries: Mapping[str, Entry]) -> Result:
        """The result as it counts: a void match in place of one in which each fault is forgiven, by these entries."""
        away = result.unavailable if isinstance(result, FinishedMatch) else frozenset()
        allowed = {name: remote.forgiven if (remote := entries[name].remote) else 0 for name in away}
        if not away or any(self._forgiven[name] >= allowed[name] for name in away):
            return result
        self._forgiven.update(away)
        who = " and ".join(sorted(away))
        return MatchVoided(result.fixture, f"{who} said before the first choice that it is unavailable", forgiven=away)

    def note(self, result: Result | BrokenBatch, now_ms: int) -> None:
        """Note a result, after `judge`."""
        self.pause_ms = 0
        match result:
            case BrokenBatch():
                self._broken_batches.update([result.culprit] if result.culprit else [])
            case MatchPostponed():
                self._unreachable.miss(result.entry, result.reason, now_ms)
            case MatchVoided() if result.forgiven:
                for entry in result.forgiven:
                    self._unreachable.miss(entry, result.reason, now_ms)
            case MatchVoided() if result.cannot_start:
                self._has_played = True
                self._fail_start(result.reason)
            case _:
                self._has_played = True
                self._unreachable.met(result.fixture.entries)
                self._note_attempt(result)

    def end_pass(self, now_ms: int, entries: Mapping[str, Entry] = MappingProxyType({})) -> None:
        """Note that nothing is played, and that nothing may begin before a while has passed.

        `entries` are the bots, by name: they say what follows if one is away for too long.
        """
        self._others_remain, self._has_played = self._has_played, False
        self.pause_ms = self._unreachable.wait_ms(now_ms)
        remotes = {name: entry.remote for name, entry in entries.items() if entry.remote}
        given_up = self._unreachable.given_up(now_ms, {name: each.patience_s * 1000 for name, each in remotes.items()})
        self.left_out = {name for name in given_up if name in remotes and remotes[name].absent == "skip"}
        if self.left_out:
            self._unreachable.met(self.left_out)
            self.pause_ms = 0
        elif given_up:
            away_s = max((now_ms - absence.since_ms) // 1000 for absence in given_up.values())
            who = "; ".join(f"{entry} ({absence.reason})" for entry, absence in sorted(given_up.items()))
            self.failure = BotsUnreachable(f"not reached for {duration(away_s)}: {who}; what was played is kept")

    def come(self, entries: Iterable[str], now_ms: int) -> None:
        """Note that these bots may be there again: they are called at once."""
        self._unreachable.come(entries, now_ms)

    @property
    def at_once(self) -> int:
        """How many matches may be played at once on this machine."""
        return 1 if self._starts.attempts else self._throttle.at_once

    def may_play(self, entries: Iterable[str], now_ms: int) -> bool:
        """Whether a match of these entries may begin now."""
        must_be_last = self._others_remain and self._crashes.is_deprioritised(entries)
        return not must_be_last and self._unreachable.awaited(now_ms).isdisjoint(entries)

    def singly(self, entries: Iterable[str]) -> bool:
        """Whether the matches of these entries are played one by one for good."""
        return any(self._broken_batches[entry] >= BATCH_FAILURES_ALLOWED for entry in entries)

    def unreachable(self, now_ms: int) -> Set[str]:
        """The bots that could not be reached, and that it is too early to call again."""
        return self._unreachable.awaited(now_ms)

    def _note_attempt(self, result: FinishedMatch | MatchVoided) -> None:
        entries = result.fixture.entries
        if isinstance(result, FinishedMatch):
            self._crashes.finish(entries)
            self._throttle.finish()
            self._starts.finish()
        elif result.busy and not result.elsewhere:
            self._slow_down()
        elif result.lost_worker:
            self._lose_worker(entries)

    def _slow_down(self) -> None:
        self._throttle.disturb()
        self.pause_ms = self._throttle.rest_ms
        if self._throttle.hopeless:
            self.failure = MachineBusy(
                "the machine is too busy: one match was tried at a time, with rests of"
                f" {IN_VAIN_MS // 60_000} minutes in all, and each was void; what was played is kept."
                " End what else runs here, or begin a league with longer limits (move_ms, start_ms)"
            )

    def _fail_start(self, reason: str) -> None:
        self._starts.fail()
        self._throttle.disturb()  # what cannot be started beside others may be started alone
        self.pause_ms = self._starts.rest_ms
        if self._starts.hopeless:
            self.failure = MachineCannotStart(
                f"{reason}. It was tried {FAILED_STARTS_ALLOWED} times. No bot is to blame, and no match was used up"
            )

    def _lose_worker(self, entries: Iterable[str]) -> None:
        self._crashes.lose(entries)
        if self._crashes.nothing_works:
            self.failure = WorkersFail(
                "worker after worker was lost, whichever bots played, and no match was finished in between;"
                " what was played is kept"
            )


def stored_voids(result: Result, now_ms: int) -> list[StoredVoid]:
    """What the store keeps of a match that is void: one note, or one for each bot that was forgiven.

    It keeps nothing of a match that did not begin.
    """
    if not isinstance(result, MatchVoided) or result.cannot_start:
        return []
    counts = not (result.busy or result.forgiven)
    return [
        StoredVoid(result.fixture.id, result.reason, now_ms, result.busy, counts, bot)
        for bot in sorted(result.forgiven) or [""]
    ]


FIRST_START_REST_MS = 1_000
FAILED_STARTS_ALLOWED = 4
"""After so many failed attempts in a row the run stops. It rests between them: 1, 2 and 4 seconds."""


class FailedStarts:
    """The attempts in a row at which this machine could start nothing.

    Attributes:
        attempts: how many there were since a match was finished.
    """

    def __init__(self, workers: int) -> None:
        """`workers` matches at most are played at once."""
        self.attempts = 0
        self._workers = workers
        self._begun_before = 0

    def finish(self) -> None:
        """Note that a match was finished."""
        self.attempts = 0

    def fail(self) -> None:
        """Note a failed attempt. Those that had begun before the run noticed the first one say nothing more."""
        if not self.attempts:
            self._begun_before = self._workers
        self._begun_before -= 1
        self.attempts += self.attempts == 0 or self._begun_before < 0

    @property
    def hopeless(self) -> bool:
        """Whether the run stops."""
        return self.attempts >= FAILED_STARTS_ALLOWED

    @property
    def rest_ms(self) -> int:
        """How long to wait before the next attempt, in milliseconds."""
        return FIRST_START_REST_MS << max(0, self.attempts - 1)


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

    def miss(self, entry: str, reason: str, now_ms: int) -> None:
        """Note that `entry` could not be reached. The wait for the next call is twice the last one, up to a limit.

        If the next call is not due yet, this one was made before the last one was known to fail. It changes no wait.
        """
        before = self._away.get(entry)
        if before is not None and entry in self.awaited(now_ms):
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

    def come(self, entries: Iterable[str], now_ms: int) -> None:
        """Call these entries at once, if they are away."""
        for entry in self._away.keys() & entries:
            self._away[entry] = msgspec.structs.replace(self._away[entry], call_ms=now_ms)

    def awaited(self, now_ms: int) -> Set[str]:
        """The entries that are away, and that it is too early to call again."""
        return {entry for entry, absence in self._away.items() if _left_ms(absence, now_ms)}

    def wait_ms(self, now_ms: int) -> int:
        """The milliseconds until the run looks for matches again; 0 if no bot is away.

        A bot whose call became due while the run looked gets one more look soon. If that did not help, the bot plays
        only against bots that are awaited. So then the run waits until the call of one of these is due.
        """
        left_ms = {entry: _left_ms(absence, now_ms) for entry, absence in self._away.items()}
        due = {entry for entry, left in left_ms.items() if not left}
        is_new, self._looked_for = bool(due - self._looked_for), due
        if is_new or not left_ms:
            return min(FIRST_WAIT_MS, max(left_ms.values(), default=0))
        return min((left for left in left_ms.values() if left), default=FIRST_WAIT_MS)

    def given_up(self, now_ms: int, patience_ms: Mapping[str, int] = MappingProxyType({})) -> dict[str, UnreachableBot]:
        """The bots that have been away for too long, by entry. `patience_ms` says how long that is, by entry."""
        return {
            entry: absence
            for entry, absence in self._away.items()
            if now_ms - absence.since_ms >= patience_ms.get(entry, PATIENCE_MS)
        }


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
