"""A site is whole: every link in it leads to a file of it, and a reader without a server has all of it."""

import json
import posixpath
import re
from functools import cache
from typing import Any
from urllib.parse import unquote

import pytest
from msgspec.structs import replace

from tests.drawing.matches import QUICK, golden_match
from tests.tournaments.web.pages import values
from tests.tournaments.web.showing import ICON, pretended
from tournaments.league.service_terms import About
from tournaments.web.pages.rendering import FILES_ONLY
from tournaments.web.static_site import Site, files_of
from tournaments.web.visibility.league_view import LeagueView

COOPERATIVE = values.league(game="agonia", tables=(values.table("main", 2, ((0, 1),)),))
BETRAYED = values.league(game="inside-job", tables=(values.table("four", 4), values.table("five", 5, roles="on")))
LEAGUES = {
    "round-robin": values.league(),
    "gauntlet": values.league(format={"kind": "gauntlet", "challengers": ["ann"]}),
    "swiss": values.league(format={"kind": "swiss"}),
    "knockout": values.league(format={"kind": "knockout"}),
    "open": values.league(format={"kind": "open", "matches": 1_000}),
    "cooperative": COOPERATIVE,
    "inside-job": BETRAYED,
    "large": values.league(bots=110, format={"kind": "swiss"}),
}
TRANSCRIPT = golden_match(min(QUICK, key=str))


MATCHES = {"round-robin": 110}
"""How many matches a league has. One has more than a page of a list; the others have a few."""


@cache
def whole_site(name: str) -> dict[str, bytes]:
    return site(LEAGUES[name], matches=MATCHES.get(name, 6))


def site(league: LeagueView, **other: Any) -> dict[str, bytes]:
    """All files by path."""
    how: dict[str, Any] = {"matches": 6, "transcript": TRANSCRIPT} | other
    showing = pretended(league, **how)
    every = list(files_of([Site(showing, values.NOW_MS, None, replays=2)], values.NOW_MS))
    paths = [file.path for file in every]
    assert len(paths) == len(set(paths))
    return dict(every)


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=[pytest.mark.slow] if name == "large" else []) for name in LEAGUES],
)
def files(request: pytest.FixtureRequest) -> dict[str, bytes]:
    return whole_site(request.param)


def links(path: str, page: str) -> set[str]:
    found = (unquote(link) for link in re.findall(r'(?:href|src)="([^"#]+)"', page) if link != "data:,")
    return {posixpath.normpath(posixpath.join(posixpath.dirname(path), link)) for link in found}


@pytest.mark.slow
def test_every_link_leads_to_a_file_and_every_file_is_reached_from_the_first(files: dict[str, bytes]) -> None:
    reached, waiting = {"index.html"}, ["index.html"]
    while waiting:
        path = waiting.pop()
        if path.endswith(".html"):
            found = links(path, files[path].decode())
            assert found <= files.keys(), path
            waiting += found - reached
            reached |= found
    assert files.keys() - reached == {"look/board-agonia.css"} & files.keys() - reached


def test_every_page_says_what_it_may_do_and_its_json_can_be_read(files: dict[str, bytes]) -> None:
    for path, content in files.items():
        if path.endswith(".json"):
            json.loads(content)
        elif path.endswith(".html"):
            assert FILES_ONLY.replace("'", "&#39;") in content.decode()


def test_matches_on_closed_deals_can_be_watched_and_no_more_than_were_asked_for() -> None:
    found = whole_site("round-robin")
    assert sum(b'id="recording"' in content for path, content in found.items() if path.endswith(".html")) == 2
    assert (
        sum(path.startswith("autumn/matches/") and path.count("/") == 2 for path in found if path.endswith(".html"))
        >= 2
    )


def test_nothing_of_an_open_deal_can_be_watched() -> None:
    found = site(LEAGUES["round-robin"], transcript=None)
    assert not any(b'id="recording"' in content for path, content in found.items() if path.endswith(".html"))
    assert b'svg class="board"' not in b"".join(found.values())


def test_a_league_that_was_never_run_has_a_site_that_says_so() -> None:
    league = replace(LEAGUES["swiss"], progress=None, phase="waiting", stored=0)
    found = site(league, matches=0, computed=False)
    assert b"Nothing is played yet" in found["autumn/index.html"]
    assert all(links(path, page.decode()) <= found.keys() for path, page in found.items() if path.endswith(".html"))


def test_a_league_whose_tables_are_not_computed_yet_does_not_say_that_nothing_is_played() -> None:
    page = site(replace(LEAGUES["swiss"], progress=None), matches=0, computed=False)["autumn/index.html"]
    assert b"Nothing is played yet" not in page
    assert b"The tables come in a minute or two" in page
    assert b" of 0 matches" not in page


def test_the_icon_of_a_league_is_a_file_beside_its_pages() -> None:
    found = site(replace(LEAGUES["swiss"], about=About(icon="icon.svg")), matches=0)
    assert found["autumn/icon.svg"] == ICON
    assert "autumn/icon.svg" in links("autumn/index.html", found["autumn/index.html"].decode())
    assert "look/glyph-agent-avenue.svg" not in found
    assert "autumn/icon.svg" not in site(LEAGUES["swiss"], matches=0)


def test_the_same_league_makes_the_same_files() -> None:
    assert site(LEAGUES["swiss"]) == whole_site("swiss")


def test_rounds_have_a_page_only_where_there_are_rounds() -> None:
    few = {name: site(replace(league, bots=4), matches=0) for name, league in LEAGUES.items()}
    assert {name for name, found in few.items() if "autumn/rounds.html" in found} == {"swiss", "knockout", "large"}


def test_who_plays_together_has_a_cross_play_and_who_plays_against_each_other_a_crosstable() -> None:
    against, together = whole_site("open"), whole_site("cooperative")
    assert "autumn/crosstable.html" in against
    assert "autumn/crossplay.html" not in against
    assert "autumn/crosstable.html" not in together
    assert "autumn/crossplay.html" in together
