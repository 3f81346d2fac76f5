"""The parts of a role: its objective, and its differences from a plain agent."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

import msgspec

from referee.core.outcome import Seat
from referee.games.inside_job.common import Common
from referee.games.inside_job.ending import WINNERS, Camp, Ending
from referee.games.inside_job.missions import MissionIds
from referee.games.inside_job.moves import VOTES, Action, Collected, Event

RoleId: TypeAlias = str
"""The name of a role outside `roles`."""


class Turn(msgspec.Struct, frozen=True, gc=False):
    """The result of a step after a trick: what is open now, the events of the step, and whether the game is over."""

    common: Common
    events: tuple[Event, ...] = ()
    ending: Ending | None = None


class Final(msgspec.Struct, frozen=True):
    """The part of a finished game that the objectives of roles look at.

    Attributes:
        ending: how the game ended.
        roles: the role of each seat.
        common: what everybody knew at the end.
    """

    ending: Ending
    roles: tuple["Role", ...]
    common: Common


def change_tokens(common: Common, seat: Seat, tokens: int) -> Common:
    """Give the seat this many tokens from the supply. A number below 0 moves tokens from the seat to the supply."""
    seats = list(common.seats)
    seats[seat] = msgspec.structs.replace(seats[seat], tokens=seats[seat].tokens + tokens)
    return msgspec.structs.replace(common, seats=tuple(seats), supply=common.supply - tokens)


def collect(common: Common, seat: Seat, wagered: int) -> Turn:
    """The winner of a trick takes one token from the supply and the tokens on the cards (IJ-15).

    The tokens on cards went into the supply before, so all of them are taken from there.
    """
    return Turn(change_tokens(common, seat, 1 + wagered), (Collected(seat, wagered),))


def one_ballot(candidates: tuple[Seat, ...], revealed: bool) -> tuple[Action, ...]:  # noqa: ARG001  # the same then
    """A ballot for one of the candidates; without candidates, only abstaining (IJ-20)."""
    return tuple(VOTES[(seat,)] for seat in candidates) or (VOTES[()],)


class Role(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """A role. Whatever is left out is as for a plain agent. A role is equal to itself only.

    Attributes:
        id: the name that the rest of the code uses.
        name: the name for people.
        camp: the camp that it wins with; None for neutrals.
        camp_when_revealed: the camp that it wins with once tokens have revealed it, if that is another one.
        objective: for neutrals: whether this seat has won.
        is_insider: whether it is dealt in place of the Insider instead of an agent.
        open_from_start: whether it is shown to everybody after the deal.
        chooses_partner: whether it looks at a role before the first leader is drawn.
        starting_tokens: the tokens that it holds after the deal.
        missions: the missions that it adds to the deck.
        must_follow: whether it must follow suit.
        reveals_at: by number of players, how many tokens make any seat reveal its role, instead of the usual number.
        collect: what it gets for winning a trick, given the tokens that were wagered.
        test_tokens: the ending, if any, that its number of tokens causes after a trick.
        when_revealed: what happens when tokens reveal it.
        test_as_insider: the ending, if any, that it causes in the step of the Insider's win.
        votes: whether it has a vote.
        votes_when_revealed: whether it keeps the vote after tokens have revealed it.
        silences_open_roles: whether no seat with an open role has a vote.
        ballots: its possible ballots, given the candidates, and whether tokens have revealed it.
        judge_vote: the ending if its own rule decides the vote, given the top, its seat and the Insider's.
    """

    id: RoleId
    name: str
    camp: Camp | None = Camp.AGENTS
    camp_when_revealed: Camp | None = None
    objective: Callable[[Final, Seat], bool] | None = None
    is_insider: bool = False
    open_from_start: bool = False
    chooses_partner: bool = False
    starting_tokens: int = 1
    missions: MissionIds = ()
    must_follow: bool = True
    reveals_at: Mapping[int, int] | None = None
    collect: Callable[[Common, Seat, int], Turn] = collect
    test_tokens: Callable[[int], Ending | None] | None = None
    when_revealed: Callable[[Common, Seat], Turn] = lambda common, _: Turn(common)
    test_as_insider: Callable[[Common, Seat], Ending | None] = lambda _common, _seat: None
    votes: bool = True
    votes_when_revealed: bool = True
    silences_open_roles: bool = False
    ballots: Callable[[tuple[Seat, ...], bool], tuple[Action, ...]] = one_ballot
    judge_vote: Callable[[tuple[Seat, ...], Seat, Seat], Ending | None] = lambda _top, _seat, _insider: None

    @property
    def neutral(self) -> bool:
        """Whether it wins or loses by itself (IJ-39)."""
        return self.camp is None


def camp_of(final: Final, seat: Seat) -> Camp | None:
    """The camp that the seat won or lost with in the end; None for neutrals."""
    role = final.roles[seat]
    turned = final.common.seats[seat].revealed and role.camp_when_revealed is not None
    return role.camp_when_revealed if turned else role.camp


def wins(final: Final, seat: Seat) -> bool:
    """Whether the seat has won (IJ-39)."""
    objective = final.roles[seat].objective
    return objective(final, seat) if objective else camp_of(final, seat) is WINNERS[final.ending]
