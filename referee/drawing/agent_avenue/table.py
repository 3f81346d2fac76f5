"""The inside of the loop: the played cards, the deck, the market's offer, and the gauge of the lead."""

from functools import partial
from typing import Any

from referee.core.outcome import Outcome
from referee.drawing.agent_avenue.glyphs import AGENTS, INSTANT, ONGOING_SIGN
from referee.drawing.agent_avenue.layout import CARD_HEIGHT, CARD_WIDTH, OFFER, OFFER_HEIGHT, PLAYED, Layout
from referee.drawing.agent_avenue.scene import Scene
from referee.drawing.drawer import Moment
from referee.drawing.marks import actions, card_back, seat_class
from referee.drawing.svg import Element, at, box, dot, path, placed, text
from referee.drawing.tokens import UNIT, WIDTH
from referee.drawing.type import in_two_lines
from referee.games.agent_avenue.describe import CARDS, NAMES
from referee.games.agent_avenue.market import ONGOING, MarketCard
from referee.games.agent_avenue.moves import FACE_DOWN, FACE_UP, Recruit, Take
from referee.games.agent_avenue.pieces import CATCHING_LEAD, PRINTS, Agent
from referee.games.agent_avenue.state import lead
from referee.games.agent_avenue.teams import side_of

_MIDDLE = WIDTH / 2
_UP_X = 92.0
_DOWN_X = _UP_X + CARD_WIDTH + UNIT
_STEP = 18
_REACH = CATCHING_LEAD * _STEP
_DECK_X = _DOWN_X + CARD_WIDTH + UNIT


def table(places: Layout, moment: Moment[Any], scene: Scene) -> tuple[Element, ...]:
    """What is played, and what is left to draw."""
    return placed(0, places.loop + PLAYED, *_face_up(moment, scene), *_face_down(moment, scene), *_decks(scene))


def _face_up(moment: Moment[Any], scene: Scene) -> tuple[Element, ...]:
    if scene.face_up is None:
        return (_empty(_UP_X, "face up"),)
    stands_for = actions(moment, lambda it: it == Recruit(FACE_UP))
    return (at(_UP_X, 0, box(0, 0, CARD_WIDTH, CARD_HEIGHT, "face", rx=6), *_agent(scene.face_up), **stands_for),)


def _face_down(moment: Moment[Any], scene: Scene) -> tuple[Element, ...]:
    """A card face down. If the viewer may know it, its name lies on the back."""
    if not scene.face_down_lies:
        return (_empty(_DOWN_X, "face down"),)
    stands_for = actions(moment, lambda it: it == Recruit(FACE_DOWN))
    back = card_back(0, 0, CARD_WIDTH, CARD_HEIGHT)
    if scene.face_down is None:
        return (at(_DOWN_X, 0, back, **stands_for),)
    label = box(4, 12, CARD_WIDTH - 8, CARD_HEIGHT - 24, "aa-label", rx=4)
    return (at(_DOWN_X, 0, back, label, *_agent(scene.face_down), **stands_for),)


def _empty(x: float, words: str) -> Element:
    place = box(0, 0, CARD_WIDTH, CARD_HEIGHT, "aa-empty", rx=6)
    return at(x, 0, place, text(CARD_WIDTH / 2, CARD_HEIGHT / 2 + 5, words, "mid soft"))


def _agent(agent: Agent) -> tuple[Element, ...]:
    """The face of an agent: a glyph, its name, and the spaces of the 1st, 2nd and 3rd card of that name."""
    first, *others = PRINTS[agent].symbols
    symbols = [first] if others == [first, first] else [first, *others]
    return (
        at(CARD_WIDTH / 2, 27, path(AGENTS[agent], "glyph")),
        text(CARD_WIDTH / 2, 56, NAMES[agent], "mid bold"),
        text(CARD_WIDTH / 2, 75, "  ".join(map(_signed, symbols)), "mid soft"),
    )


