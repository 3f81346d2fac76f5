"""Agent Avenue for the properties that every game must have."""

from collections.abc import Mapping
from random import Random

from msgspec.structs import replace

from referee.core.outcome import Seat
from referee.games.agent_avenue import rules
from referee.games.agent_avenue.moves import Action, Discard, Play
from referee.games.agent_avenue.pieces import DECK, HAND_SIZE, Agent, Cards
from referee.games.agent_avenue.state import Options, SeatState, State


class AgentAvenueKit:
    """AA-01 to AA-11. For a seat, these are hidden: the other's hand, discards and face-down card, and the deck."""

    tables: tuple[tuple[Options, int], ...] = ((Options(), 2),)
    longest = len(DECK)  # a turn takes two cards and two decisions, a discard one of each

    def conserved(self, state: State) -> Cards:
        held = [card for seat in state.seats for card in seat.hand + seat.discards]
        lying = [card for side in state.sides for card in side.recruited]
        played = [card for card in (state.face_up, state.face_down) if card is not None]
        return tuple(sorted([*state.deck, *held, *lying, *played]))

    def redraw(self, state: State, seat: Seat, drawn: tuple[int, ...], rng: Random) -> tuple[int, ...]:
        if state.phase != "deal":
            return drawn
        own = range(seat * HAND_SIZE, (seat + 1) * HAND_SIZE)
        rest = [card for at, card in enumerate(drawn) if at not in own]
        rng.shuffle(rest)
        return tuple(drawn[at] if at in own else rest.pop() for at in range(len(drawn)))

    def redeal(self, state: State, seat: Seat, rng: Random) -> State:
        return _redealt(state, seat, rng, seen=range(0), open_soon=False)

    def elsewhere(
        self, state: State, seat: Seat, choices: Mapping[Seat, Action], rng: Random
    ) -> tuple[State, Mapping[Seat, Action]]:
        ((mover, action),) = choices.items()
        seen = _draws_of(state, seat, mover, action)
        open_soon = state.phase == "recruit"
        for _ in range(100):
            world = _redealt(state, seat, rng, seen=seen, open_soon=open_soon)
            alike = [other for other in rules.legal(world, mover) if _alike(action, other, own=mover == seat)]
            if alike:
                return world, {mover: rng.choice(alike)}
        return state, choices  # the face-up card was the last of its name that could be in that hand


def _alike(action: Action, other: Action, *, own: bool) -> bool:
    """Whether a seat that sees `action` might as well be seeing `other`."""
    if own:
        return action == other
    if isinstance(action, Play) and isinstance(other, Play):
        return action.face_up == other.face_up
    if isinstance(action, Discard) and isinstance(other, Discard):
        return True
    return action == other


def _draws_of(state: State, seat: Seat, mover: Seat, action: Action) -> range:
    """Which cards of the deck `seat` will draw because of this action."""
    if isinstance(action, Discard):
        return range(1) if mover == seat else range(0)
    if not isinstance(action, Play):
        return range(0)
    missing = [HAND_SIZE - len(held.hand) + (2 if at == mover else 0) for at, held in enumerate(state.seats)]
    before = 0 if mover == seat else max(missing[mover], 0)
    return range(before, before + max(missing[seat], 0))


def _redealt(state: State, seat: Seat, rng: Random, *, seen: range, open_soon: bool) -> State:
    """What `seat` cannot know dealt anew, but for the `seen` places of the deck and a face-down card that opens now."""
    other = 1 - seat
    held = state.seats[other]
    hides_card = state.active == other and state.face_down is not None and not open_soon
    pool = [*held.hand, *held.discards, *(card for at, card in enumerate(state.deck) if at not in seen)]
    if hides_card and state.face_down is not None:
        pool.append(state.face_down)
    rng.shuffle(pool)
    down = _hidden_beside(state, pool) if hides_card else state.face_down
    hand = tuple(sorted(pool.pop() for _ in held.hand))
    discards = tuple(pool.pop() for _ in held.discards)
    deck = tuple(card if at in seen else pool.pop() for at, card in enumerate(state.deck))
    seats = list(state.seats)
    seats[other] = SeatState(hand, discards)
    return replace(state, seats=tuple(seats), deck=deck, face_down=down)


def _hidden_beside(state: State, pool: list[Agent]) -> Agent:
    """Takes a card out of `pool` that may lie face down beside the face-up one: another name, if there is any."""
    down = next((card for card in pool if card != state.face_up), pool[0])
    pool.remove(down)
    return down
