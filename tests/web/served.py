"""The pages of visitors as browsers get them: a server on loopback, in a thread, with puppets at the seats of bots."""

import asyncio
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from referee.http_server.app_server import Server
from referee.http_server.client_clock import ClientTimeouts
from tests.tournaments.web.visitors.puppets import SEATS, TERMS, tables_service
from tournaments.league.service_terms import VisitorTerms
from tournaments.web.service.app import Service, ServiceLimits
from tournaments.web.service.token_bucket import Rate
from tournaments.web.service.worker_messages import WorkBoard

PLACE = "/play"


@contextmanager
def served(folder: Path, games: Sequence[str] = tuple(SEATS), terms: VisitorTerms = TERMS) -> Iterator[str]:
    """The address of the lobby, below a server's own addresses, as in the service."""
    listening = socket.create_server(("127.0.0.1", 0))
    ready, servers = threading.Event(), list[Server]()

    async def serve() -> None:
        limits, tables = ServiceLimits(requests=Rate(1 << 30, 1.0)), tables_service(folder, terms, games=games)
        app = Service({}, WorkBoard(tuple, print), lambda: None, limits, visitor_tables=tables).app
        servers.append(Server(app, listening, ClientTimeouts(end_s=1)))
        ready.set()
        await servers[0].serve()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    ready.wait()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}{PLACE}"
    finally:
        servers[0].should_exit = True
        thread.join()
        listening.close()
