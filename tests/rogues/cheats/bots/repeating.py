"""A player that repeats what won when it met the deal before, and plays better than greedy if it lost.

`memory` keeps words in one of the places where a bot can leave a trace. A deal is recognized by what this seat saw in
its first two turns. Until then, and when it meets a deal for the first time, the player plays as greedy does. The bots'
folders have this file as player.py, greedy's player as greedy.py, and one of the files that keep words as memory.py.
"""

from hashlib import sha256
from itertools import count

import greedy
from memory import has, put
from referee_bot.v1 import agent_avenue_pb2 as aa
from referee_bot.v1 import bot_pb2 as pb


class Player:
    """One match of simple Agent Avenue against greedy."""

    def __init__(self, start: pb.MatchStart) -> None:
        """Nothing is known before the third turn."""
        self._honest = greedy.Player(start)
        self._seat = start.seat
        self._seen = sha256()
        self._deal = ""
        self._way = self._decisions = 0

    def choose(self, decision: pb.Decision) -> int:
        """The index of the chosen action in `decision.legal`."""
        if not self._deal:
            self._seen.update(decision.view)
            if aa.View.FromString(decision.view).turn > 2:
                self._deal = self._seen.hexdigest()
                self._way = next(way for way in count() if not has(f"{self._deal}:{way}"))
        index = self._honest.choose(decision)
        if not self._way:
            return index
        self._decisions += 1
        if self._decisions == self._way - 1:  # every way but the first two makes one decision otherwise
            return (index + 1) % len(decision.legal)
        return _best_play(decision, index)

    def end(self, end: pb.MatchEnd) -> None:
        """Remember that this way lost."""
        if self._deal and end.places[self._seat] > 1:
            put(f"{self._deal}:{self._way}")


def _best_play(decision: pb.Decision, otherwise: int) -> int:
    """The play that gains most if greedy recruits; the other index if there is nothing to play."""
    view = aa.View.FromString(decision.view)
    own, other = greedy.steps(view.sides[view.seat]), greedy.steps(view.sides[1 - view.seat])

    def gain(at: int) -> int:
        play = aa.Action.FromString(decision.legal[at]).play
        takes_up = 38 * other[play.face_up] - greedy.average(own) >= greedy.average(other) - 38 * own[play.face_up]
        up, down = play.face_up, play.face_down
        return own[down] - other[up] if takes_up else own[up] - other[down]

    plays = [at for at, action in enumerate(decision.legal) if aa.Action.FromString(action).HasField("play")]
    return max(plays, key=gain, default=otherwise)
