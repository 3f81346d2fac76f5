"""Plays Agent Avenue thoughtfully: counts cards, weighs every way to win, guesses what the other sees.

For each pair of cards that the two sides may recruit this turn, `chances` says how likely we are to
win from there. Around that table the other side is thought to be sensible (`Turn`): whoever must
recruit compares the card it sees with the cards that may lie beside it, and whoever hides a card
likes best to hide what the recruiter then leaves or takes wrongly.
"""

from collections.abc import Iterable
from math import exp

from referee_bot.v1 import agent_avenue_pb2 as aa
from referee_bot.v1 import bot_pb2 as pb

Counts = list[int]
"""How many there are of each agent, by the agent's number (1 to 8; 0 is no agent)."""

AGENTS = range(1, 9)
COPIES = [0, 6, 6, 6, 6, 6, 6, 1, 1]
STEPS = [
    (0, 0, 0),
    (-1, 6, -1),  # Double Agent
    (1, 2, 3),  # Enforcer
    (0, 0, 0),  # Codebreaker
    (-1, -1, -2),  # Saboteur
    (2, 3, 0),  # Daredevil
    (0, 2, 6),  # Sentinel
    (4, 4, 4),  # Sidekick
    (-3, -3, -3),  # Mole
]
# What it is worth to have none, one, two or more of an agent, in the logit of the chance to win.
WORTH = [
    (0.0, 0.0, 0.0),
    (0.0, 0.5, 0.0),
    (0.0, 0.2, 0.3),
    (0.0, 0.2, 0.8),
    (0.0, 0.0, -0.1),
    (0.0, -0.3, -1.5),
    (0.0, 0.3, 1.0),
    (0.0, 0.0, 0.0),
    (0.0, 0.0, 0.0),
]
LEAD_WORTH = 0.3
TEMPO = 0.0  # of being the side whose turn comes next
CARE = 15.0  # how surely a recruiter takes what is better for it, per unit of chance
CUNNING = 5.0  # how surely the other side hides what is better hidden, per unit of chance
DISCARD_MARGIN = 0.02  # a discard must promise this much more, since only four are allowed


class Player:
    """One match. It remembers nothing: a view tells all that was ever shown of the cards."""

    def __init__(self, start: pb.MatchStart) -> None:
        """Nothing of `start` is needed: it draws no luck, and a view says where it sits."""

    def choose(self, decision: pb.Decision) -> int:
        """The index of the chosen action in `decision.legal`."""
        view = aa.View.FromString(decision.view)
        actions = [aa.Action.FromString(action) for action in decision.legal]
        weigh = active_worths if view.active_seat == view.seat else recruiter_worths
        worths = weigh(view, actions)
        return worths.index(max(worths))


def active_worths(view: aa.View, actions: list[aa.Action]) -> list[float]:
    """Our chance to win by each Play or Discard."""
    hand = counts(view.hand)
    unseen = unseen_by(view)
    # The other side has seen neither our hand nor our discards, so for it they may lie anywhere.
    turn = Turn(chances(view), [COPIES[a] and unseen[a] + hand[a] for a in range(9)])
    worths = []
    for action in actions:
        if action.WhichOneof("body") == "play":
            worths.append(turn.worth(action.play.face_up, action.play.face_down))
        else:
            worths.append(discard_worth(turn, hand, unseen, action.discard.agent) - DISCARD_MARGIN)
    return worths


def recruiter_worths(view: aa.View, actions: list[aa.Action]) -> list[float]:
    """By how much each Recruit betters our chance to win over the other one."""
    gain = Turn(chances(view), unseen_by(view)).gain_by_taking(view.face_up)
    return [gain if action.recruit.slot == aa.SLOT_FACE_UP else -gain for action in actions]


def discard_worth(turn: "Turn", hand: Counts, unseen: Counts, agent: int) -> float:
    """Our chance to win with the best Play after discarding `agent` and drawing an unseen card."""
    rest = hand.copy()
    rest[agent] -= 1
    total = 0.0
    for drawn in AGENTS:
        if unseen[drawn]:
            rest[drawn] += 1
            total += unseen[drawn] * turn.best(rest)
            rest[drawn] -= 1
    return total / sum(unseen)


