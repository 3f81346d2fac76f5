"""The states of a submission. The work of a state is stored with the next one, so a crash leaves the state before."""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from referee.core.errors import WrongUse

State: TypeAlias = Literal[
    "received", "building", "checking", "entered", "rejected", "withdrawn", "disabled", "deleted"
]
"""Where a submission stands. `entered` means on the roster of the league."""

Event: TypeAlias = Literal["build", "check", "enter", "reject", "withdraw", "disable", "recheck", "delete"]
"""What happens to a submission."""

TABLE: Final[Mapping[State, Mapping[Event, State]]] = {
    "received": {"build": "building", "reject": "rejected"},
    "building": {"build": "building", "check": "checking", "reject": "rejected"},
    "checking": {"check": "checking", "enter": "entered", "reject": "rejected"},
    # A bot on the roster stays there while it is checked again. If it fails, the organizer's hand takes it out.
    # When the league is over, nobody leaves it any more, and the files may go all the same.
    "entered": {"withdraw": "withdrawn", "disable": "disabled", "delete": "deleted"},
    "rejected": {"recheck": "building", "delete": "deleted"},
    "withdrawn": {"recheck": "building", "disable": "disabled", "delete": "deleted"},
    "disabled": {"recheck": "building", "delete": "deleted"},
    # The archive is gone. The same files may be submitted again, as a new submission.
    "deleted": {},
}
"""By state, what may happen in it, and the state after that."""

UNDER_WAY: Final = frozenset[State]({"received", "building", "checking"})
"""The states in which something remains to be done. Any process may continue a submission in one of them."""


class NotNow(WrongUse):
    """In the state in which a submission is, this cannot happen to it."""


def after(state: State, event: Event) -> State:
    """The state after an event.

    Raises:
        NotNow: it cannot happen in this state.
    """
    if event not in TABLE[state]:
        possible = ", ".join(TABLE[state]) or "nothing any more"
        raise NotNow(f"this submission is {state}, so there is no {event} now; possible: {possible}")
    return TABLE[state][event]
