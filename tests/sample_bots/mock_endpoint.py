"""An endpoint of chat completions on this machine that does what a test wants, good or bad."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any, NamedTuple

Body = dict[str, Any]


class Reply(NamedTuple):
    """What the endpoint sends.

    Attributes:
        text: the answer of the model; None: `raw` is sent instead.
        tokens: how many tokens it says it took; None: it does not say.
        status: of HTTP.
        headers: further headers.
        raw: the bytes of the body.
        cut: whether the connection ends in the middle of the body.
        drips: whether the body comes without end: fast, or so slowly that it never ends in time.
    """

    text: str | None = None
    tokens: int | None = 100
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    raw: bytes = b""
    cut: bool = False
    drips: str = ""


class MockEndpoint:
    """The endpoint.

    Attributes:
        address: where it is.
        asked: the bodies of all requests.
        keys: the headers `Authorization` of all requests.
    """

    def __init__(self, answer: Callable[[Body], Reply]) -> None:
        self.asked: list[Body] = []
        self.keys: list[str | None] = []
        self._answer = answer
        self._over = Event()
        mock = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                mock.asked.append(body)
                mock.keys.append(self.headers["Authorization"])
                with suppress(OSError):  # the bot may have hung up
                    self._send(mock._answer(body))

            def _send(self, reply: Reply) -> None:
                usage = {} if reply.tokens is None else {"usage": {"total_tokens": reply.tokens}}
                said = {"choices": [{"message": {"role": "assistant", "content": reply.text}}], **usage}
                raw = reply.raw if reply.text is None else json.dumps(said).encode()
                self.send_response(reply.status)
                for name, value in reply.headers:
                    self.send_header(name, value)
                if not reply.drips:
                    self.send_header("Content-Length", str(len(raw) + 50 * reply.cut))
                self.end_headers()
                self.wfile.write(raw)
                while reply.drips and not mock._over.wait(0 if reply.drips == "fast" else 0.05):
                    self.wfile.write(b" " * (65_536 if reply.drips == "fast" else 1))

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_port}/v1"
        self._thread = Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(10)


@contextmanager
def endpoint(answer: Callable[[Body], Reply]) -> Iterator[MockEndpoint]:
    """An endpoint that gives these answers, as long as the context lasts."""
    mock = MockEndpoint(answer)
    mock.start()
    try:
        yield mock
    finally:
        mock.stop()
