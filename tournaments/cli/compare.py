"""`referee compare` and `referee league compare`: is the new version of a bot better than the old one?"""

import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from msgspec.structs import replace

from referee.cli.bot_arguments import BOT_HELP, CaFile, SandboxChoice, TokenFile, confinement_for, named_bots
from referee.cli.bot_output import keep_match
from referee.cli.console import AsJson, fail, print_json, remark, say
from referee.cli.play import GameOptions, MoveMs, StartMs, option_values
from referee.core.errors import Exit
from referee.core.text import several
from referee.files.options import read_options
from referee.files.safe_read import read_ordinary
from referee.match.narrator import tell_remarks
from referee.match.terms import Clock
from referee.runtime.host import Bot
from referee.wire.registry import game_entry
from tournaments.cli.arguments import File, Url, opened
from tournaments.cli.comparison_report import ComparisonFinding, interval_words, sentences, tell_finding
from tournaments.cli.early_exit import exit_on_failure, exit_on_stop
from tournaments.cli.progress import crowded, tell_progress
from tournaments.cli.run import Scheduler, Workers, machine_for
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
from tournaments.comparison.pieces import ComparisonPiece, merge_pieces, numbers
from tournaments.comparison.stopping_rule import (
    ComparisonQuestion,
    ComparisonResult,
    Judge,
    NoQuestion,
    OneSided,
    TwoSided,
)
from tournaments.config.league_file import SQLITE
from tournaments.config.league_keys import MOST_DEALS
from tournaments.league.model import FinishedMatch, League, Remote, TableSpec
from tournaments.league.service_terms import SubmissionTerms
from tournaments.play.environment import LocalEnvironment
from tournaments.play.nodes.node import home
from tournaments.results.export_files import export as write_export
from tournaments.results.league_location import game_of, league_in
from tournaments.store import address_without_password, whereabouts
from tournaments.store.pinned_league import contents
from tournaments.submissions.build_environment import LocalBuildEnvironment
from tournaments.submissions.commits import bot_of_commit

_MARGIN = 0.05
_LONGEST_PIECE = 256 << 20
_NAMED = 5
"""More pieces that are missing are only counted."""

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

Seats = Annotated[int | None, typer.Option(min=1, help="How many players. Default: the fewest that fit.")]
MaxDeals = Annotated[int, typer.Option(min=1, max=MOST_DEALS, help="Stop undecided after this many deals.")]
ReportFolder = Annotated[
    Path | None, typer.Option(metavar="FOLDER", help="At the end, write a report there: JSON, JUnit, Markdown, HTML.")
]


