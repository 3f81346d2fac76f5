"""The standings of a league's bots, from its results; the lines of its tables as anybody may see them; and its digest.

Two leagues with the same digest were played alike, match by match.
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec

from referee.core import seeds
from tournaments.league.deals import LeagueDeals
from tournaments.league.model import League
from tournaments.league.status import MatchCounts
from tournaments.rating import Interval
from tournaments.rating.bot_records import BotRecords, CostMeans, SeatRecord, SideRecord, records
from tournaments.rating.contest import contests
from tournaments.rating.cooperation import Cooperation, cooperations
from tournaments.rating.fit import AgainstMix, Fit, OverallShare
from tournaments.rating.sides import counting, versus
from tournaments.results.public_results import Match
from tournaments.schedule.counting_rules import LeagueVerdict

if TYPE_CHECKING:
    from tournaments.rating.ranking import Ranking


class Placement(msgspec.Struct, frozen=True, kw_only=True):
    """How a bot is placed in a table. It follows from places and ratings alone, so everybody may know all of it.

    A match counts once for each side on which the bot has seats, however many seats those are. A match without sides
    that a fault cut short counts once for every bot.

    Attributes:
        rank: its place in the table of its group, from 1: by rating, but bots without an interval come last.
        bot: its entry name.
        rating: the mean of its skill; the mean over all bots of its group is 25.
        sigma: the deviation of its skill, as the rating's model sees it.
        interval: the 95 % interval of the rating, from the bootstrap; None if the bot played fewer blocks than
            `FEWEST_BLOCKS`.
        matches: how many of its matches count.
        wins: first places, unless the match was a draw.
        draws: matches in which all places were equal, unless all seats were one side.
        losses: all other matches.
        faults: matches that the bot's own fault cut short.
        score: the mean share of the sides held by others that its side came before; a tie counts half. Against the game
            it is 1 for a win. None before its first match.
        group: the number of its group, from 1. Bots of different groups never met, not even by way of others, and are
            rated apart.
        ranks: the 95 % interval of its rank among the bots of its group that have an interval; None without one.
        first: the share of resamples in which it is the first of these; None without an interval. Resamples repeat the
            luck of the league, so it is no probability that the bot is the best.
        may_be_best: whether it may be the best of its group: in 95 of 100 leagues all best bots may be; None without an
            interval.
        beats_next: the probability, by the ratings, that it beats the next of its group in a match of two, draws left
            out. None for the last of a group, and where all seats are one side.
        best_mix: how it fares against the best mix of the bots; None where one number describes them (`fit`).
        overall: what it may expect over all tables; None if matches at fewer than two tables count.
        last_of: how many versions of the bot the league had, if this is the one that was entered last and not the only
            one. Of many tries the luckiest is too good, so not the best version stands for the bot.
    """

    rank: int
    bot: str
    rating: float
    sigma: float
    interval: Interval | None
    matches: int
    wins: int
    draws: int
    losses: int
    faults: int
    score: float | None
    group: int
    ranks: tuple[int, int] | None
    first: float | None
    may_be_best: bool | None
    beats_next: float | None
    best_mix: AgainstMix | None = None
    overall: OverallShare | None = None
    last_of: int | None = None


class Standing(Placement, frozen=True, kw_only=True):
    """One bot's line in the table of the organizer: its place, and figures of all matches that count.

    Attributes:
        mean_decision_ms: its mean thinking time for a decision; None before its first decision.
        sides: how it fared on each side, where sides differ.
        seats: how it fared in each seat.
        draw_share: draws / matches; None before its first match.
        mean_return: the mean of what the game counts, such as chips, over its seats in matches that no fault cut short;
            None if the game counts nothing.
        costs: what its decisions cost.
    """

    mean_decision_ms: float | None
    sides: tuple[SideRecord, ...]
    seats: tuple[SeatRecord, ...]
    draw_share: float | None
    mean_return: float | None = None
    costs: CostMeans = CostMeans()


class StandingView(Placement, frozen=True, kw_only=True):
    """One bot's line in the table as a viewer may see it: its place, and figures that the viewer may know.

    It is kept in this form, too, as anybody may see it, but without the author.

    Attributes:
        author: whose it is; `organizer` for those of the league file. Empty as long as it is kept: a bot can be given
            to somebody else.
        separated: whether it is separated from the next line; None for the last.
        suspended: whether it is suspended.
        trend: its rating after each part of the matches, as in `RatingsView`; None before its first match.
        mean_decision_ms: its mean thinking time for a decision; None where none is known to the viewer.
        mean_return: as in `Standing`; where sides are dealt, on closed deals.
        costs: what its decisions cost, as far as the viewer may know it.
    """

    author: str
    separated: bool | None
    suspended: bool
    trend: tuple[float | None, ...]
    mean_decision_ms: float | None
    mean_return: float | None = None
    costs: CostMeans = CostMeans()


class CellView(msgspec.Struct, frozen=True, gc=False):
    """How a bot did against another.

    Attributes:
        matches: how often they met.
        score: its mean score in these matches; None if they did not meet.
        expected: the mean score that the ratings expect of these matches; None if they did not meet.
        difference: its rating minus that of the other; None if the two never met, not even by way of others.
        interval: the 95 % interval of this difference; None if there is none, or if one of them played fewer blocks
            than `FEWEST_BLOCKS`.
        beats: the probability, by the ratings, that it beats the other in a match of two, draws left out; None where
            there is no difference, and where all seats are one side.
        unusual: whether the score differs from what the ratings say, by a test of all pairs at once.
    """

    matches: int
    score: float | None
    expected: float | None
    difference: float | None
    interval: Interval | None
    beats: float | None
    unusual: bool = False


def league_digest(matches: Iterable[tuple[str, str]]) -> str:
    """SHA-256, in hex, over matches in the order given. The digest of a league is over those that count, in plan order.

    Args:
        matches: fixture id and match digest of each; both are hashed as one line, `id digest` and a newline.
    """
    total = sha256()
    for fixture, digest in matches:
        total.update(f"{fixture} {digest}\n".encode())
    return total.hexdigest()


class Standings(msgspec.Struct, frozen=True):
    """The table of a league.

    Attributes:
        league: the name of the league.
        digest: the digest of all matches that count, in plan order.
        matches: how many matches there are of each kind.
        void: how often a match did not count, through our fault.
        standings: the bots, best first, group after group.
        separated: for every line but the last, whether it is separated from the next: the interval of their difference
            excludes 0. False if one of them has no interval, or if they are of different groups.
        suspended: the suspended bots.
        sides: how each side fared, where sides differ in size or are dealt.
        cooperation: how the bots fared, alone and by pairs, where all seats are one side.
        interim: whether matches remain to be played, or pairings were played too little to count.
        groups: the bots in groups that never met, in the order of the lines.
        seats: how each seat fared.
        forgiven: by bot, how many matches were void because it was unavailable and forgiven.
        fit: whether one number describes the bots; None where this is not tested.
        same_author: how many matches count for nothing, because bots of one author were opposed.
    """

    league: str
    digest: str
    matches: MatchCounts
    void: int
    standings: tuple[Standing, ...]
    separated: tuple[bool, ...]
    suspended: tuple[str, ...]
    sides: tuple[SideRecord, ...]
    cooperation: tuple[Cooperation, ...]
    interim: bool
    groups: tuple[tuple[str, ...], ...]
    seats: tuple[SeatRecord, ...]
    forgiven: dict[str, int] = {}
    fit: Fit | None = None
    same_author: int = 0


class TableInputs(msgspec.Struct, frozen=True):
    """The data of a league whose tables are to be computed.

    Attributes:
        league: from its file, with the bots of its roster.
        seed: the league's seed, 32 bytes; the bootstrap draws from it.
        verdict: how far the league is.
        matches: the matches that the tables are computed from, in plan order.
        voids: how often a match was void.
        deals: which deals are closed.
        last_of: by entry that is the last version of several of its bot, how many there were.
    """

    league: League
    seed: bytes
    verdict: LeagueVerdict
    matches: Sequence[Match]
    voids: int
    deals: LeagueDeals
    last_of: Mapping[str, int] = {}


def standings_of(inputs: TableInputs, ranked: "Ranking") -> Standings:
    """The table of a league. `ranked` has the ratings from these inputs."""
    league, verdict, matches = inputs.league, inputs.verdict, inputs.matches
    of_bots = records(league, matches)
    return Standings(
        league=league.name,
        digest=league_digest((played.fixture, played.digest) for _, played in matches),
        matches=verdict.counts,
        void=inputs.voids,
        standings=tuple(_lines(inputs, ranked, of_bots)),
        separated=tuple(ranked.resampled.separated(above, below) for above, below in itertools.pairwise(ranked.order)),
        suspended=tuple(sorted(verdict.suspensions)),
        sides=of_bots.sides,
        cooperation=cooperations(league, matches, verdict.suspensions),
        interim=bool(verdict.remaining or verdict.undecided),
        groups=ranked.groups,
        seats=of_bots.seats,
        fit=ranked.full.misfit and ranked.full.misfit.fit,
        same_author=len(matches) - len(counting(matches, league.authors)),
    )


def _lines(inputs: TableInputs, ranked: "Ranking", records: BotRecords) -> Iterator[Standing]:
    """The line of every bot, group after group."""
    resampled, sure = ranked.resampled, ranked.full.ranks
    against, overall = (ranked.full.misfit and ranked.full.misfit.bots) or {}, _overall(inputs)
    for number, group in enumerate(ranked.groups, 1):
        for rank, (name, after) in enumerate(zip(group, (*group[1:], None), strict=True), 1):
            record, rating = records.bots[name], resampled.ratings[name]
            yield Standing(
                rank=rank,
                bot=name,
                rating=rating.mu,
                sigma=rating.sigma,
                interval=resampled.interval(name),
                **msgspec.structs.asdict(record),
                draw_share=record.draw_share,
                group=number,
                ranks=sure[name].interval if name in sure else None,
                first=sure[name].first if name in sure else None,
                may_be_best=sure[name].may_be_best if name in sure else None,
                beats_next=ranked.beats(name, after) if after and versus(inputs.league) else None,
                last_of=inputs.last_of.get(name),
                best_mix=against.get(name),
                overall=overall.get(name),
            )


def _overall(inputs: TableInputs) -> dict[str, OverallShare]:
    """By bot, what it may expect over all tables with matches that count; nothing if these are fewer than two."""
    league, names = inputs.league, [entry.name for entry in inputs.league.entries]
    played = {fixture.table for fixture, _ in inputs.matches}
    tables = {table.name: table.weight for table in league.tables if table.name in played}
    if len(tables) < 2:
        return {}
    from tournaments.rating.overall import Overall, rate_tables  # noqa: PLC0415 - they import numpy and scipy

    at_table = {name: contests(league, (each for each in inputs.matches if each[0].table == name)) for name in tables}
    rated = rate_tables(at_table, names, league.draw_probability, seeds.child(inputs.seed, "overall"))
    found = Overall(rated, names, [*tables.values()])
    return {name: found.of(name) for name in names}
