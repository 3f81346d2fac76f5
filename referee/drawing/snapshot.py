"""One moment of a match as a picture that stands alone."""

from collections.abc import Iterator

from referee.core.outcome import Seat
from referee.drawing.drawer import AnyDrawer, Layers, Size
from referee.drawing.playback import Playback, ViewerMoment, by_everyone, by_seat
from referee.drawing.svg import Element, element, group, markup
from referee.drawing.tokens import still_style


def sights(watched: Playback, seat: Seat | None) -> Iterator[ViewerMoment]:
    """All that this seat sees, or with None all there is."""
    return by_everyone(watched) if seat is None else by_seat(watched, seat)


def still(watched: Playback, drawer: AnyDrawer, seen: ViewerMoment, seat: Seat | None) -> str:
    """The picture of this moment as an SVG document, which needs nothing else and suits light and dark."""
    layers = (drawer.whole if seat is None else drawer.seen)(seen.moment)
    words = "; ".join(map(watched.game.describe, seen.moment.events)) or "before the match"
    size = drawer.size(watched.options, watched.seats)
    drawn = board(size, layers, element("title", words), element("style", still_style(drawer.style)))
    return f"{markup(drawn)}\n"


def board(size: Size, layers: Layers, *first: Element, **attributes: str) -> Element:
    """A picture as an element of a page or a document."""
    drawn = (group(*layer.inside, data_layer=layer.name) for layer in layers)
    ground = element("rect", class_="ground", width=size.width, height=size.height)
    return element(
        "svg", *first, ground, *drawn,
        xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {size.width} {size.height}", width=size.width,
        height=size.height, class_="board", role="img", **attributes,
    )  # fmt: skip
