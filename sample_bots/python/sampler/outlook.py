"""How likely the agents win, by what both sides still need.

A simple model: in each trick the mission is completed with one chance, and the Insider wins the trick with another. If
the tricks run out, the vote decides.
"""

from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
from lookahead import Numbers
from referee_bot.v1 import inside_job_pb2 as ij
from tricks import Ints

# By the number of players, from inside_job.proto.
HAND = {3: 13, 4: 12, 5: 10}
TRICKS = {3: 11, 4: 10, 5: 9}
MISSIONS = {3: 9, 4: 7, 5: 6}
TOKENS = {3: 6, 4: 5, 5: 4}
WITH_PROF_NO = {4: 4, 5: 3}

COMPLETED = {3: 0.7, 4: 0.65, 5: 0.6}
WON_BY_INSIDER = {3: 0.3, 4: 0.22, 5: 0.2}
NEVER = 99


class Outlook(NamedTuple):
    """How likely the agents win before the vote, and how likely there is a vote."""

    agents: float
    vote: float


@cache
def outlook(seats: int, tricks: int, missions: int, tokens: int) -> Outlook:
    """The outlook after a trick.

    Args:
        seats: how many players there are.
        tricks: how many tricks are left.
        missions: how many missions the agents still need.
        tokens: how many tokens the Insider still needs.
    """
    if tokens <= 0:
        return Outlook(0.0, 0.0)
    if missions <= 0:
        return Outlook(1.0, 0.0)
    if not tricks:
        return Outlook(0.0, 1.0)
    agents = vote = 0.0
    for done, chance in ((1, COMPLETED[seats]), (0, 1 - COMPLETED[seats])):
        for won, share in ((1, WON_BY_INSIDER[seats]), (0, 1 - WON_BY_INSIDER[seats])):
            then = outlook(seats, tricks - 1, missions - done, tokens - won)
            agents += chance * share * then.agents
            vote += chance * share * then.vote
    return Outlook(agents, vote)


class Bets(NamedTuple):
    """The tokens that are put on cards from now on: our own, those of later agents, and that of a later Insider."""

    own: int
    agents: int
    insider: int


def ends(view: ij.View, special: list[str], insiders: Ints, later: int, token: int) -> tuple[Numbers, Numbers]:
    """How likely the agents win before the vote, and how likely there is a vote, by how this trick ends.

    Args:
        view: what we see.
        special: the special roles in the game.
        insiders: by world, who is the Insider.
        later: how many players play after us.
        token: 1 if we put a token on our card, otherwise 0.

    Returns: two arrays with the axes of `lookahead.lay`.
    """
    seats = len(view.seats)
    tables = np.zeros((2, len(insiders), later + 1, 2, 2, seats))
    for insider in sorted(set(insiders.tolist())):
        for agents, bet, done, winner in product(range(later + 1), range(2), range(2), range(seats)):
            end = _end(view, special, insider, Bets(token, agents, bet), done, winner)
            tables[:, insiders == insider, agents, bet, done, winner] = np.array(end)[:, None]
    return tables[0], tables[1]


def _end(view: ij.View, special: list[str], insider: int, bets: Bets, done: int, winner: int) -> Outlook:
    seats = len(view.seats)
    tokens = [it.tokens for it in view.seats]
    tokens[view.seat] -= bets.own
    tokens[insider] -= bets.insider
    handed_back = view.seats[winner].role == "accomplice"
    if handed_back:
        tokens[view.partner] = max(tokens[view.partner] - 1, 0)
    else:
        tokens[winner] += 1 + sum(it.wager for it in view.laid) + sum(bets)
    limit, no_prof = limit_of(seats, special), "prof_no" not in special
    needed = (limit - tokens[insider]) if no_prof else NEVER
    if tokens[winner] > 1 and view.seats[winner].role == "wired":
        return Outlook(0.0, 0.0)
    if not handed_back and tokens[winner] >= limit and not view.seats[winner].revealed:
        if winner == insider and not no_prof:
            return Outlook(1.0, 0.0)
        if winner == view.seat and view.role == "daredevil":
            return Outlook(1.0, 0.0)
        if winner == view.seat and view.role == "sleeper":
            return Outlook(0.0, 0.0)
    return outlook(seats, TRICKS[seats] - view.trick, MISSIONS[seats] - len(view.completed) - done, needed)


def limit_of(seats: int, special: list[str]) -> int:
    """How many tokens reveal the player who has them."""
    return WITH_PROF_NO[seats] if "prof_no" in special else TOKENS[seats]
