"""What lies open in front of each side, and what each player holds."""

from functools import partial
from typing import Any

from referee.core.outcome import Seat
from referee.drawing.agent_avenue.layout import CHIP_HEIGHT, CHIP_WIDTH, HEADER, IN_A_ROW, MARGIN, PITCH, Layout
from referee.drawing.agent_avenue.scene import Holding, Scene, counted
from referee.drawing.drawer import Moment
from referee.drawing.marks import actions, card_back, seat_mark
from referee.drawing.svg import Element, at, box, text
from referee.drawing.tokens import WIDTH
from referee.drawing.type import fitted
from referee.games.agent_avenue.describe import CARDS, NAMES
from referee.games.agent_avenue.moves import Choose, Discard, Lay, Play
from referee.games.agent_avenue.pieces import CATCHING_LEAD, Agent
from referee.games.agent_avenue.state import lead

_COLUMN = (WIDTH - 2 * MARGIN + 8) / IN_A_ROW


def side(places: Layout, scene: Scene, number: int) -> tuple[Element, ...]:
    """The lead, the agents and the ongoing cards of a side."""
    own = scene.sides[number]
    ahead = lead(scene.sides, number)
    chips = [_chip(row_of(at_), NAMES[agent], count) for at_, (agent, count) in enumerate(counted(own.recruited))]
    cards = [_chip(row_of(at_, places.ongoing - HEADER), CARDS[card], None) for at_, card in enumerate(own.ongoing)]
    head = text(MARGIN, 20, f"Side {number}", "bold")
    progress = text(WIDTH - MARGIN, 20, f"lead {ahead:+d} of {CATCHING_LEAD}", "end soft")
    return (at(0, places.sides[number], head, progress, *chips, *cards),)


def row_of(number: int, below: int = 0) -> tuple[float, float]:
    """Where the chip with this number in a group of rows lies."""
    row, column = divmod(number, IN_A_ROW)
    return MARGIN + column * _COLUMN, HEADER + below + row * PITCH


def _chip(where: tuple[float, float], name: str, count: int | None, **attributes: str | None) -> Element:
    words = text(8, 19, fitted(name, CHIP_WIDTH - (24 if count else 12)))
    number = (text(CHIP_WIDTH - 6, 19, str(count), "end bold"),) if count else ()
    return at(where[0], where[1], box(0, 0, CHIP_WIDTH, CHIP_HEIGHT, "face", rx=6), words, *number, **attributes)


def holding(places: Layout, moment: Moment[Any], scene: Scene, seat: Seat) -> tuple[Element, ...]:
    """A player: whose turn it is, the hand, and the discards."""
    own = scene.holdings[seat]
    name = text(MARGIN + 24, 20, fitted(moment.names[seat], 240, bold=True), "bold")
    used = text(WIDTH - MARGIN, 20, f"discards {own.discard_count} of {own.allowed}", "end soft")
    return (at(0, places.seats[seat], seat_mark(seat, MARGIN + 9, 15), name, used, *_hand(moment, own)),)


def _hand(moment: Moment[Any], own: Holding) -> list[Element]:
    if own.hand is None:
        return [card_back(MARGIN + column * 24, HEADER, 20, CHIP_HEIGHT) for column in range(own.hand_count)]
    return [
        _chip(row_of(column), NAMES[agent], count, **actions(moment, partial(_uses, agent)))
        for column, (agent, count) in enumerate(counted(own.hand))
    ]


def _uses(agent: Agent, action: Any) -> bool:
    """Whether this is an action with this card of the hand."""
    if isinstance(action, Play):
        return agent in {action.face_up, action.face_down}
    return isinstance(action, Discard | Lay | Choose) and action.agent == agent
