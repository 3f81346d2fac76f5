"""Pictures of courses: lines over the number of deals, for pages without scripts."""

from collections.abc import Sequence

from referee.drawing.svg import Element, element, text

_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP = 720, 260, 56, 28, 12
_COLOURS = ("#2563eb", "#c2410c", "#15803d", "#7c3aed", "#be185d", "#0e7490")
_MOST = 400
"""More points than this no picture can show."""

Course = Sequence[tuple[float, float]]
"""Points: the number of deals, and a value."""


def chart(lines: Sequence[tuple[str, Course]], marks: Sequence[float], band: Sequence[Course] = ()) -> Element:
    """Lines, each with a name, over a band between two courses. `marks` are values at the side, in rising order."""
    low, high = marks[0], marks[-1]
    last = max((course[-1][0] for _, course in lines if course), default=1) or 1

    def place(point: tuple[float, float]) -> tuple[float, float]:
        x, y = point[0] / last, (min(max(point[1], low), high) - low) / (high - low)
        return _LEFT + x * (_WIDTH - _LEFT - 8), _HEIGHT - _BOTTOM - y * (_HEIGHT - _BOTTOM - _TOP)

    def path(*courses: Course) -> str:
        return " ".join(f"{x:.1f},{y:.1f}" for course in courses for x, y in map(place, course))

    heights = [(mark, place((0, mark))[1]) for mark in marks]
    scale = [element("path", d=f"M{_LEFT},{y:.1f}H{_WIDTH - 8}", stroke="#8888", stroke_width=1) for _, y in heights]
    scale += [_text(_LEFT - 8, y + 4, f"{mark:+.2g}" if mark else "0", "end") for mark, y in heights]
    scale += [_text(_WIDTH - 8, _HEIGHT - 6, f"{last:.0f} deals", "end")]
    drawn = [element("polygon", points=path(_thin(band[0]), _thin(band[1])[::-1]), fill="#2563eb33")] if band else []
    for number, (name, course) in enumerate(lines):
        colour = _COLOURS[number % len(_COLOURS)]
        drawn.append(element("polyline", points=path(_thin(course)), fill="none", stroke=colour, stroke_width=2))
        drawn.append(_text(_LEFT + 12 + 130 * number, _HEIGHT - 6, name, "start", colour))
    words = ", ".join(name for name, _ in lines)
    return element("svg", *scale, *drawn, viewBox=f"0 0 {_WIDTH} {_HEIGHT}", width=_WIDTH, role="img", aria_label=words)


def _thin(course: Course) -> Course:
    step = -(-len(course) // _MOST)
    return [*course[:: step or 1], *course[-1:]]


def _text(x: float, y: float, words: str, anchor: str, colour: str = "currentColor") -> Element:
    return text(x, y, words, text_anchor=anchor, fill=colour, font_size=13)
