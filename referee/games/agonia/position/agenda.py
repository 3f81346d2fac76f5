"""The remaining work, step by step.

A position holds an agenda: a tuple of steps, the next one first. A step either waits (for a player, a roll, a shuffle)
or can be performed at once. A performed step leaves the agenda, and other steps may take its place. So a roll can
interrupt a move: the rest of the move stays on the agenda and goes on after the roll.
"""

from typing import TypeAlias

import msgspec

from referee.core.outcome import Seat
from referee.games.agonia.box.board import Cell, Mask
from referee.games.agonia.box.cards import Card, Cards, HeldCard

# Getting ready. All but the last two wait for luck.


class Cast(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The characters are drawn (AG-51)."""


class Deal(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The cards are shuffled, and the opening hands are dealt (AG-22)."""


class Pile(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The enemy tokens are shuffled."""


class First(msgspec.Struct, frozen=True, tag=True, gc=False):
    """These seats roll for the first turn, for the `roll`-th time (AG-21)."""

    seats: tuple[Seat, ...]
    roll: int


class Start(msgspec.Struct, frozen=True, tag=True, gc=False):
    """These seats still choose where they start, in this order (AG-02). Waits for a decision for each seat."""

    seats: tuple[Seat, ...]


class BeginRound(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The next round begins. Its steps go onto the agenda."""


# Players


class Supplies(msgspec.Struct, frozen=True, tag=True, gc=False):
    """These seats still draw one card each, in this order (AG-22, AG-48)."""

    seats: tuple[Seat, ...]


class Happening(msgspec.Struct, frozen=True, tag=True, gc=False):
    """An event acts that a seat drew (AG-48)."""

    seat: Seat
    card: Card


class Trim(msgspec.Struct, frozen=True, tag=True, gc=False):
    """These seats discard down to their limits, in this order (AG-25, AG-48). Waits for a decision for each card."""

    seats: tuple[Seat, ...]


class Turn(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The turn of a seat (AG-23, AG-24). Waits for the seat, unless it has acted and has no free card to use."""

    seat: Seat
    acted: bool = False


class Search(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A search draws `left` more cards. Then the seat may equip cards of `drawn`, sorted, for free (AG-23)."""

    seat: Seat
    left: int
    drawn: Cards = ()


class SecondShot(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The second attack of a subfusil (AG-58). Waits for its target."""

    seat: Seat


class Answer(msgspec.Struct, frozen=True, tag=True, gc=False):
    """An exchange waits for the answer of `partner` (AG-45). None stands for no card."""

    seat: Seat
    partner: Seat
    gives: HeldCard | None
    takes: HeldCard | None


# Attacks


class Strike(msgspec.Struct, frozen=True, tag=True, gc=False):
    """An attack on an enemy waits for its roll. `needed` or more is a hit. `again`: the second roll on an óseo."""

    enemy: int
    needed: int
    again: bool = False


class Kindle(msgspec.Struct, frozen=True, tag=True, gc=False):
    """An area attack on the unburnt barricade on `cell` waits for its roll (AG-35)."""

    cell: Cell
    needed: int


class Alight(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The unburnt barricade on `cell` is set alight without a roll (AG-49)."""

    cell: Cell


class Quench(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The burning barricade on `cell` is removed by an area attack (AG-35)."""

    cell: Cell


class Explode(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The barrel on `cell` explodes (AG-36)."""

    cell: Cell


class Blast(msgspec.Struct, frozen=True, tag=True, gc=False):
    """An area attack begins and fixes its targets (AG-50). `alight`: barricades need no roll (AG-49)."""

    area: Mask
    damage: int
    alight: bool = False


# Enemies


class BeginAdvance(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The order of the enemies is fixed (AG-30)."""


class Advance(msgspec.Struct, frozen=True, tag=True, gc=False):
    """These enemies still move, in this order. An enemy that has died does not move (AG-30)."""

    enemies: tuple[int, ...]


class Walk(msgspec.Struct, frozen=True, tag=True, gc=False):
    """An interrupted enemy still has `steps` to go."""

    enemy: int
    steps: int


class Smoulder(msgspec.Struct, frozen=True, tag=True, gc=False):
    """An enemy has entered the burning barricade on `cell`. `last`: this entry removes it in any case (AG-35)."""

    cell: Cell
    last: bool


class Spawning(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The spawning of a round begins (AG-38)."""


class Columns(msgspec.Struct, frozen=True, tag=True, gc=False):
    """This many enemies appear. Waits for the roll, which `label` names, for the columns of those that can."""

    label: str
    enemies: int


class Arrivals(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Enemies appear one after another on these columns, numbers in `range(DIE)`. `others` more cannot appear."""

    columns: tuple[int, ...]
    others: int


class Restock(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The dead tokens wait for the shuffle that makes them a new pile (AG-38)."""


class Reshuffle(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The discards wait for the shuffle that makes them a new deck (AG-25)."""


class EndRound(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A round ends. `spawned` enemies had appeared before its spawning began."""

    spawned: int


Step: TypeAlias = (
    Cast
    | Deal
    | Pile
    | First
    | Start
    | BeginRound
    | Supplies
    | Happening
    | Trim
    | Turn
    | Search
    | SecondShot
    | Answer
    | Strike
    | Kindle
    | Alight
    | Quench
    | Explode
    | Blast
    | BeginAdvance
    | Advance
    | Walk
    | Smoulder
    | Spawning
    | Columns
    | Arrivals
    | Restock
    | Reshuffle
    | EndRound
)

Agenda: TypeAlias = tuple[Step, ...]
"""The remaining steps, the next one first."""
