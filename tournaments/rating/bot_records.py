"""How the bots of a league fared: in all, on each side, and in each seat.

Matches that ended alike, with the same bots in the same seats, are counted first and looked at once. In a league of
100,000 matches often only a few thousand differ.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import msgspec

from referee.core.outcome import Outcome, Seat, Side
from tournaments.league.model import Fixture, League, StoredMatch, TableSpec
from tournaments.rating.sides import Result, counting, points, result, teams, uneven

EVERYBODY = ""
"""Stands in the place of an entry for the records over all bots. No entry can have this name."""

_POINTS: dict[Result, float] = {"win": 1.0, "draw": 0.5, "loss": 0.0}


class SideRecord(msgspec.Struct, frozen=True):
    """How a side fared, over all bots or with one bot on it. Matches that a fault cut short are left out.

    Attributes:
        table: the name of the table.
        side: the name of the side.
        matches: the matches with this side, or those in which the bot had a seat on it.
        wins: how many of them the side won; nobody wins a match in which all places are equal.
        share: wins / matches.
        draws: how many of them were drawn.
        score: the mean share of the opposing sides that it came before. A tie counts half.
    """

    table: str
    side: str
    matches: int
    wins: int
    share: float
    draws: int
    score: float


class SeatRecord(msgspec.Struct, frozen=True):
    """How a seat fared, over all bots or with one bot in it. Matches that a fault cut short are left out.

    Attributes:
        table: the name of the table.
        seat: its number, from 0.
        matches: the matches at this table, or those in which the bot had the seat.
        wins: how many of them the seat won.
        share: wins / matches.
        draws: how many of them were drawn.
        score: the mean share of the opposing sides that its side came before. A tie counts half.
    """

    table: str
    seat: Seat
    matches: int
    wins: int
    share: float
    draws: int
    score: float


class CostMeans(msgspec.Struct, frozen=True):
    """What the decisions of a bot cost. None stands for what is not known.

    Attributes:
        tries: for a decision, the answers that it asked for, as its notes say.
        tokens: for a decision, the tokens that they took.
        processor_ms: the processor time of a decision, in milliseconds.
        money: what a match cost at one seat, by the prices in the league file.
    """

    tries: float | None = None
    tokens: float | None = None
    processor_ms: float | None = None
    money: float | None = None


class DecisionTotals:
    """Counts the decisions of one bot, their times, and what its notes count.

    Attributes:
        decisions: how often it was asked.
        thinking_us: how long it thought in all, in microseconds.
    """

    def __init__(self) -> None:
        self.decisions = self.thinking_us = self._tries = self._tokens = 0
        self._seats = self._measured = self._processor_us = 0

    def enter(self, match: StoredMatch, seat: Seat) -> None:
        """Enter one seat of a match."""
        self.decisions += match.decisions[seat]
        self.thinking_us += match.thinking_us[seat]
        self._seats += 1
        if match.tries:
            self._tries += match.tries[seat]
            self._tokens += match.tokens[seat]
        if match.processor_us and (used_us := match.processor_us[seat]) is not None:
            self._measured += match.decisions[seat]
            self._processor_us += used_us

    @property
    def mean_ms(self) -> float | None:
        """The mean thinking time for a decision; None before the first decision."""
        return self.thinking_us / self.decisions / 1000 if self.decisions else None

    def costs(self, league: League, bot: str) -> CostMeans:
        """What the decisions cost, if they are those of this bot."""
        noted = self.decisions if self._tries or self._tokens else 0
        money = league.cost(bot, self._tokens, self._processor_us)
        return CostMeans(
            tries=self._tries / noted if noted else None,
            tokens=self._tokens / noted if noted else None,
            processor_ms=self._processor_us / self._measured / 1000 if self._measured else None,
            money=None if money is None or not self._seats else money / self._seats,
        )


class BotRecord(msgspec.Struct, frozen=True):
    """How one bot fared in all its matches. A match counts once for each side on which it has seats.

    Attributes:
        matches: how many there are.
        wins: first places, unless the match was a draw.
        draws: matches in which all places were equal, unless all seats were one side.
        losses: all other matches.
        score: the mean share of the sides held by others that the bot's side came before. A tie counts half. Against
            the game it is 1 for a win. None before the first match against others.
        faults: matches that the bot's own fault cut short.
        mean_decision_ms: the mean thinking time for a decision; None before the first decision.
        sides: its sides, where sides differ, by table and name.
        seats: its seats, by table and number.
        mean_return: the mean of what the game counts, such as chips, over all its seats in matches that no fault cut
            short (`Outcome.scores`); None if the game counts nothing.
        costs: what its decisions cost.
    """

    matches: int
    wins: int
    draws: int
    losses: int
    score: float | None
    faults: int
    mean_decision_ms: float | None
    sides: tuple[SideRecord, ...]
    seats: tuple[SeatRecord, ...]
    mean_return: float | None = None
    costs: CostMeans = CostMeans()

    @property
    def draw_share(self) -> float | None:
        """Draws / matches; None before the first match."""
        return self.draws / self.matches if self.matches else None


class BotRecords(msgspec.Struct, frozen=True):
    """How all bots fared.

    Attributes:
        bots: by entry, also those that have not played.
        sides: the sides over all bots, where sides differ, by table and name.
        seats: the seats over all bots, by table and number.
    """

    bots: dict[str, BotRecord]
    sides: tuple[SideRecord, ...]
    seats: tuple[SeatRecord, ...]


def records(league: League, matches: Sequence[tuple[Fixture, StoredMatch]]) -> BotRecords:
    """How the bots of a league fared. The matches are those that count; here, those of one author's entries do not."""
    books = _RecordBuilder(league)
    played: Counter[_Key] = Counter()
    for fixture, match in counting(matches, league.authors):
        outcome = match.outcome
        if match.faults:
            books.enter_fault(match)
        else:
            played[fixture.table, outcome.places, outcome.sides, match.entries] += 1
            books.enter_returns(match)
        books.enter_decisions(match)
    for (table, places, sides, entries), times in played.items():
        books.enter(table, places, sides, entries, times)
    return books.records()


