"""Names of things, for people. Names stay Spanish, as they are printed. The data and the proto have glosses."""

from collections.abc import Iterable, Iterator

from referee.core.outcome import Seat
from referee.games.agonia.box import cards, characters, enemies, tokens
from referee.games.agonia.box.board import Cell, xy
from referee.games.agonia.box.cards import Held, card_of, marks_of
from referee.games.agonia.box.characters import Character
from referee.games.agonia.box.enemies import EnemyKind
from referee.games.agonia.box.tokens import TokenKind

COLUMNS = "abcdefghijklmnop"
"""The names of the columns, from the left."""

CHARACTERS = {character: characters.PRINTS[character].name for character in Character}
ENEMIES = {kind: enemies.PRINTS[kind].name for kind in EnemyKind}
TOKENS = {kind: tokens.PRINTS[kind].name for kind in TokenKind}

_MOST_SEATS = 5


def cell_name(cell: Cell) -> str:
    """A letter for the column and the row's number from the top, 0 first: "c4" is x 2, y 4."""
    x, y = xy(cell)
    return f"{COLUMNS[x]}{y}"


def cells_name(cells: Iterable[Cell]) -> str:
    """Such as "c4+d4"."""
    return "+".join(map(cell_name, cells))


def card_name(held: Held | None) -> str:
    """Such as "pistola (jammed until seat 1's next turn ends)"; "nothing" for none."""
    if held is None:
        return "nothing"
    jams = " and ".join(_jams(marks_of(held)))
    return cards.PRINTS[card_of(held)].name + (f" (jammed until {jams})" if jams else "")


def _jams(marks: int) -> Iterator[str]:
    """How long each mark of being jammed lasts (AG-56)."""
    for seat in range(_MOST_SEATS):
        if marks >> 2 * seat & 1:
            yield f"seat {seat}'s next turn ends"
        if marks >> 2 * seat & 2:
            yield f"seat {seat}'s turn ends"


def card_names(held: Iterable[Held]) -> str:
    """Such as "foso, granada"; "nothing" for none."""
    return ", ".join(map(card_name, held)) or "nothing"


def counted_cards(held: Iterable[Held]) -> str:
    """Such as "foso, 2 granada"."""
    return _counted(map(card_name, held))


def counted_kinds(kinds: Iterable[EnemyKind]) -> str:
    """Such as "4 común, fresco"."""
    return _counted(ENEMIES[kind] for kind in kinds)


def _counted(names: Iterable[str]) -> str:
    listed = list(names)
    return ", ".join(_times(listed.count(name)) + name for name in dict.fromkeys(listed)) or "nothing"


def _times(count: int) -> str:
    return f"{count} " if count > 1 else ""


def seat_names(seats: Iterable[Seat]) -> str:
    """Such as "seat 0, seat 2"."""
    return ", ".join(f"seat {seat}" for seat in seats)
