"""Serves leagues: the server, the submission worker and the table refresher, on cores that a run leaves free."""

import asyncio
import os
import resource
import socket
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager, suppress
from functools import partial
from pathlib import Path

import anyio
import msgspec
import uvloop
from msgspec.structs import replace
from starlette.types import ASGIApp

from referee.core.errors import WrongUse
from referee.http_server.app_server import Server
from referee.http_server.client_clock import ClientTimeouts
from tournaments.league.model import League
from tournaments.league.service_terms import ServiceTerms
from tournaments.play.cores import claim, run_only_on
from tournaments.play.environment import Environment
from tournaments.play.run import lock_league
from tournaments.store import service_lock, store_file
from tournaments.store.run_lock import LockHeld
from tournaments.web.pages.urls import PLAY
from tournaments.web.service import server, submission_worker, table_refresher
from tournaments.web.service.app import Service, ServiceLimits
from tournaments.web.service.background_process import Supervisor
from tournaments.web.service.health import Health
from tournaments.web.service.league_files import LeagueFiles
from tournaments.web.service.league_service import ServedLeague
from tournaments.web.service.seat_hub import SeatHub
from tournaments.web.service.token_bucket import rate_of
from tournaments.web.service.worker_messages import LeagueJob, WorkBoard, WorkerOrders
from tournaments.web.visitors import process as tables
from tournaments.web.visitors.tables_rpc import TablesClient

_LOOK_S = 10.0
"""How often to look whether a league file has changed, in seconds."""

_TABLES = tables.__name__.rpartition(".")[2]

Tell = Callable[[str], None]
"""Tells the organizer something, in a sentence."""


class ServedAlready(WrongUse):
    """Another server already serves one of the leagues."""


class TwoOfOneName(WrongUse):
    """Two leagues of one name cannot be told apart by their addresses."""


def serve(
    leagues: Sequence[ServedLeague],
    place: server.ServerAddress,
    machine: Environment,
    tell: Tell,
    metrics: server.ServerAddress | None = None,
) -> None:
    """Serve leagues until a signal arrives.

    `tell` receives the address of the server, and messages about events. `metrics` is another address for the metrics.

    Raises:
        ServedAlready, TwoOfOneName, LockFailed: a league cannot be served.
        MissingTls, BadCertificate, CannotListen: the server cannot listen there.
        LeagueChanged, StoreError, WrongAddress: as `open_league_service`.
    """
    _check_names_differ(leagues)
    _tell_of_open_stores(leagues, tell)
    with ExitStack() as stack:
        folders = {each.league.name: stack.enter_context(_alone(each)) for each in leagues}
        listening = stack.enter_context(server.opened(place))
        counting = None if metrics is None else stack.enter_context(server.opened(metrics))
        terms = [each.league.service or ServiceTerms() for each in leagues]
        for claimed in (claims := claim(min(max(each.cores for each in terms), len(os.sched_getaffinity(0))))):
            stack.callback(claimed.release)
        stack.enter_context(run_only_on({claimed.core for claimed in claims}))
        tempfile.tempdir = str(next(iter(folders.values())))
        files = stack.enter_context(closing(LeagueFiles(leagues, machine, tell)))
        limits = ServiceLimits(requests=rate_of(min(each.requests for each in terms)))
        uvloop.run(_serve(files, folders, listening, place, tell, limits, counting))


