"""The middle of the table: the mission or those to choose from, how the trick went, the question, and the result."""

from functools import partial
from operator import eq
from typing import Any, NamedTuple

from referee.core.outcome import Seat
from referee.drawing.drawer import Moment
from referee.drawing.inside_job.cards import MISSION_HEIGHT, mission_back, mission_card
from referee.drawing.inside_job.layout import CENTRE_WIDTH, CENTRE_Y, MIDDLE, TABLE
from referee.drawing.inside_job.scene import Scene, Trick
from referee.drawing.inside_job.signs import coin, suit_mark, verdict_mark
from referee.drawing.inside_job.texts import goals, insider_of, result
from referee.drawing.look import UNIT, in_two_lines, width_of
from referee.drawing.marks import actions, seat_mark
from referee.drawing.svg import Element, at, box, group, text
from referee.games.inside_job.missions import MISSIONS, MissionId
from referee.games.inside_job.moves import ChooseMission, ChoosePartner, Suspect, Vote
from referee.games.inside_job.tricks import complete

_HALF = CENTRE_WIDTH / 2
_LINE = 18
_RESULT = 200


class Block(NamedTuple):
    """Something as wide as the middle of the table. Its left upper corner is at 0 0."""

    height: float
    drawn: Element


def centre(moment: Moment[Any], scene: Scene) -> tuple[Element, ...]:
    """All that lies there, one below the other."""
    blocks = [*_verdict(scene), *_missions(moment, scene), *(_result(scene) or _question(moment, scene))]
    y = TABLE + CENTRE_Y - (sum(block.height for block in blocks) + UNIT * (len(blocks) - 1)) / 2
    drawn = []
    for block in blocks:
        drawn.append(at(MIDDLE - _HALF, y, block.drawn))
        y += block.height + UNIT
    return tuple(drawn)


def winner_of(trick: Trick, seats: int) -> Seat:
    """The seat whose card is the best so far."""
    return (trick.leader + complete(trick.laid, trick.mission).winner) % seats


def _verdict(scene: Scene) -> list[Block]:
    """The result of the mission, and the tokens for the winner."""
    trick = scene.trick
    if trick is None or trick.completed is None:
        return []
    words = f"{trick.mission} {'completed' if trick.completed else 'failed'}"
    winner = winner_of(trick, len(scene.chairs))
    return [
        Block(
            _LINE,
            group(
                verdict_mark(10, 9, completed=trick.completed),
                text(24, 14, words, "bold"),
                seat_mark(winner, 162, 9),
                text(194, 14, f"+{trick.gained}", "end"),
                coin(205, 9),
            ),
        )
    ]


def _missions(moment: Moment[Any], scene: Scene) -> list[Block]:
    if scene.choosing:
        if not scene.looked_at:
            return [Block(MISSION_HEIGHT, mission_back())] * 2
        stand_for = ((it, actions(moment, partial(eq, ChooseMission(it)))) for it in scene.looked_at)
        return [Block(MISSION_HEIGHT, mission_card(mission, **found)) for mission, found in stand_for]
    if scene.trick is None or scene.outcome is not None:
        return []
    mission = Block(MISSION_HEIGHT, mission_card(scene.trick.mission))
    return [mission] if scene.trick.completed is not None else [mission, _trump(scene.trick.mission)]


def _trump(mission: MissionId) -> Block:
    trump = MISSIONS[mission].trump
    words = f"trump is {trump.name.lower()}"
    shift = (width_of(words) + 22) / 2
    return Block(_LINE, group(suit_mark(trump, _HALF - shift + 8, 9), text(_HALF - shift + 22, 14, words)))


def _result(scene: Scene) -> list[Block]:
    match_result = result(scene)
    if match_result is None:
        return []
    reason = in_two_lines(match_result.reason, _RESULT - 8)
    rows = [
        (match_result.subject, "mid big", 28),
        (match_result.does, "mid big", 28),
        *((line, "mid", _LINE) for line in reason),
    ]
    height, drawn = 6.0, []
    for line, look, high in rows:
        height += high
        drawn.append(text(_HALF, height - 4, line, look))
    card = box(_HALF - _RESULT / 2, 0, _RESULT, height + 4, "ij-result", rx=10)
    return [Block(height + 4, group(card, *drawn))]


def _question(moment: Moment[Any], scene: Scene) -> list[Block]:
    """The question to one seat or to all, and a place for the answer that names nobody."""
    kind = type(moment.questions[0].legal[0]) if moment.questions else None
    if kind is ChoosePartner:
        return [_line("Who is to be the partner?")]
    if not scene.common.trick:
        return [_line(line) for line in goals(scene.settled)]
    if kind is Suspect:
        return [_line("Who is suspected?"), *_nobody(moment)]
    if kind is Vote:
        return [_line(f"Who is {insider_of(scene.settled)}?"), *_nobody(moment)]
    return []


def _line(words: str) -> Block:
    width = width_of(words, bold=True) + 16
    pill = box(_HALF - width / 2, 0, width, _LINE + 4, "ij-pill", rx=11)
    return Block(_LINE + 4, group(pill, text(_HALF, 16, words, "mid bold")))


def _nobody(moment: Moment[Any]) -> list[Block]:
    attributes = actions(moment, lambda it: it in (Suspect(None), Vote(())))
    if not attributes:
        return []
    chip = at(_HALF - 40, 0, box(0, 0, 80, 26, "face", rx=13), text(40, 18, "nobody", "mid"), **attributes)
    return [Block(26, chip)]
