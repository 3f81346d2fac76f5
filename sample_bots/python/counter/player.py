"""Plays Agent Avenue thoughtfully: counts cards, weighs every way to win, chooses what to hide.

Whatever two cards are played, one side recruits each. `chances` says, for every two agents that may be recruited this
turn, how likely the active side then wins (`worth.py` has how that is judged). Around that table most decisions are
easy:

- The recruiter compares taking the face-up card with leaving it, averaged over the cards it has never seen, any of
  which may lie face down.
- The active side plays what is best against such a recruiter, who takes the better card more often the more clearly it
  is better, or discards if an unseen card promises a better play.
- In a team, who lays face up expects the partner to add the best card of a hand that may hold any unseen cards, and
  leaves it to the partner if what that one would lay, with our best card beside it, promises more.
- A card of the market is judged by the position that it leads to (`market.py`).

Teammates answer at once and the captain's answer stands, so each answers as if it were the captain.
"""

from collections.abc import Callable

from market import Table, after_choice, worth_of_card, worth_with_unknown_hand
from referee_bot.v1 import agent_avenue_pb2 as aa
from referee_bot.v1 import bot_pb2 as pb
from worth import (
    AGENTS,
    Counts,
    all_but,
    best_of_unknown,
    chance,
    chances_of_best,
    counts,
    logistic,
    side_of,
    standing,
)

Chances = list[list[float]]
"""By the agents that the active and the other side recruit: how likely the active side wins."""

CARE = 5.0  # how surely a recruiter takes the better card: log odds per unit of chance
DISCARD_TRUST = 0.96  # what is left of the chance that a discard promises, as there are only a few


class Player:
    """One match. It remembers nothing, since a view holds every card that was ever shown."""

    def __init__(self, start: pb.MatchStart) -> None:
        """Nothing of `start` is needed: it draws no luck, and a view says where it sits."""

    def choose(self, decision: pb.Decision) -> int:
        """The index of the chosen action in `decision.legal`."""
        view = aa.View.FromString(decision.view)
        actions = [aa.Action.FromString(action) for action in decision.legal]
        weigh = WEIGH[actions[0].WhichOneof("body")]
        # Rounded, so that the last bits of `exp`, in which machines differ, decide nothing.
        worths = [round(worth, 9) for worth in weigh(view, actions)]
        return worths.index(max(worths))


def play_worths(view: aa.View, actions: list[aa.Action]) -> list[float]:
    """How likely we win by each Play or Discard."""
    turn = turn_of(view)

    def best(hand: Counts) -> float:
        names = [agent for agent in AGENTS if hand[agent]]
        pairs = [(up, down) for up in names for down in names if up != down] or [(names[0], names[0])]
        return max(turn.worth(up, down) for up, down in pairs)

    return [
        turn.worth(action.play.face_up, action.play.face_down)
        if action.HasField("play")
        else worth_after_discard(view, action.discard.agent, best)
        for action in actions
    ]


def lay_worths(view: aa.View, actions: list[aa.Action]) -> list[float]:
    """How likely we win by each Lay, Discard or HandOver."""
    turn = turn_of(view)
    if view.face_up:
        worths = [turn.worth(view.face_up, down) for down in range(9)]
    else:
        worths = [worth_of_face_up(turn, view, up) for up in range(9)]

    def best(hand: Counts) -> float:
        return max(worths[agent] for agent in AGENTS if hand[agent])

    return [
        worths[action.lay.agent]
        if action.HasField("lay")
        else worth_after_discard(view, action.discard.agent, best)
        if action.HasField("discard")
        else worth_of_handing_over(turn, view, worths)
        for action in actions
    ]


def worth_of_face_up(turn: "Turn", view: aa.View, up: int) -> float:
    """How likely we win by laying this face up, if the partner adds the best card of a hand we do not know."""
    worths = {down: turn.worth(up, down) for down in AGENTS if down != up}
    known, cards = partner_hand(view)
    sure = max((worths[agent] for agent in known if agent != up), default=0.0)
    worths = {down: max(worth, sure) for down, worth in worths.items()}
    return best_of_unknown(worths, unseen_by(view), cards, otherwise=max(turn.worth(up, up), sure))


