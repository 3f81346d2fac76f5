"""What another process of this bot saw when it sat at the other seat of the same deal, and left somewhere for this one.

`memory` keeps words in one of the places where a bot can leave a trace. Until a bot knows something it plays as greedy
does, at both seats. So the first two turns of a deal are the same in both matches, and by them it recognizes the deal.
"""

from collections import Counter
from itertools import count, takewhile

from memory import has, put
from referee_bot.v1 import agent_avenue_pb2 as aa
from referee_bot.v1 import bot_pb2 as pb

_TURNS = 30
_MOST = 6


class Knowledge:
    """What is known of the deal of a match."""

    def __init__(self, start: pb.MatchStart) -> None:
        """Nothing is known before the third turn."""
        self._seat = start.seat
        self._face_up: list[int] = []
        self._deal = ""
        self._noted = ""
        self._candidates: list[str] = []

    def see(self, view: aa.View) -> None:
        """Recognize the deal, and look for a match at the other seat in which the other process did not lose."""
        if view.active_seat != view.seat and view.turn < 3:
            self._face_up.append(view.face_up)
        if self._deal or view.turn < 3:
            return
        recruited = (agent for side in view.sides for agent in (*side.recruited, "and"))
        self._deal = "-".join(map(str, (view.active_seat, *recruited, *sorted(self._face_up))))
        other = (f"{self._deal}:{1 - self._seat}:{number}" for number in count())
        self._candidates = list(takewhile(has, other))
        own = (f"{self._deal}:{self._seat}:{number}" for number in count())
        self._noted = next(word for word in own if not has(word))
        put(self._noted)

    def play(self, face_up: int) -> None:
        """Take note of a card that this seat laid face up."""
        if not self._deal:
            self._face_up.append(face_up)

    def drawn_by_the_opponent(self, turn: int, laid: Counter[int]) -> Counter[int] | None:
        """What it had drawn when its turn of this number began, as it has laid these cards; None if not known."""
        found = [self._drawn(match, turn) for match in self._candidates if not _was_behind(match)]
        fitting = [drawn for drawn in found if drawn and not laid - drawn]
        return fitting[0] if len(fitting) == 1 else None

    def note(self, turn: int, drawn: Counter[int], lead: int) -> None:
        """Leave what this seat had drawn when its own turn began, and who was ahead."""
        if self._noted:
            put(f"{self._noted}:{turn}:{'behind' if lead < 0 else 'ahead'}")
            for agent, copies in drawn.items():
                put(f"{self._noted}:{turn}:{agent}:{copies}")

    def _drawn(self, match: str, turn: int) -> Counter[int]:
        known = ((agent, copies) for agent in range(1, 9) for copies in range(1, _MOST + 1))
        return Counter({agent: copies for agent, copies in known if has(f"{match}:{turn}:{agent}:{copies}")})


def _was_behind(match: str) -> bool:
    """Whether the other process lost. Then this seat wins by playing as greedy does."""
    last = next((turn for turn in range(_TURNS, 0, -1) for word in _ends(match, turn) if has(word)), 0)
    return has(f"{match}:{last}:behind")


def _ends(match: str, turn: int) -> tuple[str, str]:
    return f"{match}:{turn}:ahead", f"{match}:{turn}:behind"
