"""The pictures of the games for the README: a moment of a golden match of each, as an SVG that suits light and dark.

python -m tests.replay_pictures FOLDER
"""

import sys
from pathlib import Path

from referee.drawing.registry import drawer
from referee.drawing.steps import drawn_steps, still
from referee.wire.registry import games
from tests.drawing.matches import golden_match, watched
from tests.golden.tables import GOLDEN

FOLDER = Path("docs/images")
NAMES = ("ada@1", "ben@1", "cleo@1", "dan@1")

MOMENTS = {
    "agent-avenue": ("agent-avenue/advanced/leader_of_the_pack", 8),
    "agonia": ("agonia/main-3/victory", 42),
    "inside-job": ("inside-job/four/other_accused", 34),
}
"""By game, a golden match and a passage of it as everyone sees it: much lies on the table, and somebody is choosing."""


def picture(game: str) -> str:
    """The picture as SVG."""
    match, passage = MOMENTS[game]
    (golden,) = (golden for golden in GOLDEN if str(golden) == match)
    played = watched(golden_match(golden, NAMES[: golden.table.seats]))
    by = drawer(games()[game].game)
    return still(played, by, [step for step in drawn_steps(played, by, None) if step.passage == passage][-1])


if __name__ == "__main__":
    for game in MOMENTS:
        Path(sys.argv[1], f"{game}.svg").write_text(picture(game), encoding="utf-8")
