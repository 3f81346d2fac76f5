"""Serves leagues: the server, the submission worker and the table refresher, on cores that a run leaves free."""

import asyncio
import os
import resource
import socket
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import anyio
import msgspec
import uvloop

from referee.core.errors import WrongUse
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
from tournaments.web.service.league_service import LeagueService, ServedLeague, open_league_service
from tournaments.web.service.token_bucket import rate_of
from tournaments.web.service.worker_messages import LeagueJob, WorkBoard, WorkerOrders
from tournaments.web.visitors import process as tables
from tournaments.web.visitors.tables_rpc import TablesClient

Tell = Callable[[str], None]
"""Tells the organizer something, in a sentence."""


class ServedAlready(WrongUse):
    """Another server already serves one of the leagues."""


class TwoOfOneName(WrongUse):
    """Two leagues of one name cannot be told apart by their addresses."""


def serve(leagues: Sequence[ServedLeague], place: server.ServerAddress, machine: Environment, tell: Tell) -> None:
    """Serve leagues until a signal arrives.

    `tell` receives the address of the server, and messages about events.

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
        terms = [each.league.service or ServiceTerms() for each in leagues]
        for claimed in (claims := claim(min(max(each.cores for each in terms), len(os.sched_getaffinity(0))))):
            stack.callback(claimed.release)
        stack.enter_context(run_only_on({claimed.core for claimed in claims}))
        tempfile.tempdir = str(next(iter(folders.values())))
        league_services = {
            each.league.name: stack.enter_context(open_league_service(each, machine)) for each in leagues
        }
        jobs = tuple(LeagueJob(str(each.file.absolute()), each.url) for each in leagues)
        limits = ServiceLimits(requests=rate_of(min(each.requests for each in terms)))
        uvloop.run(_serve(league_services, jobs, folders, listening, place, tell, limits))


async def _serve(
    league_services: dict[str, LeagueService],
    jobs: tuple[LeagueJob, ...],
    folders: Mapping[str, Path],
    listening: socket.socket,
    place: server.ServerAddress,
    tell: Tell,
    limits: ServiceLimits,
) -> None:
    board, folder = WorkBoard(jobs, tell), next(iter(folders.values()))
    build_worker = Supervisor(submission_worker.__name__, folder / "bench", board.gone, tell, board.line)
    orders = msgspec.json.encode(WorkerOrders(jobs))
    keeper = Supervisor(table_refresher.__name__, folder / "clerk", lambda _code: orders, tell)
    supervisors, visitor_tables = [build_worker, keeper], None
    if visitors := _visitors(jobs, [each.league for each in league_services.values()], folder, tell):
        supervisors.append(visitors[0])
        visitor_tables = visitors[1]
    service = Service(league_services, board, build_worker.wake, limits, visitor_tables=visitor_tables)
    serving = server.server(service.app, listening, place, ClientTimeouts())
    if service.hubs:  # a program has a connection, and one to the process that plays
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    seats = [await hub.listen(folders[name] / "seats") for name, hub in service.hubs.items()]
    serving.last_works += [hub.drain for hub in service.hubs.values()]

    async def keep(supervisor: Supervisor) -> None:
        try:
            await supervisor.keep()
        finally:  # only a bug ends it before the server
            serving.should_exit = True

    tasks = [asyncio.create_task(keep(each)) for each in supervisors]
    tasks += [
        asyncio.create_task(hub.keep(partial(anyio.to_thread.run_sync, league_services[name].is_over)))
        for name, hub in service.hubs.items()
    ]
    try:
        for name in league_services:
            tell(f"{name} is served at {server.url_of(listening, place)}/leagues/{name}")
        if visitors:
            tell(f"visitors play at {server.url_of(listening, place)}{PLAY}")
        await serving.serve()
    finally:
        for listener in seats:
            listener.close()
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
    for each in ended:
        if isinstance(each, Exception):
            raise each


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
