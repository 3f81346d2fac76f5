"""Other positions that a seat cannot tell from the one it is in.

A seat knows its own cards and all that lies open. Of other hands it knows what everybody has seen (`sightings`), and
that an instant which asks for a choice can be carried out (AA-24).
"""

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from referee.core.game import Information, RandomNumbers
from referee.core.outcome import Seat
from referee.core.seeds import shuffled, weighted
from referee.games.agent_avenue import hands, moves, pieces
from referee.games.agent_avenue.hidden_hands import deals_with, ways_of_dealing
from referee.games.agent_avenue.instants import CHOSEN
from referee.games.agent_avenue.marks import Sightings
from referee.games.agent_avenue.pieces import DECK, Agent, MarketCard
from referee.games.agent_avenue.state import Phase, SeatState, State
from referee.games.agent_avenue.teams import LINE_UPS, side_of
from referee.games.agent_avenue.view import View

_NAMES = tuple(Agent)


def resample(state: State, seat: Seat, rng: RandomNumbers) -> State:
    """Deal anew what `seat` cannot know. Every whole position that fits is equally likely."""
    if state.phase == "deal":
        return state
    hidden = _Hidden(state, seat)
    while True:
        world = hidden.deal(rng)
        if _can_choose(world):
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
        known = [state.seats[other] for other in self.others]
        self.is_free = not any(own.sightings for own in known)  # then the cards can lie anywhere
        if not self.is_free:
            self.counts = tuple(map(self.pool.count, _NAMES))
            sizes = tuple([(own.sightings, len(own.hand), len(own.discards)) for own in known])
            layer = self.others.index(state.laying[1]) if self.hides_played else None
            self.ways = ways_of_dealing(self.counts, sizes, layer)

    def deal(self, rng: RandomNumbers) -> State:
        """Another position."""
        cards = self._cards(rng)
        state, at = self.state, int(self.hides_played)
        seats = list(state.seats)
        for other in self.others:
            own = seats[other]
            middle = at + len(own.hand)
            end = middle + len(own.discards)
            seats[other] = SeatState(tuple(sorted(cards[at:middle])), tuple(cards[middle:end]), own.sightings)
            at = end
        return replace(
            state,
            seats=tuple(seats),
            deck=tuple(cards[at:]),
            face_down=cards[0] if self.hides_played else state.face_down,
            pile=state.pile if state.phase == "offer" else tuple(shuffled(state.pile, rng)),
        )

    def _cards(self, rng: RandomNumbers) -> list[Agent]:
        """A card for each place: first where something is known, then the rest anywhere."""
        if self.is_free:
            return shuffled(self.pool, rng)
        places = self.ways[weighted([number for _, number in self.ways], rng)][0]
        placed, rest, counts = dict[int, Agent](), list(self.pool), self.counts
        for number, (place, _) in enumerate(places):
            at = weighted(deals_with(counts, tuple([names for _, names in places[number:]])), rng)
            counts = (*counts[:at], counts[at] - 1, *counts[at + 1 :])
            placed[place] = _NAMES[at]
            rest.remove(_NAMES[at])
        free = iter(shuffled(rest, rng))
        return [placed[at] if at in placed else next(free) for at in range(len(self.pool))]


def _can_choose(world: State) -> bool:
    """Whether an instant that asks for a choice can be carried out. Most hands that fit can do so."""
    if world.phase != "target" or world.market is None:
        return True
    card, taker = world.market.resolving, world.market.taker
    return card is None or taker is None or bool(CHOSEN[card].targets(world, taker))


def ways(state: State, seat: Seat, action: moves.Action) -> int:
    """In how many ways a player who does not look at the hand takes the cards of this action."""
    hand = state.seats[seat].hand
    match action:
        case moves.Play(up, down):
            return hand.count(up) * (hand.count(down) - (up == down))
        case moves.Discard(agent) | moves.Lay(_, agent):
            return hand.count(agent)
        case moves.Choose(agent) if state.market is not None:
            if state.market.resolving is MarketCard.DOUBLE_TROUBLE:
                return hand.count(agent) * (hand.count(agent) - 1)
            return hand.count(agent) if state.market.resolving is MarketCard.SECRET_RECRUIT else 1
    return 1


