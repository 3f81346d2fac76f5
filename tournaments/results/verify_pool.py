"""Processes that audit a store together. Their findings have the same order as those of a single process."""

import os
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from typing import TypeAlias

from referee.core.errors import OurFailure
from referee.runtime.child_process import defer_signals, serve
from tournaments.results.verify import Checked, Found, Verification
from tournaments.store import Store

PART = 500
"""How many matches a process checks at a time. It takes a fraction of a second, so all end soon when they should."""


_Part: TypeAlias = tuple[str, str | None]
"""The matches after the first fixture id, up to the second one; None: to the end."""


class VerifierLost(OurFailure):
    """A process that checked matches was killed."""


def audited(audit: Verification, store: Store, workers: int) -> Found:
    """The findings of an audit of a store, match by match, sorted by fixture id.

    With one worker, or with few matches, this process checks them itself.

    Raises:
        VerifierLost: one of the processes was killed.
    """
    if workers == 1:
        return audit.differences(store)
    with store.counting() as counting:
        cuts = counting.every(PART)
    parts = list(zip(["", *cuts], [*cuts, None], strict=True))
    if len(parts) <= 2:
        return audit.differences(store)
    return _together(partial(_check, audit, store.url), parts, min(workers, len(parts)))


def _together(check: Callable[[_Part], list[Checked]], parts: Sequence[_Part], workers: int) -> Found:
    """The findings of several processes in these parts, part by part."""
    # Only here, since every command of leagues imports this module.
    import multiprocessing  # noqa: PLC0415
    from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor  # noqa: PLC0415
    from multiprocessing import resource_tracker  # noqa: PLC0415

    spawn = multiprocessing.get_context("spawn")
    resource_tracker.ensure_running()  # its own start would let signals through
    pool = ProcessPoolExecutor(workers, mp_context=spawn, initializer=serve, initargs=(os.getpid(),))
    try:
        with defer_signals():
            found = pool.map(check, parts)
        yield from chain.from_iterable(found)
    except BrokenProcessPool as error:
        raise VerifierLost("a process that checked matches was killed; nothing is changed, so check again") from error
    finally:
        pool.shutdown(cancel_futures=True)


def _check(audit: Verification, url: str, part: _Part) -> list[Checked]:
    """The findings of one process in a part."""
    with Store(url, audit.league.name) as store:
        return list(audit.differences(store, *part))