def compare(
    context: typer.Context,
    words: Annotated[
        list[str],
        typer.Argument(metavar="NEW OLD", help=f"{BOT_HELP}. With --git, commits. With --merge, files of pieces."),
    ],
    git: Annotated[
        Path | None,
        typer.Option(metavar="REPO", help="NEW and OLD are commits of this repository; . is what is not committed."),
    ] = None,
    path: Annotated[str, typer.Option(help="With --git, the folder of the bot in the repository.")] = ".",
    game: Annotated[str | None, typer.Option(help="The name of a game. `referee games` lists them.")] = None,
    option: GameOptions = None,
    seats: Seats = None,
    league: Annotated[
        Path | None,
        typer.Option(metavar="LEAGUE.toml", help="Take game, table, clock, sandbox and limits from this league file."),
    ] = None,
    table: Annotated[str | None, typer.Option(help="The table of the league file. Default: its only one.")] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(metavar="BOT", help="Compare how the two do with or against BOT. May be given several times."),
    ] = None,
    max_deals: MaxDeals = 2000,
    deals: Annotated[
        int | None, typer.Option(min=1, max=MOST_DEALS, help="Play exactly this many deals, and decide nothing.")
    ] = None,
    shard: Annotated[
        str | None, typer.Option(metavar="K/S", help="Play only the deals of piece K of S, for --merge.")
    ] = None,
    merge: Annotated[bool, typer.Option("--merge", help="Play nothing: judge the pieces in these JSON files.")] = False,
    alpha: Alpha = 0.05,
    margin: Margin = None,
    better_by: BetterBy = None,
    seed: Annotated[str | None, typer.Option(help="Any text. The same seed gives the same deals.")] = None,
    move_ms: MoveMs = 10_000,
    start_ms: StartMs = 10_000,
    sandbox: SandboxChoice = None,
    workers: Workers = None,
    store: Annotated[
        str | None, typer.Option(metavar="URL", help="The store of the matches. Default: a file in this folder.")
    ] = None,
    export: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="At the end, write the matches there as `league export` does.")
    ] = None,
    scheduler: Scheduler = None,
    report: ReportFolder = None,
    exit_code: Annotated[
        bool, typer.Option("--exit-code", help="End with 0 if the new bot is better, 1 if not, 3 if undecided.")
    ] = False,
    not_worse: Annotated[
        bool, typer.Option("--not-worse", help='With --exit-code: "no difference" ends with 0, too.')
    ] = False,
    ca: CaFile = None,
    token_file: TokenFile = None,
    json: AsJson = False,
) -> None:
    """Find out whether a new version of a bot is better. Stop as soon as that is certain enough."""
    question = question_of(margin, better_by, decides=deals is None and shard is None)
    if (exit_code or not_worse) and isinstance(question, NoQuestion):
        fail(Exit.WRONG_USE, "--exit-code and --not-worse need a verdict; leave out --deals and --shard")
    judge = Judge(alpha, question)
    if merge:
        finding = ComparisonFinding(_merge_files(words, judge, deals), judge, not_worse)
        tell_finding(finding, json=json, report=report)
    else:
        if len(words) != 2:
            fail(Exit.WRONG_USE, "name two bots, first the new one: referee compare NEW OLD")
        played = _shard(shard, seed, deals or max_deals)
        if league is None:
            conditions = conditions_of(game, option, seats, table, Clock(move_ms=move_ms, start_ms=start_ms))
        else:
            _refuse_given(context, league)
            whole = league_in(league)
            conditions, sandbox = _conditions_in(whole, table), sandbox or whole.sandbox
        commits: dict[str, str] = {}
        if git is not None:
            sandbox = sandbox or "bubblewrap"  # the repository may be a stranger's
            words, commits = _take_commits(git, words, path, league_of(conditions, sandbox, (), seed, 1))
        bots = named_bots([*words, *(against or [])], ca, token_file)
        check_played(bots, conditions)
        entries = entries_of(bots, Remote(absolute(ca), absolute(token_file)))
        pair = league_of(conditions, confinement_for(bots, sandbox).name, entries, seed, deals or max_deals)
        comparison = replace(compared(pair, contents(pair)), deals=played)
        machine = machine_for(comparison.league, scheduler, workers)
        url = store or f"{SQLITE}{_file_name(bots, comparison)}"
        with play_comparison(comparison, url, machine, judge, _command(store)) as comparing:
            finding = ComparisonFinding(comparing.piece(commits), judge, not_worse)
            if shard is not None:
                print_json(finding.piece)
            else:
                tell_finding(finding, json=json, report=report)
            if not (json or shard):
                _tell_faults(comparing, comparison)
            if export is not None:
                remark(
                    f"{several(write_export(comparing.run.results, export), 'match', 'matches')} written to {export}"
                )
        remark(f"matches are kept in {whereabouts(url)}; the seed was {finding.piece.seed}")
    if exit_code:
        sys.exit(finding.exit_code)


def _merge_files(files: Sequence[str], judge: Judge, deals: int | None) -> ComparisonPiece:
    """Judge the pieces in files as one machine would have judged their deals, up to a number of deals."""
    pieces: dict[str, ComparisonPiece] = {}
    for name in files:
        try:
            pieces[name] = msgspec.json.decode(read_ordinary(Path(name), _LONGEST_PIECE), type=ComparisonPiece)
        except (msgspec.DecodeError, RecursionError) as error:
            fail(Exit.WRONG_USE, f"{name}: is no piece of a comparison, as --shard K/S prints it: {error}")
    piece, missing = merge_pieces(pieces)
    judge.hear(islice(piece.deals, deals))
    if missing and not judge.decided:
        parts = [f"piece {shard} from deal {first} on" for shard, first in sorted(missing.items())]
        more = [f"{len(parts) - _NAMED} more pieces"] if len(parts) > _NAMED else []
        remark(f"missing: {', '.join(parts[:_NAMED] + more)}; nothing from deal {min(missing.values())} on counts")
    return piece


