"""The pages of matches: the list, with its search, and one match."""

from collections.abc import Mapping, Sequence, Set
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import urlencode

import msgspec

from referee.drawing.svg import Element
from referee.match.transcript import FaultKind
from tournaments.play.bot_logs import LogRecord
from tournaments.web.pages import words
from tournaments.web.pages.lists import onward
from tournaments.web.pages.match_pictures import DecidedMoment, ending_texts
from tournaments.web.pages.rendering import Page
from tournaments.web.pages.urls import PageAddress
from tournaments.web.visibility.league_view import LeagueView
from tournaments.web.visibility.match_view import MatchSeatView, MatchView, ScrimmageMatch, SeatPart

FAULTS = tuple(kind.value for kind in FaultKind)
NO_BOARDS: Mapping[str, Element] = MappingProxyType({})


class SeatLine(NamedTuple):
    """A seat of a match: its public data, and the data of a closed deal."""

    view: MatchSeatView
    part: SeatPart | None
    won: bool


class MatchLine(NamedTuple):
    """A match in a list."""

    view: MatchView
    place: PageAddress | None
    ending: str
    seats: list[SeatLine]


SEARCHED = ("bot", "other", "result", "ending", "fault", "table", "seat")
"""The fields of a search for matches."""


class SearchForm(NamedTuple):
    """The search, by the name of its field; and the choices of the form."""

    values: Mapping[str, str] = MappingProxyType(dict.fromkeys(SEARCHED, ""))
    tables: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    faults: tuple[str, ...] = FAULTS
    results: tuple[str, ...] = ("won", "lost", "drawn")


class MatchesView(msgspec.Struct, frozen=True):
    """A list of matches, for programs: `next` is the position at which the next part begins."""

    items: tuple[MatchView, ...]
    next: str | None


def matches(
    league: LeagueView,
    view: MatchesView,
    here: PageAddress,
    boards: Mapping[str, Element] = NO_BOARDS,
    linked: Set[str] | None = None,
    form: SearchForm | None = None,
    wrong: str = "",
) -> Page:
    """A part of a list of matches.

    Args:
        league: the league.
        view: the part of the list.
        here: its place. If the list is that of a bot, the key names the bot.
        boards: by match, a picture of its final position.
        linked: the matches that have a page; None: all have one.
        form: the search; None if nobody can search.
        wrong: why the search cannot be made; empty if it can.
    """
    texts = ending_texts(league.game)
    context = {
        "league": league,
        "lines": listed(league, view.items, linked),
        "boards": boards,
        "asked": form,
        "endings": {name: words.ending_named(name, texts) for name in form.endings} if form else {},
        "heading": words.matches_heading(here.key, form.values["other"] if form else ""),
        "wrong": words.sentence(wrong) if wrong else "",
    }
    return Page(here, "Matches", "matches", context, view, onward(here, view.next))


def listed(league: LeagueView, views: Sequence[MatchView], linked: Set[str] | None = None) -> list[MatchLine]:
    """Matches as lines of a list; the arguments are those of `matches`."""
    texts = ending_texts(league.game)
    return [
        MatchLine(
            each,
            PageAddress("match", league.name, each.match) if linked is None or each.match in linked else None,
            words.ending(each, texts),
            _sat(each),
        )
        for each in views
    ]


def _sat(match: MatchView) -> list[SeatLine]:
    parts = {part.seat: part for part in match.closed.seats} if match.closed else {}
    drawn = len({seat.place for seat in match.seats}) == 1 and not words.is_together(match)
    return [SeatLine(seat, parts.get(seat.seat), seat.place == 1 and not drawn) for seat in match.seats]


class MatchReplay(NamedTuple):
    """What a page needs to show a match step by step.

    Attributes:
        begin: the first position.
        result: who won, and why.
        recording: all steps; empty if a page of their own has them.
        page: the address of that page; None if there is none.
    """

    begin: Element
    result: str
    recording: str = ""
    page: PageAddress | None = None


class DealLine(NamedTuple):
    """A match on the deal of another.

    Attributes:
        view: the match.
        result: who won.
        seats: the bots by seat, with their places.
        place: the page of the match; None if it has none.
        difference: the page with the first decision that differs; None if there is none.
        is_rated: whether it counts; a scrimmage does not.
    """

    view: MatchView | ScrimmageMatch
    result: str
    seats: list[str]
    place: PageAddress | None = None
    difference: PageAddress | None = None
    is_rated: bool = True


class SameDeal(NamedTuple):
    """Other matches on the deal of a match.

    Attributes:
        lines: the matches.
        spar: the command with which the viewer has the deal played by other bots; empty if the viewer cannot.
    """

    lines: Sequence[DealLine] = ()
    spar: str = ""


NO_DEAL = SameDeal()


def deal_line(view: MatchView | ScrimmageMatch, other: PageAddress | None, here: PageAddress) -> DealLine:
    """A match on the deal of the match at `here`.

    `other` is its page, None if there is none; the match itself has none either.
    """
    query = urlencode({"other": other.key}) if other else ""
    seats = [
        f"{each.place}. {words.bot(each.bot)}" + ("" if each.score is None else f" ({each.score})")
        for each in view.seats
    ]
    return DealLine(
        view,
        words.winners(view) if isinstance(view, MatchView) else view.ending.replace("_", " "),
        seats,
        other,
        here._replace(kind="difference", query=query) if other else None,
        isinstance(view, MatchView),
    )


def difference(
    league: LeagueView,
    views: tuple[MatchView, MatchView],
    here: PageAddress,
    moments: tuple[DecidedMoment, DecidedMoment] | None,
) -> Page:
    """The first decision that differs in two matches on one deal; `moments` is None if there is none."""
    return Page(here, "First difference", "difference", {"views": views, "found": moments, "league": league}, None)


def match(
    league: LeagueView,
    view: MatchView,
    here: PageAddress,
    replay: MatchReplay | None = None,
    beside: tuple[str | None, str | None] = (None, None),
    wrote: Sequence[LogRecord] = (),
    same_deal: SameDeal = NO_DEAL,
) -> Page:
    """One match.

    Args:
        league: the league.
        view: the match.
        here: its place.
        replay: its replay; None if it is hidden or cannot be drawn.
        beside: the matches just before and just after it in the list of matches.
        wrote: the output of the viewer's own bots.
        same_deal: other matches on its deal.
    """
    context = {
        "league": league,
        "ending": words.ending(view, ending_texts(league.game)),
        "seats": _sat(view),
        "scored": any(seat.score is not None for seat in view.seats),
        "replay": replay,
        "beside": [each and here._replace(key=each) for each in beside],
        "wrote": wrote,
        "same_deal": [deal_line(view, None, here), *same_deal.lines] if same_deal.lines else [],
        "each_time": words.each_time(
            [view, *(line.view for line in same_deal.lines if isinstance(line.view, MatchView))]
        ),
        "spar": same_deal.spar,
        "options": words.options_of(league, view.table),
    }
    return Page(here, words.players(view), "match", context, view)