def worth_of_handing_over(turn: "Turn", view: aa.View, worths: list[float]) -> float:
    """How likely we win if the partner lays face up what seems best to it, and we the best beside that."""
    known, cards = partner_hand(view)
    ranked = sorted(AGENTS, key=lambda agent: -worths[agent])
    sure = [agent for agent in ranked if agent in known][:1]
    ranked = ranked[: ranked.index(sure[0])] if sure else ranked
    chances = chances_of_best(ranked, unseen_by(view), cards)
    answers = [max((turn.worth(up, down) for down in view.hand if down != up), default=0.0) for up in range(9)]
    rest = 1 - sum(chance for _, chance in chances)
    return sum(chance * answers[up] for up, chance in chances) + sum(rest * answers[up] for up in sure)


def partner_hand(view: aa.View) -> tuple[list[int], int]:
    """The cards that the partner is known to hold, and how many others it has."""
    seat = view.seats[view.seat ^ 2]
    known = [mark.agent for mark in seat.marks for _ in range(mark.count) if mark.discards_since == 0]
    return known, seat.hand_count - len(known)


def recruit_worths(view: aa.View, actions: list[aa.Action]) -> list[float]:
    """By how much each Recruit is better than the other one."""
    gain = Turn(chances(view), unseen_by(view, [view.face_up])).gain_of_taking(view.face_up)
    return [gain if action.recruit.slot == aa.SLOT_FACE_UP else -gain for action in actions]


def take_worths(view: aa.View, actions: list[aa.Action]) -> list[float]:
    """How likely we win by each Take."""
    table, unseen, hand = table_of(view), unseen_by(view), counts(view.hand)

    def worth(take: aa.Take) -> float:
        if take.HasField("taker") and take.taker != view.seat:
            return worth_with_unknown_hand(table, take.card, unseen, view.seats[take.taker].hand_count)
        return worth_of_card(table, take.card, hand, unseen)

    return [worth(action.take) for action in actions]


def choose_worths(view: aa.View, actions: list[aa.Action]) -> list[float]:
    """How likely we win by each Choose."""
    table = table_of(view)
    return [after_choice(table, view.market.resolving, action.choose.agent).chance() for action in actions]


def again_worths(view: aa.View, actions: list[aa.Action]) -> list[float]:
    """How likely we win by each RecruitAgain."""
    table = table_of(view)
    again = table.recruiting(view.market.returned)
    return [(again if action.recruit_again.again else table).chance() for action in actions]


WEIGH: dict[str | None, Callable[[aa.View, list[aa.Action]], list[float]]] = {
    "play": play_worths,
    "lay": lay_worths,
    "recruit": recruit_worths,
    "take": take_worths,
    "choose": choose_worths,
    "recruit_again": again_worths,
}


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


def turn_of(view: aa.View) -> Turn:
    """The turn of our own side."""
    # The recruiter has seen what lies open; our hand and our discards may be anywhere for it.
    return Turn(chances(view), all_but(*open_piles(view)))


def worth_after_discard(view: aa.View, agent: int, best: Callable[[Counts], float]) -> float:
    """How likely we win with the best that follows once `agent` is discarded for an unseen card."""
    unseen, hand = unseen_by(view), counts(view.hand)
    hand[agent] -= 1
    total = 0.0
    for drawn in AGENTS:
        if unseen[drawn]:
            hand[drawn] += 1
            total += unseen[drawn] * best(hand)
            hand[drawn] -= 1
    return total / sum(unseen) * DISCARD_TRUST


def chances(view: aa.View) -> Chances:
    """How likely the active side wins, for every two agents that may be recruited this turn."""
    number = view.active_seat % 2
    active, other = side_of(view, number), side_of(view, 1 - number)
    ours = [standing(active.recruiting(agent)) for agent in range(9)]
    theirs = [standing(other.recruiting(agent)) for agent in range(9)]
    return [[chance(a, b) for b in theirs] for a in ours]


def table_of(view: aa.View) -> Table:
    """Both sides as ours looks at them."""
    number = view.seat % 2
    return Table(side_of(view, number), side_of(view, 1 - number), view.active_seat % 2 == number)


def unseen_by(view: aa.View, *more: "list[aa.Agent.ValueType]") -> Counts:
    """The cards that this seat has never seen."""
    return all_but(view.hand, view.own_discards, *more, *open_piles(view))


def open_piles(view: aa.View) -> list[list[int]]:
    """What lies open to everybody: before the sides, and out of the game."""
    return [*(list(side.recruited) for side in view.sides), list(view.market.removed)]