def reconstruct(information: Information) -> State:
    """A position that fits. The events say what was seen of hands; the view and the legal actions say all else."""
    view: View = information.view
    options, turn = information.options, view.turn
    circle = LINE_UPS[options.line_up].circle
    began = next(side for side in (0, 1) if circle[(side + turn - 1) % len(circle)] == view.active_seat)
    first = information.legal[0]
    phase: Phase = (
        "face_up" if isinstance(first, moves.Lay) and first.slot is moves.Slot.FACE_UP else _PHASES[type(first)]
    )
    hidden = _others_cards(view)
    down = view.own_face_down
    if phase == "recruit" and down is None:
        down = hidden.pop()
    known = _sightings(information.events, len(view.seats))
    seats = tuple(_seat(view, seat, hidden, known[seat]) for seat in range(len(view.seats)))
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
    moves.Play: "play",
    moves.HandOver: "face_up",
    moves.Lay: "face_down",
    moves.Recruit: "recruit",
    moves.Take: "market",
    moves.Choose: "target",
    moves.RecruitAgain: "again",
}


def _others_cards(view: View) -> list[Agent]:
    """The cards that the seat cannot see."""
    seen = [*view.hand, *view.own_discards, *(card for card in (view.face_up, view.own_face_down) if card is not None)]
    for side in view.sides:
        seen += side.recruited
    if view.market is not None:
        seen += view.market.open.removed
    return list((Counter(DECK) - Counter(seen)).elements())


def _seat(view: View, seat: Seat, hidden: list[Agent], own: Sightings) -> SeatState:
    """The cards of a seat. Those of another seat are taken from the hidden ones."""
    seat_view = view.seats[seat]
    if seat == view.seat:
        return SeatState(view.hand, view.own_discards, own)
    hand, discards = ([hidden.pop() for _ in range(count)] for count in (seat_view.hand_count, seat_view.discard_count))
    return SeatState(tuple(sorted(hand)), tuple(discards), own)


def _sightings(events: Sequence[moves.Event], seats: int) -> list[Sightings]:  # noqa: C901, PLR0912 - each has its case
    """By seat, what these events show of its hand, as the rules note it. Hidden cards may be any here."""
    owners, sides = [SeatState()] * seats, [list[Agent](), list[Agent]()]
    card, up, layer = MarketCard.OUTPOST, Agent.MOLE, 0

    def of(seat: Seat, agent: Agent) -> SeatState:
        return replace(owners[seat], hand=(agent,) * len(owners[seat].hand))

    for event in events:
        match event:
            case moves.Drew(seat, count):
                owners[seat] = replace(owners[seat], hand=owners[seat].hand + (up,) * count)
            case moves.Discarded(seat):
                owners[seat] = hands.put_away(of(seat, up), up)
            case moves.Played(layer, up):
                owners[layer] = hands.leaves_hidden(hands.leaves_openly(of(layer, up), up), up, up)
            case moves.Laid(seat, moves.Slot.FACE_UP, agent) if agent is not None:
                up, owners[seat] = agent, hands.leaves_openly(of(seat, agent), agent)
            case moves.Laid(layer):
                owners[layer] = hands.leaves_hidden(of(layer, up), up, up)
            case moves.Recruited(side, slot, agent):
                sides[side].append(agent)
                if slot is moves.Slot.FACE_DOWN:
                    owners[layer] = hands.opened(owners[layer], agent)
            case moves.Took(_, card):
                pass  # it is the card that acts from now on
            case moves.TookBack(seat, side, agent):
                sides[side].remove(agent)
                owners[seat] = hands.comes_openly(owners[seat], agent)
            case moves.Enlisted(side, agent, seat):
                sides[side].append(agent)
                if seat is not None:
                    owners[seat] = hands.is_recruited(of(seat, agent), agent, card)
            case moves.Ignored(seat, card):
                owners[seat] = hands.lacks_cards(owners[seat], card, tuple(sides[side_of(seat)]))
            case moves.Ceased():
                sides = [[], []]
    return [own.sightings for own in owners]


def _pile(view: View, *, ceasefire: bool) -> pieces.MarketCards:
    """The cards of the market that nobody has seen."""
    if view.market is None:
        return ()
    it = view.market.open
    seen = {*it.offer, *it.discarded, it.resolving, *(card for side in view.sides for card in side.ongoing)}
    return tuple(card for card in pieces.deck(ceasefire=ceasefire) if card not in seen)
