"""A small language to play Agent Avenue in tests: cards by their names, sides and seats by number."""

from collections import Counter
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from referee.core.outcome import Seat
from referee.games.agent_avenue import ending, pieces
from referee.games.agent_avenue.describe import CARDS, NAMES
from referee.games.agent_avenue.game import AgentAvenue
from referee.games.agent_avenue.marks import Kind, Sighting
from referee.games.agent_avenue.moves import (
    HAND_OVER,
    Action,
    Choose,
    Discard,
    Lay,
    Play,
    Recruit,
    RecruitAgain,
    Slot,
    Take,
)
from referee.games.agent_avenue.pieces import DECK, Cards, MarketCards
from referee.games.agent_avenue.state import Market, Options, SeatState, SideState, State, lead
from referee.games.agent_avenue.view import View
from tests.games.playing import GameTable

GAME = AgentAvenue()
_BY_NAME = {name: agent for agent, name in NAMES.items()}
_CARD_BY_NAME = {name: card for card, name in CARDS.items()}
_SLOTS = {"face up": Slot.FACE_UP, "face down": Slot.FACE_DOWN}


def cards(*names: str) -> Cards:
    return tuple(_BY_NAME[name] for name in names)


def market_cards(*names: str) -> MarketCards:
    return tuple(_CARD_BY_NAME[name] for name in names)


def named(agents: Cards) -> list[str]:
    return [NAMES[agent] for agent in agents]


def order_of(*first: str) -> tuple[int, ...]:
    """A shuffle that brings these cards to the top, in this order."""
    rest = list(range(len(DECK)))
    top = []
    for agent in cards(*first):
        at = next(card for card in rest if DECK[card] == agent)
        rest.remove(at)
        top.append(at)
    return (*top, *rest)


def options(**given: object) -> Options:
    return msgspec.convert(given, Options)


