"""The pages of a league and of the list of leagues."""

from collections.abc import Mapping, Sequence
from functools import partial

import msgspec

from referee.drawing.svg import Element
from tournaments.web.pages import words
from tournaments.web.pages.bots import link
from tournaments.web.pages.highlights import OpenToAll
from tournaments.web.pages.rendering import Page
from tournaments.web.pages.urls import PageAddress
from tournaments.web.visibility.league_view import LeagueView, OperationView


def league(
    view: LeagueView, here: PageAddress, left_s: float | None = None, operation: OperationView | None = None
) -> Page:
    """The settings of a league, its progress, and the visible facts about its seed.

    `operation` says for the organizer how it is played; None for other viewers.
    """
    left = view.progress.left if view.progress and view.phase == "under way" else None
    context = {
        "league": view,
        "left_s": left_s,
        "operation": operation,
        "to_end": words.left(left * 60 / operation.a_minute) if operation and operation.a_minute and left else "",
        "link": partial(link, view, linked=frozenset()),
    }
    return Page(here, "How it works", "league", context, view)


def show(first: Page, film: Element | None = None) -> Page:
    """The first page of a league, for a projector: larger, with less on it, and with nothing to click.

    `film` is the course of the match that has a board there.
    """
    context = {**first.context, "table": first.value, "film": film}
    return Page(first.place, "On a projector", "show", context, None)


class LeaguesView(msgspec.Struct, frozen=True):
    """The leagues, for programs."""

    items: tuple[LeagueView, ...]


def leagues(views: Sequence[LeagueView], fronts: Mapping[str, OpenToAll] | None = None) -> Page:
    """The list of leagues: those that are played now first. `fronts` are by the name of the league."""
    context = {"leagues": sorted(views, key=lambda each: each.phase != "under way"), "fronts": fronts or {}}
    return Page(PageAddress("leagues"), "Leagues", "leagues", context, LeaguesView(tuple(views)))


def waiting(view: LeagueView, here: PageAddress) -> Page:
    """The page for a table that is not computed yet."""
    return Page(here, words.MENU.get(here.kind, here.kind), "waiting", {"league": view, "left_s": None}, None)


def problem(title: str, detail: str) -> Page:
    """The page for a refused request, with one reason a line."""
    sentences = [words.sentence(line) for line in detail.splitlines() if line]
    return Page(PageAddress("leagues"), title, "problem", {"sentences": sentences}, None)


_FORMS = {"login": "Log in", "submit": "Submit a bot"}


def form(view: LeagueView, name: str, wrong: str) -> Page:
    """A form, `login` or `submit`; `wrong` names the error in the form that was sent before."""
    return Page(PageAddress("entries", view.name), _FORMS[name], name, {"league": view, "wrong": wrong}, None)
