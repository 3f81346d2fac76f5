"""The commands of `referee league` that run a league and ask what came of it."""

import shlex
import time
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from referee.cli.console import AsJson, err, fail, print_json, print_json_line, remark, say
from referee.core.errors import Exit
from referee.match.story import tell_remarks
from referee.shell.sandbox.landlock import NOTE
from tournaments import run as leagues
from tournaments.cli import tables
from tournaments.cli.arguments import File, Url, Wide
from tournaments.cli.busy import crowded
from tournaments.cli.checking import Checking
from tournaments.cli.course import Course
from tournaments.cli.endings import failing_politely, stopping_politely
from tournaments.cli.layout import room, show
from tournaments.cli.progress import bar, tell_progress
from tournaments.export import export as write_export
from tournaments.machine import ThisMachine
from tournaments.model import Played
from tournaments.run import KeptLeague
from tournaments.season import Verdict
from tournaments.standings import Standings
from tournaments.store import shown, whereabouts


def run(
    file: File,
    store: Url = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes that play; default: the cores.")] = None,
    accept_builds: Annotated[
        bool, typer.Option("--accept-builds", help="Play on though bots were built anew; their sources are the same.")
    ] = False,
) -> None:
    """Play what remains of a league. It can be stopped at any time; the next run goes on."""
    league = leagues.league_in(file)
    url = store or leagues.store_of(league, file)
    place, command = whereabouts(url), _run_command(file, store, workers)
    go_on = f"what was played is kept in {place}. Go on with: {command}"
    machine = ThisMachine(workers)
    with stopping_politely(go_on), leagues.to_play(league, url, machine, accept_builds=accept_builds) as running:
        remark(f"{league.name}: results are kept in {place}")
        if league.sandbox == "landlock":
            remark(NOTE)
        for sentence in running.away:
            remark(f"{sentence}; its matches wait until it answers")
        if running.crowding is not None:
            remark(crowded(running.crowding))
        remark(f"{league.name}: SHA-256 of the seed {running.pinned.commitment}")
        with failing_politely(go_on):
            tell_progress(league.name, Course(running.season.verdict()), running.play())
        verdict = running.season.verdict()
        _print_standings(running.standings(), room(everything=False))
    remark(f"results are kept in {place}. What is added to the league is played by: {command}")
    _conclude(verdict, running.pinned.seed, _command("retry", file, store))


def show_standings(
    file: File,
    sides: Annotated[bool, typer.Option("--sides", help="Also how every bot fared on every side.")] = False,
    seats: Annotated[bool, typer.Option("--seats", help="Also how every bot fared in every seat.")] = False,
    everything: Wide = False,
    store: Url = None,
    json: AsJson = False,
) -> None:
    """Print the table of a league, as far as it was played."""
    with _kept(file, store) as kept:
        table = kept.standings()
    if json:
        print_json(table)
        return
    _print_standings(table, room(everything=everything), sides=sides, seats=seats)


def status(file: File, store: Url = None, json: AsJson = False) -> None:
    """Say how far a league is."""
    with _kept(file, store) as kept:
        found = kept.status()
    if json:
        print_json(found)
        return
    for name, value in msgspec.structs.asdict(found).items():
        say(f"{name.replace('_', ' ')}: {_in_words(value)}")


def _in_words(value: object) -> object:
    """A part of the status: names, counts by name, or what is told as it is."""
    match value:
        case None:
            return "kept secret until the end"
        case tuple():
            return ", ".join(value) or "nobody"
        case dict():
            return ", ".join(f"{name} {count}" for name, count in value.items()) or "none yet"
        case _:
            return value


def matches(
    file: File,
    store: Url = None,
    bot: Annotated[str | None, typer.Option(help="Only matches of this bot (name@version).")] = None,
    faults: Annotated[bool, typer.Option("--faults", help="Only matches that a fault cut short.")] = False,
    json: AsJson = False,
) -> None:
    """List the matches that were played, in plan order, with the reason where a bot failed."""
    with _kept(file, store) as kept:
        if bot is not None:
            kept.hold_known(bot)
        for match in kept.matches():
            if (bot is None or bot in match.entries) and (match.faults or not faults):
                _print_match(kept, match, json)


