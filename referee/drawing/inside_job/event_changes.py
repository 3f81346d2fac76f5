"""What each event changes in the scene before it, as far as the viewer heard it."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from referee.core.outcome import Seat
from referee.drawing.inside_job.scene import Chair, Pointing, Scene, Trick
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


def _got_role(scene: Scene, it: GotRole) -> Scene:
    return scene if it.role is None else _chair(scene, it.seat, lambda own: replace(own, role=ROLES[it.role or ""]))


def _opened(scene: Scene, it: Opened) -> Scene:
    return _chair(scene, it.seat, lambda own: replace(own, role=ROLES[it.role], showing="open"))


def _got_hand(scene: Scene, it: GotHand) -> Scene:
    return _chair(
        scene,
        it.seat,
        lambda own: replace(own, hand=own.hand if it.count and not it.cards else it.cards, count=it.count),
    )


def _chose_partner(scene: Scene, it: ChosePartner) -> Scene:
    after = replace(scene, common=replace(scene.common, partner=it.partner))
    return _got_role(after, GotRole(it.partner, it.role))


def _leader_drawn(scene: Scene, it: LeaderDrawn) -> Scene:
    return replace(scene, common=replace(scene.common, leader=it.seat))


def _looked_at(scene: Scene, it: LookedAt) -> Scene:
    common = replace(scene.common, trick=it.trick, leader=it.seat, mission=None, laid=())
    return replace(scene, common=common, trick=None, choosing=True, looked_at=it.missions)


def _chose_mission(scene: Scene, it: ChoseMission) -> Scene:
    common = replace(scene.common, mission=it.mission)
    after = replace(scene, common=common, trick=Trick(it.seat, it.mission, ()), choosing=False, looked_at=())
    away = () if it.put_away is None else (it.put_away,)
    return _chair(after, it.seat, lambda own: replace(own, put_away=(*own.put_away, *away)))


def _played(scene: Scene, it: Played) -> Scene:
    def with_less(own: Chair) -> Chair:
        hand = None if own.hand is None else tuple(card for card in own.hand if card != it.card)
        return replace(own, hand=hand, count=own.count - 1, tokens=own.tokens - it.wager)

    after = _chair(scene, it.seat, with_less)
    if after.trick is None:
        return after
    return replace(after, trick=replace(after.trick, laid=(*after.trick.laid, Laid(it.card, it.wager))))


def _judged(scene: Scene, it: Judged) -> Scene:
    common = scene.common
    if it.completed:
        common = replace(common, completed=(*common.completed, it.mission))
    else:
        common = replace(common, failed=(*common.failed, it.mission))
    trick = None if scene.trick is None else replace(scene.trick, completed=it.completed)
    return replace(scene, common=common, trick=trick)


def _collected(scene: Scene, it: Collected) -> Scene:
    gained = 1 + it.wagered
    trick = None if scene.trick is None else replace(scene.trick, gained=gained)
    return _supply(_tokens(replace(scene, trick=trick), it.seat, gained), -1)


def _handed_back(scene: Scene, it: HandedBack) -> Scene:
    return _supply(_tokens(scene, it.partner, -it.of_partner), it.wagered + it.of_partner)


def _revealed(scene: Scene, it: Revealed) -> Scene:
    return _chair(scene, it.seat, lambda own: replace(own, role=ROLES[it.role], showing="by tokens"))


def _robbed(scene: Scene, it: Robbed) -> Scene:
    return _tokens(_tokens(scene, it.victim, -it.tokens), it.seat, it.tokens)


def _suspected(scene: Scene, it: Suspected) -> Scene:
    named = () if it.suspect is None else (it.suspect,)
    return _points(scene, Pointing("suspects", it.seat, named, heard=True))


def _voted(scene: Scene, it: Voted) -> Scene:
    return _points(scene, Pointing("votes for", it.seat, it.ballots, heard=True))


def _points(scene: Scene, new: Pointing) -> Scene:
    """Statements and votes of an earlier time are forgotten."""
    earlier = tuple(it for it in scene.pointing if it.verb == new.verb and it.seat != new.seat)
    return replace(scene, pointing=(*earlier, new), trick=None)


def _accused(scene: Scene, it: Accused) -> Scene:
    return replace(scene, accused=it.seats)


def _roles_shown(scene: Scene, it: RolesShown) -> Scene:
    shown = zip(scene.chairs, it.roles, strict=True)
    return replace(scene, chairs=tuple(replace(own, role=ROLES[role], showing="open") for own, role in shown))


CHANGES: Mapping[type, Callable[[Scene, Any], Scene]] = {
    GotRole: _got_role,
    Opened: _opened,
    GotHand: _got_hand,
    ChosePartner: _chose_partner,
    LeaderDrawn: _leader_drawn,
    LookedAt: _looked_at,
    ChoseMission: _chose_mission,
    Played: _played,
    Judged: _judged,
    Collected: _collected,
    HandedBack: _handed_back,
    Revealed: _revealed,
    Robbed: _robbed,
    Suspected: _suspected,
    Voted: _voted,
    Accused: _accused,
    RolesShown: _roles_shown,
}
