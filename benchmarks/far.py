"""What a league costs on another machine: processor time of all processes a match, over the same league on one machine.

The other machine is this one: a scheduler, a node with one core, and a runner with one process that judges, which talk
over 127.0.0.1 without certificates. All that any of them spends counts, from the tenth match to the last.
"""

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from msgspec.structs import replace

from benchmarks.leagues import echo_league
from benchmarks.rows import Missing, Pair, Row, Target, missing_row, paired_row
from benchmarks.shares import spent_in_all_s
from benchmarks.virtual_nodes import pool
from referee.match.terms import Clock
from tournaments.league.model import FinishedMatch, League
from tournaments.play.environment import Environment, LocalEnvironment
from tournaments.play.nodes.node_executor import NodeExecutor
from tournaments.play.nodes.verification import VerificationPool
from tournaments.play.run import open_run
from tournaments.play.workers.worker_messages import Work

_ROUNDS = 3
_FROM = 10  # matches
_DEALS = {1: 750, 64: 4_000}  # by batch; both ways, some seconds each
_PATIENT = Clock(move_ms=300_000, start_ms=300_000)
"""So that the node plays on a busy machine, too: it would find itself too slow for a quick clock, and rest."""

_TARGET = Target(first=1.2, then=1.1)
_BIN = Path(sys.executable).parent


def rows() -> list[Row]:
    """Singly and in batches, with and without judging, each over the league on one machine."""
    names = {(batch, judges): _name(batch, judges) for batch in _DEALS for judges in (0, 1)}
    try:
        measured = _measured()
    except Missing as why:
        return [missing_row(name, "lower", why) for name in names.values()]
    # The target is for the first: it is what the way to another machine costs, and nothing else.
    return [
        paired_row(name, measured[which], "lower", _TARGET if which == (1, 0) else None)
        for which, name in names.items()
    ]


def _name(batch: int, judges: int) -> str:
    how = "unbatched" if batch == 1 else f"in batches of {batch}"
    judged = "every match judged" if judges else "nothing judged"
    return f"CPU us / match of all processes, on a node, {how}, {judged}, over one machine"


def _measured() -> dict[tuple[int, int], list[Pair]]:
    """The pairs by batch, and by how many processes judge.

    Raises:
        Missing: Dask is not installed.
    """
    if find_spec("distributed") is None:
        raise Missing("playing on several machines needs Dask (requirements/machines.txt)")
    pairs: dict[tuple[int, int], list[Pair]] = {}
    with _scheduler() as address:
        for batch, deals in _DEALS.items():
            league = replace(echo_league(deals), batch=batch, clock=_PATIENT)
            for _ in range(_ROUNDS):
                here_us = cpu_us_a_match(league, LocalEnvironment(1))
                for judges in (0, 1):
                    far_us = cpu_us_a_match(league, _Far(league, address, judges))
                    pairs.setdefault((batch, judges), []).append(Pair(far_us, here_us))
    return pairs


def cpu_us_a_match(league: League, machine: Environment) -> float:
    """Microseconds of processor time that this process and all that it started spend on a match."""
    count, before_s = 0, 0.0
    with (
        tempfile.TemporaryDirectory() as folder,
        open_run(league, f"sqlite:///{folder}/bench.sqlite", machine) as run,
    ):
        for count, result in enumerate(run.play(), 1):
            assert isinstance(result, FinishedMatch)
            if count == _FROM:
                before_s = spent_in_all_s()
        after_s = spent_in_all_s()
    return (after_s - before_s) * 1e6 / (count - _FROM)


class _Far(LocalEnvironment):
    """The nodes of a scheduler, with so many processes here that judge; none: nobody judges."""

    def __init__(self, league: League, scheduler: str, judges: int) -> None:
        super().__init__(1)
        self._league = league
        self._scheduler = scheduler
        self._judges = judges

    @contextmanager
    def executor(self, work: Work, run_dir: Path) -> Iterator[NodeExecutor]:  # noqa: ARG002 - nodes have folders of their own
        """The nodes of the scheduler."""
        from tournaments.play.nodes.dask_transport import DaskTransport  # noqa: PLC0415 - Dask may not be installed

        with pool(self._judges) as judging:
            judges = VerificationPool(judging, max(1, self._judges))
            executor = NodeExecutor(
                work, self._league, partial(DaskTransport, self._scheduler), judges, lambda _event: None
            )
            try:
                yield executor
            finally:
                executor.close()


@contextmanager
def _scheduler() -> Iterator[str]:
    """The address of a scheduler that a node with one core has joined, or will in a moment."""
    address = f"tcp://127.0.0.1:{_free_port()}"
    host, _, port = address.rpartition(":")
    dask, referee = str(_BIN / "dask"), str(_BIN / "referee")
    commands = [
        [dask, "scheduler", "--host", host, "--port", port, "--no-dashboard"],
        [referee, "machine", address, "--cores", "1"],
    ]
    with tempfile.TemporaryDirectory() as cache:
        env = {**os.environ, "XDG_CACHE_HOME": cache}
        started = [
            subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            for command in commands
        ]
        try:
            yield address
        finally:
            for process in reversed(started):
                process.terminate()
            for process in started:
                process.wait()


def _free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port: int = sock.getsockname()[1]
        return port
