"""Moves the output of bots from the nodes into the runner's logs.

A node stores the output in files for a while, as one machine does, and sends it with each piece. No bot can fill a
disk, the network or the runner's memory with it: a node sends at most `MOST_BYTES` of one bot's output during a piece.
The runner does not trust the lines that a node sends, so it checks each line before it stores it.
"""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import TypeAlias

from tournaments.play.bot_logs import BotLog, pieces, taken

MOST_BYTES = 256 << 10

Words: TypeAlias = Mapping[str, bytes]
"""By bot, lines of its log."""


def collected(folder: Path, bots: Iterable[str]) -> Words:
    """The output of these bots since the last call. It is removed from `folder`, whether or not all of it is sent."""
    found = {bot: _cut(taken(folder, bot)) for bot in sorted(set(bots))}
    return {bot: lines for bot, lines in found.items() if lines}


def keep(folder: Path, bots: Collection[str], words: Words) -> None:
    """Store the output from a node in the logs of a league. Bots that are not in `bots` have no log."""
    for bot, lines in words.items():
        if bot in bots:
            log = BotLog(folder, bot)
            for record in pieces(_cut(lines).split(b"\n")):
                log.add(record)
            log.close()


def _cut(lines: bytes) -> bytes:
    """The first lines, as many as may be sent."""
    return lines if len(lines) <= MOST_BYTES else lines[: lines.rfind(b"\n", 0, MOST_BYTES) + 1]
