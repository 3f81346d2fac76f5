"""The installed drawers: ours, and those of other packages. A package registers one by the name of its game."""

from functools import cache
from importlib.metadata import entry_points

from referee.core.errors import WrongUse
from referee.drawing.drawer import AnyDrawer

GROUP = "referee.drawers"
"""The entry-point group under which a package registers a `Drawer`."""


@cache
def drawn_games() -> tuple[str, ...]:
    """The games that can be drawn, sorted."""
    return tuple(sorted(point.name for point in entry_points(group=GROUP)))


@cache
def drawer(game: str) -> AnyDrawer:
    """The drawer of this game.

    Raises:
        WrongUse: no installed package draws it.
    """
    for point in entry_points(group=GROUP, name=game):
        loaded: AnyDrawer = point.load()
        return loaded
    raise WrongUse(f"no installed package draws {game}; drawn are: {', '.join(drawn_games())}")
