"""The pages of visitors as browsers get them: a server on loopback, in a thread, with puppets at the seats of bots."""

import asyncio
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.routing import Mount

from tests.tournaments.web.visitors.puppets import SEATS, TERMS, tables_service
from tournaments.league.service_terms import VisitorTerms
from tournaments.web.visitors.routes import VisitorRoutes

PLACE = "/play"


@contextmanager
def served(folder: Path, games: Sequence[str] = tuple(SEATS), terms: VisitorTerms = TERMS) -> Iterator[str]:
    """The address of the lobby. It is mounted below a server's own addresses, as in the service."""
    listening = socket.create_server(("127.0.0.1", 0))
    ready, servers = threading.Event(), list[uvicorn.Server]()

    async def serve() -> None:
        app = Starlette(routes=[Mount(PLACE, VisitorRoutes(tables_service(folder, terms, games=games)).app)])
        config = uvicorn.Config(app, log_level="critical", lifespan="off", timeout_graceful_shutdown=1)
        servers.append(uvicorn.Server(config))
        ready.set()
        await servers[0].serve(sockets=[listening])

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    ready.wait()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}{PLACE}"
    finally:
        servers[0].should_exit = True
        thread.join()
        listening.close()
