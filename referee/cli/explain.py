"""`referee explain`: the moves that decided a match, in words."""

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from referee.cli.bot_arguments import CaFile, TokenFile
from referee.cli.console import AsJson, fail, print_json, say
from referee.cli.transcripts import File, Served, transcript_of
from referee.core.errors import Exit
from referee.core.game import AnyGame, Outlook
from referee.core.outcome import Seat
from referee.match.narrator import tell_opening, tell_outcome
from referee.match.replay import Difference, blame_game
from referee.match.transcript import Draw, Header, Transcript
from referee.match.turning_points import Swing, swings, turning_points
from referee.wire.registry import game_entry

_OTHERS_TOLD = 8


def explain(
    file: File,
    url: Served = None,
    count: Annotated[int, typer.Option(min=1, help="How many turning points to tell.")] = 3,
    ca: CaFile = None,
    token_file: TokenFile = None,
    json: AsJson = False,
) -> None:
    """Show the moves that changed most how likely each seat was to win: what it chose, and what else was legal."""
    transcript = transcript_of(file, url, ca, token_file)
    game = game_entry(transcript.record.header.game).game
    if not isinstance(game, Outlook):
        fail(Exit.WRONG_USE, f"{game.name} does not say how well the seats stand, so it has no turning points")
    try:
        found = turning_points(swings(game, transcript), count)
    except Difference as difference:
        fail(Exit.DOES_NOT_HOLD, f"{file}: {difference}")
    with blame_game(transcript.record):
        told = [_swing_as_json(game, transcript.record.header, swing) for swing in found]
    if json:
        print_json(told)
    else:
        say("\n".join(_story(transcript, told)))


def _swing_as_json(game: AnyGame, header: Header, swing: Swing) -> dict[str, Any]:
    cause = swing.move.cause
    return {
        "move": swing.number,
        "decision": swing.decision,
        "luck": cause.label if isinstance(cause, Draw) else None,
        "choices": [] if isinstance(cause, Draw) else [_choice(game, header, swing, *each) for each in cause.items()],
        "seat": swing.seat,
        "entry": header.entries[swing.seat],
        "before": swing.before,
        "after": swing.after,
    }


def _choice(game: AnyGame, header: Header, swing: Swing, seat: Seat, action: Any) -> dict[str, Any]:
    """What a seat chose, and what else it could have chosen."""
    others = [other for other in game.legal(swing.move.before, seat) if other != action]
    return {
        "seat": seat,
        "entry": header.entries[seat],
        "chose": game.describe_action(action),
        "others": [game.describe_action(other) for other in others],
    }


def _story(transcript: Transcript, told: list[dict[str, Any]]) -> Iterator[str]:
    yield tell_opening(transcript.record.header, transcript.terms)
    yield tell_outcome(transcript.record.header, transcript.record.outcome)
    for number, swing in enumerate(told, start=1):
        seat = swing["seat"]
        before, after = swing["before"][seat], swing["after"][seat]
        what = f"decision {swing['decision']}" if swing["decision"] else f"luck ({swing['luck']})"
        yield ""
        yield f"{number}. {what}: {swing['entry']} (seat {seat}) stood at {before:.2f}, then at {after:.2f}"
        for choice in swing["choices"]:
            yield f"   {choice['entry']} (seat {choice['seat']}) chose: {choice['chose']}"
            yield from _others(choice["others"])


def _others(others: list[str]) -> Iterator[str]:
    if others:
        yield "   It could also have chosen:"
    for other in others[:_OTHERS_TOLD]:
        yield f"     {other}"
    if len(others) > _OTHERS_TOLD:
        yield f"     and {len(others) - _OTHERS_TOLD} more"
