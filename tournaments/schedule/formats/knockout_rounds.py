"""The rounds of a knock-out: how many bots play, rest and go on in each, which of them meet, and which go on.

All bots of a round have a slot, counted from 0; a better slot was earned, or is a higher seed. Those in the first slots
have a bye. The others are dealt into groups like a snake: one to each group in order, one to each in reverse order, and
so on. The bots that go on from a group take over its best slots. With two in a group this is the usual bracket: 1
against n, 2 against n - 1 and so on, and the first two seeds meet in the final at the earliest.

A number of bots is *full* if one bot more would mean one round more. Each round leaves a full number, if it can: with
two in a group 2, 4, 8 and so on. The smallest full number is one group, whose best bot wins.

A round is a wave, and the waves of further deals after it. Which bots go on follows from the issued waves and the
matches that count. The wave that began a round names the bots that went on from the round before. They are not computed
again, whatever counts by now.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import combinations, pairwise
from math import comb, fsum
from operator import mul
from typing import NamedTuple, TypeAlias

from tournaments.league.model import Fixture, StoredMatch
from tournaments.rating.sides import owners_of, shares
from tournaments.schedule.formats.issued_waves import IssuedWave, stayed
from tournaments.schedule.formats.knockout_bracket import BracketGroup, BracketRound, Contestant, Reason


class RoundLayout(NamedTuple):
    """How a round is played.

    Attributes:
        byes: how many of the first slots have a bye.
        groups: how many groups play.
    """

    byes: int
    groups: int


def layout(players: int, seats: int, advance: int) -> RoundLayout:
    """How a round of so many bots, at least as many as seats, is played.

    From a group `advance` bots go on, as a rule: at least 1, and fewer than `seats`.
    """
    if players == seats:
        return RoundLayout(0, 1)
    out = players - _full(players, seats, advance)
    groups = min(-(-out // (seats - advance)), players // seats)
    return RoundLayout(players - groups * seats, groups)


def going_on(players: int, groups: int, seats: int, advance: int) -> tuple[int, ...]:
    """How many go on from each group.

    It is `advance` or near it: if the round could not leave a full number otherwise, the groups with the worst slots
    send fewer on, or those with the best slots more. From each group at least one goes on and one does not.
    """
    if players == seats:
        return (1,) * groups
    out = players - _full(players, seats, advance)
    each, more = divmod(min(max(out, groups), groups * (seats - 1)), groups)
    return tuple(seats - each - (group >= groups - more) for group in range(groups))


def _full(players: int, seats: int, advance: int) -> int:
    """The greatest full number below so many bots, which are more than seats."""
    full = seats
    while (larger := full + full // advance * (seats - advance)) < players:
        full = larger
    return full


def slots(byes: int, groups: int, seats: int) -> list[list[int]]:
    """The slots of each group, the best first."""
    rows = [range(byes + row * groups, byes + (row + 1) * groups) for row in range(seats)]
    return [list(column) for column in zip(*map(_snake, range(seats), rows), strict=True)]


def _snake(row: int, line: range) -> range:
    return line[::-1] if row % 2 else line


def dealt(
    players: Sequence[str], former: Mapping[str, int], byes: int, groups: int, authors: Mapping[str, str] = {}
) -> list[list[str]]:
    """The groups of a round, each in the order of its slots.

    Two that came out of one group are kept apart where neighbours in a row of the snake can take each other's place.
    Then bots of one author are kept apart (`parted`).

    Args:
        players: by slot.
        former: the number of a bot's group in the last round; missing if it did not play in that round.
        byes: how many of the first slots have a bye.
        groups: how many groups there are. They take all that have no bye, equally many each.
        authors: by entry, its author.
    """
    found: list[list[str]] = [[] for _ in range(groups)]
    for row, start in enumerate(range(byes, len(players), groups)):
        waiting = list(players[start : start + groups])
        for group in _snake(row, range(groups)):
            known = {former.get(player) for player in found[group]} - {None}
            chosen = next((player for player in waiting if former.get(player) not in known), waiting[0])
            waiting.remove(chosen)
            found[group].append(chosen)
    return parted(found, authors)


def parted(groups: Sequence[Sequence[str]], authors: Mapping[str, str]) -> list[list[str]]:
    """The same groups, with fewer pairs of one author in a group if that can be.

    Bots in the same row of two groups take each other's place. The best of each group stays.

    Args:
        groups: each in the order of its slots.
        authors: by entry, its author.
    """

    def pairs(*found: Sequence[str]) -> int:
        return sum(comb(times, 2) for each in found for times in Counter(owners_of(each, authors)).values())

    parts = [list(group) for group in groups]
    for one, other in combinations(parts, 2) if authors else ():
        for row in range(1, min(len(one), len(other))):
            before = pairs(one, other)
            one[row], other[row] = other[row], one[row]
            if pairs(one, other) >= before:
                one[row], other[row] = other[row], one[row]
    return parts


Members: TypeAlias = frozenset[str]
"""The entries of a group."""

Scores: TypeAlias = Mapping[str, float]
"""The mean share of each member of a group in a wave; empty if none of its matches counts."""

_DECIMALS = 9
"""Scores are compared after rounding, since the same score can be the sum of different shares."""


class KnockoutRules(NamedTuple):
    """The rules of a knock-out.

    Attributes:
        seeds: the seed of each entry, counted from 1.
        size: how many bots a group has.
        advance: how many go on from it, as a rule.
        further: how many waves of further deals a round has at most.
        authors: by entry, its author.
        luck: by entry, the place that decides in a group of one author.
    """

    seeds: Mapping[str, int]
    size: int
    advance: int
    further: int
    authors: Mapping[str, str] = {}
    luck: Mapping[str, tuple[int, bytes]] = {}


class JudgedGroup(NamedTuple):
    """A group, and how it fared.

    Attributes:
        members: its entries.
        ranked: those that were there at the end of the round, the best first.
        scores: of each wave in which the group played.
        advance: how many go on.
        on: the bots that go on, the best first; as it stands now, if the group plays on.
        reason: what decided.
        plays_on: whether the group is to play further deals.
    """

    members: Members
    ranked: tuple[str, ...]
    scores: tuple[Scores, ...]
    advance: int
    on: tuple[str, ...]
    reason: Reason
    plays_on: bool

    def value(self, seeds: Mapping[str, int], *, decided: bool) -> BracketGroup:
        """The group as a part of a bracket."""
        gone = sorted(self.members.difference(self.ranked), key=seeds.__getitem__)
        on = self.on if decided else ()
        contestants = (
            Contestant(name, seeds[name], tuple(scores.get(name) for scores in self.scores), name in on)
            for name in (*self.ranked, *gone)
        )
        return BracketGroup(tuple(contestants), self.advance, self.reason if decided else None)


class JudgedRound(NamedTuple):
    """A round, and how it went.

    Attributes:
        byes: those who go on without playing, by slot.
        groups: in the order of their best slots.
        seeds: the seed of each entry.
    """

    byes: tuple[str, ...]
    groups: tuple[JudgedGroup, ...]
    seeds: Mapping[str, int]

    def left(self, here: Set[str]) -> list[str]:
        """Those of the entries that are there who go on, in the order of their slots."""
        size = len(self.groups[0].members)
        taken = list(enumerate(self.byes))
        for own, group in zip(slots(len(self.byes), len(self.groups), size), self.groups, strict=True):
            taken += zip(own, group.on, strict=False)
        return [name for _, name in sorted(taken) if name in here]

    def former(self) -> dict[str, int]:
        """The number of the former group of each bot that played and goes on."""
        return {name: number for number, group in enumerate(self.groups) for name in group.on}

    def value(self, *, playing: bool) -> BracketRound:
        """The round as a part of a bracket. While it is played, nothing is decided."""
        groups = (group.value(self.seeds, decided=not playing and not group.plays_on) for group in self.groups)
        return BracketRound(tuple(groups), tuple(Contestant(name, self.seeds[name], (), on=True) for name in self.byes))


def judged_rounds(
    issues: Sequence[IssuedWave],
    roster: Sequence[str],
    gone: Sequence[Set[str]],
    matches: Iterable[tuple[Fixture, StoredMatch]],
    rules: KnockoutRules,
) -> list[JudgedRound]:
    """All rounds so far, each with the bots that were there at its end.

    There is at least one wave. The matches are those that count. `roster` has the entries that may play now, and `gone`
    for each wave those that were suspended or withdrawn by its end.
    """
    waves = _waves(issues, matches, rules.authors)
    starts = [at for at, wave in enumerate(waves) if not at or not wave.keys() <= waves[at - 1].keys()]
    rounds, here = [], stayed(issues, gone)
    for start, end in pairwise([*starts, len(waves)]):
        after = issues[end] if end < len(issues) else None
        then = frozenset(roster if after is None else after.roster)
        on = None if after is None else _playing(after) | (here[end - 1] - then)
        rounds.append(_round(issues[start].byes, waves[start:end], _End(here[end - 1], then, on), rules))
    return rounds


_Wave: TypeAlias = Mapping[Members, Scores]
"""The groups of a wave in order, and their scores."""


class _End(NamedTuple):
    """How things were at the end of a round.

    Attributes:
        here: the entries that were there.
        then: those that could play afterwards.
        on: those in the next round, and those that left between the rounds; None if it has not begun.
    """

    here: Set[str]
    then: Set[str]
    on: Set[str] | None


def _waves(
    issues: Sequence[IssuedWave], matches: Iterable[tuple[Fixture, StoredMatch]], authors: Mapping[str, str]
) -> list[_Wave]:
    found: list[dict[Members, defaultdict[str, Counter[float]]]] = [
        {group: defaultdict(Counter) for group in _groups(issue)} for issue in issues
    ]
    first_deals = [issue.first_deal for issue in issues]
    for fixture, played in matches:
        wave = found[bisect_right(first_deals, fixture.deal) - 1]
        for name, share in shares(played.outcome, fixture.entries, authors).items():
            wave[frozenset(fixture.entries)][name][share] += 1
    return [{group: _means(got) for group, got in wave.items()} for wave in found]


def _groups(issue: IssuedWave) -> Iterable[Members]:
    return dict.fromkeys(frozenset(line_up.entries) for line_up in issue.line_ups)


def _means(shares: Mapping[str, Counter[float]]) -> Scores:
    """The mean of each member's shares, given how often it got each share."""
    return {name: round(fsum(map(mul, got, got.values())) / got.total(), _DECIMALS) for name, got in shares.items()}


