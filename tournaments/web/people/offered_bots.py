"""The offer to visitors of a league: its game, and the bots that the organizer opened to them, ready to start."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec.structs import replace

from referee.files.problems import FileProblems
from referee.runtime.confinement import confinement
from referee.wire.registry import game_entry
from tournaments.league.model import Entry, League
from tournaments.league.roster import roster
from tournaments.play.bots import RollCall
from tournaments.play.environment import Environment
from tournaments.store import Store, logs_folder, store_file, trees_folder
from tournaments.submissions.bot_folders import BotFolders
from tournaments.submissions.tree_cache import TreeCache
from tournaments.web.people.match_archive import Archive
from tournaments.web.people.table import TableContext


@contextmanager
def open_table_context(
    league: League, url: str, machine: Environment, tell: Callable[[str], None]
) -> Iterator[TableContext]:
    """The context of a league's tables. The bots' folders do not change as long as the context lasts.

    The store need not exist. `tell` receives a message about each missing opponent.

    Raises:
        FileProblems: a bot cannot be played with.
        CacheError, StoreError: a bot of the store cannot be read.
    """
    with Store(url, league.name) as store, TreeCache(trees_folder(url), store.trees) as cache:
        entries = _opponents(league, roster(league.entries, () if store.is_empty else store.changes()), tell)
        called = _called(replace(league, entries=entries), url, BotFolders(store, cache), machine)
        if called.problems:
            raise FileProblems(called.problems)
        terms = league.parlour
        yield TableContext(
            league=league.name,
            game=game_entry(league.game),
            bots=called.bots,
            clock=league.clock,
            confinement=confinement(league.sandbox, league.limits, [Path(place) for place in league.read]),
            terms=terms,
            archive=Archive(folder_of(url, league.name), terms.kept, terms.kept_mib << 20),
        )


def folder_of(url: str, league: str) -> Path:
    """The folder for matches of persons: beside the store, like the folder for the output of bots.

    Raises:
        WrongAddress: the address is not one of a store.
    """
    return logs_folder(url, league).with_suffix(".persons")


def _opponents(league: League, entries: Iterable[Entry], tell: Callable[[str], None]) -> tuple[Entry, ...]:
    here = {entry.name: entry for entry in entries}
    found = []
    for name in league.parlour.opponents:
        if name not in here:
            tell(f"{league.name}: visitors cannot play with {name}, which is not on the roster")
        elif here[name].remote is not None:
            tell(f"{league.name}: visitors cannot play with {name}, which is called at an address")
        else:
            found.append(here[name])
    return tuple(found)


def _called(league: League, url: str, bot_folders: BotFolders, machine: Environment) -> RollCall:
    if any(entry.source is not None for entry in league.entries):
        league = bot_folders.with_folders(league, machine.build_environment(league), machine.now_ms())
    return machine.roll_call(league, store_file(url), logs_folder(url, league.name))
