"""Simulated leagues of bots of known strength: real fixtures and results, but nothing is played.

In every match each seat performs as its bot is strong, plus Gaussian luck. A side performs as its seats do on average.
The luck of the deal comes on top.
"""

import math
from collections.abc import Callable, Collection, Iterator
from typing import Literal, NamedTuple, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from referee.core import seeds
from referee.core.outcome import Outcome, Seat, Side
from referee.match.terms import Clock
from tournaments.league.format_settings import Settings
from tournaments.league.model import Entry, Fixture, League, StoredMatch, TableSpec
from tournaments.maintenance.simulated_league import stored_match, waves
from tournaments.rating.contest import Contest, contests
from tournaments.rating.ratings import at_rest
from tournaments.rating.scale import BETA, MU
from tournaments.rating.tally import tally
from tournaments.schedule.formats.format import NothingPlayed
from tournaments.schedule.formats.round_robin import RoundRobin
from tournaments.schedule.formats.wave import Wave

Floats: TypeAlias = NDArray[np.float64]
Places: TypeAlias = tuple[int, ...]
Sides: TypeAlias = tuple[Side, ...]
Luck: TypeAlias = Literal["nobody", "seat", "bot", "deal"]

BONUS = 4.0
"""How much better a side performs, in points, if sides differ: that of one seat."""

STRONG_BONUS = 8.0
"""The same for a side that is much stronger: with equal bots it wins 94 of 100 matches."""

PERFECT = 1e6
"""A strength, in points, that never loses."""

_LONG = 200_000
"""A league of so many matches shows what the ratings of a model come to."""


class Model(NamedTuple):
    """What decides a match.

    Attributes:
        table: the name of one of `TABLES`.
        strengths: by bot, in points.
        luck: whose luck a deal is. `seat`: whoever has a seat performs better or worse there, so bots that take turns
            share it; `bot`: each bot performs better or worse on a deal, wherever it sits; `deal`: the game that all
            play against together is stronger or weaker. It has the same deviation as the luck of a match.
        ties: how often two equal bots tie, where everyone is alone.
        draw_probability: how often the rating expects it.
        styles: bots x bots: how much better the bot in the first seat performs against each other one, in points; only
            for matches of two. Empty: strengths say all.
    """

    table: str
    strengths: tuple[float, ...]
    luck: Luck = "nobody"
    ties: float = 0.0
    draw_probability: float = 0.01
    styles: tuple[tuple[float, ...], ...] = ()


class _Dealt(NamedTuple):
    """What is drawn for a league, by match.

    Attributes:
        performances: matches x seats, in points.
        orders: matches x seats: the seats in an order that the deal decides.
        game: by match, how the game performs, in points.
        margin: within which two bots tie, in points, where everyone is alone.
    """

    performances: Floats
    orders: NDArray[np.intp]
    game: Floats
    margin: float


_Judge: TypeAlias = Callable[[TableSpec, _Dealt], Iterator[tuple[Sides, Places]]]


def _everyone_alone(_table: TableSpec, dealt: _Dealt) -> Iterator[tuple[Sides, Places]]:
    """Bots that perform less than the margin apart from the next one share its place."""
    best_first = np.argsort(-dealt.performances, axis=1)
    ranked = np.take_along_axis(dealt.performances, best_first, axis=1)
    behind = -np.diff(ranked, axis=1) > dealt.margin
    places = np.ones_like(best_first)
    for place in range(1, places.shape[1]):
        places[:, place] = np.where(behind[:, place - 1], place + 1, places[:, place - 1])
    by_seat = np.empty_like(places)
    np.put_along_axis(by_seat, best_first, places, axis=1)
    yield from (((), tuple(row)) for row in by_seat.tolist())


def _two_sides(table: TableSpec, dealt: _Dealt) -> Iterator[tuple[Sides, Places]]:
    """The second side performs better by the bonus if it is smaller."""
    first, second = table.sides
    bonus = BONUS if len(first) > len(second) else 0.0
    ahead = dealt.performances[:, first].mean(axis=1) - dealt.performances[:, second].mean(axis=1) - bonus
    sides = (Side("A", first), Side("B", second))
    yield from ((sides, _shared(first if lead > 0 else second, table.seats)) for lead in ahead.tolist())


def _first_is_strong(table: TableSpec, dealt: _Dealt) -> Iterator[tuple[Sides, Places]]:
    """Everyone alone, and the first seat is much better."""
    dealt.performances[:, 0] += STRONG_BONUS
    yield from _everyone_alone(table, dealt)


