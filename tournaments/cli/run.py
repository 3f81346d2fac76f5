"""`referee league run`: play a league, tell how it goes, and how to go on.

The events of the run go to the log, and to the command of `[notify]`.
"""

import os
import shlex
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.console import fail, remark
from referee.core.errors import Exit
from referee.core.text import several
from referee.runtime.sandbox.landlock import NOTE
from tournaments.cli.arguments import File, Url
from tournaments.cli.early_exit import exit_on_failure, exit_on_stop
from tournaments.cli.league import matches_in_words, print_standings
from tournaments.cli.machine import DaskNotInstalled
from tournaments.cli.progress import RunProgress, crowded, tell_progress
from tournaments.cli.report import write_report
from tournaments.cli.table_layout import room
from tournaments.cli.times import after, local_time, span_s, until_s
from tournaments.config.league_file import SQLITE
from tournaments.league.format_settings import ByResults
from tournaments.league.model import League
from tournaments.play.environment import LocalEnvironment
from tournaments.play.events import EventLog, NodesChanged, open_event_output
from tournaments.play.loop import never
from tournaments.play.run import Run, open_run
from tournaments.results.computed_tables import league_standings
from tournaments.results.league_location import league_in, store_beside, store_of
from tournaments.results.progress import is_league_over
from tournaments.schedule.counting_rules import LeagueVerdict
from tournaments.schedule.formats import apart
from tournaments.store import address_without_password, whereabouts
from tournaments.store.run_lock import LockHeld, LockLost

Scheduler = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Play on all machines that joined this scheduler of Dask.")
]

Workers = Annotated[int | None, typer.Option(min=1, help="How many processes play. Default: one a core.")]

_NICENESS = 10

_LISTED = 5
"""So many abandoned matches are listed at the end of a run."""

_STUCK = (
    "no wave follows: a pairing counts only when each of its line-ups was played on at least half of its deals, and too"
    " much is abandoned"
)


def run(
    file: File,
    store: Url = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
    accept_builds: Annotated[
        bool, typer.Option("--accept-builds", help="Continue although bots were built again from the same sources.")
    ] = False,
    until: Annotated[
        str | None, typer.Option(metavar="TIME", help="End the run at this time: 07:30 or 2026-11-23T07:30.")
    ] = None,
    span: Annotated[
        str | None, typer.Option("--for", metavar="SPAN", help="End the run after this time: 20m, 8h or 1d12h.")
    ] = None,
    log: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Append what happens to this file, as JSON lines.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write report.md and report.html into this folder at the end.")
    ] = None,
    nice: Annotated[bool, typer.Option("--nice", help="Let other programs on this machine go first.")] = False,
) -> None:
    """Play the remaining matches of a league. You can stop a run at any time; the next one continues."""
    league = league_in(file)
    url = store or store_of(league, file)
    given = {"--workers": workers, "--scheduler": scheduler}
    words = [word for name, value in given.items() if value is not None for word in (name, str(value))]
    command = _command("run", file, store, *words)
    go_on = f"what was played is kept in {whereabouts(url)}. Go on with: {command}"
    enough = _enough(until, span)
    journal = None if log is None else EventLog(log)
    if nice:
        os.nice(_NICENESS)
    machine = machine_for(league, scheduler, workers, journal)
    beside = store_beside(league, file, url)
    if beside is not None:
        remark(f"the store {beside} beside the league file is not read; to go on with it, add --store {SQLITE}{beside}")

    def play() -> None:
        with exit_on_stop(go_on), open_run(league, url, machine, accept_builds=accept_builds) as running:
            _introduce(running, whereabouts(url))
            with exit_on_failure(go_on, LockLost), open_event_output(running.results, journal, remark) as output:
                tell_progress(league.name, _course(running), output.results(running.play(enough)))
                results = running.results
                verdict, is_over, seed = results.state.verdict(), is_league_over(results), results.seed
                closing = results.closing
                again = any(not closing.has(fixture.deal) for fixture in verdict.abandoned)
                is_stuck = bool(verdict.undecided) and not (verdict.remaining or is_over)
                why = "failure" if is_stuck else "done" if is_over else "time"
                output.end(why, _STUCK if is_stuck else "", Exit.OUR_FAILURE if verdict.abandoned else 0)
            for sentence in running.participants.refused:
                remark(sentence)
            print_standings(league_standings(results), room(everything=False))
            if report is not None:
                write_report(results, report, machine.now_ms())
                remark(f"a report was written into {report}")
        if is_over:
            remark(f"results are kept in {whereabouts(url)}. To play what you add to the league later: {command}")
            remark(_of_seed(seed, _command("close", file, store)))
        elif not is_stuck:
            remark(f"the time is over; {go_on}")
        remedies = [_STUCK] if is_stuck else []
        remedies += [f"take up again what is abandoned with: {_command('retry', file, store)}"] if again else []
        remedies += [f"or withdraw a bot with: {_command('withdraw', file, store)} BOT"] if is_stuck and again else []
        _conclude(verdict, remedies)

    _play_again_if_lost(play, go_on)


