"""Serves leagues: the server, the submission worker and the table refresher, on cores that a run leaves free."""

import asyncio
import os
import resource
import signal
import socket
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager, suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from types import FrameType
from typing import NamedTuple

import anyio
import msgspec
import uvloop
from msgspec.structs import replace
from starlette.types import ASGIApp

from referee.core.errors import OurFailure, UserError, WrongUse
from referee.http_server.app_server import Server
from referee.http_server.client_clock import ClientTimeouts
from tournaments.league.model import League
from tournaments.league.service_terms import ServiceTerms
from tournaments.league.timetable import RunnerState
from tournaments.play.cores import claim, run_only_on
from tournaments.play.environment import Environment
from tournaments.play.run import lock_league
from tournaments.results.league_location import past_league
from tournaments.store import service_lock, store_file
from tournaments.store.run_lock import LockHeld
from tournaments.web.pages.urls import PLAY
from tournaments.web.service import league_runner, server, submission_worker, table_refresher
from tournaments.web.service.app import Service, ServiceLimits
from tournaments.web.service.background_process import Supervisor
from tournaments.web.service.health import Health
from tournaments.web.service.league_service import LeagueService, open_league_service
from tournaments.web.service.seat_hub import SeatHub
from tournaments.web.service.token_bucket import rate_of
from tournaments.web.service.worker_messages import Jobs, ServedLeague, WorkBoard, WorkerOrders
from tournaments.web.visitors import process as tables
from tournaments.web.visitors.tables_rpc import TablesClient

_LOOK_S = 10.0
"""How often to look whether a league file has changed, in seconds."""

Tell = Callable[[str], None]
"""Tells the organizer something, in a sentence."""


class ServedAlready(WrongUse):
    """Another server already serves one of the leagues."""


class TwoOfOneName(WrongUse):
    """Two leagues of one name cannot be told apart by their addresses."""


class LeagueFiles:
    """The leagues of a server, as their files were when they were last taken in. All methods block.

    Attributes:
        services: the leagues, by name. A league keeps its object.
    """

    def __init__(self, leagues: Sequence[ServedLeague], machine: Environment, tell: Tell) -> None:
        """`tell` receives what was taken in and what is wrong."""
        self.services: dict[str, LeagueService] = {}
        self._machine = machine
        self._tell = tell
        self._served = {each.league.name: each for each in leagues}
        self._digests: dict[str, str] = {}
        self._open: dict[str, ExitStack] = {}

    def open(self) -> None:
        """Open all leagues.

        Raises:
            LeagueChanged, StoreError, WrongAddress: as `open_league_service`.
        """
        for each in self._served.values():
            self._take(each)

    def close(self) -> None:
        """Close all leagues."""
        for each in self._open.values():
            each.close()

    def jobs(self) -> tuple[ServedLeague, ...]:
        """The leagues for the processes beside the server."""
        return tuple(self._served.values())

    def look(self) -> list[tuple[League, League]]:
        """Take in the files that have changed since the last look. Returns the leagues before and after."""
        taken = []
        for name, served in list(self._served.items()):
            digest = ""
            with suppress(OSError):  # whoever reads the file as a league says it
                digest = sha256(Path(served.file).read_bytes()).hexdigest()
            if digest == self._digests.get(name):
                continue
            self._digests[name] = digest
            problems: tuple[str, ...] = ()
            try:
                league, _ = past_league(Path(served.file), served.url)
                if (league.name, league.store) != (name, served.league.store):
                    problems = ("name and store stay while a league is served; start `serve` again",)
                elif league != served.league:
                    self._take(replace(served, league=league))
                    self._tell(f"{served.file} has changed; {name} is served by it")
                    taken.append((served.league, league))
            except UserError as error:
                problems = tuple(str(error).split("\n"))
                if isinstance(error, OurFailure):  # the store will be back
                    del self._digests[name]
            published = self.services[name].published_league
            if problems and problems != published.file_problems:
                self._tell(f"{served.file} is not taken in, and {name} is served as before: {'; '.join(problems)}")
            elif published.file_problems and not problems:
                self._tell(f"{served.file} is right again")
            published.file_problems = problems
        return taken

    def _take(self, served: ServedLeague) -> None:
        name = served.league.name
        before = self._open.get(name, ExitStack())
        with ExitStack() as stack:
            service = stack.enter_context(open_league_service(served, self._machine))
            self._open[name] = stack.pop_all()
        self._served[name] = served
        self.services.setdefault(name, service).renew(service)
        before.close()  # requests that began before still have their connections


class Ports(NamedTuple):
    """Where a server listens: for all, at the address that says where; and for Prometheus, if anywhere."""

    listening: socket.socket
    place: server.ServerAddress
    counting: socket.socket | None = None


