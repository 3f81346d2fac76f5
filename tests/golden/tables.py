"""The playthroughs: the tables of every game, and for every table its endings and one fault."""

from pathlib import Path
from typing import Any

import msgspec

from referee.core.game import AnyGame
from referee.core.outcome import FAULT
from referee.games.agent_avenue.state import Options as AgentAvenueOptions
from referee.games.agonia.position.options import Options as AgoniaOptions
from referee.games.inside_job.options import Options as InsideJobOptions
from referee.wire.registry import games

FOLDER = Path(__file__).parent


class GoldenTable(msgspec.Struct, frozen=True):
    """One way to play a game.

    Attributes:
        name: the name of the folder with its playthroughs.
        options: the options of the game.
        seats: how many there are.
        endings: the endings that can be reached here. None stands for all endings of the game.
        seeds: how many seeds are tried to find a short match for each ending.
    """

    name: str
    options: Any
    seats: int
    endings: tuple[str, ...] | None = None
    seeds: int = 300


AGENT_AVENUE = games()["agent-avenue"].game
AGENT_AVENUE_OPTIONS = {
    "simple": AgentAvenueOptions(mode="simple", line_up="1v1"),
    "simple-2v2": AgentAvenueOptions(mode="simple", line_up="2v2"),
    "simple-2v1": AgentAvenueOptions(mode="simple", line_up="2v1"),
    "advanced": AgentAvenueOptions(mode="advanced", line_up="1v1"),
    "advanced-2v2": AgentAvenueOptions(mode="advanced", line_up="2v2"),
    "advanced-2v1": AgentAvenueOptions(mode="advanced", line_up="2v1"),
    "advanced-ceasefire": AgentAvenueOptions(mode="advanced", line_up="1v1", ceasefire=True),
}
AGENT_AVENUE_ENDINGS = {
    "simple": ("caught", "codebreakers", "daredevils", "several", "ran_out"),
    "advanced": AGENT_AVENUE.endings,
}

AGONIA_TABLES = (
    (AgoniaOptions(rounds=5), 2, ("entrance", "victory"), 12),
    (AgoniaOptions(), 3, ("entrance", "victory"), 12),
    (AgoniaOptions(rounds=4, characters="marta,ismael,vera,bruno"), 4, ("entrance", "victory"), 12),
    (AgoniaOptions(), 5, ("entrance",), 12),
    (AgoniaOptions(board="secondary", rounds=3), 2, ("entrance", "victory", "siege"), 48),  # sieges are rare and long
    (AgoniaOptions(board="secondary"), 3, ("entrance", "victory"), 12),
    (AgoniaOptions(board="secondary", rounds=3), 4, ("victory",), 12),
    (AgoniaOptions(board="secondary"), 5, ("entrance", "victory"), 12),
)

# Tables with endings that random matches reach. Every ending, number of players and role is among them.
_VOTES = ("insider_accused", "other_accused", "vote_tied")
INSIDE_JOB = (
    GoldenTable("three", InsideJobOptions(talk="every_trick"), 3, ("tokens", *_VOTES)),
    GoldenTable("four", InsideJobOptions(), 4, ("tokens", *_VOTES)),
    GoldenTable("five", InsideJobOptions(talk="none", leader_wagers=False), 5, ("tokens", "missions", "vote_tied")),
    GoldenTable("wired-shady", InsideJobOptions(roles="wired,shady"), 4, ("wired", "tokens", "insider_accused")),
    GoldenTable(
        "paranoid-decoy",
        InsideJobOptions(roles="paranoid,decoy"),
        5,
        ("decoy_accused", "insider_tied_with_decoy", "tied_with_decoy"),
    ),
    GoldenTable("daredevil-sleeper", InsideJobOptions(roles="daredevil,sleeper"), 4, ("daredevil", "tokens")),
    GoldenTable(
        "accomplice-prof_no", InsideJobOptions(roles="accomplice,prof_no"), 5, ("prof_no_revealed", "all_others_open")
    ),
    GoldenTable("paranoid-prof_no", InsideJobOptions(roles="paranoid,prof_no"), 4, ("insider_accused", "vote_tied")),
)

TABLES: dict[str, tuple[GoldenTable, ...]] = {
    "agent-avenue": tuple(
        GoldenTable(name, options, AGENT_AVENUE.seats(options)[0], AGENT_AVENUE_ENDINGS[options.mode])
        for name, options in AGENT_AVENUE_OPTIONS.items()
    ),
    "agonia": tuple(
        GoldenTable(f"{options.board}-{seats}", options, seats, endings, seeds)
        for options, seats, endings, seeds in AGONIA_TABLES
    ),
    "inside-job": INSIDE_JOB,
}


TEXTS = {
    "agent-avenue/simple": ("daredevils", "ran_out", FAULT),
    "agent-avenue/simple-2v2": ("caught",),
    "agent-avenue/simple-2v1": ("several",),
    "agent-avenue/advanced": ("codebreakers", "leader_of_the_pack"),
    "agent-avenue/advanced-2v1": ("caught",),
    "agent-avenue/advanced-ceasefire": ("masterplan", "security_system"),
    "agonia/main-2": ("entrance",),
    "agonia/secondary-2": ("siege", "victory", FAULT),
    "inside-job/three": ("insider_accused", FAULT),
    "inside-job/four": ("other_accused", "tokens"),
    "inside-job/five": ("missions",),
    "inside-job/wired-shady": ("wired",),
    "inside-job/paranoid-decoy": ("decoy_accused", "insider_tied_with_decoy", "tied_with_decoy"),
    "inside-job/daredevil-sleeper": ("daredevil",),
    "inside-job/accomplice-prof_no": ("all_others_open", "prof_no_revealed"),
    "inside-job/paranoid-prof_no": ("vote_tied",),
}
"""By table, the playthroughs that are kept in text. Only the choices and the digest of the others are kept.

Every ending is in text at the table where its text is shortest. Sometimes it is at another table, where it is a bit
longer, because that table would have no text otherwise. The remaining lines go to the shortest matches of tables
without text.
"""


class Golden(msgspec.Struct, frozen=True):
    """One playthrough: which game, at which table, to which end."""

    game: str
    table: GoldenTable
    ending: str

    @property
    def rules(self) -> AnyGame:
        return games()[self.game].game

    @property
    def folder(self) -> Path:
        return FOLDER / self.game / self.table.name

    @property
    def choices_path(self) -> Path:
        """The path of the file that records it, together with the other playthroughs of its table."""
        return self.folder / "choices.txt"

    @property
    def text_path(self) -> Path:
        """The path of its text, which exists if the playthrough is `in_text`."""
        return self.folder / f"{self.ending}.txt"

    @property
    def in_text(self) -> bool:
        return self.ending in TEXTS.get(f"{self.game}/{self.table.name}", ())

    def __str__(self) -> str:
        return f"{self.game}/{self.table.name}/{self.ending}"


GOLDEN = tuple(
    Golden(game, table, ending)
    for game, tables in TABLES.items()
    for table in tables
    for ending in (*(table.endings or games()[game].game.endings), FAULT)
)
"""Every playthrough there must be."""
