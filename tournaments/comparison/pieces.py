"""Comparisons in pieces: each plays every so-manieth deal, and together they are what one machine would have played.

Deals count in their order, so it does not matter which machine is faster. Where a deal is missing, nothing after it
counts: the deals that come first are no fair choice, since short matches may be won ones.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec.structs import replace

from referee.core.errors import WrongUse
from referee.match.terms import EntryTerms
from tournaments.comparison.stopping_rule import DealLead

_Count = Annotated[int, msgspec.Meta(ge=1, le=1 << 20)]


class WrongPieces(WrongUse):
    """Files are not pieces of one comparison."""


class ComparisonPiece(msgspec.Struct, frozen=True):
    """A part of a comparison: the deals whose number is `shard` - 1 modulo `shards`, as far as they are complete.

    Attributes:
        format: the form of this document.
        new: the `name@version` of the new bot.
        old: that of the old one.
        commits: the commits of the two, if they were taken from a repository.
        seed: the seed of all deals, 64 hex digits.
        bots: for each bot, the new one and the old one first, the digest of its files and the terms of its entry.
        conditions: everything else that the matches depend on, by name.
        shard: the number of this piece, from 1.
        shards: how many pieces there are.
        limit: the comparison has so many deals at most.
        deals: the complete deals, in order.
        left_out: the numbers of the deals that do not count, because a match was void too often.
    """

    new: str
    old: str
    commits: dict[str, str]
    seed: str
    bots: Annotated[tuple[tuple[str, EntryTerms], ...], msgspec.Meta(min_length=2)]
    conditions: dict[str, Any]
    shard: _Count
    shards: _Count
    limit: _Count
    deals: tuple[DealLead, ...]
    left_out: tuple[int, ...]
    format: Literal["referee comparison 1"] = "referee comparison 1"


def numbers(shard: int, shards: int, limit: int) -> range:
    """The numbers of the deals of a piece."""
    return range(shard - 1, limit, shards)


def merge_pieces(pieces: Mapping[str, ComparisonPiece]) -> tuple[ComparisonPiece, dict[int, int]]:
    """Put pieces together, which are given by the name of their file.

    Returns:
        The comparison up to the first deal that is missing. For each piece with missing deals, the number of the first.

    Raises:
        WrongPieces: they are pieces of several comparisons, or have deals that are not theirs.
    """
    _check_same(pieces)
    deals = {deal.number: deal for piece in pieces.values() for deal in piece.deals}
    left_out = {number for piece in pieces.values() for number in piece.left_out}
    first = next(iter(pieces.values()))
    missing: dict[int, int] = {}
    for number in range(first.limit):
        if number not in deals and number not in left_out:
            missing.setdefault(number % first.shards + 1, number)
    there = range(min(missing.values(), default=first.limit))
    counted = tuple(deals[number] for number in there if number in deals)
    whole = replace(first, shard=1, shards=1, deals=counted, left_out=tuple(sorted(left_out.intersection(there))))
    return whole, missing


def _check_same(pieces: Mapping[str, ComparisonPiece]) -> None:
    names: dict[int, str] = {}
    first_name, first = next((name, _in_common(piece)) for name, piece in pieces.items())
    for name, piece in pieces.items():
        other = _in_common(piece)
        apart = [key for key in first | other if first.get(key) != other.get(key)]
        if apart:
            raise WrongPieces(
                f"{name}: is of another comparison than {first_name}: {', '.join(apart)} differ; merge pieces of one"
            )
        listed = [deal.number for deal in piece.deals] + [*piece.left_out]
        own = numbers(piece.shard, piece.shards, piece.limit)
        if piece.shard > piece.shards or len({*listed}) < len(listed) or not all(number in own for number in listed):
            raise WrongPieces(f"{name}: has deals that are not those of piece {piece.shard} of {piece.shards}")
        if names.setdefault(piece.shard, name) != name:
            raise WrongPieces(f"{name}: is piece {piece.shard}, as {names[piece.shard]} is; give each piece once")


def _in_common(piece: ComparisonPiece) -> dict[str, Any]:
    """What all pieces of one comparison have in common, by name. Two commits may have the same bot."""
    common = msgspec.to_builtins(replace(piece, commits={}, shard=1, deals=(), left_out=()))
    return {**common.pop("conditions"), **common}
