"""`referee tune`: find better values for the parameters of a bot, and compare them with the present ones."""

from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.bot_arguments import BOT_HELP, CaFile, SandboxChoice, TokenFile, confinement_for, named_bots
from referee.cli.console import AsJson, fail, remark, say
from referee.cli.play import GameOptions, MoveMs, StartMs
from referee.core.errors import Exit
from referee.files.manifest import MANIFEST
from referee.match.terms import USUAL, Clock
from referee.runtime.local_bot import LocalBot
from tournaments.cli.chart import chart
from tournaments.cli.compare import (
    Alpha,
    BetterBy,
    ExitCode,
    Margin,
    MaxDeals,
    ReportFolder,
    Seats,
    StoreUrl,
    absolute,
    check_played,
    conditions_of,
    play_comparison,
    question_of,
)
from tournaments.cli.comparison_report import ComparisonFinding, Ending, exit_code_of, tell_finding
from tournaments.cli.early_exit import exit_on_failure, exit_on_stop
from tournaments.cli.report_formats import Section
from tournaments.cli.run import Workers
from tournaments.comparison.compare import compared, entries_of, league_of
from tournaments.comparison.stopping_rule import Judge
from tournaments.comparison.tuning import STEPS_A_ROUND, Tuning, with_terms
from tournaments.config.league_file import SQLITE
from tournaments.config.league_keys import MOST_DEALS
from tournaments.league import league_seed
from tournaments.league.model import Remote
from tournaments.play.environment import LocalEnvironment
from tournaments.store import Store, whereabouts
from tournaments.store.pinned_league import contents

_REMARKS = 10
"""So many times the course is remarked."""

_LEVELS = "▁▂▃▄▅▆▇█"


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
    alpha: Alpha = 0.05,
    margin: Margin = None,
    better_by: BetterBy = None,
    seed: Annotated[str, typer.Option(help="Any text. The same seed gives the same deals.")] = "tune",
    move_ms: MoveMs = 10_000,
    start_ms: StartMs = 10_000,
    sandbox: SandboxChoice = None,
    workers: Workers = None,
    store: StoreUrl = None,
    report: ReportFolder = None,
    exit_code: ExitCode = False,
    ca: CaFile = None,
    token_file: TokenFile = None,
    json: AsJson = False,
) -> None:
    """Find better values for a bot's parameters, and compare them with the present ones on fresh deals."""
    judge = Judge(alpha, question_of(margin, better_by))
    conditions = conditions_of(game, option, seats, None, Clock(move_ms=move_ms, start_ms=start_ms))
    bots = named_bots([str(bot), str(bot), *(against or [])], ca, token_file)
    check_played(bots, conditions)
    tuned = bots[0]
    if not isinstance(tuned, LocalBot) or not tuned.manifest.parameters:
        fail(Exit.WRONG_USE, f"{bot / MANIFEST}: has no [parameters]; say there what can be tuned")
    entries = entries_of(bots, Remote(absolute(ca), absolute(token_file)))
    league = league_of(conditions, confinement_for(bots, sandbox).name, entries, seed, max_deals)
    base = compared(league, contents(league))
    tuning = Tuning(base, tuned.manifest.parameters, USUAL, deals, gain)
    folder = Path(f"tune-{tuned.manifest.name}-{tuning.name}")
    if store is None:
        folder.mkdir(exist_ok=True)  # each round has a lock beside the store
    url = store or f"{SQLITE}{folder / 'store.sqlite'}"
    machine = LocalEnvironment(workers, tell=remark)
    go_on = f"what was played is kept in {whereabouts(url)}. Go on with the same command"
    with Store(url, league.name):
        pass  # a store that cannot be opened keeps nothing
    with exit_on_stop(go_on), exit_on_failure(go_on):
        remarked = 0
        for played in tuning.rounds(url, machine):
            if played * _REMARKS // deals > remarked:
                remarked = played * _REMARKS // deals
                remark(f"{played} of {deals} deals: {_described(tuning)}")
    start, end = tuning.course[0], tuning.course[-1]
    if not json:
        for name, course in _courses(tuning).items():
            say(f"{name}: {tuning.values(start)[name]} -> {tuning.values(end)[name]}  {_sparkline(course)}")
    if tuning.terms(start) == tuning.terms(end):
        fail(Exit.DOES_NOT_HOLD, "no value has moved by a step; give a larger --gain, or more --deals")
    again = with_terms(base, (tuning.terms(end), tuning.terms(start)), league_seed.from_given(f"{seed}/end").hex())
    comparison = compared(again, contents(again))
    with play_comparison(comparison, url, machine, judge, "the same command") as comparing:
        finding = ComparisonFinding(comparing.piece({}, version("referee")), judge, comparing.deals, comparing.left_out)
        found = {"old_values": tuning.values(start), "new_values": tuning.values(end), "course": tuning.course}
        tell_finding(finding, Ending(json, report, exit_code, False), _section(tuning), **found)
    if exit_code:
        raise typer.Exit(exit_code_of(judge, not_worse=False))


def _courses(tuning: Tuning) -> dict[str, list[float]]:
    """For each parameter, its places in its range."""
    names = tuning.values(tuning.course[0])
    return {name: [place[at] for place in tuning.course] for at, name in enumerate(names)}


def _described(tuning: Tuning) -> str:
    """The present values, and how far each has come in its range, in points of 100."""
    start, now = tuning.course[0], tuning.course[-1]
    drifts = [f"{100 * (after - before):+.0f} %" for before, after in zip(start, now, strict=True)]
    values = zip(tuning.values(now).items(), drifts, strict=True)
    return ", ".join(f"{name} {value} ({drift})" for (name, value), drift in values)


def _sparkline(course: list[float]) -> str:
    points = course[:: max(1, len(course) // 40)]
    return "".join(_LEVELS[min(int(place * len(_LEVELS)), len(_LEVELS) - 1)] for place in points)


def _section(tuning: Tuning) -> Section:
    lines = [
        (name, [(STEPS_A_ROUND * at, place) for at, place in enumerate(course)])
        for name, course in _courses(tuning).items()
    ]
    note = "Each parameter in its range, from 0 to 1. The search chose these values, so only the comparison says more."
    return Section("The search", (), (note,), picture=chart(lines, (0, 0.5, 1)))
