"""`referee tune`: find better values for the parameters of a bot, and compare them with the present ones."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.bot_arguments import BOT_HELP, SandboxChoice, confinement_for, named_bots
from referee.cli.console import AsJson, fail, remark, say
from referee.cli.play import GameOptions, MoveMs, StartMs
from referee.core.errors import Exit
from referee.files.manifest import MANIFEST
from referee.match.terms import Clock
from referee.runtime.local_bot import LocalBot
from tournaments.cli.compare import (
    MaxDeals,
    ReportFolder,
    Seats,
    check_played,
    conditions_of,
    play_comparison,
    question_of,
)
from tournaments.cli.comparison_report import ComparisonFinding, tell_finding
from tournaments.cli.early_exit import exit_on_failure, exit_on_stop
from tournaments.cli.report_formats import Section
from tournaments.cli.run import Workers
from tournaments.comparison.compare import compared, entries_of, league_of
from tournaments.comparison.stopping_rule import Judge
from tournaments.comparison.tuning import DEALS_A_STEP, Tuning
from tournaments.config.league_file import SQLITE
from tournaments.config.league_keys import MOST_DEALS
from tournaments.league.model import Remote
from tournaments.play.environment import LocalEnvironment
from tournaments.store.pinned_league import contents

_REMARKS = 10
"""So many times the course is remarked."""

_LEVELS = "▁▂▃▄▅▆▇█"
_WIDEST = 60
_NOTE = (
    "Each parameter in its range. The search chose these values, so only the comparison says whether they are better."
)


def tune(
    bot: Annotated[Path, typer.Argument(metavar="BOT", help="The folder of a bot whose bot.toml names parameters.")],
    game: Annotated[str, typer.Option(help="The name of a game. `referee games` lists them.")],
    option: GameOptions = None,
    seats: Seats = None,
    against: Annotated[
        list[str] | None, typer.Option(metavar="BOT", help=f"All versions play against BOT. {BOT_HELP}.")
    ] = None,
    deals: Annotated[int, typer.Option(min=100, max=MOST_DEALS, help="How many deals the search plays.")] = 2000,
    gain: Annotated[float, typer.Option(min=0.01, max=100, help="How far the search goes in a step.")] = 2.0,
    max_deals: MaxDeals = 2000,
    seed: Annotated[str, typer.Option(help="Any text. The same seed gives the same deals.")] = "tune",
    move_ms: MoveMs = 10_000,
    start_ms: StartMs = 10_000,
    sandbox: SandboxChoice = None,
    workers: Workers = None,
    report: ReportFolder = None,
    json: AsJson = False,
) -> None:
    """Find better values for a bot's parameters, and compare them with the present ones on fresh deals."""
    conditions = conditions_of(game, option, seats, None, Clock(move_ms=move_ms, start_ms=start_ms))
    bots = named_bots([str(bot), str(bot), *(against or [])], None, None)
    check_played(bots, conditions)
    tuned = bots[0]
    if not isinstance(tuned, LocalBot) or not tuned.manifest.parameters:
        fail(Exit.WRONG_USE, f"{bot / MANIFEST}: has no [parameters]; say there what can be tuned")
    entries = entries_of(bots, Remote())
    league = league_of(conditions, confinement_for(bots, sandbox).name, entries, seed, max_deals)
    tuning = Tuning(compared(league, contents(league)), tuned.manifest.parameters, deals, gain)
    folder = Path(f"tune-{tuned.manifest.name}-{tuning.name}")
    folder.mkdir(exist_ok=True)  # each step has a lock beside the store
    url = f"{SQLITE}{folder / 'store.sqlite'}"
    machine = LocalEnvironment(workers, tell=remark)
    go_on = f"what was played is kept in {folder}. Go on with the same command"
    with exit_on_stop(go_on), exit_on_failure(go_on):
        for played in tuning.play(url, machine):
            if played * _REMARKS // deals > (played - DEALS_A_STEP) * _REMARKS // deals:
                remark(f"{played} of {deals} deals: {', '.join(_courses(tuning))}")
    start, end = tuning.course[0], tuning.course[-1]
    if not json:
        for line in _courses(tuning):
            say(line)
    if tuning.values(start) == tuning.values(end):
        fail(Exit.DOES_NOT_HOLD, "no value has moved by a step; give a larger --gain, or more --deals")
    judge = Judge(0.05, question_of(None, None))
    comparison = tuning.compared(end, start, "end", max_deals)
    with play_comparison(comparison, url, machine, judge, "the same command") as comparing:
        search = Section("The search", (), (_NOTE,), drawing=tuple(_courses(tuning)))
        found = {"old_values": tuning.values(start), "new_values": tuning.values(end), "course": tuning.course}
        tell_finding(ComparisonFinding(comparing.piece({}), judge), search, json=json, report=report, **found)


def _courses(tuning: Tuning) -> Iterator[str]:
    """For each parameter: its first and its present value, how far it has come in its range, and a picture of that."""
    new_values = tuning.values(tuning.course[-1])
    for (name, old), places in zip(
        tuning.values(tuning.course[0]).items(), zip(*tuning.course, strict=True), strict=True
    ):
        sample = places[:: len(places) // _WIDEST + 1]
        picture = "".join(_LEVELS[min(int(place * len(_LEVELS)), len(_LEVELS) - 1)] for place in sample)
        yield f"{name}: {old} -> {new_values[name]} ({100 * (places[-1] - places[0]):+.0f} %) {picture}"
