"""The share of a bot in a match: how many of the opposing sides it beat."""

from collections.abc import Iterator, Sequence
from statistics import fmean

from referee.core.outcome import Outcome, Seat
from tournaments.rating.sides import points, teams, together


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


def _points(outcome: Outcome, entries: Sequence[str], seat: Seat) -> Iterator[float]:
    """The points of a seat against each opposing side that another bot holds, alone or together with this one."""
    for side in teams(outcome):
        rivals = [rival for rival in side if entries[rival] != entries[seat]]
        if rivals and seat not in side:
            yield fmean(points(outcome.places[seat], outcome.places[rival]) for rival in rivals)
