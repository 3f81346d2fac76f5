"""Plays scrimmages. A scrimmage is a temporary league of one table, with a random seed."""

import shutil
import time
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from referee.core.errors import UserError
from tournaments.league.admission.scrimmages import Scrimmage, Stage
from tournaments.league.format_settings import BalancedSettings
from tournaments.league.model import Entry, League
from tournaments.league.roster import roster
from tournaments.league.service_terms import ServiceTerms
from tournaments.play.environment import Environment
from tournaments.play.run import open_run
from tournaments.store import Store, StoreAway, trees_folder
from tournaments.submissions.bot_folders import BotFolders

_TRIES = 3
"""How often a scrimmage starts if it kills submission workers."""

_MOST_S = 600
"""The time limit of a scrimmage, in seconds. The matches played until then count as its result."""


class ScrimmageFailed(Exception):
    """A scrimmage cannot be played; the text says why, in a sentence for its author."""


def folder_of(url: str) -> Path:
    """The folder for the scrimmages of a store's leagues: beside the unpacked trees of its bots."""
    return trees_folder(url).with_suffix(".scrimmages")


def home_of(url: str, league: str, number: int) -> Path:
    """The folder of one scrimmage."""
    return folder_of(url) / f"{league}-{number}"


def store_of(home: Path) -> str:
    """The address of the store in the folder of a scrimmage."""
    return f"sqlite:///{home / 'scrimmage.sqlite'}"


def league_of(
    file: League, scrimmage: Scrimmage, entries: tuple[Entry, ...] = (), deal_seed: str | None = None
) -> League:
    """The league of a scrimmage: a copy of the main league with one table, and without the seed."""
    (table,) = [each for each in file.tables if each.name == scrimmage.table]
    return replace(
        file,
        name=f"scrimmage-{scrimmage.number}",
        deals=scrimmage.deals,
        seed=None,
        rehearsal=False,
        tables=(table,),
        entries=entries,
        store=None,
        format=BalancedSettings(),
        notify=(),
        submissions=None,
        service=None,
        again=0.0,
        deal_seed=deal_seed,
    )


class ScrimmageEnvironment:
    """Plays the scrimmages of one league."""

    def __init__(self, file: League, store: Store, bot_folders: BotFolders, machine: Environment) -> None:
        """Prepare to play, with the store's bots in `bot_folders`."""
        self._file = file
        self._store = store
        self._bot_folders = bot_folders
        self._machine = machine

    def waiting(self) -> list[Scrimmage]:
        """The waiting scrimmages, the oldest first."""
        return self._store.scrimmages.waiting()

    def spar(self, scrimmage: Scrimmage) -> str:
        """Play a waiting scrimmage. This stores the outcome, and deletes older scrimmages of the author.

        Returns:
            The outcome, in words for the organizer.

        Raises:
            StoreError: the store fails.
        """
        self._drop_older(scrimmage.author)
        try:
            self._play(scrimmage)
        except ScrimmageFailed as reason:
            return self._end(scrimmage, "failed", str(reason))
        except StoreAway:
            raise  # it is played when the store is back
        except UserError as failure:
            self._end(scrimmage, "failed", "it could not be played, through our fault; ask for it again")
            return str(failure)
        return self._end(scrimmage, "played", "")

    def _end(self, scrimmage: Scrimmage, stage: Stage, reason: str) -> str:
        self._store.scrimmages.end(scrimmage.number, stage, reason, self._machine.now_ms())
        return f"{stage} {reason}".rstrip()

    def _play(self, scrimmage: Scrimmage) -> None:
        home = home_of(self._store.url, self._file.name, scrimmage.number)
        tries = home.with_name(f"{home.name}.tries")
        home.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tries.open("ab") as file:
            file.write(b".")
        if tries.stat().st_size > _TRIES:
            raise ScrimmageFailed("whatever played it was lost again and again")
        shutil.rmtree(home, ignore_errors=True)  # the files of a killed submission worker
        home.mkdir(mode=0o700)
        deal_seed = self._deal_seed(scrimmage)
        league = league_of(self._file, scrimmage, self._entries(scrimmage), deal_seed)
        with open_run(league, store_of(home), self._machine) as run:
            for _ in run.play(_after(_MOST_S)):
                pass
        tries.unlink()

    def _entries(self, scrimmage: Scrimmage) -> tuple[Entry, ...]:
        here = {entry.name: entry for entry in roster(self._file.entries, self._store.changes())}
        names = (scrimmage.bot, *scrimmage.against)
        gone = [name for name in names if name not in here]
        if gone:
            raise ScrimmageFailed(f"{gone[0]} has left the league")
        chosen = replace(self._file, entries=tuple(here[name] for name in names))
        unpacked = self._bot_folders.with_folders(
            chosen, self._machine.build_environment(self._file), self._machine.now_ms()
        )
        # They play from their unpacked folders: the other store does not have them.
        return tuple(replace(entry, source=None) for entry in unpacked.entries)

    def _deal_seed(self, scrimmage: Scrimmage) -> str | None:
        """The seed of the deal that the author named. It was closed when the author asked, so it still is."""
        if not scrimmage.match:
            return None
        found = self._store.transcript(scrimmage.match)
        if found is None:
            raise ScrimmageFailed(f"there is no match {scrimmage.match} any more")
        return found.record.header.deal_seed

    def _drop_older(self, author: str) -> None:
        kept = (self._file.service or ServiceTerms()).scrimmages
        for old in self._store.scrimmages.of(author)[: -max(kept, 1)]:
            shutil.rmtree(home_of(self._store.url, self._file.name, old.number), ignore_errors=True)


def _after(seconds: float) -> Callable[[], bool]:
    until_s = time.monotonic() + seconds
    return lambda: time.monotonic() > until_s
