"""`referee league`: run a league and ask what came of it."""

import contextlib
import os
import secrets
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, NoReturn

import msgspec
import typer
import uvloop
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from referee.cli.console import AsJson, err, fail, out, print_json, wide
from referee.core.errors import Exit
from referee.match.story import tell_remarks
from referee.match.transcript import to_file
from referee.shell.sessions import end_sessions
from referee.wire.registry import games
from tournaments import audit
from tournaments import league as leagues
from tournaments.cli.tables import cross_play_table, standings_notes, standings_table
from tournaments.config import read_league
from tournaments.entrants import roll_call
from tournaments.executors.local import LocalExecutor
from tournaments.executors.work import Postponed, Result, Voided, work_of
from tournaments.lock import RunLock
from tournaments.model import League, Played
from tournaments.pins import Pinned, contents
from tournaments.schedule import plan
from tournaments.season import Season
from tournaments.standings import Standings, standings
from tournaments.store import Store, lock_path, shown

app = typer.Typer(no_args_is_help=True, help="Run a league and ask what came of it.")

File = Annotated[Path, typer.Argument(metavar="LEAGUE.toml", help="The league file.")]
Url = Annotated[
    str | None,
    typer.Option("--store", metavar="URL", help="Where results are kept; default: LEAGUE.sqlite in this folder."),
]


@app.command()
def run(
    file: File,
    store: Url = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes that play; default: the cores.")] = None,
) -> None:
    """Play what remains of a league. It can be stopped at any time; the next run goes on."""
    league = _league(file)
    url = _url(file, store)
    with (
        _stopping_politely(f"referee league run {file}" + (f" --store {shown(store)}" if store else "")),
        _alone(lock_path(url, league.name)) as run_dir,
        Store(url, league.name) as kept,
    ):
        kept.lock()
        _meet(league)
        pinned = kept.open_league(league, contents(league), secrets.token_bytes(32), _now_ms())
        season = leagues.season_of(league, kept, kept.results())
        err.print(f"{league.name}: SHA-256 of the seed {pinned.commitment}")
        _play(league, pinned, kept, season, workers or len(os.sched_getaffinity(0)), run_dir)
        _conclude(season, pinned)


@app.command("standings")
def show_standings(file: File, store: Url = None, json: AsJson = False) -> None:
    """Print the table of a league, as far as it was played."""
    league = _league(file)
    with _kept(file, league, store) as (kept, pinned):
        table = _standings(league, pinned, kept)
    if json:
        print_json(table)
        return
    wide.print(standings_table(table))
    for together in table.cooperation:
        wide.print(cross_play_table(together))
    for note in standings_notes(table):
        out.print(note, markup=False)


@app.command()
def status(file: File, store: Url = None, json: AsJson = False) -> None:
    """Say how far a league is."""
    league = _league(file)
    with _kept(file, league, store) as (kept, pinned):
        verdict = leagues.season_of(league, kept, kept.results()).verdict()
        voids = len(kept.voids())
    facts = {
        "league": league.name,
        "seed_sha256": pinned.commitment,
        "seed": None if verdict.remaining else pinned.seed,
        "played": len(verdict.counted),
        "remaining": len(verdict.remaining),
        "skipped": len(verdict.skipped),
        "abandoned": len(verdict.abandoned),
        "void": voids,
        "suspended": sorted(verdict.suspensions),
    }
    if json:
        print_json(facts)
        return
    for name, value in facts.items():
        text = ", ".join(value) or "nobody" if isinstance(value, list) else value
        out.print(f"{name.replace('_', ' ')}: {'kept secret until the end' if text is None else text}", markup=False)


@app.command()
def matches(
    file: File,
    store: Url = None,
    bot: Annotated[str | None, typer.Option(help="Only matches of this bot (name@version).")] = None,
    faults: Annotated[bool, typer.Option("--faults", help="Only matches that a fault cut short.")] = False,
    json: AsJson = False,
) -> None:
    """List the matches that were played, in plan order, with the reason where a bot failed."""
    league = _league(file)
    with _kept(file, league, store) as (kept, pinned):
        if bot is not None:
            _known(league, pinned, bot)
        chosen = [
            played
            for played in _in_plan_order(league, kept)
            if (bot is None or bot in played.entries) and (not faults or played.faults)
        ]
        for match in chosen:
            _print_match(kept, match, json)


