"""How the match stands: the trick, and the missions completed and failed on the way to the agents' goal."""

from collections.abc import Iterator

from referee.drawing.inside_job.layout import MARGIN, MIDDLE
from referee.drawing.inside_job.scene import Scene
from referee.drawing.inside_job.signs import coin, suit_mark, verdict_mark
from referee.drawing.inside_job.texts import mission_text
from referee.drawing.look import WIDTH
from referee.drawing.marks import card_text, title
from referee.drawing.svg import Element, at, box, path, text
from referee.games.inside_job.cast import Cast
from referee.games.inside_job.missions import MISSIONS, MissionId

_TOP, _HEIGHT = 24, 34
_GAP = 4
_GOAL = f"M0 0V{_HEIGHT + 1}M0 {_HEIGHT - 2}L5 {_HEIGHT + 6}H-5Z"
"""A post between two slots, on a foot."""


def slots(settled: Cast) -> tuple[Element, ...]:
    """A slot for each trick, and how many completed missions win."""
    goal, width = settled.missions_to_win, _width(settled)
    outlines = (box(_left(settled, number), _TOP, width, _HEIGHT, "ij-empty", rx=5) for number in range(settled.tricks))
    post = at(_left(settled, goal) - _GAP / 2, _TOP, title(f"{goal} missions win"), path(_GOAL, "ij-goal"))
    return *outlines, post


def standing(scene: Scene) -> tuple[Element, ...]:
    """The trick, the missions and the supply in words, and a strong outline for the mission that was just judged."""
    common, settled = scene.common, scene.settled
    trick = f"Trick {common.trick} of {settled.tricks}" if common.trick else "Before the first trick"
    return (
        text(MARGIN, 17, trick, "bold"),
        text(MIDDLE + 16, 17, f"{len(common.completed)} of {settled.missions_to_win} missions", "mid"),
        text(WIDTH - MARGIN - 18, 17, f"supply {common.supply}", "end"),
        coin(WIDTH - MARGIN - 7, 12, 7),
        *(
            box(_left(settled, slot), _TOP, _width(settled), _HEIGHT, "ij-new", rx=5)
            for slot, mission, _ in _mission_slots(scene)
            if scene.trick and scene.trick.completed is not None and scene.trick.mission == mission
        ),
    )


def missions(scene: Scene) -> tuple[Element, ...]:
    """Completed missions fill the slots from the left, failed ones from the right."""
    width = _width(scene.settled)
    return tuple(
        at(
            _left(scene.settled, slot), _TOP, card_text(mission_text(mission)), box(0, 0, width, _HEIGHT, "face", rx=5),
            text(width / 2, 14, mission, "mid"), suit_mark(MISSIONS[mission].trump, width / 2 - 9, 25),
            verdict_mark(width / 2 + 9, 25, completed=completed),
        )
        for slot, mission, completed in _mission_slots(scene)
    )  # fmt: skip


def _mission_slots(scene: Scene) -> Iterator[tuple[int, MissionId, bool]]:
    """Slots, what lies in them, and whether it was completed."""
    for number, mission in enumerate(scene.common.completed):
        yield number, mission, True
    for number, mission in enumerate(scene.common.failed):
        yield scene.settled.tricks - 1 - number, mission, False


def _left(settled: Cast, number: int) -> float:
    return MARGIN + number * (_width(settled) + _GAP)


def _width(settled: Cast) -> float:
    return (WIDTH - 2 * MARGIN - (settled.tricks - 1) * _GAP) / settled.tricks
