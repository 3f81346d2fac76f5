"""Plays Agent Avenue thoughtfully: counts cards, weighs every way to win, chooses what to hide.

Whatever two cards are played, one side recruits each. `chances` says, for every two agents that may
be recruited this turn, how likely the active side then wins. Where the turn ends the match this is
certain; elsewhere it is judged from the lead and from what lies before the sides, by weights fitted
to matches of this bot against itself. Around that table both decisions are easy:

- The recruiter compares taking the face-up card with leaving it, averaged over the cards it has
  never seen, any of which may lie face down.
- The active side plays what is best against such a recruiter, who takes the better card more often
  the more clearly it is better, or discards if an unseen card promises a better play.
"""

from collections.abc import Iterable
from math import exp

from referee_bot.v1 import agent_avenue_pb2 as aa
from referee_bot.v1 import bot_pb2 as pb

Counts = list[int]
"""How many there are of each agent, by its number (1 to 8; 0 is no agent)."""

Chances = list[list[float]]
"""By the agents that the active and the other side recruit: how likely the active side wins."""

AGENTS = range(1, 9)
COPIES = [0, 6, 6, 6, 6, 6, 6, 1, 1]
# How far the first, the second and every later one of an agent moves.
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
# What none, one, two or more of an agent promise for later turns, in log odds of winning.
PROMISE = [
    (0.0, 0.0, 0.0),
    (0.0, 0.95, -0.12),  # Double Agent
    (0.0, 0.14, 0.33),  # Enforcer
    (0.0, 0.42, 1.75),  # Codebreaker
    (0.0, -0.23, -0.32),  # Saboteur
    (0.0, -0.35, -1.88),  # Daredevil
    (0.0, 0.71, 1.36),  # Sentinel
    (0.0, 0.0, 0.0),
    (0.0, 0.0, 0.0),
]
LEAD = 0.42  # what one space of lead is worth, in log odds
TURN = 0.3  # what it is worth to be active next, in log odds
CARE = 5.0  # how surely a recruiter takes the better card: log odds per unit of chance
DISCARD_TRUST = 0.96  # what is left of the chance that a discard promises, as there are only four


class Player:
    """One match. It remembers nothing, since a view holds every card that was ever shown."""

    def __init__(self, start: pb.MatchStart) -> None:
        """Nothing of `start` is needed: it draws no luck, and a view says where it sits."""

    def choose(self, decision: pb.Decision) -> int:
        """The index of the chosen action in `decision.legal`."""
        view = aa.View.FromString(decision.view)
        actions = [aa.Action.FromString(action) for action in decision.legal]
        weigh = active_worths if view.active_seat == view.seat else recruiter_worths
        # Rounded, so that the last bits of `exp`, in which machines differ, decide nothing.
        worths = [round(worth, 9) for worth in weigh(view, actions)]
        return worths.index(max(worths))


def active_worths(view: aa.View, actions: list[aa.Action]) -> list[float]:
    """How likely we win by each Play or Discard."""
    recruited = [side.recruited for side in view.sides]
    # The recruiter has seen what lies open; our hand and our discards may be anywhere for it.
    turn = Turn(chances(view), all_but(*recruited))
    unseen = all_but(view.hand, view.own_discards, *recruited)
    hand = counts(view.hand)
    return [
        turn.worth(action.play.face_up, action.play.face_down)
        if action.HasField("play")
        else worth_after_discard(turn, hand, unseen, action.discard.agent) * DISCARD_TRUST
        for action in actions
    ]


def recruiter_worths(view: aa.View, actions: list[aa.Action]) -> list[float]:
    """By how much each Recruit is better than the other one."""
    unseen = all_but(view.hand, view.own_discards, [view.face_up], *(side.recruited for side in view.sides))
    gain = Turn(chances(view), unseen).gain_of_taking(view.face_up)
    return [gain if action.recruit.slot == aa.SLOT_FACE_UP else -gain for action in actions]


