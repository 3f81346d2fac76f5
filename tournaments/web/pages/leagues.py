"""The pages of a league and of the list of leagues."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from tournaments.web.pages import words
from tournaments.web.pages.highlights import LeagueFront
from tournaments.web.pages.losses import link
from tournaments.web.pages.number_format import span
from tournaments.web.pages.rendering import MenuLink, Page
from tournaments.web.pages.urls import PageAddress
from tournaments.web.visibility.league_view import LeagueView, OperationView, TableView

NO_FRONTS: Mapping[str, LeagueFront] = MappingProxyType({})


class TableLine(NamedTuple):
    """A table of the league, with its options in words."""

    view: TableView
    options: str
    sides: str


def league(
    view: LeagueView, here: PageAddress, left_s: float | None = None, operation: OperationView | None = None
) -> Page:
    """The settings of a league, its progress, and the visible facts about its seed.

    `operation` says for the organizer how it is played; None for other viewers.
    """
    left = view.progress.left if view.progress and view.phase == "under way" else None
    return Page(
        here,
        "League",
        "league",
        {
            "league": view,
            "left_s": left_s,
            "format": words.settings(view),
            "clock": words.clock(view.clock),
            "tables": [TableLine(table, words.options(table), words.sides(table)) for table in view.tables],
            "suspended": [(name, PageAddress("bot", view.name, name)) for name in view.suspended],
            "closed": words.closed(view),
            "takes": words.takes_bots(view),
            "fleet": view.fleet,
            "operation": operation,
            "to_end": words.left(span(left * 60 / operation.a_minute))
            if operation and operation.a_minute and left
            else "",
            "void_links": [link(view, each.match, frozenset()) for each in operation.latest] if operation else [],
        },
        view,
    )


class LeagueLine(NamedTuple):
    """A league in the list."""

    view: LeagueView
    format: str
    phase: str
    place: PageAddress
    front: LeagueFront | None


class LeaguesView(msgspec.Struct, frozen=True):
    """The leagues, for programs."""

    items: tuple[LeagueView, ...]


def leagues(views: Sequence[LeagueView], fronts: Mapping[str, LeagueFront] = NO_FRONTS) -> Page:
    """The list of leagues: those that are played now first. `fronts` are by the name of the league."""
    lines = [
        LeagueLine(
            each,
            words.format_of(each),
            words.phase(each),
            PageAddress("standings", each.name),
            fronts.get(each.name),
        )
        for each in sorted(views, key=lambda each: each.phase != "under way")
    ]
    return Page(PageAddress("leagues"), "Leagues", "leagues", {"lines": lines}, LeaguesView(tuple(views)))


def waiting(view: LeagueView, here: PageAddress) -> Page:
    """The page for a table that is not computed yet."""
    return Page(here, words.MENU.get(here.kind, here.kind), "waiting", {"league": view, "left_s": None}, None)


def problem(title: str, detail: str) -> Page:
    """The page for a refused request, with one reason a line."""
    return Page(
        PageAddress("leagues"),
        title,
        "problem",
        {"sentences": [words.sentence(line) for line in detail.splitlines() if line]},
        None,
    )


_FORMS = {"login": "Log in", "submit": "Submit a bot"}


def form(view: LeagueView, name: str, wrong: str) -> Page:
    """A form, `login` or `submit`; `wrong` names the error in the form that was sent before."""
    return Page(PageAddress("entries", view.name), _FORMS[name], name, {"league": view, "wrong": wrong}, None)


def menu(view: LeagueView) -> tuple[MenuLink, ...]:
    """The menu of a league, with links only to the pages that it has."""
    has = {
        "rounds": words.has_rounds(view),
        "crosstable": any(len(table.sides) != 1 for table in view.tables),
        "crossplay": any(len(table.sides) == 1 for table in view.tables),
    }
    kinds = [kind for kind in words.MENU if has.get(kind, True)]
    return tuple(MenuLink(PageAddress(kind, view.name), words.MENU[kind]) for kind in kinds)
