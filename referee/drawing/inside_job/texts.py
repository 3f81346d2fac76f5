"""What roles do, and what the endings mean, in short. docs/rulings/inside_job.md has the whole rules."""

from collections.abc import Mapping

from referee.games.inside_job.ending import Ending
from referee.games.inside_job.missions import MISSIONS, MissionId
from referee.games.inside_job.role import Role, RoleId
from referee.games.inside_job.roles import (
    ACCOMPLICE,
    AGENT,
    DAREDEVIL,
    DECOY,
    INSIDER,
    PARANOID,
    PROF_NO,
    SHADY,
    SLEEPER,
    WIRED,
)

ENDINGS: Mapping[str, str] = {
    Ending.TOKENS: "the Insider has enough tokens",
    Ending.MISSIONS: "enough missions are completed",
    Ending.WIRED: "the Wired Agent has too many tokens",
    Ending.DAREDEVIL: "tokens revealed the Daredevil Agent",
    Ending.PROF_NO_REVEALED: "tokens revealed Prof. No",
    Ending.ALL_OTHERS_OPEN: "all roles but Prof. No's are open",
    Ending.INSIDER_ACCUSED: "the vote found the Insider or Prof. No",
    Ending.OTHER_ACCUSED: "the vote accused somebody else",
    Ending.VOTE_TIED: "the vote was tied",
    Ending.DECOY_ACCUSED: "the vote accused the Decoy",
    Ending.INSIDER_TIED_WITH_DECOY: "as many votes for the Decoy as for the Insider",
    Ending.TIED_WITH_DECOY: "as many votes for the Decoy as for others",
}
"""By ending, what happened."""

_ROLES: Mapping[RoleId, str] = {
    AGENT.id: "wins with the agents, by missions or by the vote",
    INSIDER.id: "plays alone against the agents; need not follow suit, and wins with enough tokens",
    WIRED.id: "an open agent; if it has more than one token after a trick, the Insider wins",
    PARANOID.id: "an agent with two ballots for different players",
    DAREDEVIL.id: "an agent that adds risky missions; if tokens reveal it, the agents win",
    DECOY.id: "wins if it has the most votes, alone or with the Insider",
    ACCOMPLICE.id: "an open role with a partner; wins if the partner wins, takes no tokens and does not vote",
    SHADY.id: "wins if the player at its right loses; robs that player of a token when it is revealed",
    SLEEPER.id: "an agent that wins with the Insider once tokens reveal it",
    PROF_NO.id: "plays instead of the Insider; loses if it is revealed, and wins if all others are open",
}


def role_text(role: Role) -> str:
    """How a role wins."""
    return f"{role.name}: {_ROLES[role.id]}"


def mission_text(mission: MissionId) -> str:
    """What a mission asks for."""
    it = MISSIONS[mission]
    return f"{mission}: {it.text}; trump is {it.trump.name.lower()}"
