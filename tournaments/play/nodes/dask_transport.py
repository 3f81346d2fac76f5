"""The runner's line to its nodes. Only this module and `joining` know Dask.

It runs in a thread of its own, so that Dask hears of the runner while the runner writes to its store. The thread puts
events into a queue, which the runner reads.
"""

import asyncio
import contextlib
import logging
import re
from collections.abc import Callable, Coroutine, Sequence
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

import msgspec
from distributed import Client, Future, Security
from distributed.client import FutureCancelledError

from referee.core.errors import CannotStart, UserError, WrongUse
from referee.runtime.shortages import is_shortage
from tournaments.play.bot_logs import Words
from tournaments.play.heartbeat import NODE_SILENCE_S, HeartbeatMonitor, beat_s
from tournaments.play.nodes import node
from tournaments.play.nodes.compatibility import Compatibility, about, refusal
from tournaments.play.nodes.node import Node, NodeNotEquipped
from tournaments.play.nodes.node_messages import (
    Kit,
    NodeJoined,
    NodeLost,
    NodeMeasured,
    NodeRefused,
    Piece,
    PieceDone,
    PieceDropped,
    PieceFailed,
    SchedulerLost,
    SchedulerUnreachable,
    TransportBroken,
)
from tournaments.play.nodes.tree_transfer import TreeSender

CORES = "cores"
"""The resource of Dask by which a node says how many cores play, if not as many as it has threads."""

CONNECT_S = 10.0
"""How long the scheduler may take to answer at first."""

PATIENCE_S = 600.0
"""How long a lost scheduler is waited for."""

_AGAIN_S = 1.0
"""How long to wait before a lost scheduler is called again."""

_LEAVE_S = 15.0
"""How long nodes may take to end their processes when a run ends."""

_CLOSE_S = 5.0

_T = TypeVar("_T")


class MissingCertificates(WrongUse):
    """A scheduler elsewhere would be called without certificates."""


