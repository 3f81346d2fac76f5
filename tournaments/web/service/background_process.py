"""A background process of the server, seen from both ends.

The server starts it, reads its output, and restarts it when it ends. The process reads its orders, works until its
input ends, and reports failures.
"""

import asyncio
import contextlib
import os
import select
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from pathlib import Path

import msgspec

from referee.core.errors import UserError
from referee.runtime.child_process import with_parent_death_signal
from referee.runtime.process_sessions import end_run
from tournaments.web.service.worker_messages import WorkerOrders

_LONGEST_LINE = 1 << 20
_FIRST_REST_S = 0.2
_LONGEST_REST_S = 60.0


class Supervisor:
    """Supervises one process. It runs a module of ours, which ends when its input does.

    Attributes:
        module: the name of the module.
        restarts: how often it was started again after it had ended by itself.
    """

    def __init__(
        self,
        module: str,
        folder: Path,
        orders: Callable[[int], bytes],
        tell: Callable[[str], None],
        hear: Callable[[bytes], None] = lambda _line: None,
    ) -> None:
        """Prepare to run a module.

        `folder` is for all its temporary files; each start first empties it and ends all processes in it. `orders`
        gives the orders for the next process, in one line, after one ended with a code, or at first (0). `tell` reports
        a lost process to the organizer, in a sentence. `hear` handles a line that the process wrote.
        """
        self.module = module
        self._folder = folder
        self._orders = orders
        self._hear = hear
        self._tell = tell
        self._process: Process | None = None
        self._is_renewed = False
        self.restarts = 0

    def wake(self) -> None:
        """Tell the process that there is work. The process also looks now and then by itself, so no work is lost."""
        if self._process is not None and self._process.stdin is not None:
            with contextlib.suppress(OSError, RuntimeError):
                self._process.stdin.write(b"\n")

    @property
    def is_up(self) -> bool:
        """Whether the process runs now."""
        return self._process is not None

    def renew(self) -> None:
        """Have the process end when its work allows it. The next one reads its leagues anew."""
        if self._process is not None and self._process.stdin is not None:
            self._is_renewed = True
            self._process.stdin.close()

    async def keep(self) -> None:
        """Keep the process running until the task is cancelled; then kill it."""
        orders, rest_s = self._orders(0), _FIRST_REST_S
        while True:
            began_s = asyncio.get_running_loop().time()
            try:
                code = await self._run(orders)
                how = f"ended with code {code}"
            except OSError as error:  # the disk is full, or there are too many processes
                code, how = 0, f"cannot be started: {error.strerror or error}"
            if self._is_renewed:
                self._is_renewed, orders = False, self._orders(0)
                continue
            self.restarts += 1
            lasted_s = asyncio.get_running_loop().time() - began_s
            rest_s = _FIRST_REST_S if lasted_s > _LONGEST_REST_S else min(2 * rest_s, _LONGEST_REST_S)
            self._tell(f"{self.module} {how}; it is started again in {rest_s:.1f} s")
            orders = self._orders(code)
            await asyncio.sleep(rest_s)

    async def _run(self, orders: bytes) -> int:
        await asyncio.to_thread(end_run, self._folder)
        self._folder.mkdir()
        command = with_parent_death_signal([sys.executable, "-m", self.module])
        environment = {**os.environ, "TMPDIR": str(self._folder)}
        # Not stderr: its messages there are for the organizer.
        self._process = process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, limit=_LONGEST_LINE, env=environment, start_new_session=True
        )
        assert process.stdin is not None and process.stdout is not None  # noqa: S101, PT018 - they are pipes
        try:
            process.stdin.write(orders + b"\n")
            while line := await process.stdout.readline():
                self._hear(line)
            return await process.wait()
        finally:
            self._process = None
            if process.returncode is None:
                process.kill()
                await process.wait()


_INPUT = 0


def orders() -> WorkerOrders:
    """The orders in the first line of the input. It is read byte by byte, so that the rest stays unread."""
    line = bytearray()
    while (byte := os.read(_INPUT, 1)) not in {b"", b"\n"}:
        line += byte
    return msgspec.json.decode(line, type=WorkerOrders)


def waited(most_s: float) -> bool:
    """Wait for input, at most `most_s` seconds. Returns whether the other end is still there."""
    ready, _, _ = select.select([_INPUT], [], [], most_s)
    return not ready or bool(os.read(_INPUT, 1 << 16))


def tell(sentence: str) -> None:
    """Print a message for the organizer."""
    print(f"referee serve: {sentence}", file=sys.stderr, flush=True)


def work(main: Callable[[], None]) -> None:
    """Do the work of the process. A failure is printed for the organizer, and the server restarts the process."""
    try:
        main()
    except BrokenPipeError:
        sys.exit(0)  # the server is gone
    except UserError as failure:
        tell(str(failure))
        sys.exit(failure.exit_code)
