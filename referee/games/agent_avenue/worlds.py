"""Other positions that a seat cannot tell from the one it is in.

A seat knows its own cards and all that lies open. Of other hands it knows the marks (AA-31), that two played cards have
different names if the hand allowed it (AA-05, AA-41), and that an instant which asks for a choice can be carried out
(AA-24). Of an instant that was ignored nothing is kept in a position, so nothing follows from it here.
"""

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from referee.core.game import Information, RandomNumbers
from referee.core.outcome import Seat
from referee.core.seeds import shuffled
from referee.games.agent_avenue import pieces
from referee.games.agent_avenue.instants import CHOSEN
from referee.games.agent_avenue.marks import Mark
from referee.games.agent_avenue.moves import Choose, HandOver, Lay, Play, Recruit, RecruitAgain, Slot, Take
from referee.games.agent_avenue.pieces import DECK, HAND_SIZE, Agent
from referee.games.agent_avenue.state import Phase, SeatState, State
from referee.games.agent_avenue.teams import LINE_UPS
from referee.games.agent_avenue.view import View


def resample(state: State, seat: Seat, rng: RandomNumbers) -> State:
    """Deal anew what `seat` cannot know. Every whole position that fits is equally likely."""
    if state.phase == "deal":
        return state
    hidden = _Hidden(state, seat)
    while True:
        world = hidden.deal(rng)
        if _fits(world, seat):
            return world


class _Hidden:
    """The places of the cards that a seat cannot see: a face-down card, hands and discards of others, then the deck."""

    def __init__(self, state: State, seat: Seat) -> None:
        self.state = state
        self.others = [other for other in range(len(state.seats)) if other != seat]
        self.pool = list(state.deck)
        self.hides_played = state.face_down is not None and state.laying[1] != seat
        if self.hides_played and state.face_down is not None:
            self.pool.append(state.face_down)
        for other in self.others:
            self.pool += state.seats[other].hand + state.seats[other].discards
        self.pool.sort()
        self.is_marked = any(state.seats[other].marks for other in self.others)

    def deal(self, rng: RandomNumbers) -> State:
        """Another position, with a card for every mark."""
        cards = self._with_marks(rng) if self.is_marked else shuffled(self.pool, rng)
        state, at = self.state, int(self.hides_played)
        seats = list(state.seats)
        for other in self.others:
            own = seats[other]
            middle = at + len(own.hand)
            end = middle + len(own.discards)
            seats[other] = SeatState(tuple(sorted(cards[at:middle])), tuple(cards[middle:end]), own.marks)
            at = end
        return replace(
            state,
            seats=tuple(seats),
            deck=tuple(cards[at:]),
            face_down=cards[0] if self.hides_played else state.face_down,
            pile=state.pile if state.phase == "offer" else tuple(shuffled(state.pile, rng)),
        )

    def _with_marks(self, rng: RandomNumbers) -> list[Agent]:
        """A marked card lies in the hand, face down, or among the discards made since (AA-31); the rest anywhere."""
        placed, rest = dict[int, Agent](), list(self.pool)
        for places, agent in self._marked():
            free = [place for place in places if place not in placed]
            placed[free[int(rng.random() * len(free))]] = agent
            rest.remove(agent)
        dealt = iter(shuffled(rest, rng))
        return [placed[place] if place in placed else next(dealt) for place in range(len(self.pool))]

    def _marked(self) -> Iterator[tuple[list[int], Agent]]:
        """The places where each marked card may lie. The newest come first: older cards may lie in all their places."""
        at = int(self.hides_played)
        for other in self.others:
            own = self.state.seats[other]
            middle = at + len(own.hand)
            played = [0] if self.hides_played and self.state.laying[1] == other else []
            for mark in sorted(own.marks, key=lambda mark: -mark.discards):
                end = middle + len(own.discards)
                yield [*played, *range(at, middle), *range(middle + mark.discards, end)], mark.agent
            at = middle + len(own.discards)


def _fits(world: State, seat: Seat) -> bool:
    up, down, player = world.face_up, world.face_down, world.laying[1]
    if down is not None and down == up and player != seat:
        # The hand had no other name. Two of its cards are left, or three if a partner played the other card.
        hand = world.seats[player].hand
        left = HAND_SIZE - (2 if world.laying[0] == player else 1)
        return hand.count(up) >= min(left, len(hand))
    if world.phase == "target" and world.market is not None:
        card, taker = world.market.resolving, world.market.taker
        return card is None or taker is None or bool(CHOSEN[card].targets(world, taker))
    return True


def reconstruct(information: Information) -> State:
    """A position that fits. Everything that it needs stands in the view and in the legal actions."""
    view: View = information.view
    options, turn = information.options, view.turn
    circle = LINE_UPS[options.line_up].circle
    began = next(side for side in (0, 1) if circle[(side + turn - 1) % len(circle)] == view.active_seat)
    first = information.legal[0]
    phase: Phase = "face_up" if isinstance(first, Lay) and first.slot is Slot.FACE_UP else _PHASES[type(first)]
    hidden = _others_cards(view)
    down = view.own_face_down
    if phase == "recruit" and down is None:
        down = hidden.pop()
    seats = tuple(_seat(view, seat, hidden) for seat in range(len(view.seats)))
    return State(
        options=options,
        phase=phase,
        turn=turn,
        active=view.active_seat,
        following=circle[(began + turn) % len(circle)],
        laying=(view.active_seat, view.active_seat) if view.teams is None else view.teams.laying,
        deck=tuple(hidden),
        seats=seats,
        sides=view.sides,
        face_up=view.face_up,
        face_down=down,
        began=began,
        market=None if view.market is None else view.market.open,
        pile=_pile(view, ceasefire=options.ceasefire),
    )


_PHASES: dict[type, Phase] = {
    Play: "play",
    HandOver: "face_up",
    Lay: "face_down",
    Recruit: "recruit",
    Take: "market",
    Choose: "target",
    RecruitAgain: "again",
}


def _others_cards(view: View) -> list[Agent]:
    """The cards that the seat cannot see."""
    seen = [*view.hand, *view.own_discards, *(card for card in (view.face_up, view.own_face_down) if card is not None)]
    for side in view.sides:
        seen += side.recruited
    if view.market is not None:
        seen += view.market.open.removed
    return list((Counter(DECK) - Counter(seen)).elements())


def _seat(view: View, seat: Seat, hidden: list[Agent]) -> SeatState:
    """The cards of a seat. Those of another seat are taken from the hidden ones."""
    seat_view = view.seats[seat]
    marks = tuple(
        Mark(mark.agent, seat_view.discard_count - mark.discards_since)
        for mark in seat_view.marks
        for _ in range(mark.count)
    )
    if seat == view.seat:
        return SeatState(view.hand, view.own_discards, marks)
    hand, discards = ([hidden.pop() for _ in range(count)] for count in (seat_view.hand_count, seat_view.discard_count))
    return SeatState(tuple(sorted(hand)), tuple(discards), marks)


def _pile(view: View, *, ceasefire: bool) -> pieces.MarketCards:
    """The cards of the market that nobody has seen."""
    if view.market is None:
        return ()
    it = view.market.open
    seen = {*it.offer, *it.discarded, it.resolving, *(card for side in view.sides for card in side.ongoing)}
    return tuple(card for card in pieces.deck(ceasefire=ceasefire) if card not in seen)
