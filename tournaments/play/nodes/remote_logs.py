"""What bots write on nodes, on its way into the runner's logs.

On a node it is kept in files for a while, as on one machine, and is sent with each piece. No bot can fill a disk, the
network or the runner's memory with it: of what one bot writes while a piece is played, no more than `MOST_BYTES` are
sent. The words of strangers come in lines that a node put together, so each line is looked at before it is kept.
"""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import TypeAlias

from tournaments.play.bot_logs import BotLog, pieces, taken

MOST_BYTES = 256 << 10

Words: TypeAlias = Mapping[str, bytes]
"""By bot, lines of its log."""


def collected(folder: Path, bots: Iterable[str]) -> Words:
    """What these bots wrote since the last time. It is removed from `folder`, whether or not all of it is sent."""
    found = {bot: _cut(taken(folder, bot)) for bot in sorted(set(bots))}
    return {bot: lines for bot, lines in found.items() if lines}


def keep(folder: Path, bots: Collection[str], words: Words) -> None:
    """Keep what came from a node in the logs of a league. Bots that are none of `bots` have no log."""
    for bot, lines in words.items():
        if bot in bots:
            log = BotLog(folder, bot)
            for said in pieces(_cut(lines)):
                log.add(said)
            log.close()


def _cut(lines: bytes) -> bytes:
    """The first lines, as many as may be sent."""
    return lines if len(lines) <= MOST_BYTES else lines[: lines.rfind(b"\n", 0, MOST_BYTES) + 1]