class Table(GameTable[State]):
    game = GAME

    @classmethod
    def dealt(cls, *first: str, begins: int = 0, line_up: str = "1v1") -> "Table":
        """A simple game from its start, with the named cards on top of the shuffled deck."""
        agreed = options(line_up=line_up)
        table = cls(GAME.setup(agreed, GAME.seats(agreed)[0]))
        table.luck(*order_of(*first))
        table.luck(begins)
        return table

    @classmethod
    def arranged(
        cls,
        *,
        hands: Sequence[Sequence[str]],
        deck: Sequence[str] | None = None,
        recruited: Sequence[Sequence[str]] = ((), ()),
        progress: Sequence[int] = (0, 0),
        active: int = 0,
        discards: Sequence[Sequence[str]] | None = None,
    ) -> "Table":
        """A simple game in progress, with the active seat to choose. The number of hands decides the line-up.

        Without a `deck`, the deck has all cards that are nowhere else.
        """
        away = discards or [()] * len(hands)
        seats = [SeatState(tuple(sorted(cards(*hand))), cards(*gone)) for hand, gone in zip(hands, away, strict=True)]
        sides = [
            SideState(walked, tuple(sorted(cards(*agents)))) for walked, agents in zip(progress, recruited, strict=True)
        ]
        used = [agent for seat in seats for agent in seat.hand + seat.discards]
        used += [agent for side in sides for agent in side.recruited]
        rest = tuple((Counter(DECK) - Counter(used)).elements())
        agreed = options(line_up={2: "1v1", 3: "2v1", 4: "2v2"}[len(hands)])
        table = replace(
            GAME.setup(agreed, len(hands)),
            deck=rest if deck is None else cards(*deck),
            seats=tuple(seats),
            sides=tuple(sides),
            began=active % 2,
        )
        # If seat 2 or 3 is to play, the game is in its third or fourth turn.
        return cls(ending.begin_turn(table, 1 if active < 2 else 3))

    def with_market(
        self,
        *offer: str,
        pile: Sequence[str] = (),
        ongoing: Sequence[Sequence[str]] = ((), ()),
        ceasefire: bool = False,
    ) -> "Table":
        """The same position with a market of these cards: an advanced game."""
        sides = zip(self.state.sides, ongoing, strict=True)
        return self.goes_on(
            options=replace(self.state.options, mode="advanced", ceasefire=ceasefire),
            market=Market(offer=tuple(sorted(market_cards(*offer)))),
            pile=market_cards(*pile),
            sides=tuple(replace(side, ongoing=tuple(sorted(market_cards(*own)))) for side, own in sides),
        )

    def marked(self, seat: Seat, *names: str) -> "Table":
        """The same game after these cards have just gone openly into a hand."""
        seats = list(self.state.seats)
        came = tuple(Sighting(Kind.CAME, (agent,)) for agent in cards(*names))
        seats[seat] = replace(seats[seat], sightings=came)
        return self.goes_on(seats=tuple(seats))

    def having_discarded(self, seat: Seat, *names: str) -> "Table":
        """The same game after these discards."""
        seats = list(self.state.seats)
        seats[seat] = replace(seats[seat], discards=cards(*names))
        return self.goes_on(seats=tuple(seats))

    def discards(self, name: str) -> None:
        self._chooses(Discard(_BY_NAME[name]))

    def plays(self, *, up: str, down: str) -> None:
        self._chooses(Play(_BY_NAME[up], _BY_NAME[down]))

    def lays(self, name: str, slot: str) -> None:
        self._chooses(Lay(_SLOTS[slot], _BY_NAME[name]))

    def hands_over(self) -> None:
        self._chooses(HAND_OVER)

    def recruits(self, slot: str, *, other: str | None = None) -> None:
        """All seats that are asked give this answer; the captain's teammate gives `other` instead, if it is set."""
        self._answer(Recruit(_SLOTS[slot]), Recruit(_SLOTS[other or slot]), self.state.following)

    def takes(self, card: str, taker: Seat | None = None, *, other: tuple[str, Seat | None] | None = None) -> None:
        """All seats that are asked give this answer; the captain's teammate gives `other` instead, if it is set.

        The taker of an instant may be left out if the side has one seat.
        """
        side = market_side(self.state)
        captain = next(seat for seat in (self.state.active, self.state.following) if seat % 2 == side)
        mine = self._take(card, taker)
        self._answer(mine, self._take(*other) if other else mine, captain)

    def chooses(self, name: str) -> None:
        self._chooses(Choose(_BY_NAME[name]))

    def recruits_again(self, *, again: bool) -> None:
        self._chooses(RecruitAgain(again))

    def turn(self, *, active: str, other: str) -> None:
        """A whole turn in which the sides recruit these cards."""
        self.turn_played(up=other, down=active)
        self.recruits("face up")

    def turn_played(self, *, up: str, down: str) -> None:
        """The active side plays these cards; a team's captain the face-up one."""
        if self.state.phase == "play":
            self.plays(up=up, down=down)
        else:
            self.lays(up, "face up")
            self.lays(down, "face down")

    @property
    def result(self) -> tuple[str, int] | None:
        """The ending and the first seat of the side that won; None while the game goes on."""
        if self.outcome is None:
            return None
        return str(self.outcome.ending), self.outcome.places.index(1)

    def hand(self, seat: Seat) -> list[str]:
        return named(self.state.seats[seat].hand)

    def recruited(self, side: int) -> list[str]:
        return named(self.state.sides[side].recruited)

    def ongoing(self, side: int) -> list[str]:
        return [CARDS[card] for card in self.state.sides[side].ongoing]

    def offer(self) -> list[str]:
        return [CARDS[card] for card in self.market.offer]

    @property
    def market(self) -> Market:
        assert self.state.market is not None
        return self.state.market

    def marks(self, seat: Seat) -> list[tuple[str, int, int]]:
        """The marks of a seat as everybody sees them: name, count, discards since."""
        seen = self.view(0).seats[seat].marks
        return [(NAMES[mark.agent], mark.count, mark.discards_since) for mark in seen]

    def progress(self, side: int) -> int:
        return self.state.sides[side].progress

    def lead(self, side: int) -> int:
        return lead(self.state.sides, side)

    def view(self, seat: Seat) -> View:
        return GAME.view(self.state, seat)

    def _take(self, card: str, taker: Seat | None) -> Take:
        (chosen,) = market_cards(card)
        alone = self.asked[0] if len(self.asked) == 1 else None
        return Take(chosen, None if chosen in pieces.ONGOING else (alone if taker is None else taker))

    def _answer(self, answer: Action, other: Action, captain: Seat) -> None:
        self._apply({seat: answer if seat == captain else other for seat in self.asked})


def market_side(state: State) -> int:
    """The side that must take a card now."""
    assert state.market is not None
    return state.market.landed[0]
