"""Receives bodies of requests in an unnamed file of bounded size. The server handles slow clients."""

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import BinaryIO

from starlette.requests import ClientDisconnect, Request

from tournaments.submissions.tree_cache import CacheError
from tournaments.web.service.problem_details import Problem

ARCHIVE = "application/gzip"
"""The media type of an archive (RFC 6713)."""

_IN_MEMORY = 256 << 10
"""Bytes of an upload that stay in memory; longer uploads go to the disk."""


def check_headers(request: Request, media: str, most_bytes: int) -> None:
    """Check the headers of an upload, before reading its body.

    Raises:
        Problem: it is of another type (415), too long (413), or its length is not a number (400).
    """
    given = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if given != media:
        raise Problem(415, f"send the archive as {media}")
    if "content-encoding" in request.headers:
        raise Problem(415, "send the archive as it is, without a content-encoding")
    length = request.headers.get("content-length")
    if length is not None and int(length) > most_bytes:  # the server has refused values that are no number
        raise _too_long(most_bytes)


@asynccontextmanager
async def receive_upload(request: Request, most_bytes: int) -> AsyncIterator[BinaryIO]:
    """A file with the body of a request, at its beginning. It disappears afterwards, even if we are killed.

    Raises:
        Problem: the body is longer than `most_bytes` (413), or was not sent to its end (400).
        CacheError: there is no room for it.
    """
    with tempfile.SpooledTemporaryFile(_IN_MEMORY, prefix="referee-upload-") as file:
        size = 0
        try:
            async for chunk in request.stream():
                size += len(chunk)
                if size > most_bytes:
                    raise _too_long(most_bytes)
                file.write(chunk)
        except ClientDisconnect as gone:
            raise Problem(400, "the body is incomplete") from gone
        except OSError as error:
            raise CacheError(f"an upload cannot be kept for a moment: {error.strerror or error}") from error
        file.seek(0)
        yield file  # type: ignore[misc] # a SpooledTemporaryFile has all that a BinaryIO has


def _too_long(most_bytes: int) -> Problem:
    return Problem(413, f"the body is longer than {most_bytes:,} bytes, the most that is allowed here")
