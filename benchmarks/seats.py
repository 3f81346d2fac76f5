"""What seats of bots that call cost the service: its processor time a decision, and what those who wait cost."""

import multiprocessing
import os
import socket
import ssl
import tempfile
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

import uvloop
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from benchmarks.rows import Row, Target
from referee.agents.attending import attend_module
from referee.http_server.app_server import Server
from referee.http_server.client_clock import ClientTimeouts
from referee.match.terms import Clock
from tournaments.league.model import Entry, League, Remote
from tournaments.web.service.seat_hub import SeatHub

_T = TypeVar("_T")

_ROUNDS = 5
_DECISIONS = 5_000
_WAITING = 256
_WAIT_S = 10.0
_ENTRY = "bot@1"
_ATTEND = attend_module()
_TLS = Path(__file__).parents[1] / "tests" / "runtime" / "tls"
_DECISION = b'{"type":"decide","number":2,"view":{%b},"legal":[],"events":[],"time_left_ms":1000}\n' % (b'"x":1,' * 200)

COST = Target(first=40, then=30)
MEMORY = Target(first=50, then=25)
IDLE = Target(first=10, then=5)


def rows() -> list[Row]:
    """The rows."""
    decisions = [_in_a_service(_decision_us) for _ in range(_ROUNDS)]
    waiting = [_in_a_service(_waiting, with_tls=True) for _ in range(_ROUNDS)]
    what = f"{_WAITING} seats that wait, over TLS"
    return [
        _row("a seat that calls: CPU us of the service a decision of 1.3 KB", decisions, COST),
        _row(f"{what}: MiB of the service", [mib for mib, _ in waiting], MEMORY),
        _row(f"{what}: CPU ms of the service a second", [ms for _, ms in waiting], IDLE),
    ]


def _row(name: str, values: list[float], target: Target) -> Row:
    spread = (min(values), max(values))
    return Row(name=name, value=median(values), first=target.first, then=target.then, better="lower", spread=spread)


def _in_a_service(measure: Callable[[int, int, Path], _T], *, with_tls: bool = False) -> _T:
    """What is measured of a service: its process, its port, and its socket for those who play."""
    with tempfile.TemporaryDirectory(prefix="seats-") as folder:
        ours, theirs = multiprocessing.Pipe()
        service = multiprocessing.get_context("spawn").Process(target=_serve, args=(folder, theirs, with_tls))
        service.start()
        try:
            return measure(service.pid or 0, ours.recv(), Path(folder) / "seats")
        finally:
            service.kill()
            service.join()


def _serve(folder: str, ours: Connection, with_tls: bool) -> None:
    context = None
    if with_tls:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(_TLS / "bot.pem", _TLS / "bot.key")
    uvloop.run(_serve_in(folder, ours, context))


async def _serve_in(folder: str, ours: Connection, context: ssl.SSLContext | None) -> None:
    async def owners_of(_token: str) -> set[str]:
        return {"author"}

    entry = Entry(_ENTRY, "seat:author", Remote(parallel=_WAITING, calls=True), author="author")
    league = League("bench", "auction", 1, 0.0, 1, None, True, "none", False, False, Clock(), (), (entry,))
    hub = SeatHub(league, owners_of)

    async def seat(call: WebSocket) -> None:
        await hub.attend(call, _ENTRY, {"author"}, "")

    listening = socket.create_server(("127.0.0.1", 0))
    app = Starlette(routes=[WebSocketRoute("/{path:path}", seat)])
    server = Server(app, listening, ClientTimeouts(), context)
    local = await hub.listen(Path(folder) / "seats")
    ours.send(listening.getsockname()[1])
    await server.serve()
    local.close()


def _decision_us(pid: int, port: int, place: Path) -> float:
    bot = _caller(f"http://127.0.0.1:{port}")
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(str(place))
        line.sendall(b'"%b"\n' % _ENTRY.encode())
        bot.line.setblocking(False)
        while b"+" not in _pumped(line, bot):
            pass
        for warm_up in (True, False):
            began_us = _cpu_us(pid)
            for _ in range(_DECISIONS // 10 if warm_up else _DECISIONS):
                line.sendall(_DECISION)
                bot.receive()
                bot.send(b"1")
                line.recv(4096)
        return (_cpu_us(pid) - began_us) / _DECISIONS


def _pumped(line: socket.socket, bot: Any) -> bytes:
    """The reply of the service, whose ping the bot answers meanwhile."""
    import threading  # noqa: PLC0415 - the only place

    threading.Thread(target=lambda: bot.send(bot._read(bot._read(2)[1]), 10), daemon=True).start()
    return line.recv(4096)


def _waiting(pid: int, port: int, _place: Path) -> tuple[float, float]:
    before_kib = _rss_kib(pid)
    bots = [_caller(f"https://localhost:{port}") for _ in range(_WAITING)]
    time.sleep(1)
    began_us = _cpu_us(pid)
    time.sleep(_WAIT_S)
    spent_ms = (_cpu_us(pid) - began_us) / 1000 / _WAIT_S
    for bot in bots:
        bot.line.close()
    return (_rss_kib(pid) - before_kib) / 1024, spent_ms


def _caller(service: str) -> Any:
    """A connection of attend.py, which has no types."""
    trusted = ssl.create_default_context(cafile=_TLS / "ca.pem")
    return _ATTEND.WebSocket(f"{service}/leagues/x/api/seats/{_ENTRY}", {}, trusted)


def _cpu_us(pid: int) -> float:
    tasks = Path(f"/proc/{pid}/task")
    return sum(int((tasks / task / "schedstat").read_text().split()[0]) for task in os.listdir(tasks)) / 1000  # noqa: PTH208


def _rss_kib(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4
