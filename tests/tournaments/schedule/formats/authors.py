"""Leagues in which an author has a bot and stooges, which lose to it whatever they could do."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from referee.core.outcome import Outcome
from tests.tournaments.leagues import league
from tournaments.league.format_settings import Settings
from tournaments.league.model import Fixture, League, StoredMatch
from tournaments.league.roster import with_authors
from tournaments.maintenance.simulated_league import waves

Result = tuple[Fixture, StoredMatch]
MAIN = "main@1"
LUCK = 4.17
"""The deviation of the performance of a bot in a match, in points of rating."""


class Field(NamedTuple):
    """Bots, and the strength of each.

    Attributes:
        names: of the main bot, its stooges, and the honest ones.
        stooges: the names of the stooges.
        strengths: by bot, in points of rating.
    """

    names: tuple[str, ...]
    stooges: frozenset[str]
    strengths: dict[str, float]


def field_of(bots: int, stooges: int, step: float, luck: Random) -> Field:
    """A ladder of so many bots, a step apart. The main bot is in its middle, the stooges are anywhere."""
    ladder = [step * (at - (bots - 1) / 2) for at in range(bots)]
    middle = ladder.pop(bots // 2)
    luck.shuffle(ladder)
    own = [f"own{at}" for at in range(stooges)]
    names = ("main", *own, *(f"bot{at}" for at in range(bots - 1 - stooges)))
    found = zip((f"{name}@1" for name in names), (middle, *ladder), strict=True)
    return Field(names, frozenset(f"{name}@1" for name in own), dict(found))


def league_of(found: Field, format_: Settings, seed: bytes, deals: int, *, said: bool = True, seats: int = 2) -> League:
    """The league of these bots. If it is said whose they are, the main bot and its stooges are of one author."""
    of = league(found.names, deals, (seats,), format=format_, seed=seed.hex())
    order = sorted(of.entries, key=lambda each: Random(f"{seed.hex()} {each.name}").random())
    own = {MAIN, *found.stooges} if said else set()
    return with_authors(replace(of, entries=tuple(replace(e, author="yan" if e.name in own else None) for e in order)))


def played(of: League, found: Field, luck: Random, *, throw: bool = True) -> list[Result]:
    """The matches of a whole league, wave after wave."""
    matches: list[Result] = []
    for wave in waves(of, bytes.fromhex(of.seed or ""), matches):
        matches += [result(fixture, found, luck, throw=throw) for fixture in wave]
    return matches


def result(fixture: Fixture, found: Field, luck: Random, *, throw: bool) -> Result:
    """The end of a match. Stooges come after the main bot, and otherwise where they can."""
    performed = [found.strengths[name] + luck.gauss(0, LUCK) for name in fixture.entries]
    if throw and MAIN in fixture.entries:
        main = performed[fixture.entries.index(MAIN)]
        stooges = [name in found.stooges for name in fixture.entries]
        performed = [min(each, main - 1) if is_own else each for each, is_own in zip(performed, stooges, strict=True)]
    return fixture, match(fixture, [1 + sum(other > mine for other in performed) for mine in performed])


def match(fixture: Fixture, places: Sequence[int]) -> StoredMatch:
    return StoredMatch(fixture.id, "", fixture.entries, Outcome("won", tuple(places), ()), (), (), (), 0)
