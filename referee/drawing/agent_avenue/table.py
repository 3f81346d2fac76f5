"""The inside of the loop: the played cards, the deck, the market's offer, and the gauge of the lead.

The signs for agents and for kinds of market cards are our own lines, about 28 units wide, around 0 0.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

from referee.core.outcome import Outcome
from referee.drawing.agent_avenue.chips import condensed
from referee.drawing.agent_avenue.layout import CARD_HEIGHT, CARD_WIDTH, OFFER, OFFER_HEIGHT, Layout
from referee.drawing.agent_avenue.scene import Scene, counted, side_name
from referee.drawing.agent_avenue.texts import ENDINGS, agent_text, market_text
from referee.drawing.drawer import Moment
from referee.drawing.look import UNIT, WIDTH, fitted, in_two_lines, width_of
from referee.drawing.marks import actions, card_back, card_text, seat_class
from referee.drawing.svg import Element, at, box, dot, path, placed, text
from referee.games.agent_avenue.describe import CARDS, NAMES
from referee.games.agent_avenue.moves import FACE_DOWN, FACE_UP, HAND_OVER, Recruit, RecruitAgain, Take
from referee.games.agent_avenue.pieces import CATCHING_LEAD, ONGOING, PRINTS, Agent, MarketCard
from referee.games.agent_avenue.state import lead
from referee.games.agent_avenue.teams import side_of

AGENTS = {
    # two masks
    Agent.DOUBLE_AGENT: "M-13 -8H3V4Q-5 12 -13 4ZM3 -4H13V8Q8 13 3 9M-9 -2h2M-3 -2h2M-8 4h5",
    # a shield
    Agent.ENFORCER: "M0 -12L11 -8V1Q10 9 0 13Q-10 9 -11 1V-8ZM0 -6V7M-5 0H5",
    # a key
    Agent.CODEBREAKER: "M-4 0A5 5 0 1 1 -14 0A5 5 0 1 1 -4 0ZM-4 0H13V6M7 0V5",
    # a fuse that burns
    Agent.SABOTEUR: "M5 4A8 8 0 1 1 -11 4A8 8 0 1 1 5 4ZM3 -2L7 -6Q10 -10 12 -6M12 -12v2M15 -6h-1",
    # a flash
    Agent.DAREDEVIL: "M3 -13L-8 2H0L-3 13L8 -3H0Z",
    # an eye
    Agent.SENTINEL: "M-14 0Q0 -15 14 0Q0 15 -14 0ZM4 0A4 4 0 1 1 -4 0A4 4 0 1 1 4 0Z",
    # two arrows side by side
    Agent.SIDEKICK: "M-12 -9L-3 0L-12 9M0 -9L9 0L0 9",
    # a mound with a tunnel
    Agent.MOLE: "M-14 10Q-9 -10 0 -10Q9 -10 14 10ZM-5 10Q-5 0 0 0Q5 0 5 10",
}

INSTANT = "M2 -8L-5 1H0L-2 8L5 -1H0Z"
"""A flash."""

ONGOING_SIGN = "M0 0Q-4 -5 -8 -3Q-11 0 -8 3Q-4 5 0 0Q4 -5 8 -3Q11 0 8 3Q4 5 0 0Z"
"""A loop without an end."""


_MIDDLE = WIDTH / 2
_UP_X = 92.0
_DOWN_X = _UP_X + CARD_WIDTH + UNIT
_STEP = 18
_RESULT = 336
_LEADER = 140
_REACH = CATCHING_LEAD * _STEP
_DECK_X = _DOWN_X + CARD_WIDTH + UNIT


def table(places: Layout, moment: Moment[Any], scene: Scene) -> tuple[Element, ...]:
    """The cards that players play or carry out, and the decks."""
    cards = _carried_out(moment, scene) or (_face_up(moment, scene), _face_down(moment, scene))
    return placed(0, places.played, *cards, *_decks(scene))


def _carried_out(moment: Moment[Any], scene: Scene) -> tuple[Element, ...]:
    """The instant for which its taker must choose, and the card that Spycation brought back; empty if there is none.

    A card that came back lies in the hand, too. Here it stands for recruiting it again, there for keeping it.
    """
    if scene.market is None or scene.market.resolving is None:
        return ()
    returned = scene.market.returned
    if returned is None:
        taker = "" if scene.market.taker is None else moment.names[scene.market.taker]
        beside = _empty(_DOWN_X, fitted(taker, CARD_WIDTH - 8), "chooses")
    else:
        beside = _open(_DOWN_X, returned, **actions(moment, lambda it: it == RecruitAgain(again=True)))
    return _market_card(_UP_X, CARD_HEIGHT, scene.market.resolving, {}), beside


def _face_up(moment: Moment[Any], scene: Scene) -> Element:
    if scene.face_up is None:
        # A player who plays no card leaves the choice to the partner.
        return _empty(_UP_X, "face up", **actions(moment, lambda it: it == HAND_OVER))
    return _open(_UP_X, scene.face_up, **actions(moment, lambda it: it == Recruit(FACE_UP)))


def _open(x: float, agent: Agent, **stands_for: str | None) -> Element:
    face = box(0, 0, CARD_WIDTH, CARD_HEIGHT, "face", rx=6)
    return at(x, 0, card_text(agent_text(agent)), face, *_agent(agent), **stands_for)


def _face_down(moment: Moment[Any], scene: Scene) -> Element:
    """A card face down. If the viewer may know it, its name lies on the back."""
    if not scene.face_down_lies:
        return _empty(_DOWN_X, "face down")
    stands_for = actions(moment, lambda it: it == Recruit(FACE_DOWN))
    back = card_back(0, 0, CARD_WIDTH, CARD_HEIGHT)
    if scene.face_down is None:
        return at(_DOWN_X, 0, back, **stands_for)
    label = box(4, 12, CARD_WIDTH - 8, CARD_HEIGHT - 24, "aa-label", rx=4)
    says = card_text(agent_text(scene.face_down))
    return at(_DOWN_X, 0, says, back, label, *_agent(scene.face_down), **stands_for)


def _empty(x: float, *lines: str, **stands_for: str | None) -> Element:
    place = box(0, 0, CARD_WIDTH, CARD_HEIGHT, "aa-empty", rx=6)
    first = CARD_HEIGHT / 2 + 5 - 9 * (len(lines) - 1)
    words = (text(CARD_WIDTH / 2, first + 18 * row, line, "mid soft") for row, line in enumerate(lines))
    return at(x, 0, place, *words, **stands_for)


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


def market(moment: Moment[Any], scene: Scene) -> tuple[Element, ...]:
    """The market's offer."""
    if scene.market is None:
        return ()
    left = _MIDDLE - (3 * CARD_WIDTH + 2 * UNIT) / 2
    cards = [
        _market_card(left + column * (CARD_WIDTH + UNIT), OFFER_HEIGHT, card, actions(moment, partial(_takes, card)))
        for column, card in enumerate(scene.market.offer)
    ]
    return placed(0, OFFER, *cards)