def _playing(issue: IssuedWave) -> Set[str]:
    """All that are in the round that a wave begins."""
    return frozenset(issue.byes).union(*_groups(issue))


def _round(byes: tuple[str, ...], waves: Sequence[_Wave], end: _End, rules: KnockoutRules) -> JudgedRound:
    groups = tuple(waves[0])
    advances = going_on(len(byes) + len(groups) * rules.size, len(groups), rules.size, rules.advance)
    return JudgedRound(
        byes,
        tuple(_group(members, on, waves, end, rules) for members, on in zip(groups, advances, strict=True)),
        rules.seeds,
    )


def _group(members: Members, advance: int, waves: Sequence[_Wave], end: _End, rules: KnockoutRules) -> JudgedGroup:
    scores = tuple(wave[members] for wave in waves if members in wave)

    def points(name: str) -> tuple[float, ...]:
        return tuple(-each.get(name, 0.0) for each in scores)

    of_one = len(members) > 1 == len(set(owners_of(tuple(members), rules.authors)))
    luck = rules.luck if of_one else {}
    ranked = tuple(sorted(members & end.here, key=lambda name: (points(name), luck.get(name, ()), rules.seeds[name])))
    reason = _reason([points(name) for name in ranked], advance)
    if of_one and reason == "seed":
        reason = "author"
    on = ranked[:advance]
    may_play = len(ranked) == len(members) and members in waves[-1]
    unplayed = not any(scores)  # equal only in that nothing of them counts: they have not met
    plays_on = may_play and reason == "seed" and (unplayed or len(waves) <= rules.further)
    if plays_on and not members <= end.then:  # one of them left before the further deals, so the others go on
        return _group(members, advance, waves, end._replace(here=end.here & end.then), rules)
    if end.on is not None:
        stands = tuple(name for name in ranked if name in end.on)[:advance]
        reason = reason if set(stands) == set(on) else "changed"
        return JudgedGroup(members, ranked, scores, advance, stands, reason, plays_on=False)
    return JudgedGroup(members, ranked, scores, advance, on, reason, plays_on)


def _reason(points: Sequence[tuple[float, ...]], advance: int) -> Reason:
    """The rule that decides which bots go on, given the points of the present ones, the best first."""
    if len(points) <= advance:
        return "walk-over"
    last, next_one = points[advance - 1 : advance + 1]
    if last == next_one:
        return "seed"
    return "score" if last[0] != next_one[0] else "further"
