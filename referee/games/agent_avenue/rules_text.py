"""The rules in words, for readers who do not know the game."""

from referee.core.outcome import Side
from referee.core.plural import several
from referee.core.rules_text import read_parts
from referee.games.agent_avenue.describe import NAMES
from referee.games.agent_avenue.pieces import PRINTS, Agent
from referee.games.agent_avenue.state import Options
from referee.games.agent_avenue.teams import LINE_UPS

_CEASEFIRE = "\n- Ceasefire: all agents in front of both sides leave the game."


_TOO_SHORT = {  # AA-10, AA-44
    "1v1": "the side whose turn comes next has fewer than two cards",
    "2v2": "the side whose turn comes next has a player without a card",
    "2v1": "the side whose turn comes next has a player without a card (if it is seat 1 alone: fewer than two cards)",
}


def rules_text(options: Options, seats: int) -> str:  # noqa: ARG001 - the line-up says how many
    """How the game is played with these options."""
    teams, advanced = options.line_up != "1v1", options.mode == "advanced"
    parts = ["Start", "Teams" if teams else "Two players", "End"]
    parts += ["Black market"] * advanced + ["Market in teams"] * (advanced and teams) + ["Words"]
    return read_parts(
        __package__,
        parts,
        agents="\n".join(map(_agent, PRINTS)),
        sides=" ".join(map(_side, range(2), LINE_UPS[options.line_up].sides)),
        circle=", ".join(map(str, LINE_UPS[options.line_up].circle)),
        short=_TOO_SHORT[options.line_up],
        ceasefire=_CEASEFIRE if options.ceasefire else "",
    )


def _agent(agent: Agent) -> str:
    copies, symbols = PRINTS[agent].copies, PRINTS[agent].symbols
    moves = [f"{spaces:+d}" if spaces else "0" for spaces in symbols[:copies]]
    return f"- {NAMES[agent]} ({several(copies, 'copy', 'copies')}): {', '.join(moves)}"


def _side(number: int, side: Side) -> str:
    who = f"Seats {side.seats[0]} and {side.seats[1]} play" if len(side.seats) > 1 else f"Seat {side.seats[0]} plays"
    return f"{who} for side {number}."
