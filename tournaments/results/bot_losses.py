"""What the matches that a bot lost have in common, and which single matches are worth a look.

Counts are of the matches whose results everybody may know. A single match is named only if its deal is closed, because
a list of matches that is sorted by anything tells which of them are over.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from heapq import nlargest
from itertools import combinations
from statistics import fmean
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import msgspec

from tournaments.league.deals import LeagueDeals
from tournaments.league.model import League, StoredMatch, TableSpec
from tournaments.rating import TAIL, Interval
from tournaments.rating.contest import Contest, Team, contests
from tournaments.rating.sides import counting, result, score, uneven
from tournaments.results.public_results import Match

if TYPE_CHECKING:
    from tournaments.rating.ranking import Ranking

LISTED = 10
"""The most matches, and the most opponents, of a list."""

LATEST = 12
"""The number of lost matches whose decisions are looked at."""

_FAULTS = 40
_EVEN = 20
_DAY_MS = 24 * 60 * 60 * 1_000

_Kind: TypeAlias = Literal["opponent", "seat", "side", "ending"]
_Key: TypeAlias = tuple[str, _Kind, str, str]
"""Bot, kind of count, table, and name of the opponent, seat, side or ending."""


class LossCount(msgspec.Struct, frozen=True):
    """How often a bot lost against an opponent, in a seat, on a side, or with an ending.

    Attributes:
        name: the opponent, seat, side or ending.
        table: the name of the table; empty for opponents and endings, which count all tables.
        losses: the matches in which a seat of the bot was not first.
        matches: all matches of the bot of this kind.
        match: the latest of the lost matches on closed deals; empty if there is none.
    """

    name: str
    table: str
    losses: int
    matches: int
    match: str


class LostMatch(msgspec.Struct, frozen=True):
    """A match that a bot lost.

    Attributes:
        match: the id of its fixture.
        bot: the bot that lost.
        expected: the score that the ratings expected of it, from 0 to 1. With two sides this is its chance to win.
    """

    match: str
    bot: str
    expected: float


class BetterResult(msgspec.Struct, frozen=True):
    """A match that a bot lost, and one that another bot won on the same deal, in its place, against the same bots.

    Attributes:
        lost: the match that the bot lost.
        won: the match that the other bot won.
        bot: the other bot.
    """

    lost: str
    won: str
    bot: str


class VersionLead(msgspec.Struct, frozen=True):
    """A bot and another version of it, in pairs of matches with the same deal, seats and other bots.

    Attributes:
        bot: the other version.
        deals: how many deals have such a pair.
        lead: the mean score of the bot minus that of the other version, from -1 to 1: first of each deal, then of all.
        interval: its 95 % interval; None with fewer than 20 deals, or 10 whose lead is not the commonest.
    """

    bot: str
    deals: int
    lead: float
    interval: Interval | None


class BotFault(msgspec.Struct, frozen=True):
    """A fault of a bot that cut a match on a closed deal short: the match, the seat, the decision and the kind."""

    match: str
    seat: int
    decision: int
    kind: str


class BotLosses(msgspec.Struct, frozen=True):
    """The losses of a bot.

    Attributes:
        matches: all its matches.
        losses: those in which a seat of the bot was not first.
        opponents: the bots in the matches that it lost, the most frequent first; the first few.
        seats: by table and number.
        sides: by table and name, where sides differ.
        endings: how the lost matches ended, the most frequent first.
        surprises: the lost matches on closed deals that it was most expected to win, without faults; of equal ones the
            later.
        latest: the latest lost matches on closed deals, without faults; by match, its digest.
        deals_better: on how many closed deals another bot won in its place against the same bots.
        better: the latest of them, those of other versions of the bot first.
        versions: its other versions.
        faults: the latest faults on closed deals.
    """

    matches: int
    losses: int
    opponents: tuple[LossCount, ...]
    seats: tuple[LossCount, ...]
    sides: tuple[LossCount, ...]
    endings: tuple[LossCount, ...]
    surprises: tuple[LostMatch, ...]
    latest: dict[str, str]
    deals_better: int
    better: tuple[BetterResult, ...]
    versions: tuple[VersionLead, ...]
    faults: tuple[BotFault, ...]


class Highlights(msgspec.Struct, frozen=True):
    """The matches of a day that are worth a look: the last 24 hours in which a match on a closed deal was stored.

    Attributes:
        surprise: the match whose loser was most expected to win; None without a match.
        even: the matches between the most equal bots, by the ratings, the most equal first.
    """

    surprise: LostMatch | None = None
    even: tuple[str, ...] = ()


def losses_of(
    league: League, ranked: "Ranking", public_matches: Sequence[Match], deals: LeagueDeals
) -> tuple[dict[str, BotLosses], Highlights]:
    """The losses of each bot, and the highlights of the league.

    `public_matches` are those whose results everybody may know, in plan order.
    """
    closed_matches = [match for match in public_matches if deals.is_closed(match[0])]
    digests = {played.fixture: played.digest for _, played in closed_matches}
    lost = list(_expected_losses(league, ranked, closed_matches))
    counts, pairs = _Counts(league, public_matches, closed_matches), _SamePlaces(public_matches, deals)
    by_bot: defaultdict[str, list[LostMatch]] = defaultdict(list)
    for each in lost:
        by_bot[each.bot].append(each)
    faults: defaultdict[str, list[BotFault]] = defaultdict(list)
    for _, played in closed_matches:
        for fault in played.faults:
            found = BotFault(played.fixture, fault.seat, fault.decision, fault.kind.value)
            faults[played.entries[fault.seat]].append(found)
    return {
        entry.name: BotLosses(
            *counts.totals(entry.name),
            opponents=counts.of(entry.name, "opponent")[:LISTED],
            seats=tuple(sorted(counts.of(entry.name, "seat"), key=lambda each: (each.table, int(each.name)))),
            sides=tuple(sorted(counts.of(entry.name, "side"), key=lambda each: (each.table, each.name))),
            endings=counts.of(entry.name, "ending"),
            surprises=tuple(nlargest(LISTED, reversed(by_bot[entry.name]), key=lambda each: each.expected)),
            latest={each.match: digests[each.match] for each in by_bot[entry.name][: -LATEST - 1 : -1]},
            deals_better=len({_deal(each.lost) for each in pairs.better[entry.name]}),
            better=tuple(nlargest(LISTED, reversed(pairs.better[entry.name]), key=partial(_is_version, entry.name))),
            versions=tuple(pairs.leads(entry.name)),
            faults=tuple(faults[entry.name][: -_FAULTS - 1 : -1]),
        )
        for entry in league.entries
    }, _highlights(closed_matches, lost)


def bare_name(entry: str) -> str:
    """The name of a bot, without label and version."""
    return entry.partition("@")[0].partition("+")[0]


def _is_version(bot: str, other: "BetterResult | _SameMatch") -> bool:
    """Whether the bot that won is another version of a bot."""
    return bare_name(other.bot) == bare_name(bot)


class _Counts:
    """Counts losses. Matches that ended alike, with the same bots in the same seats, are looked at once."""

    def __init__(self, league: League, public_matches: Sequence[Match], closed_matches: Sequence[Match]) -> None:
        tables = {table.name: table for table in league.tables}
        self._matches: Counter[_Key] = Counter()
        self._losses: Counter[_Key] = Counter()
        self._latest: dict[_Key, str] = {}
        self._keys: defaultdict[tuple[str, _Kind], list[_Key]] = defaultdict(list)
        alike = Counter(map(_alike, public_matches))
        latest = {_alike(match): match[1].fixture for match in closed_matches}
        for match in {_alike(match): match for match in public_matches}.values():
            times, last = alike[_alike(match)], latest.get(_alike(match), "")
            for key, is_lost in _counted(tables[match[0].table], match):
                self._matches[key] += times
                self._losses[key] += times * is_lost
                if is_lost:
                    self._latest[key] = max(self._latest.get(key, ""), last, key=_deal)
        for key in sorted(self._matches):
            self._keys[key[:2]].append(key)

    def totals(self, bot: str) -> tuple[int, int]:
        """All matches of a bot, and those that it lost."""
        keys = self._keys[bot, "ending"]
        return sum(self._matches[key] for key in keys), sum(self._losses[key] for key in keys)

    def of(self, bot: str, kind: _Kind) -> tuple[LossCount, ...]:
        """The counts of a kind, the most losses first; without those that are 0."""
        keys = (key for key in self._keys[bot, kind] if self._losses[key])
        found = (LossCount(key[3], key[2], self._losses[key], self._matches[key], self._latest[key]) for key in keys)
        return tuple(sorted(found, key=lambda each: -each.losses))


def _alike(match: Match) -> tuple[object, ...]:
    outcome = match[1].outcome
    return match[0].table, match[1].entries, outcome.places, outcome.sides, outcome.ending


def _counted(table: TableSpec, match: Match) -> Iterator[tuple[_Key, bool]]:
    """What a match counts for, with whether a seat of the bot there was not first."""
    entries, outcome = match[1].entries, match[1].outcome
    for bot in dict.fromkeys(entries):
        lost = {seat: outcome.places[seat] > 1 for seat, entry in enumerate(entries) if entry == bot}
        yield (bot, "ending", "", outcome.ending), any(lost.values())
        for other in sorted({*entries} - {bot}):
            yield (bot, "opponent", "", other), any(lost.values())
        for seat, is_lost in lost.items():
            yield (bot, "seat", table.name, str(seat)), is_lost
        for side in outcome.sides if uneven(table, outcome) else ():
            if not lost.keys().isdisjoint(side.seats):
                yield (bot, "side", table.name, side.name), any(lost.get(seat, False) for seat in side.seats)


def _deal(fixture: str) -> int:
    """The deal in the id of a fixture; -1 if it is empty."""
    return int(fixture.rpartition("/deal-")[2].partition("/")[0]) if fixture else -1


def _expected_losses(league: League, ranked: "Ranking", closed_matches: Sequence[Match]) -> Iterator[LostMatch]:
    """The matches that bots lost without a fault, in plan order, each with the score that the ratings expected."""
    whole = [match for match in counting(closed_matches, league.authors) if not match[1].faults]
    known: dict[tuple[Team, ...], dict[str, float]] = {}
    for (_, played), contest in zip(whole, contests(league, whole), strict=True):
        expected = known.get(contest.teams)
        if expected is None:
            expected = known[contest.teams] = _expected(league, ranked, contest)
        for bot in dict.fromkeys(played.entries):
            if bot in expected and _lost(played, bot):
                yield LostMatch(played.fixture, bot, round(expected[bot], 4))


def _expected(league: League, ranked: "Ranking", contest: Contest) -> dict[str, float]:
    """By bot, its mean expected score against the other teams."""
    scores: defaultdict[str, list[float]] = defaultdict(list)
    for one, other in combinations(contest.teams, 2):
        score_ = ranked.expected(one, other, league.draw_probability)
        for bots, expected in (({each.player for each in one}, score_), ({each.player for each in other}, 1 - score_)):
            for bot in bots:
                scores[bot].append(expected)
    return {bot: fmean(found) for bot, found in scores.items()}


def _lost(played: StoredMatch, bot: str) -> bool:
    """Whether a seat of the bot was not first."""
    seats = zip(played.entries, played.outcome.places, strict=True)
    return any(place > 1 for entry, place in seats if entry == bot)


class _SameMatch(NamedTuple):
    """A match of a bot in a place that other bots had on the same deal."""

    bot: str
    match: Match


class _SamePlaces:
    """Compares bots that played the same deal in the same seats with the same other bots.

    Attributes:
        better: by bot, the matches on closed deals that it lost where another bot won, in the order of the deals.
    """

    def __init__(self, public_matches: Sequence[Match], deals: LeagueDeals) -> None:
        self.better: defaultdict[str, list[BetterResult]] = defaultdict(list)
        self._leads: defaultdict[tuple[str, str], defaultdict[int, list[float]]] = defaultdict(
            lambda: defaultdict(list)
        )
        by_deal: defaultdict[int, list[Match]] = defaultdict(list)
        for match in public_matches:
            if not deals.own.has(match[0].table, match[0].entries):
                by_deal[match[0].deal].append(match)
        for _, matches in sorted(by_deal.items()):
            for place in _by_place(matches):
                self._compare(place)
                self._find_better([each for each in place if deals.is_closed(each.match[0])])

    def leads(self, bot: str) -> Iterator[VersionLead]:
        """The other versions of a bot."""
        from tournaments.rating.numerics import interval_of_mean  # noqa: PLC0415 - it imports numpy and scipy

        for (one, other), deals in self._leads.items():
            if bot in {one, other}:
                sign = 1 if bot == one else -1
                leads = [sign * fmean(each) for each in deals.values()]
                yield VersionLead(
                    other if bot == one else one, len(leads), fmean(leads), interval_of_mean(leads, 2 * TAIL)
                )

    def _compare(self, place: Sequence[_SameMatch]) -> None:
        """Note the leads of versions of a bot over each other."""
        versions: defaultdict[str, list[_SameMatch]] = defaultdict(list)
        for each in place:
            versions[bare_name(each.bot)].append(each)
        for found in versions.values():
            for one, other in combinations(sorted(found, key=lambda each: each.bot), 2):
                lead = _score(one) - _score(other)
                self._leads[one.bot, other.bot][one.match[0].deal].append(lead)

    def _find_better(self, place: Sequence[_SameMatch]) -> None:
        """Note the bots that lost where another won. Of several, another version is named, or else the first winner."""
        whole = [each for each in place if not each.match[1].faults]
        winners = [each for each in whole if _won(each)]
        for each in whole if winners else ():
            if _lost(each.match[1], each.bot):
                won = max(winners, key=partial(_is_version, each.bot))
                found = BetterResult(each.match[1].fixture, won.match[1].fixture, won.bot)
                self.better[each.bot].append(found)


def _by_place(matches: Sequence[Match]) -> Iterator[list[_SameMatch]]:
    """The matches of a deal, by table, seats of a bot and other bots."""
    places: defaultdict[object, list[_SameMatch]] = defaultdict(list)
    for match in matches:
        for bot in dict.fromkeys(match[1].entries):
            others = tuple(None if entry == bot else entry for entry in match[1].entries)
            places[match[0].table, others].append(_SameMatch(bot, match))
    return (place for place in places.values() if len(place) > 1)


def _won(bot_match: _SameMatch) -> bool:
    played = bot_match.match[1]
    return result(played.outcome, played.entries.index(bot_match.bot)) == "win"


def _score(bot_match: _SameMatch) -> float:
    return score(bot_match.match[1].outcome, bot_match.match[1].entries, bot_match.bot)


def _highlights(closed_matches: Sequence[Match], lost: Sequence[LostMatch]) -> Highlights:
    last_ms = max((played.stored_ms for _, played in closed_matches), default=0)
    today = {played.fixture for _, played in closed_matches if played.stored_ms > last_ms - _DAY_MS}
    found = [each for each in lost if each.match in today]
    surprise = max(reversed(found), key=lambda each: each.expected, default=None)
    even: Mapping[str, float] = {each.match: abs(each.expected - 0.5) for each in found}
    return Highlights(surprise, tuple(sorted(even, key=even.__getitem__)[:_EVEN]))
