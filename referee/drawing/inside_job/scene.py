"""The content of a picture, for every viewer: a whole position and a seat's view both become a scene."""

from collections.abc import Iterator
from typing import Any, Literal, TypeAlias, TypeVar

import msgspec

from referee.core.outcome import FAULT, Outcome, Seat
from referee.drawing.drawer import Moment
from referee.games.inside_job.cast import Cast, cast
from referee.games.inside_job.common import Common, Laid
from referee.games.inside_job.ending import Ending
from referee.games.inside_job.missions import MissionId, MissionIds
from referee.games.inside_job.moves import (
    Accused,
    Collected,
    Judged,
    LookedAt,
    Played,
    RolesShown,
    Suspect,
    Suspected,
    Vote,
    Voted,
)
from referee.games.inside_job.pieces import Cards
from referee.games.inside_job.role import Role, RoleId
from referee.games.inside_job.roles import ROLES
from referee.games.inside_job.state import State
from referee.games.inside_job.view import View

E = TypeVar("E")

Showing: TypeAlias = Literal["secret", "open", "by tokens"]
"""How a role is known: to some only, to all, or to all because tokens revealed it."""


class Chair(msgspec.Struct, frozen=True):
    """The things that a player has, as far as the viewer knows.

    Attributes:
        tokens: those that the player holds.
        role: the role; None if the viewer does not know it.
        showing: how the role is known.
        hand: the cards; None if the viewer does not know them.
        count: how many cards there are.
        put_away: the missions that the player put away as leader; none if the viewer does not know them.
    """

    tokens: int
    role: Role | None
    showing: Showing
    hand: Cards | None
    count: int
    put_away: MissionIds


class Trick(msgspec.Struct, frozen=True):
    """The trick on the table: the one that is played, or the one that is just over.

    Attributes:
        leader: the seat that led it.
        mission: its mission.
        laid: its cards: the leader's first, then by rising seat.
        completed: whether the mission was completed; None while the trick is played.
        gained: how many tokens the winner took.
    """

    leader: Seat
    mission: MissionId
    laid: tuple[Laid, ...]
    completed: bool | None = None
    gained: int = 0


class Pointing(msgspec.Struct, frozen=True):
    """A seat names others: it suspects them, or votes for them. No seat named means nobody.

    Attributes:
        verb: `suspects` or `votes for`.
        seat: the seat that names them.
        named: the seats that it names; one can be there twice.
        is_public: whether all have heard it. If not, it is what the seat chooses in this moment, sealed.
    """

    verb: Literal["suspects", "votes for"]
    seat: Seat
    named: tuple[Seat, ...]
    is_public: bool


class Scene(msgspec.Struct, frozen=True):
    """A position as its viewer knows it.

    Attributes:
        settled: what the roles in the game settle.
        common: what everybody knows.
        chairs: by seat.
        trick: the trick on the table.
        choosing: whether the leader chooses between two missions.
        looked_at: these missions, if the viewer knows them.
        acting: the seats that everybody knows must act, and the viewer's own if it is asked.
        pointing: who names whom, by seat.
        accused: the seats with the most ballots.
        outcome: how the match ended.
        names: by seat, what to call the player.
    """

    settled: Cast
    common: Common
    chairs: tuple[Chair, ...]
    trick: Trick | None
    choosing: bool
    looked_at: MissionIds
    acting: frozenset[Seat]
    pointing: tuple[Pointing, ...]
    accused: tuple[Seat, ...]
    outcome: Outcome | None
    names: tuple[str, ...]

    @property
    def ending(self) -> Ending | None:
        """The ending by the rules; None before it, and if a fault cut the match short."""
        return None if self.outcome is None or self.outcome.ending == FAULT else Ending(self.outcome.ending)


def whole(moment: Moment[State]) -> Scene:
    """The scene for an onlooker who sees everything."""
    state = moment.position
    dealt = state.phase != "roles"
    chairs = tuple(
        _chair(moment, seat, state.roles[seat] if dealt else None, hand, len(hand), state.put_away[seat])
        for seat, hand in enumerate(state.hands)
    )
    return _scene(moment, chairs, state.looked_at)


def seen_by_its_seat(moment: Moment[View]) -> Scene:
    """The scene for a seat."""
    view = moment.position
    chairs = tuple(_chair_as_seen(moment, seat) for seat in range(len(view.seats)))
    return _scene(moment, chairs, view.looked_at)


