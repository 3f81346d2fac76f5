"""The seeds of a match, derived by path from one root, the league's seed.

The path of a deal's seed has no name and no rotation, so every line-up meets the same deals. The values
that a bot is sent (its own seed, the match's id) depend on the fixture instead. So they do not reveal the deal.
"""

from referee.core import seeds
from referee.core.outcome import Seat

BOT_SEED_BYTES = 16
MATCH_ID_BYTES = 8


def deal_seed(root: bytes, deal: int) -> bytes:
    """32 bytes, the root of all luck in a deal: root / "deal" / number."""
    return seeds.child(root, "deal", str(deal))


def own_deal_seed(root: bytes, fixture: str) -> bytes:
    """32 bytes, the root of all luck in a match that shares its deal with no other: root / "own deal" / fixture id."""
    return seeds.child(root, "own deal", fixture)


def bot_seed(root: bytes, fixture: str, seat: Seat) -> bytes:
    """16 bytes for a seat's own randomness: root / "bot" / fixture id / seat."""
    return seeds.child(root, "bot", fixture, str(seat))[:BOT_SEED_BYTES]


def match_id(root: bytes, fixture: str) -> bytes:
    """8 bytes, the id that the bots are given for a match: root / "match" / fixture id."""
    return seeds.child(root, "match", fixture)[:MATCH_ID_BYTES]
