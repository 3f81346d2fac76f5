"""A process that serves another one on this machine: it ends with that one, and leaves the signals to it.

A command can end with the process that started it, and signals can wait until something is done that must not be left
half done.
"""

import ctypes
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

START_ONLY_UNDER = """
read -r _ _ _ parent _ </proc/self/stat
[ "$parent" = "$0" ] && exec env -u PWD -u OLDPWD -u SHLVL -u _ "$@"
"""
"""If the parent died before the kernel was asked for a signal, no signal will follow. The shell then has another parent
by now, and must not start the command. $PPID would not do: it is 0 in a new namespace of processes. `env` takes away
what shells add to the environment."""


def with_parent_death_signal(command: Sequence[str]) -> list[str]:
    """A command that runs `command` and is killed when the thread that started it ends (PDEATHSIG).

    setpriv asks the kernel for the signal and becomes the shell, which becomes the command: the request outlives exec.
    """
    guard = ["setpriv", "--pdeathsig", "KILL", "--", "sh", "-c", START_ONLY_UNDER, str(os.getpid())]
    return [*guard, *command]


ENDING = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
"""Signals that end a command: Ctrl-C, what timeout(1) and supervisors send, and what a closed terminal sends."""


def ending_signals() -> frozenset[signal.Signals]:
    """Those of `ENDING` that this process does not ignore. nohup(1) starts a program that ignores SIGHUP."""
    return frozenset(number for number in ENDING if signal.getsignal(number) is not signal.SIG_IGN)


@contextmanager
def handle_signals(handler: Callable[[int, FrameType | None], object]) -> Iterator[None]:
    """Let `handler` handle the signals of `ENDING` meanwhile, unless this process ignores them.

    Python calls the handlers of signals in the main thread only. In any other thread there is nothing to do.
    """
    ours = ending_signals() if threading.current_thread() is threading.main_thread() else ()
    before = {number: signal.signal(number, handler) for number in ours}
    try:
        yield
    finally:
        for number, handler_before in before.items():
            signal.signal(number, handler_before)


@contextmanager
def hold_signals_back() -> Iterator[None]:
    """Let the signals of `ENDING` make no exception meanwhile. The first signal is raised afterwards."""
    came: list[int] = []
    try:
        with handle_signals(lambda number, _frame: came.append(number)):
            yield
    finally:
        for first in came[:1]:
            signal.raise_signal(first)


_PR_SET_PDEATHSIG = 1  # prctl(2)


def serve(master: int) -> None:
    """Do this first in a process that serves the process `master`, which has started it.

    It ends with the master, does nothing at signals that end a command, and no longer holds them back. They may reach
    the whole process group; the master decides what they mean.
    """
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != master:  # it died before the call above
        os.kill(os.getpid(), signal.SIGKILL)
    # A handler, not SIG_IGN, which bots would inherit: they must receive the SIGTERM that ends them.
    for number in ENDING:
        signal.signal(number, lambda _number, _frame: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)


@contextmanager
def process_pool(processes: int) -> "Iterator[ProcessPoolExecutor]":
    """Processes that end with this one, and leave signals to it. What they have not begun at the end is left undone."""
    # Only here, since every command of leagues imports this module.
    import multiprocessing  # noqa: PLC0415
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415
    from multiprocessing import resource_tracker  # noqa: PLC0415

    resource_tracker.ensure_running()  # its own start would let signals through
    spawn = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(processes, mp_context=spawn, initializer=serve, initargs=(os.getpid(),))
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def defer_signals() -> Iterator[None]:
    """Meanwhile no signal makes an exception. The started process has them blocked, until it is set for them.

    To block them does not suffice: any other thread may take them, and Python calls their handlers in the main one.
    """
    with hold_signals_back():
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
