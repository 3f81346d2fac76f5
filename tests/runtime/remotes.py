"""Rogues that serve at an address, with or without TLS and a token. No match starts them."""

import os
import re
import socket
import socketserver
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.runtime.rogues import ROGUE

TLS = Path(__file__).with_name("tls")
TOKEN = "the-token-of-the-tests"  # noqa: S105 - a secret of nobody


@contextmanager
def serving(
    how: str, *, tls: bool = False, token: str | None = None, certificate: str = "bot.pem"
) -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
    """A rogue that serves until the end of the context. Gives its address and its process."""
    shown = [str(TLS / certificate), str(TLS / "bot.key")] if tls else []
    environment = os.environ | ({} if token is None else {"REFEREE_TOKEN": token})
    command = [sys.executable, str(ROGUE), "127.0.0.1:0", how, *shown]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)
    try:
        assert process.stdout is not None
        port = re.fullmatch(rb"REFEREE_PORT=(\d+)\n", process.stdout.readline())
        assert port
        yield f"{'grpcs' if tls else 'grpc'}://localhost:{int(port[1])}", process
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


@contextmanager
def far_away(address: str, delay_s: float) -> Iterator[str]:
    """An address that forwards to `address` until the end of the context, delaying everything in both directions."""
    scheme, _, target = address.partition("://")
    to = ("127.0.0.1", int(target.rpartition(":")[2]))

    class Relay(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            with socket.create_connection(to) as bot:
                back = threading.Thread(target=_pass_on, args=(bot, self.request, delay_s))
                back.start()
                _pass_on(self.request, bot, delay_s)
                back.join()

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Relay) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"{scheme}://localhost:{server.server_address[1]}"
        server.shutdown()


def _pass_on(source: socket.socket, sink: socket.socket, delay_s: float) -> None:
    with suppress(OSError):
        while data := source.recv(1 << 16):
            time.sleep(delay_s)
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
