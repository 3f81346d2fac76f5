"""An executor without processes: it plays by the real rules, in any order, loses matches, and stops half-way."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

import msgspec

from referee.core import seeds
from referee.core.game import AnyGame
from referee.match.clock import Clock
from referee.match.conversation import Chosen, Failed, Ready, Reply
from referee.match.match import Ask, Match, Open, Request
from referee.match.transcript import FaultKind, Header, Transcript
from tests.auction import Auction, Options
from tests.tournaments.leagues import league
from tournaments import league as leagues
from tournaments.executors.work import Postponed, Result, Voided
from tournaments.model import Fixture, League, Sitting, TableSpec, finished
from tournaments.pins import Pinned
from tournaments.standings import Standings, standings
from tournaments.store import Store

GAME: AnyGame = Auction()

Bot = Callable[[Ask, str], Reply]
"""From a question and the bot's seed for this match (hex) to what it answers."""


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
    """A bot that fails in so many of its matches; which ones, only their seeds say."""

    def sometimes(ask: Ask, seed: str) -> Reply:
        (roll,) = seeds.rolls(seeds.child(bytes.fromhex(seed), "fails"), 100, 1)
        return fails(ask, seed) if roll < percent else draws(ask, seed)

    return sometimes


def play_in_process(game: AnyGame, header: Header, clock: Clock, bots: Sequence[Bot]) -> Transcript:
    """One match; every decision takes a millisecond."""
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
    """

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
    ) -> None:
        """Prepare to play.

        Args:
            bots: by entry, those that do not just draw.
            game: what is played.
            arrange: from the order of the sittings to the order of playing.
            ahead: how many matches are given out before the first of them is back.
            loses: whether the n-th attempt (from 1) at a fixture is void.
            stops_after: so many matches; the next one raises Stopped.
            away: whether an entry cannot be reached when it is called.
        """
        self.started: Counter[str] = Counter()
        self._bots = bots or {}
        self._game = game
        self._arrange = arrange
        self._ahead = ahead
        self._loses = loses
        self._left = stops_after
        self._away = away

    def play(
        self, sittings: Iterable[Sitting], header: Callable[[Fixture], Header], wanted: Callable[[Fixture], bool]
    ) -> Iterator[Result]:
        waiting = self._arrange([fixture for sitting in sittings for fixture in sitting.fixtures])
        given: list[Fixture] = []
        while True:
            while len(given) < self._ahead and waiting:
                fixture = waiting.pop(0)
                if wanted(fixture):
                    given.append(fixture)
            if not given:
                return
            yield self._play(given.pop(), header)

    def _play(self, fixture: Fixture, header: Callable[[Fixture], Header]) -> Result:
        if self._left == 0:
            raise Stopped
        if self._left is not None:
            self._left -= 1
        for entry in fixture.entries:
            if self._away(entry):
                return Postponed(fixture, entry, "nobody answers")
        self.started[fixture.id] += 1
        if self._loses(fixture, self.started[fixture.id]):
            return Voided(fixture, "lost on purpose")
        bots = [self._bots.get(entry, draws) for entry in fixture.entries]
        return finished(fixture, play_in_process(self._game, header(fixture), Clock(), bots))


def auction_league(bots: Iterable[str] = ("ann", "bob", "cid"), deals: int = 5, *, seats: int = 2) -> League:
    """A league of the auction."""
    table = TableSpec("auction", seats, msgspec.to_builtins(Options()))
    return league(bots, deals, game=GAME.name, rules_version=GAME.rules_version, tables=(table,))


class Run:
    """One run of a league on the store in `folder`, with a clock that ticks at every result."""

    def __init__(self, folder: Path, planned: League, started_ms: int = 0) -> None:
        self.league = planned
        self.store = Store(f"sqlite:///{folder / 'store.sqlite'}", planned.name)
        self.pinned: Pinned = self.store.open_league(planned, {e.name: "tree" for e in planned.entries}, b"", 0)
        self.told: list[Result] = []
        self.waited_ms: list[int] = []
        self._now_ms = started_ms

    def __enter__(self) -> "Run":
        return self

    def __exit__(self, *_: object) -> None:
        self.store.close()

    def play(self, executor: FakeExecutor) -> "Run":
        season = leagues.season_of(self.league, self.store, self.store.results())
        leagues.play(self.league, self.pinned, self.store, season, executor, self, self.told.append)
        return self

    def standings(self) -> Standings:
        results = self.store.results()
        verdict = leagues.season_of(self.league, self.store, results).verdict()
        by_fixture = {played.fixture: played for played in results}
        return standings(self.league, self.pinned.seed_bytes, verdict, by_fixture, len(self.store.voids()))

    def stored_ms(self) -> dict[str, int]:
        return {played.fixture: played.stored_ms for played in self.store.results()}

    def now_ms(self) -> int:
        self._now_ms += 1
        return self._now_ms

    def wait_ms(self, milliseconds: int) -> None:
        self.waited_ms.append(milliseconds)
        self._now_ms += milliseconds
