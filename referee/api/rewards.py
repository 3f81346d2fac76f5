"""What a result is worth to each seat, for programs that learn."""

from referee.core.outcome import Outcome, Seat


def rewards_of(outcome: Outcome) -> tuple[float, ...]:
    """By seat, from -1 to 1: how many of the other sides it has beaten, less how many have beaten it, over all of them.

    A seat that belongs to no side is one by itself. If all seats are one side, a win is 1 and a loss is -1.
    """
    places = outcome.places
    if len(outcome.sides) == 1:
        return tuple(1.0 if place == 1 else -1.0 for place in places)
    sided = {seat for side in outcome.sides for seat in side.seats}
    groups = [side.seats for side in outcome.sides if side.seats]
    groups += [(seat,) for seat in range(len(places)) if seat not in sided]
    return tuple(_lead(seat, groups, places) for seat in range(len(places)))


def _lead(seat: Seat, groups: list[tuple[Seat, ...]], places: tuple[int, ...]) -> float:
    others = [places[group[0]] for group in groups if seat not in group]
    return sum((place > places[seat]) - (place < places[seat]) for place in others) / len(others)
