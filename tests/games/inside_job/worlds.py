"""Other positions of Inside Job that a seat cannot tell from the one it is in.

It deals again everything that the seat cannot know: the closed roles of others, their hands, the unseen cards, the
missions of the
deck, and the missions that others look at or have put away. What everybody saw stays true: if a seat did not follow
suit, it has had no card of that suit since then, or it need not follow (IJ-12).
"""

from collections.abc import Mapping, Set
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from referee.core.outcome import Seat
from referee.games.inside_job.missions import RISKY_IDS, MissionId, MissionIds
from referee.games.inside_job.pieces import SUIT, Card, Cards, Suit
from referee.games.inside_job.role import RoleId
from referee.games.inside_job.roles import ROLES
from referee.games.inside_job.state import State

_TRIES = 50
_NOBODY = -1
"""The holder of the unseen cards."""


class Shown(NamedTuple):
    """What a step tells a seat that it did not know before.

    Attributes:
        roles: the seats whose roles it learns.
        played: the card that another seat plays.
        chosen: the mission that another leader reveals.
        next_missions: how many missions of the deck it looks at next.
    """

    roles: frozenset[Seat] = frozenset()
    played: tuple[Card, ...] = ()
    chosen: MissionId | None = None
    next_missions: int = 0


def another_world(state: State, seat: Seat, rng: Random, shown: Shown) -> State:
    """Deal again what `seat` cannot know, except what this step shows. The state itself if no deal fits."""
    evidence = _evidence(state, shown)
    for _ in range(_TRIES):
        roles = _recast(state, seat, rng, shown)
        bound = [other for other, role in enumerate(roles) if ROLES[role].must_follow]
        barred = {other: evidence.missing[other] for other in bound if evidence.missing[other]}
        hands = None if evidence.caught.intersection(bound) else _redealt(state, seat, rng, shown, barred)
        if hands is not None:
            return _with_other_missions(replace(state, roles=roles, **hands), seat, rng, shown)
    return state


class _Evidence(NamedTuple):
    """What everybody saw.

    Attributes:
        missing: by seat, the suits that it did not follow.
        caught: the seats that did not follow a suit and played it later. All know that these need not follow.
    """

    missing: list[set[int]]
    caught: set[Seat]


def _evidence(state: State, shown: Shown) -> _Evidence:
    seats = len(state.hands)
    cards = (*state.played, *(it.card for it in state.common.laid), *shown.played)
    missing: list[set[int]] = [set() for _ in range(seats)]
    caught = set[Seat]()
    for trick, leader in enumerate(state.led):
        suits = [card // 100 for card in cards[trick * seats : (trick + 1) * seats]]
        for place, suit in enumerate(suits):
            seat = (leader + place) % seats
            if suit in missing[seat]:
                caught.add(seat)
            if suit != suits[0]:
                missing[seat].add(suits[0])
    return _Evidence(missing, caught)


def _recast(state: State, seat: Seat, rng: Random, shown: Shown) -> tuple[RoleId, ...]:
    """The roles, with those that the seat does not know shuffled."""
    open_roles = {at for at, it in enumerate(state.common.seats) if it.role}
    known = {seat, *open_roles, *shown.roles}
    if ROLES[state.roles[seat]].chooses_partner and state.common.partner is not None:
        known.add(state.common.partner)
    others = [at for at in range(len(state.roles)) if at not in known]
    roles = list(state.roles)
    for at, other in zip(others, rng.sample(others, len(others)), strict=True):
        roles[at] = state.roles[other]
    return tuple(roles)


def _redealt(
    state: State, seat: Seat, rng: Random, shown: Shown, barred: Mapping[Seat, Set[int]]
) -> dict[str, tuple[Card, ...] | tuple[Cards, ...]] | None:
    """Deal hands and unseen cards, no hand with a suit that it is barred from. None if this deal failed."""
    others = [at for at in range(len(state.hands)) if at != seat]
    dealt: dict[Seat, list[Card]] = {at: [card for card in state.hands[at] if card in shown.played] for at in others}
    dealt[_NOBODY] = []
    pool = [card for at in others for card in state.hands[at] if card not in shown.played] + list(state.unseen)
    places = [at for at in others for _ in range(len(state.hands[at]) - len(dealt[at]))] + [_NOBODY] * len(state.unseen)
    rng.shuffle(pool)
    rng.shuffle(places)
    many = {suit: -sum(suit in suits for suits in barred.values()) for suit in Suit}  # first those with few places
    for card in sorted(pool, key=lambda card: many[SUIT[card]]):
        suit = card // 100
        found = next((at for at, place in enumerate(places) if suit not in barred.get(place, ())), None)
        if found is None:
            return None
        dealt[places.pop(found)].append(card)
    hands = [state.hands[at] if at == seat else tuple(sorted(dealt[at])) for at in range(len(state.hands))]
    return {"hands": tuple(hands), "unseen": tuple(sorted(dealt[_NOBODY]))}


def _with_other_missions(state: State, seat: Seat, rng: Random, shown: Shown) -> State:
    """Shuffle the missions that the seat has not seen.

    A leader who chose an ordinary mission cannot have put a risky one away (IJ-33), so the risky missions that were put
    away stay where they are.
    """
    pool = list(state.missions[shown.next_missions :])
    for other, mine in enumerate(state.put_away):
        pool += [it for it in mine if it not in RISKY_IDS and other != seat]
    hidden = bool(state.looked_at) and state.common.leader != seat
    pool += state.looked_at if hidden else ()
    rng.shuffle(pool)
    looked_at = _pick_two(pool, shown.chosen) if hidden else state.looked_at
    put_away = tuple(mine if other == seat else _others(mine, pool) for other, mine in enumerate(state.put_away))
    missions = (*state.missions[: shown.next_missions], *pool)
    return replace(state, looked_at=looked_at, put_away=put_away, missions=missions)


def _pick_two(pool: list[MissionId], chosen: MissionId | None) -> MissionIds:
    """Take from the pool what a leader may have looked at before choosing this mission."""
    first = _taken(pool, chosen or pool[0])
    second = next(it for it in pool if it not in RISKY_IDS or chosen is None or chosen in RISKY_IDS)
    return tuple(sorted((first, _taken(pool, second))))


def _others(put_away: MissionIds, pool: list[MissionId]) -> MissionIds:
    """Take as many other missions from the pool. Each ordinary mission is replaced by an ordinary one."""
    return tuple(
        it if it in RISKY_IDS else _taken(pool, next(other for other in pool if other not in RISKY_IDS))
        for it in put_away
    )


def _taken(pool: list[MissionId], mission: MissionId) -> MissionId:
    pool.remove(mission)
    return mission
