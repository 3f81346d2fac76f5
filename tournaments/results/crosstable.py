"""How every two bots did against each other, and how they would have by their ratings.

Two bots met in a match if they had seats on sides that were compared with each other. Between two sides, the score is 1
for the better one and 1/2 each for a tie. So where a match has two sides, the score is that of the match; where it has
more, it says how often a bot came before the other. If two bots have seats on several sides, the mean over all pairs of
these sides counts, and the match counts once.

A match that a fault cut short is compared as it is rated (`tournaments.rating.contest`): where there are not
just two sides, the others came before the offenders, and no other bots met. Against the game, no bots meet.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations, permutations
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import msgspec

from tournaments.league.model import League
from tournaments.league.status import MatchCounts
from tournaments.rating.fit import Fit
from tournaments.rating.sides import points, versus
from tournaments.results.standings import CellView, TableInputs, league_digest

if TYPE_CHECKING:
    from tournaments.rating.ranking import Ranking

_Pair: TypeAlias = tuple[str, str]


class PairResults(CellView, frozen=True, kw_only=True, gc=False):
    """One bot against another.

    Attributes:
        bot: its entry name.
        against: the other bot.
        points: the sum of its scores in these matches. With those of the other bot it adds up to `matches`.
    """

    bot: str
    against: str
    points: float

    def turned(self) -> "PairResults":
        """The same matches as the other bot sees them."""
        return PairResults(
            bot=self.against,
            against=self.bot,
            matches=self.matches,
            points=self.matches - self.points,
            score=None if self.score is None else 1 - self.score,
            expected=None if self.expected is None else 1 - self.expected,
            difference=None if self.difference is None else -self.difference,
            interval=None if self.interval is None else (-self.interval[1], -self.interval[0]),
            beats=None if self.beats is None else 1 - self.beats,
            unusual=self.unusual,
        )


class Crosstable(msgspec.Struct, frozen=True):
    """The bots of a league against each other.

    Attributes:
        league: the name of the league.
        digest: the digest of all matches that count, in plan order.
        matches: how many matches there are of each kind.
        void: how often a match did not count, through our fault.
        interim: whether matches remain to be played, or pairings were played too little to count.
        groups: the bots in groups that never met, best first.
        pairs: every bot against every other, in the order of the groups.
        fit: whether one number describes the bots; None where this is not tested.
    """

    league: str
    digest: str
    matches: MatchCounts
    void: int
    interim: bool
    groups: tuple[tuple[str, ...], ...]
    pairs: tuple[PairResults, ...]
    fit: Fit | None = None


def crosstable_of(inputs: TableInputs, ranked: "Ranking") -> Crosstable:
    """The bots of a league against each other. `ranked` has the ratings from these inputs."""
    league, verdict = inputs.league, inputs.verdict
    met = _met(league, ranked)
    above = {pair: _meetings(league, ranked, pair, met.get(pair)) for pair in combinations(ranked.order, 2)}
    pairs = permutations(ranked.order, 2)
    return Crosstable(
        league=league.name,
        digest=league_digest((played.fixture, played.digest) for _, played in inputs.matches),
        matches=verdict.counts,
        void=inputs.voids,
        interim=bool(verdict.remaining or verdict.undecided),
        groups=ranked.groups,
        pairs=tuple(above[a, b] if (a, b) in above else above[b, a].turned() for a, b in pairs),
        fit=ranked.full.misfit and ranked.full.misfit.fit,
    )


class _Score(NamedTuple):
    """The score of one bot against another in one match: as it was, and as the ratings expect it."""

    points: float
    expected: float


class _Sum:
    """The scores of one bot against another, added up."""

    def __init__(self) -> None:
        self.matches = 0
        self.points = 0.0
        self.expected = 0.0

    def add(self, times: int, scores: Sequence[_Score]) -> None:
        """Add so many equal matches. In each, the bot had one of these scores on each pair of sides."""
        self.matches += times
        self.points += times * sum(score.points for score in scores) / len(scores)
        self.expected += times * sum(score.expected for score in scores) / len(scores)


def _met(league: League, ranked: "Ranking") -> dict[_Pair, _Sum]:
    """By two bots that met, the better one first: the scores of the first.

    Equal contests are counted first and looked at once.
    """
    ranks = {name: at for at, name in enumerate(ranked.order)}
    sums: defaultdict[_Pair, _Sum] = defaultdict(_Sum)
    for (teams, places), times in Counter((contest.teams, contest.places) for contest in ranked.rated).items():
        bots = [{member.player for member in team if member.player in ranks} for team in teams]
        scores: defaultdict[_Pair, list[_Score]] = defaultdict(list)
        for one, other in permutations(range(len(teams)), 2):
            pairs = [(a, b) for a in bots[one] for b in bots[other] if ranks[a] < ranks[b]]
            if pairs:
                expected = ranked.expected(teams[one], teams[other], league.draw_probability)
                score = _Score(points(places[one], places[other]), expected)
                for pair in pairs:
                    scores[pair].append(score)
        for pair, found in scores.items():
            sums[pair].add(times, found)
    return sums


def _meetings(league: League, ranked: "Ranking", pair: _Pair, met: _Sum | None) -> PairResults:
    bot, against = pair
    resampled, ratings = ranked.resampled, ranked.resampled.ratings
    comparable = resampled.met(bot, against)
    return PairResults(
        bot=bot,
        against=against,
        matches=met.matches if met else 0,
        points=met.points if met else 0.0,
        score=met.points / met.matches if met else None,
        expected=met.expected / met.matches if met else None,
        difference=ratings[bot].mu - ratings[against].mu if comparable else None,
        interval=resampled.difference(bot, against),
        beats=ranked.beats(bot, against) if comparable and versus(league) else None,
        unusual=ranked.full.misfit is not None and frozenset(pair) in ranked.full.misfit.pairs,
    )
