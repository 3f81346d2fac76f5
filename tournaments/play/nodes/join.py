"""A machine joins a scheduler, and joins it again whenever one was lost.

Any worker of Dask plays for a runner if this program is installed beside it, so people deploy nodes as they deploy
Dask. This is the same with settings that suit: two tasks for each core, so that a piece waits when another ends; no
limit to memory, since bots have their own; no pages over HTTP; and no nanny, whose processes may start no others.
"""

import asyncio
import contextlib
import os
import tempfile
from collections.abc import Callable

import dask
from distributed import Security, Worker

from referee.core.errors import WrongUse
from referee.core.text import several
from referee.runtime.child_process import ending_signals
from tournaments.play.nodes.dask_transport import CORES, is_here, security_for, silence_dask

_WINDOW = 2
"""Pieces that each core may have been given."""

_AGAIN_S = 2.0
"""How long to wait before a lost scheduler is called again."""

_CONNECT_S = 10


class TooManyCores(WrongUse):
    """There are fewer cores."""


def join(address: str, cores: int | None, tell: Callable[[str], None]) -> None:
    """Play for the runners of a scheduler until a signal arrives that ends commands.

    The node uses all cores that this process may use, unless `cores` says how many. `tell` gets a sentence when the
    node finds the scheduler, and when it loses it.

    Raises:
        MissingCertificates: the scheduler is elsewhere, and no certificates are named.
        TooManyCores: there are not so many.
    """
    have = len(os.sched_getaffinity(0))
    if cores is not None and cores > have:
        raise TooManyCores(f"{cores} cores cannot play; this machine has {have}")
    security = security_for(address)
    silence_dask()
    with tempfile.TemporaryDirectory(prefix="referee-dask-", ignore_cleanup_errors=True) as folder:
        asyncio.run(_stay(address, cores or have, security, folder, tell))


async def _stay(address: str, cores: int, security: Security, folder: str, tell: Callable[[str], None]) -> None:
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in ending_signals():
        loop.add_signal_handler(number, stopped.set)
    stopping = asyncio.create_task(stopped.wait())
    away = False
    with dask.config.set({"distributed.worker.http.routes": [], "distributed.worker.profile.enabled": False}):
        while not stopped.is_set():
            try:
                async with await _joined(address, cores, security, folder) as worker:
                    tell(f"this machine has joined {address}; it plays with {several(cores, 'core', 'cores')}")
                    away = False
                    finished = asyncio.create_task(worker.finished())
                    await asyncio.wait([finished, stopping], return_when=asyncio.FIRST_COMPLETED)
            except (OSError, TimeoutError):
                if not away:
                    tell(f"no scheduler answers at {address}; it is called again until it does")
                away = True
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(stopping), _AGAIN_S)


async def _joined(address: str, cores: int, security: Security, folder: str) -> Worker:
    host = "127.0.0.1" if is_here(address) else None  # None: everywhere, which is for those with certificates only
    worker: Worker = Worker(
        address,
        nthreads=_WINDOW * cores,
        memory_limit=0,
        security=security,
        local_directory=folder,
        death_timeout=_CONNECT_S,
        resources={CORES: cores},
        host=host,
    )
    return await worker
