"""Rogues that nobody started for a match: they serve at an address, with or without TLS and a token."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.shell.rogues import ROGUE

TLS = Path(__file__).with_name("tls")
TOKEN = "the token of the tests"  # noqa: S105 - a secret of nobody


@contextmanager
def serving(
    how: str, *, tls: bool = False, token: str | None = None
) -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
    """A rogue that serves until the end of the context: its address, and its process."""
    certificate = [str(TLS / "bot.pem"), str(TLS / "bot.key")] if tls else []
    environment = os.environ | ({} if token is None else {"REFEREE_TOKEN": token})
    command = [sys.executable, str(ROGUE), "127.0.0.1:0", how, *certificate]
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
