"""`referee replay`, and the pages and pictures of a match."""

import sys
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
import typer
import uvloop

from referee.cli.bot_arguments import BOT_HELP, named_bots
from referee.cli.console import AsJson, fail, print_json, say
from referee.cli.transcripts import File
from referee.core.errors import Exit
from referee.core.game import AnyGame
from referee.core.outcome import Seat
from referee.drawing.page.html import page_of_all, page_of_seat
from referee.drawing.playback import Playback, watch
from referee.drawing.registry import drawer
from referee.drawing.steps import drawn_steps, still
from referee.files.transcripts import read_transcript
from referee.files.write_file import write
from referee.match.conversation import Chosen
from referee.match.match import Ask, Close, Match, Open
from referee.match.narrator import TextNarrator, tell_clock, tell_end
from referee.match.replay import Difference, Replay, Step, blame_game
from referee.match.terms import LONGEST_MS, Clock
from referee.match.transcript import Transcript
from referee.runtime.confinement import confinement
from referee.runtime.substitution import play_substituted
from referee.wire.codec import GameEntry
from referee.wire.dialects import DIALECTS
from referee.wire.messages import encode
from referee.wire.registry import game_entry

_NO_LIMITS = Clock(move_ms=LONGEST_MS, start_ms=LONGEST_MS)
"""For a bot in a debugger."""

Form: TypeAlias = Literal["text", "lines", "flat"]


