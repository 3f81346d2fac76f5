"""A visitor without a browser, who asks the app in the same process: requests, and streams that can be cut off."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, NamedTuple
from urllib.parse import urlencode

import msgspec
from starlette.applications import Starlette
from starlette.types import ASGIApp

from tournaments.web.service.visitor_routes import VisitorRoutes
from tournaments.web.visitors.protocol import TablesService

HOST = "tables.example"
PLACE = "/play"


class Got(NamedTuple):
    """An answer."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return msgspec.json.decode(self.body)


def visitor_at(tables_service: TablesService) -> "Visitor":
    """A visitor of tables, without a limit of requests."""
    return Visitor(Starlette(routes=VisitorRoutes(tables_service, lambda _caller: None).routes), PLACE)


class Visitor:
    """Asks an app. A page of the app sends all that changes something."""

    def __init__(self, app: ASGIApp, base: str = "") -> None:
        """`base` is the beginning of all paths."""
        self._app = app
        self._base = base

    async def get(self, path: str, **headers: str) -> Got:
        return await self.ask("GET", path, b"", headers)

    async def post(self, path: str, body: bytes, kind: str, **headers: str) -> Got:
        return await self.ask("POST", path, body, {"content_type": kind, "sec_fetch_site": "same-origin", **headers})

    async def send_form(self, path: str, fields: Mapping[str, str], **headers: str) -> Got:
        return await self.post(path, urlencode(fields).encode(), "application/x-www-form-urlencoded", **headers)

    async def choose(self, key: str, decision: int, index: int) -> Got:
        body = msgspec.json.encode({"decision": decision, "index": index})
        return await self.post(f"/at/{key}/choices", body, "application/json")

    async def ask(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Got:
        asked, parts = asyncio.Queue[Any](), list[Any]()
        await asked.put({"type": "http.request", "body": body, "more_body": False})

        async def send(message: Any) -> None:
            parts.append(message)

        await self._app(_scope(method, self._base + path, headers), asked.get, send)
        start = next(it for it in parts if it["type"] == "http.response.start")
        content = b"".join(it.get("body", b"") for it in parts if it["type"] == "http.response.body")
        told = {name.decode(): value.decode() for name, value in start["headers"]}
        return Got(start["status"], told, content)

    @asynccontextmanager
    async def stream(self, path: str) -> AsyncIterator["Stream"]:
        """The events of a stream, until the context ends and with it the connection."""
        heard, cut = asyncio.Queue[bytes | None](), asyncio.Event()
        first = True

        async def receive() -> Any:
            nonlocal first
            if first:
                first = False
                return {"type": "http.request", "body": b"", "more_body": False}
            await cut.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.body":
                await heard.put(message.get("body", b""))

        async def answer() -> None:
            await self._app(_scope("GET", self._base + path, {}), receive, send)

        running = asyncio.create_task(answer())
        running.add_done_callback(lambda _: heard.put_nowait(None))
        try:
            yield Stream(heard)
        finally:
            cut.set()
            await running


class Event(NamedTuple):
    """An event of a stream."""

    name: str
    raw: bytes

    @property
    def data(self) -> Any:
        return msgspec.json.decode(self.raw)


class Stream:
    """The content of a stream: every byte of it, and its events."""

    def __init__(self, heard: "asyncio.Queue[bytes | None]") -> None:
        self.bytes = b""
        self._heard = heard
        self._rest = b""

    def all_so_far(self) -> bytes:
        """Every byte received so far."""
        while not self._heard.empty():
            self.bytes += self._heard.get_nowait() or b""
        return self.bytes

    async def next(self) -> Event | None:
        """The next event; None at the end."""
        while True:
            block, found, rest = self._rest.partition(b"\n\n")
            if not found:
                part = await self._heard.get()
                if part is None:
                    return None
                self.bytes += part
                self._rest += part
                continue
            self._rest = rest
            lines = dict(line.split(b": ", 1) for line in block.split(b"\n") if b": " in line)
            if b"event" in lines:
                return Event(lines[b"event"].decode(), lines[b"data"])


def _scope(method: str, path: str, headers: Mapping[str, str]) -> dict[str, Any]:
    path, _, query = path.partition("?")
    told = {"host": HOST, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in told.items()],
        "client": ("192.0.2.7", 1234),
        "server": (HOST, 80),
    }
