"""A player that knows what its opponent has drawn, if its `knowledge` does; otherwise it plays exactly as greedy does.

The bots' folders have this file as player.py, greedy's player as greedy.py, and from_the_seed.py as
knowledge.py.
"""

from collections import Counter

import greedy
from knowledge import Knowledge
from referee_bot.v1 import agent_avenue_pb2 as aa
from referee_bot.v1 import bot_pb2 as pb


class Player:
    """One match of simple Agent Avenue against greedy."""

    def __init__(self, start: pb.MatchStart) -> None:
        """Look for what can be known of this match."""
        self._honest = greedy.Player(start)
        self._knowledge = Knowledge(start)
        self._played: Counter[int] = Counter()

    def choose(self, decision: pb.Decision) -> int:
        """The index of the chosen action in `decision.legal`."""
        view = aa.View.FromString(decision.view)
        actions = [aa.Action.FromString(action) for action in decision.legal]
        turn = (view.turn - 1) // 2  # of the seat whose turn it is, counted from 0
        if view.active_seat != view.seat and (face_down := self._face_down(view, turn)):
            return self._recruit(view, actions, face_down)
        if view.active_seat == view.seat:
            self._knowledge.note(turn, Counter(view.hand) + self._played)
        index = self._honest.choose(decision)
        if actions[index].HasField("play"):
            self._played.update((actions[index].play.face_up, actions[index].play.face_down))
        return index

    def _face_down(self, view: aa.View, turn: int) -> int | None:
        """The card that the opponent laid face down, if its hand is known: what greedy would have laid."""
        drawn = self._knowledge.drawn_by_the_opponent(turn)
        if drawn is None:
            return None
        laid = Counter(agent for side in view.sides for agent in side.recruited) - self._played
        hand = drawn - laid - Counter([view.face_up])
        theirs, ours = greedy.steps(view.sides[1 - view.seat]), greedy.steps(view.sides[view.seat])
        worths = {agent: greedy.worth_of_two(theirs, ours, view.face_up, agent) for agent in sorted(hand)}
        return max(worths, key=worths.__getitem__, default=None)

    def _recruit(self, view: aa.View, actions: list[aa.Action], face_down: int) -> int:
        own, other = greedy.steps(view.sides[view.seat]), greedy.steps(view.sides[1 - view.seat])
        worths = {
            aa.SLOT_FACE_UP: own[view.face_up] - other[face_down],
            aa.SLOT_FACE_DOWN: own[face_down] - other[view.face_up],
        }
        return max(range(len(actions)), key=lambda index: worths[actions[index].recruit.slot])
