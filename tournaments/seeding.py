"""Where every seed of a league comes from. All of it is derived by path from the league's seed.

The seed of a deal holds no name and no rotation, so every line-up meets the same deals; what a bot is told (its own
seed, the match's id) hangs on the fixture instead, so it tells nothing of the deal.
"""

import re
from hashlib import sha256

from referee.core import seeds
from referee.core.outcome import Seat
from referee.match.transcript import Header
from tournaments.model import Fixture, League

BOT_SEED_BYTES = 16
MATCH_ID_BYTES = 8


def is_full(text: str) -> bool:
    """Whether a given seed is a whole one: 64 hex digits, not a text that can be guessed."""
    return re.fullmatch(r"[0-9a-fA-F]{64}", text) is not None


def from_given(text: str) -> bytes:
    """The 32-byte seed that a given text stands for: itself if it is a whole one, else what is derived from it."""
    return bytes.fromhex(text) if is_full(text) else seeds.from_text(text)


def commitment(seed: bytes) -> str:
    """What is published of a league's seed before play: its SHA-256, in hex."""
    return sha256(seed).hexdigest()


def deal_seed(seed: bytes, deal: int) -> bytes:
    """32 bytes, the root of all luck in a deal: league seed / "deal" / number."""
    return seeds.child(seed, "deal", str(deal))


def bot_seed(seed: bytes, fixture: str, seat: Seat) -> bytes:
    """16 bytes for a seat's own randomness: league seed / "bot" / fixture id / seat."""
    return seeds.child(seed, "bot", fixture, str(seat))[:BOT_SEED_BYTES]


def match_id(seed: bytes, fixture: str) -> bytes:
    """8 bytes, what the bots know a match by: league seed / "match" / fixture id."""
    return seeds.child(seed, "match", fixture)[:MATCH_ID_BYTES]


def header(league: League, seed: bytes, fixture: Fixture) -> Header:
    """All that is settled before a match of `league` begins; `seed` is the league's, 32 bytes."""
    table = next(table for table in league.tables if table.name == fixture.table)
    seats = range(len(fixture.entries))
    return Header(
        game=league.game,
        rules_version=league.rules_version,
        options=table.options,
        fixture=fixture.id,
        deal_seed=deal_seed(seed, fixture.deal).hex(),
        match_id=match_id(seed, fixture.id).hex(),
        bot_seeds=tuple(bot_seed(seed, fixture.id, seat).hex() for seat in seats),
        entries=fixture.entries,
    )
