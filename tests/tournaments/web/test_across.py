"""Pages about all leagues of a server: a bot, an author and the search."""

from html import unescape
from typing import Any

import pytest

from tests.tournaments.web.pages import values
from tests.tournaments.web.pages.test_pages import Parsed
from tests.tournaments.web.showing import pretended
from tournaments.results.bot_losses import VersionLead
from tournaments.web import across
from tournaments.web.pages import words
from tournaments.web.pages.rendering import Page, PageFrame, rendered
from tournaments.web.pages.urls import SERVED, PageAddress
from tournaments.web.queries import LeagueQueries, NotThere

LEAGUES = [pretended(values.league(name=name), 3) for name in ("autumn", "winter")]


def text_of(page: Page) -> str:
    return " ".join(Parsed(rendered(page, PageFrame(base=""), SERVED)).text.split())


def links_of(page: Page) -> set[str]:
    found = Parsed(rendered(page, PageFrame(base=""), SERVED))
    return {unescape(value or "") for name, value in found.attributes if name == "href"}


def test_a_bot_has_a_page_with_its_places_in_all_leagues_and_why_it_lost() -> None:
    page = across.profile(LEAGUES, "bob")
    text = text_of(page)
    assert text.count("Why bob v1 lost") == 2
    assert "worn out" in text
    assert {"/leagues/autumn/bot/bob@1", "/leagues/winter/bot/bob@1"} <= links_of(page)


def test_an_author_has_a_page_with_all_bots() -> None:
    page = across.author(LEAGUES, "organizer")
    assert {f"/leagues/{league}/bot/{bot}@1" for league in ("autumn", "winter") for bot in ("ann", "cid")} <= links_of(
        page
    )


@pytest.mark.parametrize("make", [across.profile, across.author])
def test_what_no_league_has_is_not_there(make: Any) -> None:
    with pytest.raises(NotThere):
        make(LEAGUES, "zoe")


def test_the_search_finds_leagues_bots_and_matches_and_no_organizer() -> None:
    assert "/bots/ann" in links_of(across.find(LEAGUES, "AN"))
    assert "/leagues/winter/standings" in links_of(across.find(LEAGUES, "wint"))
    match = values.FIXTURE.format(1)
    assert f"/leagues/autumn/match/{match}" in links_of(across.find(LEAGUES, match))
    assert "/authors/organizer" not in links_of(across.find(LEAGUES, "organizer"))
    assert "Nothing has this in its name." in text_of(across.find(LEAGUES, "zoe"))
    assert "Nothing has this in its name." not in text_of(across.find(LEAGUES, ""))


def test_no_kind_of_results_has_more_than_twenty() -> None:
    many: LeagueQueries = pretended(values.league(bots=90))
    found = [link for link in links_of(across.find([many], "bot")) if link.startswith("/bots/")]
    assert len(found) == 20


def test_a_page_of_a_bot_in_a_league_leads_to_all_leagues_only_on_a_server() -> None:
    to = SERVED.to(PageAddress("profile", key="greedy"))
    assert to == "/bots/greedy"
    assert SERVED.to(PageAddress("find")) == "/find"


@pytest.mark.parametrize(
    ("interval", "than"),
    [
        ((0.1, 0.4), "better than"),
        ((-0.4, -0.1), "worse than"),
        ((-0.1, 0.3), "not told apart from"),
        (None, "not told"),
    ],
)
def test_a_version_is_better_only_if_its_interval_says_so(interval: tuple[float, float] | None, than: str) -> None:
    said = words.verdict("a@3", VersionLead("a@2", 480, 0.25, interval))
    assert said.startswith(f"a v3 is {than}")
    assert said.endswith("on 480 equal deals")
