"""Agent Avenue on the wire: its values as the messages of agent_avenue.proto."""

from functools import lru_cache
from typing import cast

from referee_bot.v1 import agent_avenue_pb2 as pb

from referee.games.agent_avenue.game import AgentAvenue
from referee.games.agent_avenue.moves import (
    ACTIONS,
    Action,
    Discard,
    Discarded,
    Drew,
    Event,
    Moved,
    Play,
    Played,
    Recruited,
    SideBegan,
    Slot,
)
from referee.games.agent_avenue.pieces import Agent, Cards
from referee.games.agent_avenue.state import Options, SideState
from referee.games.agent_avenue.view import SeatView, View
from referee.wire.codec import GameEntry


def _agent(agent: Agent | None) -> "pb.Agent.ValueType":
    """The number on the wire; what is None here is unset there."""
    return cast("pb.Agent.ValueType", agent or 0)


def _agents(agents: Cards) -> "list[pb.Agent.ValueType]":
    return cast("list[pb.Agent.ValueType]", agents)


def _slot(slot: Slot) -> "pb.Slot.ValueType":
    return cast("pb.Slot.ValueType", slot)


def _action(action: Action) -> pb.Action:
    if isinstance(action, Play):
        up, down = _agent(action.face_up), _agent(action.face_down)
        return pb.Action(play=pb.Play(face_up=up, face_down=down))
    if isinstance(action, Discard):
        return pb.Action(discard=pb.Discard(agent=_agent(action.agent)))
    return pb.Action(recruit=pb.Recruit(slot=_slot(action.slot)))


def _event(event: Event) -> pb.Event:
    match event:
        case SideBegan(side):
            return pb.Event(side_began=pb.SideBegan(side=side))
        case Drew(seat, count, agents):
            return pb.Event(drew=pb.Drew(seat=seat, count=count, agents=_agents(agents)))
        case Discarded(seat, agent):
            return pb.Event(discarded=pb.Discarded(seat=seat, agent=_agent(agent)))
        case Played(seat, up, down):
            played = pb.Played(seat=seat, face_up=_agent(up), face_down=_agent(down))
            return pb.Event(played=played)
        case Recruited(side, slot, agent):
            recruited = pb.Recruited(side=side, slot=_slot(slot), agent=_agent(agent))
            return pb.Event(recruited=recruited)
        case Moved(side, spaces, progress):
            return pb.Event(moved=pb.Moved(side=side, spaces=spaces, progress=progress))


_ACTION_BYTES = {action: _action(action).SerializeToString() for action in ACTIONS}

# The bytes of protobuf messages, one after the other, are the bytes of the message merged of them. So the parts of a
# view that come again and again are encoded once, as views that have that part only.

_kept = lru_cache(maxsize=4096)


@_kept
def _event_bytes(event: Event) -> bytes:
    return _event(event).SerializeToString()


@_kept
def _side_bytes(side: SideState) -> bytes:
    message = pb.SideView(progress=side.progress, recruited=_agents(side.recruited))
    return pb.View(sides=[message]).SerializeToString()


@_kept
def _seat_bytes(seat: SeatView) -> bytes:
    message = pb.SeatView(hand_count=seat.hand_count, discard_count=seat.discard_count)
    return pb.View(seats=[message]).SerializeToString()


@_kept
def _own_bytes(hand: Cards, discards: Cards) -> bytes:
    return pb.View(hand=_agents(hand), own_discards=_agents(discards)).SerializeToString()


class AgentAvenueCodec:
    """The codec of agent_avenue.proto. No message in it has a map, so equal values give equal bytes."""

    def options(self, options: Options) -> bytes:
        """An `Options` message."""
        return pb.Options(mode=options.mode, line_up=options.line_up).SerializeToString()

    def view(self, view: View) -> bytes:
        """A `View` message."""
        message = pb.View(
            seat=view.seat,
            turn=view.turn,
            active_seat=view.active_seat,
            deck_count=view.deck_count,
            face_up=_agent(view.face_up),
            own_face_down=_agent(view.own_face_down),
        )
        return b"".join(
            (
                message.SerializeToString(),
                _own_bytes(view.hand, view.own_discards),
                *map(_side_bytes, view.sides),
                *map(_seat_bytes, view.seats),
            )
        )

    def action(self, action: Action) -> bytes:
        """An `Action` message, encoded once for all."""
        return _ACTION_BYTES[action]

    def event(self, event: Event) -> bytes:
        """An `Event` message."""
        return _event_bytes(event)


entry = GameEntry(game=AgentAvenue(), codec=AgentAvenueCodec())
"""What the entry point of the group `referee.games` names."""
