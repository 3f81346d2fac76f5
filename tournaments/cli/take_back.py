"""`referee league take-back`: waves that were decided on matches that were never played."""

from referee.cli.console import say
from referee.core.plural import several
from tournaments.cli.arguments import File, Url
from tournaments.maintenance.take_back import take_back
from tournaments.results.league_location import past_league


def take_back_waves(file: File, store: Url = None) -> None:
    """Take back waves that were decided on matches that were never played; the next run decides them again."""
    count = take_back(*past_league(file, store))
    say(f"{several(count, 'wave is', 'waves are')} taken back; run the league again to play new ones, on new deals")
