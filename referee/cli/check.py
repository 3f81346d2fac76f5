"""`referee check`."""

from pathlib import Path
from typing import Annotated

import typer
import uvloop

from referee.cli.console import AsJson, Exit, fail, out, print_json
from referee.cli.play import GameOptions, chosen_options
from referee.match.clock import Clock
from referee.shell.bot import Bot, read_bot
from referee.shell.conduct import Point, Trial
from referee.shell.conduct import check as try_bot
from referee.wire.codec import GameEntry
from referee.wire.registry import games

_SIGNS = {True: "ok  ", False: "FAIL", None: "?   "}


def check(
    bot: Annotated[Path, typer.Argument(metavar="BOT", help="A bot's folder.")],
    game: Annotated[str | None, typer.Option(help="Only this game; default: all that the bot plays.")] = None,
    option: GameOptions = None,
    move_ms: Annotated[int, typer.Option(min=1, help="The limit of a single decision, in milliseconds.")] = 10_000,
    start_ms: Annotated[int, typer.Option(min=1, help="Until the bot must be up, in milliseconds.")] = 10_000,
    json: AsJson = False,
) -> None:
    """Let a bot play against itself and test its conduct, point by point."""
    tried = read_bot(bot)
    clock = Clock(move_ms=move_ms, start_ms=start_ms)
    found = {
        entry.game.name: uvloop.run(try_bot(_trial(entry, tried, clock, option or []))) for entry in _games(tried, game)
    }
    if json:
        print_json({"bot": tried.manifest.entry, "games": found})
    else:
        out.print(f"{tried.manifest.entry}: bot.toml is in order")
        for name, points in found.items():
            out.print(f"{name}:")
            for point in points:
                _print_point(point)
    if any(point.kept is False for points in found.values() for point in points):
        raise typer.Exit(Exit.DOES_NOT_HOLD)


def _games(bot: Bot, only: str | None) -> list[GameEntry]:
    playable = [entry for name, entry in games().items() if bot.manifest.plays(name) and only in (None, name)]
    if not playable:
        known = ", ".join(games())
        fail(Exit.WRONG_USE, f"{bot.manifest.entry} plays {', '.join(bot.manifest.games)}; installed: {known}")
    return playable


def _trial(entry: GameEntry, bot: Bot, clock: Clock, given: list[str]) -> Trial:
    options = chosen_options(entry.game, given)
    return Trial(entry, options, bot, min(entry.game.seats(options)), clock)


def _print_point(point: Point) -> None:
    out.print(f"  {_SIGNS[point.kept]}  {point.rule}: {point.text}", markup=False)
    for line in point.stderr.splitlines():
        out.print(f"        | {line}", markup=False)
