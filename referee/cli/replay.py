"""`referee replay`."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
import typer
import uvloop

from referee.cli.bot_arguments import BOT_HELP, CaFile, TokenFile, named_bots
from referee.cli.console import AsJson, fail, print_json, say
from referee.cli.drawing import draw
from referee.cli.transcripts import File, Served, transcript_of
from referee.core.errors import Exit
from referee.core.game import AnyGame
from referee.core.outcome import Seat
from referee.match.conversation import Chosen, Failed, Reply, SeatQuestion
from referee.match.match import Ask, Close, Match, Open
from referee.match.narrator import TextNarrator, tell_clock, tell_end
from referee.match.replay import Difference, Replay, Step
from referee.match.terms import LONGEST_MS
from referee.match.transcript import Transcript
from referee.runtime.confinement import confinement
from referee.runtime.host import Bot, HostSettings, run_to_end
from referee.runtime.process_sessions import temporary_folder
from referee.runtime.seat import SeatedBot
from referee.wire.codec import GameEntry
from referee.wire.dialects import DIALECTS
from referee.wire.messages import encode
from referee.wire.registry import game_entry

Form: TypeAlias = Literal["text", "lines", "flat"]
"""How the messages to a seat are written: in words, or exactly as a bot gets them that reads lines."""


def replay(
    file: File,
    url: Served = None,
    seat: Annotated[int | None, typer.Option(min=0, help="Show only what the referee sent to this seat.")] = None,
    form: Annotated[
        Form, typer.Option("--as", help="How the messages to --seat are written: text, or as a line bot gets them.")
    ] = "text",
    since: Annotated[int, typer.Option(min=1, metavar="N", help="Leave out the decisions of --seat before this.")] = 1,
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
    ca: CaFile = None,
    token_file: TokenFile = None,
    json: AsJson = False,
) -> None:
    """Show a recorded match, whole or as one seat saw it: in words, as a page or as a picture."""
    drawn, of_a_seat = html is not None or svg is not None, form != "text" or since > 1 or to is not None
    if step is not None and svg is None:
        fail(Exit.WRONG_USE, "--step names the step of a picture; give --svg OUT, too")
    if of_a_seat and seat is None:
        fail(Exit.WRONG_USE, "--as, --since and --to are about the messages to one seat; give --seat N, too")
    if json + drawn + (form != "text") + (to is not None) > 1:
        fail(Exit.WRONG_USE, "ask for one of these: --json, --as, --to, or files with --html and --svg")
    transcript = transcript_of(file, url, ca, token_file)
    entry, seats = game_entry(transcript.record.header.game), len(transcript.record.header.entries)
    if seat is not None and seat >= seats:
        fail(Exit.WRONG_USE, f"there is no seat {seat}; this match has seats 0 to {seats - 1}")
    try:
        if drawn:
            draw(entry.game, transcript, seat, html, svg, step)
        elif seat is None:
            _tell(entry, transcript, json=json)
        elif to is not None:
            (bot,) = named_bots([to], ca, token_file)
            uvloop.run(_ask(bot, _Seat(entry, transcript, seat, since)))
        else:
            _tell_seat(_Seat(entry, transcript, seat, since), form, json=json)
    except Difference as difference:
        fail(Exit.DOES_NOT_HOLD, f"{file}: {difference}")


class _Seat:
    """What one seat was sent in a recorded match."""

    def __init__(self, entry: GameEntry, transcript: Transcript, seat: Seat, since: int) -> None:
        self.entry = entry
        self.walk = Replay(entry.game, transcript)
        self._seat = seat
        self._since = since

    def steps(self) -> Iterator[Step]:
        """The messages to the seat, without the decisions before the first one that is wanted."""
        for step in self.walk.steps():
            request = step.request
            if request.seat == self._seat and (not isinstance(request, Ask) or request.number >= self._since):
                yield step


def _tell(entry: GameEntry, transcript: Transcript, *, json: bool) -> None:
    walk = Replay(entry.game, transcript)
    if json:
        print_json([_step_as_json(entry, walk.match, step) for step in walk.steps()])
        return
    narrator = TextNarrator(entry.game, say)
    for step in walk.steps():
        narrator(walk.match, step.request, step.reply)
    say(tell_end(transcript))


def _tell_seat(seat: _Seat, form: Form, *, json: bool) -> None:
    entry, match = seat.entry, seat.walk.match
    if json:
        print_json([_step_as_json(entry, match, step) for step in seat.steps()])
    elif form == "text":
        for step in seat.steps():
            say(_as_text(entry, match, step))
    else:
        for step in seat.steps():
            sys.stdout.buffer.write(DIALECTS[form].encode(entry.codec, match, step.request))
            sys.stdout.buffer.flush()


async def _ask(bot: Bot, seat: _Seat) -> None:
    """Send a bot the messages to a seat, and tell where it answers otherwise. It may take as long as it likes.

    Raises:
        Void: it could not be started, for reasons that are not the bot's.
        Unreachable: it is a remote bot and does not answer.
    """
    differ = 0
    with temporary_folder() as run_dir:
        seated = SeatedBot(bot, HostSettings(run_dir, confinement("none"), LONGEST_MS, pondering=True))
        try:
            for step in seat.steps():
                reply = await _reply(seated, bot.dialect.encode(seat.entry.codec, seat.walk.match, step.request), step)
                if isinstance(reply, Failed):
                    fail(Exit.DOES_NOT_HOLD, f"{_where(step)}: {reply.kind}: {reply.text}", *reply.stderr.splitlines())
                if isinstance(reply, Chosen) and reply.index != _recorded_index(step):
                    differ += 1
                    say(f"{_where(step)}: {_what_differs(seat.entry.game, step, reply)}")
        finally:
            await run_to_end(seated.stop())
    if differ:
        raise typer.Exit(Exit.DOES_NOT_HOLD)
    say("the same answers as in the record")


async def _reply(seated: SeatedBot, message: bytes, step: Step) -> Reply | None:
    if isinstance(step.request, Open):
        return await seated.open(message)
    if isinstance(step.request, Close):
        return await seated.tell(message)
    question = SeatQuestion(step.request.number, len(step.request.legal))
    reply, _ = await seated.ask(question, message, LONGEST_MS)
    return reply


def _recorded_index(step: Step) -> int | None:
    return step.reply.index if isinstance(step.reply, Chosen) else None


def _where(step: Step) -> str:
    return f"decision {step.request.number}" if isinstance(step.request, Ask) else type(step.request).__name__


def _what_differs(game: AnyGame, step: Step, reply: Chosen) -> str:
    assert isinstance(step.request, Ask)  # noqa: S101 - nothing else has a choice for its answer
    was, now = _recorded_index(step), game.describe_action(step.request.legal[reply.index])
    return f"recorded {'no legal answer' if was is None else game.describe_action(step.request.legal[was])}, now {now}"


def _step_as_json(entry: GameEntry, match: Match, step: Step) -> dict[str, Any]:
    """A message: its parts as plain values, and the exact bytes that were sent."""
    request = step.request
    return {
        "message": {Open: "MatchStart", Ask: "Decision", Close: "MatchEnd"}[type(request)],
        **msgspec.to_builtins(request),
        "answer": _recorded_index(step),
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
