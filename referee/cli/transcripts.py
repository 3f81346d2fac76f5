"""The commands for transcripts of matches: `referee verify` and `referee explain`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from referee.cli.console import AsJson, fail, print_json, remark, say
from referee.core.errors import Exit, FileProblems, WrongUse
from referee.core.game import AnyGame, Outlook
from referee.core.outcome import Seat
from referee.core.text import one_line
from referee.files.transcripts import read_transcript
from referee.match.narrator import tell_opening, tell_outcome
from referee.match.replay import Difference, OtherRules, blame_game, check_digest
from referee.match.replay import verify as verify_match
from referee.match.transcript import Draw, Header, Transcript
from referee.match.turning_points import Swing, swings, turning_points
from referee.wire.registry import game_entry

File = Annotated[
    Path, typer.Argument(metavar="FILE", help="A transcript, as `play --out` or `league export` wrote it.")
]
Files = Annotated[
    list[Path], typer.Argument(metavar="FILE...", help="Transcripts, as `play --out` or `league export` wrote them.")
]


def verify(files: Files, json: AsJson = False) -> None:
    """Run the rules on recorded matches again and compare the results."""
    found = [_checked(file) for file in files]
    if json:
        print_json(found)
    else:
        for each in found:
            tell = remark if each.holds is None else say  # what could not be checked is no result
            tell(one_line(f"{each.file}: {each.difference or 'holds'}"))
    if any(each.holds is None for each in found):
        raise typer.Exit(Exit.WRONG_USE)
    if not all(each.holds for each in found):
        raise typer.Exit(Exit.DOES_NOT_HOLD)


class _Checked(msgspec.Struct):
    """A file to verify. If it could not be checked, `holds` is None and `difference` says why."""

    file: str
    holds: bool | None
    difference: str | None


def _checked(file: Path) -> _Checked:
    try:
        verified(file)
    except Difference as difference:
        return _Checked(str(file), None if isinstance(difference, OtherRules) else False, str(difference))
    except FileProblems as problems:
        return _Checked(str(file), None, str(problems).removeprefix(f"{file}: "))
    except WrongUse as error:
        return _Checked(str(file), None, str(error))
    return _Checked(str(file), True, None)


def verified(file: Path) -> Transcript:
    """The match in a file, which holds by the rules.

    Raises:
        FileProblems: the file is no transcript.
        Difference: it does not hold.
    """
    transcript, claimed = read_transcript(file)
    check_digest(transcript, claimed)
    verify_match(game_entry(transcript.record.header.game).game, transcript)
    return transcript


_OTHERS_TOLD = 8


def explain(
    file: File,
    count: Annotated[int, typer.Option(min=1, help="How many turning points to tell.")] = 3,
    json: AsJson = False,
) -> None:
    """Show the moves that changed most how likely each seat was to win: what it chose, and what else was legal."""
    transcript, _ = read_transcript(file)
    game = game_entry(transcript.record.header.game).game
    if not isinstance(game, Outlook):
        fail(Exit.WRONG_USE, f"{game.name} does not say how well the seats stand, so it has no turning points")
    try:
        every = swings(game, transcript)
    except Difference as difference:
        fail(Exit.DOES_NOT_HOLD, f"{file}: {difference}")
    with blame_game(transcript.record):
        found = turning_points(every, count)
        rows = [_swing_as_json(game, transcript.record.header, every[: swing.number]) for swing in found]
    if json:
        print_json(rows)
    else:
        say("\n".join(_story(transcript, rows)))


def _swing_as_json(game: AnyGame, header: Header, so_far: list[Swing]) -> dict[str, Any]:
    """The last of the moves so far."""
    swing = so_far[-1]
    cause = swing.move.cause
    return {
        "move": swing.number,
        "decision": swing.decision,
        "luck": cause.label if isinstance(cause, Draw) else None,
        "choices": [] if isinstance(cause, Draw) else [_choice(game, header, so_far, *each) for each in cause.items()],
        "seat": swing.seat,
        "entry": header.entries[swing.seat],
        "before": swing.before,
        "after": swing.after,
    }


def _choice(game: AnyGame, header: Header, so_far: list[Swing], seat: Seat, action: Any) -> dict[str, Any]:
    """What a seat chose at which of its decisions, and what else it could have chosen."""
    others = [other for other in game.legal(so_far[-1].move.before, seat) if other != action]
    turns = [isinstance(each.move.cause, dict) and seat in each.move.cause for each in so_far]
    return {
        "number": sum(turns),
        "seat": seat,
        "entry": header.entries[seat],
        "chose": game.describe_action(action),
        "others": [game.describe_action(other) for other in others],
    }


def _story(transcript: Transcript, rows: list[dict[str, Any]]) -> Iterator[str]:
    yield tell_opening(transcript.record.header, transcript.terms)
    yield tell_outcome(transcript.record.header, transcript.record.outcome)
    for number, swing in enumerate(rows, start=1):
        seat = swing["seat"]
        before, after = swing["before"][seat], swing["after"][seat]
        what = f"decision {swing['decision']}" if swing["decision"] else f"luck ({swing['luck']})"
        yield ""
        yield f"{number}. {what}: {swing['entry']} (seat {seat}) stood at {before:.2f}, then at {after:.2f}"
        for choice in swing["choices"]:
            yield f"   {choice['entry']} (seat {choice['seat']}), decision {choice['number']}, chose: {choice['chose']}"
            yield from _others(choice["others"])


def _others(others: list[str]) -> Iterator[str]:
    if others:
        yield "   It could also have chosen:"
    for other in others[:_OTHERS_TOLD]:
        yield f"     {other}"
    if len(others) > _OTHERS_TOLD:
        yield f"     and {len(others) - _OTHERS_TOLD} more"