@contextmanager
def play_comparison(
    comparison: Comparison, url: str, machine: LocalEnvironment, judge: Judge, command: str
) -> Iterator[OpenComparison]:
    """Play a comparison to its end, and tell how it goes. It stays open meanwhile; `command` would go on with it."""
    place = whereabouts(url)
    go_on = f"what was played is kept in {place}. Go on with: {command}"
    title = "new {} against old {}".format(*(entry.answers_to for entry in comparison.league.entries[:2]))
    with exit_on_stop(go_on), open_comparison(comparison, url, machine, judge) as comparing:
        remark(f"{title}: matches are kept in {place}")
        for sentence in comparing.run.participants.away:
            remark(f"{sentence}; its matches wait until it answers")
        if comparing.crowding is not None:
            remark(crowded(comparing.crowding))
        if comparison.alike:
            remark("the new bot and the old one have the same content: all differences between them are chance")
        with exit_on_failure(go_on):
            tell_progress(title, _ComparisonProgress(comparing, len(comparison.deals)), comparing.play())
        yield comparing


def _take_commits(
    repository: Path, references: Sequence[str], path: str, league: League
) -> tuple[list[str], dict[str, str]]:
    """Build the bots of two commits under the conditions of a league; their folders, and by role their commits."""
    environment = LocalBuildEnvironment(league, SubmissionTerms(size_mib=league.folders.size_mib))
    environment.check_confinement()
    taken = [bot_of_commit(repository, each, path, environment, home() / "commits") for each in references]
    return [str(folder) for folder, _ in taken], dict(zip(("new", "old"), (commit for _, commit in taken), strict=True))


def _shard(text: str | None, seed: str | None, limit: int) -> range:
    """The deals of the piece to play."""
    if text is None:
        return range(limit)
    number, of = map(int, text.split("/")) if re.fullmatch(r"\d{1,7}/\d{1,7}", text) else (0, 0)
    if not 1 <= number <= of <= limit:
        fail(Exit.WRONG_USE, f"--shard {text}: write it as K/S, the piece and the number of pieces, such as 1/10")
    if seed is None:
        fail(Exit.WRONG_USE, "--shard: all pieces need the same --seed")
    return numbers(number, of, limit)


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
    judge = Judge(alpha, question_of(margin, better_by))
    with opened(file, store) as results:
        finding, left_out = compare_stored(results, new, old, judge)
    if json:
        found = {"new": new, "old": old, **msgspec.to_builtins(finding), "left_out": left_out}
        print_json(found | {"looks": judge.looks})
    else:
        for sentence in sentences(finding, (new, old), judge, left_out):
            say(sentence)
    remark("this holds for two bots that you named before you looked at any result of the league")


def question_of(margin: float | None, better_by: float | None, *, decides: bool = True) -> ComparisonQuestion:
    """The question that these options ask."""
    if not decides:
        if margin is not None or better_by is not None:
            fail(Exit.WRONG_USE, "--deals and --shard decide nothing; leave out --margin and --better-by")
        return NoQuestion()
    if better_by is None:
        return TwoSided(_MARGIN if margin is None else margin)
    if margin is not None:
        fail(Exit.WRONG_USE, "--margin and --better-by are two questions; give one of them")
    return OneSided(better_by)


def conditions_of(
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


def check_played(bots: Sequence[Bot], conditions: Conditions) -> None:
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
    part = f"-{comparison.deals.start + 1}-of-{comparison.deals.step}" if comparison.deals.step > 1 else ""
    return f"compare-{new}-{old}-{comparison.league.name}{part}.sqlite"


def _command(store: str | None) -> str:
    """The command line as it was given, but without a password, so that the user can run it again."""
    words = (
        sys.argv[1:]
        if store is None
        else [word.replace(store, address_without_password(store)) for word in sys.argv[1:]]
    )
    return shlex.join(["referee", *words])


def _tell_faults(comparing: OpenComparison, comparison: Comparison) -> None:
    """Show the first match that was lost by a fault of each of the two."""
    finding = comparing.finding
    for name, count in ((comparison.new, finding.new_faults), (comparison.old, finding.old_faults)):
        transcript = comparing.first_fault(name) if count else None
        if transcript is not None:
            say(f"matches that a fault of {name} cut short: {count}; they count as lost. The first of them:")
            say(f"    {tell_remarks(transcript)}".replace("\n", "\n    "))
            keep_match(f"{name}.compare", transcript)


def _lead(finding: ComparisonResult) -> str:
    return "no lead yet" if finding.mean is None else f"lead {finding.mean:+.3f} ({interval_words(finding.interval)})"


def absolute(path: Path | None) -> str | None:
    """The whole path of a file that an option names; None if none does."""
    return None if path is None else str(path.resolve())