@app.command()
def verify(file: File, store: Url = None, json: AsJson = False) -> None:
    """Run the rules on every stored match again, and hold it to the league's seed and plan."""
    league = _league(file)
    game = games()[league.game].game
    with _kept(file, league, store) as (kept, pinned):
        found = dict(audit.differences(game, league, pinned, plan(league), kept))
    wrong = {fixture: difference for fixture, difference in found.items() if difference}
    if json:
        print_json({"league": league.name, "matches": len(found), "differences": wrong})
    else:
        for fixture, difference in wrong.items():
            out.print(f"{fixture}: {difference}", markup=False)
        out.print(f"{len(found)} matches checked: {f'{len(wrong)} do not hold' if wrong else 'all hold'}")
    if wrong:
        raise typer.Exit(Exit.DOES_NOT_HOLD)


@app.command()
def export(
    file: File,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where to write; made if it is not there.")],
    store: Url = None,
) -> None:
    """Write the matches as JSON lines, and a transcript each under the name of its fixture."""
    league = _league(file)
    with _kept(file, league, store) as (kept, _):
        played = _in_plan_order(league, kept)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lines = [msgspec.json.encode(match) for match in played]
            (folder / "matches.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))
            for fixture, transcript in kept.transcripts():
                path = folder / "transcripts" / f"{fixture}.json"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(to_file(transcript))
        except OSError as error:
            fail(Exit.WRONG_USE, f"{error.filename}: cannot be written: {error.strerror}")
    out.print(f"{len(played)} matches written to {folder}", markup=False)


@app.command()
def reinstate(
    file: File, bot: Annotated[str, typer.Argument(help="name@version, as in the standings.")], store: Url = None
) -> None:
    """Take back the suspension of a bot, for good; the next run plays what was skipped."""
    league = _league(file)
    with _kept(file, league, store) as (kept, pinned):
        _known(league, pinned, bot)
        kept.reinstate(bot, _now_ms())
    out.print(f"{bot} is reinstated; run the league again to play what was skipped", markup=False)


def _league(file: Path) -> League:
    return read_league(file, {name: entry.game for name, entry in games().items()})


def _meet(league: League) -> None:
    """Call every bot; ends the command if one cannot be played with, and says who is away."""
    called = uvloop.run(roll_call(league))
    if called.problems:
        fail(Exit.WRONG_USE, *called.problems)
    for sentence in called.away:
        err.print(f"{sentence}; its matches wait until it answers", markup=False)


def _url(file: Path, url: str | None) -> str:
    return url or f"sqlite:///{file.stem}.sqlite"


@contextlib.contextmanager
def _kept(file: Path, league: League, url: str | None) -> Iterator[tuple[Store, Pinned]]:
    """The store of a league that was run before; ends the command if it was not."""
    address = _url(file, url)
    path = Path(address.removeprefix("sqlite:///"))
    if address.startswith("sqlite:///") and not path.exists():
        _never_run(league, address)
    with Store(address, league.name) as store:
        pinned = store.pinned()
        if pinned is None:
            _never_run(league, address)
        yield store, pinned


def _never_run(league: League, address: str) -> NoReturn:
    fail(
        Exit.WRONG_USE,
        f"{shown(address)} has no results of {league.name};"
        " run it first (`referee league run`), or name its store (--store)",
    )


def _known(league: League, pinned: Pinned, bot: str) -> None:
    if bot not in pinned.contents:
        fail(Exit.WRONG_USE, f"there is no bot {bot} in {league.name}; its bots: {', '.join(sorted(pinned.contents))}")


def _standings(league: League, pinned: Pinned, kept: Store) -> Standings:
    results = kept.results()
    verdict = leagues.season_of(league, kept, results).verdict()
    return standings(league, pinned.seed_bytes, verdict, {each.fixture: each for each in results}, len(kept.voids()))


def _in_plan_order(league: League, kept: Store) -> list[Played]:
    """Every stored match: the planned ones in plan order, then what was planned once, by id."""
    position = {fixture.id: at for at, fixture in enumerate(plan(league))}
    return sorted(kept.results(), key=lambda played: (position.get(played.fixture, len(position)), played.fixture))


def _print_match(kept: Store, match: Played, json: bool) -> None:
    transcript = kept.transcript(match.fixture) if match.faults else None
    if json:
        row: dict[str, Any] = msgspec.to_builtins(match)
        row["remarks"] = msgspec.to_builtins(transcript.aside.remarks) if transcript else []
        out.print(msgspec.json.encode(row).decode(), markup=False)
        return
    places = " ".join(f"{entry}:{place}" for entry, place in zip(match.entries, match.outcome.places, strict=True))
    faults = "".join(f"; {match.entries[fault.seat]}: {fault.kind}" for fault in match.faults)
    out.print(f"{match.fixture}  {match.outcome.ending}  {places}{faults}", markup=False)
    if transcript:
        out.print(f"    {tell_remarks(transcript)}".replace("\n", "\n    "), markup=False)


def _play(league: League, pinned: Pinned, kept: Store, season: Season, workers: int, run_dir: Path) -> None:
    verdict = season.verdict()
    done = len(verdict.counted) + len(verdict.skipped) + len(verdict.abandoned)
    if not verdict.remaining:
        return
    with _progress() as progress, LocalExecutor(work_of(league), workers, run_dir) as executor:
        task = progress.add_task(league.name, total=done + len(verdict.remaining), completed=done)

        def tell(result: Result) -> None:
            if isinstance(result, Voided):
                progress.console.print(f"void: {result.fixture.id}: {result.reason}", markup=False)
            elif isinstance(result, Postponed):
                progress.console.print(f"postponed: {result.entry}: {result.reason}", markup=False)
            else:
                progress.advance(task)

        leagues.play(league, pinned, kept, season, executor, _WallClock(), tell)


def _conclude(season: Season, pinned: Pinned) -> None:
    verdict = season.verdict()
    for name, suspension in sorted(verdict.suspensions.items()):
        err.print(
            f"{name} is suspended: {suspension.faults} of its {suspension.matches} matches ended by its fault;"
            f" {len(verdict.skipped)} matches are skipped",
            markup=False,
        )
    err.print(f"done; the seed was {pinned.seed}")
    if verdict.abandoned:
        fail(
            Exit.OUR_FAILURE,
            f"{len(verdict.abandoned)} matches were void too often and are abandoned:",
            *(f"  {fixture.id}" for fixture in verdict.abandoned),
        )


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _Rate(),
        TimeRemainingColumn(),
        console=err,
    )