def _chair_as_seen(moment: Moment[View], seat: Seat) -> Chair:
    view = moment.position
    if seat == view.seat:
        return _chair(moment, seat, view.role, view.hand, len(view.hand), view.put_away)
    role = view.partner_role if seat == view.partner else None
    # All hands are as large as the viewer's own, but for the cards on the table.
    count = len(view.hand) + _lies(view.common, view.seat) - _lies(view.common, seat)
    return _chair(moment, seat, role, None, count, ())


def _lies(common: Common, seat: Seat) -> bool:
    """Whether the seat has played a card to this trick."""
    return (seat - common.leader) % len(common.seats) < len(common.laid)


def _chair(
    moment: Moment[State] | Moment[View], seat: Seat, known_role: RoleId | None, hand: Cards | None, count: int,
    put_away: MissionIds,
) -> Chair:  # fmt: skip
    own, roles_event = moment.position.common.seats[seat], _first(moment, RolesShown)
    to_all = roles_event.roles[seat] if roles_event else own.role
    role = to_all or known_role
    return Chair(
        tokens=own.tokens,
        role=ROLES[role] if role else None,
        showing="by tokens" if own.revealed else "open" if to_all else "secret",
        hand=hand,
        count=count,
        put_away=put_away,
    )


def _scene(moment: Moment[State] | Moment[View], chairs: tuple[Chair, ...], looked_at: MissionIds) -> Scene:
    common, accused = moment.position.common, _first(moment, Accused)
    going_on = None if common.mission is None else Trick(common.leader, common.mission, common.laid)
    # A seat may hear of one trick's end and of the next one's beginning at once; then the one that goes on is shown.
    trick = going_on if going_on and moment.outcome is None else _over(moment) or going_on
    choosing = _first(moment, LookedAt) is not None and moment.outcome is None and common.mission is None
    public_pointings = (public_pointing(it) for it in moment.events if isinstance(it, Suspected | Voted))
    return Scene(
        settled=cast(moment.options.roles, len(chairs)),
        common=common,
        chairs=chairs,
        trick=trick,
        choosing=choosing,
        looked_at=looked_at,
        acting=_acting(moment, choosing=choosing),
        pointing=(*public_pointings, *_chosen(moment)),
        accused=accused.seats if accused else (),
        outcome=moment.outcome,
        names=moment.names,
    )


def _over(moment: Moment[State] | Moment[View]) -> Trick | None:
    """The trick that has just been finished. Its last card has never lain on the table of any position.

    A seat may have heard of several cards at once since it was last asked.
    """
    verdict, collected = _first(moment, Judged), _first(moment, Collected)
    if moment.before is None or verdict is None:
        return None
    before, until = moment.before.common, moment.events.index(verdict)
    played = [Laid(it.card, it.wager) for it in moment.events[:until] if isinstance(it, Played)]
    laid = (*before.laid, *played)
    gained = 1 + collected.wagered if collected else 0
    return Trick(before.leader, verdict.mission, laid, verdict.completed, gained)


def _acting(moment: Moment[State] | Moment[View], *, choosing: bool) -> frozenset[Seat]:
    common = moment.position.common
    if moment.outcome is not None:
        return frozenset()
    if choosing:
        return frozenset({common.leader})
    if common.mission is not None:
        return frozenset({(common.leader + len(common.laid)) % len(common.seats)})
    return frozenset(question.seat for question in moment.questions)


def public_pointing(event: Suspected | Voted) -> Pointing:
    """What a seat has said so that all heard it."""
    return _pointing(event, event.seat, is_public=True)


def _pointing(statement: Suspect | Suspected | Vote | Voted, seat: Seat, *, is_public: bool) -> Pointing:
    if isinstance(statement, Suspect | Suspected):
        return Pointing("suspects", seat, () if statement.suspect is None else (statement.suspect,), is_public)
    return Pointing("votes for", seat, statement.ballots, is_public)


def _chosen(moment: Moment[State] | Moment[View]) -> Iterator[Pointing]:
    for question in moment.questions:
        action = None if question.chosen is None else question.legal[question.chosen]
        if isinstance(action, Suspect | Vote):
            yield _pointing(action, question.seat, is_public=False)


def _first(moment: Moment[Any], kind: type[E]) -> E | None:
    return next((event for event in moment.events if isinstance(event, kind)), None)
