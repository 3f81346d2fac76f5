"""An executor without processes. It plays by the real rules, in any order, and can lose matches or stop early."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from itertools import count, islice
from pathlib import Path
from random import Random
from types import TracebackType

import msgspec
from msgspec.structs import replace

from referee.core import seeds
from referee.core.game import AnyGame
from referee.match.conversation import Chosen, Failed, Ready, Reply
from referee.match.match import Ask, Match, Open, Request
from referee.match.terms import Clock
from referee.match.transcript import FaultKind, Header, Transcript
from tests.auction import Auction, Options
from tests.tournaments.leagues import league
from tournaments.league.model import Entry, FinishedMatch, Fixture, League, Sitting, TableSpec, finished
from tournaments.league.status import Fleet
from tournaments.play import run as runs
from tournaments.play.bots import RollCall
from tournaments.play.cores import GiveWay
from tournaments.play.match_results import BrokenBatch, MatchPostponed, MatchVoided, Result
from tournaments.play.workers.sitting_supply import SittingSupply
from tournaments.play.workers.worker_messages import Crowding, Executor, Work
from tournaments.results.computed_tables import league_standings
from tournaments.results.standings import Standings
from tournaments.store.pinned_league import Content
from tournaments.submissions.build_environment import BuildEnvironment

GAME: AnyGame = Auction()

Bot = Callable[[Ask, str], Reply]
"""Takes a question and the bot's seed for this match (hex). Gives the bot's answer."""


class Stopped(Exception):
    """The run is over before its time."""


def draws(ask: Ask, seed: str) -> Reply:
    """Any legal action, by seed and decision."""
    (index,) = seeds.rolls(seeds.child(bytes.fromhex(seed), str(ask.number)), len(ask.legal), 1)
    return Chosen(index)


def bids_high(ask: Ask, _seed: str) -> Reply:
    """The last action."""
    return Chosen(len(ask.legal) - 1)


def fails(ask: Ask, _seed: str) -> Reply:
    """Never a legal action."""
    return Failed(FaultKind.ILLEGAL, f"chose index 9 at decision {ask.number}, which had {len(ask.legal)} actions")


def fails_in(percent: int) -> Bot:
    """A bot that fails in this percentage of its matches. Their seeds decide in which ones."""

    def sometimes(ask: Ask, seed: str) -> Reply:
        (roll,) = seeds.rolls(seeds.child(bytes.fromhex(seed), "fails"), 100, 1)
        return fails(ask, seed) if roll < percent else draws(ask, seed)

    return sometimes


def play_in_process(game: AnyGame, header: Header, clock: Clock, bots: Sequence[Bot]) -> Transcript:
    """One match. Every decision takes a millisecond."""
    match = Match(game, header, clock)
    for request in match:
        match.reply(_reply(request, header, bots), 1_000)
    return match.transcript()


def _reply(request: Request, header: Header, bots: Sequence[Bot]) -> Reply | None:
    if isinstance(request, Ask):
        return bots[request.seat](request, header.bot_seeds[request.seat])
    return Ready() if isinstance(request, Open) else None


def as_it_comes(fixtures: list[Fixture]) -> list[Fixture]:
    """Sitting after sitting."""
    return fixtures


def shuffled(seed: int) -> Callable[[list[Fixture]], list[Fixture]]:
    def arrange(fixtures: list[Fixture]) -> list[Fixture]:
        return Random(seed).sample(fixtures, len(fixtures))

    return arrange


class FakeExecutor:
    """Plays in this process.

    Attributes:
        started: how often each fixture was begun, by id.
        sittings: the sittings that were given out.
        under_way: how many matches were under way whenever one of them was played.
        renewed: the settings that were given since it began.
    """

    MOST_SITTINGS: int | None = None
    """So many of the sittings are looked at; None: all of them."""

    def __init__(
        self,
        bots: Mapping[str, Bot] | None = None,
        *,
        game: AnyGame = GAME,
        arrange: Callable[[list[Fixture]], list[Fixture]] = as_it_comes,
        ahead: int = 1,
        loses: Callable[[Fixture, int], bool] = lambda _fixture, _attempt: False,
        stops_after: int | None = None,
        away: Callable[[str], bool] = lambda _entry: False,
        kills: Callable[[Fixture], bool] = lambda _fixture: False,
        busy: Callable[[Fixture, int], bool] = lambda _fixture, _attempt: False,
        unable: Callable[[Fixture, int], bool] = lambda _fixture, _attempt: False,
        crowding: Crowding | None = None,
        together: int = 8,
        clock: Clock = Clock(),  # noqa: B008 - it is frozen
    ) -> None:
        """Prepare to play.

        Args:
            bots: by entry, the bots that do not choose at random.
            game: the game that is played.
            arrange: takes the order of the sittings and gives the order of playing.
            ahead: how many matches are given out before the first of them is back.
            loses: whether the n-th attempt (from 1) at a fixture is void.
            stops_after: after this many matches, the next one raises Stopped.
            away: whether an entry cannot be reached when it is called.
            kills: whether every attempt at a fixture costs the worker.
            busy: whether the machine is too busy for the n-th attempt (from 1) at a fixture.
            unable: whether the machine can start nothing at the n-th attempt (from 1) at a fixture.
            crowding: how many workers are said to share a core.
            together: how many results come without a pause. They are stored at once, and storing is what costs most.
            clock: that of the league.
        """
        self.started: Counter[str] = Counter()
        self.sittings: list[Sitting] = []
        self.under_way: list[int] = []
        self.renewed: list[Work] = []
        self._bots = bots or {}
        self._game = game
        self._arrange = arrange
        self._ahead = ahead
        self._loses = loses
        self._left = stops_after
        self._away = away
        self._kills = kills
        self._busy = busy
        self._unable = unable
        self._crowding = crowding
        self._together = together
        self._clock = clock

    @property
    def workers(self) -> int:
        return self._ahead

    def renew(self, work: Work) -> None:
        self.renewed.append(work)

    @property
    def crowding(self) -> Crowding | None:
        return self._crowding

    def play(self, supply: SittingSupply) -> Iterator[Result | BrokenBatch | Fleet | None]:
        played = list(islice(iter(lambda: supply.next(Counter()), None), self.MOST_SITTINGS))
        self.sittings += played
        waiting = self._arrange([fixture for sitting in played for fixture in sitting.fixtures])
        given: list[tuple[Fixture, Header]] = []
        for told in count(1):
            while len(given) < min(self._ahead, supply.at_once) and waiting:
                fixture = waiting.pop(0)
                header = supply.header(fixture)
                if header is not None:
                    given.append((fixture, header))
            if not given:
                return
            self.under_way.append(len(given))
            yield self._play(*given.pop())
            if told % self._together == 0:
                yield None

    def _play(self, fixture: Fixture, header: Header) -> Result:
        if self._left == 0:
            raise Stopped
        if self._left is not None:
            self._left -= 1
        for entry in fixture.entries:
            if self._away(entry):
                return MatchPostponed(fixture, entry, "nobody answers")
        self.started[fixture.id] += 1
        if self._unable(fixture, self.started[fixture.id]):
            return MatchVoided(fixture, "no inodes", cannot_start=True)
        if self._loses(fixture, self.started[fixture.id]):
            return MatchVoided(fixture, "lost on purpose")
        if self._busy(fixture, self.started[fixture.id]):
            return MatchVoided(fixture, "the bot waited for a core", busy=True)
        if self._kills(fixture):
            return MatchVoided(fixture, "a worker process was lost", lost_worker=True)
        bots = [self._bots.get(entry, draws) for entry in fixture.entries]
        return finished(fixture, play_in_process(self._game, header, self._clock, bots))


def auction_league(bots: Iterable[str] = ("ann", "bob", "cid"), deals: int = 5, *, seats: int = 2) -> League:
    """A league of the auction."""
    table = TableSpec("auction", seats, msgspec.to_builtins(Options()))
    return league(bots, deals, game=GAME.name, rules_version=GAME.rules_version, tables=(table,))


class HandsBack:
    """An executor that hands back these matches, and then stops."""

    def __init__(self, matches: Iterable[FinishedMatch]) -> None:
        self._matches = matches

    @property
    def workers(self) -> int:
        return 1

    def renew(self, work: Work) -> None:
        raise AssertionError(work)

    @property
    def crowding(self) -> Crowding | None:
        return None

    def play(self, _supply: SittingSupply) -> Iterator[Result | None]:
        yield from self._matches
        raise Stopped


def nothing_changes(league: League) -> dict[str, Content]:
    """The contents of bots that do not exist."""
    return {entry.name: replace(_content(entry), terms=entry.terms, author=entry.author) for entry in league.entries}


def _content(entry: Entry) -> Content:
    return Content(entry.source, "") if entry.source else Content("remote" if entry.remote else "tree", "built")


class FakeMachine:
    """Bots that need no files, and a clock that ticks whenever it is read.

    Attributes:
        now: the executor that plays from now on.
        waited_ms: the length of each wait for a bot, or for the store.
        told: what it said that it waits for.
    """

    def __init__(
        self, now: Executor, contents: Callable[[League], dict[str, Content]] = nothing_changes, started_ms: int = 0
    ) -> None:
        self.now = now
        self.contents = contents
        self.waited_ms: list[int] = []
        self.told: list[str] = []
        self._now_ms = started_ms

    def now_ms(self) -> int:
        self._now_ms += 1
        return self._now_ms

    def wait_ms(self, milliseconds: int) -> None:
        self.waited_ms.append(milliseconds)
        self._now_ms += milliseconds

    def tell(self, sentence: str) -> None:
        self.told.append(sentence)

    def new_seed(self) -> bytes:
        return bytes(32)

    def roll_call(self, _league: League, _store: Path | None, _logs: Path) -> RollCall:
        return RollCall({}, [], [])

    def build_environment(self, league: League) -> BuildEnvironment:
        raise AssertionError(league)

    def executor(self, _work: Work, _run_dir: Path) -> AbstractContextManager[Executor]:
        return nullcontext(_Whoever(self))

    def turn(self, _lock: Path) -> AbstractContextManager[GiveWay]:
        return nullcontext(lambda: None)


class _Whoever:
    """The executor of the machine that plays from now on, whichever that is."""

    def __init__(self, machine: FakeMachine) -> None:
        self._machine = machine

    @property
    def workers(self) -> int:
        return self._machine.now.workers

    def renew(self, work: Work) -> None:
        self._machine.now.renew(work)

    @property
    def crowding(self) -> Crowding | None:
        return self._machine.now.crowding

    def play(self, supply: SittingSupply) -> Iterator[Result | BrokenBatch | Fleet | None]:
        return self._machine.now.play(supply)


class Run:
    """A run of a league on the store in `folder`.

    Attributes:
        open: the league, as long as the context lasts.
        told: every result so far.
    """

    open: runs.Run

    def __init__(self, folder: Path, planned: League, started_ms: int = 0) -> None:
        self.league = planned
        self.machine = FakeMachine(FakeExecutor(), started_ms=started_ms)
        self.told: list[Result] = []
        self._context = runs.open_run(planned, f"sqlite:///{folder / 'store.sqlite'}", self.machine)

    def __enter__(self) -> "Run":
        self.open = self._context.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._context.__exit__(kind, error, trace)

    def play(self, executor: Executor) -> "Run":
        self.machine.now = executor
        for result in self.open.play():
            self.told.append(result)
        return self

    def standings(self) -> Standings:
        return league_standings(self.open.results)

    def keep(self, *matches: FinishedMatch) -> "Run":
        """Store these as if they had been played."""
        with suppress(Stopped):
            self.play(HandsBack(matches))
        return self

    def stored_ms(self) -> dict[str, int]:
        return {played.fixture: played.stored_ms for played in self.open.results.matches()}
