"""Plays Agent Avenue thoughtfully: counts cards, weighs every way to win, chooses what to hide.

Whatever two cards are played, one side recruits each. `chances` says, for every two agents that may be recruited this
turn, how likely the active side then wins (`worth.py` judges that). Around that table most decisions are easy:

- The recruiter compares taking the face-up card with leaving it, averaged over the cards that may lie face down.
- The active side plays what is best against such a recruiter, who takes the better card more often the more clearly it
  is better, or discards if an unseen card promises a better play.
- In a team, the player who lays face up expects the partner to add its best card. The partner's hand may hold any
  unseen cards (`hands.py`). If the partner's own card, with our best card beside it, promises more, the partner lays.
- A card of the market is judged by the position that it leads to (`market.py`).

If two teammates answer at once, the captain's answer stands. So each answers as if it were the captain.
"""

from collections.abc import Callable, Sequence

from hands import AGENTS, Counts, all_but, counts, hand_of, may_lie_face_down, open_piles, unseen_by
from market import Table, worth_of_card, worth_of_card_for, worth_of_choice
from referee_bot.v1 import agent_avenue_pb2 as aa
from referee_bot.v1 import bot_pb2 as pb
from worth import chance, logistic, side_of, standing

Chances = list[list[float]]
"""How likely the active side wins, by its recruited agent and the other side's."""

CARE = 5.0  # how surely a recruiter takes the better card: log odds per unit of chance
DISCARD_TRUST = 0.96  # the factor for the chance after a discard, because discards are few


class Player:
    """One match. It remembers nothing, since a view holds every card that was ever shown."""

    def __init__(self, start: pb.MatchStart) -> None:
        """The player needs nothing from `start`: it uses no random numbers, and a view names its seat."""

    def choose(self, decision: pb.Decision) -> int:
        """The index of the chosen action in `decision.legal`."""
        view = aa.View.FromString(decision.view)
        actions = [aa.Action.FromString(action) for action in decision.legal]
        weigh = WEIGH[actions[0].WhichOneof("body")]
        # Rounded, because the last bits of `exp` differ between machines. They must decide nothing.
        worths = [round(worth, 9) for worth in weigh(view, actions)]
        return worths.index(max(worths))


class Turn:
    """One turn, as both sides may think about it.

    Attributes:
        wins: what each outcome is worth to the active side.
        hidden: how likely the recruiter thinks each agent to lie face down, relative to the others.
        taking: by agent, how likely the recruiter takes it if it lies face up.
    """

    def __init__(self, wins: Chances, hidden: Sequence[float]) -> None:
        self.wins = wins
        self.hidden = hidden
        self.taking = [logistic(CARE * self.gain_of_taking(up)) for up in range(9)]

    def gain_of_taking(self, up: int) -> float:
        """By how much the recruiter is better off with the face-up card than with the other."""
        wins = self.wins
        total, gain = 0.0, 0.0
        for down in AGENTS:
            if down != up:
                total += self.hidden[down]
                gain += self.hidden[down] * (wins[up][down] - wins[down][up])
        return gain / total if total else 0.0

    def worth(self, up: int, down: int) -> float:
        """How likely the active side wins by playing these two."""
        return self.taking[up] * self.wins[down][up] + (1 - self.taking[up]) * self.wins[up][down]

    def best_pair(self, hand: Counts) -> float:
        """How likely the active side wins by its best two cards of this hand."""
        names = [agent for agent in AGENTS if hand[agent]]
        pairs = [(up, down) for up in names for down in names if up != down] or [(names[0], names[0])]
        return max(self.worth(up, down) for up, down in pairs)


def turn_of(view: aa.View) -> Turn:
    """The turn of our own side."""
    # The recruiter has seen the open cards. As far as it knows, our hand and our discards may be anywhere.
    return Turn(chances(view), all_but(*open_piles(view)))


def chances(view: aa.View) -> Chances:
    """How likely the active side wins, for every two agents that may be recruited this turn."""
    number = view.active_seat % 2
    active, other = side_of(view, number), side_of(view, 1 - number)
    ours = [standing(active.recruiting(agent)) for agent in range(9)]
    theirs = [standing(other.recruiting(agent)) for agent in range(9)]
    return [[chance(a, b) for b in theirs] for a in ours]


