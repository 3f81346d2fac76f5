"""The sealed choices of all seats at once: the seat that they suspect (IJ-18), and the vote (IJ-20, IJ-21)."""

from collections import Counter
from collections.abc import Iterable, Mapping

from referee.core.outcome import Seat
from referee.games.inside_job.aftermath import after_talk, end
from referee.games.inside_job.cast import Dealt, cast, dealt
from referee.games.inside_job.common import Common
from referee.games.inside_job.ending import Ending
from referee.games.inside_job.moves import SUSPECTS, Accused, Action, Suspect, Suspected, Vote, Voted
from referee.games.inside_job.roles import ROLES
from referee.games.inside_job.state import State, Step


def candidates(common: Common, seat: Seat) -> tuple[Seat, ...]:
    """The seats that a seat can suspect and vote for: every other seat whose role is not open (IJ-44)."""
    return tuple(other for other, it in enumerate(common.seats) if it.role is None and other != seat)


# Talk


def suspicions(state: State, seat: Seat) -> tuple[Action, ...]:
    """Nobody, or a seat that can be suspected; sorted."""
    return (SUSPECTS[None], *(SUSPECTS[other] for other in candidates(state.common, seat)))


def talk(state: State, choices: Mapping[Seat, Suspect]) -> Step:
    """Every seat hears the statements of all."""
    statements = tuple(Suspected(seat, choices[seat].suspect) for seat in sorted(choices))
    after, events = after_talk(state, cast(state.options.roles, len(state.hands)))
    return after, (*statements, *events)


# Vote


def voters(state: State) -> tuple[Seat, ...]:
    """The seats with a vote: all except those that lose it by a role (IJ-21, IJ-35, IJ-36, IJ-37, IJ-43).

    The reason for losing it is always open, so that the list of voters reveals nothing.
    """
    silenced = cast(state.options.roles, len(state.hands)).silences_open_roles
    return tuple(seat for seat in range(len(state.hands)) if _has_vote(state, seat, silenced))


def _has_vote(state: State, seat: Seat, silenced: bool) -> bool:
    own, role = state.common.seats[seat], ROLES[state.roles[seat]]
    if silenced and own.role is not None:
        return False
    return role.votes_when_revealed if own.revealed else role.votes


def ballots(state: State, seat: Seat) -> tuple[Action, ...]:
    """The ballots that the seat's role allows; sorted. A seat without candidates can only abstain (IJ-20)."""
    return ROLES[state.roles[seat]].ballots(candidates(state.common, seat), state.common.seats[seat].revealed)


def vote(state: State, choices: Mapping[Seat, Vote]) -> Step:
    """Show the ballots, then the roles (IJ-20)."""
    voted = tuple(Voted(seat, choices[seat].ballots) for seat in sorted(choices))
    accused = top(ballot for choice in choices.values() for ballot in choice.ballots)
    after, events = end(state, judge(accused, dealt(state.roles)))
    return after, (*voted, Accused(accused), *events)


def top(cast_ballots: Iterable[Seat]) -> tuple[Seat, ...]:
    """The seats with the most ballots, sorted; none if there are no ballots."""
    counts = Counter(cast_ballots)
    most = max(counts.values(), default=0)
    return tuple(sorted(seat for seat, count in counts.items() if count == most))


def judge(accused: tuple[Seat, ...], seats: Dealt) -> Ending:
    """The ending of a vote with these seats at its top (IJ-20), unless a role has its own rule (IJ-34)."""
    for seat, role in enumerate(seats.roles):
        if ending := role.judge_vote(accused, seat, seats.insider):
            return ending
    if len(accused) != 1:
        return Ending.VOTE_TIED
    return Ending.INSIDER_ACCUSED if accused == (seats.insider,) else Ending.OTHER_ACCUSED
