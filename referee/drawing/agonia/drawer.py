"""The drawer of Agonía."""

from referee.drawing.agonia.counter import counter, frame
from referee.drawing.agonia.fallen import fallen, struck
from referee.drawing.agonia.layout import layout
from referee.drawing.agonia.players import player, turn
from referee.drawing.agonia.street import ENEMY_LAYERS, enemies, figures, ground, tokens
from referee.drawing.agonia.style import STYLE
from referee.drawing.agonia.targets import targets
from referee.drawing.drawer import Layer, Layers, Moment, Size
from referee.games.agonia.position.options import Options
from referee.games.agonia.position.state import State
from referee.games.agonia.view import View, view


class AgoniaDrawer:
    """Fulfils `referee.drawing.drawer.Drawer`."""

    style = STYLE

    def size(self, options: Options, seats: int) -> Size:
        """As high as the board and the hands of all players need."""
        return layout(options.board, seats).size

    def whole(self, moment: Moment[State]) -> Layers:
        """What any seat sees: only the order of the deck and of the pile is hidden (AG-26), and neither is drawn."""
        seen: Moment[View] = Moment(moment.names, view(moment.position, 0), moment.events, moment.asked, moment.outcome)
        return self.seen(seen)

    def seen(self, moment: Moment[View]) -> Layers:
        """The view, and what was heard."""
        it = moment.position
        places = layout(it.board, len(moment.names))
        return (
            Layer("ground", (*frame(it), *ground(places))),
            Layer("tokens", tokens(it)),
            Layer("players", figures(it)),
            *(Layer(f"enemies-{number}", enemies(it, number)) for number in range(ENEMY_LAYERS)),
            Layer("counter", counter(moment)),
            Layer("turn", turn(places, moment)),
            *(Layer(f"seat-{seat}", player(places, moment, seat)) for seat in range(len(moment.names))),
            Layer("fallen", fallen(places, moment)),
            Layer("struck", struck(moment)),
            Layer("targets", targets(places, moment)),
        )


drawer = AgoniaDrawer()
