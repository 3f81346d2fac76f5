"""The drawer of Agonía."""

from collections.abc import Iterator

from msgspec.structs import replace

from referee.drawing.agonia.barred import barred
from referee.drawing.agonia.counter import coming, counter, frame
from referee.drawing.agonia.event_changes import CHANGES
from referee.drawing.agonia.fallen import fallen, struck
from referee.drawing.agonia.layout import layout
from referee.drawing.agonia.players import player, turn
from referee.drawing.agonia.street import enemies, figures, ground, tokens
from referee.drawing.agonia.style import STYLE
from referee.drawing.agonia.targets import targets
from referee.drawing.agonia.texts import ENDINGS
from referee.drawing.drawer import Barred, Layer, Layers, Moment, Size
from referee.drawing.steps import draw_after_each_event
from referee.drawing.svg import Element
from referee.games.agonia.position.options import Options
from referee.games.agonia.position.state import State
from referee.games.agonia.view import View, view


class AgoniaDrawer:
    """Fulfils `referee.drawing.drawer.Drawer`."""

    style = STYLE
    endings = ENDINGS

    def size(self, options: Options, seats: int) -> Size:
        """As high as the board and the hands of all players need."""
        return layout(options.board, seats).size

    def whole(self, moment: Moment[State]) -> Layers:
        """The view of all seats, and the next enemies. Only the order of deck and pile is hidden (AG-26)."""
        return _drawn(_seen(moment), coming(moment.position) if moment.outcome is None else ())

    def seen(self, moment: Moment[View]) -> Layers:
        """The picture for a seat: its view, and the events that it heard."""
        return _drawn(moment, ())

    def whole_after_each_event(self, moment: Moment[State]) -> Iterator[Layers]:
        """Step by step and roll by roll."""
        return _after_each_event(_seen(moment), coming(moment.begun().position))

    def seen_after_each_event(self, moment: Moment[View]) -> Iterator[Layers]:
        """The same."""
        return _after_each_event(moment, ())

    def group(self, position: State | View) -> str:
        """The round."""
        return f"Round {position.round}" if position.round else "Before the first round"

    def barred(self, moment: Moment[View]) -> tuple[Barred, ...]:
        """The actions that the rulings forbid to the asked seat."""
        return tuple(barred(moment))


def _seen(moment: Moment[State]) -> Moment[View]:
    """A moment as everybody sees it. Only the order of deck and pile is hidden (AG-26)."""
    before = None if moment.before is None else view(moment.before, 0)
    now = view(moment.position, 0)
    return Moment(moment.options, moment.names, before, now, moment.events, moment.asked, moment.outcome)


def _after_each_event(moment: Moment[View], coming: tuple[Element, ...]) -> Iterator[Layers]:
    before = replace(moment.begun().position, asked=None)
    return draw_after_each_event(moment, before, CHANGES, lambda it, now: _drawn(replace(it, position=now), coming))


def _drawn(moment: Moment[View], coming: tuple[Element, ...]) -> Layers:
    it = moment.position
    places = layout(it.board, len(moment.names))
    return (
        Layer("ground", (*frame(it), *ground(places))),
        Layer("pieces", (*tokens(it), *figures(it))),
        Layer("enemies", enemies(it)),
        Layer("counter", (*counter(moment), *coming)),
        Layer("turn", turn(places, moment)),
        *(Layer(f"seat-{seat}", player(places, moment, seat)) for seat in range(len(moment.names))),
        Layer("happened", (*fallen(places, moment), *struck(moment))),
        Layer("targets", targets(places, moment)),
    )


drawer = AgoniaDrawer()
