"""Agent Avenue for the properties that every game must have."""

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from referee.check import random_play
from referee.core.outcome import Seat
from referee.games.agent_avenue import moves, rules
from referee.games.agent_avenue.ending import Ending
from referee.games.agent_avenue.game import AgentAvenue
from referee.games.agent_avenue.marks import SeenMark, seen_marks
from referee.games.agent_avenue.moves import Action, Choose, Discard, Drew, Enlisted, Lay, Play, Recruit, Slot, Take
from referee.games.agent_avenue.pieces import HAND_SIZE, Agent, Cards, MarketCard
from referee.games.agent_avenue.state import Options, SeatState, State

_GAME = AgentAvenue()
_OF_THE_MARKET = {Ending.LEADER_OF_THE_PACK, Ending.MASTERPLAN, Ending.SECURITY_SYSTEM}
ACTIONS: tuple[Action, ...] = (
    *moves.PLAYS.values(),
    *moves.DISCARDS.values(),
    *moves.RECRUITS,
    *(lay for lays in moves.LAYS.values() for lay in lays.values()),
    moves.HAND_OVER,
    *moves.TAKES.values(),
    *moves.CHOICES.values(),
    *moves.AGAIN,
)
"""Every action there is."""


class AgentAvenueKit:
    """What a seat cannot know: other hands, discards and face-down cards, the deck, the pile, unfinished answers.

    It knows the marks of other hands (AA-31). It knows that an instant has a target while somebody chooses it.
    """

    tables: tuple[tuple[Options, int], ...] = tuple(
        (options, seats) for options in _GAME.varieties for seats in _GAME.seats(options)
    )
    # 19 turns of at most four decisions (discards allow fewer), and two more turns for Mind Control and Spycation,
    # which bring cards back. Also 16 market cards, five of them with a choice or two.
    longest = 21 * 4 + 16 + 6
    seekers: tuple[random_play.Choose, ...] = ()

    def endings(self, options: Options, seats: int) -> set[str]:  # noqa: ARG002  # the options settle it
        return {ending for ending in Ending if options.mode == "advanced" or ending not in _OF_THE_MARKET}

    def redraw(self, state: State, seat: Seat, drawn: tuple[int, ...], rng: Random) -> tuple[int, ...]:
        if state.phase == "first":
            return drawn
        seen = range(3) if state.phase == "offer" else range(seat * HAND_SIZE, (seat + 1) * HAND_SIZE)
        return _shuffled_but(drawn, seen, rng)

    def redeal(self, state: State, seat: Seat, rng: Random) -> State:
        return _redealt(state, seat, rng, _Revealed())

    def elsewhere(
        self, state: State, seat: Seat, choices: Mapping[Seat, Action], rng: Random
    ) -> tuple[State, Mapping[Seat, Action]]:
        revealed = _revealed(state, seat, choices)
        for _ in range(100):
            world = _redealt(state, seat, rng, revealed)
            other = {mover: _alike(state, world, seat, mover, action, rng) for mover, action in choices.items()}
            chosen = {mover: action for mover, action in other.items() if action is not None}
            if len(chosen) == len(choices):
                return world, chosen
        return state, choices


class _Revealed(NamedTuple):
    """What a step tells a seat that it did not know before.

    Attributes:
        drawn: the places of the deck that it sees.
        face_down: whether the face-down card is opened.
        pile: how many cards on top of the pile are turned up.
        shown: by seat, cards that leave its hand openly, or are shown in it.
    """

    drawn: frozenset[int] = frozenset()
    face_down: bool = False
    pile: int = 0
    shown: Mapping[Seat, Cards] = {}


def _revealed(state: State, seat: Seat, choices: Mapping[Seat, Action]) -> _Revealed:
    shown: dict[Seat, Cards] = {}
    for mover, action in choices.items():
        match action:
            case Play(up, _):
                shown[mover] = (up,)
            case Lay(Slot.FACE_UP, agent):
                shown[mover] = (agent,)
            case Choose(agent) if state.market is not None:
                shown[mover] = {MarketCard.DOUBLE_TROUBLE: (agent,) * 2, MarketCard.SECRET_RECRUIT: (agent,)}.get(
                    state.market.resolving or MarketCard.OUTPOST, ()
                )
    return _Revealed(
        drawn=_seen_draws(state, seat, choices),
        face_down=any(isinstance(action, Recruit) for action in choices.values()),
        pile=int(any(isinstance(action, Take) for action in choices.values())),
        shown=shown,
    )


