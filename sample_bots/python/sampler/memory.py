"""What everybody has seen of a match, and what each card says about the role of its player.

When a card is laid, the bot finds out what each card in its place would have been worth to an agent and to the
Insider. Later it sees more of the hand from which the card was chosen: the cards that the player lays after it.
"""

from collections.abc import Iterable
from math import comb
from random import Random
from typing import NamedTuple

import numpy as np
from lookahead import Numbers, Trick, lay, random_keys, wanted, weights
from outlook import HAND, MISSIONS, TRICKS
from referee_bot.v1 import inside_job_pb2 as ij
from styles import BET, chance_of_sabotage, styles
from tricks import DECK, OF_SUIT, SUITS, Bools, Ints, Mission, card_of, mission_of

WORLDS = 5


class Play(NamedTuple):
    """A card that was laid, or may be laid.

    Attributes:
        seat: who lays it.
        card: the card.
        token: 1 if a token lies on it, otherwise 0.
        led: the suit of the first card of the trick; None if this is the first.
        could_bet: whether the player could put a token on a card.
        void: how likely an agent has no card of the suit that it does not follow; 1 if the card follows.
        sabotage: how likely the Insider sabotages here.
        weights: by style (`Styles`), without a token or with one, and card: how much likelier it is chosen than others.
    """

    seat: int
    card: int
    token: int
    led: int | None
    could_bet: bool
    void: float
    sabotage: float
    weights: Numbers


