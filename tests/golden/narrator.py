"""A match as plain text that hides nothing: what every seat saw and heard, beside what really happened.

The text shows the whole view of the seat that is asked, with a mark at every line that not all seats see. For the other
seats it shows only the lines that not all seats see, and only when they change. So every view can be rebuilt from the
text, and anything that a seat should not have seen stands out. If a seat heard all events, the text does not repeat
them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from functools import reduce
from operator import and_
from typing import Any

from referee.core.game import AnyGame
from referee.core.outcome import Seat
from referee.match.conversation import Chosen, Failed, Reply
from referee.match.match import Ask, Close, Match, Request
from referee.match.narrator import tell_end, tell_opening
from referee.match.transcript import Transcript

LEGEND = "* marks what not all see; what others see instead of it is told as it changes: - is gone, + is new"


class GoldenNarrator:
    """Follows one match from its first request on."""

    def __init__(self, game: AnyGame, match: Match, how: str) -> None:
        """The text begins with `how`, which says how to play this match again."""
        self._game = game
        self._match = match
        self._lines = [tell_opening(match.header), f"rules version {match.header.rules_version}; {how}", LEGEND]
        self._drawn = 0
        self._happened = 0
        self._heard = [0] * len(match.header.entries)
        self._private: dict[Seat, list[str]] = {seat: [] for seat in range(len(match.header.entries))}

    def before(self, request: Request, reply: Reply | None) -> None:
        """Print the question and the answer. Call this before the match moves on."""
        self.after()
        if isinstance(request, Ask):
            self._lines += ["", f"== decision {request.number} of seat {request.seat}"]
            self._lines += [*self._hears(request), *self._sees(request)]
        if isinstance(request, Close):
            self._lines += ["", f"== the end, as seat {request.seat} is told", *self._hears(request)]
        if isinstance(reply, Failed):
            self._lines += [f"seat {request.seat} fails ({reply.kind}): {reply.text}"]
        elif isinstance(request, Ask) and isinstance(reply, Chosen):
            self._lines += [_chosen(self._game, request, reply)]

    def after(self) -> None:
        """Print the draws and the events since the last call."""
        luck = self._match.luck[self._drawn :]
        events = self._match.events[self._happened :]
        self._drawn, self._happened = len(self._match.luck), len(self._match.events)
        if luck or events:
            self._lines += ["", "what happens:"]
        for draw in luck:
            self._lines += [f"  luck {draw.label}: {' '.join(map(str, draw.drawn))}"]
        self._lines += _indented(self._described(events))

    def text(self, transcript: Transcript) -> str:
        """The whole text, once the match is over."""
        return "\n".join([*self._lines, "", "== the result", tell_end(transcript), ""])

    def _hears(self, request: Ask | Close) -> Iterator[str]:
        seat, since = request.seat, self._heard[request.seat]
        self._heard[seat] = len(self._match.events)
        heard = self._described(request.events)
        if not heard:
            yield f"seat {seat} has heard nothing new"
        elif heard == self._described(self._match.events[since:]):
            yield f"seat {seat} has heard all that happened since {'its last decision' if since else 'the beginning'}"
        else:
            yield f"seat {seat} has heard:"
            yield from _indented(heard)

    def _described(self, events: Iterable[Any]) -> list[str]:
        return [line for event in events for line in self._game.describe(event).splitlines()]

    def _sees(self, ask: Ask) -> Iterator[str]:
        """The asked seat's view, and what changed in the private lines of the others."""
        views = [self._view(ask, seat) for seat in range(len(self._match.header.entries))]
        shared = reduce(and_, map(Counter, views))
        private = {seat: list((Counter(view) - shared).elements()) for seat, view in enumerate(views)}
        yield f"seat {ask.seat} sees{':' if any(private.values()) else ', as all do:'}"
        yield from _marked(views[ask.seat], private[ask.seat])
        told, self._private = self._private, private
        yield from _instead({seat: _changes(told[seat], private[seat]) for seat in private if seat != ask.seat})

    def _view(self, ask: Ask, seat: Seat) -> list[str]:
        """The lines of a view, without the words that say whose view it is."""
        view = ask.view if seat == ask.seat else self._game.view(self._match.state, seat)
        return self._game.describe_view(view).replace(f"; seen by seat {seat}", "").splitlines()


def _marked(view: Iterable[str], private: Iterable[str]) -> Iterator[str]:
    """The lines, the private ones with a mark."""
    left = Counter(private)
    for line in view:
        yield f"{'*' if left[line] > 0 else ' '} {line}"
        left[line] -= 1


def _instead(changes: Mapping[Seat, tuple[str, ...]]) -> Iterator[str]:
    """What changes for each seat. Seats with the same changes share a line; seats without changes have none."""
    for lines in dict.fromkeys(filter(None, changes.values())):
        seats = [str(seat) for seat in changes if changes[seat] == lines]
        yield f"{'each of seats' if len(seats) > 1 else 'seat'} {', '.join(seats)} sees instead:"
        yield from _indented(lines)


def _changes(old: list[str], new: list[str]) -> tuple[str, ...]:
    """The lines that are gone, after a `-`, and those that are new, after a `+`, from top to bottom."""
    told: list[str] = []
    for kind, start, end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            told += [f"- {line}" for line in old[start:end]]
            told += [f"+ {line}" for line in new[new_start:new_end]]
    return tuple(told)


def _chosen(game: AnyGame, ask: Ask, reply: Chosen) -> str:
    what = game.describe_action(ask.legal[reply.index])
    return f"seat {ask.seat} chooses action {reply.index} of 0..{len(ask.legal) - 1}: {what}"


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"  {line}" for line in lines)