def verify(
    file: File,
    store: Url = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes that check; default: the cores.")] = None,
    json: AsJson = False,
) -> None:
    """Run the rules on every stored match again, and hold it to the league's seed and plan."""
    with _kept(file, store) as kept:
        checking = Checking(kept.transcripts_kept())
        processes = ThisMachine(workers).workers
        with bar(checking) if err.is_terminal else nullcontext(), closing(kept.differences(workers=processes)) as found:
            for fixture, difference in found:
                checking.take(fixture, difference)
    wrong = checking.wrong
    if json:
        print_json({"league": kept.league.name, "matches": checking.done, "differences": wrong})
    else:
        for fixture, difference in wrong.items():
            say(f"{fixture}: {difference}")
        say(f"{checking.done} matches checked: {f'{len(wrong)} do not hold' if wrong else 'all hold'}")
    if wrong:
        raise typer.Exit(Exit.DOES_NOT_HOLD)


def export(
    file: File,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where to write; made if it is not there.")],
    store: Url = None,
) -> None:
    """Write the league, a table of its matches (JSON lines, CSV) and their transcripts, for other programs."""
    with _kept(file, store) as kept:
        matches = write_export(kept, folder)
    say(f"{matches} matches written to {folder}")


def reinstate(
    file: File, bot: Annotated[str, typer.Argument(help="name@version, as in the standings.")], store: Url = None
) -> None:
    """Take back the suspension of a bot, for good; the next run plays what was skipped."""
    with _kept(file, store) as kept:
        kept.reinstate(bot, time.time_ns() // 1_000_000)
    say(f"{bot} is reinstated; run the league again to play what was skipped")


def retry(
    file: File,
    match: Annotated[
        list[str] | None, typer.Argument(metavar="MATCH", help="Only these; as `league run` lists them.")
    ] = None,
    store: Url = None,
) -> None:
    """Take up matches that were abandoned; the next run plays them."""
    with _kept(file, store) as kept:
        count = kept.retry(match or ())
    if count:
        say(f"{_matches(count)} taken up again; run the league again to play {'it' if count == 1 else 'them'}")
    else:
        say("no match is abandoned")


def _kept(file: Path, store: str | None) -> AbstractContextManager[KeptLeague]:
    """Open a league that was run before."""
    league = leagues.league_in(file)
    return leagues.to_read(league, store or leagues.store_of(league, file))


def _run_command(file: Path, store: str | None, workers: int | None) -> str:
    """The command line of this run, so that the user can run it again."""
    return _command("run", file, store, *([] if workers is None else ["--workers", str(workers)]))


def _command(name: str, file: Path, store: str | None, *words: str) -> str:
    """A command line about this league, as the user can type it."""
    named = [] if store is None else ["--store", shown(store)]
    return shlex.join(["referee", "league", name, str(file), *words, *named])


def _matches(count: int) -> str:
    return "1 match is" if count == 1 else f"{count} matches are"


def _print_standings(table: Standings, width: int, *, sides: bool = False, seats: bool = False) -> None:
    found = [tables.standings_table(table, width)]
    found += [page for together in table.cooperation for page in tables.cross_play_tables(together, width)]
    found += [tables.sides_table(table, width)] if sides else []
    found += [tables.seats_table(table, width)] if seats else []
    show(tables.interim_notes(table), found, tables.standings_notes(table), width)


def _print_match(kept: KeptLeague, match: Played, json: bool) -> None:
    transcript = kept.transcript(match.fixture) if match.faults else None
    if json:
        row: dict[str, Any] = msgspec.to_builtins(match)
        row["remarks"] = msgspec.to_builtins(transcript.aside.remarks) if transcript else []
        print_json_line(row)
        return
    places = " ".join(f"{entry}:{place}" for entry, place in zip(match.entries, match.outcome.places, strict=True))
    faults = "".join(f"; {match.entries[fault.seat]}: {fault.kind}" for fault in match.faults)
    say(f"{match.fixture}  {match.outcome.ending}  {places}{faults}")
    if transcript and transcript.aside.remarks:  # a pruned one has none
        say(f"    {tell_remarks(transcript)}".replace("\n", "\n    "))


def _conclude(verdict: Verdict, seed: str, retry_command: str) -> None:
    for name, suspension in sorted(verdict.suspensions.items()):
        remark(
            f"{name} is suspended: {suspension.faults} of its {suspension.matches} matches ended by its fault;"
            f" {verdict.skipped} matches are skipped",
        )
    remark(f"done; the seed was {seed}")
    if verdict.abandoned:
        fail(
            Exit.OUR_FAILURE,
            f"{_matches(len(verdict.abandoned))} abandoned, void too often:",
            *(f"  {fixture.id}" for fixture in verdict.abandoned),
            f"take up again what is abandoned with: {retry_command}",
        )
