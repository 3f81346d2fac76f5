"""How the match stands: the trick, and the missions completed and failed on the way to the agents' goal."""

from collections.abc import Iterator

from referee.drawing.inside_job.layout import MARGIN, MIDDLE
from referee.drawing.inside_job.scene import Scene
from referee.drawing.inside_job.signs import coin, suit_mark, verdict_mark
from referee.drawing.marks import title
from referee.drawing.svg import Element, at, box, path, text
from referee.drawing.tokens import WIDTH
from referee.games.inside_job.missions import MISSIONS, MissionId

_TOP, _HEIGHT = 24, 34
_GAP = 4
_GOAL = f"M0 0V{_HEIGHT + 1}M0 {_HEIGHT - 2}L5 {_HEIGHT + 6}H-5Z"
"""A post between two slots, on a foot."""


def score(scene: Scene) -> tuple[Element, ...]:
    """A slot for each trick: completed missions fill them from the left, failed ones from the right."""
    common, goal = scene.common, scene.settled.missions_to_win
    trick = f"Trick {common.trick} of {scene.settled.tricks}" if common.trick else "Before the first trick"
    return (
        text(MARGIN, 17, trick, "bold"),
        text(MIDDLE + 16, 17, f"{len(common.completed)} of {goal} missions", "mid"),
        text(WIDTH - MARGIN - 18, 17, f"supply {common.supply}", "end"),
        coin(WIDTH - MARGIN - 7, 12, 7),
        *_slots(scene),
        at(_left(scene, goal) - _GAP / 2, _TOP, title(f"{goal} missions win"), path(_GOAL, "ij-goal")),
    )


def _slots(scene: Scene) -> Iterator[Element]:
    common, tricks = scene.common, scene.settled.tricks
    for number in range(tricks):
        failed = tricks - 1 - number
        if number < len(common.completed):
            yield _judged(scene, number, common.completed[number], completed=True)
        elif failed < len(common.failed):
            yield _judged(scene, number, common.failed[failed], completed=False)
        else:
            yield box(_left(scene, number), _TOP, _width(scene), _HEIGHT, "ij-empty", rx=5)


def _judged(scene: Scene, number: int, mission: MissionId, *, completed: bool) -> Element:
    it, width = MISSIONS[mission], _width(scene)
    is_new = scene.trick is not None and scene.trick.completed is not None and scene.trick.mission == mission
    verdict = "completed" if completed else "failed"
    return at(
        _left(scene, number), _TOP, title(f"{verdict}: {mission}, {it.text}"),
        box(0, 0, width, _HEIGHT, "face ij-new" if is_new else "face", rx=5),
        text(width / 2, 14, mission, "mid" if completed else "mid soft"),
        suit_mark(it.trump, width / 2 - 9, 25, 6), verdict_mark(width / 2 + 9, 25, completed=completed),
    )  # fmt: skip


def _left(scene: Scene, number: int) -> float:
    return MARGIN + number * (_width(scene) + _GAP)


def _width(scene: Scene) -> float:
    tricks = scene.settled.tricks
    return (WIDTH - 2 * MARGIN - (tricks - 1) * _GAP) / tricks
