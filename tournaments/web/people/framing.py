"""Frames between two processes of ours: four bytes with the length, the highest first, and then so many bytes."""

import asyncio

from referee.core.errors import OurFailure

MOST_BYTES = 128 << 20
"""The limit of a frame: four times 32 messages to a seat, each of the length that a bot must be able to read."""


class BrokenFrame(OurFailure):
    """The received bytes are no frame."""


async def write_frame(writer: asyncio.StreamWriter, content: bytes) -> None:
    """Send a frame, and wait while the other side does not read."""
    writer.write(len(content).to_bytes(4) + content)
    await writer.drain()


async def read_frame(reader: asyncio.StreamReader) -> bytes | None:
    """The next frame; None if the other side has closed.

    Raises:
        BrokenFrame: it is too long, or the other side closed in the middle of it.
    """
    try:
        length = int.from_bytes(await reader.readexactly(4))
        if length > MOST_BYTES:
            raise BrokenFrame(f"a frame of {length} bytes; at most {MOST_BYTES} are sent")
        return await reader.readexactly(length)
    except asyncio.IncompleteReadError as end:
        if end.partial:
            raise BrokenFrame("a frame that breaks off") from end
        return None
