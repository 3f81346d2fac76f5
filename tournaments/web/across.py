"""Pages about all leagues of a server: a bot, an author, and the search. They show what a visitor may see."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

from tournaments.league.submissions import ORGANIZER
from tournaments.results.bot_losses import bare_name
from tournaments.web.page_router import Pages
from tournaments.web.pages import leagues, words
from tournaments.web.pages.bots import link
from tournaments.web.pages.match_pictures import ending_texts
from tournaments.web.pages.rendering import Page
from tournaments.web.pages.urls import Kind, PageAddress
from tournaments.web.queries import LeagueQueries, NotThere, NotYet
from tournaments.web.queries.list_page import MOST, has_text
from tournaments.web.visibility.bot_view import BotView, EntryView, LossesView
from tournaments.web.visibility.league_view import LeagueView

_FOUND = 20
"""The most results of each kind."""


class InLeague(NamedTuple):
    """Entries of a bot or an author in a league, the latest first, and the losses of the first that has any."""

    league: LeagueView
    bots: Sequence[BotView]
    losses: LossesView | None = None

    @property
    def trends(self) -> list[tuple[str, Sequence[float | None]]]:
        """The ratings over time of the entries that have any."""
        return [(each.bot, each.results.standing.trend) for each in self.bots if each.results is not None]


def home(showings: Iterable[LeagueQueries], _text: str = "") -> Page:
    """The list of leagues, with what each of them is worth a look for."""
    every = [Pages(each) for each in showings]
    return leagues.leagues([each.league for each in every], {each.league.name: each.front() for each in every})


def profile(showings: Iterable[LeagueQueries], name: str) -> Page:
    """A bot of this name, without label and version, in all leagues.

    Raises:
        NotThere: no league has one.
    """
    return _entrants(showings, "profile", name, lambda entry: bare_name(entry.bot) == name)


def author(showings: Iterable[LeagueQueries], name: str) -> Page:
    """The bots of an author in all leagues.

    Raises:
        NotThere: no league has one.
    """
    return _entrants(showings, "author", name, lambda entry: entry.author == name)


def _entrants(showings: Iterable[LeagueQueries], kind: Kind, name: str, fits: Callable[[EntryView], bool]) -> Page:
    found = [_entered(each, entries) for each in showings if (entries := [*filter(fits, _entries(each, name))])]
    if not found:
        raise NotThere(f"no league has {name[:64]!r}")
    context = {
        "found": found,
        "authors": sorted({bot.author for each in found for bot in each.bots}),
        "endings": {each.league.name: ending_texts(each.league.game) for each in found},
        "link": link,
    }
    return Page(PageAddress(kind, key=name), name, kind, context, None)


def find(showings: Iterable[LeagueQueries], text: str) -> Page:
    """What has the text in its name: leagues, bots and authors; and the match whose id it is."""
    every = [*showings]
    views, entries = [each.league() for each in every], [entry for each in every for entry in _entries(each, text)]
    context = {
        "text": text,
        "leagues": [each for each in views if has_text(text, each.name, words.title(each))][:_FOUND],
        "bots": sorted({bare_name(entry.bot) for entry in entries if has_text(text, entry.bot)})[:_FOUND],
        "authors": sorted({entry.author for entry in entries if has_text(text, entry.author)} - {ORGANIZER})[:_FOUND],
        "matches": [it for each, league in zip(every, views, strict=True) for it in _match(each, league, text)],
    }
    return Page(PageAddress("find"), "Search", "find", context if text else {"text": ""}, None)


def _match(showing: LeagueQueries, league: LeagueView, text: str) -> list[tuple[PageAddress, str]]:
    with suppress(NotThere):
        found = showing.match(text)
        return [(PageAddress("match", league.name, found.match), f"{words.players(found)}: {words.match_title(found)}")]
    return []


def _entries(showing: LeagueQueries, text: str) -> Sequence[EntryView]:
    return showing.entries(most=MOST, find=text).items


def _entered(showing: LeagueQueries, entries: Sequence[EntryView]) -> InLeague:
    bots = [showing.bot(entry.bot) for entry in reversed(entries)]
    for bot in bots:
        with suppress(NotYet, NotThere):
            return InLeague(showing.league(), bots, showing.losses(bot.bot))
    return InLeague(showing.league(), bots)
