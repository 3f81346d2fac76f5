"""The sides of matches: which seats play together, how they fared, and how many of the others each beat (its share)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import Literal, TypeAlias

from referee.core.outcome import Outcome, Seat
from tournaments.league.model import Fixture, League, StoredMatch, TableSpec

_Match: TypeAlias = tuple[Fixture, StoredMatch]

Result: TypeAlias = Literal["win", "draw", "loss"]


def teams(outcome: Outcome) -> tuple[tuple[Seat, ...], ...]:
    """The seats that won or lost together: those of each side, or each seat alone where there are no sides."""
    return tuple(side.seats for side in outcome.sides) or alone(len(outcome.places))


def alone(seats: int) -> tuple[tuple[Seat, ...], ...]:
    """Each seat as a team of its own."""
    return tuple((seat,) for seat in range(seats))


def uneven(table: TableSpec, outcome: Outcome) -> bool:
    """Whether one side of a match can have better chances than another, with equal bots on both.

    It can if the sides differ in size. It also can if the sides were dealt, as they then differ in their roles.
    """
    dealt = bool(outcome.sides) and not table.sides
    return dealt or len({len(side.seats) for side in outcome.sides}) > 1


def together(outcome: Outcome) -> bool:
    """Whether all seats were one side and played against the game."""
    return len(outcome.sides) == 1


def versus(league: League) -> bool:
    """Whether bots play against each other at any table, and not only against the game."""
    return any(len(table.sides) != 1 for table in league.tables)


def result(outcome: Outcome, seat: Seat) -> Result:
    """`win`, `draw` or `loss`: a draw if all places are equal, unless all seats were one side; place 1 wins."""
    if len(set(outcome.places)) == 1 and not together(outcome):
        return "draw"
    return "win" if outcome.places[seat] == 1 else "loss"


def points(place: int, other: int) -> float:
    """The points of a side at one place against a side at another: 1 if it came before, 1/2 for a tie."""
    return 0.5 if place == other else float(place < other)


def score(outcome: Outcome, entries: Sequence[str], bot: str) -> float:
    """The fraction of opposing sides that a bot beat, from 0 to 1. A tie with a side counts half.

    A bot with several seats gets the mean over them. Sides that only the bot itself holds are no opponents, and a seat
    without opponents is left out. So if two bots share a side, they get the same for it.

    If all seats are one side, the share is 1 if the match was won, else 0.

    Places are compared seat by seat. They differ within a side only if a fault cut the match short.

    `entries` are by seat. At least two of them differ, unless all seats are one side.
    """
    own = [seat for seat, entry in enumerate(entries) if entry == bot]
    if together(outcome):
        return fmean(outcome.places[seat] == 1 for seat in own)
    return fmean(fmean(got) for seat in own if (got := list(_points(outcome, entries, seat))))


def shares(outcome: Outcome, entries: Sequence[str], authors: Mapping[str, str]) -> dict[str, float]:
    """The score of each bot, as `score` has it, but against the bots of other authors alone.

    Bots that met no such bot are missing. `authors` are by entry; entries without an author have none in common.
    """
    owners = owners_of(entries, authors)
    if together(outcome) or owners == tuple(entries):
        return {bot: score(outcome, entries, bot) for bot in dict.fromkeys(entries)}
    found: dict[str, list[float]] = {}
    for seat, bot in enumerate(entries):
        if got := list(_points(outcome, owners, seat)):
            found.setdefault(bot, []).append(fmean(got))
    return {bot: fmean(got) for bot, got in found.items()}


def owners_of(entries: Sequence[str], authors: Mapping[str, str]) -> Sequence[str]:
    """By seat, the author of an entry, or the entry itself if it has none. Only names of entries have an `@`."""
    return tuple(authors.get(entry, entry) for entry in entries)


def is_left_out(outcome: Outcome, entries: Sequence[str], authors: Mapping[str, str]) -> bool:
    """Whether two entries of one author have seats that are opposed. Partners are not, nor are all against the game."""
    owners = owners_of(entries, authors)
    opposed = ((a, b) for one, other in combinations(teams(outcome), 2) for a in one for b in other)
    return len(set(owners)) < len(set(entries)) and any(
        owners[a] == owners[b] and entries[a] != entries[b] for a, b in opposed
    )


def counting(matches: Iterable[_Match], authors: Mapping[str, str]) -> list[_Match]:
    """The matches that count for ratings, in the same order."""
    return [each for each in matches if not (authors and is_left_out(each[1].outcome, each[1].entries, authors))]


def _points(outcome: Outcome, entries: Sequence[str], seat: Seat) -> Iterator[float]:
    """The points of a seat against each opposing side that another bot holds, alone or together with this one."""
    for side in teams(outcome):
        rivals = [rival for rival in side if entries[rival] != entries[seat]]
        if rivals and seat not in side:
            yield fmean(points(outcome.places[seat], outcome.places[rival]) for rival in rivals)
