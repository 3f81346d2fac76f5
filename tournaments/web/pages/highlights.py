"""The matches of a league that are worth a look, and who leads: for the first pages of a site and of a league."""

from collections.abc import Sequence, Set
from typing import NamedTuple

from referee.drawing.svg import Element
from tournaments.results.bot_losses import Highlights
from tournaments.results.league_events import LeagueEvent
from tournaments.results.standings import StandingView
from tournaments.web.pages import words
from tournaments.web.pages.bots import MatchLink, link
from tournaments.web.pages.number_format import percent
from tournaments.web.visibility.league_view import LeagueView
from tournaments.web.visibility.match_view import MatchView


class Highlight(NamedTuple):
    """A match that is worth a look: its id, why, its bots with a link, and a note about it; its middle, if drawn."""

    id: str
    reason: str
    match: MatchLink
    about: str
    board: Element | None = None


class OpenToAll(NamedTuple):
    """Matches on closed deals and more, for the first page of a league and for the list of leagues.

    Attributes:
        worth: those that are worth a look.
        latest: those that were stored last, the last first: what happened, how it ended, and where it can be watched.
        board: the last of them with a picture, from its middle; None if there is none.
        events: what happened in the league, the latest first.
        leaders: the first lines of its standings, for the list of leagues; empty before the first match.
    """

    worth: Sequence[Highlight] = ()
    latest: Sequence[tuple[str, str, MatchLink]] = ()
    board: tuple[MatchView, Element, MatchLink] | None = None
    events: Sequence[LeagueEvent] = ()
    leaders: Sequence[StandingView] = ()


def highlights(league: LeagueView, candidates: Highlights, linked: Set[str] | None = None) -> list[Highlight]:
    """The highlights; `linked` are the matches that have a page, or None if all have one."""
    even = [match for match in candidates.even if linked is None or match in linked][:1]
    about = "the page hides the result until you ask for it"
    items = [Highlight(match, "Closest match of the day", link(league, match, linked), about) for match in even]
    if (lost := candidates.surprise) is not None:
        about = f"{words.bot(lost.bot)} lost; the ratings expected a score of {percent(lost.expected)}"
        items.append(Highlight(lost.match, "Most surprising match of the day", link(league, lost.match, linked), about))
    return items
