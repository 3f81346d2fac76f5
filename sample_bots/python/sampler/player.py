"""Plays Inside Job by what it finds in worlds that fit what it has seen (`README.md`)."""

from collections.abc import Sequence
from random import Random

import numpy as np
from belief import Belief, believe, likelihoods
from lookahead import Numbers, Trick, lay, wanted
from memory import Memory
from outlook import ends
from referee_bot.v1 import bot_pb2 as pb
from referee_bot.v1 import inside_job_pb2 as ij
from tricks import DECK, Ints, Mission, card_of, mission_of

WORLDS, ROUGHLY = 24, 12  # worlds to look at for a card; for a mission
NAMES_INSIDER = 0.6  # how often an agent names the Insider
BIAS, SLOPE = 0.8, 0.8  # how the chance to be accused grows with the suspicion, in log odds
ENEMIES = ("insider", "prof_no")

Card = tuple[int, bool]


class Player:
    """One match."""

    def __init__(self, start: pb.MatchStart) -> None:
        """Its random numbers come from the seed of the match."""
        self.seat, self.seats = start.seat, start.seats
        self.special = ij.Options.FromString(start.options).roles.split(",")
        self._rng = Random(start.seed)
        self._memory = Memory(start.seats, self.special, self._rng)

    def choose(self, decision: pb.Decision) -> int:
        """The index of the chosen action in `decision.legal`."""
        view = ij.View.FromString(decision.view)
        self._memory.observer = None if view.role in (*ENEMIES, "decoy") else self.seat
        self._memory.hear(view, map(ij.Event.FromString, decision.events))
        actions = [ij.Action.FromString(action) for action in decision.legal]
        if len(actions) == 1:
            return 0
        # Rounded, because the last bits of floats differ between machines. They must decide nothing.
        worths = [round(float(worth), 9) for worth in self._worths(view, actions)]
        return worths.index(max(worths))

    def _worths(self, view: ij.View, actions: Sequence[ij.Action]) -> Sequence[float] | Numbers:
        """What each of the actions is worth."""
        match actions[0].WhichOneof("body"):
            case "choose_mission":
                cards, belief = [(card_of(card), False) for card in view.hand], self._belief(view)
                missions = {it.id: mission_of(it) for it in view.looked_at}
                best = {
                    name: float(self._cards(view, it, cards, belief, ROUGHLY).max()) for name, it in missions.items()
                }
                return [best[action.choose_mission.mission] for action in actions]
            case "play_card":
                cards = [(card_of(action.play_card.card), action.play_card.wager) for action in actions]
                return self._cards(view, mission_of(view.mission), cards, self._belief(view))
            case "suspect":
                ballots = self._ballots(view)
                return [ballots[it.suspect.suspect] if it.suspect.HasField("suspect") else 0.0 for it in actions]
            case "vote":
                ballots = self._ballots(view)
                return [sum(ballots[seat] for seat in action.vote.ballots) for action in actions]
            case _:  # whose Accomplice to be: anybody's
                return [self._rng.random() for _ in actions]

    # What it believes

    def _belief(self, view: ij.View) -> Belief:
        if view.role in ENEMIES:
            suspects = [self.seat]
        elif view.partner_role in ENEMIES:
            suspects = [view.partner]
        else:
            known = {self.seat} | ({view.partner} if view.partner_role else set())
            suspects = [seat for seat, it in enumerate(view.seats) if not it.role and seat not in known]
        hand = np.zeros(DECK, bool)
        hand[[card_of(card) for card in view.hand]] = True
        return believe(self._memory, self.seat, hand, suspects, self._rng)

    def _public(self, view: ij.View) -> Belief:
        """What everybody believes."""
        suspects = [seat for seat, it in enumerate(view.seats) if not it.role]
        return believe(self._memory, None, np.zeros(DECK, bool), suspects, self._rng)

    # Cards

    def _cards(
        self, view: ij.View, mission: Mission, cards: Sequence[Card], belief: Belief, worlds: int = WORLDS
    ) -> Numbers:
        """How likely we win if we lay each of these cards."""
        sums = belief.weights.cumsum()
        drawn = np.searchsorted(sums, (np.arange(worlds) + 0.5) / worlds * sums[-1])
        hands, insiders = belief.hands[drawn], belief.insiders[drawn]
        trick = Trick(mission, [(card_of(it.card), it.wager) for it in view.laid], self.seat, self._memory.able_to_bet)
        numbers, tokens = (np.array(column) for column in zip(*cards, strict=True))
        wants = [self._wants(view, trick, seat, insiders) for seat in trick.later]
        measures = [it for token in range(2) for it in ends(view, self.special, insiders, len(wants), token)]
        found = lay(trick, numbers.astype(np.int16), tokens, (hands, insiders), wants, measures, self._rng)
        agents, vote = (np.where(tokens[:, None], found[2 + at], found[at]) for at in range(2))
        if view.role in (*ENEMIES, "decoy"):
            accused = self._accused(view, trick, cards)[:, None]
            worths = vote * accused if view.role == "decoy" else -agents - accused * vote
        else:
            worths = self._sign(view, insiders) * (agents + _accused(belief.chances)[insiders] * vote)
        return np.asarray(worths.mean(axis=-1))

    def _accused(self, view: ij.View, trick: Trick, cards: Sequence[Card]) -> Numbers:
        """How likely we are accused in the vote after we laid each of these cards."""
        public, plays = self._public(view), self._memory.possible(trick, cards)
        innocent = public.insiders != self.seat
        hands = public.hands[innocent if innocent.any() else ~innocent, self.seat]
        hands = np.repeat(hands[None], len(plays), axis=0)
        hands[np.arange(len(plays)), :, [card for card, _ in cards]] = True
        agent, insider = likelihoods(plays, hands)
        return _accused(public.chances[self.seat], np.log(insider.mean(axis=-1) / agent.mean(axis=-1)))

    def _wants(self, view: ij.View, trick: Trick, seat: int, insiders: Ints) -> Numbers:
        """What each end of the trick is worth to a later player."""
        wants = wanted(trick, seat, insiders, self._memory.styles, self._memory.sabotage)
        for wired, it in enumerate(view.seats):
            if it.role == "wired" and it.tokens:
                wants[..., wired] += np.where(insiders == seat, 2.0, -2.0)[:, None, None, None]
        return wants

    def _sign(self, view: ij.View, insiders: Ints) -> Numbers:
        """By world, 1 if we win with the agents, -1 if we win against them."""
        right = (self.seat - 1) % self.seats
        if view.role == "shady":
            return np.where(insiders == right, 1.0, -1.0)
        against = view.partner_role in ENEMIES or (view.role == "sleeper" and view.seats[self.seat].revealed)
        return np.full(len(insiders), -1.0 if against else 1.0)

    # The vote

    def _ballots(self, view: ij.View) -> Numbers:
        """What a ballot for each seat is worth."""
        chances = (self._public(view) if view.role in ENEMIES else self._belief(view)).chances.copy()
        if view.role in ENEMIES:
            chances[self.seat] = 0.0
        chances *= self._talk()
        chances /= max(chances.sum(), 1e-9)
        wrong = view.role == "decoy" or (view.role == "shady" and chances[(self.seat - 1) % self.seats] < 0.5)
        return -chances if wrong else chances

    def _talk(self) -> Numbers:
        """By seat, how likely the others name whom they named if it is the Insider."""
        likely = np.ones(self.seats)
        for seat, suspect in self._memory.suspects.items():
            if suspect is None or seat == self.seat:
                continue
            wrong = (1 - NAMES_INSIDER) / (self.seats - 2)
            likely *= np.where(np.arange(self.seats) == suspect, NAMES_INSIDER, wrong)
            likely[seat] *= 1 / (self.seats - 1) / wrong
        return likely


def _accused(chances: Numbers | float, more: Numbers | float = 0.0) -> Numbers:
    """How likely those are accused who are the Insider with these chances, if there is `more` evidence, in log odds."""
    chances = np.clip(chances, 0.001, 0.999)
    odds = np.log(chances / (1 - chances)) + more
    return np.asarray(1 / (1 + np.exp(-BIAS - SLOPE * odds)))
