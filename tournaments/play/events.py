"""The events of a run: what they are, their log, and the organizer's command that receives them.

The log is a file of JSON lines that never grows too long. Whatever the command does, the league goes on.
"""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import msgspec

from referee.core.errors import OurFailure, Stopped, WrongUse
from referee.runtime.child_process import hold_signals_back
from tournaments.league.model import FinishedMatch, faults_of, outcome_of
from tournaments.play.log_files import LogFile, moment
from tournaments.play.match_results import MatchPostponed, MatchVoided, Result
from tournaments.results.stored_league import StoredLeague
from tournaments.schedule.league_state import LeagueState


class RunBegan(msgspec.Struct, frozen=True, tag="begun"):
    """A run began.

    Attributes:
        league: its name.
        planned: how many matches there are so far.
        remaining: how many of them are still to be played.
    """

    league: str
    planned: int
    remaining: int


class WaveBegan(msgspec.Struct, frozen=True, tag="wave"):
    """A wave began.

    Attributes:
        number: from 1.
        matches: how many matches it has.
    """

    number: int
    matches: int


class MatchScored(msgspec.Struct, frozen=True, tag="result"):
    """A match was finished and stored.

    Attributes:
        match: the id of its fixture.
        ending: how it ended.
        bots: by seat.
        places: by seat.
        thinking_us: how long each seat thought in all, in microseconds.
    """

    match: str
    ending: str
    bots: tuple[str, ...]
    places: tuple[int, ...]
    thinking_us: tuple[int, ...]


class BotFailed(msgspec.Struct, frozen=True, tag="fault"):
    """A bot's fault cut a match short.

    Attributes:
        match: the id of its fixture.
        bot: the bot at fault.
        kind: the kind of fault.
    """

    match: str
    bot: str
    kind: str


class MatchVoid(msgspec.Struct, frozen=True, tag="void"):
    """A match did not count, through our fault.

    Attributes:
        match: the id of its fixture.
        reason: in words.
        busy: whether the machine was too busy.
    """

    match: str
    reason: str
    busy: bool


class WorkerRestarted(msgspec.Struct, frozen=True, tag="restart"):
    """A worker was lost, and another one took its place.

    Attributes:
        match: the id of the fixture that the worker was playing.
        reason: in words.
    """

    match: str
    reason: str


class BotUnreachable(msgspec.Struct, frozen=True, tag="away"):
    """A remote bot could not be reached.

    Attributes:
        match: the id of the fixture that waits for it.
        bot: the bot.
        reason: in words.
    """

    match: str
    bot: str
    reason: str


class BotSuspended(msgspec.Struct, frozen=True, tag="suspension"):
    """A bot was suspended.

    Attributes:
        league: the name of the league.
        bot: the bot.
        faults: how many of its matches its faults cut short.
        matches: how many matches it had.
    """

    league: str
    bot: str
    faults: int
    matches: int


class NodesChanged(msgspec.Struct, frozen=True, tag="machines"):
    """Something happened to the nodes of a run.

    Attributes:
        node: its address; None if it is about no single one.
        what: `waiting` (for nodes), `joined`, `refused`, `rests`, `plays` (again), `lost`, `left out`, `scheduler` (it
            is lost), `different` (a match that was played a second time), or `compared` (all of them).
        text: in words.
    """

    node: str | None
    what: str
    text: str


class RunEnded(msgspec.Struct, frozen=True, tag="end"):
    """A run ended.

    Attributes:
        league: its name.
        why: `done`, `stopped`, `time` (its time was over), or `failure` (ours).
        reason: in words; empty if it is done.
        exit_code: of the command.
    """

    league: str
    why: str
    reason: str
    exit_code: int


Event: TypeAlias = (
    RunBegan
    | WaveBegan
    | MatchScored
    | BotFailed
    | MatchVoid
    | WorkerRestarted
    | BotUnreachable
    | BotSuspended
    | NodesChanged
    | RunEnded
)


class EventRecorder:
    """Turns the results of one run into events, in order."""

    def __init__(self, league: str, state: LeagueState) -> None:
        """Begin. The facts that the season knows already give no events."""
        self._league = league
        self._state = state
        self._waves = len(state.plan.waves)
        self._suspended = set(state.decided_suspensions)

    def take(self, result: Result) -> Iterator[Event]:
        """The events of a result, which must be noted in the season already."""
        yield from self._new_waves()
        yield from _events_of(result)
        yield from self._new_suspensions()

    def _new_waves(self) -> Iterator[Event]:
        waves = self._state.plan.waves
        for number, wave in enumerate(waves[self._waves :], self._waves + 1):
            yield WaveBegan(number, len(wave))
        self._waves = len(waves)

    def _new_suspensions(self) -> Iterator[Event]:
        if self._state.suspensions.keys() <= self._suspended:
            return
        new = {bot: found for bot, found in self._state.decided_suspensions.items() if bot not in self._suspended}
        self._suspended.update(new)
        for bot, found in sorted(new.items()):
            yield BotSuspended(self._league, bot, found.faults, found.matches)


def _events_of(result: Result) -> Iterator[Event]:
    match = result.fixture.id
    if isinstance(result, FinishedMatch):
        outcome = outcome_of(result)
        yield MatchScored(match, outcome.ending, result.fixture.entries, outcome.places, result.thinking_us)
        for fault in faults_of(result):
            yield BotFailed(match, result.fixture.entries[fault.seat], fault.kind.value)
    elif isinstance(result, MatchPostponed):
        yield BotUnreachable(match, result.entry, result.reason)
    elif isinstance(result, MatchVoided):
        yield (
            WorkerRestarted(match, result.reason)
            if result.lost_worker
            else MatchVoid(match, result.reason, result.busy)
        )


