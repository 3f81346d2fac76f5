"""The contract between a game's drawer and everything that shows its pictures.

A drawer turns a moment of a match into layers: named parts of one picture, from back to front. A picture of a match
always has the same size and the same layers, so a page steps through the match by exchanging the layers that differ.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar, runtime_checkable

import msgspec
from msgspec.structs import replace

from referee.core.outcome import Outcome, Seat
from referee.drawing.svg import Element

O_contra = TypeVar("O_contra", contravariant=True)
S_contra = TypeVar("S_contra", contravariant=True)
V_contra = TypeVar("V_contra", contravariant=True)
P_co = TypeVar("P_co", covariant=True)
"""A position: the game's state for onlookers who see everything, the game's view for a seat."""


class Size(msgspec.Struct, frozen=True):
    """Of a picture, in units. Use `tokens.WIDTH` for the width, so that type is as large as `tokens` promises."""

    width: int
    height: int


class Question(msgspec.Struct, frozen=True):
    """A question to a seat in a moment, and the seat's answer.

    Attributes:
        seat: the seat.
        legal: the actions it may choose from.
        chosen: the index of its choice; None if it failed, or has not chosen yet.
    """

    seat: Seat
    legal: tuple[Any, ...]
    chosen: int | None


class Moment(msgspec.Struct, Generic[P_co], frozen=True):
    """A position as a viewer sees it, and the events that have just led to it.

    Attributes:
        options: the game's options, which everybody knows.
        names: by seat, what to call the player; foreign text. Shorten it with `type.fitted`.
        before: the position of the same viewer's picture before; None in the first. A drawer can draw from it what has
            just left the table, such as a finished trick.
        position: a state if an onlooker sees it, a view if a seat does.
        events: what the viewer heard since the picture before, oldest first.
        questions: the questions in this position, as far as the viewer knows: a seat sees its own question only.
        outcome: how the match ended, in its last moment. Parts that a seat did not learn are missing.
    """

    options: Any
    names: tuple[str, ...]
    before: P_co | None
    position: P_co
    events: tuple[Any, ...]
    questions: tuple[Question, ...]
    outcome: Outcome | None

    def before_events(self) -> "Moment[P_co]":
        """The position before, which must be there, without events and questions."""
        return Moment(self.options, self.names, None, self.before, (), (), None)  # type: ignore[arg-type]

    def after_events(self, count: int) -> "Moment[P_co]":
        """The position before, which must be there, with so many of the events and without questions."""
        return replace(self.before_events(), before=self.before, events=self.events[:count])


class Layer(msgspec.Struct, frozen=True):
    """A part of a picture, and its elements from back to front.

    A recording stores each element of `inside` once, however often a picture uses it. So make each thing, a card or a
    pawn, an element of its own with its place in it (`svg.placed`), and not one element of all cards.
    """

    name: str
    inside: tuple[Element, ...]


Layers: TypeAlias = tuple[Layer, ...]


class Landscape(NamedTuple):
    """The same layers in a picture that is wider than high; by name, the `svg.move` of each that does not stay."""

    size: Size
    moves: Mapping[str, str]


class Box(NamedTuple):
    """A rectangle in a picture, in units."""

    x: float
    y: float
    width: float
    height: float


class ForbiddenAction(msgspec.Struct, frozen=True):
    """An action that a person might want to choose in a moment, and may not.

    Attributes:
        action: the action in a few words.
        reason: what stands against it, in words that go after "because".
        ruling: the number of the ruling that says so.
        box: where it is drawn; None if no one place stands for it alone.
        layer: the layer that has this place.
    """

    action: str
    reason: str
    ruling: str
    box: Box | None = None
    layer: str = ""


class Drawer(Protocol[O_contra, S_contra, V_contra]):
    """Draws one game. All methods are pure.

    Rules for what is drawn; the tests of `tests/drawing/` hold every drawer to them:

    - Nothing lies outside the picture, no texts overlap, and no type is smaller than `tokens.SMALL`.
    - Colours are classes of the style sheet, never attributes; next to a colour stands a shape or a word.
    - An element that stands for a legal action has `data-actions`: the indices, with spaces between, of all actions of
      the one question in `asked` in which it has a part (`marks.actions`). The chosen one has the class `chosen`.
    - A thing that moves has `data-piece`, unique in the picture; the page lets it glide to its new place.
    - A drawer draws hidden things face down, and draws them from nothing but the position.

    Attributes:
        style: the style sheet of the game's own classes, with the colours of `tokens` only. Each class begins with a
            prefix of the game's own, such as `aa-`.
    """

    style: str

    def size(self, options: O_contra, seats: int) -> Size:
        """The size of every picture of a match."""

    def whole(self, moment: Moment[S_contra]) -> Layers:
        """The picture for an onlooker who sees everything."""

    def for_seat(self, moment: Moment[V_contra]) -> Layers:
        """The picture for a seat."""

    def barred(self, moment: Moment[V_contra]) -> tuple[ForbiddenAction, ...]:
        """The actions that the asked seat may not choose, as far as it can know; a person's page greys them."""


