"""The drawer of Agonía, and its style sheet."""

from collections.abc import Iterator

from msgspec.structs import replace

from referee.drawing.agonia.counter import coming, counter, frame
from referee.drawing.agonia.event_changes import CHANGES
from referee.drawing.agonia.fallen import fallen, struck
from referee.drawing.agonia.forbidden_actions import barred
from referee.drawing.agonia.layout import landscape, layout
from referee.drawing.agonia.players import player
from referee.drawing.agonia.street import enemies, figures, ground, tokens
from referee.drawing.agonia.targets import targets
from referee.drawing.agonia.texts import ENDINGS, OPTIONS
from referee.drawing.drawer import ForbiddenAction, Landscape, Layer, Layers, Moment, Size
from referee.drawing.steps import draw_after_each_event
from referee.drawing.svg import Element
from referee.games.agonia.position.options import Options
from referee.games.agonia.position.state import State
from referee.games.agonia.view import View, view

STYLE = (
    ".board .ground{fill:var(--panel)}"
    ".ag-walk,.ag-street,.ag-spawn{stroke:var(--line);stroke-width:1}"
    ".ag-walk{fill:var(--ground)}"
    ".ag-street{fill:var(--panel)}"
    ".ag-spawn{fill:var(--sunk)}"
    ".ag-stripes,.ag-arrow,.ag-walkway{fill:none;stroke:var(--line);stroke-width:2}"
    ".ag-arrow{stroke-width:3;stroke-linecap:round;stroke-linejoin:round}"
    ".ag-halo{stroke:var(--panel);stroke-width:12}"
    ".ag-walkway{stroke:var(--edge);stroke-width:2.5;stroke-linecap:round;stroke-linejoin:round;stroke-dasharray:1 5}"
    ".ag-enemy{fill:var(--ink);fill-rule:evenodd;stroke:var(--ink);stroke-width:1.2;stroke-linejoin:round;stroke-linecap:round}"
    ".ag-enemy text{text-anchor:middle;font-weight:650;paint-order:stroke;stroke:var(--panel);stroke-width:3}"
    ".ag-enemy circle{fill:var(--bad);stroke:var(--panel)}"
    ".board .ag-gone{fill:var(--panel);stroke:var(--bad)}"
    ".ag-lock{fill:var(--panel);stroke:var(--ink);stroke-width:2}"
    ".ag-token{fill:var(--panel);stroke:var(--edge);stroke-width:2;stroke-linejoin:round;stroke-linecap:round}"
    ".ag-barricada{stroke:var(--gold)}"
    ".ag-barril{fill:none;stroke:var(--bad);stroke-width:2.5}"
    ".ag-foso{fill:var(--edge);fill-rule:evenodd}"
    ".ag-cepo{fill:none}"
    ".ag-small{stroke-width:3.5}"
    ".ag-aceite{fill:var(--sunk)}"
    ".ag-embers{fill:var(--fire);fill-opacity:.2;stroke:var(--fire);stroke-width:2;stroke-dasharray:3 3}"
    ".ag-flame{fill:var(--fire);stroke:var(--panel);stroke-width:1}"
    ".ag-track{fill:none;stroke:var(--edge);stroke-width:1.5}"
    ".ag-ticks{stroke:var(--edge);stroke-width:1}"
    ".ag-sign{fill:none;stroke:var(--soft);stroke-width:2;stroke-linejoin:round}"
    ".ag-now{fill:var(--ink)}"
    ".board .ag-nowtext{fill:var(--panel);font-weight:650}"
    ".ag-verdict{fill:none;stroke-width:4;stroke-linecap:round;stroke-linejoin:round}"
    ".ag-won{stroke:var(--good)}"
    ".ag-defeat{stroke:var(--bad)}"
    ".ag-empty{fill:none;stroke:var(--line);stroke-width:1.5;stroke-dasharray:5 5}"
    ".ag-laid{fill:var(--sunk);stroke:var(--ink);stroke-width:2}"
    ".ag-turn{fill:var(--glow);fill-opacity:.5;stroke:var(--accent);stroke-width:2}"
    ".ag-die{fill:var(--panel);stroke:var(--ink);stroke-width:2}"
    ".ag-pips{stroke:var(--ink);stroke-width:5.5;stroke-linecap:round}"
    ".ag-mark{fill:none;stroke-width:2.5;stroke-linejoin:round;stroke-linecap:round}"
    ".ag-hit{stroke:var(--fire)}"
    ".ag-miss{stroke:var(--edge);stroke-dasharray:5 5}"
    ".ag-death{stroke:var(--bad);stroke-width:4}"
    ".ag-new{stroke:var(--soft);stroke-width:1.5;stroke-dasharray:4 4}"
    ".ag-go{stroke:var(--soft);stroke-width:12;stroke-linecap:round}"
    ".ag-aim,.ag-shot{fill:none;stroke:var(--edge);stroke-width:1.5;stroke-dasharray:10 24;stroke-dashoffset:5}"
    ".ag-shot{stroke:var(--ink);stroke-width:3}"
    ".ag-line{fill:none;stroke:var(--ink);stroke-width:3;stroke-linecap:round;stroke-linejoin:round}"
    ".ag-use{fill:none;stroke:var(--soft);stroke-width:2}"
    ".ag-button{fill:var(--panel);stroke:var(--ink);stroke-width:1.5}"
    ".ag-button text{stroke:none}"
    ".ag-go.chosen,.ag-aim.chosen,.ag-shot.chosen,.ag-line.chosen,.ag-use.chosen,.ag-button.chosen{stroke:var(--accent)}"
    ".ag-go.chosen{stroke-width:22}"
    ".ag-aim.chosen,.ag-shot.chosen{fill:var(--accent);fill-opacity:.2;stroke-width:4;stroke-dasharray:none}"
    ".ag-line.chosen{stroke-width:6}"
    ".ag-use.chosen,.ag-button.chosen rect{fill:var(--accent);fill-opacity:.2;stroke-width:4}"
    ".ag-stack{fill:var(--edge)}"
)


