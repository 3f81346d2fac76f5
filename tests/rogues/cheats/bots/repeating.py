"""A player that repeats what won when it met the deal before, and plays in another way if it lost.

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
        self._decisions += bool(self._deal)
        # In its first way it plays as greedy does. In every other it makes one decision otherwise, each time another.
        return (index + 1) % len(decision.legal) if self._deal and self._decisions == self._way else index

    def end(self, end: pb.MatchEnd) -> None:
        """Remember that this way lost."""
        if self._deal and end.places[self._seat] > 1:
            put(f"{self._deal}:{self._way}")
