"""A bot for tests of runs: it notes every match that begins, and chooses by its seed.

Start it with `counting_bot.py ADDRESS NAME LOG DELAY_MS [SHIFT]...`. It thinks for DELAY_MS at every decision, or about
all decisions of a batch together. Each SHIFT, and the variable SHIFT, makes it choose that many actions further on.
With the variable SPEAKS it says when a match begins.
"""

import os
import sys
import time
from collections.abc import Iterable, Iterator

sys.path.insert(0, __file__.rsplit("/", 3)[0])

from tests.bots.by_hand import Speak, serve
from tests.rogues.bots.bot import READY, Row, answers, asked, choice
from tests.rogues.bots.frames import field, fields

ADDRESS, NAME, LOG, DELAY_MS, *SHIFTS = sys.argv[1:]
SHIFT = sum(map(int, [*SHIFTS, os.environ.get("SHIFT", "0")]))

DESCRIPTION = field(1, NAME.encode()) + field(2, b"1") + field(3, b"*") + field(6, 64)
START, DECISION, BATCH = 1, 2, 4
"""Which message it is: the number of its only field, also for parts of a batch."""
MATCH = 4
"""The field of a part that has the number of its match."""


class Conversation:
    """One call of Play. It has the seed of each match that has begun, by its number, which is 0 for a single match."""

    def __init__(self) -> None:
        self._seeds: dict[int, bytes] = {}

    def hear(self, message: bytes) -> Iterator[bytes]:
        ((kind, body),) = fields(message)
        assert isinstance(body, bytes)
        if kind == START:
            self._begin(0, body)
            yield READY
        elif kind == DECISION:
            time.sleep(int(DELAY_MS) / 1000)
            _, number, index = self._chosen(0, body)
            yield choice(number, index)
        elif kind == BATCH:
            time.sleep(int(DELAY_MS) / 1000)
            yield from self._answered([part for _, part in fields(body) if isinstance(part, bytes)])

    def _answered(self, parts: Iterable[bytes]) -> Iterator[bytes]:
        """The answers to a batch, if it asks for any."""
        rows: list[Row] = []
        ready: list[int] = []
        for part in parts:
            (kind, body), (number, match) = fields(part)
            assert isinstance(body, bytes)
            assert isinstance(match, int)
            assert number == MATCH
            if kind == START:
                self._begin(match, body)
                ready.append(match)
            elif kind == DECISION:
                rows.append(self._chosen(match, body))
        if rows or ready:
            yield answers(rows, ready)

    def _begin(self, match: int, start: bytes) -> None:
        told = dict(fields(start))
        match_id, seed = told[1], told[7]
        assert isinstance(match_id, bytes)
        assert isinstance(seed, bytes)
        self._seeds[match] = seed
        note(match_id)

    def _chosen(self, match: int, decision: bytes) -> Row:
        number, legal, _ = asked(decision)
        seed = self._seeds[match]
        return match, number, (seed[number % len(seed)] + SHIFT) % legal


def note(match_id: bytes) -> None:
    """Note a match. A single write to a file opened for appending does not mix with lines of other bots."""
    file = os.open(LOG, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(file, f"{NAME} {match_id.hex()}\n".encode())
    os.close(file)
    if "SPEAKS" in os.environ:
        print("a match begins", file=sys.stderr, flush=True)


def play(messages: Iterator[bytes], speak: Speak) -> None:
    conversation = Conversation()
    for message in messages:
        for said in conversation.hear(message):
            speak(said)


if __name__ == "__main__":
    serve(ADDRESS, lambda _: DESCRIPTION, play)