_Key: TypeAlias = tuple[str, tuple[int, ...], tuple[Side, ...], tuple[str, ...]]


class _Part(NamedTuple):
    """One side of a match, as it fared.

    Attributes:
        name: of the side, if sides differ.
        seats: that belong to it.
        result: win, draw or loss.
        against: the points against each other side, with the seats of that side.
        points: the mean of these; against the game, the points against the game.
    """

    name: str | None
    seats: tuple[Seat, ...]
    result: Result
    against: tuple[tuple[tuple[Seat, ...], float], ...]
    points: float


def _parts(table: TableSpec, places: tuple[int, ...], sides: tuple[Side, ...]) -> tuple[_Part, ...]:
    """The sides of a match that no fault cut short."""
    outcome = Outcome("", places, sides)
    names = [side.name for side in sides] if uneven(table, outcome) else None
    every = teams(outcome)
    parts = []
    for at, seats in enumerate(every):
        own_result = result(outcome, seats[0])
        against = tuple((other, points(places[seats[0]], places[other[0]])) for other in every if other != seats)
        mean = sum(each for _, each in against) / len(against) if against else _POINTS[own_result]
        parts.append(_Part(names[at] if names else None, seats, own_result, against, mean))
    return tuple(parts)


class _ResultCount:
    """The counts of a bot, a side or a seat."""

    __slots__ = ("draws", "losses", "matches", "points", "scored", "wins")

    def __init__(self) -> None:
        self.matches = self.wins = self.draws = self.losses = self.scored = 0
        self.points = 0.0

    def enter(self, own_result: Result, points: float | None, times: int) -> None:
        """Count so many matches with this result. No points: it had no opponent but itself."""
        self.matches += times
        if own_result == "win":
            self.wins += times
        elif own_result == "draw":
            self.draws += times
        else:
            self.losses += times
        if points is not None:
            self.points += points * times
            self.scored += times

    def shares(self) -> tuple[int, int, float, int, float]:
        """Matches, wins, share of wins, draws, and mean points; of a side or seat, which always has opponents."""
        return self.matches, self.wins, self.wins / self.matches, self.draws, self.points / self.matches