class _Rate(ProgressColumn):
    """Matches a second."""

    def render(self, task: Task) -> Text:
        """The rate, once there is one."""
        return Text(f"{task.speed:.0f} matches/s" if task.speed else "")


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


class _WallClock:
    def now_ms(self) -> int:
        return _now_ms()

    def wait_ms(self, milliseconds: int) -> None:
        time.sleep(milliseconds / 1000)


@contextlib.contextmanager
def _alone(lock_file: Path) -> Iterator[Path]:
    """Be the league's only runner, with a folder for the sockets of the run.

    What a killed run left behind ends before; all processes that were started in the folder end with it.
    """
    run_dir = Path(tempfile.mkdtemp(prefix="referee-"))
    try:
        with RunLock.acquire(lock_file, run_dir) as lock:
            if lock.leftover is not None:
                end_sessions(Path(lock.leftover.run_dir))
            try:
                yield run_dir
            finally:  # while the lock still names the folder, for the next run if this one is killed here
                end_sessions(run_dir)
    finally:
        shutil.rmtree(run_dir, ignore_errors=True)


class _Stopped(BaseException):
    """SIGINT or SIGTERM came. No handler of errors may take it for one."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextlib.contextmanager
def _stopping_politely(go_on: str) -> Iterator[None]:
    """Make SIGINT and SIGTERM end the run with a word on how to go on. A second one changes nothing."""

    def stop(number: int, _frame: object) -> None:
        # Not SIG_IGN: Python complains of a signal that was pending when it became ignored.
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, lambda *_: None)
        raise _Stopped(number)

    before = {each: signal.signal(each, stop) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    except _Stopped as stopped:
        fail(128 + stopped.number, f"stopped; what was played is kept. Go on with: {go_on}")
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
