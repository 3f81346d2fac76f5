"""The open cards of each side, and the hand of each player."""

from functools import partial
from typing import Any

from referee.core.outcome import Seat
from referee.drawing.agent_avenue.chips import HEIGHT, LEFT, RIGHT, ROW, Chip, in_rows
from referee.drawing.agent_avenue.layout import HAND_ROWS, HEADER, SEAT_HEIGHT, Layout
from referee.drawing.agent_avenue.scene import Holding, Scene, counted, side_name
from referee.drawing.agent_avenue.texts import agent_text, market_text
from referee.drawing.columns import BLOCK_WIDTH
from referee.drawing.drawer import Moment
from referee.drawing.look import fitted, width_of
from referee.drawing.marks import actions, card_back, seat_class, seat_mark, title
from referee.drawing.svg import Element, at, box, dot, group, placed, text
from referee.games.agent_avenue.describe import CARDS, NAMES
from referee.games.agent_avenue.marks import SeenMark
from referee.games.agent_avenue.moves import Choose, Discard, Enlisted, Lay, Play, RecruitAgain, Recruited, Took
from referee.games.agent_avenue.pieces import Agent, MarketCard
from referee.games.agent_avenue.state import Market
from referee.games.agent_avenue.teams import side_of

_END = RIGHT


def side(places: Layout, moment: Moment[Any], scene: Scene, number: int) -> tuple[Element, ...]:
    """The agents and the ongoing cards of a side, beside a bar of its colour."""
    own = scene.sides[number]
    new_agents = {it.agent for it in moment.events if isinstance(it, Recruited | Enlisted) and it.side == number}
    new_cards = {it.card for it in moment.events if isinstance(it, Took) and it.side == number}
    asks = _is_asked_for(scene, number)
    agents = [
        Chip(
            NAMES[agent],
            copies,
            actions(moment, partial(_chooses, agent, asks=asks)),
            new=agent in new_agents,
            says=agent_text(agent),
        )
        for agent, copies in counted(own.recruited)
    ]
    cards = [
        Chip(_short(CARDS[card]), new=card in new_cards, ongoing=True, says=market_text(card)) for card in own.ongoing
    ]
    none = () if agents or cards else (text(LEFT, HEADER + 19, "no agents yet", "soft"),)
    head = text(LEFT, 18, f"Before {side_name(moment, number, _END - LEFT - 60)}", "soft")
    bar = _bar(number, HEADER + places.rows * ROW)
    return placed(*places.sides[number], bar, head, *none, *in_rows([*agents, *cards], HEADER, places.rows))


def _bar(side: int, height: float) -> Element:
    """A bar in the colour of a side beside what it has."""
    return at(0, 0, box(0, 2, 4, height - 4, "seat aa-beside", rx=2), class_=seat_class(side))


def _is_asked_for(scene: Scene, side: int) -> bool:
    """Whether an agent in front of this side must be chosen: an instant takes one back."""
    market = scene.market
    if market is None or market.taker is None:
        return False
    own = side_of(market.taker)
    return (market.resolving, side) in {(MarketCard.MIND_CONTROL, 1 - own), (MarketCard.SPYCATION, own)}


def _chooses(agent: Agent, action: Any, *, asks: bool) -> bool:
    return asks and isinstance(action, Choose) and action.agent == agent


def holding(places: Layout, moment: Moment[Any], scene: Scene, seat: Seat) -> tuple[Element, ...]:
    """A player: the name, what there is to decide, the hand, and the discards."""
    own = scene.holdings[seat]
    own_question = next((question for question in moment.questions if question.seat == seat), None)
    room = _END - LEFT - 22 - 14 * own.allowed - (70 if own_question else 0)
    name = fitted(moment.names[seat], room, bold=True)
    parts = [
        _bar(side_of(seat), SEAT_HEIGHT),
        seat_mark(seat, LEFT + 8, 13),
        text(LEFT + 22, 18, name, "bold"),
        *_hand(moment, scene, seat),
        _note(own),
    ]
    if own_question:
        fails = own_question.chosen is None and moment.outcome is not None
        parts.append(text(LEFT + 28 + width_of(name, bold=True), 18, "fails" if fails else "decides", "aa-now"))
        parts.append(box(4, 0, BLOCK_WIDTH - 3, SEAT_HEIGHT - 4, "aa-turn", rx=8))
    return placed(*places.seats[seat], *parts, _pips(own))


def _pips(own: Holding) -> Element:
    """How many discards are used, and how many there are."""
    words = title(f"{own.discard_count} of {own.allowed} discards used")
    pips = (
        dot(_END - 14 * (own.allowed - number) + 7, 13, 4.5, "aa-used" if number < own.discard_count else "aa-left")
        for number in range(own.allowed)
    )
    return group(words, *pips)


def _hand(moment: Moment[Any], scene: Scene, seat: Seat) -> list[Element]:
    own = scene.holdings[seat]
    if own.hand is None:
        backs = [card_back(LEFT + column * 30, HEADER, 24, HEIGHT) for column in range(own.hand_count)]
        return [*backs, text(LEFT, HEADER + ROW + 19, f"{own.hand_count} in hand", "soft")]
    is_asked = any(question.seat == seat for question in moment.questions)
    cards = counted(own.hand)
    uses = [actions(moment, partial(_uses, agent, is_asked=is_asked, market=scene.market)) for agent, _ in cards]
    chips = [
        Chip(NAMES[agent], copies, mine, says=agent_text(agent))
        for (agent, copies), mine in zip(cards, uses, strict=True)
    ]
    return in_rows(chips, HEADER, HAND_ROWS)


def _uses(agent: Agent, action: Any, *, is_asked: bool, market: Market | None) -> bool:
    """Whether this is an action with this card of the hand."""
    if not is_asked:
        return False
    if isinstance(action, Play):
        return agent in {action.face_up, action.face_down}
    if isinstance(action, RecruitAgain):
        return not action.again and market is not None and market.returned == agent
    if isinstance(action, Choose):
        return action.agent == agent and market is not None and market.resolving in _FROM_HAND
    return isinstance(action, Discard | Lay) and action.agent == agent


_FROM_HAND = frozenset({MarketCard.DOUBLE_TROUBLE, MarketCard.SECRET_RECRUIT})


def _note(own: Holding) -> Element:
    """The discards, if they are known, and the cards of the hand that everybody knows of."""
    away = [f"put away: {', '.join(NAMES[agent] for agent in own.discards)}"] if own.discards else []
    known = [f"seen in hand: {', '.join(map(_marked, own.marks))}"] if own.marks else []
    words = "; ".join(away + known)
    return group(title(words), text(LEFT, HEADER + HAND_ROWS * ROW + 14, fitted(words, _END - LEFT), "soft"))


def _marked(mark: SeenMark) -> str:
    return NAMES[mark.agent] if mark.count == 1 else f"{mark.count} {NAMES[mark.agent]}"


def _short(name: str) -> str:
    """The name of a market card, as short as a chip."""
    return _SHORT.get(name, name)


_SHORT = {
    "Distraction Device": "Distraction",
    "Watchtower Two": "Watchtower",
    "Leader of the Pack": "Pack Leader",
    "Security System": "Security",
    "Supercomputer": "Supercomp.",
}
