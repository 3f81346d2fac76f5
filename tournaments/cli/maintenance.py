"""The commands that take care of a league: before it is played, when it ends or grows old, and after damage."""

import re
import shlex
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.console import AsJson, err, fail, print_json, remark, say
from referee.core.errors import Exit
from referee.core.text import several
from tournaments.cli.arguments import File, Url, opened
from tournaments.cli.progress import bar
from tournaments.cli.times import span_s
from tournaments.config.league_file import SQLITE
from tournaments.maintenance import close_league, forecast, pruning
from tournaments.maintenance import salvage as salvaging
from tournaments.maintenance.forecast import Forecast
from tournaments.maintenance.separation import Separation
from tournaments.play.environment import LocalEnvironment
from tournaments.results.league_location import league_in, past_league, store_of
from tournaments.results.verify import NotPlayed, count_transcripts, differences, wrong_trees
from tournaments.schedule.formats import Balance


def forecast_lines(forecast: Forecast) -> Iterator[str]:
    """A forecast in lines for people."""
    yield from _summary_lines(forecast)
    if forecast.separation is not None:
        yield _length(forecast.separation, forecast)


def _summary_lines(forecast: Forecast) -> Iterator[str]:
    planned, tried = forecast.planned, forecast.tried
    first = " in the first wave; results decide what comes after it" if forecast.goes_on else ""
    bots, deals = several(len(planned.bots), "bot", "bots"), several(forecast.deals, "deal", "deals")
    yield f"{forecast.league}: {_matches(planned.matches)} of {bots} on {deals}{first}"
    yield from (f"table {name}: {_matches(matches)}" for name, matches in sorted(planned.tables.items()))
    yield f"each bot: {_match_counts(planned.bots)}"
    yield from _luck(forecast)
    yield from map(_choice, forecast.choice)
    if forecast.apart is not None:
        yield forecast.apart
    processes = several(forecast.processes, "process", "processes")
    yield f"at once: {several(forecast.workers, 'worker', 'workers')}, {processes} of bots, {_memory(forecast)}"
    yield from forecast.away
    yield (
        f"tried: {_matches(tried.matches)} of {several(tried.line_ups, 'line-up', 'line-ups')} with {tried.bots} of"
        f" {bots}" + (f"; {_matches(tried.void)} void" if tried.void else "")
    )
    yield from (f"fault: {sentence}" for sentence in tried.faults)
    if not tried.faults and tried.matches:
        yield "no bot had a fault"
    if tried.cost is None or forecast.hours is None or forecast.megabytes is None:
        yield "no match was finished, so nothing can be said about time and store"
        return
    yield f"estimated: {tried.cost.match_s:.2g} s a match, {tried.cost.start_s:.2g} s to start the bots of a line-up"
    whole, then = ("the first wave", " after it") if forecast.goes_on else ("in all", "")
    yield f"{whole}: {_time(forecast.hours)} with {several(forecast.workers, 'worker', 'workers')}"
    digits = ",.0f" if forecast.megabytes >= 10 else ".2g"
    yield f"the store takes {forecast.megabytes:{digits}} MB{then}"


def _length(needed: Separation, forecast: Forecast) -> str:
    """How long the league must be to tell two bots apart."""
    pair = f"two bots of which one beats the other in {100 * needed.share:.4g} % of their matches"
    often = f"in {100 * needed.power:.0f} of 100 leagues"
    if needed.deals is None or needed.matches is None:
        return f"no number of deals separates {pair} {often}"
    most = "" if needed.format_matches is None else f" and matches = {needed.format_matches}"
    hours, workers = forecast.separation_hours, several(forecast.workers, "worker", "workers")
    time = "" if hours is None else f", {_time(hours)} with {workers}"
    keys = f"deals = {needed.deals}{most}"
    return f"to separate {pair} {often} (95 % intervals): {keys}, which makes {_matches(needed.matches)}{time}"


def _luck(forecast: Forecast) -> Iterator[str]:
    """The tables whose matches have luck of their own; of the others there is nothing to say."""
    own = [name for name, luck in forecast.luck.items() if luck == "own"]
    if own and set(own) <= set(forecast.assumed_luck):
        yield (
            "luck: each match has its own, because the league takes bots of others or is served; write"
            ' luck = "common" into the league file if all bots shall play the same deals'
        )
    elif own:
        yield f"luck: each match has its own at {several(len(own), 'table', 'tables')}: {', '.join(own)}"


