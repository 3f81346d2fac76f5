"""How long a league must be to tell two bots apart, found by simulation.

Two bots differ, all others are halfway between them. Some leagues are simulated in which the one is better, and the
same leagues, with the same luck, in which the other is. Each is rated as a real league is. The mean lead of the better
bot's rating is what there is to see. How far the interval of the difference reaches below the lead is what hides it: if
a league is four times as long, half of that.

The two are separated when the lead is larger than that reach. Leads vary from league to league as the interval says:
its 2.5 % quantile is one reach away. So the share of leagues in which the two are separated follows from both, and from
that the length. The leagues that are simulated are as long as that, or else as long as there is time for.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import permutations, product
from statistics import NormalDist, fmean
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from referee.core import seeds
from referee.core.errors import WrongUse
from referee.core.outcome import Seat
from tournaments.config.league_keys import MOST_DEALS
from tournaments.league.format_settings import BalancedSettings, GauntletSettings, OpenSettings
from tournaments.league.model import League, TableSpec
from tournaments.maintenance.simulated_league import DealtSides, dealt_sides, simulated
from tournaments.rating import FEWEST_BLOCKS
from tournaments.rating.contest import Member, Team, contests
from tournaments.rating.ratings import expected_score
from tournaments.rating.scale import MU, Rating
from tournaments.rating.sides import alone
from tournaments.schedule.formats import first_wave
from tournaments.schedule.formats.gauntlet import challengers
from tournaments.schedule.formats.issued_waves import group_size
from tournaments.schedule.seating import groups, line_ups

POWER = 0.8
"""The share of leagues in which the two are separated."""

_CLEAR = 0.6
"""Bots that are nearer to each other are simulated as if one beat the other so often: small leads are proportional to
small differences, and large ones take fewer leagues to see."""

_LEAGUES, _FEWEST_LEAGUES = 12, 2
"""So many leagues are simulated, each twice; of long ones fewer, but at least so many."""

_PASSES = 3
"""So many times at most, each time with a better guess at the length."""

_MOST_MATCHES = 8_000
"""A simulated league has no more matches, unless the shortest one has."""

_MOST_IN_ALL = 24 * _MOST_MATCHES
"""After so many matches no other league is simulated."""

_FIRST_DEALS, _FEWEST_DEALS = 30, 12
"""How many deals the first simulated leagues have, and how many each has at least. From a shorter one the length would
be overestimated: with few deals intervals are wider than the square root of their number says."""

_TOO_LARGE = 200_000
"""A league of so many matches would take minutes to simulate."""

_FARTHEST = 100.0
"""In points. Two bots so far apart have no close match."""

_NORMAL = NormalDist()
_Z = _NORMAL.inv_cdf(0.975)
_BETTER, _WORSE, _GAME = "better", "worse", "the game"
_EXACT = 1e-6
"""In points."""


class TooLarge(WrongUse):
    """A league has too many matches to be simulated."""


class Separation(msgspec.Struct, frozen=True):
    """The length at which a league tells two bots apart. All is about the whole league.

    Attributes:
        share: how often one of the two beats the other.
        power: the share of leagues of this length in which the two are separated.
        deals: how many deals a group plays; None, and all that follows, if no league tells them apart so often.
        matches: how many matches there are.
        sittings: how often the bots of a line-up are started for them.
        format_matches: the value of `matches` in `[format]`; None if the format goes without.
    """

    share: float
    power: float
    deals: int | None = None
    matches: int | None = None
    sittings: int | None = None
    format_matches: int | None = None


class _SimulationResult(NamedTuple):
    """What simulated leagues of one length show.

    Attributes:
        lead: the mean lead of the better bot, in points.
        reaches: by league, how far the interval of the lead reaches below it; infinite where there is no interval.
        matches: how many matches a league has.
        sittings: how often the bots of a line-up are started.
    """

    lead: float
    reaches: Sequence[float]
    matches: float
    sittings: float


def separation(league: League, share: float) -> Separation:
    """The length at which the program separates two bots in `POWER` of all leagues of at most `MOST_DEALS` deals.

    Args:
        league: whose format, tables, game and number of bots count. The seed is drawn from its name.
        share: how often the better of the two beats the other, above 0.5 and below 1.

    Raises:
        TooLarge: the league has too many matches to be simulated.
    """
    seed = seeds.child(seeds.from_text(league.name), "separate")
    size = _first_size(league, seed)
    dealt = dealt_sides(league, seed)
    gap, simulated_gap = (_gap(league, each, dealt) for each in (share, max(share, _CLEAR)))
    found = Separation(share, POWER)
    for _ in range(_PASSES):
        seen = _look(_of_length(league, size), simulated_gap, dealt, seed)
        wanted = _smallest_length(seen, gap / simulated_gap * seen.lead, size)
        if wanted is None:
            return Separation(share, POWER)
        whole, times = _of_length(league, wanted), wanted / size
        most = whole.format.matches if isinstance(whole.format, BalancedSettings | OpenSettings) else None
        counts = round(times * seen.matches), round(times * seen.sittings)
        found = Separation(share, POWER, whole.deals, *counts, most)
        longest = max(_FEWEST_DEALS, math.floor(size * _MOST_MATCHES / seen.matches))
        if size == min(wanted, longest):
            break
        size = min(wanted, longest)
    return found


# The length


def _of_length(league: League, size: int) -> League:
    """The league with so many deals; an open one with so many matches. A balanced one keeps its groups."""
    match league.format:
        case OpenSettings():
            return replace(league, format=replace(league.format, matches=size, uncertainty=None))
        case BalancedSettings(matches=int(matches)):
            return replace(league, deals=size, format=BalancedSettings(math.ceil(matches * size / league.deals)))
        case _:
            return replace(league, deals=size)


def _first_size(league: League, seed: bytes) -> int:
    if isinstance(league.format, OpenSettings):
        return _MOST_MATCHES
    wave = first_wave(_of_length(league, _FEWEST_DEALS), seed)
    assert wave is not None  # noqa: S101 - every format begins with a wave
    if len(wave) > _TOO_LARGE:
        raise TooLarge(
            f"{league.name} has {len(wave):,} matches on {_FEWEST_DEALS} deals, too many to be simulated; leave out"
            " --separate, or ask for a league of fewer bots"
        )
    return max(_FEWEST_DEALS, min(_FIRST_DEALS, _FEWEST_DEALS * _MOST_MATCHES // len(wave)))


def _smallest_length(simulation: _SimulationResult, lead: float, size: int) -> int | None:
    """The smallest length at which two bots with this lead are separated often enough; None if there is none."""

    def power(length: int) -> float:
        return fmean(
            _NORMAL.cdf(_Z * (lead / reach * math.sqrt(length / size) - 1)) if math.isfinite(reach) else 0.0
            for reach in simulation.reaches
        )

    low, high = 0, MOST_DEALS
    if lead <= 0 or power(high) < POWER:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if power(middle) >= POWER else (middle, high)
    return max(FEWEST_BLOCKS, high)


# What simulated leagues show


def _look(league: League, gap: float, dealt: DealtSides, seed: bytes) -> _SimulationResult:
    leads, reaches, matches, sittings = zip(*_looks(league, gap, dealt, seed), strict=True)
    return _SimulationResult(fmean(leads), reaches, fmean(matches), fmean(sittings))


def _looks(league: League, gap: float, dealt: DealtSides, seed: bytes) -> Iterator[tuple[float, float, int, int]]:
    """For each league: the lead of the better bot, the reach of its interval, and how many matches and sittings."""
    from tournaments.rating.ranking import ranking  # noqa: PLC0415 - it imports numpy and scipy

    played = 0
    for number in range(_LEAGUES):
        if number >= _FEWEST_LEAGUES and played > _MOST_IN_ALL:
            return
        luck = seeds.child(seed, str(number))
        pair = _pair(league, luck)
        for better, worse in (pair, pair[::-1]):
            strengths = {entry.name: MU for entry in league.entries} | {better: MU + gap / 2, worse: MU - gap / 2}
            whole = simulated(league, strengths, dealt, luck)
            found = ranking(league, luck, contests(league, whole.matches)).resampled
            lead = found.ratings[better].mu - found.ratings[worse].mu
            interval = found.difference(better, worse)
            reach = math.inf if interval is None else lead - interval[0]
            played += len(whole.matches)
            yield lead, reach, len(whole.matches), whole.sittings


def _pair(league: League, seed: bytes) -> tuple[str, str]:
    """Any two bots; in a gauntlet a challenger and any other bot."""
    names = [entry.name for entry in league.entries]
    some = names
    if isinstance(league.format, GauntletSettings):
        some = sorted(challengers(league.format, names))
    one = some[seeds.permutation(seeds.child(seed, "one"), len(some))[0]]
    others = [name for name in names if name != one]
    return one, others[seeds.permutation(seeds.child(seed, "other"), len(others))[0]]


# The difference


def _gap(league: League, share: float, dealt: DealtSides) -> float:
    """The difference, in points, with which one bot beats another in this share of the matches between them.

    Where all seats are one side, the better bot wins so often with average partners, and the other one loses so often.
    """
    pairs = [pair for table in league.tables for pair in _opposed(table, dealt)]
    low, high = 0.0, _FARTHEST
    while high - low > _EXACT:
        middle = (low + high) / 2
        ratings: defaultdict[str, Rating] = defaultdict(lambda: Rating(MU, 0.0))
        ratings |= {_BETTER: Rating(MU + middle / 2, 0.0), _WORSE: Rating(MU - middle / 2, 0.0)}
        beaten = fmean(expected_score(*pair, ratings, league.draw_probability) for pair in pairs)
        low, high = (low, middle) if beaten >= share else (middle, high)
    return high


def _opposed(table: TableSpec, dealt: DealtSides) -> Iterator[tuple[Team, Team]]:
    """In every line-up of a group, each side with the better bot, and each other side that it should beat."""
    for sides, group in product(_sides(table, dealt), groups(table, _names(table))):
        for entries in line_ups(table, group):
            teams = [tuple(Member(entries[seat], 1 / len(seats)) for seat in seats) for seats in sides]
            for team, other in permutations([*teams, (Member(_GAME),)] if len(teams) == 1 else teams, 2):
                if _has(team, _BETTER) and (_has(other, _WORSE) or _has(other, _GAME)):
                    yield team, other


def _names(table: TableSpec) -> list[str]:
    """The names of a group with the better bot. Where all seats are one side, the worse one is no part of it."""
    rivals = [] if len(table.sides) == 1 else [_WORSE]
    size = 2 if table.seating == "copies" else group_size(table)
    return [_BETTER, *rivals, *(f"other {number}" for number in range(size))][:size]


def _sides(table: TableSpec, dealt: DealtSides) -> list[tuple[tuple[Seat, ...], ...]]:
    """The sides that play against each other; those that are dealt in some matches."""
    if table.deals_sides:
        return [tuple(side.seats for side in sides[:2]) for sides in dealt[table.name]]
    return [table.sides or alone(table.seats)]


def _has(team: Team, player: str) -> bool:
    return any(member.player == player for member in team)
