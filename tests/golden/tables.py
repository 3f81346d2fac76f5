"""Which playthroughs there are: for every game its tables, for every table its endings and one fault."""

from pathlib import Path
from typing import Any

import msgspec

from referee.core.game import AnyGame
from referee.core.outcome import FAULT
from referee.games.agent_avenue.state import Options as AgentAvenueOptions
from referee.wire.registry import games

FOLDER = Path(__file__).parent


class GoldenTable(msgspec.Struct, frozen=True):
    """One way to play a game.

    Attributes:
        name: of the folder that its playthroughs lie in.
        options: of the game.
        seats: how many.
        endings: those that can be reached here; None for all of the game's.
    """

    name: str
    options: Any
    seats: int
    endings: tuple[str, ...] | None = None


TABLES: dict[str, tuple[GoldenTable, ...]] = {
    "agent-avenue": (GoldenTable("simple", AgentAvenueOptions(mode="simple", line_up="1v1"), 2),),
}


class Golden(msgspec.Struct, frozen=True):
    """One playthrough: which game, at which table, to which end."""

    game: str
    table: GoldenTable
    ending: str

    @property
    def rules(self) -> AnyGame:
        return games()[self.game].game

    @property
    def path(self) -> Path:
        return FOLDER / self.game / self.table.name / f"{self.ending}.txt"

    def __str__(self) -> str:
        return f"{self.game}/{self.table.name}/{self.ending}"


GOLDEN = tuple(
    Golden(game, table, ending)
    for game, tables in TABLES.items()
    for table in tables
    for ending in (*(table.endings or games()[game].game.endings), FAULT)
)
"""Every playthrough there must be."""
