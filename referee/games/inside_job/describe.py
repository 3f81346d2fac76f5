"""Actions, events and views in words, for people who follow a match."""

from collections.abc import Callable, Iterator
from typing import Any

from referee.core.outcome import Seat
from referee.games.inside_job.common import Common, Laid, OpenSeat
from referee.games.inside_job.missions import MISSIONS, MissionId, MissionIds
from referee.games.inside_job.moves import (
    Accused,
    Action,
    ChooseMission,
    ChoosePartner,
    ChoseMission,
    ChosePartner,
    Collected,
    Event,
    GotHand,
    GotRole,
    HandedBack,
    Judged,
    LeaderDrawn,
    LookedAt,
    Opened,
    PlayCard,
    Played,
    Revealed,
    Robbed,
    RolesShown,
    Suspect,
    Suspected,
    Vote,
    Voted,
    WonTrick,
)
from referee.games.inside_job.pieces import DECK, SUIT, VALUE, Cards
from referee.games.inside_job.roles import ROLES
from referee.games.inside_job.view import View

CARDS = {card: f"{SUIT[card].name.lower()} {VALUE[card]}" for card in DECK}
ROLE_NAMES = {role.id: role.name for role in ROLES.values()}


def describe_action(action: Action) -> str:
    """Such as "play green 5 with a token"."""
    return _ACTIONS[type(action)](action)


_ACTIONS: dict[type, Callable[[Any], str]] = {
    ChoosePartner: lambda it: f"take seat {it.partner} for a partner",
    ChooseMission: lambda it: f"reveal {describe_mission(it.mission)}",
    PlayCard: lambda it: f"play {_card(it)}",
    Suspect: lambda it: f"suspect {_seat_or_nobody(it.suspect)}",
    Vote: lambda it: f"vote for {_seats(it.ballots)}",
}


def describe(event: Event) -> str:
    """Such as "seat 0 plays green 5 with a token"."""
    return _EVENTS[type(event)](event)


_EVENTS: dict[type, Callable[[Any], str]] = {
    GotRole: lambda it: f"seat {it.seat} is dealt {_or(it.role, 'a role')}",
    Opened: lambda it: f"seat {it.seat} shows its role: {ROLE_NAMES[it.role]}",
    GotHand: lambda it: f"seat {it.seat} is dealt {it.count} cards" + (f": {_hand(it.cards)}" if it.cards else ""),
    ChosePartner: lambda it: f"seat {it.seat} takes seat {it.partner} for its partner: {_or(it.role, 'a role unseen')}",
    LeaderDrawn: lambda it: f"seat {it.seat} is drawn to lead the first trick",
    LookedAt: lambda it: f"trick {it.trick}: seat {it.seat} looks at {_missions_or(it.missions)}",
    ChoseMission: lambda it: (
        f"seat {it.seat} reveals {describe_mission(it.mission)}, and puts away {it.put_away or 'the other'}"
    ),
    Played: lambda it: f"seat {it.seat} plays {_card(it)}",
    WonTrick: lambda it: f"seat {it.seat} wins the trick",
    Judged: lambda it: f"{it.mission} is completed" if it.completed else f"{it.mission} fails",
    Collected: lambda it: f"seat {it.seat} takes a token from the supply" + _wagered(it.wagered),
    HandedBack: lambda it: (
        f"seat {it.seat} takes nothing; to the supply go {_tokens(it.wagered)} from the cards, "
        f"{_tokens(it.of_partner)} of its partner, seat {it.partner}"
    ),
    Revealed: lambda it: f"seat {it.seat} has so many tokens that it reveals its role: {ROLE_NAMES[it.role]}",
    Robbed: lambda it: f"seat {it.seat} takes {_tokens(it.tokens)} from seat {it.victim}, at its right",
    Suspected: lambda it: f"seat {it.seat} suspects {_seat_or_nobody(it.suspect)}",
    Voted: lambda it: f"seat {it.seat} votes for {_seats(it.ballots)}",
    Accused: lambda it: f"most ballots: {_seats(it.seats)}",
    RolesShown: lambda it: (
        f"the roles: {', '.join(f'seat {at} {ROLE_NAMES[role]}' for at, role in enumerate(it.roles))}"
    ),
}


def describe_view(view: View) -> str:
    """The trick, each player's open part, the missions so far, and what the seat holds."""
    common = view.common
    lines = [
        f"{_trick(common)}; seen by seat {view.seat}",
        f"mission: {describe_mission(common.mission) if common.mission else 'none yet'}",
        f"cards: {_laid(common.laid)}",
        f"completed: {_ids(common.completed)}; failed: {_ids(common.failed)}; supply {_tokens(common.supply)}",
        *(f"seat {seat}: {_open_seat(own)}" for seat, own in enumerate(common.seats)),
        *_own(view),
    ]
    return "\n".join(lines)


def _trick(common: Common) -> str:
    return f"trick {common.trick}, led by seat {common.leader}" if common.trick else "before the first trick"


def _own(view: View) -> Iterator[str]:
    yield f"own role: {_or(view.role, 'not dealt')}; hand: {_hand(view.hand)}"
    if view.put_away:
        yield f"put away: {_ids(view.put_away)}"
    if view.looked_at:
        yield f"to choose from: {_missions_or(view.looked_at)}"
    if view.partner is not None:
        yield f"partner of the Accomplice: seat {view.partner}, {_or(view.partner_role, 'a role unseen')}"


def _open_seat(own: OpenSeat) -> str:
    role = f", {ROLE_NAMES[own.role]}" if own.role else ""
    return _tokens(own.tokens) + role + (" (revealed by tokens)" if own.revealed else "")


def describe_mission(mission: MissionId) -> str:
    """Such as "M01 (all cards even; trump blue)"."""
    it = MISSIONS[mission]
    return f"{mission} ({it.text}; trump {it.trump.name.lower()})"


def _missions_or(missions: MissionIds) -> str:
    return " and ".join(map(describe_mission, missions)) or "two missions"


def _ids(missions: MissionIds) -> str:
    return " ".join(missions) or "none"


def _card(played: PlayCard | Played | Laid) -> str:
    return CARDS[played.card] + (" with a token" if played.wager else "")


def _laid(laid: tuple[Laid, ...]) -> str:
    return ", ".join(map(_card, laid)) or "none"


def _hand(cards: Cards) -> str:
    return ", ".join(CARDS[card] for card in cards) or "none"


def _or(role: str | None, otherwise: str) -> str:
    return otherwise if role is None else ROLE_NAMES[role]


def _tokens(count: int) -> str:
    return f"{count} token{'' if count == 1 else 's'}"


def _wagered(count: int) -> str:
    return f", and {_tokens(count)} from the cards" if count else ""


def _seat_or_nobody(seat: Seat | None) -> str:
    return "nobody" if seat is None else f"seat {seat}"


def _seats(seats: tuple[Seat, ...]) -> str:
    return " and ".join(f"seat {seat}" for seat in seats) or "nobody"
