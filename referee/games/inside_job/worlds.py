"""Other positions that a seat cannot tell from the one it is in.

A seat knows its own role and cards and all that lies open. It also knows that a role which must follow suit had no card
of a suit that it did not follow (IJ-12), and that a leader who revealed an ordinary mission put an ordinary one away
(IJ-33). Roles and hands are dealt together: a role that explains what was seen by more deals of the cards is likelier.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import accumulate, product
from math import comb, prod
from typing import TypeAlias

from msgspec.structs import replace

from referee.core.game import Information, RandomNumbers
from referee.core.outcome import Seat
from referee.core.seeds import shuffled, weighted
from referee.games.inside_job.cast import cast
from referee.games.inside_job.missions import RISKY_IDS, MissionId
from referee.games.inside_job.moves import (
    ChooseMission,
    ChoosePartner,
    ChoseMission,
    LookedAt,
    PlayCard,
    Played,
    Suspect,
    Vote,
)
from referee.games.inside_job.pieces import DECK, SETUPS, Card, Cards
from referee.games.inside_job.role import RoleId
from referee.games.inside_job.roles import ROLES
from referee.games.inside_job.state import Phase, State
from referee.games.inside_job.view import View

_SUITS = range(1, 5)
_COUNTS_KEPT = 4096

Suits: TypeAlias = AbstractSet[int]
BoundHands: TypeAlias = tuple[tuple[int, frozenset[int]], ...]
"""Hands that lack suits: how many cards each has, and which suits it lacks."""


def resample(state: State, seat: Seat, rng: RandomNumbers) -> State:
    """Deal anew what `seat` cannot know. Every whole position that fits is equally likely."""
    if state.phase == "roles":
        return state
    roles, void = _roles(state, seat, rng)
    hands, unseen = _hands(state, seat, void, rng)
    world = replace(state, roles=roles, hands=hands, unseen=unseen)
    return world if state.phase in ("hands", "missions") else _with_missions(world, seat, rng)


def insider_shares(state: State, seat: Seat) -> tuple[float, ...]:
    """By seat, in which share of the positions of `resample` it has the role that need not follow suit.

    The roles must be dealt.
    """
    seats = range(len(state.roles))
    closed = [other for other in seats if not _knows_role(state, seat, other)]
    free = next(other for other in seats if not ROLES[state.roles[other]].must_follow)
    broken, caught = _broken(state)
    if free not in closed or free in caught:
        return tuple(float(other == free) for other in seats)
    deals = dict(zip(closed, _deals_of_each(state, seat, closed, broken), strict=True))
    return tuple(deals.get(other, 0.0) / sum(deals.values()) for other in seats)


# Roles and cards


def _roles(state: State, seat: Seat, rng: RandomNumbers) -> tuple[tuple[RoleId, ...], Mapping[Seat, Suits]]:
    """Roles for all seats, and the suits that hands of others cannot have if these are the roles."""
    roles = list(state.roles)
    broken, caught = _broken(state)
    closed = [other for other in range(len(roles)) if not _knows_role(state, seat, other)]
    pool = [roles[other] for other in closed]
    free = [role for role in pool if not ROLES[role].must_follow]  # one at most: the Insider's
    if free:
        at = next((other for other in closed if other in caught), None)
        if at is None:
            at = _seat_of_the_free(state, seat, closed, broken, rng)
        roles[at] = free[0]
        closed.remove(at)
        pool.remove(free[0])
    for other, role in zip(closed, shuffled(pool, rng), strict=True):
        roles[other] = role
    bound = {other: suits for other, suits in broken.items() if other != seat and ROLES[roles[other]].must_follow}
    return tuple(roles), bound


def _knows_role(state: State, seat: Seat, other: Seat) -> bool:
    if other == seat or state.common.seats[other].role is not None or state.phase == "over":
        return True
    return other == state.common.partner and ROLES[state.roles[seat]].chooses_partner


def _seat_of_the_free(
    state: State, seat: Seat, closed: Sequence[Seat], broken: Mapping[Seat, Suits], rng: RandomNumbers
) -> Seat:
    """The seat with the role that need not follow suit. Each is as likely as there are deals of the hands that fit."""
    return closed[weighted(_deals_of_each(state, seat, closed, broken), rng)]


def _deals_of_each(state: State, seat: Seat, closed: Sequence[Seat], broken: Mapping[Seat, Suits]) -> list[float]:
    """How many deals of the hands fit if each of these seats has the role that need not follow suit."""
    left = _count(_cards(state, seat))
    return [
        _deals(state, left, {other: suits for other, suits in broken.items() if other not in (seat, at)})
        for at in closed
    ]


def _deals(state: State, left: tuple[int, ...], void: Mapping[Seat, Suits]) -> float:
    """In how many ways hands without these suits can be dealt, in relation to all deals without such a bond."""
    hands = _bound(state, void)
    sizes = [size for size, _ in hands]
    unbound = prod(map(comb, (sum(left) - taken for taken in accumulate(sizes, initial=0)), sizes))
    return _ways(left, hands) / unbound


def _bound(state: State, void: Mapping[Seat, Suits]) -> BoundHands:
    return tuple([(len(state.hands[seat]), frozenset(void[seat])) for seat in sorted(void)])


@lru_cache(_COUNTS_KEPT)
def _ways(left: tuple[int, ...], hands: BoundHands) -> int:
    """In how many ways these hands can be taken from the cards that are left, by suit."""
    if len(hands) > 1:
        return sum(_splits(left, hands).values())
    return prod(comb(sum(left[suit - 1] for suit in _SUITS if suit not in lacks), size) for size, lacks in hands)


def _splits(left: tuple[int, ...], hands: BoundHands) -> dict[tuple[int, ...], int]:
    """By how many cards of each suit the first hand has: in how many ways all these hands can then be taken."""
    (size, lacks), *others = hands
    ranges = [range(1) if suit in lacks else range(min(size, left[suit - 1]) + 1) for suit in _SUITS]
    return {
        taken: prod(map(comb, left, taken)) * _ways(tuple(map(int.__sub__, left, taken)), tuple(others))
        for taken in product(*ranges)
        if sum(taken) == size
    }


def _hands(state: State, seat: Seat, void: Mapping[Seat, Suits], rng: RandomNumbers) -> tuple[tuple[Cards, ...], Cards]:
    """The hands and the unseen cards: first the hands that lack a suit, then all others."""
    pool = shuffled(_cards(state, seat), rng)
    hands, bound = list(state.hands), _bound(state, void)
    for number, other in enumerate(sorted(void)):
        hands[other] = _hand(pool, bound[number:], rng)
    for other in range(len(hands)):
        if other != seat and other not in void:
            size = len(hands[other])
            hands[other], pool = tuple(sorted(pool[:size])), pool[size:]
    return tuple(hands), tuple(sorted(pool))


def _hand(pool: list[Card], hands: BoundHands, rng: RandomNumbers) -> Cards:
    """Take the first of these hands from the shuffled pool, so that there is enough for the others."""
    if len(hands) == 1:
        (size, lacks) = hands[0]
        hand = [card for card in pool if card // 100 not in lacks][:size]
    else:
        splits = _splits(_count(pool), hands)
        taken = list(splits)[weighted([*splits.values()], rng)]
        hand = [card for suit in _SUITS for card in [it for it in pool if it // 100 == suit][: taken[suit - 1]]]
    for card in hand:
        pool.remove(card)
    pool[:] = shuffled(pool, rng)  # what is left over was not taken, so its order is no longer fair
    return tuple(sorted(hand))


def _cards(state: State, seat: Seat) -> list[Card]:
    """The cards that the seat cannot see."""
    return [card for other, hand in enumerate(state.hands) if other != seat for card in hand] + list(state.unseen)


def _count(cards: Sequence[Card]) -> tuple[int, ...]:
    suits = [card // 100 for card in cards]
    return tuple(map(suits.count, _SUITS))


def _broken(state: State) -> tuple[dict[Seat, set[int]], set[Seat]]:
    """By seat, the suits that it did not follow; and the seats that played such a suit later: they need not follow."""
    broken, caught = dict[Seat, set[int]](), set[Seat]()
    suits = [card // 100 for card in (*state.played, *[it.card for it in state.common.laid])]
    for number, suit in enumerate(suits):
        trick, place = divmod(number, len(state.hands))
        seat, led = (state.led[trick] + place) % len(state.hands), suits[number - place]
        if suit in broken.get(seat, ()):
            caught.add(seat)
        if suit != led:
            broken.setdefault(seat, set()).add(led)
    return broken, caught


# Missions


def _with_missions(state: State, seat: Seat, rng: RandomNumbers) -> State:
    others = [other for other in range(len(state.hands)) if other != seat]
    hidden = state.looked_at if seat != state.common.leader else ()
    dealt = shuffled([*state.missions, *hidden, *(it for other in others for it in state.put_away[other])], rng)
    put_away = list(state.put_away)
    if RISKY_IDS.isdisjoint(dealt):
        for other in others:
            put_away[other] = tuple([dealt.pop() for _ in put_away[other]])
    else:
        for other in others:  # an empty text stands for a mission of any kind, which is dealt later
            chosen = [mission for mission, leader in zip(state.chosen, state.led, strict=False) if leader == other]
            put_away[other] = tuple(["" if mission in RISKY_IDS else _ordinary(dealt) for mission in chosen])
        dealt = shuffled(dealt, rng)  # what is left over was not taken, so its order is no longer fair
        put_away = [tuple([it or dealt.pop() for it in own]) for own in put_away]
    looked_at = tuple(sorted(dealt.pop() for _ in hidden)) if hidden else state.looked_at
    return replace(state, put_away=tuple(put_away), looked_at=looked_at, missions=tuple(dealt))


def _ordinary(dealt: list[MissionId]) -> MissionId:
    """Take the first ordinary mission."""
    return dealt.pop(next(at for at, mission in enumerate(dealt) if mission not in RISKY_IDS))


# From what a seat knows

_PHASES: dict[type, Phase] = {
    ChoosePartner: "partner",
    ChooseMission: "mission",
    PlayCard: "card",
    Suspect: "talk",
    Vote: "vote",
}


def reconstruct(information: Information) -> State:
    """A position that fits: the view has what lies open, and the events have what was played before."""
    view: View = information.view
    seats, seat, events = information.seats, information.seat, information.events
    phase = _PHASES[type(information.legal[0])]
    played = [event for event in events if isinstance(event, Played)]
    chosen = [event for event in events if isinstance(event, ChoseMission)]
    cards = sorted(set(DECK) - {event.card for event in played} - set(view.hand))
    sizes = [SETUPS[seats].hand - sum(event.seat == other for event in played) for other in range(seats)]
    hands = [view.hand if other == seat else tuple(cards.pop() for _ in range(sizes[other])) for other in range(seats)]
    missions = _unknown_missions(information)
    put_away = [
        view.put_away if other == seat else tuple([missions.pop() for event in chosen if event.seat == other])
        for other in range(seats)
    ]
    looked_at = view.looked_at or (tuple(sorted(missions.pop() for _ in range(2))) if phase == "mission" else ())
    finished = len(played) - len(view.laid)
    return State(
        options=information.options,
        phase=phase,
        common=view.common,
        roles=_some_roles(information),
        hands=tuple(tuple(sorted(hand)) for hand in hands),
        put_away=tuple(put_away),
        missions=tuple(missions),
        looked_at=looked_at,
        unseen=tuple(cards),
        played=tuple(event.card for event in played[:finished]),
        led=tuple(event.seat for event in events if isinstance(event, LookedAt)),
        chosen=tuple(event.mission for event in chosen),
    )


def _unknown_missions(information: Information) -> list[MissionId]:
    view: View = information.view
    common = view.common
    known = {*view.put_away, *view.looked_at, *common.completed, *common.failed, common.mission}
    return [it for it in cast(information.options.roles, information.seats).missions if it not in known]


def _some_roles(information: Information) -> tuple[RoleId, ...]:
    """The roles that the seat knows, and the others anyhow."""
    view: View = information.view
    known = {seat: it.role for seat, it in enumerate(view.seats) if it.role is not None}
    if view.role is not None:
        known[information.seat] = view.role
    if view.partner_role is not None and view.partner is not None:
        known[view.partner] = view.partner_role
    left = list(cast(information.options.roles, information.seats).roles)
    for role in known.values():
        left.remove(role)
    return tuple(known[seat] if seat in known else left.pop() for seat in range(information.seats))