def replay(
    file: File,
    seat: Annotated[int | None, typer.Option(min=0, help="Show only what the referee sent to this seat.")] = None,
    form: Annotated[
        Form, typer.Option("--as", help="How the messages to --seat are written: text, or as a line bot gets them.")
    ] = "text",
    since: Annotated[
        int, typer.Option("--from", min=1, metavar="N", help="Leave out the decisions of --seat before this.")
    ] = 1,
    to: Annotated[
        str | None, typer.Option("--to", metavar="BOT", help=f"Ask this bot what --seat was asked. {BOT_HELP}.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="OUT", help="Write a page to OUT that steps through the match, in one file.")
    ] = None,
    svg: Annotated[Path | None, typer.Option(metavar="OUT", help="Write the picture of one step to OUT.")] = None,
    step: Annotated[
        int | None, typer.Option(help="The step that --svg draws, as the page counts them. Default: the last.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Show a recorded match, whole or as one seat saw it: in words, as a page or as a picture."""
    drawn, of_a_seat = html is not None or svg is not None, form != "text" or since > 1 or to is not None
    refusals = {
        "--step names the step of a picture; give --svg OUT, too": step is not None and svg is None,
        "--as, --from and --to are about the messages to one seat; give --seat N, too": of_a_seat and seat is None,
        "--to sends a bot all messages, so that it knows the match; leave out --from": since > 1 and to is not None,
        "ask for one of these: --json, --as, --to, or files with --html and --svg": (
            json + drawn + (form != "text") + (to is not None) > 1
        ),
    }
    for refusal in [sentence for sentence, wrong in refusals.items() if wrong]:
        fail(Exit.WRONG_USE, refusal)
    transcript, _ = read_transcript(file)
    entry, seats = game_entry(transcript.record.header.game), len(transcript.record.header.entries)
    if seat is not None and seat >= seats:
        fail(Exit.WRONG_USE, f"there is no seat {seat}; this match has seats 0 to {seats - 1}")
    try:
        if drawn:
            draw(entry.game, transcript, seat, html, svg, step)
        elif to is not None and seat is not None:
            (bot,) = named_bots([to])
            course = uvloop.run(
                play_substituted(entry, transcript, {seat: bot}, confinement("none"), _NO_LIMITS, standing_in=[seat])
            )
            say("\n".join(course.ignored) or "the same answers as in the record")
            if course.ignored:
                raise typer.Exit(Exit.DOES_NOT_HOLD)
        else:
            _tell(entry, transcript, seat, since, form, json=json)
    except Difference as difference:
        fail(Exit.DOES_NOT_HOLD, f"{file}: {difference}")


def _tell(entry: GameEntry, transcript: Transcript, seat: Seat | None, since: int, form: Form, *, json: bool) -> None:
    walk = Replay(entry.game, transcript)
    steps = (
        step
        for step in walk.steps()
        if seat in (None, step.request.seat) and (not isinstance(step.request, Ask) or step.request.number >= since)
    )
    if json:
        print_json([_step_as_json(entry, walk.match, step) for step in steps])
    elif seat is None:
        narrator = TextNarrator(entry.game, say)
        for step in steps:
            narrator(walk.match, step.request, step.reply)
        say(tell_end(transcript))
    else:
        for step in steps:
            if form == "text":
                with blame_game(transcript.record):
                    text = _as_text(entry, walk.match, step)
                say(text)
            else:
                sys.stdout.buffer.write(DIALECTS[form].encode(entry.codec, walk.match, step.request))
                sys.stdout.buffer.flush()


def _step_as_json(entry: GameEntry, match: Match, step: Step) -> dict[str, Any]:
    """A message: its parts as plain values, and the exact bytes that were sent."""
    request = step.request
    return {
        "message": {Open: "MatchStart", Ask: "Decision", Close: "MatchEnd"}[type(request)],
        **msgspec.to_builtins(request),
        "answer": step.reply.index if isinstance(step.reply, Chosen) else None,
        "bytes": encode(entry.codec, match, request).hex(),
    }


def _as_text(entry: GameEntry, match: Match, step: Step) -> str:
    request, game = step.request, entry.game
    if isinstance(request, Open):
        own = match.terms[request.seat].clock
        return f"MatchStart ({tell_clock(own)})" if own else "MatchStart"
    event_lines = [f"  heard: {game.describe(event)}" for event in request.events]
    if isinstance(request, Close):
        return "\n".join([f"MatchEnd ({request.outcome.ending}), places {request.outcome.places}", *event_lines])
    legal = [f"  {index}: {game.describe_action(action)}" for index, action in enumerate(request.legal)]
    answer = f"  answered: {step.reply.index}" if isinstance(step.reply, Chosen) else "  no legal answer"
    head = f"Decision {request.number} ({request.time_left_ms} ms)"
    return "\n".join([head, *event_lines, game.describe_view(request.view), *legal, answer])


def write_page(html: Path, game: AnyGame, transcript: Transcript) -> None:
    """Write the page of a match for everyone.

    Raises:
        FileProblems: the file cannot be written.
    """
    _write_page(html, watch(game, transcript), None)


def draw(
    game: AnyGame, transcript: Transcript, seat: Seat | None, html: Path | None, svg: Path | None, step: int | None
) -> None:
    """Write the page of a match to `html` and the picture of a step to `svg`, as everyone sees them or one seat.

    Raises:
        Difference: the match does not follow from its record by the rules.
        FileProblems: a file cannot be written.
    """
    watched = watch(game, transcript)
    if svg is not None:
        write(svg, "picture", _still(watched, seat, step).encode())
    if html is not None:
        _write_page(html, watched, seat)


def _write_page(html: Path, watched: Playback, seat: Seat | None) -> None:
    of_the_game = drawer(watched.game)
    page = page_of_all(watched, of_the_game) if seat is None else page_of_seat(watched, of_the_game, seat)
    write(html, "page", page.encode())


def _still(watched: Playback, seat: Seat | None, step: int | None) -> str:
    of_the_game = drawer(watched.game)
    with blame_game(watched.transcript.record):
        steps = tuple(drawn_steps(watched, of_the_game, seat))
    if step is not None and not 0 <= step < len(steps):
        fail(Exit.WRONG_USE, f"there is no step {step}; this match has steps 0 to {len(steps) - 1}")
    with blame_game(watched.transcript.record):
        return still(watched, of_the_game, steps[-1 if step is None else step])
