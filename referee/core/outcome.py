"""How a match ended."""

from collections.abc import Iterator

import msgspec

Seat = int
"""A place at the table, counted from 0."""


class Side(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """Seats that win or lose together."""

    name: str
    seats: tuple[Seat, ...]


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """The result of a match.

    Attributes:
        ending: one of the game's endings, or `FAULT`.
        places: by seat, 1 is best; equal places are a tie or a shared win. [1, 2, 2]: one wins, two lose equally. If
            all seats are one side, they play against the game: all 1 is a win, all 2 a loss.
        sides: the sides as they turned out, roles included.
        scores: by seat, if the game counts something; never used to rank. Whole numbers are `int`. None is beyond
            2**53 on either side of 0, so no sum overflows.
    """

    ending: str
    places: tuple[int, ...]
    sides: tuple[Side, ...]
    scores: tuple[int | float, ...] | None = None


FAULT = "fault"
"""The ending of a match that a bot's fault cut short. No game may use this name for an ending of its own."""


def faulted(sides: tuple[Side, ...], seats: int, offenders: frozenset[Seat]) -> Outcome:
    """The outcome when `offenders` cut the match short: they share the last place.

    In a two-sided match the offender's whole side is last; with offenders on both sides, all places are equal. If all
    seats are one side, it has lost.
    """
    if len(sides) == 1:
        return Outcome(ending=FAULT, places=(2,) * seats, sides=sides)
    last = set(offenders)
    if len(sides) == 2:
        last = {seat for side in sides if offenders.intersection(side.seats) for seat in side.seats}
    innocent = seats - len(last)
    places = tuple(innocent + 1 if seat in last else 1 for seat in range(seats))
    return Outcome(ending=FAULT, places=places, sides=sides)


def misfits(outcome: Outcome, seats: int, endings: tuple[str, ...]) -> Iterator[str]:
    """In words, why this cannot be the outcome of a match of so many seats, by the rules."""
    places, scores = outcome.places, outcome.scores
    if outcome.ending == FAULT or outcome.ending not in endings:
        yield f"the ending {outcome.ending!r} is not among the game's endings"
    if len(places) != seats:
        yield f"there are {len(places)} places for {seats} seats"
    elif len(outcome.sides) == 1:
        if set(places) not in ({1}, {2}):
            yield f"all seats are one side, so all places must be 1 or all 2, not {places}"
    elif any(place != 1 + sum(other < place for other in places) for place in places):
        yield f"the places {places} leave gaps: a place is 1 and the number of seats before it"
    if any(len({places[seat] for seat in side.seats}) != 1 for side in outcome.sides):
        yield f"the seats of a side have different places: {places}"
    if scores is not None and len(scores) != seats:
        yield f"there are {len(scores)} scores for {seats} seats"
    elif not all(abs(score) <= 2**53 for score in scores or ()):  # NaN is not, either
        yield f"the scores {scores} are not all numbers from -2**53 to 2**53"


def first_places(outcome: Outcome) -> tuple[float, ...]:
    """By seat, 1 if it is first, alone or with others, otherwise 0."""
    return tuple([float(place == 1) for place in outcome.places])


def rewards(outcome: Outcome) -> tuple[float, ...]:
    """What the result is worth to each seat.

    Between sides: for each other side 1 if it is beaten, -1 if it is ahead, 0 if it is level, divided by the number of
    other sides. Every seat gets what its side gets, and the sides' rewards add up to 0. If all seats are one side: its
    score, or without scores 1 for a win and 0 for a loss.
    """
    places, seats = outcome.places, range(len(outcome.places))
    if len(outcome.sides) == 1:
        return tuple(map(float, outcome.scores or first_places(outcome)))
    sides = [side.seats for side in outcome.sides if side.seats] or [(seat,) for seat in seats]
    ranks = [places[members[0]] for members in sides]
    worth = {
        seat: sum((other > own) - (other < own) for other in ranks) / (len(sides) - 1)
        for own, members in zip(ranks, sides, strict=True)
        for seat in members
    }
    return tuple(worth[seat] for seat in seats)
