"""The position: what everybody knows, and what is hidden."""

from typing import Literal, TypeAlias

import msgspec

from referee.core.outcome import Outcome, Seat
from referee.games.inside_job.common import Common
from referee.games.inside_job.missions import MissionIds
from referee.games.inside_job.moves import Event
from referee.games.inside_job.options import Options
from referee.games.inside_job.pieces import Cards
from referee.games.inside_job.role import RoleId

Phase: TypeAlias = Literal["roles", "hands", "missions", "partner", "leader", "mission", "card", "talk", "vote", "over"]
"""The next decision or draw of luck.

Luck: `roles`, `hands` and `missions` (shuffled), `leader` (drawn). The Accomplice: `partner`. The leader of a trick:
`mission`; every seat in turn: `card`. All at once: `talk`, `vote`. Nothing: `over`.
"""


class State(msgspec.Struct, frozen=True, gc=False):
    """A position, whole: the hidden parts included.

    Attributes:
        options: what was agreed before the game.
        phase: what the game waits for.
        common: what everybody knows.
        roles: the role of each seat; before the shuffle, all roles in their original order.
        hands: the hand of each seat, sorted.
        put_away: by seat, the missions that it put away as leader (IJ-11), oldest first.
        missions: the rest of the deck of missions, top first.
        looked_at: the two missions between which the leader chooses (IJ-11), sorted.
        unseen: the cards that were not dealt (IJ-02), sorted.
        played: the cards of all finished tricks, in the order of play.
        led: the leader of each trick, this one included; together with `played` it says which seat played which card.
        chosen: the mission of each trick; together with `led` it says which seat put which mission away for it.
        outcome: the outcome, once the game is over.
    """

    options: Options
    phase: Phase
    common: Common
    roles: tuple[RoleId, ...]
    hands: tuple[Cards, ...]
    put_away: tuple[MissionIds, ...]
    missions: MissionIds
    looked_at: MissionIds = ()
    unseen: Cards = ()
    played: Cards = ()
    led: tuple[Seat, ...] = ()
    chosen: MissionIds = ()
    outcome: Outcome | None = None


Step: TypeAlias = tuple[State, tuple[Event, ...]]
"""A position, and the events on the way to it."""