class Turn:
    """One turn, as both sides may think about it.

    Attributes:
        wins: what each outcome is worth to the active side.
        unseen: the cards of which the recruiter thinks that any may lie face down.
    """

    def __init__(self, wins: Chances, unseen: Counts) -> None:
        self.wins = wins
        self.unseen = unseen
        self.taking = [logistic(CARE * self.gain_of_taking(up)) for up in range(9)]

    def gain_of_taking(self, up: int) -> float:
        """By how much the recruiter is better off with the face-up card than with the other."""
        wins = self.wins
        total, gain = 0, 0.0
        for down in AGENTS:
            if down != up:
                total += self.unseen[down]
                gain += self.unseen[down] * (wins[up][down] - wins[down][up])
        return gain / total if total else 0.0

    def worth(self, up: int, down: int) -> float:
        """How likely the active side wins by playing these two."""
        return self.taking[up] * self.wins[down][up] + (1 - self.taking[up]) * self.wins[up][down]

    def best(self, hand: Counts) -> float:
        """How likely the active side wins by its best Play from this hand."""
        names = [agent for agent in AGENTS if hand[agent]]
        pairs = [(up, down) for up in names for down in names if up != down] or [(names[0], names[0])]
        return max(self.worth(up, down) for up, down in pairs)


def worth_after_discard(turn: Turn, hand: Counts, unseen: Counts, agent: int) -> float:
    """How likely we win with the best Play after discarding `agent` for an unseen card."""
    total = 0.0
    for drawn in AGENTS:
        if unseen[drawn]:
            after = hand.copy()
            after[agent] -= 1
            after[drawn] += 1
            total += unseen[drawn] * turn.best(after)
    return total / sum(unseen)


class Side:
    """What lies before a side, and by agent what one more would do there.

    Attributes:
        steps: how far the pawn would move.
        promise: what all that then lies there would promise, in log odds.
        wins: the agents that win at once by being recruited.
        loses: those that lose at once.
    """

    def __init__(self, recruited: Iterable[int]) -> None:
        have = [min(count, 2) for count in counts(recruited)]
        now = sum(PROMISE[agent][have[agent]] for agent in AGENTS)
        self.steps = [STEPS[agent][count] for agent, count in enumerate(have)]
        self.promise = [
            now - PROMISE[agent][count] + PROMISE[agent][min(count + 1, 2)] for agent, count in enumerate(have)
        ]
        self.wins = [aa.AGENT_CODEBREAKER] if have[aa.AGENT_CODEBREAKER] == 2 else []
        self.loses = [aa.AGENT_DAREDEVIL] if have[aa.AGENT_DAREDEVIL] == 2 else []


def chances(view: aa.View) -> Chances:
    """How likely the active side wins, for every two agents that may be recruited this turn."""
    active, other = view.sides[view.active_seat], view.sides[1 - view.active_seat]
    lead = active.progress - other.progress
    mine, theirs = Side(active.recruited), Side(other.recruited)
    return [[chance(lead, mine, theirs, a, b) for b in range(9)] for a in range(9)]


def chance(lead: int, active: Side, other: Side, a: int, b: int) -> float:
    """How likely the active side wins if it recruits `a` and the other side `b`."""
    after = lead + active.steps[a] - other.steps[b]
    # The active side comes first: it wins if both sides have a claim.
    if a in active.wins or b in other.loses or after >= 7:
        return 1.0
    if b in other.wins or a in active.loses or after <= -7:
        return 0.0
    return logistic(LEAD * after + active.promise[a] - other.promise[b] - TURN)


def logistic(log_odds: float) -> float:
    """The chance that has these odds."""
    return 1 / (1 + exp(-log_odds))


def all_but(*piles: Iterable[int]) -> Counts:
    """All cards of the game without those in the piles."""
    rest = COPIES.copy()
    for pile in piles:
        for agent in pile:
            rest[agent] -= 1
    return rest


def counts(agents: Iterable[int]) -> Counts:
    """How many there are of each agent."""
    found = [0] * 9
    for agent in agents:
        found[agent] += 1
    return found
