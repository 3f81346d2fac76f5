"""The actions that the rulings forbid to a seat, for a person who plays Agent Avenue."""

from collections.abc import Iterator
from typing import Any

from referee.drawing.agent_avenue.chips import boxes_in_rows
from referee.drawing.agent_avenue.layout import HAND_ROWS, HEADER, layout
from referee.drawing.agent_avenue.scene import counted
from referee.drawing.drawer import Box, ForbiddenAction, Moment
from referee.games.agent_avenue.describe import NAMES
from referee.games.agent_avenue.moves import FACE_DOWN, FACE_UP, HAND_OVER, Choose, Discard, Lay, Play
from referee.games.agent_avenue.pieces import Agent, MarketCard
from referee.games.agent_avenue.teams import ALLOWED_DISCARDS, BY_SEATS
from referee.games.agent_avenue.view import View

_CHOSEN_FROM_HAND = {
    MarketCard.DOUBLE_TROUBLE: "Double Trouble asks for an agent of which you hold two",
    MarketCard.SECRET_RECRUIT: "Secret Recruit asks for an agent whose name is not yet in front of your side",
}


def barred(moment: Moment[View]) -> Iterator[ForbiddenAction]:
    """Everything that the hand suggests, and that is not legal."""
    for question in moment.questions:
        view, legal = moment.position, question.legal
        if any(isinstance(action, Play | Lay) for action in legal):
            yield from _discards(view, legal)
        yield from _twice(view, legal)
        yield from _lays(view, legal)
        yield from _chosen(view, legal)


def _discards(view: View, legal: tuple[Any, ...]) -> Iterator[ForbiddenAction]:
    if any(isinstance(action, Discard) for action in legal):
        return
    allowed = ALLOWED_DISCARDS[BY_SEATS[len(view.seats)]][view.seat]
    if len(view.own_discards) >= allowed:
        ruling = "AA-04" if allowed > 2 else "AA-42"
        yield ForbiddenAction("discard a card", f"all your {allowed} discards are used", ruling)
    else:
        yield ForbiddenAction("discard a card", "the deck is empty", "AA-04")


def _twice(view: View, legal: tuple[Any, ...]) -> Iterator[ForbiddenAction]:
    plays = {(action.face_up, action.face_down) for action in legal if isinstance(action, Play)}
    for agent, copies in counted(view.hand) if plays else ():
        if copies > 1 and (agent, agent) not in plays:
            why = "two cards of a turn have different names, unless the whole hand has one name"
            yield ForbiddenAction(f"play two {NAMES[agent]}s", why, "AA-05")


def _lays(view: View, legal: tuple[Any, ...]) -> Iterator[ForbiddenAction]:
    lays = [action for action in legal if isinstance(action, Lay)]
    down = {action.agent for action in lays if action.slot is FACE_DOWN}
    for agent, _ in counted(view.hand) if down else ():
        if agent not in down:
            why = "the face-up card has this name, and your hand has others"
            yield ForbiddenAction(f"lay {NAMES[agent]} face down", why, "AA-41", *_in_hand(view, agent))
    if any(action.slot is FACE_UP for action in lays) and HAND_OVER not in legal:
        yield ForbiddenAction(
            "leave the face-up card to the partner", "only the captain may, and only once a turn", "AA-41"
        )


def _chosen(view: View, legal: tuple[Any, ...]) -> Iterator[ForbiddenAction]:
    chosen = {action.agent for action in legal if isinstance(action, Choose)}
    resolving = None if view.market is None else view.market.open.resolving
    if not chosen or resolving is None or resolving not in _CHOSEN_FROM_HAND:
        return
    for agent, _ in counted(view.hand):
        if agent not in chosen:
            why = _CHOSEN_FROM_HAND[resolving]
            yield ForbiddenAction(f"choose {NAMES[agent]}", why, "AA-20", *_in_hand(view, agent))


def _in_hand(view: View, agent: Agent) -> tuple[Box, str]:
    """Where the card lies, and its layer; of equal cards there is one."""
    names = [name for name, _ in counted(view.hand)]
    x, y = layout(len(view.seats), market=view.market is not None).seats[view.seat]
    place = boxes_in_rows(len(names), y + HEADER, HAND_ROWS)[names.index(agent)]
    return place._replace(x=place.x + x), f"seat-{view.seat}"
