"""`referee check` and `referee check-game`: test a bot, or a game."""

from functools import partial
from typing import Annotated

import msgspec
import typer
import uvloop
from msgspec.structs import replace

from referee.check.game_check import MATCHES, check_game
from referee.check.matches import Setup
from referee.check.run_check import SIGNS, report_lines
from referee.check.run_check import check as try_bot
from referee.cli.bot_arguments import BOT_HELP, CaFile, SandboxChoice, TokenFile, confinement_for, named_bots
from referee.cli.bot_output import OutputFile, keep_file, keep_match
from referee.cli.console import AsJson, fail, print_json, remark, say
from referee.cli.play import GameOptions, MoveMs, StartMs, option_values
from referee.core.errors import Exit
from referee.core.text import one_line
from referee.files.options import read_options
from referee.match.terms import Clock
from referee.runtime.confinement import Confinement
from referee.runtime.host import Bot
from referee.wire.codec import GameEntry
from referee.wire.registry import game_entry, games


def check_rules(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of an installed game.")],
    matches: Annotated[
        int, typer.Option(min=1, max=100_000, help="How many matches to play with each variety and number of players.")
    ] = MATCHES,
    json: AsJson = False,
) -> None:
    """Test the rules of a game in random matches, point by point."""
    findings = check_game(partial(game_entry, name), matches)
    if json:
        print_json({"game": name, "findings": findings})
    else:
        say(f"{name}:")
        for finding in findings:
            say(f"  {SIGNS[finding.kept]}  {finding.point}: {one_line(finding.text)}")
        failing = {finding.point: finding.match for finding in findings if finding.match}
        if failing and (
            file := keep_file(f"{name}.check-game.json", msgspec.json.format(msgspec.json.encode(failing)))
        ):
            say(f"the smallest match that fails each of these points: {file}")
    if any(finding.kept is False for finding in findings):
        raise typer.Exit(Exit.DOES_NOT_HOLD)


def check(
    bot: Annotated[str, typer.Argument(metavar="BOT", help=f"{BOT_HELP}.")],
    game: Annotated[
        str | None, typer.Option(help="Test only this game. Default: every game that the bot plays.")
    ] = None,
    option: GameOptions = None,
    move_ms: MoveMs = 10_000,
    start_ms: StartMs = 10_000,
    sandbox: SandboxChoice = None,
    ca: CaFile = None,
    token_file: TokenFile = None,
    json: AsJson = False,
) -> None:
    """Let a bot play against itself and test its conduct, point by point."""
    (tried,) = named_bots([bot], ca, token_file)
    clock = Clock(move_ms=move_ms, start_ms=start_ms)
    output, confinement = OutputFile(tried, "check"), confinement_for([tried], sandbox)
    setups = _setups(tried, game, clock, option or [], confinement)
    setups = [replace(setup, stderr_listener=output.hear) for setup in setups]
    found = {setup.entry.game.name: uvloop.run(try_bot(setup)) for setup in setups}
    file = output.keep()
    if json:
        print_json({"bot": tried.entry, "games": found, "output": file and str(file)})
    else:
        say(f"{tried.entry}: {'bot.toml is in order' if tried.has_manifest else 'answers'}")
        for name, findings in found.items():
            say(f"{name}:")
            for line in report_lines(findings):
                say(line)
        if file is not None:
            say(f"what it wrote: {file}")
        for setup in [each for each in setups if each.failed]:
            keep_match(f"{tried.entry}.check.{setup.entry.game.name}", setup.failed[0])
    for sentence in output.hidden(confinement):
        remark(sentence)
    if any(finding.kept is False for findings in found.values() for finding in findings):
        if any(setup.kills for setup in setups):
            fail(Exit.OUR_FAILURE, f"{tried.entry}: a process was killed, by others or by itself, so check it again")
        raise typer.Exit(Exit.DOES_NOT_HOLD)


def _setups(bot: Bot, only: str | None, clock: Clock, raw_options: list[str], confinement: Confinement) -> list[Setup]:
    """One for each installed game that the bot plays with these options. If there is none, the command ends."""
    chosen = dict(games()) if only is None else {only: game_entry(only)}
    if raw_options and any(map(bot.plays, chosen)):
        chosen = {name: entry for name, entry in chosen.items() if bot.plays(name)}
    if raw_options and len(chosen) > 1:
        fail(Exit.WRONG_USE, f"say with --game which game the options are for: {', '.join(chosen)}")
    setups = [_setup(entry, bot, clock, raw_options, confinement) for entry in chosen.values()]
    refusals = {setup.entry.game.name: _refusal(setup) for setup in setups}
    if only is None and not any(map(bot.plays, chosen)):
        fail(
            Exit.WRONG_USE,
            f"{bot.entry} plays nothing that is installed:"
            f" it says {', '.join(bot.games)}; installed: {', '.join(chosen)}",
        )
    if all(refusals.values()):
        fail(Exit.WRONG_USE, *filter(None, refusals.values()))
    return [setup for setup in setups if not refusals[setup.entry.game.name]]


def _setup(entry: GameEntry, bot: Bot, clock: Clock, raw_options: list[str], confinement: Confinement) -> Setup:
    narrowed = bot.narrowed(entry.game.name)
    # Without --option, the options are the values in bot.toml. They may not go together.
    place = "--option " if raw_options else f"{bot.place}: options.{entry.game.name}."
    options = read_options(entry.game, narrowed | option_values(raw_options), place)
    return Setup(entry, options, bot, min(entry.game.seats(options)), clock, confinement)


def _refusal(setup: Setup) -> str | None:
    return setup.bot.refusal(setup.entry.game.name, msgspec.to_builtins(setup.options))