class Turn:
    """One turn as both sides may think about it before it is settled.

    Attributes:
        wins: the active side's chance to win, `wins[a][b]`, if it recruits a and the other side b.
        unseen: the cards that may lie face down, as far as the recruiter knows.
        hidden: `hidden[u][d]`, how likely d lies beside a face-up u, times a constant.
    """

    def __init__(self, wins: list[list[float]], unseen: Counts) -> None:
        self.wins = wins
        self.unseen = unseen
        # First a recruiter who thinks every unseen card equally likely, then one who knows that the
        # active side hides cards with such a recruiter in mind.
        self.hidden = [[float(n) if d != u else 0.0 for d, n in enumerate(unseen)] for u in range(9)]
        self.taking = [self.odds_of_taking(u) for u in range(9)]
        self.hidden = [
            [n and n * exp(CUNNING * self.worth(u, d)) for d, n in enumerate(row)] for u, row in enumerate(self.hidden)
        ]
        self.taking = [self.odds_of_taking(u) for u in range(9)]

    def gain_by_taking(self, up: int) -> float:
        """By how much the recruiter thinks its chance is better if it takes the face-up card."""
        weights = self.hidden[up]
        total = sum(weights)
        if not total:
            return 0.0
        gain = sum(w * (self.wins[up][d] - self.wins[d][up]) for d, w in enumerate(weights) if w)
        return gain / total

    def odds_of_taking(self, up: int) -> float:
        """How likely the recruiter takes the face-up card."""
        return 1 / (1 + exp(-CARE * self.gain_by_taking(up))) if up else 0.0

    def worth(self, up: int, down: int) -> float:
        """The active side's chance to win by playing these two."""
        taking = self.taking[up]
        return taking * self.wins[down][up] + (1 - taking) * self.wins[up][down]

    def best(self, hand: Counts) -> float:
        """The active side's chance to win by its best Play from this hand."""
        names = [a for a in AGENTS if hand[a]]
        if len(names) == 1:
            return self.worth(names[0], names[0])
        return max(self.worth(u, d) for u in names for d in names if u != d)


def chances(view: aa.View) -> list[list[float]]:
    """The active side's chance to win, by the agents that it and the other side recruit this turn."""
    active, other = view.sides[view.active_seat], view.sides[1 - view.active_seat]
    mine, theirs = counts(active.recruited), counts(other.recruited)
    lead = active.progress - other.progress
    base = LEAD_WORTH * lead + standing(mine) - standing(theirs) - TEMPO
    table = [[0.0] * 9 for _ in range(9)]
    for a in AGENTS:
        step_a = STEPS[a][min(mine[a], 2)]
        worth_a = WORTH[a][min(mine[a] + 1, 2)] - WORTH[a][min(mine[a], 2)]
        a_claims = a == aa.AGENT_CODEBREAKER and mine[a] >= 2
        a_yields = a == aa.AGENT_DAREDEVIL and mine[a] >= 2
        for b in AGENTS:
            after = lead + step_a - STEPS[b][min(theirs[b], 2)]
            if a_claims or after >= 7 or (b == aa.AGENT_DAREDEVIL and theirs[b] >= 2):
                table[a][b] = 1.0
            elif a_yields or after <= -7 or (b == aa.AGENT_CODEBREAKER and theirs[b] >= 2):
                table[a][b] = 0.0
            else:
                worth_b = WORTH[b][min(theirs[b] + 1, 2)] - WORTH[b][min(theirs[b], 2)]
                logit = base + LEAD_WORTH * (after - lead) + worth_a - worth_b
                table[a][b] = 1 / (1 + exp(-logit))
    return table


def standing(recruited: Counts) -> float:
    """What the agents before a side are worth for the turns to come."""
    return sum(WORTH[a][min(recruited[a], 2)] for a in AGENTS)


def unseen_by(view: aa.View) -> Counts:
    """The cards this seat has never seen: in the deck, in the other hand or discards, face down."""
    unseen = COPIES.copy()
    seen = [view.hand, view.own_discards, *(side.recruited for side in view.sides)]
    for agents in seen:
        for agent in agents:
            unseen[agent] -= 1
    if view.face_up:
        unseen[view.face_up] -= 1
    return unseen


def counts(agents: Iterable[int]) -> Counts:
    """How many of each agent there are."""
    found = [0] * 9
    for agent in agents:
        found[agent] += 1
    return found