class AgoniaDrawer:
    """Fulfils `referee.drawing.drawer.Drawer`."""

    style = STYLE
    endings = ENDINGS
    options = OPTIONS

    def size(self, options: Options, seats: int) -> Size:
        """As high as the board and the hands of all players need."""
        return layout(options.board, seats).size

    def landscape(self, options: Options, seats: int) -> Landscape:
        """The board, and the players beside it."""
        return landscape(options.board, seats)

    def whole(self, moment: Moment[State]) -> Layers:
        """The view of all seats, and the next enemies. Only the order of deck and pile is hidden (AG-26)."""
        return _drawn(_public_moment(moment), coming(moment.position) if moment.outcome is None else ())

    def for_seat(self, moment: Moment[View]) -> Layers:
        """The picture for a seat: its view, and the events that it heard."""
        return _drawn(moment, ())

    def whole_after_each_event(self, moment: Moment[State]) -> Iterator[Layers]:
        """Step by step and roll by roll."""
        return _after_each_event(_public_moment(moment), coming(moment.before_events().position))

    def seen_after_each_event(self, moment: Moment[View]) -> Iterator[Layers]:
        """The same."""
        return _after_each_event(moment, ())

    def group(self, position: State | View) -> str:
        """The round."""
        return f"Round {position.round}" if position.round else "Before the first round"

    def barred(self, moment: Moment[View]) -> tuple[ForbiddenAction, ...]:
        """The actions that the rulings forbid to the asked seat."""
        return tuple(barred(moment))


def _public_moment(moment: Moment[State]) -> Moment[View]:
    """A moment as everybody sees it. Only the order of deck and pile is hidden (AG-26)."""
    before = None if moment.before is None else view(moment.before, 0)
    now = view(moment.position, 0)
    return Moment(moment.options, moment.names, before, now, moment.events, moment.questions, moment.outcome)


def _after_each_event(moment: Moment[View], coming: tuple[Element, ...]) -> Iterator[Layers]:
    before = replace(moment.before_events().position, asked=None)
    return draw_after_each_event(moment, before, CHANGES, lambda it, now: _drawn(replace(it, position=now), coming))


def _drawn(moment: Moment[View], coming: tuple[Element, ...]) -> Layers:
    it = moment.position
    places = layout(it.board, len(moment.names))
    return (
        Layer("ground", (*frame(it), *ground(places))),
        Layer("pieces", (*tokens(it), *figures(it))),
        Layer("enemies", enemies(it)),
        Layer("counter", (*counter(moment), *coming)),
        *(Layer(f"seat-{seat}", player(places, moment, seat)) for seat in range(len(moment.names))),
        Layer("happened", (*fallen(places, moment), *struck(moment))),
        *(Layer(f"targets-{seat}", targets(places, moment, seat)) for seat in range(len(moment.names))),
        Layer("targets", targets(places, moment, None)),
    )


drawer = AgoniaDrawer()
