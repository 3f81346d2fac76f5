"""`referee league take-back`: waves that were decided on matches that were never played."""

from referee.cli.console import say
from tournaments.cli.arguments import File, Url
from tournaments.maintenance.take_back import take_back
from tournaments.results.stored_league import league_in, store_of


def take_back_waves(file: File, store: Url = None) -> None:
    """Take back waves that were decided on matches that were never played; the next run decides them anew."""
    league = league_in(file)
    count = take_back(league, store or store_of(league, file))
    waves = "1 wave is" if count == 1 else f"{count} waves are"
    say(f"{waves} taken back; run the league again to play new ones, on new deals")
