"""Serves leagues: the server, the submission worker and the table refresher, on cores that a run leaves free."""

import asyncio
import os
import socket
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import msgspec
import uvloop
from msgspec.structs import replace
from starlette.types import ASGIApp

from referee.core.errors import WrongUse
from referee.http_server.client_clock import ClientTimeouts
from tournaments.league.model import League
from tournaments.league.service_terms import ServiceTerms
from tournaments.play.cores import claim, run_only_on
from tournaments.play.environment import Environment
from tournaments.play.run import lock_league
from tournaments.store import lock_path, store_file
from tournaments.store.run_lock import LockHeld
from tournaments.web.pages.urls import PLAY
from tournaments.web.service import server, submission_worker, table_refresher
from tournaments.web.service.app import Service, ServiceLimits
from tournaments.web.service.background_process import Supervisor
from tournaments.web.service.health import Health
from tournaments.web.service.league_files import LeagueFiles
from tournaments.web.service.league_service import ServedLeague
from tournaments.web.service.token_bucket import rate_of
from tournaments.web.service.worker_messages import LeagueJob, WorkBoard, WorkerOrders
from tournaments.web.visitors import process as tables
from tournaments.web.visitors.tables_rpc import TablesClient

_LOOK_S = 10
"""How often to look whether a league file has changed, in seconds."""

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

    `tell` receives the address of the server, and messages about events. `metrics` is the address of the metrics, which
    is another one; None: there are none.

    Raises:
        ServedAlready, TwoOfOneName, LockFailed: a league cannot be served.
        MissingTls, BadCertificate, CannotListen: the server cannot listen there.
        LeagueChanged, StoreError, WrongAddress: as `open_league_service`.
    """
    _check_names_differ(leagues)
    _tell_of_open_stores(leagues, tell)
    with ExitStack() as stack:
        folder, *_ = [stack.enter_context(_alone(each)) for each in leagues]
        listening = stack.enter_context(server.opened(place))
        counting = None if metrics is None else stack.enter_context(server.opened(metrics))
        terms = [each.league.service or ServiceTerms() for each in leagues]
        for claimed in (claims := claim(min(max(each.cores for each in terms), len(os.sched_getaffinity(0))))):
            stack.callback(claimed.release)
        stack.enter_context(run_only_on({claimed.core for claimed in claims}))
        tempfile.tempdir = str(folder)
        files = stack.enter_context(LeagueFiles(leagues, machine, tell))
        limits = ServiceLimits(requests=rate_of(min(each.requests for each in terms)))
        served = _Served(files, leagues, folder, tell, limits)
        uvloop.run(served.serve(listening, place, counting))


class _Served:
    """The server with its processes."""

    def __init__(
        self, files: LeagueFiles, leagues: Sequence[ServedLeague], folder: Path, tell: Tell, limits: ServiceLimits
    ) -> None:
        """Prepare to serve. The temporary files of the processes are in `folder`."""
        self._files = files
        self._tell = tell
        jobs = tuple(LeagueJob(str(each.file.absolute()), each.url) for each in leagues)
        self._board = WorkBoard(jobs, tell)
        build_worker = Supervisor(
            submission_worker.__name__, folder / "bench", self._board.gone, tell, self._board.line
        )
        orders = msgspec.json.encode(WorkerOrders(jobs))
        keeper = Supervisor(table_refresher.__name__, folder / "clerk", lambda _code: orders, tell)
        self._visitors = _visitors(jobs, [each.league for each in leagues], folder, tell)
        self._renewed = (build_worker, keeper)
        self._processes = (*self._renewed, *(self._visitors[:1] if self._visitors else ()))
        names = {each.url: each.league.name for each in reversed(leagues)}  # a league of each store
        stores = {name: files.services[name] for name in sorted(names.values())}
        self._health = Health(stores, self._processes)
        visitor_tables = self._visitors[1] if self._visitors else None
        self._service = Service(
            files.services, self._board, build_worker.wake, limits, visitor_tables=visitor_tables, health=self._health
        )
        self._is_hung_up = False

    async def serve(
        self, listening: socket.socket, place: server.ServerAddress, counting: socket.socket | None
    ) -> None:
        """Serve until a signal arrives. `counting` has the metrics."""
        app: ASGIApp = self._service.app
        beside = [(each.name, each.keep) for each in self._processes]
        if counting is not None:
            app, metrics = self._measured(app)
            beside.append(("metrics", server.Server(metrics, counting).listen))
        serving = server.server(app, listening, place, ClientTimeouts())
        has_terminal = sys.stderr.isatty()
        # A terminal that closes sends the same signal as `kill -HUP`.
        serving.hears_hangup = lambda: self._hang_up(is_gone=has_terminal and not sys.stderr.isatty())

        async def keep(work: Callable[[], Awaitable[None]]) -> None:
            try:
                await work()
            finally:  # only a bug ends it before the server
                serving.should_exit = True

        tasks = [asyncio.create_task(keep(work), name=name) for name, work in [*beside, ("files", self._follow_files)]]
        try:
            for name in self._files.services:
                self._tell(f"{name} is served at {server.url_of(listening, place)}/leagues/{name}")
            if self._visitors:
                self._tell(f"visitors play at {server.url_of(listening, place)}{PLAY}")
            await serving.serve()
        finally:
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
        for each in ended:
            if isinstance(each, Exception):
                raise each

    def _measured(self, app: ASGIApp) -> tuple[ASGIApp, ASGIApp]:
        """The app with its answers counted, and the app that tells the metrics."""
        from tournaments.web.service.metrics import CountedRequests, ServiceMetrics, metrics_app  # noqa: PLC0415 - it may not be installed

        counted = CountedRequests(app)
        services, now_ms = self._files.services, lambda: time.time_ns() // 1_000_000
        metrics = ServiceMetrics(services, self._processes, self._board, counted.answers, now_ms)
        return counted, metrics_app(metrics, self._health)

    def _hang_up(self, *, is_gone: bool) -> bool:
        self._is_hung_up = not is_gone
        return self._is_hung_up

    async def _follow_files(self) -> None:
        """Take in league files that change."""
        while True:
            for _ in range(_LOOK_S):
                if self._is_hung_up:
                    break
                await asyncio.sleep(1.0)
            self._is_hung_up = False
            taken = await asyncio.to_thread(self._files.look)
            for each in self._renewed if taken else ():
                each.renew()
            if any(map(_concerns_visitors, taken)):
                if self._visitors:
                    self._visitors[0].renew()
                else:
                    self._tell("visitors can play when you start `serve` again")


def _concerns_visitors(taken: tuple[League, League]) -> bool:
    """Whether the tables of visitors change with a league file. Their unfinished matches end then."""
    old, new = (replace(each, submissions=None, service=None, notify=(), deals=0) for each in taken)
    return bool(taken[0].visitors.opponents or taken[1].visitors.opponents) and old != new


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
    lock = lock_path(served.url, served.league.name)
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(lock_league(lock.with_name(f"{lock.stem}.serve{lock.suffix}")))
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
