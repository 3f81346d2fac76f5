"""The actions. Every action is made once and kept, so that its hash and its bytes are kept too."""

from functools import cache
from typing import TypeAlias

import msgspec

from referee.core.outcome import Seat
from referee.games.agonia.box.board import Cell, Direction
from referee.games.agonia.box.cards import HeldCard


class Go(msgspec.Struct, frozen=True, tag=True, gc=False, cache_hash=True):
    """Walk to a cell (AG-23), or start there (AG-02)."""

    cell: Cell


class Equip(msgspec.Struct, frozen=True, tag=True, gc=False, cache_hash=True):
    """Put a card from the hand on the table, or join it to the weapon (AG-23, AG-47)."""

    card: HeldCard


class SearchDeck(msgspec.Struct, frozen=True, tag=True, gc=False, cache_hash=True):
    """Draw two cards (AG-23)."""


class Keep(msgspec.Struct, frozen=True, tag=True, gc=False, cache_hash=True):
    """Equip no more of the cards that a search found."""


class ShootEnemy(msgspec.Struct, frozen=True, tag=True, gc=False, cache_hash=True):
    """Shoot the equipped weapon at an enemy, by its number (AG-58)."""

    enemy: int


class ShootBarrel(msgspec.Struct, frozen=True, tag=True, gc=False, cache_hash=True):
    """Shoot the equipped weapon at the barrel (AG-36)."""


class ShootLine(msgspec.Struct, frozen=True, tag=True, gc=False, cache_hash=True):
    """Shoot the equipped weapon along a line (AG-49)."""

    direction: Direction


class Throw(msgspec.Struct, frozen=True, tag=True, gc=False, cache_hash=True):
    """Use an area card on a cell (AG-49)."""

    card: HeldCard
    cell: Cell


class Place(msgspec.Struct, frozen=True, tag=True, gc=False, cache_hash=True):
    """Use a card to place a token on cells, sorted (AG-27)."""

    card: HeldCard
    cells: tuple[Cell, ...]


class Exchange(msgspec.Struct, frozen=True, tag=True, gc=False, cache_hash=True):
    """Offer an adjacent player a card, or none, for one of theirs, or none (AG-45)."""

    partner: Seat
    gives: HeldCard | None
    takes: HeldCard | None


class Reply(msgspec.Struct, frozen=True, tag=True, gc=False, cache_hash=True):
    """Accept an exchange, or refuse it (AG-45)."""

    accept: bool


class Discard(msgspec.Struct, frozen=True, tag=True, gc=False, cache_hash=True):
    """Discard a card that is over the limit (AG-25)."""

    card: HeldCard


class EndTurn(msgspec.Struct, frozen=True, tag=True, gc=False, cache_hash=True):
    """End the turn, with or without having acted (AG-24)."""


Action: TypeAlias = (
    Go
    | Equip
    | SearchDeck
    | Keep
    | ShootEnemy
    | ShootBarrel
    | ShootLine
    | Throw
    | Place
    | Exchange
    | Reply
    | Discard
    | EndTurn
)

SEARCH = SearchDeck()
KEEP = Keep()
SHOOT_BARREL = ShootBarrel()
END_TURN = EndTurn()
REPLIES: tuple[Action, ...] = (Reply(accept=True), Reply(accept=False))
LINES = {direction: ShootLine(direction) for direction in Direction}

# There are too many other actions to list. Each is kept once it is made.
go = cache(Go)
equip = cache(Equip)
shoot = cache(ShootEnemy)
throw = cache(Throw)
place = cache(Place)
exchange = cache(Exchange)
discard = cache(Discard)
