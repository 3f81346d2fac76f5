"""The commands of `referee league` that show the results of a league, or change which matches count."""

import time
from collections import Counter
from datetime import UTC
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from referee.cli.console import AsJson, print_json, print_json_line, say
from referee.core.text import several
from referee.match.narrator import tell_remarks
from tournaments.cli import result_tables
from tournaments.cli.arguments import File, Url, Wide, Yes
from tournaments.cli.deadline import moment
from tournaments.cli.node_text import node_lines, summary
from tournaments.cli.open_league import opened
from tournaments.cli.roster import ask
from tournaments.cli.table_layout import room, show
from tournaments.league.model import StoredMatch
from tournaments.results.export_files import export as write_export
from tournaments.results.standings import Standings
from tournaments.results.stored_league import StoredLeague


def show_standings(
    file: File,
    sides: Annotated[bool, typer.Option("--sides", help="Also print the results of every bot on every side.")] = False,
    seats: Annotated[bool, typer.Option("--seats", help="Also print the results of every bot in every seat.")] = False,
    everything: Wide = False,
    store: Url = None,
    json: AsJson = False,
) -> None:
    """Print the standings of a league so far."""
    with opened(file, store) as kept:
        table = kept.standings()
    if json:
        print_json(table)
        return
    print_standings(table, room(everything=everything), sides=sides, seats=seats)


def status(file: File, store: Url = None, json: AsJson = False) -> None:
    """Print how many matches of a league are played, and how many remain."""
    with opened(file, store) as kept:
        found = kept.status()
    if json:
        print_json(found)
        return
    for name, value in msgspec.structs.asdict(found).items():
        if name != "fleet":
            say(f"{name.replace('_', ' ')}: {_in_words(value)}")
    if found.fleet is not None:
        say("\n  ".join((summary(found.fleet), *node_lines(found.fleet))))


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


def matches(
    file: File,
    store: Url = None,
    bot: Annotated[str | None, typer.Option(help="Only matches of this bot (name@version).")] = None,
    faults: Annotated[bool, typer.Option("--faults", help="Only matches that a fault cut short.")] = False,
    json: AsJson = False,
) -> None:
    """List the played matches in plan order, with the reason if a bot failed."""
    with opened(file, store) as kept:
        if bot is not None:
            kept.require_known(bot)
        for match in kept.matches():
            if (bot is None or bot in match.entries) and (match.faults or not faults):
                _print_match(kept, match, json)


def export(
    file: File,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to write into, new or old.")],
    store: Url = None,
) -> None:
    """Write the league, a table of its matches (JSON lines, CSV) and their transcripts, for other programs."""
    with opened(file, store) as kept:
        matches = write_export(kept, folder)
    say(f"{several(matches, 'match', 'matches')} written to {folder}")


def reinstate(
    file: File, bot: Annotated[str, typer.Argument(help="name@version, as in the standings.")], store: Url = None
) -> None:
    """End the suspension of a bot for good. The next run plays the skipped matches."""
    with opened(file, store) as kept:
        kept.reinstate(bot, time.time_ns() // 1_000_000)
    say(f"{bot} is reinstated; run the league again to play what was skipped")


def retry(
    file: File,
    match: Annotated[
        list[str] | None, typer.Argument(metavar="MATCH", help="Only these matches, named as `league run` lists them.")
    ] = None,
    store: Url = None,
) -> None:
    """Let the next run play abandoned matches."""
    with opened(file, store) as kept:
        count = kept.retry(match or ())
        lost = kept.progress().abandoned
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
    with opened(file, store) as kept:
        found = kept.faults_within(span)
        if found and not yes:
            faults = Counter(bot for _, played in found for bot in sorted(played.offenders))
            told = ", ".join(f"{bot} ({count})" for bot, count in faults.most_common())
            public = sum(kept.pinned.own_deals.has(fixture.table, fixture.entries) for fixture, _ in found)
            told += f"; everybody could see the cards of {public} of them" if public else ""
            matches = several(len(found), "match", "matches")
            ask(f"{matches} would be played again: faults of {told}", "Go on?", "nothing is played again")
        count = kept.retry_faults(span, time.time_ns() // 1_000_000)
    say(f"{matches_in_words(count)} taken up again" + ("; run the league again" if count else ""))


def matches_in_words(count: int) -> str:
    """A number of matches and the verb, as a sentence begins."""
    return several(count, "match is", "matches are")


def print_standings(table: Standings, width: int, *, sides: bool = False, seats: bool = False) -> None:
    """Print the table of a league, in lines of `width` characters."""
    found = [result_tables.standings_table(table, width)]
    found += [page for together in table.cooperation for page in result_tables.cross_play_tables(together, width)]
    found += [result_tables.sides_table(table, width)] if sides else []
    found += [result_tables.seats_table(table, width)] if seats else []
    show(result_tables.interim_notes(table), found, result_tables.standings_notes(table), width)


def _print_match(kept: StoredLeague, match: StoredMatch, json: bool) -> None:
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