class Memory:
    """What everybody has seen so far.

    Attributes:
        seats: how many players there are.
        observer: the seat that remembers; None if its own cards matter like those of others.
        plays: the cards that were laid.
        played: which cards were laid.
        missing: by seat and suit, whether it did not follow the suit.
        caught: the seats that had a card of a suit that they did not follow.
        suspects: by seat, whom it named last.
        styles: how others play.
    """

    def __init__(self, seats: int, special: list[str], rng: Random) -> None:
        self.seats = seats
        self.observer: int | None = None
        self.plays: list[Play] = []
        self.played: Bools = np.zeros(DECK, bool)
        self.missing: Bools = np.zeros((seats, 4), bool)
        self.caught: set[int] = set()
        self.suspects: dict[int, int | None] = {}
        self.styles = styles(special)
        self._rng = rng
        self._missions: dict[str, Mission] = {}
        self._mission: Mission | None = None
        self._laid: list[tuple[int, bool]] = []
        self._tokens = [1] * seats
        self._revealed = [False] * seats
        self._held = [HAND[seats]] * seats
        self._completed = self._tricks = 0

    def hear(self, view: ij.View, events: Iterable[ij.Event]) -> None:
        """Take in what happened up to this view."""
        for mission in (*view.looked_at, view.mission):
            if mission.id:
                self._missions[mission.id] = mission_of(mission)
        for event in events:
            self._hear_tokens(event)
            match event.WhichOneof("body"):
                case "chose_mission":
                    self._mission, self._laid = self._missions.get(event.chose_mission.mission), []
                case "played":
                    self._see(event.played)
                case "judged":
                    self._tricks += 1
                    self._completed += event.judged.completed
                case "suspected":
                    said = event.suspected
                    self.suspects[said.seat] = said.suspect if said.HasField("suspect") else None

    def _hear_tokens(self, event: ij.Event) -> None:
        match event.WhichOneof("body"):
            case "opened" if event.opened.role == "accomplice":
                self._tokens[event.opened.seat] = 0
            case "collected":
                self._tokens[event.collected.seat] += 1 + event.collected.wagered
            case "handed_back":
                self._tokens[event.handed_back.partner] -= event.handed_back.of_partner
            case "revealed":
                self._revealed[event.revealed.seat] = True
            case "robbed":
                self._tokens[event.robbed.seat] += event.robbed.tokens
                self._tokens[event.robbed.victim] -= event.robbed.tokens

    @property
    def sabotage(self) -> float:
        """How likely the Insider sabotages in this trick."""
        return chance_of_sabotage(MISSIONS[self.seats] - self._completed, TRICKS[self.seats] - self._tricks)

    @property
    def able_to_bet(self) -> list[bool]:
        """By seat, whether it may put a token on a card."""
        return [tokens > 0 and not revealed for tokens, revealed in zip(self._tokens, self._revealed, strict=True)]

    def size(self, seat: int) -> int:
        """How many cards the seat holds."""
        return self._held[seat]

    def possible(self, trick: Trick, cards: Iterable[tuple[int, bool]]) -> list[Play]:
        """What it would look like if the seat whose turn it is laid one of these cards."""
        seat, led = trick.seat, trick.led
        found, could_bet = self._weights(trick), trick.able_to_bet[seat]
        void = 1.0 if led is None else self._chance_of_void(seat, led)
        return [
            Play(
                seat,
                card,
                int(token),
                led,
                could_bet,
                void if led not in (None, SUITS[card]) else 1.0,
                self.sabotage,
                found,
            )
            for card, token in cards
        ]

    def _see(self, event: ij.Played) -> None:
        seat, card = event.seat, card_of(event.card)
        if self._mission is not None and seat != self.observer:
            trick = Trick(self._mission, tuple(self._laid), seat, self.able_to_bet)
            self.plays += self.possible(trick, [(card, event.wager)])
        if self.missing[seat, SUITS[card]]:
            self.caught.add(seat)
        if self._laid and SUITS[self._laid[0][0]] != SUITS[card]:
            self.missing[seat, SUITS[self._laid[0][0]]] = True
        self._tokens[seat] -= event.wager
        self._held[seat] -= 1
        self._laid.append((card, event.wager))
        self.played[card] = True

    def _chance_of_void(self, seat: int, suit: int) -> float:
        """How likely an agent in the seat has no card of the suit, for all that everybody knows."""
        if self.missing[seat, suit]:
            return 1.0
        allowed = ~self.played & ~OF_SUIT[self.missing[seat]].any(axis=0)
        pool, suited, size = int(allowed.sum()), int((allowed & OF_SUIT[suit]).sum()), self._held[seat]
        return max(comb(pool - suited, size) / comb(pool, size), 1e-6) if size <= pool else 1.0

    def _weights(self, trick: Trick) -> Numbers:
        """By style, without a token or with one, and card."""
        cards = np.flatnonzero(~self.played).astype(np.int16)
        bets = cards[SUITS[cards] == trick.led] if trick.led is not None else cards
        numbers = np.concatenate([cards, bets[: len(bets) * trick.able_to_bet[trick.seat]]])
        tokens = np.arange(len(numbers)) >= len(cards)
        done, won = np.zeros((2, WORLDS, len(trick.later) + 1, 2, 2, self.seats))
        done[..., 1, :] = 1.0
        won[..., trick.seat] = 1.0
        nobody = np.full(WORLDS, -1)
        wants = [wanted(trick, seat, nobody, self.styles, 0.0) for seat in trick.later]
        worlds = (self._hands(trick, cards), nobody)
        completes, wins = (
            it.mean(axis=-1) for it in lay(trick, numbers, tokens, worlds, wants, (done, won), self._rng)
        )
        worths = np.full((len(self.styles), 2, DECK), -9.0)
        for at, style in enumerate(self.styles):
            worths[at, tokens.astype(np.intp), numbers] = style.mission * completes + style.win * wins - BET * tokens
        return weights(worths.reshape(len(self.styles), -1)).reshape(worths.shape)

    def _hands(self, trick: Trick, cards: Ints) -> Bools:
        """Hands that the later players may have, for all that everybody knows."""
        order = random_keys(self._rng, WORLDS, len(cards)).argsort(axis=-1, kind="stable")
        hands = np.zeros((WORLDS, self.seats, DECK), bool)
        at = 0
        for seat in trick.later:
            dealt = cards[order[:, at : at + self._held[seat]]]
            hands[np.arange(WORLDS)[:, None], seat, dealt] = True
            at += self._held[seat]
        return hands