def _dealt_roles(table: TableSpec, dealt: _Dealt) -> Iterator[tuple[Sides, Places]]:
    """One against two, and a neutral seat that wins or loses against the game."""
    drawn = zip(dealt.orders.tolist(), dealt.performances.tolist(), dealt.game.tolist(), strict=True)
    for (one, neutral, *many), performance, game in drawn:
        others = sum(performance[seat] for seat in many) / len(many)
        won = {one} if performance[one] + BONUS > others else set(many)
        won |= {neutral} if performance[neutral] > game else set()
        sides = (Side("many", tuple(sorted(many))), Side("one", (one,)), Side("neutral", (neutral,)))
        yield sides, _shared(won, table.seats)


def _one_is_strong(table: TableSpec, dealt: _Dealt) -> Iterator[tuple[Sides, Places]]:
    """One against all others."""
    for (one, *many), performance in zip(dealt.orders.tolist(), dealt.performances.tolist(), strict=True):
        others = sum(performance[seat] for seat in many) / len(many)
        won = {one} if performance[one] + STRONG_BONUS > others else set(many)
        yield (Side("many", tuple(sorted(many))), Side("one", (one,))), _shared(won, table.seats)


def _together(table: TableSpec, dealt: _Dealt) -> Iterator[tuple[Sides, Places]]:
    """All against the game."""
    everybody = (Side("all", tuple(range(table.seats))),)
    for won in (dealt.performances.mean(axis=1) > dealt.game).tolist():
        yield everybody, (1 if won else 2,) * table.seats


def _shared(winners: Collection[Seat], seats: int) -> Places:
    return tuple(1 if seat in winners else len(winners) + 1 for seat in range(seats))


_PAIRS, _TWO_ONE, _ALL = ((0, 2), (1, 3)), ((0, 2), (1,)), ((0, 1),)
TABLES: dict[str, tuple[TableSpec, _Judge]] = {
    "duel": (TableSpec("duel", 2, {}), _everyone_alone),
    "free-for-all": (TableSpec("free-for-all", 4, {}), _everyone_alone),
    "own luck": (TableSpec("own luck", 2, {}, luck="own"), _everyone_alone),
    "strong seat, own luck": (TableSpec("strong seat, own luck", 2, {}, luck="own"), _first_is_strong),
    "2v2": (TableSpec("2v2", 4, {}, "distinct", _PAIRS), _two_sides),
    "2v2, teams": (TableSpec("2v2, teams", 4, {}, "teams", _PAIRS), _two_sides),
    "2v1": (TableSpec("2v1", 3, {}, "distinct", _TWO_ONE), _two_sides),
    "2v1, teams": (TableSpec("2v1, teams", 3, {}, "teams", _TWO_ONE), _two_sides),
    "dealt roles": (TableSpec("dealt roles", 4, {}), _dealt_roles),
    "dealt roles, copies": (TableSpec("dealt roles, copies", 4, {}, "copies"), _dealt_roles),
    "strong role, copies": (TableSpec("strong role, copies", 3, {}, "copies"), _one_is_strong),
    "strong role": (TableSpec("strong role", 4, {}), _one_is_strong),
    "free-for-all, copies": (TableSpec("free-for-all, copies", 4, {}, "copies"), _everyone_alone),
    "cooperation": (TableSpec("cooperation", 2, {}, "distinct", _ALL), _together),
    "cooperation, teams": (TableSpec("cooperation, teams", 2, {}, "teams", _ALL), _together),
}


class Leagues:
    """Leagues of the same bots, deals and table. They differ in luck alone.

    Attributes:
        names: of the bots, in the order of the model's strengths.
    """

    def __init__(self, model: Model, deals: int) -> None:
        self._model = model
        self._table, self._judge = TABLES[model.table]
        self.names = names_of(model)
        self._league = league_of(self._table, self.names, deals, model.draw_probability)
        wave = RoundRobin(self._league).wave(0, NothingPlayed())
        assert wave is not None
        self._fixtures = tuple(wave)
        index = {name: number for number, name in enumerate(self.names)}
        self._bots = np.array([[index[name] for name in fixture.entries] for fixture in self._fixtures])
        self._deals = np.array([fixture.deal for fixture in self._fixtures])
        self._made: dict[tuple[Sides, Places], list[Contest]] = {}

    def __len__(self) -> int:
        """How many matches a league has."""
        return len(self._fixtures)

    def contests(self, seed: bytes) -> list[Contest]:
        """The matches of a league as the rating sees them. `seed` has 32 bytes."""
        dealt = _dealt(self._model, self._bots, self._deals, np.random.default_rng(list(seed)))
        results = self._judge(self._table, dealt)
        return [self._contests_of(result)[at] for at, result in enumerate(results)]

    def _contests_of(self, result: tuple[Sides, Places]) -> list[Contest]:
        """Every fixture as a contest, if all ended like this. Made once: making them takes longer than all the rest."""
        if result not in self._made:
            sides, places = result
            outcome = Outcome("over", places, sides)
            matches = [(fixture, stored_match(fixture, outcome)) for fixture in self._fixtures]
            self._made[result] = contests(self._league, matches)
        return self._made[result]