def _takes(card: MarketCard, action: Any) -> bool:
    return isinstance(action, Take) and action.card == card


def _market_card(x: float, height: float, card: MarketCard, stands_for: Mapping[str, str | None]) -> Element:
    """Its name, and whether it acts at once or from now on."""
    lines, room = in_two_lines(CARDS[card], CARD_WIDTH - 2), CARD_WIDTH - 14
    first = height / 2 - (14 if len(lines) > 1 else 6)
    names = (condensed(CARD_WIDTH / 2, first + 17 * row, line, room, "mid") for row, line in enumerate(lines))
    ongoing = card in ONGOING
    kind = text(CARD_WIDTH / 2 + 12, height - 11, "ongoing" if ongoing else "instant", "mid soft")
    sign = at(CARD_WIDTH / 2 - 32, height - 16, path(ONGOING_SIGN if ongoing else INSTANT, "glyph aa-gold"))
    face = box(0, 0, CARD_WIDTH, height, "face", rx=6)
    return at(x, 0, card_text(market_text(card)), face, *names, sign, kind, **stands_for)


def away(places: Layout, scene: Scene) -> tuple[Element, ...]:
    """The cards that have left the game for good. Everybody may look at them."""
    if scene.market is None:
        return ()
    used = ", ".join(CARDS[card] for card in scene.market.discarded)
    removed = ", ".join(f"{copies} {NAMES[agent]}" for agent, copies in counted(scene.market.removed))
    parts = [*([f"used: {used}"] if used else []), *([f"out of the game: {removed}"] if removed else [])]
    return placed(0, places.away, text(UNIT, 14, fitted("; ".join(parts), WIDTH - 2 * UNIT), "soft"))


def gauge(places: Layout, moment: Moment[Any], scene: Scene) -> tuple[Element, ...]:
    """The lead of a side, on a scale that ends at the leads that catch the other side; at the end, the winner."""
    if moment.outcome is not None:
        return placed(0, places.gauge, _result(moment, moment.outcome))
    ahead = lead(scene.sides, 0)
    leader = 0 if ahead >= 0 else 1
    who = side_name(moment, leader, _LEADER)
    words = f"{who} leads by {abs(ahead)}; {CATCHING_LEAD} catches" if ahead else "the sides are even"
    return placed(0, places.gauge, text(_MIDDLE, 16, words, "mid soft"), _scale(ahead, leader))


def _scale(ahead: int, leader: int) -> Element:
    """From the middle to the right if side 0 (a) leads, and to the left if side 1 (b) does."""
    ends = f"M{-_REACH} -7v14M{_REACH} -7v14"
    ticks = "".join(f"M{number * _STEP} -4v8" for number in range(1 - CATCHING_LEAD, CATCHING_LEAD))
    length = max(-_REACH, min(_REACH, ahead * _STEP))
    bar = box(min(0, length), -4, abs(length), 8, "seat") if length else dot(0, 0, 4, "aa-even")
    return at(_MIDDLE, 36, path(f"M{-_REACH} 0H{_REACH}{ends}{ticks}", "aa-scale"), bar, class_=seat_class(leader))


def _result(moment: Moment[Any], outcome: Outcome) -> Element:
    winners = sorted({side_of(seat) for seat, place in enumerate(outcome.places) if place == 1})
    who = f"{_winner(moment, winners[0])} wins" if len(winners) == 1 else "Nobody wins"
    return at(
        _MIDDLE, 0, box(-_RESULT / 2, -2, _RESULT, 52, "aa-result", rx=8),
        text(0, 24, who, "mid big"), text(0, 43, fitted(_reason(moment, outcome), _RESULT - 16), "mid soft"),
    )  # fmt: skip


def _winner(moment: Moment[Any], side: int) -> str:
    """The side that has won, in large type."""
    name = side_name(moment, side, 1e4)
    room = _RESULT - 16 - width_of(" wins", 24, bold=True)
    return "Side " + name.removeprefix("side ") if name.startswith("side ") else fitted(name, room, 24, bold=True)


def _reason(moment: Moment[Any], outcome: Outcome) -> str:
    """The ending; for a fault also the players, as far as the viewer knows."""
    failed = [fitted(moment.names[question.seat], 160) for question in moment.questions if question.chosen is None]
    why = ENDINGS.get(outcome.ending, outcome.ending)
    return " ".join([why, *(["of", " and ".join(failed)] if failed else [])])
