"""The sides of each game of OpenSpiel, and the places that follow from its returns."""

from collections.abc import Mapping, Sequence

from referee.core.outcome import Outcome, Side
from referee.games.openspiel.library import load_game, name_of

_OPPOSITE = (Side("a", (0, 2)), Side("b", (1, 3)))

PARTNERS: Mapping[str, tuple[Side, ...]] = {
    "bridge": _OPPOSITE,
    "euchre": _OPPOSITE,
    "spades": _OPPOSITE,
    "tiny_bridge_4p": _OPPOSITE,
}
"""The games with partners. OpenSpiel gives every partner the same return."""

COOPERATIVE = frozenset({"lewis_signaling", "trade_comm"})
"""The games in which all get the same return, although OpenSpiel does not say so. It does of Hanabi and others."""


def sides_of(game: str) -> tuple[Side, ...]:
    """The seats that win or lose together. Where that is nobody, each seat plays for itself."""
    if is_cooperative(game):
        return (Side("all", tuple(range(load_game(game).num_players()))),)
    return PARTNERS.get(name_of(game), ())


def is_cooperative(game: str) -> bool:
    """Whether all seats are one side."""
    kind = load_game(game).get_type()
    return name_of(game) in COOPERATIVE or kind.utility == type(kind).Utility.IDENTICAL


def outcome(game: str, returns: Sequence[float]) -> Outcome:
    """The outcome of a match with these returns by seat, which are kept as scores.

    All seats of a cooperative game win if they get more than 0, and else lose: so Hanabi without a point is lost.
    In another game the side with the higher mean return is ahead.
    """
    sides, seats = sides_of(game), len(returns)
    scores = tuple(int(worth) if worth.is_integer() else worth for worth in returns)
    if len(sides) == 1:
        won = returns[0] > 0
        return Outcome("won" if won else "lost", (1 if won else 2,) * seats, sides, scores)
    members = {seat: side.seats for side in sides for seat in side.seats}
    worths = [_mean([returns[other] for other in members.get(seat, (seat,))]) for seat in range(seats)]
    places = tuple(1 + sum(other > own for other in worths) for own in worths)
    return Outcome("drawn" if set(places) == {1} else "decided", places, sides, scores)


def _mean(returns: Sequence[float]) -> float:
    """Rounded, so that equal sums of unequal order tie."""
    return round(sum(returns) / len(returns), 9)
