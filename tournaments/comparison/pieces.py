"""Comparisons in pieces: each plays every so-manieth deal, and together they are what one machine would have played.

Deals count in their order, so it does not matter which machine is faster. Where a deal is missing, nothing after it
counts: the deals that come first are no fair choice, since short matches may be won ones.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Annotated, Any, Literal

import msgspec

from referee.core.errors import WrongUse
from referee.match.terms import EntryTerms
from tournaments.comparison.stopping_rule import DealLead

_Count = Annotated[int, msgspec.Meta(ge=1, le=1 << 40)]
_NAMED = 5
"""More pieces that are missing are only counted."""


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

    @property
    def planned(self) -> range:
        """The numbers of its deals."""
        return numbers(self.shard, self.shards, self.limit)

    @property
    def missing(self) -> int | None:
        """The first of its deals that is not there; None if it is whole."""
        there = {deal.number for deal in self.deals}.union(self.left_out)
        return next((number for number in self.planned if number not in there), None)


def numbers(shard: int, shards: int, limit: int) -> range:
    """The numbers of the deals of a piece."""
    return range(shard - 1, limit, shards)


def check_same(pieces: Mapping[str, ComparisonPiece]) -> None:
    """Check that pieces belong to one comparison; they are given by the name of their file.

    Raises:
        WrongPieces: they do not.
    """
    names: dict[int, str] = {}
    first_name, first = next(iter(pieces.items()))
    for name, piece in pieces.items():
        apart = [key for key in ("seed", "bots", "shards", "limit") if getattr(piece, key) != getattr(first, key)]
        keys = dict.fromkeys([*first.conditions, *piece.conditions])
        apart += [key for key in keys if first.conditions.get(key) != piece.conditions.get(key)]
        if apart:
            raise WrongPieces(
                f"{name}: is of another comparison than {first_name}: {', '.join(apart)} differ; merge pieces of one"
            )
        listed = [deal.number for deal in piece.deals] + [*piece.left_out]
        are_its_own = all(number in piece.planned for number in listed)
        if piece.shard > piece.shards or len({*listed}) < len(listed) or not are_its_own:
            raise WrongPieces(f"{name}: has deals that are not those of piece {piece.shard} of {piece.shards}")
        if piece.shard in names:
            raise WrongPieces(f"{name}: is piece {piece.shard}, as {names[piece.shard]} is; give each piece once")
        names[piece.shard] = name


class MergedDeals:
    """The deals of pieces of one comparison in their order, up to the first that is missing. Each is given once.

    Attributes:
        counted: the deals that were given so far.
        left_out: how many deals before them do not count.
        next: the number of the deal that follows.
    """

    def __init__(self, pieces: Sequence[ComparisonPiece], limit: int | None = None) -> None:
        """`limit` is the number of the deals that are wanted; None: all."""
        self.counted: list[DealLead] = []
        self.left_out = 0
        self.next = 0
        self._deals = {deal.number: deal for piece in pieces for deal in piece.deals}
        self._not_counted = {number for piece in pieces for number in piece.left_out}
        self._limit = min(limit or pieces[0].limit, pieces[0].limit)

    def __iter__(self) -> Iterator[DealLead]:
        """The deals."""
        while self.next < self._limit:
            deal = self._deals.get(self.next)
            if deal is None and self.next not in self._not_counted:
                return
            self.next += 1
            if deal is None:
                self.left_out += 1
            else:
                self.counted.append(deal)
                yield deal


def missing(pieces: Sequence[ComparisonPiece]) -> list[str]:
    """What is missing for a whole comparison, in words."""
    there, shards = {piece.shard: piece for piece in pieces}, pieces[0].shards
    absent = islice((shard for shard in range(1, shards + 1) if shard not in there), _NAMED)
    parts = [f"piece {shard} of {shards}" for shard in absent]
    more = shards - len(there) - len(parts)
    parts += [f"{more} more pieces"] if more else []
    return parts + [f"piece {each.shard} from deal {each.missing} on" for each in pieces if each.missing is not None]
