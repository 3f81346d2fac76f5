"""The drawer of Inside Job, and its style sheet."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from referee.core.outcome import Seat
from referee.drawing.drawer import ForbiddenAction, Landscape, Layer, Layers, Moment, Size
from referee.drawing.inside_job.band import hand, head
from referee.drawing.inside_job.centre import centre
from referee.drawing.inside_job.event_changes import CHANGES
from referee.drawing.inside_job.forbidden_actions import barred
from referee.drawing.inside_job.layout import CAST, MIDDLE, landscape, size
from referee.drawing.inside_job.scene import Scene, public_pointing, seen_by_its_seat, whole
from referee.drawing.inside_job.score import missions, slots, standing
from referee.drawing.inside_job.signs import felt_class, suit_class
from referee.drawing.inside_job.table import arrows, felt, laid, plates, tokens, turns
from referee.drawing.inside_job.targets import cards, choices
from referee.drawing.inside_job.texts import ENDINGS, OPTIONS, roles_in_the_game
from referee.drawing.steps import draw_after_each_event
from referee.drawing.svg import Element, text
from referee.games.inside_job.moves import Event, Suspected, Voted
from referee.games.inside_job.options import Options
from referee.games.inside_job.pieces import Suit
from referee.games.inside_job.state import State
from referee.games.inside_job.view import View
from referee.games.inside_job.worlds import insider_shares

_COLOURS = {Suit.YELLOW: "gold", Suit.GREEN: "seat-2", Suit.BLUE: "seat-0", Suit.RED: "bad"}

STYLE = (
    ".ij-table{fill:var(--sunk);stroke:var(--line);stroke-width:2}"
    ".ij-felt{fill:none;stroke:none;stroke-width:4;fill-opacity:.16}"
    ".board .ij-coin{fill:var(--gold);stroke:var(--ink);stroke-width:1}"
    ".ij-empty{fill:none;stroke:var(--edge);stroke-width:1;stroke-dasharray:2 3}"
    ".board .ij-thin{stroke-width:1.5}"
    ".board .ij-done{stroke:var(--good);stroke-width:3}"
    ".board .ij-failed{stroke:var(--bad);stroke-width:3}"
    ".board .ij-best{stroke:var(--ink);stroke-width:3}"
    ".ij-new,.ij-turn{fill:none;stroke:var(--ink);stroke-width:3}"
    ".ij-accused{fill:none;stroke:var(--bad);stroke-width:4}"
    ".ij-secret{fill:var(--panel);stroke:var(--edge);stroke-width:1.5;stroke-dasharray:4 3}"
    ".ij-frame{fill:none;stroke:var(--accent);stroke-width:2}"
    ".ij-hole{fill:var(--panel)}"
    ".ij-slot{fill:none;stroke:var(--edge);stroke-width:1.5}"
    ".ij-edges{fill:none;stroke:var(--edge);stroke-width:1.5}"
    ".ij-may{fill:var(--accent);fill-opacity:0;stroke:var(--accent);stroke-width:2}"
    ".chosen .ij-may{fill-opacity:.14;stroke-width:3.5}"
    ".ij-goal{fill:var(--ink);stroke:var(--ink);stroke-width:1.5}"
    ".ij-pill{fill:var(--panel)}"
    ".ij-result{fill:var(--panel);stroke:var(--accent);stroke-width:2.5}"
    ".board .ij-frameless{stroke:none}"
    ".board .ij-suspects{stroke-dasharray:7 5}"
) + "".join(
    f".{suit_class(suit)}{{fill:var(--{colour})}}"
    f".{felt_class(suit)} .ij-felt{{fill:var(--{colour});stroke:var(--{colour})}}"
    for suit, colour in _COLOURS.items()
)


class InsideJobDrawer:
    """Fulfils `referee.drawing.drawer.Drawer`."""

    style = STYLE
    endings = ENDINGS
    options = OPTIONS
    suspected = "the Insider"

    def size(self, options: Options, seats: int) -> Size:  # noqa: ARG002  # the same with all options
        """As high as the hands of all players need."""
        return size(seats)

    def landscape(self, options: Options, seats: int) -> Landscape:  # noqa: ARG002  # the same with all options
        """The table, and beside it all hands."""
        return landscape(seats, _TABLE + [f"{part}-{seat}" for part in ("tokens", "laid") for seat in range(seats)])

    def whole(self, moment: Moment[State]) -> Layers:
        """All hands and roles are open; a role that is not open to all has a dashed outline."""
        return _drawn(moment, whole(moment))

    def for_seat(self, moment: Moment[View]) -> Layers:
        """Other hands are face down, and roles are drawn as far as the seat knows them."""
        return _drawn(moment, seen_by_its_seat(moment))

    def whole_after_each_event(self, moment: Moment[State]) -> Iterator[Layers]:
        """Card by card, statement by statement, and after a trick its winner, its mission and its tokens."""
        return _after_each_event(moment, whole(moment.before_events()))

    def seen_after_each_event(self, moment: Moment[View]) -> Iterator[Layers]:
        """The same, as far as the seat hears of it."""
        return _after_each_event(moment, seen_by_its_seat(moment.before_events()))

    def group(self, position: State | View) -> str:
        """The trick."""
        return f"Trick {position.common.trick}" if position.common.trick else "Before the first trick"

    def suspicions(self, state: State) -> tuple[tuple[float, ...], ...]:
        """How likely each seat is the agents' opponent; from the first trick on, until all roles are open."""
        if not state.common.trick or state.phase == "over":
            return ()
        return tuple(insider_shares(state, seat) for seat in range(len(state.hands)))

    def suspects(self, event: Event) -> tuple[Seat, tuple[Seat, ...]] | None:
        """A statement or a ballot."""
        return (event.seat, public_pointing(event).named) if isinstance(event, Suspected | Voted) else None

    def barred(self, moment: Moment[View]) -> tuple[ForbiddenAction, ...]:
        """The actions that the rulings forbid to the asked seat."""
        return tuple(barred(moment))


