"""The options of a game."""

from typing import Annotated

import msgspec

from referee.games.agonia.box.board import BoardName
from referee.games.agonia.box.characters import BY_NAME, Character

DRAWN = "drawn"
FEWEST_ROUNDS, MOST_ROUNDS = 3, 30
_CHARACTERS = f"{DRAWN}, or 2 to 5 different ones of {', '.join(BY_NAME)}, joined by commas"


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options that the players agree on before a game (AG-51).

    Attributes:
        board: one of the two boards.
        rounds: the last cell of the counter; None for the number in AG-20, which depends on the number of players.
        characters: `drawn`, or the ids of characters by seat, joined by commas.

    Raises:
        ValueError: the number of rounds is not allowed, or the characters are not.
    """

    board: BoardName = "main"
    rounds: Annotated[int, msgspec.Meta(ge=FEWEST_ROUNDS, le=MOST_ROUNDS)] | None = None
    characters: Annotated[str, msgspec.Meta(description=_CHARACTERS, extra={"by_seat": tuple(BY_NAME)})] = DRAWN

    def __post_init__(self) -> None:
        if self.rounds is not None and not FEWEST_ROUNDS <= self.rounds <= MOST_ROUNDS:
            raise ValueError(f"rounds is {self.rounds}; allowed: {FEWEST_ROUNDS} to {MOST_ROUNDS}")
        names = self.characters.split(",")
        if self.characters != DRAWN and not (set(names) <= set(BY_NAME) and 2 <= len(names) == len(set(names))):
            raise ValueError(f"characters is {self.characters!r}; allowed: {_CHARACTERS}")

    @property
    def cast(self) -> tuple[Character, ...]:
        """The characters by seat. Empty if they are drawn."""
        return () if self.characters == DRAWN else tuple(BY_NAME[name] for name in self.characters.split(","))
