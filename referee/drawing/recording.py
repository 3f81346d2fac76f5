"""A recorded match: every moment of every viewer. It stores each part of a picture, sentence and list once."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Generic, TypeVar

import msgspec

from referee.core.game import AnyGame
from referee.core.outcome import Seat
from referee.drawing.drawer import AnyDrawer, Layer, Layers
from referee.drawing.playback import AskedDecision, Playback
from referee.drawing.seat_names import SeatNames
from referee.drawing.steps import DrawnStep, drawn_steps
from referee.drawing.svg import Inside, markup
from referee.match.narrator import tell_note

T = TypeVar("T", bound=Hashable)

_LINES, _WORDS = 50, 2_000
"""A page shows so many lines of a note, and so many characters of a line. A file from elsewhere may have more."""


class ShownDecision(msgspec.Struct, frozen=True, array_like=True):
    """A decision as the page shows it.

    Attributes:
        seat: the seat that was asked.
        number: counts the seat's decisions, from 1.
        legal: which of the recording's lists has the legal actions.
        chosen: the index of the choice; -1 if the seat failed.
        us: how long it thought, in microseconds.
        left_ms: how long it might have thought, in milliseconds.
        note: what its bot noted about it, line by line.
    """

    seat: Seat
    number: int
    legal: int
    chosen: int
    us: int
    left_ms: int
    note: tuple[str, ...] = ()


class Frame(msgspec.Struct, frozen=True, array_like=True):
    """A step of one viewer. Everything but `decisions` is a number, or a list of numbers, of a thing here.

    Attributes:
        match: the moment in the count of the viewer who sees everything, by which the page finds the same moment of
            another viewer. In the recording of one seat it is that seat's count, since the seat must not learn how
            often others moved unseen.
        layers: by place, from back to front, which of the recording's layers lies there.
        event: which of the recording's words says what has just happened; -1 if nothing was heard.
        lines: which of the recording's lists has the position in words.
        decisions: the decisions.
        group: which of the recording's words is the heading of the decisions; -1 if the game has no groups.
    """

    match: int
    layers: tuple[int, ...]
    event: int
    lines: int
    decisions: tuple[ShownDecision, ...]
    group: int


class Track(msgspec.Struct, frozen=True):
    """All that one viewer sees: a seat, or None, who sees everything."""

    viewer: Seat | None
    frames: tuple[Frame, ...]


class Recording(msgspec.Struct, frozen=True):
    """A whole match, ready to be shown.

    Attributes:
        parts: the markup of all different elements of layers.
        layers: all different layers, as numbers of `parts`.
        words: all different sentences.
        lists: all different lists of sentences, as numbers of `words`.
        tracks: one for each viewer.
    """

    parts: tuple[str, ...]
    layers: tuple[tuple[int, ...], ...]
    words: tuple[str, ...]
    lists: tuple[tuple[int, ...], ...]
    tracks: tuple[Track, ...]


def record_all(watched: Playback, drawer: AnyDrawer, names: SeatNames) -> Recording:
    """The recording for everybody: first an onlooker who sees everything, then each seat."""
    recorder = _Recorder(watched, drawer, names)
    return recorder.record([recorder.track(viewer) for viewer in (None, *range(watched.seats))])


def record_seat(watched: Playback, drawer: AnyDrawer, names: SeatNames, seat: Seat) -> Recording:
    """The recording for one seat: what it saw, and nothing else."""
    recorder = _Recorder(watched, drawer, names)
    track = recorder.track(seat)
    own = _Once[int]()
    frames = (msgspec.structs.replace(frame, match=own.number(frame.match)) for frame in track.frames)
    return recorder.record([Track(seat, tuple(frames))])


class _Once(Generic[T]):
    """Numbers different things in the order in which they are added."""

    def __init__(self) -> None:
        self._numbers: dict[T, int] = {}

    def number(self, thing: T) -> int:
        return self._numbers.setdefault(thing, len(self._numbers))

    @property
    def all(self) -> tuple[T, ...]:
        return tuple(self._numbers)


class _Recorder:
    def __init__(self, watched: Playback, drawer: AnyDrawer, names: SeatNames) -> None:
        self._watched = watched
        self._game: AnyGame = watched.game
        self._drawer = drawer
        self._names = names
        self._places: tuple[str, ...] | None = None
        self._parts = _Once[Inside]()
        self._layers = _Once[tuple[int, ...]]()
        self._words = _Once[str]()
        self._lists = _Once[tuple[int, ...]]()

    def track(self, viewer: Seat | None) -> Track:
        return Track(viewer, tuple(map(self._frame, drawn_steps(self._watched, self._drawer, viewer))))

    def record(self, tracks: Sequence[Track]) -> Recording:
        return Recording(
            parts=tuple(map(markup, self._parts.all)),
            layers=self._layers.all,
            words=self._words.all,
            lists=self._lists.all,
            tracks=tuple(tracks),
        )

    def _frame(self, step: DrawnStep) -> Frame:
        self._hold_in_place(step.layers)
        return Frame(
            match=step.passage,
            layers=tuple(map(self._layer, step.layers)),
            event=-1 if step.event is None else self._word(self._game.describe(step.event)),
            lines=self._list(step.lines),
            decisions=tuple(map(self._decision, step.decisions)),
            group=self._words.number(step.group) if step.group else -1,
        )

    def _layer(self, layer: Layer) -> int:
        return self._layers.number(tuple(map(self._parts.number, layer.inside)))

    def _hold_in_place(self, layers: Layers) -> None:
        places = tuple(layer.name for layer in layers)
        if places != (self._places or places):
            raise ValueError(f"a drawer must draw the same layers in every moment, not {places} after {self._places}")
        self._places = places

    def _decision(self, decision: AskedDecision) -> ShownDecision:
        ask = decision.ask
        legal = self._list(map(self._game.describe_action, ask.legal))
        chosen = -1 if decision.chosen is None else decision.chosen
        note = tuple(line[:_WORDS] for line in tell_note(decision.note)[:_LINES])
        return ShownDecision(ask.seat, ask.number, legal, chosen, decision.us, ask.time_left_ms, note)

    def _list(self, words: Iterable[str]) -> int:
        return self._lists.number(tuple(map(self._word, words)))

    def _word(self, words: str) -> int:
        return self._words.number(self._names.put_into(words))
