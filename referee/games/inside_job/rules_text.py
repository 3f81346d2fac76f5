"""The rules in words, for readers who do not know the game."""

from referee.core.rules_text import read_parts
from referee.games.inside_job.cast import cast
from referee.games.inside_job.describe import describe_mission
from referee.games.inside_job.options import Options, read_roles
from referee.games.inside_job.pieces import SETUPS
from referee.games.inside_job.roles import DECOY, PROF_NO

_TALK = {"none": "Never", "before_vote": "Before the vote", "every_trick": "After every trick"}
_INSIDER_GOAL = "The Insider gathers tokens and stays hidden."
_INSIDER_WINS = "If the Insider's role was revealed by tokens, the Insider wins."
_PROF_NO_GOAL = "Prof. No wants to stay hidden."
_PROF_NO_WINS = "If the roles of all others are open, that is, known to everybody, Prof. No wins."


def rules_text(options: Options, seats: int) -> str:
    """How the game is played with these options by so many players."""
    fixed, setup, special = cast(options.roles, seats), SETUPS[seats], read_roles(options.roles)
    prof_no = PROF_NO in special
    roles = [role.name for role in special]
    return read_parts(
        __package__,
        ["Start", "A trick", "Missions"]
        + ["Talk"] * (options.talk != "none")
        + ["Vote"]
        + ["Special roles", *roles] * bool(roles),
        seats=seats,
        insider="Prof. No" if prof_no else "the Insider",
        Insider="Prof. No" if prof_no else "The Insider",
        but_special=", except for the special roles below" if len(roles) > prof_no else "",
        goal=_PROF_NO_GOAL if prof_no else _INSIDER_GOAL,
        early_end=_PROF_NO_WINS if prof_no else _INSIDER_WINS,
        hand=setup.hand,
        tricks=setup.tricks,
        wagers=" (the leader: on any card)" if options.leader_wagers else "; the leader may not",
        reveal=fixed.reveals_at,
        missions=fixed.missions_to_win,
        missions_list="\n".join(f"- {describe_mission(mission)}" for mission in fixed.missions),
        when=_TALK[options.talk],
        decoy=", but see the Decoy below" if DECOY in special else "",
    )
