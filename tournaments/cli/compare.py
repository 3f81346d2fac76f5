"""`referee compare` and `referee league compare`: is the new version of a bot better than the old one?"""

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from referee.cli.bot_arguments import BOT_HELP, CaFile, SandboxChoice, TokenFile, confinement_for, named_bots
from referee.cli.bot_output import keep_match
from referee.cli.console import AsJson, fail, print_json, remark, say
from referee.cli.play import GameOptions, MoveMs, StartMs, option_values
from referee.core.errors import Exit
from referee.core.text import several
from referee.files.options import read_options
from referee.match.narrator import tell_remarks
from referee.match.terms import Clock
from referee.runtime.host import Bot
from referee.wire.registry import game_entry
from tournaments.cli.arguments import File, Url, opened
from tournaments.cli.early_exit import exit_on_failure, exit_on_stop
from tournaments.cli.progress import crowded, tell_progress
from tournaments.comparison.compare import (
    Comparison,
    Conditions,
    OpenComparison,
    compare_stored,
    compared,
    entries_of,
    league_of,
    open_comparison,
    table_of,
)
from tournaments.comparison.stopping_rule import ComparisonQuestion, ComparisonResult, Judge, OneSided, TwoSided
from tournaments.config.league_file import SQLITE
from tournaments.config.league_keys import MOST_DEALS
from tournaments.league.model import FinishedMatch, League, Remote, TableSpec
from tournaments.play.environment import LocalEnvironment
from tournaments.results.export_files import export as write_export
from tournaments.results.league_location import game_of, league_in
from tournaments.store import address_without_password, whereabouts

_MARGIN = 0.05

Alpha = Annotated[
    float,
    typer.Option(min=0.0001, max=0.5, help="The chance of a wrong verdict is at most this, however often you look."),
]
Margin = Annotated[
    float | None,
    typer.Option(
        min=0,
        max=0.49,
        help='"No difference" means: the new bot has 0.5 of the points, give or take this. Default: 0.05.',
    ),
]
BetterBy = Annotated[
    float | None,
    typer.Option(
        min=0.001,
        max=0.49,
        help="Only ask whether the new bot is better, or has less than 0.5 of the points plus this. Takes fewer deals.",
    ),
]

_VERDICTS = {
    "better": "better: {new} is better than {old}",
    "worse": "worse: {new} is worse than {old}",
    "no difference": "no difference: {new} and {old} differ by less than the margin",
    "not better by that much": "not better by that much: the lead of {new} over {old} is less than {lead:+.4g}",
    "undecided": "undecided: it is not known whether {new} is better than {old}; more deals may show it",
}


def compare(
    context: typer.Context,
    new: Annotated[str, typer.Argument(metavar="NEW", help=f"{BOT_HELP}; the new version.")],
    old: Annotated[str, typer.Argument(metavar="OLD", help="The old version.")],
    game: Annotated[str | None, typer.Option(help="The name of a game. `referee games` lists them.")] = None,
    option: GameOptions = None,
    seats: Annotated[int | None, typer.Option(min=1, help="How many players. Default: the fewest that fit.")] = None,
    league: Annotated[
        Path | None,
        typer.Option(metavar="LEAGUE.toml", help="Take game, table, clock, sandbox and limits from this league file."),
    ] = None,
    table: Annotated[str | None, typer.Option(help="The table of the league file. Default: its only one.")] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(metavar="BOT", help="Compare how the two do with or against BOT. May be given several times."),
    ] = None,
    max_deals: Annotated[int, typer.Option(min=1, max=MOST_DEALS, help="Stop undecided after this many deals.")] = 2000,
    alpha: Alpha = 0.05,
    margin: Margin = None,
    better_by: BetterBy = None,
    seed: Annotated[str | None, typer.Option(help="Any text. The same seed gives the same deals.")] = None,
    move_ms: MoveMs = 10_000,
    start_ms: StartMs = 10_000,
    sandbox: SandboxChoice = None,
    workers: Annotated[int | None, typer.Option(min=1, help="How many processes play. Default: one a core.")] = None,
    store: Annotated[
        str | None, typer.Option(metavar="URL", help="The store of the matches. Default: a file in this folder.")
    ] = None,
    export: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="At the end, write the matches there as `league export` does.")
    ] = None,
    ca: CaFile = None,
    token_file: TokenFile = None,
    json: AsJson = False,
) -> None:
    """Find out whether a new version of a bot is better. Stop as soon as that is certain enough."""
    question = _question(margin, better_by)
    bots = named_bots([new, old, *(against or [])], ca, token_file)
    if league is None:
        conditions = _conditions(game, option, seats, table, Clock(move_ms=move_ms, start_ms=start_ms))
    else:
        _refuse_given(context, league)
        whole = league_in(league)
        conditions, sandbox = _conditions_in(whole, table), sandbox or whole.sandbox
    _check_played(bots, conditions)
    entries = entries_of(bots, Remote(_whole(ca), _whole(token_file)))
    pair = league_of(conditions, confinement_for(bots, sandbox).name, entries, seed, max_deals)
    machine = LocalEnvironment(workers, tell=remark)
    comparison = compared(pair, machine.contents(pair))
    url = store or f"{SQLITE}{_file_name(bots, comparison)}"
    place = whereabouts(url)
    go_on = f"what was played is kept in {place}. Go on with: {_command(store)}"
    judge = Judge(alpha, question)
    with exit_on_stop(go_on), open_comparison(comparison, url, machine, judge) as comparing:
        remark(f"{_title(bots)}: matches are kept in {place}")
        for sentence in comparing.run.participants.away:
            remark(f"{sentence}; its matches wait until it answers")
        if comparing.crowding is not None:
            remark(crowded(comparing.crowding))
        if comparison.alike:
            remark("the new bot and the old one have the same content: all differences between them are chance")
        with exit_on_failure(go_on):
            tell_progress(_title(bots), _ComparisonProgress(comparing, max_deals), comparing.play())
        _tell(comparing, comparison, bots, judge, json)
        if export is not None:
            remark(f"{several(write_export(comparing.run.results, export), 'match', 'matches')} written to {export}")
    remark(f"matches are kept in {place}; the seed was {comparing.run.results.pinned.seed}")


