"""Actions, events and views in words, for people who follow a match."""

from collections.abc import Callable, Iterator
from enum import IntEnum
from typing import Any

from referee.games.agent_avenue.marks import SeenMark
from referee.games.agent_avenue.moves import (
    Action,
    Answered,
    Ceased,
    Choose,
    Discard,
    Discarded,
    Drew,
    Enlisted,
    Event,
    GotAway,
    HandedOver,
    HandOver,
    Ignored,
    Kept,
    Laid,
    Lay,
    Moved,
    NothingOffered,
    Offered,
    Play,
    Played,
    Recruit,
    RecruitAgain,
    Recruited,
    Shown,
    SideBegan,
    Slot,
    Take,
    Took,
    TookBack,
)
from referee.games.agent_avenue.pieces import HOMES, MARKET_SPACES, SPACES, Agent, Cards, MarketCard, MarketCards
from referee.games.agent_avenue.state import Market, lead
from referee.games.agent_avenue.teams import ALLOWED_DISCARDS, BY_SEATS
from referee.games.agent_avenue.view import View


def _titled(member: IntEnum) -> str:
    return member.name.replace("_", " ").title().replace(" Of The ", " of the ")


NAMES = {agent: _titled(agent) for agent in Agent}
CARDS = {card: _titled(card) for card in MarketCard}
SLOTS = {Slot.FACE_UP: "face up", Slot.FACE_DOWN: "face down"}


def describe_action(action: Action) -> str:
    """Such as "play Enforcer face up, Mole face down"."""
    return _ACTIONS[type(action)](action)


_ACTIONS: dict[type, Callable[[Any], str]] = {
    Discard: lambda it: f"discard {NAMES[it.agent]}",
    Play: lambda it: f"play {NAMES[it.face_up]} face up, {NAMES[it.face_down]} face down",
    Recruit: lambda it: f"recruit the card {SLOTS[it.slot]}",
    Lay: lambda it: f"play {NAMES[it.agent]} {SLOTS[it.slot]}",
    HandOver: lambda _: "leave the face-up card to the partner",
    Take: lambda it: f"take {CARDS[it.card]}{_by(it.taker)}",
    Choose: lambda it: f"choose {NAMES[it.agent]}",
    RecruitAgain: lambda it: "recruit it again" if it.again else "keep it in hand",
}


def describe(event: Event) -> str:
    """Such as "seat 0 plays Enforcer face up and Mole face down"."""
    return _EVENTS[type(event)](event)


_EVENTS: dict[type, Callable[[Any], str]] = {
    SideBegan: lambda it: f"side {it.side} begins",
    Drew: lambda it: f"seat {it.seat} draws {it.count}" + (f": {_listed(it.agents)}" if it.agents else ""),
    Discarded: lambda it: f"seat {it.seat} discards {_or_a_card(it.agent)} face down",
    Played: lambda it: f"seat {it.seat} plays {NAMES[it.face_up]} face up and {_or_a_card(it.face_down)} face down",
    Recruited: lambda it: f"side {it.side} recruits {NAMES[it.agent]} ({SLOTS[it.slot]})",
    Moved: lambda it: f"side {it.side} {_moved(it.spaces)}{it.progress:+d}",
    Laid: lambda it: f"seat {it.seat} plays {_or_a_card(it.agent)} {SLOTS[it.slot]}",
    HandedOver: lambda it: f"seat {it.seat} leaves the face-up card to its partner",
    Answered: lambda it: f"seat {it.seat} answers: {describe_action(it.answer)}",
    Offered: lambda it: f"on offer now: {_listed_cards(it.cards)}",
    Took: lambda it: f"side {it.side} takes {CARDS[it.card]}{_by(it.taker)}",
    NothingOffered: lambda it: f"side {it.side} stands on a market space, but nothing is on offer",
    Ignored: lambda it: f"{CARDS[it.card]} does nothing: seat {it.seat} cannot carry it out",
    TookBack: lambda it: f"seat {it.seat} takes {NAMES[it.agent]}, which lay in front of side {it.side}, into its hand",
    Kept: lambda it: f"seat {it.seat} keeps {NAMES[it.agent]} in its hand",
    Shown: lambda it: f"seat {it.seat} shows 2 {NAMES[it.agent]} in its hand",
    Enlisted: lambda it: f"side {it.side} recruits {NAMES[it.agent]} ({_source(it.seat)})",
    GotAway: lambda it: f"side {it.side} gets away from the home: {_moved(it.spaces)}{it.progress:+d}",
    Ceased: lambda it: f"all agents in play leave the game: {_counted(it.agents)}",
}