AnyDrawer: TypeAlias = Drawer[Any, Any, Any]


@runtime_checkable
class GroupingDrawer(Protocol):
    """A part of the contract that a drawer may leave out: the parts of a match, such as turns, tricks or rounds."""

    def group(self, position: Any) -> str:
        """The heading of the decisions in this position, such as "Trick 3". It depends on what everybody knows."""


@runtime_checkable
class LandscapeDrawer(Protocol):
    """A part of the contract that a drawer may leave out: a second shape of its pictures, for wide windows."""

    def landscape(self, options: Any, seats: int) -> Landscape:
        """Where the layers lie. No layer lies outside the picture, or over another that has no place in common."""


@runtime_checkable
class StepwiseDrawer(Protocol):
    """A part of the contract that a drawer may leave out: how several events change a picture one after the other.

    Both methods get a moment with a position before.
    """

    def whole_after_each_event(self, moment: Moment[Any]) -> Iterator[Layers]:
        """For an onlooker: the picture after each event of the moment, except the last."""

    def seen_after_each_event(self, moment: Moment[Any]) -> Iterator[Layers]:
        """For a seat: the same."""


@runtime_checkable
class ExplainingDrawer(Protocol):
    """A part of the contract that a drawer may leave out: what words of the game mean.

    A drawn card has its text as a title, which `marks.card_text` makes. It may also have `options`: by option of the
    game and value, as text, what it means in a few words; empty if there is nothing to say.

    Attributes:
        endings: by ending, what happened, in words that go after a colon.
    """

    endings: Mapping[str, str]


@runtime_checkable
class SuspectingDrawer(GroupingDrawer, Protocol):
    """A part of the contract that a drawer may leave out: which seat has a hidden role that the others look for.

    Attributes:
        suspected: the role, in words such as "the Insider".
    """

    suspected: str

    def suspicions(self, state: Any) -> tuple[tuple[float, ...], ...]:
        """By seat, how likely it must think each seat to have the role, by its view alone; none if nobody can look."""

    def suspects(self, event: Any) -> tuple[Seat, tuple[Seat, ...]] | None:
        """The seat that says in this event whom it suspects, and these seats; None if the event says no such thing."""


def ending_text(drawer: AnyDrawer, ending: str) -> str:
    """What happened at an ending; its name, if the drawer does not explain it."""
    endings = drawer.endings if isinstance(drawer, ExplainingDrawer) else {}
    return endings.get(ending, ending.replace("_", " "))


def options_text(drawer: AnyDrawer | None, options: Mapping[str, Any]) -> str:
    """Options of a game in words: those of its drawer, or names and values. What is not used is left out."""
    known: Mapping[str, Mapping[str, str]] = getattr(drawer, "options", {})
    texts = (known.get(name, {}).get(str(value), setting_text(name, value)) for name, value in options.items())
    return ", ".join(filter(None, texts))


def setting_text(name: str, value: object) -> str:
    """A setting, its name and value; empty if it is not used."""
    label = name.replace("_", " ")
    if value is None or value == "" or isinstance(value, bool):
        return f"{'' if value else 'without '}{label}" if isinstance(value, bool) else ""
    values = value if isinstance(value, (list, tuple)) else [value]
    return f"{label}: {', '.join(str(each).replace('_', ' ') for each in values)}"
