"""The process with the tables. It reads its orders from the first line of its input, and ends when its input does.

The server starts the process, and restarts it when it is lost. Its bots end with it.
"""

import asyncio
import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import msgspec
import uvloop

from referee.core.errors import UserError
from referee.runtime.child_process import serve as die_with
from tournaments.play.environment import Environment, LocalEnvironment
from tournaments.results.league_location import past_league
from tournaments.web.people.offered_bots import open_table_context
from tournaments.web.people.table import TableContext
from tournaments.web.people.tables import OpenTables
from tournaments.web.people.tables_server import serve


class ProcessOrders(msgspec.Struct, frozen=True):
    """The orders for the process.

    Attributes:
        leagues: the file of each league, and the address of its store.
        folder: for its socket and those of the bots; only this user may read it.
    """

    leagues: tuple[tuple[str, str], ...]
    folder: str

    @property
    def socket(self) -> Path:
        """The socket at which the process answers."""
        return Path(self.folder) / "tables.sock"


def _tell(sentence: str) -> None:
    print(f"referee serve: {sentence}", file=sys.stderr, flush=True)


def rooms(leagues: Sequence[tuple[str, str]], machine: Environment, stack: ExitStack) -> dict[str, TableContext]:
    """By league, the context of its tables. They are valid until the stack is closed."""
    found = {}
    for file, url in leagues:
        league, _ = past_league(Path(file), url)
        if league.parlour.opponents and not league.lacks_rules:
            found[league.name] = stack.enter_context(open_table_context(league, url, machine, _tell))
    return found


async def serve_tables(
    found: dict[str, TableContext], orders: ProcessOrders, input_ended: asyncio.Future[None]
) -> None:
    """Let visitors play until the input ends."""
    tables_service = OpenTables(found, Path(orders.folder), _tell)
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


async def _run(found: dict[str, TableContext], orders: ProcessOrders) -> None:
    ended = asyncio.ensure_future(_until_input_ends())
    await serve_tables(found, orders, ended)


def main() -> None:
    """Execute the orders in the first line of the input."""
    die_with(os.getppid())
    orders = msgspec.json.decode(sys.stdin.buffer.readline(), type=ProcessOrders)
    try:
        with ExitStack() as stack:
            uvloop.run(_run(rooms(orders.leagues, LocalEnvironment(1), stack), orders))
    except UserError as failure:  # the server starts the process again
        _tell(str(failure))
        sys.exit(failure.exit_code)


if __name__ == "__main__":
    main()
