"""Receives bodies of requests in an unnamed file of bounded size. The server handles slow clients."""

import tempfile
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, asynccontextmanager
from typing import BinaryIO

import anyio
import msgspec
from starlette.requests import Request

from tournaments.submissions.tree_cache import CacheError
from tournaments.web.service.places import Places
from tournaments.web.service.replies import Problem
from tournaments.web.service.requests import body_parts, media_type, too_long

ARCHIVE = "application/gzip"
"""The media type of an archive (RFC 6713)."""

_RETRY_AFTER_S = 10
_IN_MEMORY = 256 << 10
"""Bytes of an upload that stay in memory; longer uploads go to the disk."""


class UploadLimits(msgspec.Struct, frozen=True):
    """The limits of uploads.

    Attributes:
        reading: how many are read at once; the others wait.
        reading_each: how many of them one author may have, so that a slow author delays nobody else.
        most: how many there are at once, with those that wait.
        most_each: how many of them one author may have.
        wait_s: how long an upload may wait before it is read, in seconds.
    """

    reading: int = 8
    reading_each: int = 2
    most: int = 64
    most_each: int = 8
    wait_s: float = 60.0


class UploadQueue:
    """The uploads that are read, and those that wait."""

    def __init__(self, limits: UploadLimits) -> None:
        """Begin without uploads."""
        self._limits = limits
        self._places = Places(
            limits.most,
            limits.most_each,
            "too many archives arrive at once; try again later",
            "too many of your archives arrive at once; wait until some have arrived",
            retry_after_s=_RETRY_AFTER_S,
        )
        self._reading = anyio.Semaphore(limits.reading)
        self._reading_of: dict[str, anyio.Semaphore] = {}

    def place(self, author: str) -> AbstractContextManager[None]:
        """Have a place among the uploads, without waiting. Call this before anything else is done for the upload.

        Raises:
            Problem: the author (429), or all authors together (503), have too many.
        """
        return self._places.one(author)

    @asynccontextmanager
    async def turn(self, author: str) -> AsyncIterator[None]:
        """Wait for the turn of an upload that has a place. It lasts until its body is read.

        Raises:
            Problem: it waited too long (503).
        """
        own = self._reading_of.setdefault(author, anyio.Semaphore(self._limits.reading_each))
        with anyio.move_on_after(self._limits.wait_s) as waiting:
            await own.acquire()
            try:
                await self._reading.acquire()
            except BaseException:
                own.release()
                raise
        if waiting.cancelled_caught:
            raise Problem(
                503, "the archives before this one take too long; try again later", {"retry-after": str(_RETRY_AFTER_S)}
            )
        try:
            yield
        finally:
            self._reading.release()
            own.release()


def check_headers(request: Request, media: str, most_bytes: int) -> None:
    """Check the headers of an upload, before reading its body.

    Raises:
        Problem: it is of another type (415), too long (413), or its length is not a number (400).
    """
    if media_type(request) != media:
        raise Problem(415, f"send the archive as {media}")
    if "content-encoding" in request.headers:
        raise Problem(415, "send the archive as it is, without a content-encoding")
    length = request.headers.get("content-length")
    if length is not None and int(length) > most_bytes:  # the server has refused values that are no number
        raise too_long(most_bytes)


@asynccontextmanager
async def receive_upload(request: Request, most_bytes: int) -> AsyncIterator[BinaryIO]:
    """A file with the body of a request, at its beginning. It disappears afterwards, even if we are killed.

    Raises:
        Problem: the body is longer than `most_bytes` (413), or was not sent to its end (400).
        CacheError: there is no room for it.
    """
    with tempfile.SpooledTemporaryFile(_IN_MEMORY, prefix="referee-upload-") as file:
        try:
            async for part in body_parts(request, most_bytes):
                file.write(part)
        except OSError as error:
            raise CacheError(f"an upload cannot be kept for a moment: {error.strerror or error}") from error
        file.seek(0)
        yield file  # type: ignore[misc] # a SpooledTemporaryFile has all that a BinaryIO has