def describe_view(view: View) -> str:
    """The board, both sides, the market, what is to be decided and what the seat holds."""
    lines = [
        f"turn {view.turn}, seat {view.active_seat}'s; seen by seat {view.seat}",
        f"board {_board(view)}  deck {view.deck_count}",
        *(_side(view, side) for side in range(len(view.sides))),
        *_market(view),
        *(_seat_line(view, seat) for seat in range(len(view.seats))),
        *_pending(view),
    ]
    return "\n".join(lines)


def _board(view: View) -> str:
    """The loop from space 0 on: a pawn is the number of its side, * is both, o an empty home, m a market space."""
    spaces = ["."] * SPACES
    for home in HOMES:
        spaces[home] = "o"
    for space in MARKET_SPACES if view.market else ():
        spaces[space] = "m"
    pawns = [(home + side.progress) % SPACES for home, side in zip(HOMES, view.sides, strict=True)]
    for side, at in enumerate(pawns):
        spaces[at] = str(side) if pawns.count(at) == 1 else "*"
    return "".join(spaces)


def _side(view: View, side: int) -> str:
    own = view.sides[side]
    ongoing = f"; {_listed_cards(own.ongoing)}" if own.ongoing else ""
    walked = f"progress {own.progress:+d}, lead {lead(view.sides, side):+d}"
    return f"side {side}: {walked}; {_counted(own.recruited)}{ongoing}"


def _market(view: View) -> Iterator[str]:
    if view.market is None:
        return
    market = view.market.open
    used = f"; used: {_listed_cards(market.discarded)}" if market.discarded else ""
    yield f"market: {_listed_cards(market.offer)}; pile {view.market.pile_count}{used}"
    if market.removed:
        yield f"out of the game: {_counted(market.removed)}"


def _seat_line(view: View, seat: int) -> str:
    held = view.seats[seat]
    marks = "".join(f"; {_marked(mark)}" for mark in held.marks)
    discards = f"discards {held.discard_count} of {ALLOWED_DISCARDS[BY_SEATS[len(view.seats)]][seat]}"
    if seat != view.seat:
        return f"seat {seat}: {held.hand_count} cards; {discards}{marks}"
    discarded = f" ({_listed(view.own_discards)})" if view.own_discards else ""
    return f"seat {seat}: {_listed(view.hand)}; {discards}{discarded}{marks}"


def _marked(mark: SeenMark) -> str:
    since = f", {mark.discards_since} discards ago" if mark.discards_since else ""
    return f"seen there: {mark.count} {NAMES[mark.agent]}{since}"


def _pending(view: View) -> Iterator[str]:
    """The open decision, if it is more than the next play; also its player, if a partner takes part in it."""
    if view.market and (view.market.open.landed or view.market.open.resolving):
        yield _pending_in_the_market(view.market.open)
    elif view.face_up is not None and view.teams and not view.teams.face_down_laid:
        yield f"face up: {NAMES[view.face_up]}; the face-down card is to be played"
    elif view.face_up is not None:
        yield f"to recruit: {NAMES[view.face_up]} face up, {_or_a_card(view.own_face_down)} face down"
    if view.teams:
        (a, b), (up, down) = view.teams.captains, view.teams.laying
        laying = f"seat {up} plays both cards" if up == down else f"seat {up} plays face up, seat {down} face down"
        yield f"captains: seats {a} and {b}; {laying}"


def _pending_in_the_market(market: Market) -> str:
    if market.returned is not None:
        return f"seat {market.taker} may recruit {NAMES[market.returned]} again"
    if market.resolving is not None:
        return f"seat {market.taker} chooses for {CARDS[market.resolving]}"
    return f"side {market.landed[0]} must take a market card"


def _moved(spaces: int) -> str:
    if spaces == 0:
        return "stays, at progress "
    return f"moves {'on' if spaces > 0 else 'back'} {abs(spaces)}, to progress "


def _by(taker: int | None) -> str:
    return "" if taker is None else f" (seat {taker})"


def _source(seat: int | None) -> str:
    return "from the deck" if seat is None else f"from the hand of seat {seat}"


def _or_a_card(agent: Agent | None) -> str:
    return "a card" if agent is None else NAMES[agent]


def _listed(agents: Cards) -> str:
    return ", ".join(NAMES[agent] for agent in agents) or "nothing"


def _listed_cards(cards: MarketCards) -> str:
    return ", ".join(CARDS[card] for card in cards) or "nothing"


def _counted(agents: Cards) -> str:
    counts = [f"{agents.count(agent)} {NAMES[agent]}" for agent in sorted(set(agents))]
    return ", ".join(counts) or "no agents"
