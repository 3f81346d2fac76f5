"""What the organizer and the authors do in a night: they enter, withdraw and submit bots, and give commands."""

from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import NamedTuple

from referee.core.errors import UserError
from tests.nights.leagues import BY_RESULTS, GAME, NightLeague, entry_of
from tests.nights.world import World
from tests.tournaments.workshops import FakeWorkshop, entered
from tournaments.maintenance.close_league import close
from tournaments.maintenance.pruning import prune
from tournaments.results.computed_tables import league_standings
from tournaments.results.organizer_actions import enter_bot, reinstate_bot, retry_abandoned, withdraw_bot
from tournaments.results.stored_league import open_results
from tournaments.schedule.leaving import Leaving
from tournaments.store import Store

LATEST_MS = 2_000
COMMANDS: Mapping[str, float] = {
    "enters a bot": 0.4,
    "withdraws a bot": 0.3,
    "submits a bot": 0.5,
    "submits a newer version": 0.4,
    "reinstates a bot": 0.5,
    "takes abandoned matches up": 0.3,
    "reads the standings": 0.05,
    "closes the league": 0.03,
    "prunes": 0.1,
}
"""The part of the nights in which somebody does this. Only a league that takes submissions gets one."""

ALONE = ("closes the league", "prunes")
"""What is done only while nobody plays the league."""


_PATIENT = 0.5
"""How probable it is that the organizer waits with a command until a run decides, and then for a later moment."""


class Departure(NamedTuple):
    """A bot was withdrawn.

    Attributes:
        leaving: what the command said that this changes.
        counted: the matches of the bot that counted before, each with its deal.
    """

    leaving: Leaving
    counted: Mapping[str, int]


class Arrival(NamedTuple):
    """A bot was entered.

    Attributes:
        bot: its name.
        begins: from when on it plays, as the command said.
        waves: how many waves there were.
    """

    bot: str
    begins: str
    waves: int


class _Due(NamedTuple):
    """A command that will be given: when, which, and whether the organizer waits with it until a wave is decided."""

    at_ms: int
    command: str
    waits: bool


