"""The middle of the loop: the played cards, the deck, and the market's offer."""

from functools import partial
from typing import Any

from referee.drawing.agent_avenue.layout import Layout
from referee.drawing.agent_avenue.scene import Scene
from referee.drawing.drawer import Moment
from referee.drawing.marks import actions, card_back
from referee.drawing.svg import Element, at, box, text
from referee.drawing.type import fitted
from referee.games.agent_avenue.describe import CARDS, NAMES
from referee.games.agent_avenue.market import MarketCard
from referee.games.agent_avenue.moves import FACE_DOWN, FACE_UP, Recruit, Take


def table(places: Layout, moment: Moment[Any], scene: Scene) -> tuple[Element, ...]:
    """What is played, drawn from and offered."""
    parts = [text(330, 90, "deck", "soft"), text(330, 114, str(scene.deck_count), "big")]
    if scene.face_up is not None:
        parts.append(_card(80, 80, NAMES[scene.face_up], **actions(moment, lambda it: it == Recruit(FACE_UP))))
    if scene.face_down_lies:
        known = "" if scene.face_down is None else NAMES[scene.face_down]
        parts.append(
            at(
                200,
                80,
                card_back(0, 0, 112, 72),
                text(56, 40, known, "mid bold"),
                **actions(moment, lambda it: it == Recruit(FACE_DOWN)),
            )
        )
    if scene.market is not None:
        for column, card in enumerate(scene.market.offer):
            parts.append(
                _card(
                    64 + column * 120,
                    180,
                    CARDS[card],
                    **actions(moment, partial(_takes, card)),
                )
            )
    return (at(0, places.loop, *parts),)


def _takes(card: MarketCard, action: Any) -> bool:
    return isinstance(action, Take) and action.card == card


def _card(x: float, y: float, name: str, **attributes: str | None) -> Element:
    words = text(56, 40, fitted(name, 104, bold=True), "mid bold")
    return at(x, y, box(0, 0, 112, 72, "face", rx=6), words, **attributes)