def _play_again_if_lost(play: Callable[[], None], hint: str) -> None:
    """Play. A run that lost its lock starts again, unless another runner plays the league now."""
    try:
        play()
    except LockLost as lost:
        remark(f"{lost}; the run starts again")
        try:
            _play_again_if_lost(play, hint)
        except LockHeld:
            fail(lost.exit_code, str(lost), hint)


def machine_for(
    league: League, scheduler: str | None, workers: int | None, journal: EventLog | None = None
) -> LocalEnvironment:
    """This machine, or all that joined a scheduler. Then this one verifies their results with as many processes."""
    if scheduler is None:
        return LocalEnvironment(workers, league.spared_cores, remark)
    try:
        from tournaments.play.nodes.scheduler_environment import SchedulerEnvironment  # noqa: PLC0415 - Dask takes long to import
    except ImportError as error:
        raise DaskNotInstalled from error
    return SchedulerEnvironment(league, scheduler, workers, partial(_tell_of_machines, journal), remark)


def _tell_of_machines(journal: EventLog | None, event: NodesChanged) -> None:
    remark(event.text)
    if journal is not None:
        journal.note(event, time.time_ns() // 1_000_000)


def _course(running: Run) -> RunProgress:
    state, by_results = running.results.state, isinstance(running.results.league.format, ByResults)
    return RunProgress(state.verdict(), state.plan, by_results=by_results)


def _enough(until: str | None, span: str | None) -> Callable[[], bool]:
    seconds = [] if span is None else [float(span_s(span))]
    seconds += [] if until is None else [until_s(until, local_time(time.time_ns() // 1_000_000))]
    return after(min(seconds)) if seconds else never


def _introduce(running: Run, place: str) -> None:
    """Print the notes before the first match."""
    league, pinned = running.results.league, running.results.pinned
    name = league.name
    remark(f"{name}: results are kept in {place}")
    if league.sandbox == "landlock":
        remark(NOTE)
    separated = apart(league)
    if separated is not None:
        remark(f"{name}: {separated}")
    for sentence in running.participants.away:
        remark(f"{sentence}; its matches wait until it answers")
    if running.crowding is not None:
        remark(crowded(running.crowding))
    remark(f"{name}: SHA-256 of the seed {pinned.commitment}")


def _of_seed(seed: str | None, close_command: str) -> str:
    """A sentence on the seed at the end. The seed reveals every deal, so it is secret while bots may enter."""
    if seed is not None:
        return f"done; the seed was {seed}"
    return f"done; to publish the seed, close the league, which then takes no more bots: {close_command}"


def _conclude(verdict: LeagueVerdict, remedies: Sequence[str]) -> None:
    """Print the outcome, and what can be done about abandoned matches."""
    for name, suspension in sorted(verdict.suspensions.items()):
        remark(
            f"{name} is suspended: {suspension.faults} of its"
            f" {several(suspension.matches, 'match', 'matches')} ended by its fault;"
            f" {several(verdict.skipped, 'match is', 'matches are')} skipped",
        )
    if verdict.abandoned:
        fail(
            Exit.OUR_FAILURE,
            f"{matches_in_words(len(verdict.abandoned))} abandoned, void too often:",
            *(f"  {fixture.id}" for fixture in verdict.abandoned[:_LISTED]),
            *([f"  and {more:,} more"] if (more := len(verdict.abandoned) - _LISTED) > 0 else []),
            *remedies,
        )


def _command(name: str, file: Path, store: str | None, *words: str) -> str:
    """A command line about this league, as the user can type it."""
    named = [] if store is None else ["--store", address_without_password(store)]
    return shlex.join(["referee", "league", name, str(file), *words, *named])
