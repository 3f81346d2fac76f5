"""Whether a bot plays better on deals that it met before. A one-sided test, valid however often one looks.

The order of play draws in which of two line-ups a bot meets a deal first (`tournaments.schedule.play_order`).
If a bot has no memory, its results do not depend on this draw. So given the results of a piece, each way to draw the
halves is as likely as any other. For every deal a gambler bets that the later match was better for the bot than the
first one. One half of the capital compares the scores, the other half how far they are above the scores of other bots
on this deal at the same seat. At the odds of the draw no way of betting gains on average, and the rest is as in
`confidence_sequence`: the chance that the capital *ever* reaches c is at most 1 / c. With n entries, one of them
reaches 100 n in at most 1 % of leagues.

A bot that plays better with time, for whatever reason, is better in the later meeting, too. So the bot is not noticed
unless the gain is larger than what time explains: how much better it is on deals that are new to it in the second part
of a piece than on those that are new in the first part. And the opponents of a bot that remembers some deals do better
where it does not. So once a bot is noticed, what others did against it does not count against them. The first is the
one with the most evidence from meetings without others that could be noticed. Both rules can only take alarms away.

The draw alone makes the test valid. It needs no model of bots, seats or opponents, no times, and not the order in which
matches were really played: a match that came in another order makes the test weaker, not wrong.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import islice
from statistics import fmean
from typing import TypeAlias

import msgspec

from referee.core.outcome import Outcome
from tournaments.league.deals import own_deals
from tournaments.league.model import Fixture, League, StoredMatch
from tournaments.rating.sides import score
from tournaments.schedule.formats.wave import LineUp, Wave, pieces
from tournaments.schedule.league_state import LeagueState
from tournaments.schedule.play_order import FirstMeeting, first_meetings, parts

STAKES = {0.5: 3, 1.0: 1}
"""By strength of a bet, how much of the capital it begins with.

