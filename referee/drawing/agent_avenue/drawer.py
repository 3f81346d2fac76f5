"""The drawer of Agent Avenue."""

from typing import Any

from referee.drawing.agent_avenue.barred import barred
from referee.drawing.agent_avenue.layout import layout
from referee.drawing.agent_avenue.loop import pawns, road, signs, trails
from referee.drawing.agent_avenue.scene import Scene, seen_by_its_seat, whole
from referee.drawing.agent_avenue.sides import holding, side
from referee.drawing.agent_avenue.style import STYLE
from referee.drawing.agent_avenue.table import away, gauge, market, table
from referee.drawing.drawer import Barred, Layer, Layers, Moment, Size
from referee.games.agent_avenue.state import Options, State
from referee.games.agent_avenue.view import View


class AgentAvenueDrawer:
    """Fulfils `referee.drawing.drawer.Drawer`."""

    style = STYLE

    def size(self, options: Options, seats: int) -> Size:
        """As high as the hands of all players and, with a market, its cards need."""
        return layout(seats, market=options.mode == "advanced").size

    def whole(self, moment: Moment[State]) -> Layers:
        """All hands and the face-down card are open."""
        return _drawn(moment, whole(moment))

    def seen(self, moment: Moment[View]) -> Layers:
        """Other hands are face down, and so is a card that another seat played face down."""
        return _drawn(moment, seen_by_its_seat(moment))

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
