"""The roles, one small unit each. To add a role, write its unit and put it into `SPECIAL`."""

from itertools import combinations, combinations_with_replacement

from referee.core.outcome import Seat
from referee.games.inside_job.common import Common
from referee.games.inside_job.ending import Camp, Ending
from referee.games.inside_job.missions import RISKY
from referee.games.inside_job.moves import VOTES, Action, HandedBack, Robbed
from referee.games.inside_job.role import Final, Role, RoleId, Turn, change_tokens, one_ballot, wins

# Agent and Insider

AGENT = Role(id="agent", name="Agent")


def _has_enough(common: Common, seat: Seat) -> Ending | None:
    """The Insider wins with the number of tokens at which it must reveal its role (IJ-17)."""
    return Ending.TOKENS if common.seats[seat].revealed else None


INSIDER = Role(
    id="insider",
    name="Insider",
    camp=Camp.INSIDER,
    is_insider=True,
    must_follow=False,  # IJ-12
    test_as_insider=_has_enough,
)

# Wired Agent, by IJ-31


def _overheard(tokens: int) -> Ending | None:
    """A Wired Agent with more than one token ends the game."""
    return Ending.WIRED if tokens > 1 else None


WIRED = Role(id="wired", name="Wired Agent", open_from_start=True, test_tokens=_overheard)

# Paranoid Agent, by IJ-32


def _two_ballots(candidates: tuple[Seat, ...], revealed: bool) -> tuple[Action, ...]:
    """Ballots for two different seats, or one for the only candidate. Once revealed: any two, also twice the same."""
    if revealed and candidates:
        return tuple(VOTES[pair] for pair in combinations_with_replacement(candidates, 2))
    return tuple(VOTES[pair] for pair in combinations(candidates, 2)) or one_ballot(candidates, revealed)


PARANOID = Role(id="paranoid", name="Paranoid Agent", ballots=_two_ballots)

# Daredevil Agent, by IJ-33

DAREDEVIL = Role(
    id="daredevil",
    name="Daredevil Agent",
    missions=tuple(mission.id for mission in RISKY),
    when_revealed=lambda common, _seat: Turn(common, ending=Ending.DAREDEVIL),
)

# Decoy, by IJ-34


def _draws_votes(top: tuple[Seat, ...], seat: Seat, insider: Seat) -> Ending | None:
    """The ending if the Decoy is among the seats with the most ballots."""
    if seat not in top:
        return None
    if top == (seat,):
        return Ending.DECOY_ACCUSED
    return Ending.INSIDER_TIED_WITH_DECOY if insider in top else Ending.TIED_WITH_DECOY


def _was_taken_for_the_insider(final: Final, _seat: Seat) -> bool:
    return final.ending in (Ending.DECOY_ACCUSED, Ending.INSIDER_TIED_WITH_DECOY)


DECOY = Role(id="decoy", name="Decoy", camp=None, objective=_was_taken_for_the_insider, judge_vote=_draws_votes)

# Accomplice, by IJ-35


def _hand_back(common: Common, seat: Seat, wagered: int) -> Turn:
    """Take nothing. The wagered tokens go to the supply, and then one token of the partner, if it has one."""
    partner = common.partner
    if partner is None:
        raise ValueError("the Accomplice has no partner yet")
    lost = min(1, common.seats[partner].tokens)
    return Turn(change_tokens(common, partner, -lost), (HandedBack(seat, wagered, partner, lost),))


def _stood_by_a_winner(final: Final, _seat: Seat) -> bool:
    return final.common.partner is not None and wins(final, final.common.partner)


ACCOMPLICE = Role(
    id="accomplice",
    name="Accomplice",
    camp=None,
    objective=_stood_by_a_winner,
    open_from_start=True,
    chooses_partner=True,
    starting_tokens=0,
    collect=_hand_back,
    votes=False,
)

# Tim Shady, by IJ-36


def _right_of(seat: Seat, seats: int) -> Seat:
    return (seat - 1) % seats


def _robs(common: Common, seat: Seat) -> Turn:
    victim = _right_of(seat, len(common.seats))
    taken = min(1, common.seats[victim].tokens)
    robbed = change_tokens(common, victim, -taken)
    return Turn(change_tokens(robbed, seat, taken), (Robbed(seat, victim, taken),))


def _saw_the_right_one_lose(final: Final, seat: Seat) -> bool:
    return not wins(final, _right_of(seat, len(final.roles)))


SHADY = Role(
    id="shady",
    name="Tim Shady",
    camp=None,
    objective=_saw_the_right_one_lose,
    when_revealed=_robs,
    votes_when_revealed=False,
)

# Sleeper Agent, by IJ-37

SLEEPER = Role(id="sleeper", name="Sleeper Agent", camp_when_revealed=Camp.INSIDER, votes_when_revealed=False)

# Prof. No, by IJ-38 and IJ-43


def _outlasts_all(common: Common, seat: Seat) -> Ending | None:
    others_open = all(other.role for at, other in enumerate(common.seats) if at != seat)
    return Ending.ALL_OTHERS_OPEN if others_open else None


PROF_NO = Role(
    id="prof_no",
    name="Prof. No",
    camp=Camp.INSIDER,
    is_insider=True,
    must_follow=False,
    reveals_at={4: 4, 5: 3},
    when_revealed=lambda common, _seat: Turn(common, ending=Ending.PROF_NO_REVEALED),
    test_as_insider=_outlasts_all,
    silences_open_roles=True,
)

SPECIAL = (WIRED, PARANOID, DAREDEVIL, DECOY, ACCOMPLICE, SHADY, SLEEPER, PROF_NO)
"""The roles that can be added to a game (IJ-30), in the order in which options name them."""

ROLES: dict[RoleId, Role] = {role.id: role for role in (AGENT, INSIDER, *SPECIAL)}