0.5 is best for a bot that wins 73 % of even matches when it met the deal before, and 1.0 for one that wins 88 %.
"""

FALSE_ALARMS = 0.01
"""The share of leagues of bots without a memory in which a bot is noticed, at most."""

_OTHERS = 64
"""So many matches of other bots say what a deal is worth at a seat."""

_MOST = 1e9
"""Evidence above this is shown as this."""

_HUGE = 700.0
"""The logarithm of a capital that is more than enough, and that still is a float."""

Outcomes: TypeAlias = Mapping[LineUp, Mapping[int, Outcome]]
"""How matches ended, by line-up and deal."""


class MemoryEvidence(msgspec.Struct, frozen=True):
    """The evidence that a bot plays better on deals that it met before.

    Attributes:
        bot: the name of its entry.
        deals: how many deals it met first in a match, and later in another, that count for the test.
        gain: its mean score in the later of the two matches minus that in the first, from -1 to 1; None without deals.
        evidence: the highest capital so far; 1 at the beginning.
        noticed: whether that is enough, without meetings with bots that were noticed before, and time does not explain
            the gain.
        time: its mean score on deals that were new to it in the second part of a piece, minus that on those in the
            first part, from -1 to 1; None without such deals.
    """

    bot: str
    deals: int
    gain: float | None
    evidence: float
    noticed: bool
    time: float | None = None


class MemoryReport(msgspec.Struct, frozen=True):
    """The evidence for all bots of a league.

    Attributes:
        needed: how much evidence is enough. If no bot has a memory, one reaches it in at most 1 % of leagues.
        bots: the most evidence first. Empty if there is nothing to test, for example because all luck is own.
    """

    needed: float
    bots: tuple[MemoryEvidence, ...]


class MemoryBets:
    """The bets on one bot.

    Attributes:
        deals: how many deals were bet on.
        evidence: the highest capital after any piece.
    """

    def __init__(self) -> None:
        self.deals = 0
        self.evidence = 1.0
        self._gains = 0.0
        self._new: tuple[list[float], list[float]] = [], []  # scores on deals that were new, by part
        self._logs = dict.fromkeys(STAKES, 0.0), dict.fromkeys(STAKES, 0.0)  # of the scores, and of those compared

    @property
    def gain(self) -> float | None:
        """The mean of later scores minus first ones."""
        return self._gains / self.deals if self.deals else None

    @property
    def time(self) -> float | None:
        """How much better the bot is on deals that are new to it late in a piece."""
        first, second = self._new
        return fmean(second) - fmean(first) if second else None

    def is_enough(self, needed: float) -> bool:
        """Whether so much evidence was reached, and the gain is above what time explains by a standard error of that.

        The error is the largest that scores from 0 to 1 can have.
        """
        first, second = self._new
        error = math.sqrt(1 / len(first) + 1 / len(second)) / 2 if second else 0.0
        is_explained = bool(second) and (self.gain or 0) - (self.time or 0) <= error
        return self.evidence >= needed and not is_explained

    def meet(self, part: int, new: Iterable[float]) -> None:
        """Note the scores on deals that were new in a part of a long piece, which is 0 or 1."""
        self._new[part].extend(new)

    def take(self, first_is_early: Sequence[bool], scores: Sequence[float], compared: Sequence[float]) -> None:
        """Bet on the deals of a part of a piece.

        The mean of the differences is the advantage of one line-up, because of its seat. It does not depend on the
        draw. So the bets leave it out.

        Args:
            first_is_early: for each deal, whether the draw has the first line-up play it before the second.
            scores: for each deal, the score in the second line-up minus that in the first.
            compared: the same, of how far each score is above those of other bots on the deal.
        """
        for logs, differences in zip(self._logs, (scores, compared), strict=True):
            usual, ahead, left = fmean(differences), sum(first_is_early), len(differences)
            for is_early, difference in zip(first_is_early, differences, strict=True):
                for strength in STAKES:
                    logs[strength] += _payoff(strength * (difference - usual), ahead / left, is_early=is_early)
                ahead, left = ahead - is_early, left - 1
        self._gains += sum(each if is_early else -each for is_early, each in zip(first_is_early, scores, strict=True))
        self.deals += len(scores)
        self.evidence = min(max(self.evidence, self.capital), _MOST)

    @property
    def capital(self) -> float:
        """The capital after the pieces so far."""
        total = sum(STAKES.values())
        grown = [
            [stake * math.exp(min(logs[strength], _HUGE)) for strength, stake in STAKES.items()] for logs in self._logs
        ]
        return fmean(sum(each) / total for each in grown)


def _payoff(bet: float, chance: float, *, is_early: bool) -> float:
    """The logarithm of the payoff if the first line-up plays the deal early with this chance. It is 1 on average."""
    fair = chance * math.exp(bet) + (1 - chance) * math.exp(-bet)
    return (bet if is_early else -bet) - math.log(fair)


def _outcomes_of(matches: Iterable[tuple[Fixture, StoredMatch]]) -> Outcomes:
    """How these matches ended."""
    outcomes: defaultdict[LineUp, dict[int, Outcome]] = defaultdict(dict)
    for fixture, played in matches:
        outcomes[LineUp(fixture.table, fixture.entries, fixture.rotation)][fixture.deal] = played.outcome
    return outcomes


def memory_report(league: League, seed: bytes, waves: Iterable[Wave], outcomes: Outcomes) -> MemoryReport:
    """Test all bots of a league. A piece counts for a bot when all matches of its two line-ups do.

    `seed` has 32 bytes; `outcomes` are those of the matches that count.
    """
    own, scores = own_deals(league), _DealScores(outcomes)
    meetings = [
        (meeting, parts(seed, piece))
        for wave in waves
        for piece in pieces(wave.deals, league.play_rules.batch)
        for meeting in first_meetings(seed, own, wave.line_ups, piece)
    ]
    bets = left = _bets(meetings, scores, set())
    needed = len(bets) / FALSE_ALARMS
    noticed: set[str] = set()
    while suspects := {bot for bot in bets if all(each[bot].is_enough(needed) for each in (bets, left))} - noticed:
        apart = _bets(meetings, scores, suspects | noticed)
        noticed.add(max(suspects, key=lambda bot: (apart[bot].evidence, bets[bot].evidence, bot)))
        left = _bets(meetings, scores, noticed)
    found = (
        MemoryEvidence(bot, each.deals, each.gain, each.evidence, bot in noticed, each.time)
        for bot, each in sorted(bets.items())
    )
    return MemoryReport(needed, tuple(sorted(found, key=lambda each: -each.evidence)))


def memory_of(league: League, seed: bytes, state: LeagueState) -> MemoryReport:
    """Test all bots of a league from the matches that count so far."""
    return memory_report(league, seed, state.plan.waves, _outcomes_of(state.counted()))


def _bets(
    meetings: Iterable[tuple[FirstMeeting, Sequence[Sequence[int]]]], scores: "_DealScores", noticed: Set[str]
) -> dict[str, MemoryBets]:
    """The bets on all bots, part by part: on first meetings whose matches all count, without others that were noticed.

    Each meeting has the deals of each part of its piece.
    """
    bets: defaultdict[str, MemoryBets] = defaultdict(MemoryBets)
    for meeting, cut in meetings:
        one, other = (each.line_up for each in meeting.line_ups)
        counts = all(scores.has(line_up, deal) for line_up in (one, other) for part in cut for deal in part)
        for bot in sorted(meeting.entries):
            taken = bets[bot]  # it is one of the bots, whether there is a bet or not
            for number, part in enumerate(cut if counts and noticed.isdisjoint({*one.entries} - {bot}) else ()):
                taken.take(
                    [deal in meeting.early for deal in part],
                    [scores.of(other, deal, bot) - scores.of(one, deal, bot) for deal in part],
                    [scores.above(other, deal, bot) - scores.above(one, deal, bot) for deal in part],
                )
                if len(cut) > 1:
                    taken.meet(number, (scores.of(one if deal in meeting.early else other, deal, bot) for deal in part))
    return bets


class _DealScores:
    """What bots scored on the deals of a league."""

    def __init__(self, outcomes: Outcomes) -> None:
        self._outcomes = outcomes
        self._played: defaultdict[tuple[str, int], list[LineUp]] = defaultdict(list)
        for line_up, found in outcomes.items():
            for deal in found:
                self._played[line_up.table, deal].append(line_up)

    def has(self, line_up: LineUp, deal: int) -> bool:
        """Whether a match counts."""
        return deal in self._outcomes.get(line_up, ())

    def of(self, line_up: LineUp, deal: int, bot: str) -> float:
        """The score of a bot."""
        return score(self._outcomes[line_up][deal], line_up.entries, bot)

    def above(self, line_up: LineUp, deal: int, bot: str) -> float:
        """The score of a bot, minus the mean score at its seats in matches of the deal without any bot of this group.

        So the matches that are compared do not depend on the draw of the group. If there are none, it is the score.
        """
        seats = [seat for seat, name in enumerate(line_up.entries) if name == bot]
        others = (each for each in self._played[line_up.table, deal] if set(line_up.entries).isdisjoint(each.entries))
        usual = [self.of(each, deal, each.entries[seat]) for each in islice(others, _OTHERS) for seat in seats]
        return self.of(line_up, deal, bot) - (fmean(usual) if usual else 0)
