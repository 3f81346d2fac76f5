"""The drawer of Agent Avenue, and its style sheet."""

from collections.abc import Iterator
from typing import Any

from referee.drawing.agent_avenue.forbidden_actions import barred
from referee.drawing.agent_avenue.layout import landscape, layout
from referee.drawing.agent_avenue.loop import pawns, road, signs, trails
from referee.drawing.agent_avenue.scene import CHANGES, Scene, seen_by_its_seat, whole
from referee.drawing.agent_avenue.sides import holding, side
from referee.drawing.agent_avenue.table import away, gauge, market, table
from referee.drawing.agent_avenue.texts import ENDINGS, OPTIONS
from referee.drawing.drawer import ForbiddenAction, Landscape, Layer, Layers, Moment, Size
from referee.drawing.steps import draw_after_each_event
from referee.games.agent_avenue.state import Options, State
from referee.games.agent_avenue.view import View

STYLE = (
    ".aa-road{fill:none;stroke:var(--sunk)}"
    ".aa-space{fill:var(--panel);stroke:var(--edge);stroke-width:1}"
    ".aa-market{stroke:var(--gold);stroke-width:2}"
    ".board .aa-gold{stroke:var(--gold)}"
    ".board .aa-home{fill:var(--panel)}"
    ".board .aa-pawn{stroke:var(--panel);stroke-width:2}"
    ".aa-crest{fill:var(--panel)}"
    ".board .aa-trail{stroke-width:4;stroke-linecap:round;stroke-linejoin:round;opacity:.75}"
    ".s1 .aa-trail{stroke-dasharray:1 8}"
    ".board .aa-new{stroke-width:3;stroke:var(--ink)}"
    ".board .aa-now{fill:var(--accent);font-weight:650}"
    ".aa-turn{fill:none;stroke:var(--accent);stroke-width:2}"
    ".aa-used{fill:var(--ink);stroke:var(--ink);stroke-width:1.5}"
    ".aa-left{fill:none;stroke:var(--edge);stroke-width:1.5}"
    ".board .aa-ongoing{stroke:var(--gold)}"
    ".aa-label{fill:var(--panel);opacity:.92}"
    ".aa-empty{fill:none;stroke:var(--line);stroke-width:1.5;stroke-dasharray:5 5}"
    ".board [data-actions] .aa-empty{stroke:var(--accent);stroke-width:2.5}"
    ".board .chosen .aa-empty{fill:var(--glow);stroke-width:3.5}"
    ".aa-scale{fill:none;stroke:var(--edge);stroke-width:1.5}"
    ".aa-even{fill:var(--edge)}"
    ".aa-result{fill:var(--panel);stroke:var(--accent);stroke-width:2.5}"
)


class AgentAvenueDrawer:
    """Fulfils `referee.drawing.drawer.Drawer`."""

    style = STYLE
    endings = ENDINGS
    options = OPTIONS

    def size(self, options: Options, seats: int) -> Size:
        """As high as the hands of all players and, with a market, its cards need."""
        return layout(seats, market=options.mode == "advanced").size

    def landscape(self, options: Options, seats: int) -> Landscape:
        """The loop, beside it what lies open, and the hands below."""
        return landscape(seats, _LOOP, market=options.mode == "advanced")

    def whole(self, moment: Moment[State]) -> Layers:
        """All hands and the face-down card are open."""
        return _drawn(moment, whole(moment))

    def for_seat(self, moment: Moment[View]) -> Layers:
        """Other hands are face down, and so is a card that another seat played face down."""
        return _drawn(moment, seen_by_its_seat(moment))

    def whole_after_each_event(self, moment: Moment[State]) -> Iterator[Layers]:
        """Cards go from place to place, and then the pawns move."""
        return draw_after_each_event(moment, whole(moment.before_events()), CHANGES, _drawn)

    def seen_after_each_event(self, moment: Moment[View]) -> Iterator[Layers]:
        """The same, as far as the seat hears of it."""
        return draw_after_each_event(moment, seen_by_its_seat(moment.before_events()), CHANGES, _drawn)

    def group(self, position: State | View) -> str:
        """The turn."""
        return f"Turn {position.turn}" if position.turn else "Before the first turn"

    def barred(self, moment: Moment[View]) -> tuple[ForbiddenAction, ...]:
        """The actions that the rulings forbid to the asked seat."""
        return tuple(barred(moment))


_LOOP = ("road", "table", "market", "gauge", "trails", "signs", "pawns")
"""The layers of the loop, and of what lies in it."""


def _drawn(moment: Moment[Any], scene: Scene) -> Layers:
    with_market = scene.market is not None
    places = layout(len(scene.holdings), market=with_market)
    seats = range(len(scene.holdings))
    return (
        Layer("road", road(places)),
        *(Layer(f"side-{number}", side(places, moment, scene, number)) for number in (0, 1)),
        *(Layer(f"seat-{seat}", holding(places, moment, scene, seat)) for seat in seats),
        Layer("table", table(places, moment, scene)),
        Layer("market", market(moment, scene)),
        Layer("away", away(places, scene)),
        Layer("gauge", gauge(places, moment, scene)),
        Layer("trails", trails(places, moment, scene)),
        Layer("signs", signs(places, market=with_market)),
        Layer("pawns", pawns(places, scene)),
    )


drawer = AgentAvenueDrawer()
