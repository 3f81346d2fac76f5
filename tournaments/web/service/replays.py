"""Replays for browsers. A long match takes seconds to draw, so one is drawn at a time, and the latest are kept."""

from collections import OrderedDict
from collections.abc import Callable

import anyio

from tournaments.web.service.problem_details import Problem

_MOST = 32
_MOST_WAIT = 8
"""So many wait for theirs; whoever comes then is asked to come again."""


class Replays:
    """The latest replays, for each viewer."""

    def __init__(self) -> None:
        """None is drawn."""
        self._kept: OrderedDict[tuple[str, ...], bytes] = OrderedDict()
        self._drawing = anyio.Semaphore(1)
        self._waiting = 0

    async def page(self, key: tuple[str, ...], draw: Callable[[], bytes]) -> bytes:
        """A page on which a match is watched.

        `key` says who watches which match. Whether that may be, was looked at before. `draw` makes the page, in a
        thread.

        Raises:
            Problem: too many replays are asked for at once (503).
        """
        found = self._kept.get(key)
        return await self._drawn(key, draw) if found is None else found

    async def _drawn(self, key: tuple[str, ...], draw: Callable[[], bytes]) -> bytes:
        if self._waiting >= _MOST_WAIT:
            raise Problem(503, "too many replays are drawn now; try again later", {"retry-after": "10"})
        self._waiting += 1
        try:
            async with self._drawing:
                found = self._kept.get(key)  # somebody else may have waited for the same one
                if found is None:
                    found = await anyio.to_thread.run_sync(draw)
                    self._keep(key, found)
                return found
        finally:
            self._waiting -= 1

    def _keep(self, key: tuple[str, ...], page: bytes) -> None:
        self._kept[key] = page
        if len(self._kept) > _MOST:
            self._kept.popitem(last=False)
