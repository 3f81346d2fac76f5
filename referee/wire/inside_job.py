"""Inside Job on the wire: its values as the messages of inside_job.proto."""

from typing import cast

import msgspec
from referee_bot.v1 import inside_job_pb2 as pb

from referee.core.outcome import Seat
from referee.games.inside_job.common import Laid, OpenSeat
from referee.games.inside_job.game import InsideJob
from referee.games.inside_job.missions import MISSIONS, MissionId, MissionIds
from referee.games.inside_job.moves import Action, Event
from referee.games.inside_job.options import Options
from referee.games.inside_job.pieces import DECK
from referee.games.inside_job.role import RoleId
from referee.games.inside_job.view import View
from referee.wire.codec import GameEntry, cache_results
from referee.wire.message_mapper import MessageMapper, Readers, plain

_MAPPER = MessageMapper(pb)

# Bytes of protobuf messages, put one after another, are the bytes of the merged message. So this module encodes
# repeated parts of a view once, as views with this part only.


def _mission(mission: MissionId) -> pb.Mission:
    it = MISSIONS[mission]
    trump = cast("pb.Suit.ValueType", it.trump)
    return pb.Mission(id=it.id, trump=trump, condition=it.condition, numbers=it.numbers)


_MISSION_BYTES = {id_: pb.View(mission=_mission(id_)).SerializeToString() for id_ in MISSIONS} | {None: b""}
_LOOKED_AT_BYTES = {id_: pb.View(looked_at=[_mission(id_)]).SerializeToString() for id_ in MISSIONS}
_LAID_BYTES = {
    Laid(card, wager): pb.View(laid=[pb.Laid(card=card, wager=wager)]).SerializeToString()
    for card in DECK
    for wager in (False, True)
}


@cache_results
def _seats_bytes(seats: tuple[OpenSeat, ...]) -> bytes:
    messages = [pb.OpenSeat(tokens=it.tokens, role=it.role or "", revealed=it.revealed) for it in seats]
    return pb.View(seats=messages).SerializeToString()


@cache_results
def _missions_bytes(completed: MissionIds, failed: MissionIds) -> bytes:
    return pb.View(completed=completed, failed=failed).SerializeToString()


@cache_results
def _trick_bytes(trick: int, leader: Seat | None, supply: int, partner: Seat | None) -> bytes:
    return pb.View(trick=trick, leader=leader, supply=supply, partner=partner).SerializeToString()


@cache_results
def _identity_bytes(seat: Seat, role: RoleId | None) -> bytes:
    return pb.View(seat=seat, role=role or "").SerializeToString()


@cache_results
def _apart_bytes(put_away: MissionIds, partner_role: RoleId | None) -> bytes:
    return pb.View(put_away=put_away, partner_role=partner_role or "").SerializeToString()


class InsideJobCodec:
    """The codec of inside_job.proto. No message in it has a map, so equal values give equal bytes."""

    def view(self, view: View) -> bytes:
        """A `View` message."""
        return b"".join(
            (
                _identity_bytes(view.seat, view.role),
                pb.View(hand=view.hand).SerializeToString(),  # hands hardly ever repeat
                _apart_bytes(view.put_away, view.partner_role),
                *map(_LOOKED_AT_BYTES.__getitem__, view.looked_at),
                _trick_bytes(view.trick, view.leader, view.supply, view.partner),
                _MISSION_BYTES[view.mission],
                *map(_LAID_BYTES.__getitem__, view.laid),
                _missions_bytes(view.completed, view.failed),
                _seats_bytes(view.seats),
            )
        )

    options = staticmethod(_MAPPER.options)
    action = staticmethod(_MAPPER.action)
    event = staticmethod(_MAPPER.event)


_READERS: Readers = {"Mission": lambda mission: mission.id}


def _read_view(raw: bytes) -> View:
    return msgspec.convert(plain(pb.View.FromString(raw), _READERS), View)


_READER = _MAPPER.reader(Options, _read_view, Action, Event)

entry = GameEntry(game=InsideJob(), codec=InsideJobCodec(), reader=_READER)
"""The game entry that the entry point of the group `referee.games` names."""