class _RecordBuilder:
    """The accounts of a league."""

    def __init__(self, league: League) -> None:
        self._league = league
        self._names = [entry.name for entry in league.entries]
        self._tables = {table.name: table for table in league.tables}
        self._part_cache: dict[tuple[object, ...], tuple[_Part, ...]] = {}
        self._bots: defaultdict[str, _ResultCount] = defaultdict(_ResultCount)
        self._sides: defaultdict[tuple[str, str, str], _ResultCount] = defaultdict(_ResultCount)
        self._seats: defaultdict[tuple[str, str, Seat], _ResultCount] = defaultdict(_ResultCount)
        self._faults: Counter[str] = Counter()
        self._decisions: defaultdict[str, DecisionTotals] = defaultdict(DecisionTotals)
        self._returns: defaultdict[str, float] = defaultdict(float)
        self._returned: Counter[str] = Counter()

    def enter(
        self, table: str, places: tuple[int, ...], sides: tuple[Side, ...], entries: tuple[str, ...], times: int
    ) -> None:
        """Enter matches that ended alike, with the same bots in the same seats."""
        parts = self._part_cache.get((table, places, sides))
        if parts is None:
            parts = self._part_cache[table, places, sides] = _parts(self._tables[table], places, sides)
        for part in parts:
            holders = dict.fromkeys(entries[seat] for seat in part.seats)
            for name in holders:
                self._bots[name].enter(part.result, _own_points(part, name, entries), times)
            if part.name is not None:
                for who in (EVERYBODY, *holders):
                    self._sides[who, table, part.name].enter(part.result, part.points, times)
            for seat in part.seats:
                for who in (EVERYBODY, entries[seat]):
                    self._seats[who, table, seat].enter(part.result, part.points, times)

    def enter_fault(self, match: StoredMatch) -> None:
        """Enter a match that a fault cut short. Without sides it counts once for every bot.

        Of several seats on a side the one with the worst place decides.
        """
        outcome = match.outcome
        failed = {fault.seat for fault in match.faults}
        every = teams(outcome) if outcome.sides else (tuple(range(len(match.entries))),)
        for seats in every:
            for name in dict.fromkeys(match.entries[seat] for seat in seats):
                own = [seat for seat in seats if match.entries[seat] == name]
                own_result = result(outcome, max(own, key=outcome.places.__getitem__))
                self._bots[name].enter(own_result, _POINTS[own_result], 1)
                self._faults[name] += not failed.isdisjoint(own)

    def enter_returns(self, match: StoredMatch) -> None:
        """Enter what the game counted for the bots of a match, if it counts something."""
        for name, counted in zip(match.entries, match.outcome.scores or (), strict=False):
            self._returns[name] += counted
            self._returned[name] += 1

    def enter_decisions(self, match: StoredMatch) -> None:
        """Enter how often the bots of a match were asked, how long they thought, and what their notes count."""
        for seat, name in enumerate(match.entries):
            self._decisions[name].enter(match, seat)

    def records(self) -> BotRecords:
        """Everything that was entered."""
        sides: defaultdict[str, list[SideRecord]] = defaultdict(list)
        for (who, table, side), account in sorted(self._sides.items(), key=_by_key):
            sides[who].append(SideRecord(table, side, *account.shares()))
        seats: defaultdict[str, list[SeatRecord]] = defaultdict(list)
        for (who, table, seat), account in sorted(self._seats.items(), key=_by_key):
            seats[who].append(SeatRecord(table, seat, *account.shares()))
        return BotRecords(
            bots={name: self._record(name, tuple(sides[name]), tuple(seats[name])) for name in self._names},
            sides=tuple(sides[EVERYBODY]),
            seats=tuple(seats[EVERYBODY]),
        )

    def _record(self, name: str, sides: tuple[SideRecord, ...], seats: tuple[SeatRecord, ...]) -> BotRecord:
        account = self._bots[name]
        return BotRecord(
            matches=account.matches,
            wins=account.wins,
            draws=account.draws,
            losses=account.losses,
            score=account.points / account.scored if account.scored else None,
            faults=self._faults[name],
            mean_decision_ms=self._decisions[name].mean_ms,
            sides=sides,
            seats=seats,
            mean_return=self._returns[name] / self._returned[name] if self._returned[name] else None,
            costs=self._decisions[name].costs(self._league, name),
        )


def _own_points(part: _Part, name: str, entries: tuple[str, ...]) -> float | None:
    """The points of a bot on this side: against the sides on which others have seats. None if there are none."""
    held = [each for seats, each in part.against if any(entries[seat] != name for seat in seats)]
    if len(held) == len(part.against):
        return part.points
    return sum(held) / len(held) if held else None


def _by_key(item: tuple[tuple[str, str, Any], object]) -> tuple[str, str, Any]:
    return item[0]