class AdaptiveLeagues:
    """Leagues of the same bots, table and format. They differ in luck and in the seeding.

    Attributes:
        names: of the bots, in the order of the model's strengths.
    """

    def __init__(self, model: Model, deals: int, settings: Settings) -> None:
        """`deals` and `settings` are those of the league file."""
        self._model = model
        self._table, self._judge = TABLES[model.table]
        self.names = names_of(model)
        league = league_of(self._table, self.names, deals, model.draw_probability)
        self._league = msgspec.structs.replace(league, format=settings)

    def contests(self, seed: bytes) -> list[Contest]:
        """The matches of a league as the rating sees them. `seed` has 32 bytes."""
        luck = np.random.default_rng(list(seed))
        roster = tuple(self._league.entries[at] for at in luck.permutation(len(self.names)))
        matches: list[tuple[Fixture, StoredMatch]] = []
        for wave in waves(msgspec.structs.replace(self._league, entries=roster), seed, matches):
            matches += self._played(wave, luck)
        return contests(self._league, matches)

    def _played(self, wave: Wave, luck: np.random.Generator) -> Iterator[tuple[Fixture, StoredMatch]]:
        fixtures = tuple(wave)
        index = {name: number for number, name in enumerate(self.names)}
        bots = np.array([[index[name] for name in fixture.entries] for fixture in fixtures])
        numbers = np.array([fixture.deal - wave.deals.start for fixture in fixtures])
        results = self._judge(self._table, _dealt(self._model, bots, numbers, luck))
        for fixture, (sides, places) in zip(fixtures, results, strict=True):
            yield fixture, stored_match(fixture, Outcome("over", places, sides))


def _dealt(model: Model, bots: NDArray[np.intp], deals: NDArray[np.intp], luck: np.random.Generator) -> _Dealt:
    """Draw the luck of matches.

    Args:
        model: decides them.
        bots: matches x seats: the numbers of the bots.
        deals: by match, the number of its deal, from 0 without gaps.
        luck: the source.
    """
    count, seats = int(deals.max()) + 1, bots.shape[1]
    performances = luck.normal(np.array(model.strengths)[bots], BETA)
    game = luck.normal(MU, BETA, len(deals))
    match model.luck:
        case "seat":
            performances += luck.normal(0, BETA, (count, seats))[deals]
        case "bot":
            performances += luck.normal(0, BETA, (count, len(model.strengths)))[deals[:, None], bots]
        case "deal":
            game += luck.normal(0, BETA, count)[deals]
    if model.styles:
        performances[:, 0] += np.array(model.styles)[bots[:, 0], bots[:, 1]]
    orders = luck.permuted(np.tile(np.arange(seats), (count, 1)), axis=1)[deals]
    return _Dealt(performances, orders, game, float(ndtri((1 + model.ties) / 2)) * BETA * math.sqrt(2))


def names_of(model: Model) -> tuple[str, ...]:
    """The names of the bots, in the order of their strengths."""
    return tuple(f"bot{number:02}@1" for number in range(len(model.strengths)))


def league_of(table: TableSpec, names: tuple[str, ...], deals: int, draw_probability: float) -> League:
    """A league of these bots at one table, with a game that does not exist."""
    return League(
        name="simulated",
        game="simulated",
        rules_version=1,
        draw_probability=draw_probability,
        deals=deals,
        seed=None,
        rehearsal=False,
        sandbox="none",
        fresh=False,
        pondering=False,
        clock=Clock(),
        tables=(table,),
        entries=tuple(Entry(name, f"/{name}") for name in names),
    )


def truth(model: Model, seed: bytes) -> dict[str, float]:
    """By bot, the rating that it has after a very long league."""
    leagues = Leagues(model, 200)
    many = range(-(-_LONG // len(leagues)))
    found = [contest for number in many for contest in leagues.contests(seeds.child(seed, "truth", str(number)))]
    ratings = at_rest(tally(found), leagues.names, model.draw_probability).ratings
    return {name: ratings[name].mu for name in leagues.names}
