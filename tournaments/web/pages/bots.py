"""The pages of a bot, of the entries of a league, and of a submission."""

from collections.abc import Sequence, Set
from typing import NamedTuple

import msgspec

from tournaments.league.submissions import State
from tournaments.web.pages import words
from tournaments.web.pages.lists import TableSearch, columns, onward
from tournaments.web.pages.matches import listed
from tournaments.web.pages.rendering import Page
from tournaments.web.pages.result_tables import ScoreShare, of_seats, of_sides
from tournaments.web.pages.scales import DrawnRating, Scale
from tournaments.web.pages.urls import PageAddress
from tournaments.web.visibility.bot_view import BotView, OpponentView, ResultsView
from tournaments.web.visibility.entry_view import EntryView, SubmissionView
from tournaments.web.visibility.league_view import LeagueView
from tournaments.web.visibility.match_view import MatchView


class Opponent(NamedTuple):
    """An opponent, and the address of its page."""

    view: OpponentView
    place: PageAddress


class Version(NamedTuple):
    """An entry of the same name."""

    bot: str
    place: PageAddress
    here: bool


def bot(
    league: LeagueView, view: BotView, latest: Sequence[MatchView], here: PageAddress, linked: Set[str] | None = None
) -> Page:
    """One bot, with its latest matches. `linked` are the matches that have a page; None: all have one."""
    return Page(
        here,
        view.bot,
        "bot",
        {
            "bot": view,
            "membership": words.membership(view.membership),
            "suspension": words.suspension(view.results.faults if view.results else {})
            if view.membership == "suspended"
            else "",
            "versions": [
                Version(name, PageAddress("bot", league.name, name), name == view.bot) for name in view.versions
            ],
            "results": None if view.results is None else _results(league, view.results),
            "lines": listed(league, latest, linked=linked),
            "every": PageAddress("matches", league.name, view.bot),
            "losses": PageAddress("losses", league.name, view.bot),
        },
        view,
    )


class BotResults(NamedTuple):
    """The results of a bot: the values, its rating on a scale, and its opponents."""

    view: ResultsView
    scale: Scale
    drawn: DrawnRating
    best: list[Opponent]
    worst: list[Opponent]
    seats: list[ScoreShare]
    sides: list[ScoreShare]


def _results(league: LeagueView, results: ResultsView) -> BotResults:
    rated = results.standing.rating, results.standing.interval
    scale = Scale([rated])
    best, worst = (
        [Opponent(each, PageAddress("bot", league.name, each.bot)) for each in found]
        for found in (results.best, results.worst)
    )
    return BotResults(
        results, scale, scale.drawn(*rated), best, worst, of_seats(results.seats), of_sides(results.sides)
    )


class Entered(NamedTuple):
    """An entry, and the address of its page."""

    view: EntryView
    place: PageAddress
    membership: str


class Submitted(NamedTuple):
    """A submission, and the address of its page."""

    view: SubmissionView
    place: PageAddress


_HAVE_A_PAGE = frozenset[State]({"entered", "withdrawn", "disabled"})
"""The states of submissions whose bot is or was in the league."""


class EntriesView(msgspec.Struct, frozen=True):
    """A part of the entries, and the submissions of the viewer, for programs."""

    items: tuple[EntryView, ...]
    next: str | None
    submissions: tuple[SubmissionView, ...]


def entries(league: LeagueView, view: EntriesView, here: PageAddress, search: TableSearch | None = None) -> Page:
    """The bots that are or were in a league, and the submissions of the viewer.

    `search` is the order and the search; None if nobody can sort or search.
    """
    return Page(
        here,
        "Entries",
        "entries",
        {
            "entries": [
                Entered(each, PageAddress("bot", league.name, each.bot), words.membership(each.membership))
                for each in view.items
            ],
            "submissions": [
                Submitted(each, PageAddress("entry", league.name, str(each.number))) for each in view.submissions
            ],
            "takes": words.takes_bots(league),
            "columns": columns(here, search, {"bot": "bot", "author": "author", "state": "state"}, "bot"),
            "asked": search,
        },
        view,
        onward(here, view.next),
    )


def submission(league: LeagueView, view: SubmissionView, here: PageAddress) -> Page:
    """The state of a submission, with its log."""
    context = {
        "submission": view,
        "bot": PageAddress("bot", league.name, view.bot) if view.state in _HAVE_A_PAGE else None,
        "becomes": words.becomes(view),
    }
    return Page(here, words.submitted(view), "submission", context, view)
