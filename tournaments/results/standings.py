"""The standings of a league's bots, from its results; the lines of its tables as anybody may see them; and its digest.

Two leagues with the same digest were played alike, match by match.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec

from tournaments.league.model import Fixture, League, StoredMatch
from tournaments.rating import Interval
from tournaments.rating.bot_records import BotRecords, NoteMeans, SeatRecord, SideRecord, records
from tournaments.rating.contest import contests
from tournaments.rating.cooperation import Cooperation, cooperations
from tournaments.rating.sides import versus
from tournaments.schedule.counting_rules import LeagueVerdict

if TYPE_CHECKING:
    from tournaments.rating.ranking import Ranking


class StandingView(msgspec.Struct, frozen=True):
    """One bot's line in the table. `tournaments.results.standings.Standing` says more of the numbers.

    It is kept in this form, too, as anybody may see it, but without the author.

    Attributes:
        rank: its place in the table of its group, from 1.
        bot: its entry name.
        author: whose it is; `organizer` for those of the league file. Empty as long as it is kept: a bot can be given
            to somebody else.
        rating: the mean of its skill; the mean over all bots of its group is 25.
        sigma: the deviation of its skill, as the rating's model sees it.
        interval: the 95 % interval of the rating; None with too few deals.
        separated: whether it is separated from the next line; None for the last.
        may_be_best: whether it may be the best of its group; None without an interval.
        matches: how many of its matches count.
        wins: first places, unless the match was a draw.
        draws: matches in which all places were equal.
        losses: all other matches.
        score: the mean share of the sides held by others that its side came before; None before its first match.
        faults: matches that the bot's own fault cut short.
        mean_decision_ms: its mean thinking time for a decision; None where none is known to the viewer.
        group: the number of its group, from 1; bots of different groups never met.
        ranks: the 95 % interval of its rank; None without one.
        first: the probability that it is the first; None without an interval.
        beats_next: the probability that it beats the next of its group; None where that has no meaning.
        suspended: whether it is suspended.
        trend: its rating after each part of the matches, as in `RatingsView`; None before its first match.
        mean_return: the mean of what the game counts, such as chips, over its seats in matches that no fault cut short;
            where sides are dealt, on closed deals. None if the game counts nothing.
        notes: what its notes count; None if they count nothing, or nothing that the viewer may know.
    """

    rank: int
    bot: str
    author: str
    rating: float
    sigma: float
    interval: Interval | None
    separated: bool | None
    may_be_best: bool | None
    matches: int
    wins: int
    draws: int
    losses: int
    score: float | None
    faults: int
    mean_decision_ms: float | None
    group: int
    ranks: tuple[int, int] | None
    first: float | None
    beats_next: float | None
    suspended: bool
    trend: tuple[float | None, ...]
    mean_return: float | None = None
    notes: NoteMeans | None = None


class CellView(msgspec.Struct, frozen=True, gc=False):
    """How a bot did against another.

    Attributes:
        matches: how often they met.
        score: its mean score in these matches.
        expected: the mean score that the ratings expect of them.
        difference: its rating minus that of the other; None if they never met, not even by way of others.
        interval: the 95 % interval of the difference; None if there is none.
        beats: the probability that it beats the other; None where there is no difference.
    """

    matches: int
    score: float | None
    expected: float | None
    difference: float | None
    interval: Interval | None
    beats: float | None


def league_digest(matches: Iterable[tuple[str, str]]) -> str:
    """SHA-256, in hex, over matches in the order given. The digest of a league is over those that count, in plan order.

    Args:
        matches: fixture id and match digest of each; both are hashed as one line, `id digest` and a newline.
    """
    total = sha256()
    for fixture, digest in matches:
        total.update(f"{fixture} {digest}\n".encode())
    return total.hexdigest()


class MatchCounts(msgspec.Struct, frozen=True):
    """How many matches there are of each kind.

    Attributes:
        planned: matches in the plan.
        played: matches with a result that counts.
        void: how often a match did not count, through our fault.
        skipped: matches left out because one of their bots is suspended.
        abandoned: matches given up because they were void too often.
    """

    planned: int
    played: int
    void: int
    skipped: int
    abandoned: int


class Standing(msgspec.Struct, frozen=True):
    """One bot's line in the table.

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
        mean_decision_ms: its mean thinking time for a decision; None before its first decision.
        sides: how it fared on each side, where sides differ.
        seats: how it fared in each seat.
        score: the mean share of the sides held by others that its side came before; a tie counts half. Against the game
            it is 1 for a win. None before its first match.
        draw_share: draws / matches; None before its first match.
        group: the number of its group, from 1. Bots of different groups never met, not even by way of others, and are
            rated apart.
        ranks: the 95 % interval of its rank among the bots of its group that have an interval; None without one.
        first: the probability that it is the first of these; None without an interval.
        may_be_best: whether it may be the best of its group, by intervals that hold at once; None without an interval.
        beats_next: the probability, by the ratings, that it beats the next of its group in a match of two, draws left
            out. None for the last of a group, and where all seats are one side.
        mean_return: the mean of what the game counts, such as chips, over its seats in matches that no fault cut short;
            None if the game counts nothing.
        notes: what its notes count; None if they count nothing.
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
    mean_decision_ms: float | None
    sides: tuple[SideRecord, ...]
    seats: tuple[SeatRecord, ...]
    score: float | None
    draw_share: float | None
    group: int
    ranks: tuple[int, int] | None
    first: float | None
    may_be_best: bool | None
    beats_next: float | None
    mean_return: float | None = None
    notes: NoteMeans | None = None