async def _serve(
    files: LeagueFiles,
    folders: Mapping[str, Path],
    listening: socket.socket,
    place: server.ServerAddress,
    tell: Tell,
    limits: ServiceLimits,
    counting: socket.socket | None = None,
) -> None:
    services, jobs, folder = files.services, files.jobs, next(iter(folders.values()))
    board = WorkBoard(jobs, tell, time.monotonic)
    build_worker = Supervisor(submission_worker.__name__, folder / "bench", board.gone, tell, board.line)
    orders = msgspec.json.encode(WorkerOrders(jobs))
    keeper = Supervisor(table_refresher.__name__, folder / "clerk", lambda _code: orders, tell)
    supervisors, visitor_tables = [build_worker, keeper], None
    if visitors := _visitors(jobs, [each.league for each in services.values()], folder, tell):
        supervisors.append(visitors[0])
        visitor_tables = visitors[1]
    health = Health({job.url: each for job, each in zip(jobs, services.values(), strict=True)}, supervisors)
    service = Service(services, board, build_worker.wake, limits, visitor_tables=visitor_tables, health=health)
    app: ASGIApp = service.app
    works: list[Callable[[], Awaitable[None]]] = [each.keep for each in supervisors]
    works += [
        partial(hub.keep, partial(anyio.to_thread.run_sync, services[name].is_over))
        for name, hub in service.hubs.items()
    ]
    if counting is not None:
        from tournaments.web.service.metrics import ServiceMetrics  # noqa: PLC0415 - its package may not be installed

        metrics = ServiceMetrics(services, supervisors, board)
        app = metrics.counting(app)
        works.append(Server(metrics.app(health), counting).listen)
    serving = server.server(app, listening, place, ClientTimeouts())
    serving.last_works += [hub.drain for hub in service.hubs.values()]
    works.append(lambda: _follow(files, service.hubs, _hangups(serving), supervisors, tell))

    async def keep(work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        finally:  # only a bug ends it before the server
            serving.should_exit = True

    tasks = [asyncio.create_task(keep(each)) for each in works]
    try:
        for name in services:
            tell(f"{name} is served at {server.url_of(listening, place)}/leagues/{name}")
        if visitors:
            tell(f"visitors play at {server.url_of(listening, place)}{PLAY}")
        async with _open_seats(service.hubs, folders):
            await serving.serve()
    finally:
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
    for each in ended:
        if isinstance(each, Exception):
            raise each


@asynccontextmanager
async def _open_seats(hubs: Mapping[str, SeatHub], folders: Mapping[str, Path]) -> AsyncIterator[None]:
    """Let the processes that play matches reach the bots that call."""
    # A program has a connection, and one to the process that plays.
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    listeners = [await hub.listen(folders[name] / "seats") for name, hub in hubs.items()]
    try:
        yield
    finally:
        for each in listeners:
            each.close()


def _hangups(serving: Server) -> asyncio.Event:
    """Have the server go on when SIGHUP comes. The event is set then."""
    hangup, has_terminal = asyncio.Event(), sys.stderr.isatty()

    def hears_hangup() -> bool:
        if is_heard := not has_terminal or sys.stderr.isatty():  # a terminal that closes sends the same signal
            hangup.set()
        return is_heard

    serving.hears_hangup = hears_hangup
    return hangup


async def _follow(
    files: LeagueFiles,
    hubs: Mapping[str, SeatHub],
    hangup: asyncio.Event,
    supervisors: Sequence[Supervisor],
    tell: Tell,
) -> None:
    """Take in league files that change, and renew the processes that read them."""
    while True:
        with suppress(TimeoutError):
            await asyncio.wait_for(hangup.wait(), _LOOK_S)
        hangup.clear()
        taken = await asyncio.to_thread(files.look)
        for _, new in taken:
            hubs[new.name].renew(files.services[new.name].league)
        for each in supervisors if taken else ():
            if each.name != _TABLES or any(map(_concerns_visitors, taken)):
                each.renew()
        if any(new.visitors.opponents for _, new in taken) and _TABLES not in {each.name for each in supervisors}:
            tell("visitors can play when you start `serve` again")


def _concerns_visitors(taken: tuple[League, League]) -> bool:
    """Whether a league file has changed in what the tables of visitors need. Their unfinished matches end then."""
    old, new = (replace(each, submissions=None, service=None, notify=(), deals=0) for each in taken)
    return old != new


def _visitors(
    jobs: tuple[LeagueJob, ...], leagues: Sequence[League], folder: Path, tell: Tell
) -> tuple[Supervisor, TablesClient] | None:
    """The supervisor of the process with the tables for visitors, and its client; None if no bots are open to them."""
    if not any(league.visitors.opponents for league in leagues):
        return None
    place = folder / "visitors"
    orders = tables.ProcessOrders(tuple((job.file, job.url) for job in jobs), str(place))
    encoded = msgspec.json.encode(orders)
    keeper = Supervisor(tables.__name__, place, lambda _code: encoded, tell)
    return keeper, TablesClient(orders.socket)


@contextmanager
def _alone(served: ServedLeague) -> Iterator[Path]:
    """Be the only server of a league, with a folder for temporary files. Files of a killed server are removed first.

    Raises:
        ServedAlready: another server serves it.
        LockFailed: the lock's file cannot be used.
    """
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(lock_league(service_lock(served.url, served.league.name)))
        except LockHeld as held:
            raise ServedAlready(f"{served.league.name} is served already by another process; end that first") from held
        yield folder


def _tell_of_open_stores(leagues: Sequence[ServedLeague], tell: Tell) -> None:
    """New stores are for their owner alone. The rights of an older one are the organizer's to change."""
    for file in filter(None, (store_file(each.url) for each in leagues)):
        if file.exists() and file.stat().st_mode & 0o077:
            tell(f"other users of this machine have rights on the store {file}; if they need none: chmod 600 {file}")


def _check_names_differ(leagues: Sequence[ServedLeague]) -> None:
    names = [each.league.name for each in leagues]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise TwoOfOneName(f"two of these leagues are called {twice}; serve them by two servers, on two ports")
