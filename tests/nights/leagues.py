"""The leagues of the nights: one of every format, with forty matches or more, drawn from a seed."""

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from tests.auction import Auction, Options
from tests.tournaments.leagues import league
from tournaments.league.format_settings import (
    BalancedSettings,
    GauntletSettings,
    KnockoutSettings,
    OpenSettings,
    Settings,
    SwissSettings,
)
from tournaments.league.model import Entry, League, Remote, Seating, TableSpec
from tournaments.league.service_terms import SubmissionTerms

GAME = Auction()
NAMES = ("ann", "bob", "cid", "dan", "eve", "fay", "gus", "hal")
ALWAYS_FORGIVEN = 1_000_000
"""No night is so long. So whether a bot is unavailable is never a matter of luck, and changes no result."""

_ROOM = SubmissionTerms(free_mib=0, versions=1)


class _Shape(NamedTuple):
    """A format with a table, and so many bots and deals that it has forty matches or more."""

    settings: Settings
    seats: int
    bots: int
    deals: int
    seating: Seating = "distinct"


SHAPES: Mapping[str, tuple[_Shape, ...]] = {
    "round-robin": (
        _Shape(BalancedSettings(), 2, 4, 4),
        _Shape(BalancedSettings(), 2, 5, 2),
        _Shape(BalancedSettings(), 3, 4, 4),
        _Shape(BalancedSettings(), 3, 4, 1, "copies"),
        _Shape(BalancedSettings(), 4, 4, 4, "teams"),
    ),
    "balanced": (_Shape(BalancedSettings(matches=16), 2, 6, 4), _Shape(BalancedSettings(matches=16), 2, 5, 4)),
    "gauntlet": (
        _Shape(GauntletSettings(("ann",)), 2, 5, 5),
        _Shape(GauntletSettings(("ann", "bob@1")), 2, 5, 3),
    ),
    "swiss": (
        _Shape(SwissSettings(rounds=4), 2, 5, 3),
        _Shape(SwissSettings(rounds=4), 2, 6, 2),
        _Shape(SwissSettings(rounds=4), 3, 6, 2),
    ),
    "knockout": (
        _Shape(KnockoutSettings(further=1), 2, 5, 4),
        _Shape(KnockoutSettings(), 2, 8, 3),
        _Shape(KnockoutSettings(seeds=("cid",)), 3, 7, 5),
    ),
    "open": (
        _Shape(OpenSettings(matches=44, growth=0.3), 2, 4, 3),
        _Shape(OpenSettings(matches=40, growth=0.5), 2, 6, 2),
    ),
}
"""By format, the leagues that are played."""

BY_RESULTS = ("swiss", "knockout", "open")


class NightLeague(NamedTuple):
    """A league, and the nature of its bots.

    Attributes:
        kind: its format.
        league: the league.
        failing: by entry, the percentage of its matches in which it fails. The others never fail.
        workers: how many matches are played at once.
        longest_ms: how long a match lasts at most.
        has_nodes: whether nodes play it, elsewhere.
    """

    kind: str
    league: League
    failing: Mapping[str, int]
    workers: int
    longest_ms: int
    has_nodes: bool


def draw_league(rng: Random, kind: str | None = None) -> NightLeague:
    """A league of this format, or of any."""
    kind = kind or rng.choice(tuple(SHAPES))
    shape = rng.choice(SHAPES[kind])
    names = NAMES[: shape.bots]
    far = rng.choice((0.0, 0.0, 0.1, 0.5))
    entries = tuple(entry_of(name, is_remote=rng.random() < far) for name in names)
    failing = {f"{name}@1": rng.choice((10, 30, 100)) for name in names if rng.random() < 0.2}
    made = league(
        names,
        shape.deals,
        game=GAME.name,
        rules_version=GAME.rules_version,
        tables=(_table(shape),),
        format=shape.settings,
        batch=rng.choice((1, 1, 4)),
        fresh=rng.random() < 0.1,
        submissions=_ROOM if rng.random() < 0.15 else None,
    )
    workers, longest_ms = rng.choice((1, 2, 2, 3, 8)), rng.choice((20, 40, 40, 40, 500))
    return NightLeague(kind, replace(made, entries=entries), failing, workers, longest_ms, rng.random() < 0.2)


def entry_of(name: str, *, is_remote: bool = False) -> Entry:
    """The entry of a bot."""
    if is_remote:
        return Entry(f"{name}@1", f"https://{name}.example:443", remote=Remote(forgiven=ALWAYS_FORGIVEN))
    return Entry(f"{name}@1", f"/bots/{name}")


def _table(shape: _Shape) -> TableSpec:
    has_sides = shape.seating == "teams"
    options = msgspec.to_builtins(Options(sides="two" if has_sides else "none"))
    sides = ((0, 2), (1, 3)) if has_sides else ()
    return TableSpec("auction", shape.seats, options, shape.seating, sides)
