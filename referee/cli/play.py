"""`referee play`."""

import secrets
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
import uvloop

from referee.cli.bots import BOT_HELP, CaFile, TokenFile, default_confinement, named_bots
from referee.cli.console import AsJson, fail, print_json, say
from referee.core import seeds
from referee.core.errors import Exit
from referee.files.options import read_options
from referee.match.clock import Clock
from referee.match.header import header as header_of
from referee.match.story import TextNarrator, tell_end
from referee.match.transcript import Header, Transcript, to_file
from referee.shell.host import Bot
from referee.shell.table import play_once
from referee.wire.codec import GameEntry
from referee.wire.registry import games

GameOptions = Annotated[
    list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="An option of the game; may be repeated.")
]
StartMs = Annotated[
    int, typer.Option(min=1, help="Until a bot must be up, and until it must be ready for a match, in milliseconds.")
]
Bots = Annotated[list[str], typer.Argument(metavar="BOT...", help=f"{BOT_HELP}; one for each seat.")]


def play(
    game: Annotated[str, typer.Argument(help="The name of a game; `referee games` lists them.")],
    bot: Bots,
    seed: Annotated[str | None, typer.Option(help="Any text; the same seed gives the same deal.")] = None,
    option: GameOptions = None,
    move_ms: Annotated[int, typer.Option(min=1, help="The limit of a single decision, in milliseconds.")] = 10_000,
    start_ms: StartMs = 10_000,
    to: Annotated[Path | None, typer.Option("--out", help="Write the transcript to this file.")] = None,
    show: Annotated[bool, typer.Option("--show", help="Tell the match decision by decision.")] = False,
    ca: CaFile = None,
    token_file: TokenFile = None,
    json: AsJson = False,
) -> None:
    """Play one match and say how it ended."""
    entry = game_entry(game)
    bots = named_bots(bot, ca, token_file)
    header = _header(entry, bots, option or [], secrets.token_hex(8) if seed is None else seed)
    narrator = TextNarrator(entry.game, say) if show and not json else None
    clock = Clock(move_ms=move_ms, start_ms=start_ms)
    transcript = uvloop.run(play_once(entry, bots, header, clock, default_confinement(), narrator))
    if to is not None:
        write_transcript(to, transcript)
    if json:
        print_json(summary(transcript, to))
        return
    say(tell_end(transcript))


def game_entry(name: str) -> GameEntry:
    """The installed game of that name; ends the command if there is none."""
    installed = games()
    if name not in installed:
        fail(Exit.WRONG_USE, f"there is no game {name!r}; installed: {', '.join(installed)}")
    return installed[name]


def write_transcript(path: Path, transcript: Transcript) -> None:
    """Write the file; ends the command if it cannot be written."""
    try:
        path.write_bytes(to_file(transcript))
    except OSError as error:
        fail(Exit.WRONG_USE, f"{path}: the transcript cannot be written: {error.strerror}")


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
    game = entry.game
    chosen = read_options(game, option_values(options), "--option ")
    fits = game.seats(chosen)
    if len(bots) not in fits:
        fail(Exit.WRONG_USE, f"{game.name} with these options takes {_either(fits)} bots, not {len(bots)}")
    settled = msgspec.to_builtins(chosen)
    refusals = [refusal for each in bots if (refusal := each.refusal(game.name, settled))]
    if refusals:
        fail(Exit.WRONG_USE, *refusals)
    names = tuple(bot.entry for bot in bots)
    fixture = f"{game.name}/play/{'+'.join(names)}/seed-{seed}"
    return header_of(
        game=game.name,
        rules_version=game.rules_version,
        options=settled,
        fixture=fixture,
        entries=names,
        root=seeds.from_text(seed),
        deal=0,
    )


def option_values(options: list[str]) -> dict[str, object]:
    """What `--option NAME=VALUE` says, by name."""
    return dict(_pair(text) for text in options)


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        fail(Exit.WRONG_USE, f"--option {text}: write it as NAME=VALUE")
    return name, value


def _either(numbers: tuple[int, ...]) -> str:
    return " or ".join(map(str, numbers))
