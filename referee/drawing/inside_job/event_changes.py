"""What each event changes in the scene before it, as far as the viewer heard it."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from referee.core.outcome import Seat
from referee.drawing.inside_job.scene import Chair, Scene, Showing, Trick, public_pointing
from referee.games.inside_job.common import Laid
from referee.games.inside_job.moves import (
    Accused,
    ChoseMission,
    ChosePartner,
    Collected,
    GotHand,
    GotRole,
    HandedBack,
    Judged,
    LeaderDrawn,
    LookedAt,
    Opened,
    Played,
    Revealed,
    Robbed,
    RolesShown,
    Suspected,
    Voted,
)
from referee.games.inside_job.roles import ROLES


def _chair(scene: Scene, seat: Seat, change: Callable[[Chair], Chair]) -> Scene:
    chairs = (change(own) if at == seat else own for at, own in enumerate(scene.chairs))
    return replace(scene, chairs=tuple(chairs))


def _tokens(scene: Scene, seat: Seat, gained: int) -> Scene:
    return _chair(scene, seat, lambda own: replace(own, tokens=own.tokens + gained))


def _supply(scene: Scene, gained: int) -> Scene:
    return replace(scene, common=replace(scene.common, supply=scene.common.supply + gained))


def _got_role(scene: Scene, event: GotRole) -> Scene:
    role = None if event.role is None else ROLES[event.role]
    return scene if role is None else _chair(scene, event.seat, lambda own: replace(own, role=role))


def _showed_role(scene: Scene, event: Opened | Revealed, showing: Showing) -> Scene:
    return _chair(scene, event.seat, lambda own: replace(own, role=ROLES[event.role], showing=showing))


def _got_hand(scene: Scene, event: GotHand) -> Scene:
    def dealt(own: Chair) -> Chair:
        return replace(own, hand=own.hand if event.count and not event.cards else event.cards, count=event.count)

    return _chair(scene, event.seat, dealt)


def _chose_partner(scene: Scene, event: ChosePartner) -> Scene:
    after = replace(scene, common=replace(scene.common, partner=event.partner))
    return _got_role(after, GotRole(event.partner, event.role))


def _looked_at(scene: Scene, event: LookedAt) -> Scene:
    common = replace(scene.common, trick=event.trick, leader=event.seat, mission=None, laid=())
    return replace(scene, common=common, trick=None, choosing=True, looked_at=event.missions)


def _chose_mission(scene: Scene, event: ChoseMission) -> Scene:
    common = replace(scene.common, mission=event.mission)
    after = replace(scene, common=common, trick=Trick(event.seat, event.mission, ()), choosing=False, looked_at=())
    away = () if event.put_away is None else (event.put_away,)
    return _chair(after, event.seat, lambda own: replace(own, put_away=(*own.put_away, *away)))


def _played(scene: Scene, event: Played) -> Scene:
    def with_less(own: Chair) -> Chair:
        hand = None if own.hand is None else tuple(card for card in own.hand if card != event.card)
        return replace(own, hand=hand, count=own.count - 1, tokens=own.tokens - event.wager)

    after = _chair(scene, event.seat, with_less)
    if after.trick is None:
        return after
    return replace(after, trick=replace(after.trick, laid=(*after.trick.laid, Laid(event.card, event.wager))))


def _mission_judged(scene: Scene, event: Judged) -> Scene:
    common = scene.common
    if event.completed:
        common = replace(common, completed=(*common.completed, event.mission))
    else:
        common = replace(common, failed=(*common.failed, event.mission))
    trick = None if scene.trick is None else replace(scene.trick, completed=event.completed)
    return replace(scene, common=common, trick=trick)


def _collected(scene: Scene, event: Collected) -> Scene:
    gained = 1 + event.wagered
    trick = None if scene.trick is None else replace(scene.trick, gained=gained)
    return _supply(_tokens(replace(scene, trick=trick), event.seat, gained), -1)


def _pointed(scene: Scene, event: Suspected | Voted) -> Scene:
    """Statements and votes of an earlier time are forgotten."""
    new = public_pointing(event)
    earlier = tuple(it for it in scene.pointing if it.verb == new.verb and it.seat != new.seat)
    return replace(scene, pointing=(*earlier, new), trick=None)


def _roles_shown(scene: Scene, event: RolesShown) -> Scene:
    pairs = zip(scene.chairs, event.roles, strict=True)
    return replace(scene, chairs=tuple(replace(own, role=ROLES[role], showing="open") for own, role in pairs))


CHANGES: Mapping[type, Callable[[Scene, Any], Scene]] = {
    GotRole: _got_role,
    Opened: lambda scene, it: _showed_role(scene, it, "open"),
    GotHand: _got_hand,
    ChosePartner: _chose_partner,
    LeaderDrawn: lambda scene, it: replace(scene, common=replace(scene.common, leader=it.seat)),
    LookedAt: _looked_at,
    ChoseMission: _chose_mission,
    Played: _played,
    Judged: _mission_judged,
    Collected: _collected,
    HandedBack: lambda scene, it: _supply(_tokens(scene, it.partner, -it.of_partner), it.wagered + it.of_partner),
    Revealed: lambda scene, it: _showed_role(scene, it, "by tokens"),
    Robbed: lambda scene, it: _tokens(_tokens(scene, it.victim, -it.tokens), it.seat, it.tokens),
    Suspected: _pointed,
    Voted: _pointed,
    Accused: lambda scene, it: replace(scene, accused=it.seats),
    RolesShown: _roles_shown,
}
