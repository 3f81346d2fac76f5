"""What the plain engine of Agonía knows of the box: its tables, its boards, and the things that lie on them.

The tables are the data that come with the game. Everything else follows `docs/rulings/agonia.md`.
"""

import tomllib
from importlib.resources import files
from typing import Any, TypeAlias

Cell: TypeAlias = tuple[int, int]
"""x from the left, y from the top."""


def _read(table: str) -> dict[str, Any]:
    return tomllib.loads((files("referee.games.agonia.box") / "data" / f"{table}.toml").read_text(encoding="utf-8"))


BOARDS, CARDS, CHARACTERS = _read("boards"), _read("cards"), _read("characters")
ENEMIES, TOKENS = _read("enemies"), _read("tokens")
CARD_NUMBERS = {name: number for number, name in enumerate(CARDS, 1)}
KIND_NUMBERS = {name: number for number, name in enumerate(ENEMIES, 1)}
BARRICADES = ("barricada", "barricada_doble")
DOWN, RIGHT = (0, 1), (1, 0)
ALL_AROUND = tuple((x, y) for y in (-1, 0, 1) for x in (-1, 0, 1) if (x, y) != (0, 0))


def distance(one: Cell, other: Cell) -> int:
    """A diagonal step counts as one cell (AG-03)."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def beyond(cell: Cell, way: Cell, steps: int = 1) -> Cell:
    """The cell so many steps away."""
    return cell[0] + steps * way[0], cell[1] + steps * way[1]


class Board:
    """One of the two boards (AG-01)."""

    def __init__(self, name: str) -> None:
        self.name = name
        rows: list[str] = BOARDS[name]["rows"]
        self.letters = {(x, y): letter for y, row in enumerate(rows) for x, letter in enumerate(row) if letter != "#"}
        one, other = BOARDS[name]["walkway"]
        self.walkway = {tuple(one): tuple(other), tuple(other): tuple(one)}
        self.spawn, self.entrance, self.street = self._cells("S"), self._cells("E"), self._cells("v>.")
        self.bottom_row = [cell for cell in self._cells("P") if cell[1] == len(rows) - 1]
        self.of_enemies = {*self.spawn, *self.entrance, *self.street}

    def _cells(self, letters: str) -> list[Cell]:
        return [cell for cell, letter in self.letters.items() if letter in letters]

    def arrow(self, cell: Cell) -> Cell | None:
        """The way to which an enemy turns here."""
        return {"v": DOWN, ">": RIGHT}.get(self.letters[cell])

    def place_in_order(self, cell: Cell) -> tuple[int, int, int]:
        """What the order of the enemies follows: steps left, x, y (AG-30)."""
        x, y = cell
        if self.name == "main":
            return 8 - y, x, y
        if x + y <= 7:
            return 10 - y, x, y
        return (17 - x - 2 * y if x + y <= 10 else 7 - y), x, y

    def walks(self, start: Cell, steps: int) -> set[Cell]:
        """The players' cells that are at most so many steps away (AG-02)."""
        reached = {start}
        for _ in range(steps):
            reached |= {next_to for cell in reached for next_to in self._steps(cell)}
        return reached

    def _steps(self, cell: Cell) -> list[Cell]:
        steps = [beyond(cell, way) for way in (DOWN, RIGHT, (0, -1), (-1, 0))]
        return [step for step in [*steps, self.walkway.get(cell)] if step and self.letters.get(step) == "P"]


class Card:
    """One of the 64 cards, and how it is jammed: who drew the events, and whether that jam is ending (AG-56)."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.jams: set[tuple[int, bool]] = set()

    @property
    def face(self) -> tuple[str, tuple[tuple[int, bool], ...]]:
        """All that distinguishes it from other cards."""
        return self.name, tuple(sorted(self.jams))

    @property
    def jam_sum(self) -> int:
        """The number by which jammed cards are sorted (docs/seeds.md)."""
        return sum((2 if ending else 1) * 4**drawer for drawer, ending in self.jams)

    def __getitem__(self, key: str) -> Any:
        """A value of its table, 0 if it has none."""
        return CARDS[self.name].get(key, 0)


class Player:
    """A player, and all that is in front of the player."""

    def __init__(self, seat: int, character: str) -> None:
        self.seat = seat
        self.character = character
        self.cell: Cell | None = None
        self.hand: list[Card] = []
        self.weapon: Card | None = Card(CHARACTERS[character]["item"])
        self.joined: list[Card] = []
        self.equipment: Card | None = None

    def bonus(self, key: str) -> int:
        """What the equipment adds."""
        return int(self.equipment[key]) if self.equipment else 0

    @property
    def limit(self) -> int:
        """How many cards the hand may have (AG-25)."""
        return int(CHARACTERS[self.character].get("hand", 3)) + self.bonus("more_hand")

    @property
    def steps(self) -> int:
        """How far the player walks (AG-23)."""
        return int(CHARACTERS[self.character].get("steps", 3)) + self.bonus("more_steps")

    def is_free(self, card: Card) -> bool:
        """Whether using the card costs no action (AG-24)."""
        return bool(card["kind"] == CHARACTERS[self.character].get("free"))

    def can_equip(self, card: Card) -> bool:
        """Whether the card can go on the table (AG-23, AG-47)."""
        if card["kind"] == "joined":
            return (
                self.weapon is not None
                and not self.weapon["line"]
                and all(other.name != card.name for other in self.joined)
            )
        return card["kind"] in ("weapon", "equipment")

    def equip(self, card: Card) -> None:
        """Put a card of the hand on the table; what it replaces goes to the hand."""
        self.hand.remove(card)
        if card["kind"] == "joined":
            self.joined.append(card)
        elif card["kind"] == "weapon":
            self.hand += [*([self.weapon] if self.weapon else []), *self.joined]
            self.weapon, self.joined = card, []
        else:
            self.hand += [self.equipment] if self.equipment else []
            self.equipment = card


class Enemy:
    """An enemy on the board."""

    def __init__(self, number: int, kind: str, cell: Cell) -> None:
        self.number, self.kind, self.cell = number, kind, cell
        self.life: int = ENEMIES[kind]["life"]
        self.facing = DOWN
        self.trapped = False
        self.aside = 0  # the side of its latest step aside: 1 the usual first one, 2 the other, 0 neither (AG-43)


class Token:
    """A token that a card put on the board (AG-27)."""

    def __init__(self, kind: str, cells: tuple[Cell, ...]) -> None:
        self.kind, self.cells = kind, cells
        self.fire = 0  # how many more entries a burning barricade lasts (AG-35)

    @property
    def blocks(self) -> bool:
        """Whether it is in the way of an enemy that goes straight on (AG-31)."""
        return self.kind == "barril" or (self.kind in BARRICADES and not self.fire)
