"""The process with the tables. It reads its orders from the first line of its input, and ends when its input does.

The server starts the process, and restarts it when it is lost. Its bots end with it. Visitors of a league are offered
its game, and the bots that the organizer opened to them, ready to start.
"""

import asyncio
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import msgspec
import uvloop
from msgspec.structs import replace

from referee.core.errors import FileProblems, UserError
from referee.runtime.child_process import serve as die_with
from referee.runtime.confinement import confinement
from referee.wire.registry import game_entry
from tournaments.league.model import Entry, League
from tournaments.league.roster import roster
from tournaments.play.bots import RollCall
from tournaments.play.environment import Environment, LocalEnvironment
from tournaments.store import Store, logs_folder, store_file, trees_folder
from tournaments.submissions.bot_folders import BotFolders
from tournaments.submissions.tree_cache import TreeCache
from tournaments.web.visitors.match_archive import Archive
from tournaments.web.visitors.table import TableContext
from tournaments.web.visitors.tables import OpenTables
from tournaments.web.visitors.tables_rpc import serve


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
        terms = league.visitors
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
    for name in league.visitors.opponents:
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


class ProcessOrders(msgspec.Struct, frozen=True):
    """The orders for the process.

    Attributes:
        leagues: the leagues, each with the address of its store.
        folder: for its socket and those of the bots; only this user may read it.
    """

    leagues: tuple[tuple[League, str], ...]
    folder: str

    @property
    def socket(self) -> Path:
        """The socket at which the process answers."""
        return Path(self.folder) / "tables.sock"


def _tell(sentence: str) -> None:
    print(f"referee serve: {sentence}", file=sys.stderr, flush=True)


def open_table_contexts(
    leagues: Sequence[tuple[League, str]], machine: Environment, stack: ExitStack
) -> dict[str, TableContext]:
    """By league, the context of its tables. They are valid until the stack is closed."""
    found = {}
    for league, url in leagues:
        if league.visitors.opponents and not league.lacks_rules:
            found[league.name] = stack.enter_context(open_table_context(league, url, machine, _tell))
    return found


async def serve_tables(
    contexts: dict[str, TableContext], orders: ProcessOrders, input_ended: asyncio.Future[None]
) -> None:
    """Let visitors play until the input ends."""
    tables_service = OpenTables(contexts, Path(orders.folder), _tell)
    server = await serve(tables_service, orders.socket)
    running = asyncio.create_task(tables_service.run())
    try:
        await asyncio.wait([running, input_ended], return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            running.result()  # a bug
    finally:
        server.close()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def _until_input_ends() -> None:
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while await reader.read(1 << 10):
        pass  # nothing remains to be done


async def _run(contexts: dict[str, TableContext], orders: ProcessOrders) -> None:
    ended = asyncio.ensure_future(_until_input_ends())
    await serve_tables(contexts, orders, ended)


def main() -> None:
    """Execute the orders in the first line of the input."""
    die_with(os.getppid())
    orders = msgspec.json.decode(sys.stdin.buffer.readline(), type=ProcessOrders)
    try:
        with ExitStack() as stack:
            uvloop.run(_run(open_table_contexts(orders.leagues, LocalEnvironment(1), stack), orders))
    except UserError as failure:  # the server starts the process again
        _tell(str(failure))
        sys.exit(failure.exit_code)


if __name__ == "__main__":
    main()
