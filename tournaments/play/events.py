"""The events of a run: for the log, and for other listeners."""

from collections.abc import Iterator, Mapping
from typing import Protocol, TypeAlias

import msgspec

from referee.match.transcript import FaultMark
from tournaments.league.model import FinishedMatch, faults_of, outcome_of
from tournaments.play.workers.worker_messages import MatchPostponed, MatchVoided, Result
from tournaments.schedule.formats.plan import Plan
from tournaments.schedule.suspension import Suspension


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


class LeagueSnapshot(Protocol):
    """The part of a league's state that events are made of."""

    @property
    def plan(self) -> Plan:
        """The waves so far."""

    @property
    def suspensions(self) -> Mapping[str, Suspension]:
        """The suspensions that follow from the results so far, by entry."""

    @property
    def decided_suspensions(self) -> Mapping[str, Suspension]:
        """The suspensions that no match can change any more, by entry."""


class EventRecorder:
    """Turns the results of one run into events, in order."""

    def __init__(self, league: str, season: LeagueSnapshot) -> None:
        """Begin. The facts that the season knows already give no events."""
        self._league = league
        self._season = season
        self._waves = len(season.plan.waves)
        self._suspended = set(season.decided_suspensions)

    def take(self, result: Result) -> Iterator[Event]:
        """The events of a result, which must be noted in the season already."""
        yield from self._new_waves()
        yield from _told(result)
        yield from self._new_suspensions()

    def _new_waves(self) -> Iterator[Event]:
        waves = self._season.plan.waves
        for number, wave in enumerate(waves[self._waves :], self._waves + 1):
            yield WaveBegan(number, len(wave))
        self._waves = len(waves)

    def _new_suspensions(self) -> Iterator[Event]:
        if self._season.suspensions.keys() <= self._suspended:
            return
        new = {bot: found for bot, found in self._season.decided_suspensions.items() if bot not in self._suspended}
        self._suspended.update(new)
        for bot, found in sorted(new.items()):
            yield BotSuspended(self._league, bot, found.faults, found.matches)


def _told(result: Result) -> Iterator[Event]:
    match = result.fixture.id
    if isinstance(result, FinishedMatch):
        outcome = outcome_of(result)
        yield MatchScored(match, outcome.ending, result.fixture.entries, outcome.places, result.thinking_us)
        yield from (_failed(result, fault) for fault in faults_of(result))
    elif isinstance(result, MatchPostponed):
        yield BotUnreachable(match, result.entry, result.reason)
    elif isinstance(result, MatchVoided):
        yield (
            WorkerRestarted(match, result.reason)
            if result.lost_worker
            else MatchVoid(match, result.reason, result.busy)
        )


def _failed(match: FinishedMatch, fault: FaultMark) -> BotFailed:
    return BotFailed(match.fixture.id, match.fixture.entries[fault.seat], fault.kind.value)
