"""Inside Job on the wire: its values as the messages of inside_job.proto."""

from functools import lru_cache
from typing import cast

from referee_bot.v1 import inside_job_pb2 as pb

from referee.games.inside_job.common import Common, Laid, OpenSeat
from referee.games.inside_job.game import InsideJob
from referee.games.inside_job.missions import MISSIONS, MissionId, MissionIds
from referee.games.inside_job.moves import ACTIONS, Action, Event
from referee.games.inside_job.options import Options
from referee.games.inside_job.pieces import DECK
from referee.games.inside_job.view import View
from referee.wire.codec import GameEntry
from referee.wire.mirror import Mirror

_MIRROR = Mirror(pb)
_ACTION_BYTES = {action: _MIRROR.action(action) for action in ACTIONS}

# Bytes of protobuf messages, put one after another, are the bytes of the merged message. So the parts of a view that
# come again and again are encoded once, as views with this part only.

_kept = lru_cache(maxsize=4096)


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


@_kept
def _event_bytes(event: Event) -> bytes:
    return _MIRROR.event(event)


@_kept
def _seats_bytes(seats: tuple[OpenSeat, ...]) -> bytes:
    messages = [pb.OpenSeat(tokens=it.tokens, role=it.role or "", revealed=it.revealed) for it in seats]
    return pb.View(seats=messages).SerializeToString()


@_kept
def _missions_bytes(completed: MissionIds, failed: MissionIds) -> bytes:
    return pb.View(completed=completed, failed=failed).SerializeToString()


def _common_bytes(common: Common) -> bytes:
    """The part that all seats see alike."""
    message = pb.View(
        trick=common.trick,
        leader=common.leader if common.trick else None,
        supply=common.supply,
        partner=common.partner,
    )
    return b"".join(
        (
            message.SerializeToString(),
            _MISSION_BYTES[common.mission],
            *map(_LAID_BYTES.__getitem__, common.laid),
            _missions_bytes(common.completed, common.failed),
            _seats_bytes(common.seats),
        )
    )


class InsideJobCodec:
    """The codec of inside_job.proto. No message in it has a map, so equal values give equal bytes."""

    def options(self, options: Options) -> bytes:
        """An `Options` message."""
        message = pb.Options(roles=options.roles, talk=options.talk, leader_wagers=options.leader_wagers)
        return message.SerializeToString()

    def view(self, view: View) -> bytes:
        """A `View` message."""
        own = pb.View(
            seat=view.seat,
            role=view.role or "",
            hand=view.hand,
            put_away=view.put_away,
            partner_role=view.partner_role or "",
        )
        looked_at = map(_LOOKED_AT_BYTES.__getitem__, view.looked_at)
        return b"".join((own.SerializeToString(), *looked_at, _common_bytes(view.common)))

    def action(self, action: Action) -> bytes:
        """An `Action` message, encoded once for all."""
        return _ACTION_BYTES[action]

    def event(self, event: Event) -> bytes:
        """An `Event` message."""
        return _event_bytes(event)


entry = GameEntry(game=InsideJob(), codec=InsideJobCodec())
"""What the entry point of the group `referee.games` names."""
