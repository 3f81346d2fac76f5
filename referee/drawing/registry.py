"""The installed drawers: ours, and those of other packages. A package registers one by the name of its game.

The pictures of a game without a drawer are the words for the position; those of OpenSpiel have boards, too.
"""

from functools import cache
from importlib.metadata import entry_points

from referee.core.errors import load_of
from referee.core.game import AnyGame
from referee.drawing.drawer import AnyDrawer
from referee.drawing.words_drawer import OpenSpielDrawer, WordsDrawer
from referee.games.openspiel.game import OpenSpiel

GROUP = "referee.drawers"
"""The entry-point group under which a package registers a `Drawer`."""


def drawer(game: AnyGame) -> AnyDrawer:
    """The drawer of this game. If no installed package draws it, its pictures are words.

    Raises:
        WrongUse: a package registers a drawer that cannot be loaded.
    """
    others = OpenSpielDrawer if isinstance(game, OpenSpiel) else WordsDrawer
    return _registered(game.name) or others(game)


@cache
def _registered(game: str) -> AnyDrawer | None:
    for point in entry_points(group=GROUP, name=game):
        loaded: AnyDrawer = load_of(point, f"the drawer of {game}", lambda drawer: drawer)
        return loaded
    return None
