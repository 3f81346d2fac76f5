"""The commands of `referee league` about time: more time for submissions, a pause, and the next league of a course."""

from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo

import typer

from referee.cli.console import fail, say
from referee.core.errors import Exit, WrongUse
from referee.files.write_file import write
from tournaments.cli.arguments import File, Url
from tournaments.cli.entries import when
from tournaments.cli.submit import now_ms
from tournaments.cli.times import local_time, moment, span_s
from tournaments.config.next_league import next_league, next_name
from tournaments.league.format_settings import KnockoutSettings
from tournaments.league.model import League
from tournaments.league.service_terms import Extension
from tournaments.league.submissions import ORGANIZER
from tournaments.results.computed_tables import league_standings
from tournaments.results.league_location import NeverRun, league_in, past_league
from tournaments.results.stored_league import open_results
from tournaments.store import Pause, Store


class NotLater(WrongUse):
    """Submissions do not close later by that, or never close."""


Why = Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason, which all who see the league read.")]


def extend(
    file: File,
    closes: Annotated[str, typer.Option(metavar="TIME", help="When submissions close: 2026-11-23T23:59.")],
    why: Why,
    owner: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only for this person or team. Default: for everybody.")
    ] = None,
    store: Url = None,
) -> None:
    """Let submissions to a league close later, for everybody or for one owner of bots."""
    league, url = past_league(file, store)
    closes_ms = int(moment(closes, "--closes", local_time(now_ms()).tzinfo).timestamp() * 1_000)
    with Store(url, league.name) as league_store:
        if owner is not None:
            league_store.people.require_owner(owner)
        terms = (
            None
            if league.submissions is None
            else league.submissions.extended(league_store.calendar.extensions(), owner)
        )
        if terms is None or terms.closes_ms is None:
            raise NotLater(f"{file}: submissions never close; write closes into [submissions] first")
        if closes_ms <= terms.closes_ms:
            raise NotLater(f"--closes {closes}: they close at {when(terms.closes_ms)} anyway; name a later time")
        league_store.calendar.extend(Extension(owner or "", closes_ms, ORGANIZER, now_ms(), why))
    whose = "everybody" if owner is None else owner
    say(f"submissions of {whose} to {league.name} close at {when(closes_ms)}{_missed(league, owner)}")


def _missed(league: League, owner: str | None) -> str:
    """What a bot misses that comes after the others; empty: nothing."""
    if owner is None:
        return ""
    if isinstance(league.format, KnockoutSettings):
        return "; a knock-out that has begun takes no bots, so a later bot plays in the next league only"
    return "; a bot that comes after the start plays from the next wave on"


def pause(file: File, why: Why = "", store: Url = None) -> None:
    """Let `referee serve --run` begin no match of a league until you resume it."""
    league, url = past_league(file, store)
    with Store(url, league.name) as league_store:
        league_store.calendar.pause(Pause(ORGANIZER, now_ms(), why))
    say(f"{league.name} is paused: the service ends its run after the matches that are played now")


def resume(file: File, store: Url = None) -> None:
    """Let `referee serve --run` play a league again."""
    league, url = past_league(file, store)
    with Store(url, league.name) as league_store:
        league_store.calendar.resume(ORGANIZER, now_ms())
    say(f"{league.name} goes on when it is due")


def write_next(
    file: File,
    new: Annotated[Path, typer.Argument(metavar="NEW.toml", help="The file to write. It must not exist yet.")],
    after: Annotated[str, typer.Option(metavar="SPAN", help="How much later all times are: 7d or 1d12h.")] = "7d",
    zone: Annotated[
        str | None, typer.Option(metavar="ZONE", help="Keep the hour of this zone (Europe/Berlin) when clocks change.")
    ] = None,
    store: Url = None,
) -> None:
    """Write the file of the next league: later, and with the bots of this league until their owners submit others."""
    league = league_in(file)
    if league.store is None:
        fail(Exit.WRONG_USE, f'{file}: names no store; write store = "..." into it, which both leagues then share')
    if new.parent.resolve() != file.parent.resolve():
        fail(Exit.WRONG_USE, f"{new}: is not beside {file}, so paths in it would lead elsewhere; name a file there")
    if new.exists():
        fail(Exit.WRONG_USE, f"{new}: is there already; name a file that is not")
    seeds = _seeds(league, store or league.store)
    text = next_league(file.read_text(encoding="utf-8"), span_s(after, "--after"), _zone(zone), seeds)
    write(new, "league file", text.encode())
    say(f"{new} is the league {next_name(league.name)}; its bots come from {league.name}")


def _zone(name: str | None) -> ZoneInfo | None:
    try:
        return None if name is None else ZoneInfo(name)
    except (ValueError, OSError) as error:  # the latter also if it is not installed
        raise WrongUse(f"--zone {name}: is no time zone; write for instance Europe/Berlin") from error


def _seeds(league: League, url: str) -> list[str]:
    """The bots of a knock-out by their places in the standings; none in other formats, and if it was never run."""
    if not isinstance(league.format, KnockoutSettings):
        return []
    try:
        with open_results(league, url) as results:
            bots = [line.bot for line in league_standings(results).standings]
    except NeverRun:
        return []
    return list(dict.fromkeys(bot.partition("@")[0] for bot in bots))
