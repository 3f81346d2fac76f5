"""The pages of a league and of the list of leagues."""

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType

import msgspec

from tournaments.web.pages import words
from tournaments.web.pages.bots import link
from tournaments.web.pages.highlights import LeagueFront
from tournaments.web.pages.rendering import Page
from tournaments.web.pages.urls import PageAddress
from tournaments.web.visibility.league_view import LeagueView, OperationView

NO_FRONTS: Mapping[str, LeagueFront] = MappingProxyType({})


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
    return Page(here, "League", "league", context, view)


class LeaguesView(msgspec.Struct, frozen=True):
    """The leagues, for programs."""

    items: tuple[LeagueView, ...]


def leagues(views: Sequence[LeagueView], fronts: Mapping[str, LeagueFront] = NO_FRONTS) -> Page:
    """The list of leagues: those that are played now first. `fronts` are by the name of the league."""
    context = {"leagues": sorted(views, key=lambda each: each.phase != "under way"), "fronts": fronts}
    return Page(PageAddress("leagues"), "Leagues", "leagues", context, LeaguesView(tuple(views)))


def waiting(view: LeagueView, here: PageAddress) -> Page:
    """The page for a table that is not computed yet."""
    return Page(here, words.MENU.get(here.kind, here.kind), "waiting", {"league": view, "left_s": None}, None)


def problem(title: str, detail: str) -> Page:
    """The page for a refused request, with one reason a line."""
    sentences = [words.sentence(line) for line in detail.splitlines() if line]
    return Page(PageAddress("leagues"), title, "problem", {"sentences": sentences}, None)


def submit(view: LeagueView) -> Page:
    """The form to submit a bot."""
    return Page(PageAddress("entries", view.name), "Submit a bot", "submit", {"league": view}, None)


def account(title: str, template: str, **context: object) -> Page:
    """A page of accounts: `login`, `join`, `me` or `people`. It belongs to no league."""
    return Page(PageAddress("leagues"), title, template, context, None)
