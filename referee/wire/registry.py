"""The installed games: ours, and those of other packages."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import EntryPoint, PackageNotFoundError, distribution, entry_points
from traceback import format_exception_only, walk_tb
from typing import Any

from referee.core.errors import OurFailure, WrongUse, load_of, with_causes
from referee.wire.codec import GameEntry
from referee.wire.json_codec import json_entry

GROUP = "referee.games"
"""The entry-point group under which a package registers a `GameEntry`, or a `Game` whose messages are JSON."""


_EXTRAS: Mapping[str, tuple[str, str]] = {
    "openspiel": ("open_spiel", "about a hundred games of OpenSpiel, such as chess, Leduc poker and Hanabi"),
}
"""By the name of a game that needs the extra of this name: the package that the extra installs, and what it adds."""

_PACKAGES: dict[str, str] = {}
"""By package, the name of a game of others that it has and that was asked for."""


class Games(Mapping[str, GameEntry]):
    """Every registered game by name, sorted. The registry imports a game at its first use.

    A game whose extra is not installed is not among them.

    Asking raises WrongUse if two packages register the same name, if a name differs from the game's own, if the package
    of a game fails to import, or if its game is not of the right form, or needs an extra.
    """

    def __getitem__(self, name: str) -> GameEntry:
        if name not in _points() and (what := missing_games().get(name)):
            raise WrongUse(f"the game {name} is not installed; it is {what}")
        return _load(_points()[name])

    def __contains__(self, name: object) -> bool:
        return name in _points()

    def __iter__(self) -> Iterator[str]:
        return iter(_points())

    def __len__(self) -> int:
        return len(_points())


def games() -> Games:
    """The registered games."""
    return Games()


def game_entry(name: str) -> GameEntry:
    """The registered game with this name.

    Raises:
        WrongUse: there is none, or it needs an extra.
    """
    installed = games()
    if name not in _points() and name not in missing_games():
        raise WrongUse(f"the game {name!r} is not installed; install its package, or take: {', '.join(installed)}")
    return installed[name]


def missing_games() -> dict[str, str]:
    """By name, the games whose extra is not installed: what they are, and how to get them."""
    return {
        name: f"{content}: pip install 'referee[{name}]'"
        for name, (package, content) in _EXTRAS.items()
        if not _is_installed(package)
    }


def _is_installed(package: str) -> bool:
    try:
        distribution(package)
    except PackageNotFoundError:
        return False
    return True


def package_bug(error: BaseException | None) -> OurFailure | None:
    """The bug of the game whose package raised this error or one that led to it; None if no package of a game did."""
    for each in with_causes(error):
        for frame, _line in walk_tb(each.__traceback__):
            package = frame.f_globals.get("__name__", "").partition(".")[0]
            if package in _PACKAGES:
                what = "".join(format_exception_only(each)).strip()
                return OurFailure(f"the game {_PACKAGES[package]} failed: {what}; this is a bug of the game")
    return None


@cache
def _points() -> dict[str, EntryPoint]:
    found: dict[str, EntryPoint] = {}
    missing = missing_games()
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        if point.name in found:
            both = f"{found[point.name].value} and {point.value}"
            raise WrongUse(f"two installed packages register the game {point.name!r}: {both}; remove one of them")
        if point.name not in missing:
            found[point.name] = point
    return found


@cache
def _load(point: EntryPoint) -> GameEntry:
    def convert(found: Any) -> GameEntry:
        entry = found if isinstance(found, GameEntry) else json_entry(found)
        if point.name != entry.game.name:
            raise ValueError(f"its own name is {entry.game.name!r}, and the names must be equal")
        return entry

    package = point.value.partition(":")[0].partition(".")[0]
    if package != "referee":
        _PACKAGES[package] = point.name
    return load_of(point, f"the game {point.name}", convert)