class Organizer:
    """Does what was drawn, at its time.

    Attributes:
        due: what will be done, and when.
        waves_before: by entry that was reinstated, how many waves there were then.
        departures: the bots that were withdrawn.
        arrivals: the local bots that were entered.
        may_change_suspensions: whether matches were taken up again that were abandoned or skipped, or bots entered a
            planned league, whose plan is another one then.
    """

    def __init__(self, night: NightLeague, world: World, url: str, look: Callable[[], None]) -> None:
        """`look` is called before and after each command."""
        self._night = night
        self._world = world
        self._url = url
        self._look = look
        self._commands: Mapping[str, Callable[[], object]] = {
            "enters a bot": self._enter,
            "withdraws a bot": self._withdraw,
            "submits a bot": self._submit,
            "submits a newer version": self._submit_newer,
            "reinstates a bot": self._reinstate,
            "takes abandoned matches up": self.retry,
            "reads the standings": self._read,
            "closes the league": self._close,
            "prunes": self._prune,
        }
        self.waves_before: dict[str, int] = {}
        self.departures: list[Departure] = []
        self.arrivals: list[Arrival] = []
        self.may_change_suspensions = False
        self._habits = Random(f"habits {world.seed}")
        rng = world.rng
        self.due = [
            _Due(rng.randrange(LATEST_MS), command, self._habits.random() < _PATIENT)
            for command in self._commands
            if rng.random() < COMMANDS[command] and self._is_possible(command)
        ]
        self.due.sort()

    def _is_possible(self, command: str) -> bool:
        league = self._night.league
        if command.startswith("submits"):
            return league.submissions is not None
        if command == "reinstates a bot":
            return bool(self._night.failing)
        return True

    def act(self) -> None:
        """Do what is due beside a run. Nothing is tried twice."""
        self._do(each for each in self.due if each.command not in ALONE and not each.waits)

    def act_at_decision(self) -> None:
        """Do what is due beside a run that is just deciding what follows: now, or at the next opportunity."""
        if self._habits.random() < _PATIENT:
            self._do(each for each in self.due if each.command not in ALONE)

    def act_alone(self) -> int:
        """Do what is due while nobody plays the league. Returns how many commands were given."""
        return self._do(self.due)

    def _do(self, these: Iterable[_Due]) -> int:
        due = [each for each in these if each.at_ms <= self._world.passed_ms]
        for each in due:
            self.due.remove(each)
            self._look()
            with self._world.aside():
                self.give(each.command, self._commands[each.command])
            self._look()
        return len(due)

    def act_after_the_end(self) -> bool:
        """Try what would change a league that is over. Returns whether a bot has entered.

        A bot that enters lets an open or a planned league go on; and a Swiss that had too few bots for its last rounds.
        """
        self.give("withdraws a bot", self._withdraw)
        if self._night.kind not in ("swiss", "knockout"):
            return False
        has_entered = self.give("enters a bot", self._enter) is not None
        if self._night.failing:
            self.give("reinstates a bot", self._reinstate)
        return has_entered

    def finish(self) -> None:
        """Nothing more is done."""
        self.due.clear()

    def give(self, name: str, command: Callable[[], object]) -> object:
        """Give a command, and note how it went. Returns what it returns; None if it fails."""
        try:
            result = command()
        except UserError as error:
            self._world.note(f"# the organizer {name}: {error}")
            return None
        self._world.strikes[f"the organizer {name}"] += 1
        self._world.note(f"# the organizer {name}{'' if result is None else f': {result}'}")
        return result

    def retry(self) -> int:
        """Take abandoned matches up again."""
        with open_results(self._night.league, self._url) as results:
            count = retry_abandoned(results)
        self.may_change_suspensions |= count > 0
        return count

    def _enter(self) -> str:
        entry = entry_of("new", is_remote=self._world.rng.random() < 0.2)
        with open_results(self._night.league, self._url) as results, Store(self._url, results.league.name) as store:
            waves = len(store.issues())
            begins = enter_bot(results, entry, self._world.now_ms())
        self.may_change_suspensions |= self._night.kind not in BY_RESULTS
        if entry.remote is None:
            self.arrivals.append(Arrival(entry.name, begins, waves))
        return entry.name

    def _withdraw(self) -> str:
        name = self._night.league.entries[-1].name
        with open_results(self._night.league, self._url) as results:
            counted = {fixture.id: fixture.deal for fixture, _ in results.state.counted() if name in fixture.entries}
            self.departures.append(Departure(withdraw_bot(results, name, self._world.now_ms()), counted))
        return name

    def _submit(self) -> str:
        self.may_change_suspensions |= self._night.kind not in BY_RESULTS
        return entered(self._url, self._night.league, FakeWorkshop(), "bee", game=GAME).name

    def _submit_newer(self) -> str:
        """The league keeps one version, so the older one leaves."""
        return entered(self._url, self._night.league, FakeWorkshop(), "bee", "2", game=GAME).name

    def _reinstate(self) -> str:
        name = sorted(self._night.failing)[0]
        with open_results(self._night.league, self._url) as results, Store(self._url, results.league.name) as store:
            self.waves_before.setdefault(name, len(store.issues()))  # it stays as it is if the next line is refused
            is_suspended = name in results.overview().verdict().suspensions
            reinstate_bot(results, name, self._world.now_ms())
        self.may_change_suspensions |= is_suspended
        return name

    def _read(self) -> None:
        with open_results(self._night.league, self._url) as results:
            league_standings(results)

    def _close(self) -> None:
        close(self._night.league, self._url, self._world.now_ms(), abandon=True)

    def _prune(self) -> None:
        prune(self._night.league, self._url, self._world.now_ms())
