"""Counts cards: the cards never seen, and the cards that another player's hand may hold."""

from collections.abc import Iterable
from math import comb
from typing import NamedTuple

from referee_bot.v1 import agent_avenue_pb2 as aa

Counts = list[int]
"""How many there are of each agent, by its number (1 to 8; 0 is no agent)."""

AGENTS = range(1, 9)
COPIES = [0, 6, 6, 6, 6, 6, 6, 1, 1]


class HiddenHand(NamedTuple):
    """Another player's hand.

    Attributes:
        known: the cards that everybody saw go into it.
        cards: how many other cards it has.
        unseen: the cards that these may be, all equally likely.
    """

    known: list[int]
    cards: int
    unseen: Counts

    def chances_of_best(self, ranked: list[int]) -> list[tuple[int, float]]:
        """How likely each of the ranked agents is the first of them that is in the hand."""
        rest = total = sum(self.unseen)
        none, found = 1.0, []
        for agent in ranked:
            rest -= self.unseen[agent]
            fewer = 0.0 if agent in self.known else comb(rest, self.cards) / max(comb(total, self.cards), 1)
            found.append((agent, none - min(fewer, none)))
            none = min(fewer, none)
        return found

    def worth_of_best(self, worths: dict[int, float], otherwise: float) -> float:
        """What the best agent in the hand is worth on average; `otherwise` if none of them is in it."""
        chances = self.chances_of_best(sorted(worths, key=lambda agent: -worths[agent]))
        none = 1 - sum(chance for _, chance in chances)
        return sum(chance * worths[agent] for agent, chance in chances) + none * otherwise


def hand_of(view: aa.View, seat: int) -> HiddenHand:
    """The hand of another player."""
    known = marked(view.seats[seat])
    return HiddenHand(known, view.seats[seat].hand_count - len(known), unseen_by(view, known))


def marked(seat: aa.SeatView) -> list[int]:
    """The cards that a player is known to hold, or to have played face down just now."""
    return [mark.agent for mark in seat.marks for _ in range(mark.count) if mark.discards_since == 0]


def may_lie_face_down(view: aa.View) -> list[float]:
    """By agent, how many of the three cards that its player could choose from are of that name, as far as we know."""
    known = marked(view.seats[view.teams.face_down_seat if view.HasField("teams") else view.active_seat])
    unseen = unseen_by(view, [view.face_up], known)
    others = max(3 - len(known), 0) / max(sum(unseen), 1)
    return [known.count(agent) + others * unseen[agent] for agent in range(9)]


def unseen_by(view: aa.View, *more: Iterable[int]) -> Counts:
    """The cards that this seat has never seen, and that are not in the piles of `more`."""
    return all_but(view.hand, view.own_discards, *more, *open_piles(view))


def open_piles(view: aa.View) -> list[Iterable[int]]:
    """The open cards: those before the sides, and those out of the game."""
    return [*(side.recruited for side in view.sides), view.market.removed]


def all_but(*piles: Iterable[int]) -> Counts:
    """All cards of the game except those in the piles."""
    rest = COPIES.copy()
    for pile in piles:
        for agent in pile:
            rest[agent] -= 1
    return rest


def counts(agents: Iterable[int]) -> Counts:
    """How many there are of each agent."""
    found = [0] * 9
    for agent in agents:
        found[agent] += 1
    return found
