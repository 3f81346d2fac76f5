"""What the results of a league say about its bots."""

import itertools
from collections.abc import Sequence

import msgspec

from referee.core import seeds
from referee.core.outcome import Seat
from tournaments.contests import contests
from tournaments.cooperation import Cooperation, cooperations
from tournaments.digest import league_digest
from tournaments.model import Fixture, League, Played
from tournaments.rating.bootstrap import Interval, bootstrap
from tournaments.rating.scale import Rating
from tournaments.season import Verdict
from tournaments.sides import EVERYBODY, SideRecord, result, side_records, teams


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
        rank: from 1, by rating.
        bot: its entry name.
        rating: the mean of its skill; the mean over all bots is 25.
        sigma: the deviation of its skill, as the rating's model sees it.
        interval: the 95 % interval of the rating, from the bootstrap; None if the bot played fewer blocks than
            `FEWEST_BLOCKS`.
        matches: how many of its matches count.
        wins: first places, unless the match was a draw.
        draws: matches in which all places were equal, unless all seats were one side.
        losses: all other matches.
        faults: matches that the bot's own fault cut short.
        mean_decision_ms: its mean thinking time for a decision; None before its first decision.
        sides: how often it won on each side, where sides differ.
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


class Standings(msgspec.Struct, frozen=True):
    """The table of a league.

    Attributes:
        league: the name of the league.
        digest: the digest of all matches that count, in plan order.
        matches: how many matches there are of each kind.
        standings: the bots, best first.
        separated: for every line but the last, whether it is separated from the next: the interval of their difference
            excludes 0. False if one of them has no interval.
        suspended: the suspended bots.
        sides: how often each side won, where sides differ in size or are dealt.
        cooperation: how the bots fared, alone and by pairs, where all seats are one side.
    """

    league: str
    digest: str
    matches: MatchCounts
    standings: tuple[Standing, ...]
    separated: tuple[bool, ...]
    suspended: tuple[str, ...]
    sides: tuple[SideRecord, ...]
    cooperation: tuple[Cooperation, ...]


def standings(
    league: League, seed: bytes, verdict: Verdict, matches: Sequence[tuple[Fixture, Played]], voids: int
) -> Standings:
    """The table of a league.

    Args:
        league: from its file.
        seed: the league's seed, 32 bytes; the bootstrap draws from it.
        verdict: how far the league is.
        matches: the matches that count, in plan order.
        voids: how often a match was void.
    """
    names = [entry.name for entry in league.entries]
    rated = contests(league, matches)
    resampled = bootstrap(rated, names, league.draw_probability, seeds.child(seed, "bootstrap"))
    ratings = resampled.ratings
    counted = [played for _, played in matches]
    sides = side_records(league, matches)
    order = sorted(names, key=lambda name: (-ratings[name].mu, name))
    return Standings(
        league=league.name,
        digest=league_digest((played.fixture, played.digest) for played in counted),
        matches=_counts(verdict, voids),
        standings=tuple(
            tally.standing(rank, name, ratings[name], resampled.interval(name), sides.get(name, ()))
            for rank, (name, tally) in enumerate(_tallies(order, counted).items(), 1)
        ),
        separated=tuple(resampled.separated(above, below) for above, below in itertools.pairwise(order)),
        suspended=tuple(sorted(verdict.suspensions)),
        sides=sides.get(EVERYBODY, ()),
        cooperation=cooperations(league, matches, verdict.suspensions),
    )


def _counts(verdict: Verdict, voids: int) -> MatchCounts:
    return MatchCounts(
        planned=verdict.planned,
        played=verdict.counted,
        void=voids,
        skipped=verdict.skipped,
        abandoned=len(verdict.abandoned),
    )


def _tallies(names: Sequence[str], counted: Sequence[Played]) -> dict[str, "_Tally"]:
    tallies = {name: _Tally() for name in names}
    for played in counted:
        for side in _sides(played):
            for name, seats in _holders(played, side).items():
                if name in tallies:
                    tallies[name].count(played, seats)
    return tallies


def _sides(played: Played) -> tuple[tuple[Seat, ...], ...]:
    """The seats whose results are counted together: all of them in a match without sides that a fault cut short."""
    if played.faults and not played.outcome.sides:
        return (tuple(range(len(played.entries))),)
    return teams(played.outcome)


def _holders(played: Played, side: Sequence[Seat]) -> dict[str, list[Seat]]:
    """The seats of a side, by the entry that held them."""
    held: dict[str, list[Seat]] = {}
    for seat in side:
        held.setdefault(played.entries[seat], []).append(seat)
    return held


class _Tally:
    """What one bot did in all its matches."""

    def __init__(self) -> None:
        self._results = {"win": 0, "draw": 0, "loss": 0}
        self._faults = 0
        self._decisions = 0
        self._thinking_us = 0

    def count(self, played: Played, seats: Sequence[Seat]) -> None:
        """Count a match in which the bot held these seats of one side. The seat with the worst place decides."""
        last = max(seats, key=played.outcome.places.__getitem__)
        self._results[result(played.outcome, last)] += 1
        self._faults += any(fault.seat in seats for fault in played.faults)
        self._decisions += sum(played.decisions[seat] for seat in seats)
        self._thinking_us += sum(played.thinking_us[seat] for seat in seats)

    def standing(
        self, rank: int, name: str, rating: Rating, interval: Interval | None, sides: tuple[SideRecord, ...]
    ) -> Standing:
        return Standing(
            rank=rank,
            bot=name,
            rating=rating.mu,
            sigma=rating.sigma,
            interval=interval,
            matches=sum(self._results.values()),
            wins=self._results["win"],
            draws=self._results["draw"],
            losses=self._results["loss"],
            faults=self._faults,
            mean_decision_ms=self._thinking_us / self._decisions / 1000 if self._decisions else None,
            sides=sides,
        )
