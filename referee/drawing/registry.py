"""The installed drawers: ours, and those of other packages. A package registers one by the name of its game.

The pictures of a game without a drawer are the words for the position.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from referee.core.errors import load_of
from referee.core.game import AnyGame
from referee.drawing.drawer import AnyDrawer, ForbiddenAction, Layer, Layers, Moment, Size
from referee.drawing.look import UNIT, WIDTH, fitted, width_of
from referee.drawing.svg import Element, plain, text

_EDGE = 2 * UNIT
_LINE = 2.5 * UNIT
_INDENT = UNIT / 2
"""The width of a blank at the beginning of a line."""

_LINES, _LINES_OF_A_SEAT = 12, 4
"""The number of lines in a picture. All pictures of a match are equally high, whatever the position is."""


class WordsDrawer:
    """Writes the words for a position as its picture: a `Drawer`."""

    style = ""

    def __init__(self, game: AnyGame) -> None:
        """Draw the matches of `game`."""
        self._game = game

    def size(self, options: Any, seats: int) -> Size:  # noqa: ARG002 - the same for all options
        """As wide as every picture; higher with more seats."""
        return Size(WIDTH, int(2 * _EDGE + _LINE * _lines(seats)))

    def whole(self, moment: Moment[Any]) -> Layers:
        """The words for the views of all seats, each line once."""
        views = (self._game.view(moment.position, seat) for seat in range(len(moment.names)))
        lines = (line for view in views for line in self._game.describe_view(view).splitlines())
        return _written(dict.fromkeys(lines), len(moment.names))

    def for_seat(self, moment: Moment[Any]) -> Layers:
        """The words for the view of a seat."""
        return _written(self._game.describe_view(moment.position).splitlines(), len(moment.names))

    def barred(self, moment: Moment[Any]) -> tuple[ForbiddenAction, ...]:  # noqa: ARG002 - nothing is drawn that could be barred
        """Nothing."""
        return ()


def _lines(seats: int) -> int:
    return _LINES + _LINES_OF_A_SEAT * seats


def _written(lines: Iterable[str], seats: int) -> Layers:
    broken = [each for line in lines for each in _broken(line)]
    most = _lines(seats)
    if len(broken) > most:  # the list below the picture has all of them
        broken = [*broken[: most - 1], (0.0, "…")]
    return (Layer("words", tuple(_line(number, *each) for number, each in enumerate(broken))),)


def _line(number: int, indent: float, words: str) -> Element:
    return text(_EDGE + indent, _EDGE + _LINE * (number + 0.75), words)


def _broken(line: str) -> Iterator[tuple[float, str]]:
    """The line as lines that fit into the picture, each with its indent."""
    words = plain(line).split()
    indent = min(_INDENT * (len(line) - len(line.lstrip())), WIDTH / 4)
    room = WIDTH - 2 * _EDGE - indent
    row = ""
    for word in words:
        longer = f"{row} {word}" if row else word
        if row and width_of(longer) > room:
            yield indent, row
            longer = word
        row = longer if width_of(longer) <= room else fitted(longer, room)
    yield indent, row


GROUP = "referee.drawers"
"""The entry-point group under which a package registers a `Drawer`."""


def drawer(game: AnyGame) -> AnyDrawer:
    """The drawer of this game. If no installed package draws it, its pictures are words.

    Raises:
        WrongUse: a package registers a drawer that cannot be loaded.
    """
    return _registered(game.name) or WordsDrawer(game)


@cache
def _registered(game: str) -> AnyDrawer | None:
    for point in entry_points(group=GROUP, name=game):
        loaded: AnyDrawer = load_of(point, f"the drawer of {game}", lambda drawer: drawer)
        return loaded
    return None
