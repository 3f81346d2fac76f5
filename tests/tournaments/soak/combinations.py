"""Every combination of format, seating and sides that a league file may have, each as a small league."""

import json
from itertools import product
from pathlib import Path
from typing import NamedTuple

from tests.tournaments.arena import PATIENT, write_bot

THINKING_MS = 2
"""A match lasts some tenths of a second, so that disturbances come in the middle of some."""


class Table(NamedTuple):
    """A table with one structure of sides and one seating.

    Attributes:
        game: its game.
        seats: how many players.
        seating: who may sit where.
        options: of the game, as TOML.
        line_ups: how many a group plays on a deal.
        bots: how many the league has. With one more or one less it can still be played, or, of two, with one more.
        deals: so many that a league of any format has some forty matches or more.
    """

    game: str
    seats: int
    seating: str
    options: str
    line_ups: int
    bots: int
    deals: int


TABLES = {
    "one-each-distinct": Table("agent-avenue", 2, "distinct", 'line_up = "1v1"', 2, 4, 6),
    "two-sides-distinct": Table("agent-avenue", 3, "distinct", 'line_up = "2v1"', 3, 4, 6),
    "two-sides-copies": Table("agent-avenue", 3, "copies", 'line_up = "2v1"', 3, 2, 10),
    "two-sides-teams": Table("agent-avenue", 4, "teams", 'line_up = "2v2"', 2, 3, 10),
    "dealt-sides-distinct": Table("inside-job", 3, "distinct", "", 3, 4, 6),
    "dealt-sides-copies": Table("inside-job", 3, "copies", "", 3, 2, 10),
    "dealt-sides-teams": Table("inside-job", 3, "teams", "", 3, 4, 6),
    "one-side-distinct": Table("agonia", 2, "distinct", "rounds = 3", 2, 3, 10),
    "one-side-copies": Table("agonia", 3, "copies", "rounds = 3", 3, 2, 10),
    "one-side-teams": Table("agonia", 2, "teams", "rounds = 3", 1, 3, 20),
}

FORMATS = {
    "round-robin": 'kind = "round-robin"',
    "balanced": 'kind = "round-robin"\nmatches = {two_groups}',
    "gauntlet": 'kind = "gauntlet"\nchallengers = ["ann+b@1"]',
    "swiss": 'kind = "swiss"\nrounds = 3',
    "knockout": 'kind = "knockout"\nfurther = 1',
    "open": 'kind = "open"\nmatches = 80',
}

REFUSED = {
    *product(FORMATS, ["dealt-sides-teams"]),  # there is no side before roles are dealt
    *product(["balanced", "swiss", "knockout"], ["two-sides-copies", "dealt-sides-copies", "one-side-copies"]),
    *product(["swiss", "knockout"], ["one-side-distinct", "one-side-teams"]),
}
"""What `docs/formats.md` and `docs/league-file.md` say that no league file may have."""

COMBINATIONS = [each for each in product(FORMATS, TABLES) if each not in REFUSED]


IN_BATCHES = [
    ("round-robin", "one-each-distinct"),
    ("round-robin", "two-sides-copies"),
    ("balanced", "two-sides-teams"),
    ("gauntlet", "dealt-sides-distinct"),
    ("swiss", "one-each-distinct"),
    ("knockout", "dealt-sides-distinct"),
    ("open", "one-side-teams"),
]
"""Those that are played in batches, too."""

BATCH = 4


def write_soaked(folder: Path, kind: str, where: str, batch: int = 1) -> Path:
    """Write a league of these in `folder`, with its bots: entries of one bot, `ann+a@1`, `ann+b@1` and so on."""
    table = TABLES[where]
    bot = write_bot(folder / "ann", "ann", Path("/dev/null"), THINKING_MS)
    how = FORMATS[kind].format(two_groups=2 * table.line_ups * table.deals)
    deals = table.deals // 2 if kind == "open" else table.deals  # so it has more waves
    labels = "abcd"[: table.bots]
    parts = [
        f'name = "soaked"\ngame = "{table.game}"\ndeals = {deals}\nrehearsal = true\nseed = "7"',
        f'sandbox = "none"\nbatch = {batch}\n{PATIENT}',
        f"[format]\n{how}",
        *(f'[[bots]]\npath = {json.dumps(str(bot))}\nlabel = "{label}"' for label in labels),
        f'[[tables]]\nname = "table"\nseats = {table.seats}\nseating = "{table.seating}"',
        f"[tables.options]\n{table.options}\n",
    ]
    file = folder / "soaked.toml"
    file.write_text("\n".join(parts))
    return file
