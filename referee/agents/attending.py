"""Lets a bot in this process call a league, with the program that all authors use (`attend.py`)."""

import asyncio
import runpy
import threading
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any

from referee_bot.v1 import bot_pb2

from referee.agents.bot_server import NewStream
from referee.core.errors import WrongUse
from referee.files.starters import starters
from referee.wire.line_reader import LineReader, answer_line


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
        WrongUse: the token would be sent in the clear, or it or the certificate cannot be read.
    """
    if not league.startswith(("https://", "http://127.0.0.1:", "http://localhost:")):
        raise WrongUse(f"{league}: a league is called at https://HOST/leagues/LEAGUE; http only on this machine")
    loop, codes = asyncio.get_running_loop(), asyncio.Queue[int]()
    settings = league, entry, token_file, ca, lambda: _Inside(play, loop)
    try:
        seats = [attend_module().Seat(*settings, number) for number in range(parallel)]
    except (OSError, ValueError) as error:
        raise WrongUse(f"{token_file} must have one token, and {ca or 'the certificate'} be PEM: {error}") from error

    def run(seat: Any) -> None:
        code = seat.attend()
        with suppress(RuntimeError):  # the loop has ended, since nobody waits for the threads at the end
            loop.call_soon_threadsafe(codes.put_nowait, code)

    for seat in seats:
        threading.Thread(target=run, args=(seat,), daemon=True).start()
    try:
        return [await codes.get() for _ in seats]
    finally:
        for seat in seats:
            seat.leave()


def attend_module() -> Any:
    """The names of the program."""
    return SimpleNamespace(**runpy.run_path(str(starters() / "attend" / "attend.py")))


class _Inside:
    """A bot in this process, which looks to `attend.py` like a process that reads and writes lines."""

    def __init__(self, play: NewStream, loop: asyncio.AbstractEventLoop) -> None:
        """Begin a stream."""
        self._loop, self._lines, answers = loop, asyncio.Queue[bytes](), SimpleQueue[bytes]()
        self.stdin, self.stdout = self, iter(answers.get, b"")
        self._serving = asyncio.run_coroutine_threadsafe(_serve(self._lines, play, answers), loop)

    def write(self, line: bytes) -> None:
        """Take a line of the referee."""
        self._loop.call_soon_threadsafe(self._lines.put_nowait, line)

    def flush(self) -> None:
        """Nothing waits."""

    def poll(self) -> int | None:
        """None as long as it plays."""
        return 0 if self._serving.done() else None

    def wait(self) -> int:
        """Its exit code."""
        return 0

    def kill(self) -> None:
        """End the stream."""
        self._serving.cancel()


async def _serve(lines: asyncio.Queue[bytes], play: NewStream, answers: SimpleQueue[bytes]) -> None:
    """Answer the lines of a stream, until it is cancelled."""
    reader = LineReader()
    try:
        with play() as answer:
            while True:
                message = bot_pb2.RefereeMessage()
                try:
                    message = reader.message(await lines.get())
                    reply = await answer(message)
                except WrongUse as error:
                    missing = bot_pb2.Unavailable(decision=message.decision.number, note=bot_pb2.Note(text=str(error)))
                    reply = bot_pb2.BotMessage(unavailable=missing)
                if reply is not None:
                    answers.put(answer_line(reply))
    finally:
        answers.put(b"")  # the end
