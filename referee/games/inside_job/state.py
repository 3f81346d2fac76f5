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
"""What the game waits for.

Luck: `roles`, `hands` and `missions` (shuffled), `leader` (drawn). The Accomplice: `partner`. The leader of a trick:
`mission`; every seat in turn: `card`. All at once: `talk`, `vote`. Nothing: `over`.
"""


class State(msgspec.Struct, frozen=True, gc=False):
    """A position, whole: the hidden parts included.

    Attributes:
        options: what was agreed.
        phase: what the game waits for.
        common: what everybody knows.
        roles: by seat; all of them, in the order before the shuffle, while that is awaited.
        hands: by seat, sorted.
        put_away: by seat, the missions that it put away as leader (IJ-11), oldest first.
        missions: what is left of the deck of missions, top first.
        looked_at: the two missions among which the leader chooses (IJ-11), sorted.
        unseen: the cards that were not dealt (IJ-02), sorted.
        played: the cards of all tricks that are over, in the order of play.
        led: who led each trick, this one included: with `played` it says who played what.
        outcome: of a game that is over.
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
    outcome: Outcome | None = None


Step: TypeAlias = tuple[State, tuple[Event, ...]]
"""A position, and what was heard on the way to it."""
