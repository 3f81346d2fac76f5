"""One step of a match as a picture that stands alone."""

from referee.drawing.drawer import AnyDrawer, Layers, Size
from referee.drawing.playback import Playback
from referee.drawing.steps import DrawnStep
from referee.drawing.svg import Element, element, group, markup
from referee.drawing.tokens import still_style


def still(watched: Playback, drawer: AnyDrawer, step: DrawnStep) -> str:
    """The picture of this step as an SVG document, which needs nothing else and suits light and dark."""
    words = "before the match" if step.event is None else watched.game.describe(step.event)
    size = drawer.size(watched.options, watched.seats)
    drawn = board(size, step.layers, element("title", words), element("style", still_style(drawer.style)))
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
