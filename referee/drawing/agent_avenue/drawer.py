"""The drawer of Agent Avenue."""

from collections.abc import Iterator
from typing import Any

from referee.drawing.agent_avenue.barred import barred
from referee.drawing.agent_avenue.event_changes import CHANGES
from referee.drawing.agent_avenue.layout import layout
from referee.drawing.agent_avenue.loop import pawns, road, signs, trails
from referee.drawing.agent_avenue.scene import Scene, seen_by_its_seat, whole
from referee.drawing.agent_avenue.sides import holding, side
from referee.drawing.agent_avenue.style import STYLE
from referee.drawing.agent_avenue.table import away, gauge, market, table
from referee.drawing.agent_avenue.texts import ENDINGS
from referee.drawing.drawer import Barred, Layer, Layers, Moment, Size
from referee.drawing.steps import draw_after_each_event
from referee.games.agent_avenue.state import Options, State
from referee.games.agent_avenue.view import View


class AgentAvenueDrawer:
    """Fulfils `referee.drawing.drawer.Drawer`."""

    style = STYLE
    endings = ENDINGS

    def size(self, options: Options, seats: int) -> Size:
        """As high as the hands of all players and, with a market, its cards need."""
        return layout(seats, market=options.mode == "advanced").size

    def whole(self, moment: Moment[State]) -> Layers:
        """All hands and the face-down card are open."""
        return _drawn(moment, whole(moment))

    def seen(self, moment: Moment[View]) -> Layers:
        """Other hands are face down, and so is a card that another seat played face down."""
        return _drawn(moment, seen_by_its_seat(moment))

    def whole_after_each_event(self, moment: Moment[State]) -> Iterator[Layers]:
        """Cards go from place to place, and then the pawns move."""
        return draw_after_each_event(moment, whole(moment.begun()), CHANGES, _drawn)

    def seen_after_each_event(self, moment: Moment[View]) -> Iterator[Layers]:
        """The same, as far as the seat hears of it."""
        return draw_after_each_event(moment, seen_by_its_seat(moment.begun()), CHANGES, _drawn)

    def group(self, position: State | View) -> str:
        """The turn."""
        return f"Turn {position.turn}" if position.turn else "Before the first turn"

    def barred(self, moment: Moment[View]) -> tuple[Barred, ...]:
        """The actions that the rulings forbid to the asked seat."""
        return tuple(barred(moment))


def _drawn(moment: Moment[Any], scene: Scene) -> Layers:
    with_market = scene.market is not None
    places = layout(len(scene.holdings), market=with_market)
    seats = range(len(scene.holdings))
    return (
        Layer("road", road(places)),
        *(Layer(f"side-{number}", side(places, moment, scene, number)) for number in (0, 1)),
        *(Layer(f"seat-{seat}", holding(places, moment, scene, seat)) for seat in seats),
        Layer("table", table(places, moment, scene)),
        Layer("market", market(places, moment, scene)),
        Layer("away", away(places, scene)),
        Layer("gauge", gauge(places, moment, scene)),
        Layer("trails", trails(places, moment, scene)),
        Layer("signs", signs(places, market=with_market)),
        Layer("pawns", pawns(places, scene)),
    )


drawer = AgentAvenueDrawer()
