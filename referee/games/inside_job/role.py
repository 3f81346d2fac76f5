"""What a role is made of: its objective, and where it differs from a plain agent."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

import msgspec

from referee.core.outcome import Seat
from referee.games.inside_job.common import Common
from referee.games.inside_job.ending import WINNERS, Camp, Ending
from referee.games.inside_job.missions import MissionIds
from referee.games.inside_job.moves import VOTES, Action, Collected, Event

RoleId: TypeAlias = str
"""What everything outside `roles` calls a role."""


class Turn(msgspec.Struct, frozen=True, gc=False):
    """Where a step after a trick leads to: what lies open, what was heard on the way, and whether the game is over."""

    common: Common
    events: tuple[Event, ...] = ()
    ending: Ending | None = None


class Final(msgspec.Struct, frozen=True):
    """A game that is over, as far as the objectives of roles ask.

    Attributes:
        ending: how it ended.
        roles: by seat.
        common: what lay open.
    """

    ending: Ending
    roles: tuple["Role", ...]
    common: Common


def change_tokens(common: Common, seat: Seat, tokens: int) -> Common:
    """The seat holds so many tokens more, which come from the supply; fewer if below 0, and they go there."""
    seats = list(common.seats)
    seats[seat] = msgspec.structs.replace(seats[seat], tokens=seats[seat].tokens + tokens)
    return msgspec.structs.replace(common, seats=tuple(seats), supply=common.supply - tokens)


def collect(common: Common, seat: Seat, wagered: int) -> Turn:
    """The winner of a trick takes one token from the supply and those on the cards (IJ-15).

    Tokens on cards have been put back to the supply by then, so that all of them come from there.
    """
    return Turn(change_tokens(common, seat, 1 + wagered), (Collected(seat, wagered),))


def one_ballot(candidates: tuple[Seat, ...], revealed: bool) -> tuple[Action, ...]:  # noqa: ARG001  # the same then
    """One of the seats that can be voted for; with none, only to abstain (IJ-20)."""
    return tuple(VOTES[(seat,)] for seat in candidates) or (VOTES[()],)


class Role(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """A role; what is left out is as with a plain agent. Equal to itself only.

    Attributes:
        id: what everything else calls it.
        name: for people.
        camp: whom it wins with; None for neutrals.
        camp_when_revealed: whom it wins with once it was revealed by tokens, if that is another camp.
        objective: whether this seat has won, for neutrals.
        is_insider: it is dealt in place of the Insider, not of an agent.
        open_from_start: everybody is shown it after the deal.
        chooses_partner: it looks at a role before the first leader is drawn.
        starting_tokens: held after the deal.
        missions: those that it adds to the deck.
        must_follow: it must follow suit.
        reveals_at: by number of players, the tokens with which everybody reveals, instead of the usual ones.
        collect: what winning a trick brings it, given the tokens that were wagered.
        test_tokens: by what the game ends if it holds so many after a trick, where that can be.
        when_revealed: what its being revealed by tokens causes.
        test_as_insider: by what the game ends in the step of the Insider's win.
        votes: it has a vote.
        votes_when_revealed: it keeps it when revealed by tokens.
        silences_open_roles: nobody has a vote whose role is open.
        ballots: what it may vote, given whom it can vote for, and whether it was revealed by tokens.
        judge_vote: the ending if the vote goes by a rule of its own, given the top, its seat and the Insider's.
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
    """Whom the seat won or lost with in the end; None for neutrals."""
    role = final.roles[seat]
    turned = final.common.seats[seat].revealed and role.camp_when_revealed is not None
    return role.camp_when_revealed if turned else role.camp


def wins(final: Final, seat: Seat) -> bool:
    """Whether the seat has won (IJ-39)."""
    objective = final.roles[seat].objective
    return objective(final, seat) if objective else camp_of(final, seat) is WINNERS[final.ending]
