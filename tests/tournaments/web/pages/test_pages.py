"""Pages are whole, need nothing from elsewhere, run nothing of their own, and show foreign words as words."""

import re
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise
from urllib.parse import urlencode

import msgspec
import pytest
from msgspec.structs import replace

from tests.drawing.matches import QUICK, golden_match
from tests.tournaments.web.pages import values
from tests.tournaments.web.pages.every import FRAME, pages, place
from tournaments.comparison.memory_evidence import MemoryReport
from tournaments.league.service_terms import About
from tournaments.league.status import Fleet, MatchCounts
from tournaments.league.submissions import State
from tournaments.play.bot_logs import LogRecord
from tournaments.rating.fit import AgainstMix, Fit, OverallShare
from tournaments.results.standings import StandingView
from tournaments.schedule.formats.swiss import SwissRoundResult
from tournaments.schedule.suspension import TOLERATED_FAULTS, TOLERATED_SHARE
from tournaments.web.pages import bots, leagues, matches, result_tables, rounds, words
from tournaments.web.pages.lists import TableSearch
from tournaments.web.pages.match_pictures import endings_of, played
from tournaments.web.pages.number_format import NOTHING
from tournaments.web.pages.rendering import Page, rendered
from tournaments.web.pages.urls import SERVED, Kind, PageAddress, relative_links
from tournaments.web.visibility.bot_view import ResultsView
from tournaments.web.visibility.league_view import LeagueView, ProgressView
from tournaments.web.visibility.match_view import MatchView
from tournaments.web.visibility.table_views import SwissView

HOSTILE = (
    "</script><img src=//evil.example/x onerror=alert(1)>@1",
    "\"' autofocus onfocus=alert(1) x='@1",
    "{{ 7 * 7 }}{% raw %}@1",
    "javascript:alert(1)//@1",
    "\u202egnp.exe\u2066\x1b[31m\x00@1",
)
ELEMENTS = {"iframe", "object", "embed", "base", "style", "video", "audio"}


