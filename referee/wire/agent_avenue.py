"""Agent Avenue on the wire: its values as the messages of agent_avenue.proto."""

from typing import Any, cast

import msgspec
from referee_bot.v1 import agent_avenue_pb2 as pb

from referee.core.outcome import Seat
from referee.games.agent_avenue.game import AgentAvenue
from referee.games.agent_avenue.moves import Action, Event
from referee.games.agent_avenue.pieces import Agent, Cards, MarketCard, MarketCards
from referee.games.agent_avenue.state import Options, SideState
from referee.games.agent_avenue.view import MarketView, SeatView, TeamsView, View
from referee.wire.codec import GameEntry, cache_results
from referee.wire.message_mapper import MessageMapper, plain


def _agent(agent: Agent | None) -> "pb.Agent.ValueType":
    """The number on the wire; None is left unset there."""
    return cast("pb.Agent.ValueType", agent or 0)


def _agents(agents: Cards) -> "list[pb.Agent.ValueType]":
    return cast("list[pb.Agent.ValueType]", agents)


def _card(card: MarketCard | None) -> "pb.MarketCard.ValueType":
    return cast("pb.MarketCard.ValueType", card or 0)


def _cards(cards: MarketCards) -> "list[pb.MarketCard.ValueType]":
    return cast("list[pb.MarketCard.ValueType]", cards)


_MAPPER = MessageMapper(pb)

# Bytes of protobuf messages, put one after another, are the bytes of the merged message. So this module encodes
# repeated parts of a view once, as views with this part only.


@cache_results
def _side_bytes(side: SideState) -> bytes:
    ongoing = _cards(side.ongoing)
    message = pb.SideView(progress=side.progress, recruited=_agents(side.recruited), ongoing=ongoing)
    return pb.View(sides=[message]).SerializeToString()


@cache_results
def _seats_bytes(seats: tuple[SeatView, ...]) -> bytes:
    return pb.View(seats=map(_seat, seats)).SerializeToString()


def _seat(seat: SeatView) -> pb.SeatView:
    marks = [
        pb.Mark(agent=_agent(mark.agent), count=mark.count, discards_since=mark.discards_since) for mark in seat.marks
    ]
    return pb.SeatView(hand_count=seat.hand_count, discard_count=seat.discard_count, marks=marks)


@cache_results
def _turn_bytes(
    seat: Seat, turn: int, active: Seat, deck_count: int, face_up: Agent | None, own_face_down: Agent | None
) -> bytes:
    message = pb.View(
        seat=seat,
        turn=turn,
        active_seat=active,
        deck_count=deck_count,
        face_up=_agent(face_up),
        own_face_down=_agent(own_face_down),
    )
    return message.SerializeToString()


@cache_results
def _hand_bytes(hand: Cards) -> bytes:
    return pb.View(hand=_agents(hand)).SerializeToString()


@cache_results
def _discards_bytes(discards: Cards) -> bytes:
    return pb.View(own_discards=_agents(discards)).SerializeToString()


@cache_results
def _market_bytes(market: MarketView | None) -> bytes:
    if market is None:
        return b""
    message = pb.Market(
        offer=_cards(market.open.offer),
        pile_count=market.pile_count,
        discarded=_cards(market.open.discarded),
        removed=_agents(market.open.removed),
        landed=market.open.landed,
        resolving=_card(market.open.resolving),
        taker=market.open.taker,
        returned=_agent(market.open.returned),
    )
    return pb.View(market=message).SerializeToString()


@cache_results
def _teams_bytes(teams: TeamsView | None) -> bytes:
    if teams is None:
        return b""
    up, down = teams.laying
    message = pb.Teams(
        captains=teams.captains, face_up_seat=up, face_down_seat=down, face_down_laid=teams.face_down_laid
    )
    return pb.View(teams=message).SerializeToString()


class AgentAvenueCodec:
    """The codec of agent_avenue.proto. No message in it has a map, so equal values give equal bytes."""

    def view(self, view: View) -> bytes:
        """A `View` message."""
        return b"".join(
            (
                _turn_bytes(view.seat, view.turn, view.active_seat, view.deck_count, view.face_up, view.own_face_down),
                _hand_bytes(view.hand),
                _discards_bytes(view.own_discards),
                *map(_side_bytes, view.sides),
                _seats_bytes(view.seats),
                _market_bytes(view.market),
                _teams_bytes(view.teams),
            )
        )

    options = staticmethod(_MAPPER.options)
    action = staticmethod(_MAPPER.action)
    event = staticmethod(_MAPPER.event)


def _read_view(raw: bytes) -> View:
    read = plain(pb.View.FromString(raw))
    return msgspec.convert(read | {"market": _market_in(read["market"]), "teams": _teams_in(read["teams"])}, View)


def _market_in(read: dict[str, Any] | None) -> dict[str, Any] | None:
    return None if read is None else {"open": read, "pile_count": read["pile_count"]}


def _teams_in(read: dict[str, Any] | None) -> dict[str, Any] | None:
    return None if read is None else {**read, "laying": (read["face_up_seat"], read["face_down_seat"])}


_READER = _MAPPER.reader(Options, _read_view, Action, Event)

entry = GameEntry(game=AgentAvenue(), codec=AgentAvenueCodec(), reader=_READER)
"""The game entry that the entry point of the group `referee.games` names."""
