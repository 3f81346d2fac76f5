"""The bots of a league that is open for playing: those of its roster, called and pinned."""

from collections.abc import Sequence

from msgspec.structs import replace

from referee.core.errors import FileProblems, WrongUse
from referee.runtime.host import Bot
from tournaments.league.model import Entry, League
from tournaments.league.roster import roster
from tournaments.play.bots import RollCall
from tournaments.play.environment import Environment
from tournaments.play.workers.worker_messages import Work, work_of
from tournaments.results.progress import league_moment
from tournaments.results.stored_league import stored_league
from tournaments.schedule.formats import problems
from tournaments.schedule.seating import lack
from tournaments.store import Store, logs_folder, service_lock, store_file
from tournaments.store.pinned_league import LeagueChanged, Pinned, keep_pins
from tournaments.submissions.bot_folders import BotFolders
from tournaments.submissions.build_environment import CannotConfine
from tournaments.submissions.tree_cache import CacheError

_MOST_LACKING = 64


class TooFewBots(WrongUse):
    """The bots of the file, and those that were entered, do not make a league.

    Attributes:
        lacks: how many more would.
    """

    def __init__(self, text: str, lacks: int = 1) -> None:
        super().__init__(text)
        self.lacks = lacks


class Participants:
    """The bots that play, as the roster is now.

    Attributes:
        file: the league as its file is.
        league: the league with the bots of its roster that can be played with.
        pinned: the values that its first run pinned, with those of all bots since.
        away: one sentence for each remote bot that did not answer when it was called.
        refused: one sentence for each bot that was entered during the run and cannot be played with.
    """

    def __init__(
        self, file: League, store: Store, bot_folders: BotFolders, machine: Environment, *, accept_builds: bool
    ) -> None:
        """Call all bots, and pin them.

        The store has the bots that were entered and withdrawn since; `bot_folders` has the bots that are kept
        there. With `accept_builds`, the bots' build output may have changed since the last run.

        Raises:
            FileProblems: a bot cannot be played with, or a file of it cannot be read.
            TooFewBots: they do not make a league.
            LeagueChanged: the league is not the one that its first run pinned.
            CacheError: the build of a bot cannot be loaded.
        """
        self.file = file
        self._store = store
        self._bot_folders = bot_folders
        self._machine = machine
        self._place = store_file(store.url)
        self._logs = logs_folder(store.url, file.name)
        self._service_lock = str(service_lock(store.url, file.name))
        self._withdraw_missing()
        self.league = replace(file, entries=roster(file.entries, store.changes()))
        check_enough_bots(self.league)
        called = self._call(self.league)
        if called.problems:
            raise FileProblems(called.problems)
        contents, seed, now_ms = machine.contents(self.league), machine.new_seed(), machine.now_ms()
        self.pinned: Pinned = store.open_league(self.league, contents, seed, now_ms, accept_builds=accept_builds)
        self.file, self.league = keep_pins(file, self.pinned), keep_pins(self.league, self.pinned)
        self.away: list[str] = list(called.away)
        self.refused: list[str] = []
        self._bots: dict[str, Bot] = dict(called.bots)

    @property
    def work(self) -> Work:
        """The settings for the workers."""
        return work_of(self.league, self._bots, self._logs)

    def refresh(self) -> int:
        """Add entered bots and remove withdrawn ones. Returns how many times the roster was changed so far."""
        changes = self._store.changes()
        able: list[Entry] = []
        for entry in roster(self.file.entries, changes):
            if entry in self.league.entries or self._admits(entry, able):
                able.append(entry)
        self.league = keep_pins(replace(self.league, entries=tuple(able)), self.pinned)
        return len(changes)

    def _call(self, league: League) -> RollCall:
        """Call bots, those that are kept in the store from where they are unpacked."""
        if any(entry.source is not None for entry in league.entries):
            league = self._bot_folders.with_folders(
                league, self._machine.build_environment(league), self._machine.now_ms()
            )
        league = replace(league, service_lock=self._service_lock)
        return self._machine.roll_call(league, self._place, self._logs)

    def _withdraw_missing(self) -> None:
        """Withdraw the bots of the wave under way that are gone from the file: their matches cannot be played."""
        stored, issues = stored_league(self.file, self._store), self._store.issues()
        wave = None if stored is None or not issues else league_moment(stored).wave
        if stored is None or wave is None:
            return
        gone = {entry for line_up in issues[wave].line_ups for entry in line_up.entries}
        gone -= {entry.name for entry in stored.league.entries} | stored.withdrawn().get(wave, frozenset())
        for name in sorted(gone):
            self._store.change(name, None, self._machine.now_ms(), lambda: wave)

    def _admits(self, entry: Entry, others: Sequence[Entry]) -> bool:
        """Whether a bot that was entered can be played with. If so, it is called and pinned."""
        alone = replace(self.league, entries=(entry,))
        try:
            called = self._call(replace(self.league, entries=(*others, entry)))
            if called.problems:
                raise FileProblems(called.problems)
            contents = self._machine.contents(alone)
            pinned = self._store.open_league(alone, contents, self.pinned.seed_bytes, self._machine.now_ms())
        except (FileProblems, LeagueChanged, CacheError, CannotConfine) as error:
            sentence = f"{entry.name} cannot be taken in: {error}"
            self.refused += [] if sentence in self.refused else [sentence]
            return False
        self.pinned = replace(pinned, contents={**self.pinned.contents, **pinned.contents})
        self.away += called.away
        self._bots.update(called.bots)
        return True


def check_enough_bots(league: League) -> None:
    """Check that the roster makes a league. Where bots may be submitted, this is only known when it is played.

    Raises:
        TooFewBots: it does not.
    """
    if league.submissions is None:
        return
    reasons = _too_few(league)
    if reasons:
        sentences = [f"{league.name} cannot be played yet: {sentence}" for sentence in reasons]
        raise TooFewBots("\n".join([*sentences, "it waits for more bots"]), _lacking(league))


def _too_few(league: League) -> list[str]:
    bots = len(league.entries)
    lacks = [(table.name, lack(table, bots)) for table in league.tables]
    sentences = [f"table {name}: {lacking.sentence}" for name, lacking in lacks if lacking is not None]
    return sentences or [f"format: {problem}" for problem in problems(league)]


def _lacking(league: League) -> int:
    """How many bots a league lacks, of those numbers that make one; a format may have other problems."""
    for more in range(1, _MOST_LACKING):
        others = tuple(Entry(f"{number}@0", "") for number in range(more))
        if not _too_few(replace(league, entries=(*league.entries, *others))):
            return more
    return 1
