"""A match as plain text that hides nothing: what every seat saw and heard beside what really happened."""

from collections.abc import Iterator
from typing import Any

from referee.core.game import AnyGame
from referee.match.conversation import Chosen, Failed, Reply
from referee.match.match import Ask, Close, Match, Request
from referee.match.story import tell_end, tell_opening
from referee.match.transcript import Transcript


class Teller:
    """Follows one match from its first request on."""

    def __init__(self, game: AnyGame, match: Match, how: str) -> None:
        """`how` is said at the top: how to play this match again."""
        self._game = game
        self._match = match
        self._lines = [tell_opening(match.header), f"rules version {match.header.rules_version}; {how}"]
        self._drawn = 0
        self._happened = 0

    def before(self, request: Request, reply: Reply | None) -> None:
        """Tell what is asked, and the answer; to be called before the match moves on."""
        self.after()
        if isinstance(request, Ask):
            self._lines += self._asked(request)
        if isinstance(request, Close):
            self._lines += ["", f"== the end, as seat {request.seat} is told"]
            self._lines += self._heard(request.seat, request.heard)
        if isinstance(reply, Failed):
            self._lines += [f"seat {request.seat} fails ({reply.kind}): {reply.text}"]
        elif isinstance(request, Ask) and isinstance(reply, Chosen):
            self._lines += [_chosen(self._game, request, reply)]

    def after(self) -> None:
        """Tell what was drawn and what happened since the last call."""
        luck = self._match.luck[self._drawn :]
        events = self._match.events[self._happened :]
        self._drawn, self._happened = len(self._match.luck), len(self._match.events)
        if luck or events:
            self._lines += ["", "what happens:"]
        for draw in luck:
            self._lines += [f"  luck {draw.label}: {' '.join(map(str, draw.drawn))}"]
        self._lines += [f"  {self._game.describe(event)}" for event in events]

    def text(self, transcript: Transcript) -> str:
        """The whole, once the match is over."""
        return "\n".join([*self._lines, "", "== the result", tell_end(transcript), ""])

    def _asked(self, ask: Ask) -> Iterator[str]:
        yield ""
        yield f"== decision {ask.number} of seat {ask.seat}"
        yield from self._heard(ask.seat, ask.heard)
        first: dict[str, int] = {}
        for seat in range(len(self._match.header.entries)):
            view = ask.view if seat == ask.seat else self._game.view(self._match.state, seat)
            words = self._game.describe_view(view)
            if words in first:
                yield f"seat {seat} sees what seat {first[words]} sees"
                continue
            first[words] = seat
            yield f"seat {seat} sees:"
            yield from _indented(words)

    def _heard(self, seat: int, heard: tuple[Any, ...]) -> Iterator[str]:
        yield f"seat {seat} has heard:"
        for event in heard:
            yield from _indented(self._game.describe(event))
        if not heard:
            yield "  nothing new"


def _chosen(game: AnyGame, ask: Ask, reply: Chosen) -> str:
    what = game.describe_action(ask.legal[reply.index])
    return f"seat {ask.seat} chooses action {reply.index} of 0..{len(ask.legal) - 1}: {what}"


def _indented(text: str) -> Iterator[str]:
    return (f"  {line}" for line in text.splitlines())
