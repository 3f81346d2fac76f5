"""A match told to people, step by step."""

from typing import Any

from referee.core.game import AnyGame
from referee.core.outcome import Outcome
from referee.match.conversation import Chosen, Failed, Reply
from referee.match.match import Ask, Close, Match, Request
from referee.match.transcript import Header, Transcript


class Narrator:
    """Tells a match while it goes on. It hides nothing: for onlookers, not for bots."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self._told = 0

    def before(self, match: Match, request: Request, reply: Reply | None) -> str:
        """What happened since the last call, and what was asked and answered now, before the match moves on."""
        parts = [self.news(match)]
        if isinstance(request, Ask):
            parts.append("")
            parts.append(self._game.describe_view(request.view))
        if isinstance(request, Ask) and isinstance(reply, Chosen):
            parts.append(f"> seat {request.seat}: {self._game.describe_action(request.legal[reply.index])}")
        elif isinstance(reply, Failed) and not isinstance(request, Close):  # what comes after the end is told there
            parts.append(f"> seat {request.seat} fails ({reply.kind}): {reply.text}")
        return "\n".join(part for part in parts if part is not None)

    def news(self, match: Match) -> str | None:
        """The events since the last call; None if there were none."""
        new: list[Any] = match.events[self._told :]
        self._told = len(match.events)
        return "\n".join(f"  {self._game.describe(event)}" for event in new) or None


def tell_opening(header: Header) -> str:
    """Who plays what."""
    options = ", ".join(f"{name} {tell_option(value)}" for name, value in sorted(header.options.items()))
    seats = "\n".join(f"seat {seat}: {entry}" for seat, entry in enumerate(header.entries))
    return f"{header.game} ({options})\n{seats}"


def tell_option(value: object) -> str:
    """The value of an option as a person would write it on the command line or in a league file.

    None is what stands where nothing is written: whatever is usual in the game.
    """
    if value is None:
        return "usual"
    return str(value).lower() if isinstance(value, bool) else str(value)


def tell_end(transcript: Transcript) -> str:
    """How it ended, who came where, what was said about the seats' conduct, and the digest."""
    parts = [_tell_outcome(transcript.record.header, transcript.record.outcome), tell_remarks(transcript)]
    return "\n".join([*filter(None, parts), f"digest: {transcript.digest}"])


def _tell_outcome(header: Header, outcome: Outcome) -> str:
    """How it ended, and who came where; of one side alone, whether it won."""
    if len(outcome.sides) == 1:
        return _tell_together(header, outcome)
    order = sorted(range(len(header.entries)), key=lambda seat: outcome.places[seat])
    lines = [f"{outcome.places[seat]}. {header.entries[seat]} (seat {seat})" for seat in order]
    return "\n".join([f"ending: {outcome.ending}", *lines])


def _tell_together(header: Header, outcome: Outcome) -> str:
    score = f", score {outcome.scores[0]}" if outcome.scores else ""
    seats = [f"{entry} (seat {seat})" for seat, entry in enumerate(header.entries)]
    return "\n".join(
        [f"ending: {outcome.ending}", f"{'won' if outcome.places[0] == 1 else 'lost'} together{score}", *seats]
    )


def tell_remarks(transcript: Transcript) -> str:
    """What was said about the seats' conduct; empty if nothing was."""
    lines = []
    for remark in transcript.aside.remarks:
        entry = transcript.record.header.entries[remark.seat]
        lines.append(f"{entry} (seat {remark.seat}): {remark.text}")
        lines += [f"    | {line}" for line in remark.stderr.splitlines()]
    return "\n".join(lines)