def _signed(spaces: int) -> str:
    return f"{spaces:+d}".replace("-", "−") if spaces else "0"  # noqa: RUF001 - a minus is as wide as a plus


def _decks(scene: Scene) -> tuple[Element, ...]:
    deck = (text(_DECK_X, 14, "deck", "soft"), text(_DECK_X, 38, str(scene.deck_count), "big"))
    if scene.market is None:
        return deck
    return (*deck, text(_DECK_X, 62, "pile", "soft"), text(_DECK_X, 86, str(scene.pile_count), "big"))


def market(places: Layout, moment: Moment[Any], scene: Scene) -> tuple[Element, ...]:
    """The market's offer, and the instant that is being carried out."""
    if scene.market is None:
        return ()
    left = _MIDDLE - (3 * CARD_WIDTH + 2 * UNIT) / 2
    cards = [
        _offer(left + column * (CARD_WIDTH + UNIT), card, **actions(moment, partial(_takes, card)))
        for column, card in enumerate(scene.market.offer)
    ]
    return placed(0, places.loop + OFFER, *cards)


def _takes(card: MarketCard, action: Any) -> bool:
    return isinstance(action, Take) and action.card == card


def _offer(x: float, card: MarketCard, **attributes: str | None) -> Element:
    lines = in_two_lines(CARDS[card], CARD_WIDTH - 2)
    first = 24 if len(lines) > 1 else 32
    names = (text(CARD_WIDTH / 2, first + 17 * row, line, "mid") for row, line in enumerate(lines))
    ongoing = card in ONGOING
    kind = text(CARD_WIDTH / 2 + 10, 65, "ongoing" if ongoing else "instant", "mid soft")
    sign = at(CARD_WIDTH / 2 - 30, 60, path(ONGOING_SIGN if ongoing else INSTANT, "glyph aa-gold"))
    return at(x, 0, box(0, 0, CARD_WIDTH, OFFER_HEIGHT, "face aa-offer", rx=6), *names, sign, kind, **attributes)


def gauge(places: Layout, moment: Moment[Any], scene: Scene) -> tuple[Element, ...]:
    """Who leads by how much, on a scale whose ends are the leads that catch the other side; at the end, who has won."""
    if moment.outcome is not None:
        return placed(0, places.loop + places.gauge, _result(moment.outcome))
    ahead = lead(scene.sides, 0)
    leader = 0 if ahead >= 0 else 1
    words = f"side {leader} leads by {abs(ahead)}; {CATCHING_LEAD} catches" if ahead else "the sides are even"
    return placed(0, places.loop + places.gauge, text(_MIDDLE, 16, words, "mid soft"), _scale(ahead, leader))


def _scale(ahead: int, leader: int) -> Element:
    """From the middle to the right if side 0 leads, and to the left if side 1 does."""
    ends = f"M{-_REACH} -7v14M{_REACH} -7v14"
    ticks = "".join(f"M{number * _STEP} -4v8" for number in range(1 - CATCHING_LEAD, CATCHING_LEAD))
    shown = max(-_REACH, min(_REACH, ahead * _STEP))
    bar = box(min(0, shown), -4, abs(shown), 8, "seat") if shown else dot(0, 0, 4, "aa-even")
    return at(_MIDDLE, 36, path(f"M{-_REACH} 0H{_REACH}{ends}{ticks}", "aa-scale"), bar, class_=seat_class(leader))


def _result(outcome: Outcome) -> Element:
    winners = sorted({side_of(seat) for seat, place in enumerate(outcome.places) if place == 1})
    who = f"Side {winners[0]} wins" if len(winners) == 1 else "Nobody wins"
    return at(
        _MIDDLE, 0, box(-148, -2, 296, 52, "aa-result", rx=8),
        text(0, 24, who, "mid big"), text(0, 43, outcome.ending.replace("_", " "), "mid soft"),
    )  # fmt: skip