def _seen_draws(state: State, seat: Seat, choices: Mapping[Seat, Action]) -> frozenset[int]:
    """The places of the deck that `seat` sees in this step: its own draws, and recruits from the deck."""
    at, seen = 0, set[int]()
    for event in rules.apply(state, choices)[1]:
        count = event.count if isinstance(event, Drew) else int(isinstance(event, Enlisted) and event.seat is None)
        if isinstance(event, Enlisted) or (isinstance(event, Drew) and event.seat == seat):
            seen.update(range(at, at + count))
        at += count
    return frozenset(seen)


def _alike(state: State, world: State, seat: Seat, mover: Seat, action: Action, rng: Random) -> Action | None:
    """A choice of `mover` in the other world that `seat` cannot tell from `action`. None if there is none."""
    if isinstance(action, Take) and not _same_to_carry_out(state, world, action):
        return None
    hidden = mover != seat and _hides_its_answer(state, seat, mover)
    legal = rules.legal(world, mover)
    alike = [other for other in legal if (hidden or _looks_alike(action, other, own=mover == seat))]
    return rng.choice(alike) if alike else None


def _hides_its_answer(state: State, seat: Seat, mover: Seat) -> bool:
    """Whether the captain's answer overrules this one, so that the other side never hears it (AA-43)."""
    captains = (state.active, state.following)
    return state.phase in ("recruit", "market") and mover not in captains and mover % 2 != seat % 2


def _looks_alike(action: Action, other: Action, *, own: bool) -> bool:
    match action, other:
        case Play(up, _), Play(other_up, _) if not own:
            return up == other_up
        case Lay(Slot.FACE_DOWN, _), Lay(Slot.FACE_DOWN, _) if not own:
            return True
        case Discard(), Discard() if not own:
            return True
    return action == other


def _same_to_carry_out(state: State, world: State, take: Take) -> bool:
    """Whether the taker's hand has what an instant asks for in both worlds, or in neither."""
    if take.taker is None:
        return True
    hands = [at.seats[take.taker].hand for at in (state, world)]
    in_play = state.sides[take.taker % 2].recruited
    match take.card:
        case MarketCard.OUTPOST:
            found = [Agent.SENTINEL in hand for hand in hands]
        case MarketCard.DOUBLE_TROUBLE:
            found = [len(set(hand)) < len(hand) for hand in hands]
        case MarketCard.SECRET_RECRUIT:
            found = [not set(hand) <= set(in_play) for hand in hands]
        case _:
            return True
    return found[0] == found[1]


def _shuffled_but(drawn: tuple[int, ...], seen: range, rng: Random) -> tuple[int, ...]:
    rest = [card for at, card in enumerate(drawn) if at not in seen]
    rng.shuffle(rest)
    return tuple(drawn[at] if at in seen else rest.pop() for at in range(len(drawn)))


def _redealt(state: State, seat: Seat, rng: Random, revealed: _Revealed) -> State:
    """Deal the cards again that `seat` cannot know, except those that this step reveals."""
    for _ in range(50):
        world = _Dealer(state, seat, rng, revealed).deal()
        if world is not None and _is_possible(world):
            return world
    return state


def _is_possible(world: State) -> bool:
    """Whether an instant that asks for a target has one. Without one it would have been ignored."""
    if world.phase != "target" or world.market is None or world.market.taker is None:
        return True
    return bool(rules.legal(world, world.market.taker))


class _Place(NamedTuple):
    """Where a hidden card lies: with which seat, in which pile, and at which place there. Seat -1 is nobody."""

    seat: Seat
    pile: str
    at: int