def serve(
    leagues: Sequence[ServedLeague],
    place: server.ServerAddress,
    machine: Environment,
    tell: Tell,
    metrics: server.ServerAddress | None = None,
    *,
    plays: bool = False,
) -> None:
    """Serve leagues until a signal arrives.

    `tell` receives the address of the server, and messages about events. `metrics` is another address for the metrics.
    With `plays`, a process beside the server plays the leagues that are due.

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
        all_cores = tuple(sorted(os.sched_getaffinity(0)))
        for claimed in (claims := claim(min(max(each.cores for each in terms), len(os.sched_getaffinity(0))))):
            stack.callback(claimed.release)
        stack.enter_context(run_only_on({claimed.core for claimed in claims}))
        tempfile.tempdir = str(next(iter(folders.values())))
        files = stack.enter_context(closing(LeagueFiles(leagues, machine, tell)))
        files.open()
        limits = ServiceLimits(requests=rate_of(min(each.requests for each in terms)))
        uvloop.run(_serve(files, folders, Ports(listening, place, counting), tell, limits, all_cores if plays else ()))


async def _serve(
    files: LeagueFiles,
    folders: Mapping[str, Path],
    ports: Ports,
    tell: Tell,
    limits: ServiceLimits,
    runner_cores: tuple[int, ...] = (),
) -> None:
    services, folder = files.services, next(iter(folders.values()))
    listening, place, counting = ports
    board = WorkBoard(files.jobs, tell, time.monotonic)
    build_worker = Supervisor(submission_worker.__name__, folder / "bench", board.gone, tell, board.line)
    keeper = Supervisor(
        table_refresher.__name__, folder / "clerk", lambda _code: msgspec.json.encode(WorkerOrders(files.jobs())), tell
    )
    supervisors, visitor_tables = [build_worker, keeper], None
    if runner_cores:
        supervisors.append(_runner(files, folder, runner_cores, tell))
    if visitors := _visitors(files.jobs, folder, tell):
        supervisors.append(visitors[0])
        visitor_tables = visitors[1]
    stores = {job.url: services[job.league.name] for job in files.jobs()}
    health = Health(stores.values(), supervisors)
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
    works.append(lambda: _follow(files, service.hubs, supervisors))

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
        await serving.serve(_open_seats(service.hubs, folders))
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


async def _follow(files: LeagueFiles, hubs: Mapping[str, SeatHub], supervisors: Sequence[Supervisor]) -> None:
    """Take in league files that change, now and then and at SIGHUP, and renew the processes that work for them."""
    hangup, has_terminal = asyncio.Event(), sys.stderr.isatty()

    def hear(number: int, frame: FrameType | None) -> None:
        if has_terminal and not sys.stderr.isatty() and callable(ends):  # a terminal that closes sends it, too
            ends(number, frame)
        hangup.set()

    ends = signal.signal(signal.SIGHUP, hear)
    while True:
        with suppress(TimeoutError):
            await asyncio.wait_for(hangup.wait(), _LOOK_S)
        hangup.clear()
        taken = await asyncio.to_thread(files.look)
        for _, new in taken:
            hubs[new.name].renew(files.services[new.name].league)
        # The unfinished matches of visitors would end.
        concerns_visitors = any(old.visitors != new.visitors for old, new in taken)
        for each in supervisors if taken else ():
            if each.module != tables.__name__ or concerns_visitors:
                each.renew()


def _runner(files: LeagueFiles, folder: Path, cores: tuple[int, ...], tell: Tell) -> Supervisor:
    """The supervisor of the process that plays the leagues. What it does about each is shown on the league's pages."""
    orders = lambda _code: msgspec.json.encode(WorkerOrders(files.jobs(), cores=cores))  # noqa: E731

    def hear(line: bytes) -> None:
        states = msgspec.json.decode(line, type=dict[str, RunnerState])
        for name, each in files.services.items():
            each.published_league.runner_state = states.get(name)

    return Supervisor(league_runner.__name__, folder / "runner", orders, tell, hear)


def _visitors(jobs: Jobs, folder: Path, tell: Tell) -> tuple[Supervisor, TablesClient] | None:
    """The supervisor of the process with the tables for visitors, and its client; None if no bots are open to them."""
    if not any(job.league.visitors.opponents for job in jobs()):
        return None
    place = folder / "visitors"

    def orders() -> tables.ProcessOrders:
        return tables.ProcessOrders(tuple((job.league, job.url) for job in jobs()), str(place))

    keeper = Supervisor(tables.__name__, place, lambda _code: msgspec.json.encode(orders()), tell)
    return keeper, TablesClient(orders().socket)


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