class DaskTransport:
    """The nodes of a scheduler. It must be closed.

    Attributes:
        inbox: what happens, as `News`.
    """

    def __init__(self, address: str, shipping: TreeSender, silence_s: float = NODE_SILENCE_S) -> None:
        """Call the scheduler.

        Dask writes its address as `tls://host:port`, or `tcp://127.0.0.1:port`. A node that is silent for `silence_s`
        is lost.

        Raises:
            SchedulerUnreachable: it does not answer.
            MissingCertificates: it is elsewhere, and the address or the settings of Dask name no certificates.
        """
        silence_dask()
        self._address = address
        self._security = security_for(address)
        self._shipping = shipping
        self.inbox: SimpleQueue[Any] = SimpleQueue()
        self._silence_s = silence_s
        self._kit: Kit | None = None
        self._nodes: dict[str, _Link] = {}
        self._left_out: set[str] = set()
        self._silent: dict[str, float] = {}  # lost because they were, with the time when they were last heard
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="hub", daemon=True)
        self._thread.start()
        self._watching: asyncio.Task[None] | None = None
        try:
            self._client = self._do(self._called())
        except (OSError, TimeoutError) as error:
            self._stop()
            raise SchedulerUnreachable(
                f"no scheduler of Dask answers at {address}; start one there with `dask scheduler`"
            ) from error
        except BaseException:
            self._stop()
            raise

    def equip(self, kit: Kit) -> None:
        """Have all nodes play with this kit from now on, those that join later as well."""
        self._do(self._renew(kit))

    def send(self, name: str, piece: Piece) -> None:
        """Have a node play a piece."""
        self._loop.call_soon_threadsafe(self._start, name, piece)

    def cancel(self, name: str, piece: int) -> None:
        """Cancel a piece that a node was given. If the node plays it already, the runner ignores its results."""
        self._loop.call_soon_threadsafe(self._cancel, name, piece)

    def measure(self, name: str) -> None:
        """Have a node measure itself. `NodeMeasured` has the result."""
        self._loop.call_soon_threadsafe(self._start_measuring, name)

    def leave_out(self, name: str) -> None:
        """Give this node nothing more, for the rest of the run."""
        self._loop.call_soon_threadsafe(self._leave_out, name)

    def close(self) -> Sequence[Words]:
        """Have the nodes end the processes they started, and disconnect. Returns the last output of their bots."""
        try:
            return self._do(self._hang_up())
        finally:
            self._stop()

    # The methods below run in the thread.

    def _do(self, coroutine: Coroutine[Any, Any, _T]) -> _T:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()

    def _stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _called(self) -> Client:
        client = Client(
            self._address, asynchronous=True, security=self._security, timeout=CONNECT_S, set_as_default=False
        )
        try:
            return await asyncio.wait_for(client, 2 * CONNECT_S)
        except BaseException:
            await _closed(client)
            raise

    async def _renew(self, kit: Kit) -> None:
        self._kit = kit
        for link in list(self._nodes.values()):
            link.close()
        self._nodes.clear()
        if self._watching is None:
            self._watching = asyncio.create_task(self._watch())
            self._watching.add_done_callback(self._watched)

    def _watched(self, watching: "asyncio.Task[None]") -> None:
        """Note that the watching task has ended. If a bug ended it, the runner must stop."""
        if not watching.cancelled() and (error := watching.exception()) is not None:
            self.inbox.put(TransportBroken(error))

    async def _watch(self) -> None:
        """Check at intervals which nodes are there, and which are silent."""
        watch = HeartbeatMonitor(self._silence_s)
        while True:
            try:
                seen = await asyncio.wait_for(self._identity(), self._silence_s)
            except (OSError, TimeoutError, AttributeError):  # the last if the client is closed just now
                if not await self._call_again():
                    return
                watch = HeartbeatMonitor(self._silence_s)
                continue
            self._look(seen, watch.passed_s())
            await asyncio.sleep(beat_s(self._silence_s))

    async def _identity(self) -> dict[str, Any]:
        """The scheduler's description of each worker, by address."""
        if self._client.status != "running":
            raise OSError
        known = await self._client.scheduler.identity(n_workers=-1)
        workers: dict[str, Any] = known["workers"]
        return workers

    def _look(self, workers: dict[str, Any], passed_s: float) -> None:
        for name in self._nodes.keys() - workers.keys():
            self._lose(name, "it has left, or its process was lost")
        for name, worker in workers.items():
            last_seen = worker["last_seen"]
            if name in self._left_out or self._silent.get(name) == last_seen:
                continue
            link = self._nodes.get(name)
            if link is None:
                self._silent.pop(name, None)
                self._take_in(name, worker)
            elif link.is_silent(last_seen, passed_s, self._silence_s):
                self._silent[name] = last_seen
                self._lose(name, f"nothing was heard of it for {self._silence_s:.0f} s")

    def _take_in(self, name: str, worker: dict[str, Any]) -> None:
        link = self._nodes[name] = _Link(worker["last_seen"])
        if self._kit is not None:
            cores = worker["resources"].get(CORES)
            link.begin(self._introduce(name, self._kit, worker["nthreads"], cores))

    async def _introduce(self, name: str, kit: Kit, threads: int, cores: float | None) -> None:
        """Identify a node, and give it all that it needs to play; `cores`, if it says how many of them play."""
        try:
            theirs = await self._compatibility(name)
            if isinstance(theirs, str):
                self._refuse(name, theirs)
                return
            places = min(threads, int(cores or theirs.cores))
            while lacking := await self._on(name, Node.equip, kit, places):
                for key in lacking:
                    for chunks in self._shipping.chunks(key):
                        await self._on(name, Node.take, chunks)
            measured = await self._on(name, Node.measure)
        except asyncio.CancelledError:
            raise
        except FutureCancelledError:  # the line to the scheduler was lost for a moment
            self._nodes.pop(name, None)
            return
        except UserError as error:
            self._refuse(name, f"cannot play this league: {error}", cannot_start=isinstance(error, CannotStart))
            return
        except Exception as error:  # whatever it is there, others play
            why = f"cannot play this league: {type(error).__name__}: {error}"
            self._refuse(name, why, cannot_start=is_shortage(error))
            return
        self.inbox.put(NodeJoined(name, places, max(1, threads // places), kit.id, measured))

    async def _compatibility(self, name: str) -> Compatibility | str:
        """The versions that a node plays with, or the reason why it cannot play."""
        try:
            theirs = msgspec.convert(await self._call(name, node.introduce), Compatibility)
        except (ImportError, AttributeError, msgspec.ValidationError):
            return "it has another version of this program, or none; install the same"
        return refusal(about(), theirs) or theirs

    def _refuse(self, name: str, reason: str, *, cannot_start: bool = False) -> None:
        self._left_out.add(name)
        self._nodes.pop(name, None)
        self.inbox.put(NodeRefused(name, reason, cannot_start))

    def _start(self, name: str, piece: Piece) -> None:
        link = self._nodes.get(name)
        if link is not None:  # if it is lost, the runner hears of that
            link.play(piece.number, self._play(name, piece))

    async def _play(self, name: str, piece: Piece) -> None:
        try:
            done = await self._on(name, Node.play, piece)
        except asyncio.CancelledError:
            raise
        except NodeNotEquipped:  # its process is new, and has the address of the one before
            if name in self._nodes:
                self._lose(name, "its process was lost")
            return
        except FutureCancelledError:  # the line to the scheduler was lost for a moment
            self.inbox.put(PieceDropped(piece.number))
            return
        except Exception as error:  # the runner judges it
            self.inbox.put(PieceFailed(piece.number, error))
            return
        self.inbox.put(PieceDone(piece.number, done))

    def _start_measuring(self, name: str) -> None:
        link = self._nodes.get(name)
        if link is not None:
            link.begin(self._measure(name))

    async def _measure(self, name: str) -> None:
        try:
            measured = await self._on(name, Node.measure)
        except (asyncio.CancelledError, FutureCancelledError):  # it is lost, or the line to the scheduler was
            return
        except Exception as error:  # it may be taken in again
            if name in self._nodes:
                self._lose(name, f"it could not measure itself: {error}")
            return
        self.inbox.put(NodeMeasured(name, measured))

    def _cancel(self, name: str, piece: int) -> None:
        link = self._nodes.get(name)
        if link is not None:
            link.cancel(piece)

    def _on(self, name: str, action: Callable[..., Any], *arguments: object) -> Coroutine[Any, Any, Any]:
        """Have a node do something, a method of `Node`."""
        return self._call(name, node.on_this_node, action, *arguments)

    async def _call(self, name: str, function: Callable[..., Any], *arguments: object) -> Any:
        """Have a process do something, there and nowhere else; it is done once or not at all."""
        future: Future = self._client.submit(
            function, *arguments, workers=[name], allow_other_workers=False, retries=0, pure=False
        )
        try:
            return await future.result()
        finally:
            future.release()

    def _lose(self, name: str, reason: str) -> None:
        self._nodes.pop(name).close()
        self.inbox.put(NodeLost(name, reason))

    def _leave_out(self, name: str) -> None:
        self._left_out.add(name)
        if name in self._nodes:
            self._lose(name, "it is left out")

    async def _call_again(self) -> bool:
        """After the scheduler was lost: whether it is there again."""
        for link in self._nodes.values():
            link.close()
        self._nodes.clear()
        self.inbox.put(SchedulerLost(for_good=False))
        await _closed(self._client)
        for _ in range(int(PATIENCE_S / _AGAIN_S)):
            with contextlib.suppress(OSError, TimeoutError):
                self._client = await self._called()
                self._left_out.clear()  # it knows none of them any more
                self._silent.clear()
                return True
            await asyncio.sleep(_AGAIN_S)
        self.inbox.put(SchedulerLost(for_good=True))
        return False

    async def _hang_up(self) -> Sequence[Words]:
        if self._watching is not None:
            self._watching.cancel()
        nodes, kit = list(self._nodes), self._kit
        for link in self._nodes.values():
            link.close()
        words = [] if kit is None else await _within(_LEAVE_S, [self._on(name, Node.leave, kit.id) for name in nodes])
        await _closed(self._client)
        return words


async def _closed(client: Client) -> None:
    """Close a client, whatever its state. Any remains of it end with this process."""
    with contextlib.suppress(Exception):
        await asyncio.wait_for(client.close(timeout=1), _CLOSE_S)


async def _within(seconds: float, coroutines: Sequence[Coroutine[Any, Any, _T]]) -> list[_T]:
    """The results of these within so many seconds. Those that fail or take longer are left out."""
    tasks = [asyncio.ensure_future(each) for each in coroutines]
    done = (await asyncio.wait(tasks, timeout=seconds))[0] if tasks else set()
    for task in tasks:
        task.cancel()
    return [task.result() for task in done if not task.cancelled() and task.exception() is None]


class _Link:
    """The requests to a node that are under way."""

    def __init__(self, last_seen: float) -> None:
        self._last_seen = last_seen
        self._silent_s = 0.0
        self._others: set[asyncio.Task[None]] = set()
        self._pieces: dict[int, asyncio.Task[None]] = {}

    def begin(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(coroutine)
        self._others.add(task)
        task.add_done_callback(self._others.discard)

    def play(self, piece: int, coroutine: Coroutine[Any, Any, None]) -> None:
        task = self._pieces[piece] = asyncio.ensure_future(coroutine)
        task.add_done_callback(lambda _: self._pieces.pop(piece, None))

    def cancel(self, piece: int) -> None:
        task = self._pieces.get(piece)
        if task is not None:
            task.cancel()

    def is_silent(self, last_seen: float, passed_s: float, silence_s: float) -> bool:
        """Take note of when the scheduler last heard of it; whether it has been silent for too long."""
        if last_seen != self._last_seen:
            self._last_seen, self._silent_s = last_seen, 0.0
        else:
            self._silent_s += passed_s
        return self._silent_s >= silence_s

    def close(self) -> None:
        for task in (*self._others, *self._pieces.values()):
            task.cancel()


def security_for(address: str) -> Security:
    """The certificates for a scheduler, which the settings of Dask name.

    Raises:
        MissingCertificates: it is elsewhere, and no certificates are demanded and shown.
    """
    security = Security()
    if is_here(address):
        return security
    if not address.startswith("tls://"):
        raise MissingCertificates(
            f"{address}: a scheduler is called at tls://HOST:PORT, or at tcp://127.0.0.1:PORT on this machine;"
            " whoever reaches it otherwise could have anything done"
        )
    if not all((security.tls_ca_file, security.tls_client_cert, security.tls_worker_cert)):
        raise MissingCertificates(
            f"{address}: no certificates are named; set ca-file, client.cert and worker.cert under"
            " distributed.comm.tls in the settings of Dask, as docs/machines.md shows"
        )
    return security


def silence_dask() -> None:
    """Let Dask write nothing: we say what matters. It gives some of its loggers levels of their own."""
    for name in ["distributed", *logging.root.manager.loggerDict]:
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL)


def is_here(address: str) -> bool:
    """Whether a scheduler listens on this machine alone, and is called without certificates."""
    kind, _, rest = address.partition("://")
    host = rest.rpartition(":")[0].strip("[]")
    return kind == "tcp" and (host in {"localhost", "::1"} or re.fullmatch(r"127(\.\d{1,3}){3}", host) is not None)