def _after_each_event(moment: Moment[Any], scene: Scene) -> Iterator[Layers]:
    """The question in this scene has been answered: nobody acts any more, and only what was heard is shown."""
    before = replace(scene, acting=frozenset(), pointing=tuple(it for it in scene.pointing if it.is_public))
    return draw_after_each_event(moment, before, CHANGES, _drawn)


def _drawn(moment: Moment[Any], scene: Scene) -> Layers:
    seats = range(len(scene.chairs))
    return (
        Layer("felt", (*felt(scene), *arrows(scene))),
        Layer("places", _places(scene)),
        Layer("turns", turns(scene)),
        *(Layer(f"tokens-{seat}", tokens(scene, seat)) for seat in seats),
        Layer("judged", missions(scene)),
        Layer("standing", standing(scene)),
        Layer("centre", centre(moment, scene)),
        *(Layer(f"head-{seat}", head(moment, scene, seat)) for seat in seats),
        *(Layer(f"hand-{seat}", hand(scene, seat)) for seat in seats),
        *(Layer(f"cards-{seat}", tuple(cards(moment, scene, seat))) for seat in seats),
        Layer("choices", choices(moment, scene)),
        *(Layer(f"laid-{seat}", laid(scene, seat)) for seat in seats),
    )


_TABLE = ["felt", "places", "turns", "judged", "standing", "centre", "choices"]
"""The layers of the table, beside those of each player."""


def _places(scene: Scene) -> tuple[Element, ...]:
    """The parts that never change in a match."""
    seats = len(scene.chairs)
    cast = text(MIDDLE, CAST + 16, roles_in_the_game(scene.settled), "mid soft")
    return (*slots(scene.settled), *plates(seats), cast)


drawer = InsideJobDrawer()