class _Dealer:
    """Deals the hidden cards of a state to their places again, first those that must lie with somebody."""

    def __init__(self, state: State, seat: Seat, rng: Random, revealed: _Revealed) -> None:
        self.state, self.rng, self.revealed = state, rng, revealed
        self.others = [other for other in range(len(state.seats)) if other != seat]
        self.hides_card = state.face_down is not None and state.laying[1] != seat and not revealed.face_down
        self.now = self._as_it_is()
        self.free = list(self.now)
        self.pool = list(self.now.values())
        self.dealt: dict[_Place, Agent] = {}
        rng.shuffle(self.free)
        rng.shuffle(self.pool)

    def _as_it_is(self) -> dict[_Place, Agent]:
        state, places = self.state, dict[_Place, Agent]()
        for other in self.others:
            held = state.seats[other]
            places |= {_Place(other, "hand", at): card for at, card in enumerate(held.hand)}
            places |= {_Place(other, "discards", at): card for at, card in enumerate(held.discards)}
        if self.hides_card and state.face_down is not None:
            places[_Place(state.laying[1], "face down", 0)] = state.face_down
        for at, card in enumerate(state.deck):
            if at not in self.revealed.drawn:
                places[_Place(-1, "deck", at)] = card
        return places

    def deal(self) -> State | None:
        """Another state; None if the cards with fixed places did not fit together."""
        for other in self.others:
            shown = self.revealed.shown.get(other, ())
            for agent in shown:
                if not self._put(agent, [place for place in self.free if place.seat == other and place.pile == "hand"]):
                    return None
            if not self._keep_marks(other, list(shown)):
                return None
        self._hide_another_name()
        self.dealt |= dict(zip(self.free, self.pool, strict=True))
        return self._state()

    def _keep_marks(self, other: Seat, had: list[Agent]) -> bool:
        """A card for every mark, the newest first, in the hand, face down, or among the discards made since (AA-31)."""
        if self.state.laying[1] == other and self.state.face_down is not None and not self.hides_card:
            had.append(self.state.face_down)
        marks = [mark for mark in seen_marks(self.state.seats[other].sightings) for _ in range(mark.count)]
        for mark in sorted(marks, key=lambda mark: mark.discards_since):
            if mark.agent in had:
                had.remove(mark.agent)
            elif not self._put(mark.agent, [place for place in self.free if self._may_hold(place, other, mark)]):
                return False
        return True

    def _may_hold(self, place: _Place, other: Seat, mark: SeenMark) -> bool:
        discards = len(self.state.seats[other].discards)
        if place.pile == "discards" and place.at < discards - mark.discards_since:
            return False
        if place.pile == "face down" and mark.agent == self.state.face_up:
            return False
        return place.seat == other

    def _put(self, agent: Agent, places: list[_Place]) -> bool:
        if not places or agent not in self.pool:
            return False
        place = self.rng.choice(places)
        self.free.remove(place)
        self.pool.remove(agent)
        self.dealt[place] = agent
        return True

    def _hide_another_name(self) -> None:
        """Choose a face-down card with another name than the face-up one, if there is one (AA-05)."""
        place = _Place(self.state.laying[1], "face down", 0)
        if place in self.free:
            self._put(next((card for card in self.pool if card != self.state.face_up), self.pool[0]), [place])

    def _state(self) -> State:
        state = self.state
        deck = tuple(self.dealt.get(_Place(-1, "deck", at), card) for at, card in enumerate(state.deck))
        down = self.dealt.get(_Place(state.laying[1], "face down", 0), state.face_down)
        pile = list(state.pile[self.revealed.pile :])
        self.rng.shuffle(pile)
        seats = tuple(self._held(other) if other in self.others else held for other, held in enumerate(state.seats))
        pile = [*state.pile[: self.revealed.pile], *pile]
        return replace(state, seats=seats, deck=deck, face_down=down, pile=tuple(pile))

    def _held(self, other: Seat) -> SeatState:
        held = self.state.seats[other]
        hand = tuple(sorted(self.dealt[_Place(other, "hand", at)] for at in range(len(held.hand))))
        discards = tuple(self.dealt[_Place(other, "discards", at)] for at in range(len(held.discards)))
        return SeatState(hand, discards, held.sightings)
