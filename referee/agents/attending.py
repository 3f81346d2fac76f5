"""Lets a bot in this process call a league, with the program that all authors use (`attend.py`)."""

import asyncio
import importlib.util
import socket
import threading
from pathlib import Path
from typing import Any

from referee_bot.v1 import bot_pb2

from referee.agents.bot_server import NewStream
from referee.core.errors import WrongUse
from referee.files.starters import starters
from referee.wire.line_reader import LineReader, answer_line

_LONGEST_LINE = 2 << 20


async def attend(
    entry: str, league: str, token_file: Path, ca: Path | None, play: NewStream, parallel: int = 1
) -> list[int]:
    """Let a bot play in a league until calling it does not help any more.

    Args:
        entry: the name of the bot in the league.
        league: the address of the league.
        token_file: has the token of the author.
        ca: a certificate (PEM) to trust; None: those that this machine trusts.
        play: begins a stream, of matches one after the other.
        parallel: how many streams the bot can have at once.

    Returns:
        For each stream, 0 if the league is over, and 2 if the service refuses the bot.

    Raises:
        WrongUse: the token would be sent in the clear.
    """
    if not league.startswith(("https://", "http://127.0.0.1:", "http://localhost:")):
        raise WrongUse(f"{league}: a league is called at https://HOST/leagues/LEAGUE; http only on this machine")
    loop = asyncio.get_running_loop()
    settings = (league, entry, str(token_file), None if ca is None else str(ca), lambda: _Inside(play, loop))
    seats = [attend_module().Seat(*settings, number) for number in range(1, parallel + 1)]
    codes: list[asyncio.Future[int]] = [loop.create_future() for _ in seats]

    def run(seat: Any, code: "asyncio.Future[int]") -> None:
        loop.call_soon_threadsafe(code.set_result, seat.attend())

    for each in zip(seats, codes, strict=True):
        threading.Thread(target=run, args=each, daemon=True).start()  # nobody waits for it at the end
    try:
        return await asyncio.gather(*codes)
    finally:
        for seat in seats:
            if seat.line:
                seat.line.goodbye()


def attend_module() -> Any:
    """The program, as a module."""
    spec = importlib.util.spec_from_file_location("attend", starters() / "attend" / "attend.py")
    assert spec is not None and spec.loader is not None  # noqa: S101, PT018 - the package has the file
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class _Inside:
    """A bot in this process, which looks to `attend.py` like a process that reads and writes lines."""

    def __init__(self, play: NewStream, loop: asyncio.AbstractEventLoop) -> None:
        """Begin a stream."""
        ours, theirs = socket.socketpair()
        with theirs:  # the two files keep it open
            self.stdin, self.stdout = theirs.makefile("wb"), theirs.makefile("rb")
        self._serving = asyncio.run_coroutine_threadsafe(_serve(ours, play), loop)

    def poll(self) -> int | None:
        """None as long as it plays."""
        return 0 if self._serving.done() else None

    def wait(self) -> int:
        """Its exit code."""
        return 0

    def kill(self) -> None:
        """End the stream."""
        self._serving.cancel()


async def _serve(line: socket.socket, play: NewStream) -> None:
    """Answer the lines of a stream, until it ends."""
    reader, writer = await asyncio.open_connection(sock=line, limit=_LONGEST_LINE)
    lines = LineReader()
    try:
        with play() as answer:
            while text := await reader.readline():
                message = bot_pb2.RefereeMessage()
                try:
                    message = lines.message(text)
                    reply = await answer(message)
                except WrongUse as error:
                    missing = bot_pb2.Unavailable(decision=message.decision.number, note=bot_pb2.Note(text=str(error)))
                    reply = bot_pb2.BotMessage(unavailable=missing)
                if reply is not None:
                    writer.write(answer_line(reply))
    finally:
        writer.close()