class Parsed(HTMLParser):
    """The elements of a page with their attributes, and all its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_data(self, data: str) -> None:
        self.text += data

    @property
    def attributes(self) -> list[tuple[str, str | None]]:
        return [attribute for _, attributes in self.elements for attribute in attributes.items()]


FORM_IN_A_PART = re.compile(r'data-renews="main".*?<form.*?</main>', re.S)
"""A renewal exchanges all that stands in a part."""


def test_no_form_and_no_replay_stands_in_a_part_that_renews() -> None:
    shown = {name: html(page) for name, page in pages().items()}
    assert [
        name
        for name, text in shown.items()
        if FORM_IN_A_PART.search(text) or ("data-renews" in text and 'class="replay"' in text)
    ] == []


def html(page: Page) -> str:
    league = page.context.get("league", FRAME.league)
    assert league is None or isinstance(league, LeagueView)
    return rendered(page, FRAME._replace(league=league), relative_links(page.place))


def addresses_of(page: Parsed) -> list[str]:
    return [value or "" for key, value in page.attributes if key in {"href", "src", "action"}]


@cache
def parsed() -> dict[str, Parsed]:
    """Every page, as a browser reads it."""
    return {name: Parsed(html(page)) for name, page in pages().items()}


def test_a_page_runs_no_script_of_its_own_and_has_no_style_in_it() -> None:
    for name, found in parsed().items():
        assert [it for it in found.elements if it[0] == "script" and not it[1].get("src")] == [], name
        assert [key for key, _ in found.attributes if key == "style" or key.startswith("on")] == [], name
        assert ELEMENTS.isdisjoint(tag for tag, _ in found.elements), name
        icons = {attributes.get("src") or "" for tag, attributes in found.elements if tag == "img"}
        assert all(re.fullmatch(r"(\.\./)*(look/glyph-[a-z-]+|[a-z]+/icon)\.svg", icon) for icon in icons), name


def test_a_page_asks_for_nothing_from_elsewhere() -> None:
    for name, found in parsed().items():
        addresses = [it for it in addresses_of(found) if it != "data:,"]
        assert [it for it in addresses if re.match(r"[a-z]+:|/|\\", it, re.IGNORECASE)] == [], name


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_words_are_words(text: str) -> None:
    for name, page in pages(text).items():
        quiet, loud = parsed()[name], Parsed(html(page))
        assert {tag for tag, _ in loud.elements} <= {tag for tag, _ in quiet.elements} | {"h2", "option"}, name
        assert {key for key, _ in loud.attributes} <= {key for key, _ in quiet.attributes} | {"selected"}, name
        assert not set("\u202e\x1b\x00") & set(loud.text), name
        leading = [it for it in addresses_of(loud) if it.lower().lstrip().startswith(("javascript:", "//"))]
        assert leading == [], name


def test_a_page_gives_what_it_shows_as_json() -> None:
    for name, page in pages().items():
        if page.value is not None:
            assert msgspec.convert(msgspec.json.decode(msgspec.json.encode(page.value)), type(page.value)) == (
                page.value
            ), name


def test_headings_begin_at_one_and_leave_out_no_level() -> None:
    for name, found in parsed().items():
        levels = [int(tag[1]) for tag, _ in found.elements if re.fullmatch("h[1-6]", tag)]
        assert levels[0] == 1, name
        assert levels.count(1) == 1, name
        assert all(after <= before + 1 for before, after in pairwise(levels)), name


def test_ids_are_unique_and_whatever_names_one_finds_it() -> None:
    for name, found in parsed().items():
        ids = [value for key, value in found.attributes if key == "id"]
        assert len(ids) == len(set(ids)), name
        assert {value for key, value in found.attributes if key == "aria-labelledby"} <= set(ids), name


def test_ratings_over_time_are_lines_on_one_scale_with_names_and_last_ratings_below() -> None:
    for name, lines in (("standings", 3), ("show", 3), ("history", 1)):  # there is no line through one rating
        classes = [it.get("class") or "" for tag, it in parsed()[name].elements if tag == "path"]
        drawn = [it for it in classes if it.startswith("curve")]
        assert sorted(drawn) == [f"curve c{at} d{at}" for at in range(lines) for _ in ("line", "key")], name
    assert "bob v1 24.50" in " ".join(parsed()["history"].text.split())


def test_what_happened_is_told_in_sentences() -> None:
    text = " ".join(parsed()["standings"].text.split())
    assert "ann v1 takes the lead from bob v1 120 matches ann v1 is now surely ahead of bob v1 120 matches" in text
    assert "cid v1 enters the league" in text
    assert "3 deals are closed: their matches can be watched" in text
    assert "bob v1 takes the lead 20 matches" in text
    assert "bob v1 takes the lead from" not in text


def test_a_projector_shows_the_address_of_the_league_as_a_code_and_a_file_has_none() -> None:
    pytest.importorskip("segno")
    page = pages()["show"]
    origin = "https://games.example"
    served = rendered(page, FRAME._replace(origin=origin), SERVED)
    assert f"{origin}/leagues/autumn" in served
    assert 'class="qr"' in served
    assert 'class="qr"' not in html(page)


def test_a_bot_that_is_separated_from_the_one_above_has_a_strong_line_above_it() -> None:
    found = html(pages()["standings"])
    lines = [line for line in found.splitlines() if line.startswith("<tr")]
    assert lines == ["<tr>", "<tr>", '<tr class="next">', "<tr>"]


def places_of(page: Page) -> list[str]:
    return re.findall(r'<tr[^>]*>\s*<td class="number">([^<]*)', html(page))


def test_a_place_is_an_interval_and_provisional_bots_have_a_mark_and_none() -> None:
    lines = (
        values.standing("ann@1", 1, ranks=(1, 2)),
        values.standing("bob@1", 2),
        values.standing("cid@1", 3, may_be_best=None, interval=None, ranks=None),
    )
    page = result_tables.standings(values.league(), values.standings(lines=lines), place("standings"))
    names = re.findall(r'<th class="name".*', html(page))
    assert places_of(page) == ["1\N{EN DASH}2", "2", "\N{EN DASH}"]
    assert ["provisional" in name for name in names] == [False, False, True]


def test_where_one_number_does_not_describe_the_bots_the_table_says_so_and_compares_them_with_the_best_mix() -> None:
    mixed = values.standing("ann@1", 1, best_mix=AgainstMix(0.43, (0.381, 0.472), 0.21))
    lines = (mixed, values.standing("bob@1", 2))
    found = {
        fit: text_of(result_tables.standings(values.league(), values.standings(lines=of, fit=fit), place("standings")))
        for fit, of in ((Fit(0.001, 0.09), lines), (Fit(0.5, 0.09), values.standings().lines), (None, lines[1:]))
    }
    said, *silent = found.values()
    assert "by 9 points of 100 in a usual pair" in said
    assert "ann v1 43.0% 38.1% to 47.2% 21.0%" in said
    assert not any("One number" in text or "best mix" in text for text in silent)


def test_the_page_says_of_when_the_marks_are_if_they_are_older_than_the_ratings() -> None:
    def shown(**other: int) -> str:
        return text_of(result_tables.standings(values.league(), values.standings(**other), place("standings")))

    assert "The places are from the last full count, 2001-09-09" in shown(best_ms=1_000_000_000_000)
    assert "full count" not in shown()


def test_of_several_tables_the_page_has_the_shares_over_all_and_says_who_lacks_one() -> None:
    shares = (OverallShare(3, 3, 0.612, (0.583, 0.641)), OverallShare(2, 3))
    lines = tuple(values.standing(name, at, overall=shares[at - 1]) for at, name in enumerate(("ann@1", "bob@1"), 1))
    found = text_of(result_tables.standings(values.league(), values.standings(lines=lines), place("standings")))
    assert f"ann v1 61.2% 58.3% to 64.1% 3 of 3 bob v1 {NOTHING} 2 of 3" in found
    alone = text_of(result_tables.standings(values.league(), values.standings(), place("standings")))
    assert "Over all tables" not in alone


def test_a_pair_whose_score_is_not_what_the_ratings_say_has_a_mark() -> None:
    cell = replace(values.CELL, unusual=True)
    table = values.crosstable()
    rows = tuple(tuple(each and (cell if at == 1 else each) for at, each in enumerate(row)) for row in table.cells)
    marks = [html(result_tables.crosstable(each, place("crosstable"))).count('"mark">differs')
             for each in (table, replace(table, cells=rows))]  # fmt: skip
    assert marks == [0, 1]


def test_the_mean_return_is_on_the_pages_of_a_league_whose_game_counts_something() -> None:
    counted = values.standing("ann@1", 1, mean_return=-2.5)
    lines = (counted, values.standing("bob@1", 2))
    for kind, page in {
        "standings": result_tables.standings(values.league(), values.standings(lines=lines), place("standings")),
        "bot": bots.bot(values.league(), replace(values.bot(), results=_with(counted)), (), place("bot", "ann@1")),
    }.items():
        assert "\N{MINUS SIGN}2.50" in html(page), kind
        assert "mean return" in html(page), kind
        assert "mean return" not in html(pages()[kind]), kind


def _with(standing: StandingView) -> ResultsView:
    results = values.bot().results
    assert results is not None
    return replace(results, standing=standing)


def test_endings_are_searched_by_their_names_and_shown_as_in_lists() -> None:
    assert '<option value="worn_out">worn out</option>' in html(pages()["matches"])
    assert endings_of("inside-job")[-1] == "fault"
    assert "insider_accused" in endings_of("inside-job")
    assert endings_of("nim") == ()


def test_every_page_of_a_league_leads_back_to_the_leagues() -> None:
    for name, page in pages().items():
        back = relative_links(page.place).to(PageAddress("leagues"))
        assert (back in addresses_of(parsed()[name])) == (name != "leagues"), name


@pytest.mark.parametrize(
    ("name", "door", "current"),
    [("standings", "standings", "page"), ("match", "matches", "true"), ("bot", "entries", "true")],
)
def test_the_menu_says_where_one_is(name: str, door: Kind, current: str) -> None:
    page = pages()[name]
    marked = [attributes for _, attributes in Parsed(html(page)).elements if "aria-current" in attributes]
    assert marked[0] == {"href": relative_links(page.place).to(place(door)), "aria-current": current}


def test_nodes_are_told_of_with_what_they_do_and_why_they_do_not() -> None:
    lines = re.findall(r"<tr>(.*tls://.*)</tr>", html(pages()["nodes"]))
    plays, rests, lost = ([cell for cell in re.split("<[^>]*>", line) if cell] for line in lines)
    assert plays == ["tls://10.0.0.1:9", "plays", "3 of 4", "12.50", "3.80", "3,100", "2", "210.0", "0.4"]
    assert rests[1:4] == ["rests: it was too busy for a match", "0 of 4", "\N{EN DASH}"]
    assert lost[1] == "lost: the run has not heard of it for 10 s"


def test_a_league_without_nodes_says_nothing_of_them_and_one_that_waits_for_nodes_says_so() -> None:
    def text(fleet: Fleet | None) -> str:
        return html(leagues.league(values.league(fleet=fleet), place("league")))

    assert "Nodes" not in text(None)
    assert "No node has joined yet." in text(Fleet(values.NOW_MS, ()))


def test_the_evidence_of_a_memory_is_told_with_the_bot_that_was_noticed() -> None:
    lines = re.findall(r"<tr>(<th scope=\"row\">[a-z]* v1.*)</tr>", html(pages()["memory"]))
    cells = [[cell.strip() for cell in re.split("<[^>]*>", line) if cell.strip()] for line in lines]
    assert cells == [
        ["ann v1", "plays better on deals that were played before", "120", "+0.25", "\N{MINUS SIGN}0.01", "4,321.5"],
        ["bob v1", "120", "\N{MINUS SIGN}0.12", "\N{EN DASH}", "1.5"],
        ["cid v1", "0", "\N{EN DASH}", "\N{EN DASH}", "1.0"],
    ]


def test_a_page_says_nothing_of_a_memory_to_those_who_may_not_know_and_says_so_where_there_is_nothing_to_test() -> None:
    def text(memory: MemoryReport | None) -> str:
        return html(leagues.league(values.league(memory=memory), place("league")))

    assert "Memory" not in text(None)
    assert "There is nothing to test: no two matches share their luck." in text(MemoryReport(0.0, ()))


def test_a_pair_with_unusual_results_is_told_without_an_accusation() -> None:
    assert values.PAIR.words in text_of(pages()["memory"])
    assert "Unusual" not in html(leagues.league(values.league(), place("league")))


def text_of(page: Page) -> str:
    return " ".join(Parsed(html(page)).text.split())


def test_who_wins_against_the_game_together_wins_and_is_not_said_to_be_equal() -> None:
    def told(place: int, *sides: str | None) -> str:
        seats = tuple(
            replace(values.match().seats[0], seat=seat, side=side, place=place) for seat, side in enumerate(sides)
        )
        return words.winners(values.match(seats=seats))

    assert told(1, "players", "players") == "all won"
    assert told(2, "players", "players") == "all lost"
    assert told(1, "a", "b") == told(1, None, None) == "all places are equal"


def test_the_choice_of_tables_has_their_names_and_the_standings_of_one_say_its_options() -> None:
    league = values.league()
    page = result_tables.standings(league, values.standings(table="fancy"), place("standings", "fancy"))
    assert ">fancy</b>" in html(page)
    assert "only matches at table fancy: with the black market, with Ceasefire" in text_of(page)


def test_where_pairs_are_not_listed_nothing_is_said_of_their_columns() -> None:
    few, many = (text_of(result_tables.crosstable(values.crosstable(bots), place("crosstable"))) for bots in (3, 12))
    assert "Expected is the score by the ratings" in few
    assert "Expected is the score by the ratings" not in many
    assert "The number is the score in per cent" in many


@pytest.mark.parametrize(("state", "linked"), [("building", False), ("rejected", False), ("entered", True)])
def test_a_submission_leads_to_its_bot_if_that_is_in_the_league_and_says_what_becomes_of_it(
    state: State, linked: bool
) -> None:
    seen = replace(values.SUBMISSION, state=state)
    page = bots.submission(seen, place("entry", "7"))
    there = relative_links(page.place).to(place("bot", seen.bot))
    assert (there in addresses_of(Parsed(html(page)))) == linked
    assert words.say(f"next.{state}") in text_of(page)
    assert words.say(f"next.{state}")


def test_a_refusal_is_told_in_sentences_and_pages_without_values_offer_no_json() -> None:
    page = leagues.problem("Not Found", "no league of this name is served here\nlook at the list.")
    assert "No league of this name is served here. Look at the list." in text_of(page)
    assert "this page as JSON" not in html(page)
    assert "this page as JSON" in html(pages()["leagues"])


def test_a_search_without_matches_leads_to_all_of_them() -> None:
    def found(ending: str) -> Parsed:
        searched = dict.fromkeys(matches.SEARCHED, "") | {"ending": ending}
        asked = matches.SearchForm(searched, endings=("caught",))
        return Parsed(
            html(matches.matches(values.league(), matches.MatchesView((), None), place("matches"), form=asked))
        )

    assert "No match fits this search." in found("caught").text
    assert "All matches" in found("caught").text
    assert "Nothing is played yet." in found("").text


def test_opponents_in_a_round_stand_in_the_order_of_their_places() -> None:
    seen = values.swiss()
    met = replace(seen.lines[0], rounds=(SwissRoundResult(("cid@1", "ann@1", "bob@1"), 0.5),))
    page = rounds.rounds(replace(seen, rounds=1, lines=(met, *seen.lines[1:])), place("rounds"))
    assert re.findall(r"#\d", html(page))[:3] == ["#1", "#2", "#3"]


def test_where_a_game_has_no_scores_a_match_has_no_column_of_them() -> None:
    league, seen = values.league(), values.match()
    scoreless = replace(seen, seats=tuple(replace(seat, score=None) for seat in seen.seats))
    heading = 'scope="col">score<'
    assert heading in html(matches.match(league, seen, place("match")))
    assert heading not in html(matches.match(league, scoreless, place("match")))


def test_a_match_that_was_played_by_other_rules_has_no_picture() -> None:
    transcript = golden_match(min(QUICK, key=str))
    assert played(transcript) is not None
    header = replace(transcript.record.header, rules_version=0)
    assert played(replace(transcript, record=replace(transcript.record, header=header))) is None


def test_a_swiss_of_500_bots_comes_in_parts_of_100() -> None:
    seen: SwissView = values.swiss(500)
    page = rounds.rounds(seen, place("rounds"))
    found = html(page)
    assert len(found) < 200_000
    assert found.count("<tbody>") == 1
    parts = [f"rounds-{at}.html" for at in (100, 200, 300, 400)]
    assert re.findall(r'href="(rounds[^"]*)"', found) == [*parts, "rounds.json"]


def test_a_crosstable_of_120_bots_comes_in_nine_parts_and_none_is_shown_twice() -> None:
    parts = result_tables.blocks(place("crosstable"), 120)
    shown = [
        result_tables.crosstable(values.crosstable(120, *result_tables.first_cell(part.place.after)), part.place)
        for part in parts
    ]
    assert len(parts) == 9
    assert [sum(part.here for part in page.parts) for page in shown] == [1] * 9
    cells = [html(page).count("<td") for page in shown]
    assert sum(cells) == 120 * 120


def test_a_visitor_is_told_that_a_deal_is_open_and_sees_no_times_of_it() -> None:
    found = html(pages()["open match"])
    assert "For now only the result is shown: this deal is open, and others will still play it." in found
    assert "thinking (ms)" not in found
    assert "digest" not in found


def test_progress_counts_against_the_end_of_the_league_and_not_of_its_wave() -> None:
    progress = ProgressView(values.NOW_MS, 3, MatchCounts(200, 150, 45, 5, 0), 900)
    league = values.league(format={"kind": "open", "matches": 900}, progress=progress, stored=160)
    page = result_tables.standings(league, values.standings(), place("standings"), 3_600.0)
    text = " ".join(Parsed(rendered(page, FRAME._replace(league=league), SERVED)).text.split())
    assert "160 of at most 900 matches about 1 h 0 min left at this speed \N{MIDDLE DOT} 3 bots of 2 authors" in text
    assert 'data-planned="900" data-settled="155"' in html(leagues.league(league, place("league")))
    assert progress.left == 745


def test_no_end_is_told_where_results_decide_it_and_no_bar_is_drawn_when_nothing_is_played() -> None:
    progress = ProgressView(values.NOW_MS, 3, MatchCounts(200, 150, 45, 5, 0), None)
    endless = leagues.league(values.league(progress=progress), place("league"))
    assert "200 matches are planned so far" in text_of(endless)
    over = replace(progress, matches=MatchCounts(200, 195, 0, 5, 0), at_end=200)
    closed = leagues.league(values.league(phase="closed", progress=over, stored=199), place("league"))
    assert "closed 199 matches stored 4 do not count" in text_of(closed)
    assert not any('class="bar"' in html(page) for page in (endless, closed))


def test_bots_that_played_nothing_share_one_table_and_no_provisional_bot_has_a_place() -> None:
    unknown = {"may_be_best": None, "interval": None, "ranks": None, "matches": 0}
    lines = (
        values.standing("ann@1", 1),
        values.standing("bob@1", 2, may_be_best=None, interval=None, ranks=None, matches=17),
        values.standing("cid@1", 1, group=2, **unknown),
        values.standing("dee@1", 1, group=3, **unknown),
    )
    page = result_tables.standings(values.league(), values.standings(lines=lines, groups=3), place("standings"))
    headings = re.findall(r'<h2 id="group-\d">([^<]*)', html(page))
    assert headings == ["Standings", "Not played yet"]
    assert places_of(page) == ["1", *["\N{EN DASH}"] * 3]
    assert "groups" not in text_of(page)


def test_a_suspended_bot_has_the_reason_on_its_page_and_in_the_standings() -> None:
    assert (TOLERATED_FAULTS + 1, TOLERATED_SHARE) == (5, 5), "the reason says: five or more, and more than a fifth"
    assert f"{words.SUSPENDED_WHY} Its faults: crash 1, timeout 3." in text_of(pages()["bot"])
    assert words.SUSPENDED_WHY in html(pages()["standings"])
    assert words.SUSPENDED_WHY not in text_of(
        bots.bot(values.league(), replace(values.bot(), membership="plays"), (), place("bot", "bob@1"))
    )


def test_what_a_bot_wrote_to_stderr_stands_once_on_the_page_of_its_match() -> None:
    seen = values.match()
    stderr = seen.sentences[0].stderr.splitlines()[0]
    whole = [LogRecord("", "", 1, f"begun\n{seen.sentences[0].stderr}")]
    for wrote in ([], whole):
        assert html(matches.match(values.league(), seen, place("match"), wrote=wrote)).count(stderr) == 1


def test_a_cell_of_the_crosstable_leads_to_the_matches_of_its_pair_where_they_can_be_searched() -> None:
    page = result_tables.crosstable(values.crosstable(), place("crosstable"), has_search=True)
    served = Parsed(rendered(page, FRAME, SERVED))
    assert "/leagues/autumn/matches?bot=ann%401&other=bob%401" in addresses_of(served)
    assert not any("matches" in it and "bob@1" in it for it in addresses_of(parsed()["crosstable"]))


def test_a_heading_sorts_by_its_column_and_then_the_other_way_round() -> None:
    def links(sort: str) -> list[str]:
        asked = TableSearch(sort, "a")
        page = result_tables.standings(
            values.league(), values.standings(), place("standings")._replace(query=asked.query), search=asked
        )
        found = Parsed(rendered(page, FRAME, SERVED))
        headings = [attributes for _, attributes in found.elements if "aria-sort" in attributes]
        assert [heading["aria-sort"] for heading in headings] == ["descending" if sort else "ascending"]
        return [it.partition("?")[2] for it in addresses_of(found) if "/standings?sort=" in it]

    assert links("")[:3] == ["sort=-rank&find=a", "sort=bot&find=a", "sort=-rating&find=a"]
    assert "sort=score&find=a" in links("-score")


ABOUT = About(
    "Autumn <b>cup", 'Nim "for" <i>all.', "icon.svg", "https://rules.example/", "https://enter.example/", "<u>"
)


def face(about: About, **frame: object) -> Parsed:
    """The first page of a league, of which its organizer tells this."""
    league = values.league(about=about)
    page = result_tables.standings(league, values.standings(), place("standings"))
    return Parsed(rendered(page, FRAME._replace(league=league, **frame), SERVED))


def test_a_league_shows_what_its_organizer_tells_of_it_and_nothing_of_it_is_markup() -> None:
    found = face(ABOUT)
    text = " ".join(found.text.split())
    assert all(part in text for part in ("Autumn <b>cup", 'Nim "for" <i>all.', "organized by <u>"))
    assert {"/leagues/autumn/icon.svg", "https://rules.example/", "https://enter.example/"} <= {*addresses_of(found)}
    assert not {"i", "u"} & {tag for tag, _ in found.elements}


def test_a_league_of_which_nothing_is_told_says_what_its_game_and_its_settings_are() -> None:
    found = face(About(), base="/leagues/autumn", login="/leagues/autumn/login")
    text = " ".join(found.text.split())
    assert "Catch the other pawn on a ring of fourteen spaces" in text
    assert "Round robin; 20 deals, the same cards and dice for all." in text
    expected = {"/look/glyph-agent-avenue.svg", "/leagues/autumn/rules/simple", "/leagues/autumn/login"}
    assert expected <= {*addresses_of(found)}
    assert words.title(values.league(name="ab_c-d")) == "Ab c d"
    assert words.league_text(values.league(game="unheard-of", own_luck=True)).startswith(
        "Round robin; 20 deals, each match"
    )


def test_bots_may_be_entered_by_a_button_only_while_they_are_taken_in() -> None:
    league = values.league(about=ABOUT, takes_bots=False)
    page = result_tables.standings(league, values.standings(), place("standings"))
    assert "Enter a bot" not in rendered(page, FRAME._replace(league=league), SERVED)
    for viewer, submit, expected in ((None, None, "in"), ("eva", "submit", "submit"), ("organizer", None, None)):
        found = face(About(), viewer=viewer, submit=submit, login="out" if viewer else "in")
        doors = [attributes["href"] for _, attributes in found.elements if "enter" in (attributes.get("class") or "")]
        assert doors == [expected] * (expected is not None), viewer


def test_only_the_first_page_of_a_league_tells_at_length_what_it_is() -> None:
    page = leagues.league(values.league(about=ABOUT), place("league"))
    found = rendered(page, FRAME._replace(league=values.league(about=ABOUT)), SERVED)
    assert "Autumn &lt;b&gt;cup" in found
    assert "Nim" not in found


def test_a_page_for_a_projector_has_nothing_to_click_and_names_bots_and_versions_in_words() -> None:
    for name in ("show", "empty show"):
        found = parsed()[name]
        assert {"a", "button", "input", "select", "summary"}.isdisjoint(tag for tag, _ in found.elements), name
        assert {value for key, value in found.attributes if key == "tabindex"} == {"-1"}, name
    assert "ann v1 against bob v1" in " ".join(parsed()["show"].text.split())
    assert words.bot("greedy+copy@1.2") == "greedy (copy) v1.2"
    assert (
        words.against(
            values.match(seats=tuple(replace(values.match().seats[0], bot=bot) for bot in ("greedy@1", "random@2")))
        )
        == "greedy v1 against random v2"
    )


def test_the_author_stands_under_the_name_where_there_are_several() -> None:
    view = values.standings()
    shown = [
        html(result_tables.standings(values.league(authors=authors), view, place("standings"))) for authors in (1, 2)
    ]
    assert ['<span class="author"' in found for found in shown] == [False, True]


def test_matches_that_were_won_and_lost_are_counted_and_drawn_ones_where_there_are_some() -> None:
    lines = (values.standing("ann@1", 1, wins=1_018, losses=142), values.standing("bob@1", 2, draws=3))
    shown = [
        html(result_tables.standings(values.league(), values.standings(lines=of), place("standings")))
        for of in (lines[:1], lines)
    ]
    dash = " \N{EN DASH} "
    assert f"1,018{dash}142<" in shown[0]
    assert f"won{dash}lost<" in shown[0]
    assert f"1,018{dash}0{dash}142<" in shown[1]
    assert f"40{dash}3{dash}40<" in shown[1]


def test_the_first_pages_name_the_leader_and_lead_to_matches_without_telling_who_won_the_closest() -> None:
    for name in ("leagues", "standings"):
        found = html(pages()[name])
        link = relative_links(pages()[name].place).to(place("match", values.FIXTURE.format(1)))
        play = "#play" if name == "standings" else ""
        closest = "<b>Closest match of the day</b>"
        assert f'{closest}: <a href="{link}{play}">ann v1 – bob v1</a>' in found, name  # noqa: RUF001 - shown so
        assert f'<a href="{link}#play">' in found, name
        assert "ann v1 lost; the ratings expected a score of 90.0%" in found, name
    assert "bob v1</a></td>" in html(pages()["leagues"])


def test_the_losses_of_a_bot_stand_beside_those_of_another_version_and_lead_to_first_differences() -> None:
    found = html(pages()["losses"])
    assert found.count("share of bob v1</th>") == 3
    lost, won = values.FIXTURE.format(0), values.FIXTURE.format(9)
    to = relative_links(place("losses", "bob@1")).to(
        place("difference", lost)._replace(query=urlencode({"other": won}))
    )
    assert f'<a href="{to}">First difference</a>' in found


def test_a_time_is_there_for_the_script_and_in_words_for_readers_without_one() -> None:
    assert '<time datetime="2027-01-15T08:00:00Z">2027-01-15 08:00 UTC</time>' in html(pages()["standings"])


def test_leagues_that_are_played_now_come_first() -> None:
    seen = [values.league(name=name, phase=phase) for name, phase in (("a", "over"), ("b", "under way"))]
    found = html(leagues.leagues(seen))
    assert found.index(">b</a>") < found.index(">a</a>")


def on_one_deal(first: tuple[int, ...], sides: tuple[str, ...]) -> list[MatchView]:
    """Matches with these sides, each won by a seat."""
    seat = values.match().seats[0]
    return [
        replace(
            values.match(),
            seats=tuple(
                replace(seat, seat=at, place=1 if at == winner else 2, side=side) for at, side in enumerate(sides)
            ),
        )
        for winner in first
    ]


def test_matches_on_one_deal_are_headed_by_what_one_seat_was_and_how_often_it_won() -> None:
    hidden = ("agents", "insider", "agents", "agents")
    assert words.each_time(on_one_deal((1, 0, 1), hidden)) == (
        "Seat 2 was the insider each time, and won 2 of 3 matches on this deal."
    )
    others = [*on_one_deal((1,), hidden), *on_one_deal((3, 3), (*hidden[2:], *hidden[:2]))]
    assert words.each_time(others) == "Seat 4 won 2 of 3 matches on this deal."
    assert words.each_time(on_one_deal((0, 1, 1), ("a", "b"))) == "Seat 2 won 2 of 3 matches on this deal."
    assert words.each_time(on_one_deal((1, 0), ("players", "players"))) == "All won 1 of 2 matches on this deal."
    assert "won 3 of 3 matches on this deal" in parsed()["watched match"].text
