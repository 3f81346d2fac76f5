"""How well each side stands, as one number: a formula that was fitted to matches of the sample bots."""

from math import exp

from referee.core.outcome import first_places
from referee.games.agent_avenue import rules
from referee.games.agent_avenue.pieces import GAITS, PRINTS, Agent, MarketCard
from referee.games.agent_avenue.state import SideState, State, lead
from referee.games.agent_avenue.teams import side_of

_LEAD = 0.29  # log odds for each space

# Log odds for one and for two cards of a name that decides the game with three (AA-08).
_CODEBREAKERS = (0.0, 0.27, 1.30)
_DAREDEVILS = (0.0, -0.58, -1.33)

_NEXT_STEPS = 0.11  # log odds for each space that one more card of each name in front of the side would move
_ONGOING = 0.17  # log odds for each ongoing market card

_REPEATED = [agent for agent, print_ in PRINTS.items() if print_.copies > 1]


def outlook(state: State) -> tuple[float, ...]:
    """By seat, how likely it is that its side wins. While an offer waits, both cards are equally likely to be taken.

    The numbers above come from a logistic regression over matches between sample bots; `benchmarks/outlook.py` says how
    well they hold.
    """
    if state.outcome:
        return first_places(state.outcome)
    if state.phase == "recruit":
        after = [rules.apply(state, {state.following: choice})[0] for choice in rules.legal(state, state.following)]
        return tuple(sum(chances) / len(after) for chances in zip(*map(outlook, after), strict=True))
    own = 1 / (1 + exp(-_log_odds(state)))
    return tuple((own, 1 - own)[side_of(seat)] for seat in range(len(state.seats)))


def _log_odds(state: State) -> float:
    """The log odds that side 0 wins."""
    first, second = map(_standing, state.sides)
    return _LEAD * lead(state.sides, 0) + first - second


def _standing(side: SideState) -> float:
    names = side.recruited
    codebreakers, daredevils = names.count(Agent.CODEBREAKER), names.count(Agent.DAREDEVIL)
    if MarketCard.LEADER_OF_THE_PACK in side.ongoing:  # Daredevils win for this side
        codebreakers, daredevils = max(codebreakers, daredevils), 0
    spaces = GAITS[side.ongoing].spaces
    steps = sum(spaces[name][min(names.count(name), 5)] for name in _REPEATED if name in names)
    return (
        _CODEBREAKERS[min(codebreakers, 2)]
        + _DAREDEVILS[min(daredevils, 2)]
        + _NEXT_STEPS * steps
        + _ONGOING * len(side.ongoing)
    )
