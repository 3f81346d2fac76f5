"""What the cards do, and what the endings mean, in short. docs/rulings/agent_avenue.md has the whole rules."""

from collections.abc import Mapping

from referee.games.agent_avenue.describe import CARDS, NAMES
from referee.games.agent_avenue.ending import Ending
from referee.games.agent_avenue.pieces import ONGOING, PRINTS, Agent, MarketCard

_WINS_OR_LOSES = {
    Agent.CODEBREAKER: "; with three of them the side wins",
    Agent.DAREDEVIL: "; with three of them the side loses",
}

_MARKET = {
    MarketCard.DISTRACTION_DEVICE: "the side's Saboteurs move its pawn forwards: +1, +1, +2",
    MarketCard.WATCHTOWER_TWO: "the side's Enforcers move its pawn +3, +4, +5",
    MarketCard.SINISTER_TWIN: "the side's Double Agents move its pawn -2, +12, -2",
    MarketCard.SUPERCOMPUTER: "each Codebreaker of the side moves its pawn +3",
    MarketCard.GETAWAY_CAR: "when the side's pawn ends a move on a home, it goes on 3 spaces",
    MarketCard.LEADER_OF_THE_PACK: "with three Daredevils the side wins instead of losing",
    MarketCard.MASTERPLAN: "with agents of seven different names the side wins",
    MarketCard.SECURITY_SYSTEM: "if the other pawn stands on the side's home at the end of a turn, the side wins",
    MarketCard.OUTPOST: "recruit a Sentinel from the hand",
    MarketCard.SMOKE_SCREEN: "recruit the top card of the deck",
    MarketCard.MIND_CONTROL: "take an agent of the other side into the hand",
    MarketCard.DOUBLE_TROUBLE: "show two agents of one name in the hand, and recruit one of them",
    MarketCard.SURVEILLANCE_TRUCK: "the pawn moves 1 space forwards",
    MarketCard.SECRET_RECRUIT: "recruit from the hand an agent whose name the side does not have yet",
    MarketCard.SPYCATION: "take an own agent back into the hand; it may be recruited again at once",
    MarketCard.CEASEFIRE: "all agents of both sides leave the game",
}

ENDINGS: Mapping[str, str] = {
    Ending.CAUGHT: "the pawn has caught the other one",
    Ending.CODEBREAKERS: "three Codebreakers",
    Ending.DAREDEVILS: "three Daredevils on the other side",
    Ending.SEVERAL: "several conditions at once",
    Ending.RAN_OUT: "the cards ran out",
    Ending.LEADER_OF_THE_PACK: "three Daredevils, Leader of the Pack",
    Ending.MASTERPLAN: "agents of seven names, Masterplan",
    Ending.SECURITY_SYSTEM: "a pawn on its home, Security System",
}
"""By ending, why a side has won, short enough for a picture."""

OPTIONS: Mapping[str, Mapping[str, str]] = {
    "mode": {"simple": "without the black market", "advanced": "with the black market"},
    "line_up": {"1v1": "one against one", "2v2": "two against two", "2v1": "two against one"},
    "ceasefire": {"False": "", "True": "with Ceasefire"},
}
"""By option and value, what it means."""


def agent_text(agent: Agent) -> str:
    """How far an agent moves the pawn of its side, and what three of them do."""
    print_ = PRINTS[agent]
    if print_.copies == 1:
        moves = f"moves the pawn {print_.symbols[0]:+d}"
    else:
        first, second, third = (f"{spaces:+d}" if spaces else "0" for spaces in print_.symbols)
        moves = f"the first moves the pawn {first}, the second {second}, each later one {third}"
    return f"{NAMES[agent]}: {moves}{_WINS_OR_LOSES.get(agent, '')}"


def market_text(card: MarketCard) -> str:
    """What a market card does, and whether it stays."""
    return f"{CARDS[card]}: {'ongoing' if card in ONGOING else 'instant'}; {_MARKET[card]}"