def in_league(
    file: File,
    new: Annotated[str, typer.Argument(metavar="NEW", help="name@version, as in the standings.")],
    old: Annotated[str, typer.Argument(metavar="OLD", help="The bot that NEW is compared with.")],
    alpha: Alpha = 0.05,
    margin: Margin = None,
    better_by: BetterBy = None,
    store: Url = None,
    json: AsJson = False,
) -> None:
    """Say whether one bot of a league is better than another, by the deals played so far."""
    judge = Judge(alpha, _question(margin, better_by))
    with opened(file, store) as results:
        finding, left_out = compare_stored(results, new, old, judge)
    if json:
        found = {"new": new, "old": old, **msgspec.to_builtins(finding), "left_out": left_out}
        print_json(found | {"looks": judge.looks})
    else:
        _say_finding(finding, new, old, judge)
        _say_left_out(left_out)
    remark("this holds for two bots that you named before you looked at any result of the league")


def _question(margin: float | None, better_by: float | None) -> ComparisonQuestion:
    if better_by is None:
        return TwoSided(_MARGIN if margin is None else margin)
    if margin is not None:
        fail(Exit.WRONG_USE, "--margin and --better-by are two questions; give one of them")
    return OneSided(better_by)


def _conditions(
    game: str | None, options: list[str] | None, seats: int | None, table: str | None, clock: Clock
) -> Conditions:
    """The conditions that the options name."""
    if table is not None:
        fail(Exit.WRONG_USE, f"--table {table}: say with --league which league file has this table")
    if game is None:
        fail(Exit.WRONG_USE, "name a game with --game, or a league file with --league")
    rules = game_entry(game).game
    chosen = read_options(rules, option_values(options or []), "--option ")
    return Conditions(rules, table_of(rules, chosen, seats), clock)


def _refuse_given(context: typer.Context, league: Path) -> None:
    """End if an option is given for something that the league file says."""
    for name in ("game", "option", "seats", "move_ms", "start_ms"):
        source = context.get_parameter_source(name)
        if source is not None and source.name != "DEFAULT":
            given = f"--{name.replace('_', '-')}"
            fail(Exit.WRONG_USE, f"{given}: {league.name} says this already; leave out {given} or --league")


def _conditions_in(league: League, table: str | None) -> Conditions:
    """The conditions of a league at one of its tables."""
    rules, chosen = game_of(league), _table_in(league, table)
    options = msgspec.convert(chosen.options, rules.options_type)
    return Conditions(
        game=rules,
        table=table_of(rules, options, chosen.seats),
        clock=league.clock,
        limits=league.limits,
        read=league.read,
        folders=league.folders,
        fresh=league.fresh,
        pondering=league.pondering,
    )


