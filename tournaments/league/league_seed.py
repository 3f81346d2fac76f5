"""The seed of a league: how it is written, what is published about it, and the match headers that follow from it."""

import re
from hashlib import sha256

from msgspec.structs import replace

from referee.core import seeds
from referee.match.header import header as header_of
from referee.match.header import own_deal_seed
from referee.match.transcript import Header
from tournaments.league.deals import own_deals
from tournaments.league.model import Fixture, League


def is_full(text: str) -> bool:
    """Whether a seed is written in full: 64 hex digits, not a text that can be guessed."""
    return re.fullmatch(r"[0-9a-fA-F]{64}", text) is not None


def from_given(text: str) -> bytes:
    """The 32-byte seed that a text stands for: its own 64 hex digits, or else a seed derived from the text."""
    return bytes.fromhex(text) if is_full(text) else seeds.from_text(text)


def commitment(seed: bytes) -> str:
    """The SHA-256 of a league's seed, in hex. It is published before play."""
    return sha256(seed).hexdigest()


def header(league: League, seed: bytes, fixture: Fixture) -> Header:
    """Everything that is settled before a match of `league` begins; `seed` is the league's, 32 bytes."""
    table = next(table for table in league.tables if table.name == fixture.table)
    header = header_of(
        game=league.game,
        rules_version=league.rules_version,
        options=table.options,
        fixture=fixture.id,
        entries=fixture.entries,
        root=seed,
        deal=fixture.deal,
    )
    if league.deal_seed is not None:
        return replace(header, deal_seed=league.deal_seed)
    if own_deals(league).has(fixture.table, fixture.entries):
        return replace(header, deal_seed=own_deal_seed(seed, fixture.id).hex())
    return header