LONGEST = 16 << 20
"""A file with this many bytes is put aside, and a new one is begun."""

OLD_FILES = 4
"""How many files that were put aside are kept: FILE.1 is the newest."""


class LogFailed(WrongUse):
    """The log cannot be written."""


class EventLog:
    """Appends events to a file, one line each. Several runs may write to it.

    Attributes:
        failure: why nothing is written any more, one sentence; None while all is well. A league does not end for this.
    """

    def __init__(self, path: Path, longest: int = LONGEST) -> None:
        """Open the file, or begin it.

        Raises:
            LogFailed: it cannot be opened.
        """
        self.failure: str | None = None
        self._path = path
        try:
            self._lines = LogFile(path, longest, OLD_FILES)
        except OSError as error:
            raise LogFailed(f"the log {path} cannot be written: {error.strerror}") from error

    def note(self, event: Event, now_ms: int) -> None:
        """Append an event that happened at `now_ms`, in milliseconds since 1970 (UTC)."""
        if self.failure is not None:
            return
        try:
            self._lines.append(msgspec.json.encode({"at": moment(now_ms), **msgspec.to_builtins(event)}) + b"\n")
        except OSError as error:
            self.failure = f"the log {self._path} is no longer written: {error.strerror}; the league goes on"
            self.close()

    def close(self) -> None:
        """Close the file."""
        self._lines.close()


LIMIT_S = 10.0
"""How long the command may take."""

_LAST_WORDS = 200
"""If the command failed, the event has this many characters of its output."""


class Notifier:
    """Runs a command for each event that an organizer wants to know of, with the event as JSON on its input.

    Attributes:
        failures: one sentence for each time the command failed, so far.
    """

    def __init__(self, command: Sequence[str], limit_s: float = LIMIT_S) -> None:
        """`command` is the program and its arguments; if it is empty, no command runs."""
        self.failures: list[str] = []
        self._command = list(command)
        self._limit_s = limit_s
        self._threads: list[threading.Thread] = []

    def note(self, event: Event) -> None:
        """Tell of an event if it is a suspension or the end of a run. This does not wait for the command."""
        if self._command and isinstance(event, BotSuspended | RunEnded):
            thread = threading.Thread(target=self._tell, args=(msgspec.json.encode(event),))
            thread.start()
            self._threads.append(thread)

    def close(self) -> None:
        """Wait until all commands have ended, or were ended because they took too long."""
        for thread in self._threads:
            thread.join()
        self._threads.clear()

    def _tell(self, document: bytes) -> None:
        try:
            process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                start_new_session=True,  # so that Ctrl-C is for the run alone, and all of it can be ended
            )
        except (OSError, ValueError) as error:
            self._fail(f"could not be started: {getattr(error, 'strerror', None) or error}")
            return
        try:
            _, stderr = process.communicate(document, self._limit_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            self._fail(f"took longer than {self._limit_s:.0f} s and was ended")
        else:
            if process.returncode:
                words = stderr.decode(errors="replace").strip()[-_LAST_WORDS:]
                self._fail(f"ended with {process.returncode}" + (f": {words}" if words else ""))

    def _fail(self, text: str) -> None:
        self.failures.append(f"the command of [notify] {text}")


class EventOutput:
    """Passes on what happens in one run."""

    def __init__(self, league: StoredLeague, journal: EventLog | None, tell: Callable[[str], None]) -> None:
        """`journal` is the log; None if nobody asked for one. `tell` says at the end what went wrong with both."""
        self._league = league.league.name
        self._say = tell
        self._journal = journal
        self._notifier = Notifier(league.league.notify)
        self._chronicle = EventRecorder(self._league, league.state)
        self._has_ended = False
        counts = league.state.verdict().counts
        self._tell(RunBegan(self._league, counts.planned, counts.remaining))

    def results(self, results: Iterable[Result]) -> Iterator[Result]:
        """The same results. It passes on the events of each result before the result."""
        for result in results:
            for event in self._chronicle.take(result):
                self._tell(event)
            yield result

    def end(self, cause: str, reason: str = "", exit_code: int = 0) -> None:
        """Pass on that the run ended, and wait for the listeners. Later calls pass on nothing."""
        with hold_signals_back():  # a signal in the middle would make it unclear whether the end was passed on
            if not self._has_ended:
                self._has_ended = True
                self._tell(RunEnded(self._league, cause, reason, exit_code))
        self._notifier.close()
        for sentence in self._notifier.failures:
            self._say(sentence)
        if self._journal is not None and self._journal.failure is not None:
            self._say(self._journal.failure)

    def _tell(self, event: Event) -> None:
        self._notifier.note(event)
        if self._journal is not None:
            self._journal.note(event, time.time_ns() // 1_000_000)


@contextmanager
def open_event_output(
    league: StoredLeague, journal: EventLog | None, tell: Callable[[str], None]
) -> Iterator[EventOutput]:
    """Pass on the events of a run until it ends, however it ends. After an orderly end the caller calls `end`."""
    output = EventOutput(league, journal, tell)
    try:
        yield output
    except Stopped as stopped:
        output.end("stopped", "it was stopped by a signal", stopped.code if isinstance(stopped.code, int) else 1)
        raise
    except OurFailure as failure:
        output.end("failure", str(failure), failure.exit_code)
        raise
