"""The installed games: ours, and those of other packages."""

from functools import cache
from importlib.metadata import entry_points

from referee.core.errors import WrongUse
from referee.wire.codec import GameEntry

GROUP = "referee.games"
"""The entry-point group under which a package registers a `GameEntry`."""


@cache
def games() -> dict[str, GameEntry]:
    """Every registered game by name, sorted.

    Raises:
        ValueError: two packages register the same name, or a name differs from the game's own.
    """
    found: dict[str, GameEntry] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        entry: GameEntry = point.load()
        if point.name in found:
            raise ValueError(f"two installed packages register the game {point.name!r}; remove one of them")
        if point.name != entry.game.name:
            raise ValueError(f"the game {entry.game.name!r} is registered as {point.name!r}; the names must be equal")
        found[point.name] = entry
    return found


def game_entry(name: str) -> GameEntry:
    """The registered game with this name.

    Raises:
        WrongUse: there is none.
    """
    installed = games()
    if name not in installed:
        raise WrongUse(f"there is no game {name!r}; installed: {', '.join(installed)}")
    return installed[name]
