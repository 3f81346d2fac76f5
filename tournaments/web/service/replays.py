"""Replays for browsers. Drawing a long match takes seconds, so it draws one at a time, and caches the latest."""

from collections import OrderedDict
from collections.abc import Callable

import anyio

from tournaments.web.service.replies import Problem

_MOST = 32
_MOST_WAIT = 8
"""The limit of waiting requests. Further requests get an error."""


class Replays:
    """The latest replays, for each viewer."""

    def __init__(self) -> None:
        """Begin with an empty cache."""
        self._pages: OrderedDict[tuple[str, ...], bytes] = OrderedDict()
        self._drawing = anyio.Semaphore(1)
        self._waiting = 0

    async def page(self, key: tuple[str, ...], draw: Callable[[], bytes]) -> bytes:
        """A page that shows a match step by step.

        `key` names the viewer and the match. The caller has checked the permission. `draw` makes the page, in a
        thread.

        Raises:
            Problem: there are too many requests for replays at once (503).
        """
        found = self._pages.get(key)
        if found is not None:
            return found
        if self._waiting >= _MOST_WAIT:
            raise Problem(503, "too many replays are drawn now; try again later", {"retry-after": "10"})
        self._waiting += 1
        try:
            async with self._drawing:
                found = self._pages.get(key)  # another request may have waited for the same one
                if found is None:
                    found = self._pages[key] = await anyio.to_thread.run_sync(draw)
                    if len(self._pages) > _MOST:
                        self._pages.popitem(last=False)
                return found
        finally:
            self._waiting -= 1
