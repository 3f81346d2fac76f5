"""Words beside the pictures, in short: what roles do, which are in the game, how it ended and why.

docs/rulings/inside_job.md has the whole rules.
"""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from referee.drawing.inside_job.scene import Scene
from referee.games.inside_job.cast import Cast
from referee.games.inside_job.ending import WINNERS, Camp, Ending
from referee.games.inside_job.missions import MISSIONS, MissionId
from referee.games.inside_job.options import choices_of_roles
from referee.games.inside_job.role import Role, RoleId
from referee.games.inside_job.roles import (
    ACCOMPLICE,
    AGENT,
    DAREDEVIL,
    DECOY,
    INSIDER,
    PARANOID,
    PROF_NO,
    ROLES,
    SHADY,
    SLEEPER,
    WIRED,
)

_REASONS = {
    Ending.TOKENS: "{insider} has enough tokens",
    Ending.MISSIONS: "enough missions are completed",
    Ending.WIRED: "the Wired Agent has too many tokens",
    Ending.DAREDEVIL: "tokens revealed the Daredevil Agent",
    Ending.PROF_NO_REVEALED: "tokens revealed Prof. No",
    Ending.ALL_OTHERS_OPEN: "all other roles are open",
    Ending.INSIDER_ACCUSED: "{insider} has the most votes",
    Ending.OTHER_ACCUSED: "somebody else has the most votes",
    Ending.VOTE_TIED: "nobody has the most votes alone",
    Ending.DECOY_ACCUSED: "the Decoy has the most votes",
    Ending.INSIDER_TIED_WITH_DECOY: "as many votes for the Decoy as for {insider}",
    Ending.TIED_WITH_DECOY: "the Decoy and others have the most votes",
}


def roles_in_the_game(settled: Cast) -> str:
    """Such as "Insider, Wired Agent, 3 Agents"."""
    counts = Counter(settled.roles)
    agents = counts.pop(AGENT.id, 0)
    names = [ROLES[role].name for role in counts]
    if agents:
        names.append(f"{agents} Agents" if agents > 1 else "1 Agent")
    return ", ".join(names)


def insider_of(settled: Cast) -> str:
    """The opponent of the agents: the Insider, or Prof. No."""
    (role,) = (ROLES[role] for role in settled.roles if ROLES[role].is_insider)
    return role.name if role.silences_open_roles else f"the {role.name}"


def goals(settled: Cast) -> tuple[str, str]:
    """The goal of the agents, and the effect of tokens."""
    tokens, insider = settled.reveals_at, insider_of(settled)
    of_tokens = f"{tokens} tokens reveal a role" if settled.silences_open_roles else f"{insider} needs {tokens} tokens"
    return f"the agents need {settled.missions_to_win} missions", of_tokens


class Result(NamedTuple):
    """How a match ended.

    Attributes:
        subject: the winner, or what happened.
        does: the verb after it.
        reason: the reason.
    """

    subject: str
    does: str
    reason: str


def result(scene: Scene) -> Result | None:
    """How the match ended; None before the end."""
    if scene.outcome is None:
        return None
    if scene.ending is None:
        return Result("Cut short", "by a fault", "a player failed")
    insider = insider_of(scene.settled)
    return Result(*_winner(scene.ending, insider), _REASONS[scene.ending].format(insider=insider))


def _winner(ending: Ending, insider: str) -> tuple[str, str]:
    camp = WINNERS[ending]
    if camp is None:
        return "The Decoy", "wins alone"
    return ("The agents", "win") if camp is Camp.AGENTS else (f"{insider[0].upper()}{insider[1:]}", "wins")


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

OPTIONS: Mapping[str, Mapping[str, str]] = {
    "roles": {
        chosen: " and ".join(f"the {ROLES[name].name}" for name in chosen.split(",") if name in ROLES)
        or "no special roles"
        for chosen in choices_of_roles()
    },
    "talk": {
        "none": "they do not talk",
        "before_vote": "they talk before the vote",
        "every_trick": "they talk after every trick",
    },
    "leader_wagers": {"True": "", "False": "the leader puts no token on its card"},
}
"""By option and value, what it means."""

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
