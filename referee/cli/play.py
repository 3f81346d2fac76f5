"""`referee play`."""

import secrets
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
import uvloop
from msgspec.structs import replace

from referee.cli.bot_arguments import BOT_HELP, CaFile, SandboxChoice, TokenFile, confinement_for, named_bots
from referee.cli.bot_output import OutputFile
from referee.cli.console import AsJson, fail, print_json, remark, say
from referee.cli.replay import write_page
from referee.core.bot_limits import MAX_BATCH
from referee.core.errors import Exit
from referee.files.options import read_options
from referee.files.transcripts import write_transcript
from referee.files.write_file import check_writable
from referee.match.header import single
from referee.match.match import Ask, Request
from referee.match.narrator import TextNarrator, tell_end
from referee.match.terms import LONGEST_MS, Clock
from referee.match.transcript import DecisionNote, Header, Note, Transcript
from referee.runtime.batches import BatchFailed, play_at_once
from referee.runtime.confinement import Confinement
from referee.runtime.host import Bot
from referee.runtime.table import play_once
from referee.wire.codec import GameEntry
from referee.wire.registry import game_entry

GameOptions = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="An option of the game. May be given several times."),
]
MoveMs = Annotated[int, typer.Option(min=1, max=LONGEST_MS, help="The time limit for one decision, in milliseconds.")]
StartMs = Annotated[
    int,
    typer.Option(
        min=1,
        max=LONGEST_MS,
        help="The time limit to start, and then to be ready for a match, in milliseconds.",
    ),
]
Bots = Annotated[list[str], typer.Argument(metavar="BOT...", help=f"{BOT_HELP}. Give one for each seat.")]


def play(
    game: Annotated[str, typer.Argument(help="The name of a game. `referee games` lists them.")],
    bot: Bots,
    seed: Annotated[str | None, typer.Option(help="Any text. The same seed gives the same deal.")] = None,
    option: GameOptions = None,
    move_ms: MoveMs = 10_000,
    start_ms: StartMs = 10_000,
    sandbox: SandboxChoice = None,
    to: Annotated[Path | None, typer.Option("--out", help="Write the transcript to this file.")] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="OUT", help="Write a page to OUT that steps through the match, in one file.")
    ] = None,
    show: Annotated[bool, typer.Option("--show", help="Print the match decision by decision.")] = False,
    batch: Annotated[
        int | None,
        typer.Option(
            min=1, max=MAX_BATCH, metavar="N", help="Play N matches at once, with the seeds SEED-1 to SEED-N."
        ),
    ] = None,
    ca: CaFile = None,
    token_file: TokenFile = None,
    json: AsJson = False,
) -> None:
    """Play one match and say how it ended, or play several at once."""
    if batch is not None:
        _refuse_for_many({"--out": to, "--html": html, "--show": show})
    if to is not None:
        check_writable(to, "transcript")
    entry = game_entry(game)
    if html is not None:
        check_writable(html, "page")
    bots = named_bots(bot, ca, token_file)
    seed = secrets.token_hex(8) if seed is None else seed
    clock = Clock(move_ms=move_ms, start_ms=start_ms)
    if batch is not None:
        seeds = [f"{seed}-{number}" for number in range(1, batch + 1)]
        headers = {each: _header(entry, bots, option or [], each) for each in seeds}
        _play_many(entry, bots, headers, clock, confinement_for(bots, sandbox), json)
        return
    header = _header(entry, bots, option or [], seed)
    outputs, notes = [OutputFile(each, f"seat-{seat}") for seat, each in enumerate(bots)], list[DecisionNote]()
    tell = say if show and not json else lambda _: None
    narrator = TextNarrator(entry.game, tell, partial(_written, outputs, notes)) if show or html is not None else None
    confinement, listeners = confinement_for(bots, sandbox), [output.hear for output in outputs]
    transcript = uvloop.run(play_once(entry, bots, header, clock, confinement, narrator, listeners))
    files = [output.keep() for output in outputs]
    if json:
        print_json(summary(transcript, to) | {"output": [file and str(file) for file in files]})
    else:
        say("\n".join([tell_end(transcript), *(f"what it wrote: {file}" for file in files if file)]))
    for sentence in sorted({each for output in outputs for each in output.hidden(confinement)}):
        remark(sentence)
    if to is not None:  # last, because even with a full disk the command must say how the match ended
        write_transcript(to, transcript)
    if html is not None:
        metadata = replace(transcript.metadata, notes=(*notes, *transcript.notes))  # the last of a decision is shown
        write_page(html, entry.game, replace(transcript, metadata=metadata))


def _written(outputs: Sequence[OutputFile], notes: list[DecisionNote], request: Request) -> list[str]:
    """What a bot wrote until its reply. That of a decision is also noted."""
    lines = outputs[request.seat].news()
    if lines and isinstance(request, Ask):
        notes.append(DecisionNote(request.seat, request.number, Note("\n".join(lines))))
    return lines


def _refuse_for_many(options: dict[str, object]) -> None:
    for name, value in options.items():
        if value:
            fail(Exit.WRONG_USE, f"{name} is for one match: leave it out, or leave out --batch")


def _play_many(
    entry: GameEntry, bots: list[Bot], headers: dict[str, Header], clock: Clock, confinement: Confinement, json: bool
) -> None:
    """Play matches at once, by their seeds, and say how each ended."""
    if remote := next((bot for bot in bots if not bot.is_ours_to_end), None):
        fail(Exit.WRONG_USE, f"{remote.entry} is a remote bot, which plays one match at a time: leave out --batch")

    def tell(broken: BatchFailed) -> None:
        who = "" if broken.seat is None else f" by {bots[broken.seat].entry} (seat {broken.seat})"
        remark(f"the batch was broken{who}: {broken}; its remaining matches are played one by one")

    played = uvloop.run(play_at_once(entry, bots, list(headers.values()), clock, confinement, tell))
    by_seed = dict(zip(headers, played, strict=True))
    if json:
        print_json({"matches": [{"seed": seed} | summary(transcript, None) for seed, transcript in by_seed.items()]})
        return
    for seed, transcript in by_seed.items():
        say(f"seed: {seed}\n{tell_end(transcript)}")


def summary(transcript: Transcript, path: Path | None) -> dict[str, Any]:
    """What `play --json` prints."""
    outcome = transcript.record.outcome
    return {
        "digest": transcript.digest,
        "ending": outcome.ending,
        "places": outcome.places,
        "faults": transcript.record.faults,
        "transcript": None if path is None else str(path),
    }


def _header(entry: GameEntry, bots: list[Bot], options: list[str], seed: str) -> Header:
    chosen = read_options(entry.game, option_values(options), "--option ")
    header = single(entry.game, chosen, tuple(bot.entry for bot in bots), seed)
    refusals = [refusal for each in bots if (refusal := each.refusal(header.game, header.options))]
    if refusals:
        fail(Exit.WRONG_USE, *refusals)
    return header


def option_values(options: list[str]) -> dict[str, object]:
    """By name, the values that were given as `--option NAME=VALUE`."""
    return dict(_pair(text) for text in options)


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        fail(Exit.WRONG_USE, f"--option {text}: write it as NAME=VALUE")
    return name, value
