"""The story of a match for people, step by step."""

import shlex
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import msgspec

from referee.core.game import AnyGame
from referee.core.outcome import Outcome
from referee.core.text import one_line, several
from referee.match.conversation import Chosen, Failed, Reply
from referee.match.match import Ask, Close, Match, Request
from referee.match.terms import Clock, EntryTerms
from referee.match.transcript import Header, Note, Transcript


class Narrator(Protocol):
    """Watches a match during play, and describes it to people."""

    def __call__(self, match: Match, request: Request, reply: Reply | None, /) -> None:
        """Hear of a request and its reply, before the match moves on."""


class TextNarrator:
    """Tells a match in sentences. It hides nothing, so it is for onlookers, not for bots."""

    def __init__(
        self, game: AnyGame, say: Callable[[str], None], written: Callable[[Request], list[str]] = lambda _: []
    ) -> None:
        """`say` gets the parts of the story; `written` gives what a bot wrote for people until its reply."""
        self._game = game
        self._written = written
        self._say = say
        self._event_count: int | None = None

    def __call__(self, match: Match, request: Request, reply: Reply | None, /) -> None:
        """Tell what happened since the last call, then this request and its reply."""
        if self._event_count is None:
            self._say(tell_opening(match.header, match.terms))
        try:
            view = ["", self._game.describe_view(request.view)] if isinstance(request, Ask) else []
            parts = [*self._news(match), *view, *self._answered(request, reply)]
            parts += [f"  seat {request.seat} wrote: {line}" for line in self._written(request)]
        except BaseException as error:
            raise match.game_bug(error) from error
        if parts:
            self._say("\n".join(parts))

    def _news(self, match: Match) -> list[str]:
        new: list[Any] = match.events[self._event_count or 0 :]
        self._event_count = len(match.events)
        return [f"  {self._game.describe(event)}" for event in new]

    def _answered(self, request: Request, reply: Reply | None) -> list[str]:
        if isinstance(request, Ask) and isinstance(reply, Chosen):
            chosen = f"> seat {request.seat}: {self._game.describe_action(request.legal[reply.index])}"
            return [chosen, *_indented(tell_note(reply.note))]
        if isinstance(reply, Failed) and not isinstance(request, Close):  # `tell_end` tells faults after the end
            failed = f"> seat {request.seat} fails ({reply.kind}): {one_line(reply.text)}"
            return [failed, *_indented(tell_note(reply.note))]
        return []


def tell_note(note: Note | None) -> list[str]:
    """What a bot noted about its decision, line by line; nothing if there is no note."""
    if note is None:
        return []
    counts = [(note.tries, "try", "tries"), (note.tokens, "token", "tokens")]
    usage = ", ".join(several(*each) for each in counts if each[0])
    return [one_line(line) for line in (*note.text.splitlines(), *filter(None, (usage,)))]


def _indented(lines: list[str]) -> list[str]:
    return [f"  | {line}" for line in lines]


def tell_opening(header: Header, terms: Sequence[EntryTerms] = ()) -> str:
    """The game and the players. `terms` has the terms of their entries, by seat, if any has some."""
    options = ", ".join(f"{name} {tell_option(value)}" for name, value in sorted(header.options.items()))
    own = [tell_terms(each) for each in terms] or [""] * len(header.entries)
    seats = (f"seat {seat}: {entry}{own[seat]}" for seat, entry in enumerate(header.entries))
    return _lines(f"{header.game} ({options})", *seats)


def tell_terms(terms: EntryTerms) -> str:
    """The terms of a bot's entry, in parentheses after a blank; empty if it has none."""
    parts = [
        *([f"arguments {shlex.join(terms.arguments)}"] if terms.arguments else []),
        *(f"{name}={shlex.quote(value)}" for name, value in terms.environment.items()),
        *([tell_clock(terms.clock)] if terms.clock else []),
    ]
    return f" ({', '.join(parts)})" if parts else ""


def tell_clock(clock: Clock) -> str:
    """The limits of a clock, as they stand in a league file."""
    return ", ".join(f"{name} {value}" for name, value in msgspec.structs.asdict(clock).items())


def tell_option(value: object) -> str:
    """The value of an option as a person would write it on the command line or in a league file.

    None means that the game's usual value holds, and is written `usual`.
    """
    if value is None:
        return "usual"
    if isinstance(value, bool | list | tuple | dict):
        return msgspec.json.encode(value).decode()
    return str(value)


def tell_end(transcript: Transcript) -> str:
    """How the match ended, the places, the remarks on the seats' conduct, and the digest."""
    parts = [tell_outcome(transcript.record.header, transcript.record.outcome), tell_remarks(transcript)]
    return "\n".join([*filter(None, parts), f"digest: {transcript.digest}"])


def tell_outcome(header: Header, outcome: Outcome) -> str:
    """How the match ended, and the places; if all seats are one side, whether it won."""
    if len(outcome.sides) == 1:
        return _tell_together(header, outcome)
    order = sorted(range(len(header.entries)), key=lambda seat: outcome.places[seat])
    lines = [f"{outcome.places[seat]}. {header.entries[seat]} (seat {seat})" for seat in order]
    return _lines(f"ending: {outcome.ending}", *lines)


def _tell_together(header: Header, outcome: Outcome) -> str:
    score = f", score {outcome.scores[0]}" if outcome.scores else ""
    seats = [f"{entry} (seat {seat})" for seat, entry in enumerate(header.entries)]
    together = f"{'won' if outcome.places[0] == 1 else 'lost'} together{score}"
    return _lines(f"ending: {outcome.ending}", together, *seats)


def tell_remarks(transcript: Transcript) -> str:
    """The remarks on the seats' conduct; empty if there are none."""
    entries, lines = dict(enumerate(transcript.record.header.entries)), []
    for remark in transcript.metadata.remarks:
        lines.append(f"{entries.get(remark.seat, 'nobody')} (seat {remark.seat}): {remark.text}")
        lines += [f"    | {line}" for line in remark.stderr.splitlines()]
    return _lines(*lines)


def _lines(*lines: str) -> str:
    """The lines, one below the other. Quoted names and words of bots add no lines."""
    return "\n".join(map(one_line, lines))
