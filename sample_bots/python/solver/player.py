"""Plays Agent Avenue for two, and solves each turn as a game of hidden hands.

`turn.py` solves a turn. What follows from it, `values.py` says; in the advanced mode, `market.py` does. Most decisions
have no single best action: a player that others can foresee loses. So the player draws its choices. At the market it
takes what is best.
"""

from collections.abc import Sequence
from random import Random

import numpy as np
from hands import HAND_SIZE, Indices, Numbers, counts_of, drawn, hands
from market import wins, worths
from position import DISCARDS, Position, Side
from referee_bot.v1 import agent_avenue_pb2 as aa
from referee_bot.v1 import bot_pb2 as pb
from turn import Solution, best_discard, solve, solve_position
from values import read

AT_THE_MARKET = {"take", "choose", "recruit_again"}
VALUES = read()
hands(HAND_SIZE + 1)  # lists all hands before the first clock runs: the market may bring one card more


class Player:
    """One match. It draws from the seed. Of the match it keeps nothing but the last solution, to save time."""

    def __init__(self, start: pb.MatchStart) -> None:
        self._rng = Random(start.seed)
        self._solved: tuple[Position, bytes, bytes, Solution] | None = None

    def choose(self, decision: pb.Decision) -> int:
        """The index of the chosen action in `decision.legal`."""
        return drawn(self.chances(decision), self._rng.random())

    def chances(self, decision: pb.Decision) -> Numbers:
        """How likely it chooses each of the actions in `decision.legal`."""
        view = aa.View.FromString(decision.view)
        actions = [aa.Action.FromString(action) for action in decision.legal]
        if actions[0].WhichOneof("body") in AT_THE_MARKET:
            found = worths(view, actions)
            return np.array([float(index == found.index(max(found))) for index in range(len(actions))])
        return self._recruit(view, actions) if view.face_up else self._play(view, actions)

    def _recruit(self, view: aa.View, actions: Sequence[aa.Action]) -> Numbers:
        known = counts_of([*view.hand, *view.own_discards])
        taking = self._solution(view, position_of(view), known).taking[view.face_up - 1]
        return np.array([taking if action.recruit.slot == aa.SLOT_FACE_UP else 1 - taking for action in actions])

    def _play(self, view: aa.View, actions: Sequence[aa.Action]) -> Numbers:
        position, hand = position_of(view), counts_of(view.hand)
        solution = self._solution(view, position)
        if position.may_discard:
            agent = best_discard(solution, hand, position.pool - hand - counts_of(view.own_discards))
            if agent is not None:
                return np.array([float(action.discard.agent == agent + 1) for action in actions])
        own = hands(len(view.hand))
        chances = own.by_play(solution.plays, own.index(hand))
        return np.array([chances.get((action.play.face_up - 1, action.play.face_down - 1), 0.0) for action in actions])

    def _solution(self, view: aa.View, position: Position, observer: Indices | None = None) -> Solution:
        market = b"".join(part.SerializeToString() for part in (*view.sides, view.market))
        key = (position, market, b"" if observer is None else observer.tobytes())
        if self._solved is None or self._solved[:3] != key:
            self._solved = (*key, _solve(view, position, observer))
        return self._solved[3]


def _solve(view: aa.View, position: Position, observer: Indices | None) -> Solution:
    if view.HasField("market"):
        return solve(position, wins(view), np.zeros(len(hands(position.own.cards - 2))), observer)
    return solve_position(VALUES, position, observer)


def position_of(view: aa.View) -> Position:
    """The position before the play, as the active side sees it. While the other side recruits, both have drawn."""
    active = view.active_seat
    own, other = (_side(view, side) for side in (active, 1 - active))
    lead = view.sides[active].progress - view.sides[1 - active].progress
    gone = tuple(counts_of(view.market.removed).tolist())
    if not view.face_up:
        return Position(lead, own, other, view.deck_count, gone)
    # Hands have four cards as long as there is a deck. So the other side has drawn nothing. In the advanced mode the
    # active side may have had five. Then it drew one card less, and this position has one card more in the deck.
    cards = min(own.cards + 2, HAND_SIZE)
    return Position(lead, own._replace(cards=cards), other, view.deck_count + own.cards + 2 - cards, gone)


def _side(view: aa.View, side: int) -> Side:
    seat = view.seats[side]
    return Side(tuple(counts_of(view.sides[side].recruited).tolist()), seat.hand_count, DISCARDS - seat.discard_count)
