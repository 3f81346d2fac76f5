"""Plays Inside Job with care: completes missions as an agent, sabotages late as the Insider, votes by counted evidence.

To judge a card, the bot plays out tricks in its head. It deals the cards that it has not seen to the players who come
after it, a few times, as far as the suits that they lack allow. Each of them may then play one of two cards, and if any
of these ways completes the mission, they find it. The worth of such a trick depends on the role (`aims.py`): whether
the mission is completed, who gets the tokens, who is revealed. The Insider follows suit as the others must, except to
stop the mission that would end the game. `memory.py` counts the evidence against each player. The vote goes to whoever
looks worst.
"""

from collections.abc import Sequence
from itertools import product
from random import Random

from aims import MISSIONS, Aim, Situation, aim
from memory import Memory
from referee_bot.v1 import bot_pb2 as pb
from referee_bot.v1 import inside_job_pb2 as ij
from trick import Laid, Mission, Result, read, result

SAMPLES = 5
CANDIDATES = 2
GIVEN_AWAY = 0.15  # what it costs to put a token on a card
SUSPECTS_FROM = 0.3  # how likely somebody must be the Insider to be named
WRONG_VOTERS = ("decoy", "shady")
"""The roles that want somebody other than the Insider to be accused."""


class Player:
    """One match."""

    def __init__(self, start: pb.MatchStart) -> None:
        """Its random numbers come from the seed of the match."""
        self.random = Random(start.seed)
        self.special = ij.Options.FromString(start.options).roles.split(",")
        self.memory = Memory(start.seat, start.seats, self.random)

    def choose(self, decision: pb.Decision) -> int:
        """The index of the chosen action in `decision.legal`."""
        view = ij.View.FromString(decision.view)
        self.memory.hear(view, map(ij.Event.FromString, decision.events))
        now = Situation(view, len(view.seats), self.memory.chances(view), self.special)
        actions = [ij.Action.FromString(action) for action in decision.legal]
        # Rounded, because the last bits of floats differ between machines. They must decide nothing.
        worths = [round(worth, 9) for worth in self.worths(now, actions)]
        return worths.index(max(worths))

    def worths(self, now: Situation, actions: Sequence[ij.Action]) -> list[float]:
        """What each of the actions is worth."""
        match actions[0].WhichOneof("body"):
            case "choose_mission":
                hand = [Laid(card, False) for card in now.view.hand]
                by_id = {mission.id: read(mission) for mission in now.view.looked_at}
                chosen = [by_id[action.choose_mission.mission] for action in actions]
                return [max(self.worths_of_cards(now, mission, hand)) for mission in chosen]
            case "play_card":
                cards = [Laid(action.play_card.card, action.play_card.wager) for action in actions]
                return self.worths_of_cards(now, read(now.view.mission), cards)
            case "suspect":
                return [self.worth_of_suspicion(now, action.suspect) for action in actions]
            case "vote":
                return [sum(self.worth_of_ballot(now, seat) for seat in action.vote.ballots) for action in actions]
            case _:  # whose Accomplice to be: anybody's
                return [self.random.random() for _ in actions]

    def worths_of_cards(self, now: Situation, mission: Mission, cards: Sequence[Laid]) -> list[float]:
        """What each card is worth, on average over some hands that the players after us may have."""
        laid = [Laid(it.card, it.wager) for it in now.view.laid]
        worth_of_result = Worth(now, aim(now.view.role, now.view.seat, now))
        deals = [self.deal(now) for _ in range(SAMPLES if self.to_come(now) else 1)]
        return [
            sum(worth_of_result(outcome(mission, [*laid, card], hands)) for hands in deals) / len(deals)
            - GIVEN_AWAY * card.wager
            - revoke(now, card, cards)
            for card in cards
        ]

    def to_come(self, now: Situation) -> list[int]:
        """The seats that play after us."""
        after = now.seats - len(now.view.laid) - 1
        return [(now.view.seat + step) % now.seats for step in range(1, after + 1)]

    def deal(self, now: Situation) -> list[list[int]]:
        """Possible hands of the seats that play after us."""
        pool = sorted(self.memory.unseen)
        self.random.shuffle(pool)
        size = len(now.view.hand)
        hands = [pool[at * size : (at + 1) * size] for at in range(len(self.to_come(now)))]
        missing = [self.memory.missing[seat] for seat in self.to_come(now)]
        return [
            [card for card in hand if card // 100 not in lacks] or hand
            for hand, lacks in zip(hands, missing, strict=True)
        ]

    def worth_of_suspicion(self, now: Situation, said: ij.Suspect) -> float:
        """A suspect is worth as much as in the vote. Naming nobody is worth `SUSPECTS_FROM`."""
        return self.worth_of_ballot(now, said.suspect) if said.HasField("suspect") else SUSPECTS_FROM

    def worth_of_ballot(self, now: Situation, seat: int) -> float:
        """How likely the seat is the Insider, or how unlikely, for roles that want somebody else accused."""
        return -now.chances[seat] if now.view.role in WRONG_VOTERS else now.chances[seat]


def outcome(mission: Mission, laid: list[Laid], hands: list[list[int]]) -> Result:
    """How a trick ends if the others play on from these hands. They complete the mission if they can."""
    suit = laid[0].card // 100
    candidates = [[Laid(card, False) for card in follow(hand, suit)[:CANDIDATES]] for hand in hands]
    ways = (result(mission, [*laid, *rest]) for rest in product(*candidates))
    first = next(ways)
    return first if first.completed else next((it for it in ways if it.completed), first)


class Worth:
    """What a trick is worth, by how it ends."""

    def __init__(self, now: Situation, wanted: Aim) -> None:
        view = now.view
        self.leader = (view.seat - len(view.laid)) % now.seats
        self.limit = now.limit
        self.wanted = wanted
        self.tokens = [it.tokens for it in view.seats]
        self.hidden = [not it.revealed for it in view.seats]
        self.wired = [it.role == "wired" for it in view.seats]

    def __call__(self, found: Result) -> float:
        """What this end is worth."""
        seat, won = (self.leader + found.winner) % len(self.tokens), 1 + found.wagered
        worth = self.wanted.mission * found.completed + self.wanted.token[seat] * won
        if self.wired[seat] and self.tokens[seat] + won > 1:
            worth += self.wanted.wired
        if self.hidden[seat] and self.tokens[seat] + won >= self.limit:
            worth += self.wanted.reveal[seat]
        return worth


def follow(hand: list[int], suit: int) -> list[int]:
    """The cards of a hand that may be played if this suit was led."""
    return [card for card in hand if card // 100 == suit] or hand


def revoke(now: Situation, card: Laid, cards: Sequence[Laid]) -> float:
    """What it costs not to follow suit where others must. It costs little if the agents need one more mission."""
    if not now.view.laid:
        return 0.0
    suit = now.view.laid[0].card // 100
    if card.card // 100 == suit or all(it.card // 100 != suit for it in cards):
        return 0.0
    return 0.2 if MISSIONS[now.seats] - len(now.view.completed) == 1 else 2.0