def _choice(choice: Balance) -> str:
    least, most = choice.fewest_meetings, choice.most_meetings
    often = f"{least}" if least == most else f"{least} to {most}"
    groups = several(choice.every, "group", "groups")
    return f"table {choice.table}: {choice.groups:,} of {groups}; any two bots meet in {often} of them"


def _matches(number: int) -> str:
    return several(number, "match", "matches")


def _match_counts(bots: Mapping[str, int]) -> str:
    """How many matches a bot has, if all have as many; else the bots one by one."""
    if len(set(bots.values())) == 1:
        return _matches(next(iter(bots.values())))
    return ", ".join(f"{name} {matches:,}" for name, matches in sorted(bots.items()))


def _memory(forecast: Forecast) -> str:
    if forecast.memory_mib is None:
        return "whose memory nothing limits"
    return f"which may take {forecast.memory_mib:,} MiB together"


def _time(hours: float) -> str:
    return f"{hours:,.1f} hours" if hours >= 1 else f"{60 * hours:.1f} minutes"


_FEWEST_WINS, _MOST_WINS = 0.51, 0.99


def check(
    file: File,
    store: Url = None,
    workers: Annotated[int | None, typer.Option(min=1, help="How many processes play. Default: one a core.")] = None,
    separate: Annotated[
        str | None,
        typer.Option(
            metavar="SHARE",
            help="Also say how many deals it takes to tell two bots apart, if one beats the other so often: 55%.",
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Play a few matches that do not count, and say what the league would play and how long it would take."""
    share = None if separate is None else _share(separate)
    league = league_in(file)
    machine = LocalEnvironment(workers, league.spared_cores)
    found = forecast.forecast(league, store or store_of(league, file), machine, machine.workers, share)
    if json:
        print_json(found)
        return
    for line in forecast_lines(found):
        say(line)


def _share(text: str) -> float:
    """The part of all matches that a percentage stands for."""
    found = re.fullmatch(r"(\d{1,3}(?:\.\d+)?) ?%", text)
    share = float(found[1]) / 100 if found else 0.0
    if not _FEWEST_WINS <= share <= _MOST_WINS:
        fail(
            Exit.WRONG_USE,
            f"--separate {text}: say how often one bot beats the other, from {_FEWEST_WINS:.0%} to {_MOST_WINS:.0%},"
            " for instance 55%",
        )
    return share


def prune(
    file: File,
    older_than: Annotated[
        str, typer.Option("--older-than", metavar="SPAN", help="Delete only what is older, for instance 90d or 12h.")
    ],
    store: Url = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what the command would delete.")] = False,
    json: AsJson = False,
) -> None:
    """Delete times, remarks and stderr of old matches, and old logs of bots. Records, results and ratings stay."""
    before_ms = time.time_ns() // 1_000_000 - 1_000 * span_s(older_than, "--older-than")
    league, url = past_league(file, store)
    done = (pruning.prunable if dry_run else pruning.prune)(league, url, before_ms)
    if json:
        print_json(done)
        return
    matches = several(done.matches, "match", "matches")
    would = "would be " if dry_run else ""
    say(f"{matches} {would}pruned: {done.saved_bytes / 1e6:,.2f} MB")
    if done.logs:
        files = several(done.logs, "file of a bot's log", "files of bots' logs")
        say(f"{files} {would}removed: {done.log_bytes / 1e6:,.2f} MB")


def salvage(
    file: File,
    damaged: Annotated[Path, typer.Argument(metavar="DAMAGED", help="A SQLite file. The command only reads it.")],
    to: Annotated[Path, typer.Option("--to", metavar="NEW", help="The file of the new store. It must not exist yet.")],
    seed: Annotated[
        str | None, typer.Option("--seed", help="The league's seed, if the damaged store has lost it.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Copy the matches of a damaged store that verify into a new store. The next run plays the rest."""
    found = salvaging.salvage(league_in(file), damaged, to, LocalEnvironment(), seed)
    if json:
        print_json(found)
        return
    for table in found.tables:
        say(f"{table.table}: {_row_counts(table)}")
    for fixture, reason in found.wrong.items():
        say(f"{fixture}: not saved: {reason}")
    for tree, reason in found.wrong_trees.items():
        say(f"the tree {tree} of a bot: not saved: {reason}")
    for note in found.notes:
        say(note)
    if found.trees or found.wrong_trees:
        say(f"{several(found.trees, 'tree of a bot', 'trees of bots')} saved")
    remain = several(found.remaining, "remains", "remain")
    say(f"{several(found.saved, 'match', 'matches')} saved in {to}; {remain} to be played")
    remark(f"go on with: {shlex.join(['referee', 'league', 'run', str(file), '--store', f'{SQLITE}{to}'])}")


def _row_counts(table: salvaging.TableFound) -> str:
    parts = [several(table.read, "row read", "rows read")]
    parts += [f"{table.damaged:,} damaged"] if table.damaged else []
    parts += ["a part is lost"] if table.unreadable else []
    return ", ".join(parts)


def close(
    file: File,
    store: Url = None,
    abandon: Annotated[
        bool, typer.Option("--abandon", help="Close it although matches remain. Nobody will play them.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Close a league for good: no bot can enter any more, everybody may see all matches, and the seed is public."""
    league, url = past_league(file, store)
    closed = close_league.close(league, url, time.time_ns() // 1_000_000, abandon=abandon)
    if json:
        print_json(closed)
        return
    say(
        f"{closed.league} is closed: {several(closed.played, 'match counts', 'matches count')},"
        f" {several(closed.left_out, 'is', 'are')} left out"
    )
    say(f"its seed was {closed.seed} (SHA-256 {closed.seed_sha256})")


def verify(
    file: File,
    store: Url = None,
    workers: Annotated[int | None, typer.Option(min=1, help="How many processes check. Default: one a core.")] = None,
    json: AsJson = False,
) -> None:
    """Run the rules on every stored match again, and compare it with the league's seed and plan."""
    with opened(file, store) as results:
        checking = VerifyProgress(count_transcripts(results))
        processes = LocalEnvironment(workers).workers
        with (
            bar(checking) if err.is_terminal else nullcontext(),
            closing(differences(results, workers=processes)) as found,
        ):
            for fixture, difference in found:
                checking.take(fixture, difference)
        trees = dict(wrong_trees(results))
    wrong = checking.wrong
    damaged = {tree: what for tree, what in trees.items() if what is not None}
    if json:
        of_trees = {"trees": len(trees), "damaged_trees": damaged}
        of_matches = {"matches": checking.done, "differences": wrong, "not_played": checking.not_played}
        print_json({"league": results.league.name, **of_matches, **of_trees})
    else:
        for line in _by_kind(wrong):
            say(line)
        for tree, what in damaged.items():
            say(f"the tree {tree} of a bot: {what}")
        for what, count in checking.not_played.items():
            say(f"{several(count, 'match', 'matches')} {what}; check them with the referee that played them")
        checked = checking.done - sum(checking.not_played.values())
        say(f"{several(checked, 'match', 'matches')} checked: {_in_all(wrong)}")
        if trees:
            say(f"{several(len(trees), 'tree of a bot', 'trees of bots')} checked: {_in_all(damaged)}")
    if wrong or damaged:
        raise typer.Exit(Exit.DOES_NOT_HOLD)
    if checking.not_played:
        raise typer.Exit(Exit.WRONG_USE)


def _by_kind(wrong: dict[str, str]) -> Iterator[str]:
    """What is wrong, in a line for each kind, with the first match of the kind."""
    first = {difference: fixture for fixture, difference in reversed(wrong.items())}
    for difference, count in Counter(wrong.values()).items():
        besides = f" and {several(count - 1, 'other', 'others')}" if count > 1 else ""
        yield f"{first[difference]}{besides}: {difference}"


def _in_all(wrong: Mapping[str, str]) -> str:
    return f"{len(wrong)} do not hold" if wrong else "all hold"


class VerifyProgress:
    """An audit in progress.

    Attributes:
        planned: how many matches there are.
        done: how many of them were checked.
        wrong: by the fixture ids of those that do not hold, why.
        not_played: by the words that say why they could not be checked, how many.
    """

    def __init__(self, planned: int) -> None:
        self.planned = planned
        self.done = 0
        self.wrong: dict[str, str] = {}
        self.not_played = Counter[str]()

    def take(self, fixture: str, difference: str | None) -> None:
        """Note the fault of a match; None if it is valid."""
        self.done += 1
        if isinstance(difference, NotPlayed):
            self.not_played[difference] += 1
        elif difference:
            self.wrong[fixture] = difference

    def numbers(self) -> str:
        """How many were checked, and how many of them do not hold."""
        return f"{self.done} of {self.planned}" + (f", {len(self.wrong)} do not hold" if self.wrong else "")
