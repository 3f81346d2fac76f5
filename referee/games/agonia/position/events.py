"""The events. All of them are open: every seat hears everything."""

from typing import TypeAlias

import msgspec

from referee.core.outcome import Seat
from referee.games.agonia.box.board import Cell, Facing
from referee.games.agonia.box.cards import Cards, HeldCard
from referee.games.agonia.box.characters import Character
from referee.games.agonia.box.enemies import EnemyKind
from referee.games.agonia.box.tokens import TokenKind
from referee.games.agonia.position.actions import Action

# Getting ready


class WasCast(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The characters, by seat (AG-51)."""

    characters: tuple[Character, ...]


class Dealt(msgspec.Struct, frozen=True, tag=True, gc=False):
    """An opening hand in the order drawn, and the event cards that came up in between (AG-22)."""

    seat: Seat
    cards: Cards
    events: Cards


class RolledForFirst(msgspec.Struct, frozen=True, tag=True, gc=False):
    """These seats rolled these numbers, 1 to 6 (AG-21)."""

    seats: tuple[Seat, ...]
    dice: tuple[int, ...]


class OrderSet(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The turn order of all rounds (AG-21). `cells` is empty: the players choose where they start (AG-02)."""

    order: tuple[Seat, ...]
    cells: tuple[Cell, ...] = ()


# Rounds


class RoundBegan(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A round began, with the counter on this cell."""

    round: int
    counter: int


class Ended(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The game is over."""

    won: bool
    ending: str


# Players


class Acted(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A seat chose this action. The events that it causes come after this one."""

    seat: Seat
    action: Action


class Drew(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A seat drew a card. `acts`: the card is an event and acts now (AG-48)."""

    seat: Seat
    card: HeldCard
    acts: bool = False


class TookBack(msgspec.Struct, frozen=True, tag=True, gc=False):
    """These cards went from the table back to the hand of a seat, sorted (AG-23, AG-47)."""

    seat: Seat
    cards: Cards


class Exchanged(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The partner accepted an exchange: `seat` gave and took these cards. None stands for no card (AG-45)."""

    seat: Seat
    partner: Seat
    gave: HeldCard | None
    took: HeldCard | None


class Reshuffled(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The discards are the new deck of `cards` cards (AG-25)."""

    cards: int


class Jammed(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The equipped weapon of a seat is jammed. `card` is the weapon with its marks (AG-56)."""

    seat: Seat
    card: HeldCard


class Cleared(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The jam marks that `seat` had caused are gone (AG-56)."""

    seat: Seat


# The board


class Laid(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A token lies on the board now."""

    kind: TokenKind
    cells: tuple[Cell, ...]


class Removed(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A token left the board, unless it exploded."""

    kind: TokenKind
    cells: tuple[Cell, ...]


class Burning(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A barricade burns and lasts this many more entries (AG-35)."""

    cells: tuple[Cell, ...]
    fire: int


class Exploded(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The barrel exploded (AG-36)."""

    cell: Cell


# Attacks


class Rolled(msgspec.Struct, frozen=True, tag=True, gc=False):
    """An attack on an enemy rolled `die`, 1 to 6. `needed` or more is a hit. `again`: the second roll on an óseo."""

    enemy: int
    die: int
    needed: int
    again: bool


class RolledToKindle(msgspec.Struct, frozen=True, tag=True, gc=False):
    """An area attack on a barricade rolled `die`. `needed` or more sets it alight (AG-35)."""

    cell: Cell
    die: int
    needed: int


class Wounded(msgspec.Struct, frozen=True, tag=True, gc=False):
    """An enemy lost a life and has `life` left."""

    enemy: int
    life: int


class Died(msgspec.Struct, frozen=True, tag=True, gc=False):
    """An enemy died and left the board."""

    enemy: int
    kind: EnemyKind
    cell: Cell


# Enemies


class Spawned(msgspec.Struct, frozen=True, tag=True, gc=False):
    """An enemy appeared. The roll for its column was `die` (AG-38)."""

    enemy: int
    kind: EnemyKind
    cell: Cell
    die: int


class NoRoom(msgspec.Struct, frozen=True, tag=True, gc=False):
    """An enemy could not appear, because all spawn cells are taken or no token is left (AG-38)."""


class Restocked(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The dead tokens are the new pile of `tokens` tokens (AG-38)."""

    tokens: int


class Stepped(msgspec.Struct, frozen=True, tag=True, gc=False):
    """An enemy took a step, forward or aside. `facing` is the way it faces now."""

    enemy: int
    cell: Cell
    facing: Facing


class Pushed(msgspec.Struct, frozen=True, tag=True, gc=False):
    """An enemy was pushed onto a cell. `facing` is the way it faces now (AG-46)."""

    enemy: int
    cell: Cell
    facing: Facing


class Slipped(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Oil sent an enemy back to the cell it came from (AG-34)."""

    enemy: int
    cell: Cell


class Trapped(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A trap holds an enemy (AG-33)."""

    enemy: int


class Freed(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A trap no longer holds an enemy (AG-53)."""

    enemy: int


class Fed(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The devorador took a life from `eaten` and has `life` now (AG-55)."""

    enemy: int
    eaten: int
    life: int


Event: TypeAlias = (
    WasCast
    | Dealt
    | RolledForFirst
    | OrderSet
    | RoundBegan
    | Ended
    | Acted
    | Drew
    | TookBack
    | Exchanged
    | Reshuffled
    | Jammed
    | Cleared
    | Laid
    | Removed
    | Burning
    | Exploded
    | Rolled
    | RolledToKindle
    | Wounded
    | Died
    | Spawned
    | NoRoom
    | Restocked
    | Stepped
    | Pushed
    | Slipped
    | Trapped
    | Freed
    | Fed
)