def play_worths(view: aa.View, actions: list[aa.Action]) -> list[float]:
    """How likely we win by each Play or Discard."""
    turn = turn_of(view)
    return [
        turn.worth(action.play.face_up, action.play.face_down)
        if action.HasField("play")
        else worth_after_discard(view, action.discard.agent, turn.best_pair)
        for action in actions
    ]


def lay_worths(view: aa.View, actions: list[aa.Action]) -> list[float]:
    """How likely we win by each Lay, Discard or HandOver."""
    turn = turn_of(view)
    if view.face_up:
        laid = [turn.worth(view.face_up, down) for down in range(9)]
    else:
        laid = [worth_of_face_up(turn, view, up) for up in range(9)]

    def best_lay(hand: Counts) -> float:
        return max(laid[agent] for agent in AGENTS if hand[agent])

    def worth(action: aa.Action) -> float:
        if action.HasField("lay"):
            return laid[action.lay.agent]
        if action.HasField("discard"):
            return worth_after_discard(view, action.discard.agent, best_lay)
        return worth_of_handing_over(turn, view, laid)

    return [worth(action) for action in actions]


def worth_of_face_up(turn: Turn, view: aa.View, up: int) -> float:
    """How likely we win by laying this face up, if the partner adds its best card."""
    worths = {down: turn.worth(up, down) for down in AGENTS if down != up}
    return hand_of(view, partner(view)).worth_of_best(worths, otherwise=turn.worth(up, up))


def worth_of_handing_over(turn: Turn, view: aa.View, laid: list[float]) -> float:
    """How likely we win if the partner lays face up what is best by `laid`, and we add our best card."""
    ranked = sorted(AGENTS, key=lambda agent: -laid[agent])
    ups = hand_of(view, partner(view)).chances_of_best(ranked)
    return sum(
        likely * max((turn.worth(up, down) for down in view.hand if down != up), default=0.0) for up, likely in ups
    )


def partner(view: aa.View) -> int:
    """The seat of our partner."""
    return (view.seat + 2) % 4


def worth_after_discard(view: aa.View, agent: int, best: Callable[[Counts], float]) -> float:
    """How likely we win by the best that follows once `agent` is discarded for an unseen card."""
    unseen, hand = unseen_by(view), counts(view.hand)
    hand[agent] -= 1
    total = 0.0
    for drawn in AGENTS:
        if unseen[drawn]:
            hand[drawn] += 1
            total += unseen[drawn] * best(hand)
            hand[drawn] -= 1
    return total / sum(unseen) * DISCARD_TRUST


def recruit_worths(view: aa.View, actions: list[aa.Action]) -> list[float]:
    """By how much each Recruit is better than the other one."""
    gain = Turn(chances(view), may_lie_face_down(view)).gain_of_taking(view.face_up)
    return [gain if action.recruit.slot == aa.SLOT_FACE_UP else -gain for action in actions]


def take_worths(view: aa.View, actions: list[aa.Action]) -> list[float]:
    """How likely we win by each Take."""
    table, unseen, hand = table_of(view), unseen_by(view), counts(view.hand)

    def worth(take: aa.Take) -> float:
        if take.HasField("taker") and take.taker != view.seat:
            return worth_of_card_for(hand_of(view, take.taker), table, take.card)
        return worth_of_card(table, take.card, hand, unseen)

    return [worth(action.take) for action in actions]


def choose_worths(view: aa.View, actions: list[aa.Action]) -> list[float]:
    """How likely we win by each Choose."""
    table = table_of(view)
    return [worth_of_choice(table, view.market.resolving, action.choose.agent) for action in actions]


def again_worths(view: aa.View, actions: list[aa.Action]) -> list[float]:
    """How likely we win by each RecruitAgain."""
    kept = table_of(view)
    again = kept.recruiting(view.market.returned)
    return [(again if action.recruit_again.again else kept).chance() for action in actions]


def table_of(view: aa.View) -> Table:
    """Both sides as ours looks at them."""
    number = view.seat % 2
    return Table(side_of(view, number), side_of(view, 1 - number), active=view.active_seat % 2 == number)


WEIGH: dict[str | None, Callable[[aa.View, list[aa.Action]], list[float]]] = {
    "play": play_worths,
    "lay": lay_worths,
    "recruit": recruit_worths,
    "take": take_worths,
    "choose": choose_worths,
    "recruit_again": again_worths,
}
"""How to weigh the actions of a decision, by the first of them."""