def _check_played(bots: Sequence[Bot], conditions: Conditions) -> None:
    """End if a bot does not play this game with these options."""
    game, options = conditions.game.name, conditions.table.options
    refusals = [refusal for bot in bots if (refusal := bot.refusal(game, options))]
    if refusals:
        fail(Exit.WRONG_USE, *refusals)


def _table_in(league: League, name: str | None) -> TableSpec:
    tables = {table.name: table for table in league.tables}
    if name is None and len(tables) > 1:
        fail(Exit.WRONG_USE, f"{league.name} has several tables; name one with --table: {', '.join(tables)}")
    if name is not None and name not in tables:
        fail(Exit.WRONG_USE, f"--table {name}: not a table of {league.name}; its tables: {', '.join(tables)}")
    return league.tables[0] if name is None else tables[name]


class _ComparisonProgress:
    """A comparison in progress, in numbers and words."""

    def __init__(self, comparing: OpenComparison, planned: int) -> None:
        self.planned = planned
        self._comparing = comparing
        self._matches = 0

    @property
    def done(self) -> int:
        """How many deals are complete, without a gap."""
        return self._comparing.finding.deals

    def take(self, _match: FinishedMatch) -> None:
        self._matches += 1

    def numbers(self) -> str:
        """The deals, and the lead of the new bot so far."""
        finding = self._comparing.finding
        return f"{finding.deals}/{several(self.planned, 'deal', 'deals')}, {_lead(finding)}"

    def sentence(self) -> str:
        finding, matches = self._comparing.finding, several(self._matches, "match", "matches")
        deals = several(self.planned, "deal", "deals")
        return f"{finding.deals} of at most {deals}, {matches} in this run, {_lead(finding)}"


def _file_name(bots: Sequence[Bot], comparison: Comparison) -> str:
    new, old = (bot.entry.partition("@")[0] for bot in bots[:2])
    return f"compare-{new}-{old}-{comparison.league.name}.sqlite"


def _title(bots: Sequence[Bot]) -> str:
    return f"new {bots[0].entry} against old {bots[1].entry}"


def _command(store: str | None) -> str:
    """The command line as it was given, but without a password, so that the user can run it again."""
    words = (
        sys.argv[1:]
        if store is None
        else [word.replace(store, address_without_password(store)) for word in sys.argv[1:]]
    )
    return shlex.join(["referee", *words])


def _tell(comparing: OpenComparison, comparison: Comparison, bots: Sequence[Bot], judge: Judge, json: bool) -> None:
    finding = comparing.finding
    if json:
        rest = {
            "left_out": comparing.left_out,
            "alike": comparison.alike,
            "seed": comparing.run.results.pinned.seed,
            "looks": judge.looks,
        }
        print_json({"new": bots[0].entry, "old": bots[1].entry, **msgspec.to_builtins(finding), **rest})
        return
    _say_finding(finding, f"the new {bots[0].entry}", f"the old {bots[1].entry}", judge)
    _say_left_out(comparing.left_out)
    faults = ((comparison.new, finding.new_faults), (comparison.old, finding.old_faults))
    for name, count in faults:
        transcript = comparing.first_fault(name) if count else None
        if transcript is not None:
            say(f"matches that a fault of {name} cut short: {count}; they count as lost. The first of them:")
            say(f"    {tell_remarks(transcript)}".replace("\n", "\n    "))
            keep_match(f"{name}.compare", transcript)


def _say_finding(finding: ComparisonResult, new: str, old: str, judge: Judge) -> None:
    question, sure = judge.question, f"{100 * (1 - judge.alpha):.4g} %"
    lead = 2 * question.better_by if isinstance(question, OneSided) else None
    say(_VERDICTS[finding.verdict].format(new=new, old=old, lead=lead))
    bounds = f"{sure} confidence sequence" if lead is None else f"confidence sequence, {sure} for each of its ends"
    low, high = finding.interval
    if finding.mean is not None:
        say(
            f"lead: {finding.mean:+.3f} (share of the points of the new bot minus that of the old one);"
            f" {bounds}: {low:+.3f}..{high:+.3f}"
        )
    say(f"deals: {finding.deals}; matches: {finding.matches}")


def _say_left_out(left_out: int) -> None:
    if left_out:
        say(f"deals that were left out, because a match was void too often: {left_out}")


def _lead(finding: ComparisonResult) -> str:
    low, high = finding.interval
    return "no lead yet" if finding.mean is None else f"lead {finding.mean:+.3f} ({low:+.3f}..{high:+.3f})"


def _whole(path: Path | None) -> str | None:
    return None if path is None else str(path.resolve())