class Standings(msgspec.Struct, frozen=True):
    """The table of a league.

    Attributes:
        league: the name of the league.
        digest: the digest of all matches that count, in plan order.
        matches: how many matches there are of each kind.
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
    """

    league: str
    digest: str
    matches: MatchCounts
    standings: tuple[Standing, ...]
    separated: tuple[bool, ...]
    suspended: tuple[str, ...]
    sides: tuple[SideRecord, ...]
    cooperation: tuple[Cooperation, ...]
    interim: bool
    groups: tuple[tuple[str, ...], ...]
    seats: tuple[SeatRecord, ...]
    forgiven: dict[str, int] = {}


def standings(
    league: League, seed: bytes, verdict: LeagueVerdict, matches: Sequence[tuple[Fixture, StoredMatch]], voids: int
) -> Standings:
    """The table of a league.

    Args:
        league: from its file.
        seed: the league's seed, 32 bytes; the bootstrap draws from it.
        verdict: how far the league is.
        matches: the matches that count, in plan order.
        voids: how often a match was void.
    """
    from tournaments.rating.ranking import ranking  # noqa: PLC0415 - it imports numpy and scipy

    return standings_of(league, ranking(league, seed, contests(league, matches)), verdict, matches, voids)


def standings_of(
    league: League,
    ranked: "Ranking",
    verdict: LeagueVerdict,
    matches: Sequence[tuple[Fixture, StoredMatch]],
    voids: int,
) -> Standings:
    """The same, of a league that is rated."""
    of_bots = records(league, matches)
    return Standings(
        league=league.name,
        digest=league_digest((played.fixture, played.digest) for _, played in matches),
        matches=match_counts(verdict, voids),
        standings=tuple(_lines(league, ranked, of_bots)),
        separated=tuple(ranked.resampled.separated(above, below) for above, below in itertools.pairwise(ranked.order)),
        suspended=tuple(sorted(verdict.suspensions)),
        sides=of_bots.sides,
        cooperation=cooperations(league, matches, verdict.suspensions),
        interim=bool(verdict.remaining or verdict.undecided),
        groups=ranked.groups,
        seats=of_bots.seats,
    )


def match_counts(verdict: LeagueVerdict, voids: int) -> MatchCounts:
    """How many matches there are of each kind. `voids` says how often a match was void."""
    return MatchCounts(
        planned=verdict.planned,
        played=verdict.counted,
        void=voids,
        skipped=verdict.skipped,
        abandoned=len(verdict.abandoned),
    )


def _lines(league: League, ranked: "Ranking", records: BotRecords) -> Iterator[Standing]:
    """The line of every bot, group after group."""
    resampled, sure, best = ranked.resampled, ranked.ranks(), ranked.may_be_best()
    for number, group in enumerate(ranked.groups, 1):
        for rank, (name, after) in enumerate(zip(group, (*group[1:], None), strict=True), 1):
            record, rating = records.bots[name], resampled.ratings[name]
            yield Standing(
                rank=rank,
                bot=name,
                rating=rating.mu,
                sigma=rating.sigma,
                interval=resampled.interval(name),
                matches=record.matches,
                wins=record.wins,
                draws=record.draws,
                losses=record.losses,
                faults=record.faults,
                mean_decision_ms=record.mean_decision_ms,
                sides=record.sides,
                seats=record.seats,
                score=record.score,
                draw_share=record.draw_share,
                group=number,
                ranks=sure[name].interval if name in sure else None,
                first=sure[name].first if name in sure else None,
                may_be_best=name in best if resampled.has_interval(name) else None,
                beats_next=ranked.beats(name, after) if after and versus(league) else None,
                mean_return=record.mean_return,
                notes=record.notes,
            )
