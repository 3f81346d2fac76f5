"""The commands of `referee league` that show the results of a league, or change which bots and matches count.

Bots enter and withdraw, also while a league is played.
"""

import sys
import time
from collections import Counter
from datetime import UTC
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from referee.cli.console import AsJson, fail, print_json, say
from referee.core.errors import Exit
from referee.core.text import several
from tournaments.cli import results_text
from tournaments.cli.arguments import File, Url, Wide, Yes, opened
from tournaments.cli.progress import node_lines, summary
from tournaments.cli.table_layout import room, show
from tournaments.cli.times import moment, utc
from tournaments.config.league_file import entry_in
from tournaments.league.status import LeagueStatus, Progress
from tournaments.results import organizer_actions
from tournaments.results.computed_tables import league_crosstable, league_standings
from tournaments.results.export_files import export as write_export
from tournaments.results.league_location import game_of, league_in, store_to_read
from tournaments.results.parquet_files import Form, export_parquet
from tournaments.results.progress import league_progress, league_status
from tournaments.results.standings import Standings
from tournaments.results.stored_league import StoredLeague, open_results


def enter(
    file: File,
    bot: Annotated[Path, typer.Argument(metavar="BOT", help="The folder of the bot.")],
    label: Annotated[
        str | None, typer.Option(help="Distinguishes entries of the same bot: name+label@version.")
    ] = None,
    store: Url = None,
) -> None:
    """Enter a bot into a league that has run before. A run may be playing it."""
    league = league_in(file)
    entry = entry_in(bot, label, league, game_of(league))
    with open_results(league, store_to_read(league, file, store)) as results:
        begins = organizer_actions.enter_bot(results, entry, time.time_ns() // 1_000_000)
    say(f"{entry.name} is entered; it {begins}")


def withdraw(
    file: File,
    bot: Annotated[str, typer.Argument(help="name@version, as in the standings.")],
    store: Url = None,
    yes: Yes = False,
) -> None:
    """Take a bot out of a league. A run may be playing it. The bot's matches in complete waves still count."""
    with opened(file, store) as results:
        require_consent(results, bot, yes=yes)
        left = organizer_actions.withdraw_bot(results, bot, time.time_ns() // 1_000_000)
    say(f"{bot} is withdrawn; {left.sentence()}")


def require_consent(results: StoredLeague, bot: str, *, yes: bool) -> None:
    """Say which matches stop counting if a bot leaves, and go on only if the organizer wants that."""
    leaving = organizer_actions.leaving_of(results, bot)
    lost = organizer_actions.lost_matches(results, leaving)
    if lost and not yes:
        ask(leaving.preview(lost), f"Take {bot} out?", f"{bot} stays in the league")


def ask(preview: str, question: str, otherwise: str) -> None:
    """Say what would happen, and go on only if the organizer wants that. `otherwise` says what happens if not."""
    say(preview)
    if not sys.stdin.isatty():
        fail(Exit.WRONG_USE, f"{otherwise}; to go on without a question, add --yes")
    if not typer.confirm(question):
        fail(Exit.WRONG_USE, otherwise)


def crosstable(
    file: File,
    bot: Annotated[
        list[str] | None, typer.Option(help="Only the lines of this bot (name@version); may be repeated.")
    ] = None,
    everything: Wide = False,
    store: Url = None,
    json: AsJson = False,
) -> None:
    """Print the results of every two bots against each other, beside those that their ratings predict."""
    with opened(file, store) as results:
        for name in bot or ():
            results.require_entered(name)
        bots = bot or [entry.name for entry in results.rated.entries]
        table = league_crosstable(results)
    if json:
        print_json(table)
        return
    width = room(everything=everything)
    found = [*results_text.crosstables(table, bots, width), results_text.pairs_table(table, bots, width)]
    notes = (results_text.SCORE_NOTE, results_text.PAIRS_NOTE, *results_text.crosstable_notes(table))
    show(results_text.interim_notes(table), found, notes, width)


def show_standings(
    file: File,
    sides: Annotated[bool, typer.Option("--sides", help="Also print the results of every bot on every side.")] = False,
    seats: Annotated[bool, typer.Option("--seats", help="Also print the results of every bot in every seat.")] = False,
    everything: Wide = False,
    store: Url = None,
    json: AsJson = False,
) -> None:
    """Print the standings of a league so far."""
    with opened(file, store) as results:
        table = league_standings(results)
    if json:
        print_json(table)
        return
    print_standings(table, room(everything=everything), sides=sides, seats=seats)


def status(file: File, store: Url = None, json: AsJson = False) -> None:
    """Print how many matches of a league are played, and how many remain."""
    with opened(file, store) as results:
        found = league_status(results)
    if json:
        print_json(found)
        return
    for name, value in _facts(found).items():
        say(f"{name.replace('_', ' ')}: {_in_words(value)}")
    if found.fleet is not None:
        say("\n  ".join((summary(found.fleet), *node_lines(found.fleet))))
    for seat in found.seats:
        since = "" if seat.since_ms is None else f" since {utc(seat.since_ms)}"
        consequence = f"; {seat.consequence}" if seat.consequence else ""
        say(f"{seat.entry} calls the service: {seat.state}{since}{consequence}")


def _facts(status: LeagueStatus) -> dict[str, object]:
    """The status without the nodes, as one list of facts by name."""
    facts: dict[str, object] = {}
    for name, value in msgspec.structs.asdict(status).items():
        match value:
            case Progress(waves, matches, void, busy):
                facts |= {"waves": waves, **msgspec.structs.asdict(matches), "void": void, "machine_busy": busy}
            case _ if name not in {"fleet", "seats"}:
                facts[name] = value
    return facts


def _in_words(value: object) -> object:
    """A part of the status, in words: names, counts by name, or a plain value."""
    match value:
        case None:
            return "kept secret until the league is closed"
        case tuple():
            return ", ".join(value) or "nobody"
        case dict():
            return ", ".join(f"{name} {count}" for name, count in value.items()) or "none yet"
        case _:
            return value


def export(
    file: File,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to write into, new or old.")],
    parquet: Annotated[
        Form | None, typer.Option(help="Instead, write Parquet with a data card: tables, or also decisions in a form.")
    ] = None,
    terms: Annotated[
        str, typer.Option("--license", help="With --parquet: the licence that the data card names.")
    ] = "unknown",
    store: Url = None,
) -> None:
    """Write the league, a table of its matches (JSON lines, CSV) and their transcripts, for other programs."""
    with opened(file, store) as results:
        matches = export_parquet(results, folder, parquet, terms) if parquet else write_export(results, folder)
    say(f"{several(matches, 'match', 'matches')} written to {folder}")


def reinstate(
    file: File, bot: Annotated[str, typer.Argument(help="name@version, as in the standings.")], store: Url = None
) -> None:
    """End the suspension of a bot for good. The next run plays the skipped matches."""
    with opened(file, store) as results:
        organizer_actions.reinstate_bot(results, bot, time.time_ns() // 1_000_000)
    say(f"{bot} is reinstated; run the league again to play what was skipped")


def retry(
    file: File,
    match: Annotated[
        list[str] | None, typer.Argument(metavar="MATCH", help="Only these matches, named as `league run` lists them.")
    ] = None,
    store: Url = None,
) -> None:
    """Let the next run play abandoned matches."""
    with opened(file, store) as results:
        count = organizer_actions.retry_abandoned(results, match or ())
        lost = league_progress(results).matches.abandoned
    if count:
        say(f"{matches_in_words(count)} taken up again; run the league again to play {'it' if count == 1 else 'them'}")
    elif lost:
        say(f"{matches_in_words(lost)} abandoned on closed deals, and not played again")
    else:
        say("no match is abandoned")


def retry_faults(
    file: File,
    since: Annotated[str, typer.Option("--from", metavar="TIME", help="When it began, as 2026-11-23T07:30 (UTC).")],
    until: Annotated[str, typer.Option("--until", metavar="TIME", help="When it was over.")],
    store: Url = None,
    yes: Yes = False,
) -> None:
    """After an outage of the machine or its network: have the matches played again that ended by a bot's fault."""
    first, end = moment(since, "--from", UTC), moment(until, "--until", UTC)
    span = range(round(first.timestamp() * 1000), round(end.timestamp() * 1000))
    with opened(file, store) as results:
        found = organizer_actions.faults_within(results, span)
        if found and not yes:
            faults = Counter(bot for _, played in found for bot in sorted(played.offenders))
            text = ", ".join(f"{bot} ({count})" for bot, count in faults.most_common())
            public = sum(results.pinned.own_deals.has(fixture.table, fixture.entries) for fixture, _ in found)
            text += f"; everybody could see the cards of {public} of them" if public else ""
            matches = several(len(found), "match", "matches")
            ask(f"{matches} would be played again: faults of {text}", "Go on?", "nothing is played again")
        count = organizer_actions.retry_faults(results, span, time.time_ns() // 1_000_000)
    say(f"{matches_in_words(count)} taken up again" + ("; run the league again" if count else ""))


def matches_in_words(count: int) -> str:
    """A number of matches and the verb, as a sentence begins."""
    return several(count, "match is", "matches are")


def print_standings(table: Standings, width: int, *, sides: bool = False, seats: bool = False) -> None:
    """Print the table of a league, in lines of `width` characters."""
    found = [results_text.standings_table(table, width)]
    found += [page for together in table.cooperation for page in results_text.cross_play_tables(together, width)]
    found += [results_text.sides_table(table, width)] if sides else []
    found += [results_text.seats_table(table, width)] if seats else []
    show(results_text.interim_notes(table), found, results_text.standings_notes(table), width)
