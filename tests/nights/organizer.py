"""What the organizer and the authors do in a night: they enter, withdraw and submit bots, and give commands."""

from collections.abc import Callable, Mapping

from referee.core.errors import UserError
from tests.nights.leagues import BY_RESULTS, GAME, NightLeague, entry_of
from tests.nights.world import World
from tests.tournaments.workshops import FakeWorkshop, entered
from tournaments.maintenance.close_league import close
from tournaments.maintenance.pruning import prune
from tournaments.results.stored_league import open_results

LATEST_MS = 2_000
COMMANDS: Mapping[str, float] = {
    "enters a bot": 0.4,
    "withdraws a bot": 0.3,
    "submits a bot": 0.5,
    "reinstates a bot": 0.5,
    "takes abandoned matches up": 0.3,
    "reads the standings": 0.05,
    "closes the league": 0.03,
    "prunes": 0.1,
}
"""The part of the nights in which somebody does this. Only a league that takes submissions gets one."""

ALONE = ("closes the league", "prunes", "takes abandoned matches up")
"""What is done only while nobody plays the league. (If a run decides a wave just then, what is taken up is lost.)"""


class Organizer:
    """Does what was drawn, at its time.

    Attributes:
        due: what will be done, and when.
    """

    def __init__(self, night: NightLeague, world: World, url: str) -> None:
        self._night = night
        self._world = world
        self._url = url
        self._commands: Mapping[str, Callable[[], object]] = {
            "enters a bot": self._enter,
            "withdraws a bot": self._withdraw,
            "submits a bot": self._submit,
            "reinstates a bot": self._reinstate,
            "takes abandoned matches up": self.retry,
            "reads the standings": self._read,
            "closes the league": self._close,
            "prunes": self._prune,
        }
        rng = world.rng
        self.due = [
            (rng.randrange(LATEST_MS), command)
            for command in self._commands
            if rng.random() < COMMANDS[command] and self._is_possible(command)
        ]
        self.due.sort()

    def _is_possible(self, command: str) -> bool:
        league = self._night.league
        if command == "submits a bot":
            return league.submissions is not None
        if command == "reinstates a bot":
            return self._night.kind not in BY_RESULTS and bool(self._night.failing)
        return True

    def act(self, *, alone: bool = False) -> int:
        """Do what is due; with `alone`, also what needs that nobody plays the league. Nothing is tried twice.

        Returns:
            How many commands were given.
        """
        due = [each for each in self.due if each[0] <= self._world.passed_ms and (alone or each[1] not in ALONE)]
        for each in due:
            self.due.remove(each)
            _, command = each
            with self._world.aside():
                self.give(command, self._commands[command])
        return len(due)

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
        with open_results(self._night.league, self._url) as kept:
            return kept.retry()

    def _enter(self) -> str:
        entry = entry_of("new", is_remote=self._world.rng.random() < 0.2)
        with open_results(self._night.league, self._url) as kept:
            kept.enter(entry, self._world.now_ms())
        return entry.name

    def _withdraw(self) -> str:
        name = self._night.league.entries[-1].name
        with open_results(self._night.league, self._url) as kept:
            kept.withdraw(name, self._world.now_ms())
        return name

    def _submit(self) -> str:
        return entered(self._url, self._night.league, FakeWorkshop(), "bee", game=GAME).name

    def _reinstate(self) -> str:
        name = sorted(self._night.failing)[0]
        with open_results(self._night.league, self._url) as kept:
            kept.reinstate(name, self._world.now_ms())
        return name

    def _read(self) -> None:
        with open_results(self._night.league, self._url) as kept:
            kept.standings()

    def _close(self) -> None:
        close(self._night.league, self._url, self._world.now_ms(), abandon=True)

    def _prune(self) -> None:
        prune(self._night.league, self._url, self._world.now_ms())
