"""The queries of each viewer of a league."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from tests.tournaments.leagues import SEED, plan
from tests.tournaments.stores import in_sql
from tests.tournaments.web.queries import worlds
from tests.tournaments.web.queries.worlds import MOMENT_MS, everybody, fill, opened, round_robin
from tournaments.comparison.pair_flags import PairFlag
from tournaments.league.format_settings import BalancedSettings, OpenSettings, Settings, SwissSettings
from tournaments.league.model import StoredVoid
from tournaments.league.service_terms import ServiceTerms, SubmissionTerms
from tournaments.league.status import Fleet, MatchCounts, Progress
from tournaments.play.run import lock_league
from tournaments.rating import ranking
from tournaments.results.league_location import NeverRun
from tournaments.results.league_tables import Summary
from tournaments.store import MatchSearch, Store, lock_path
from tournaments.web.pages import words
from tournaments.web.queries import (
    BadQuery,
    LeagueQueries,
    NotThere,
    NotYet,
    PublishedLeague,
    StandingsQuery,
    build_views,
    last_minute,
    match_queries,
)
from tournaments.web.queries.request_state import PAIRS, PART_PREFIX, SUMMARY, of_bot
from tournaments.web.visibility.match_view import MatchView
from tournaments.web.visibility.permissions import Assistant, Author, Organizer, Visitor
from tournaments.web.visibility.table_views import SwissView

OF = round_robin()
FIXTURES = plan(everybody(OF))


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a store on a server, the output of bots is stored in the current folder."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a store that need not be made anew for each test."""
    folder = tmp_path_factory.mktemp("filled")
    _fill(f"sqlite:///{folder / 'league.sqlite'}")
    return folder


def _fill(url: str) -> None:
    with PublishedLeague(worlds.open_round_robin(url, 1), url) as shown:
        assert shown.refresh(MOMENT_MS)


@pytest.fixture
def shown(url: str, filled: Path, tmp_path: Path) -> Iterator[PublishedLeague]:
    """A round robin of which 70 matches were played. It is open."""
    if url.startswith("sqlite"):
        shutil.copytree(filled, tmp_path, dirs_exist_ok=True)
    else:
        _fill(url)
    with PublishedLeague(OF, url) as shown:
        yield shown


def walked(showing: LeagueQueries, most: int, search: MatchSearch | None = None) -> list[str]:
    """All matches, page after page."""
    page = showing.matches(search, most=most)
    found = [match.match for match in page.items]
    while page.next is not None:
        page = showing.matches(search, page.next, most)
        found += [match.match for match in page.items]
    return found


def test_matches_come_page_by_page_the_latest_deal_first_each_once(shown: PublishedLeague) -> None:
    expected = [fixture.id for fixture in sorted(FIXTURES[:70], key=lambda fixture: (-fixture.deal, fixture.id))]
    for most in (1, 7, 69, 70, 500):
        assert walked(shown.to(Visitor()), most) == expected


def test_the_matches_beside_a_match_are_those_in_the_list(shown: PublishedLeague) -> None:
    showing = shown.to(Visitor())
    listed = [None, *walked(showing, 500), None]
    for before, match, after in zip(listed, listed[1:], listed[2:], strict=False):
        assert match is not None
        assert showing.beside(match) == (before, after)
    with pytest.raises(NotThere):
        showing.beside("nothing")


SEARCHES = (
    MatchSearch(),
    MatchSearch(bots=("ann@1",)),
    MatchSearch(bots=("ann@1",), seat=1),
    MatchSearch(fault="timeout"),
    MatchSearch(bots=("bob@1",), fault="timeout"),
    MatchSearch(ending="worn out"),
    MatchSearch(table="of-2", ending="fault"),
    MatchSearch(table="of-3"),
    MatchSearch(seat=7),
    MatchSearch(bots=("nobody\0",)),
    MatchSearch(ending="\ud800"),
    MatchSearch(bots=()),
    MatchSearch(bots=("ann@1", "cid@1")),
    MatchSearch(bots=("ann@1",), others=("cid@1", "ann@1")),
    MatchSearch(bots=("ann@1",), result="won"),
    MatchSearch(bots=("bob@1",), others=("ann@1",), result="lost", seat=1),
    MatchSearch(bots=("bob@1", "cid@1"), result="drawn"),
    MatchSearch(seat=1 << 80),
    MatchSearch(seat=-1),
)


def test_a_search_finds_the_matches_that_are_as_it_says(shown: PublishedLeague) -> None:
    def fits(seen: MatchView, search: MatchSearch) -> bool:
        seats = [seat for seat in seen.seats if search.bots is None or seat.bot in search.bots]
        seats = [seat for seat in seats if search.fault in (None, seat.fault)]
        if search.others is not None:
            others = search.others
            seats = [seat for seat in seats if any(it.bot in others for it in seen.seats if it.seat != seat.seat)]
        if search.result is not None:
            is_draw = len({seat.place for seat in seen.seats}) == 1
            results = ["drawn" if is_draw else "won" if seat.place == 1 else "lost" for seat in seats]
            seats = [seat for seat, result in zip(seats, results, strict=True) if result == search.result]
        seats = [seat for seat in seats if search.seat in (None, seat.seat)]
        return bool(seats) and search.table in (None, seen.table) and search.ending in (None, seen.ending)

    showing = shown.to(Visitor())
    every = [showing.match(match) for match in walked(showing, 500)]
    for search in SEARCHES:
        assert walked(showing, 3, search) == [seen.match for seen in every if fits(seen, search)], search


def test_a_league_is_under_way_while_somebody_plays_it_and_closed_is_not_interim(
    shown: PublishedLeague, url: str
) -> None:
    assert shown.to(Visitor()).league().phase == "paused"
    assert shown.to(Visitor()).standings().of.interim
    with lock_league(lock_path(url, OF.name)):
        assert shown.to(Visitor()).league().phase == "under way"
    with Store(url, OF.name) as store:
        store.close_league(77)
    visitor = shown.to(Visitor())
    assert (visitor.league().phase, visitor.standings().of.interim, visitor.crosstable().of.interim) == (
        "closed",
        False,
        False,
    )


TAKES_BOTS: tuple[tuple[dict[str, Any], bool], ...] = (
    ({"submissions": None, "service": ServiceTerms()}, True),
    ({"submissions": None, "service": None}, False),
    ({"submissions": SubmissionTerms(), "sandbox": "none"}, False),
)


@pytest.mark.usefixtures("shown")
def test_a_league_says_that_it_takes_bots_where_its_service_takes_them(url: str) -> None:
    for changes, takes in TAKES_BOTS:
        with PublishedLeague(replace(OF, **{"sandbox": "bubblewrap", **changes}), url) as changed:
            assert changed.to(Visitor()).league().takes_bots is takes, changes


@pytest.mark.usefixtures("shown")
@pytest.mark.parametrize(
    ("opens_ms", "closes_ms", "takes"),
    [(None, None, True), (7, None, True), (8, None, False), (None, 7, False), (None, 8, True)],
)
def test_a_service_does_not_say_that_a_league_takes_bots_before_it_opens_or_after_it_closes(
    url: str, opens_ms: int | None, closes_ms: int | None, takes: bool
) -> None:
    league = replace(OF, sandbox="bubblewrap", submissions=SubmissionTerms(opens_ms, closes_ms))
    with PublishedLeague(league, url, lambda: 7) as changed:
        assert changed.to(Visitor()).league().takes_bots is takes
        said = words.takes_bots(changed.to(Visitor()).league())
        assert said == ("Bots may be submitted." if takes else "Only the organizer enters bots now.")


def test_what_is_not_played_is_paused_or_between_waves_or_over_and_only_as_far_as_the_tables_know(
    shown: PublishedLeague,
) -> None:
    def phase(stored: int, *, remaining: int, is_over: bool = False) -> str:
        counts = MatchCounts(240, played=100, remaining=remaining, skipped=0, abandoned=0)
        found = Summary(1, Progress(1, counts, 0, 0, stored=100), 100, is_over, "", (), 1, (), ())
        queries = shown.to(Visitor())
        queries._state.summary = found  # as if that were in the tables
        return queries._phase(stored)

    assert phase(100, remaining=5) == "paused"
    assert phase(100, remaining=0) == "between waves"
    assert phase(100, remaining=0, is_over=True) == "over"
    assert phase(101, remaining=5) == phase(101, remaining=0, is_over=True) == "counting"
    assert phase(0, remaining=5) == "waiting"


@pytest.mark.parametrize(
    ("settings", "at_end"),
    [(OpenSettings(matches=900), 900), (OpenSettings(), None), (SwissSettings(), None), (BalancedSettings(), 240)],
)
def test_the_number_of_matches_at_the_end_is_told_where_it_is_known(settings: Settings, at_end: int | None) -> None:
    then = Progress(1, MatchCounts(240, played=100, remaining=140, skipped=0, abandoned=0), 0, 0, stored=100)
    found = Summary(1, then, 100, is_over=False, digest="", order=(), groups=1, tables=(), suspended=())
    assert build_views.progress(found, settings).at_end == at_end
    assert build_views.progress(replace(found, is_over=True), settings).at_end == 240


def test_a_name_stands_for_its_bot_and_a_part_of_names_for_all_that_have_it_up_to_some(
    shown: PublishedLeague, monkeypatch: pytest.MonkeyPatch
) -> None:
    showing = shown.to(Visitor())
    search = showing.search("ann@1", "D", result="won")
    assert (search.bots, search.result) == (("ann@1",), "won")
    assert set(search.others or ()) == {"cid@1", "dee@1"}
    assert showing.search("nobody\0").bots == ()
    monkeypatch.setattr(match_queries, "MOST_NAMED", 3)
    with pytest.raises(BadQuery, match="more than 3 bots have '@' in their names"):
        showing.search("@")


@pytest.mark.parametrize("asked", [{"result": "won"}, {"other": "ann@1", "seat": 1}], ids=str)
def test_neither_a_result_nor_another_bot_is_searched_without_a_bot(
    shown: PublishedLeague, asked: dict[str, Any]
) -> None:
    with pytest.raises(BadQuery, match=r"of which bot\? name it, too"):
        shown.to(Visitor()).search(**asked)


def test_standings_and_entries_are_sorted_and_searched_by_what_the_viewer_sees(shown: PublishedLeague) -> None:
    showing = shown.to(Visitor())

    def bots(sort: str, find: str = "") -> list[str]:
        return [line.bot for line in showing.standings(StandingsQuery(None, sort, find)).lines]

    scores = {line.bot: line.score or 0.0 for line in showing.standings().lines}
    assert bots("-score") == sorted(scores, key=lambda bot: -scores[bot])
    assert bots("bot") == bots("-bot")[::-1] == sorted(scores)
    assert bots("", "ALICE") == ["ann@1"]
    assert bots("bot", "d") == ["cid@1", "dee@1"]
    page = showing.entries(most=3, sort="-author")
    following = showing.entries(page.next, most=3, sort="-author")
    assert [entry.author for entry in page.items] == ["organizer", "organizer", "bert"]
    assert [entry.author for entry in following.items] == ["alice"]
    assert [entry.bot for entry in showing.entries(find="bert").items] == ["bob@1"]
    with pytest.raises(BadQuery, match="'mean_decision_ms' is no column"):
        bots("mean_decision_ms")
    with pytest.raises(NotThere, match="no position"):
        showing.entries("nobody@1")


@pytest.mark.parametrize(
    "after", ["", "x", "nim/of-2/ann@1+bob@1/deal-9999999999999999999999/turn-0", "nim/\0/a@1/deal-1/turn-0"]
)
def test_what_is_no_position_is_refused(shown: PublishedLeague, after: str) -> None:
    with pytest.raises(NotThere, match="no position"):
        shown.to(Visitor()).matches(after=after)
    with pytest.raises(NotThere, match="nothing to be seen"):
        shown.to(Visitor()).match(after)


def test_no_part_of_a_list_is_longer_than_it_may_be_nor_empty(shown: PublishedLeague) -> None:
    showing = shown.to(Organizer())
    assert len(showing.matches(most=-5).items) == len(showing.standings(most=0).lines) == 1
    assert len(showing.entries(most=-1).items) == len(showing.submissions(most=-1).items) == 1
    assert len(showing.matches(most=1 << 70).items) == 70


def test_of_an_open_match_a_visitor_sees_who_played_and_how_it_ended(shown: PublishedLeague) -> None:
    seen = shown.to(Visitor()).match(FIXTURES[0].id)
    outcome, _ = worlds.outcome_of(FIXTURES[0])
    assert (seen.match, seen.ending, seen.closed, seen.sentences) == (FIXTURES[0].id, outcome.ending, None, ())
    assert [(seat.bot, seat.place) for seat in seen.seats] == list(
        zip(FIXTURES[0].entries, outcome.places, strict=True)
    )
    with pytest.raises(NotThere):
        shown.to(Visitor()).transcript(seen.match)


def test_the_organizer_sees_all_of_an_open_match_but_not_where_bots_are_kept(shown: PublishedLeague) -> None:
    organizer = shown.to(Organizer())
    with_remarks = next(match for match in walked(organizer, 500) if organizer.match(match).sentences)
    seen = organizer.match(with_remarks)
    assert seen.closed is not None
    assert seen.sentences[0].stderr
    told = organizer.transcript(with_remarks)
    assert told.digest == seen.closed.digest
    assert told.metadata.remarks
    assert told.metadata.bots == ()
    assert {said.match for said in organizer.output(with_remarks)} == {with_remarks}


def test_the_seed_is_told_when_the_league_is_closed_and_its_commitment_always(shown: PublishedLeague, url: str) -> None:
    for viewer in (Visitor(), Assistant(), Author("alice"), Organizer()):
        league = shown.to(viewer).league()
        assert (league.seed, league.deals_closed, league.phase) == (None, 0, "paused")
        assert league.seed_sha256 == shown.to(viewer)._state.pinned.commitment
    with Store(url, OF.name) as store:
        store.close_league(77)
    league = shown.to(Visitor()).league()
    assert (league.seed, league.deals_closed, league.closed_ms, league.phase) == (SEED.hex(), None, 77, "closed")
    assert not league.takes_bots


def test_after_a_league_is_closed_everybody_sees_its_matches_and_authors_their_own_stderr(
    shown: PublishedLeague, url: str
) -> None:
    with Store(url, OF.name) as store:
        store.close_league(77)
    own = MatchSearch(bots=("ann@1",), seat=1)
    visitor, alice = shown.to(Visitor()), shown.to(Author("alice"))
    match = next(match for match in walked(alice, 500, own) if alice.match(match).sentences)
    assert visitor.match(match).closed is not None
    assert visitor.match(match).sentences == ()
    assert visitor.transcript(match).record == alice.transcript(match).record
    assert visitor.transcript(match).metadata.remarks == ()
    assert visitor.output(match) == ()
    assert {said.text.split()[0] for said in alice.output(match)} == {"ann@1"}
    for line in visitor.standings().lines:
        assert line.mean_decision_ms is not None
    assert visitor.standings().of.digest is not None


def test_the_deals_of_a_round_are_told_when_the_next_one_is_issued(url: str) -> None:
    with PublishedLeague(worlds.swiss_in_its_second_round(url, 1), url) as shown:
        shown.refresh(MOMENT_MS)
        visitor = shown.to(Visitor())
        closed = {match: visitor.match(match).closed is not None for match in walked(visitor, 500)}
        assert {fixture.id for fixture in worlds.of_round(0)} == {match for match, is_ in closed.items() if is_}
        assert visitor.league().deals_closed == 3
        assert (visitor.league().seed, visitor.standings().of.digest) == (None, None)
        rounds = visitor.rounds()
        assert isinstance(rounds, SwissView)
        assert (rounds.rounds, rounds.bots) == (1, 4)
        part = visitor.rounds(after=2, most=1)
        assert isinstance(part, SwissView)
        assert (part.lines, part.next) == (rounds.lines[2:3], 3)


def _deals_told(showing: LeagueQueries) -> dict[int, set[int]]:
    """By deal, how many others each of its matches is shown with."""
    told: dict[int, set[int]] = {}
    for match in showing.matches(most=500).items:
        others = showing.same_deal(match.match)
        assert {other.deal for other in others} <= {match.deal}
        assert match.match not in {other.match for other in others}
        told.setdefault(match.deal, set()).add(len(others))
    return told


def test_a_match_is_shown_with_the_others_of_its_deal_when_the_deal_is_closed(url: str) -> None:
    with PublishedLeague(worlds.swiss_in_its_second_round(url, 1), url) as shown:
        assert shown.refresh(MOMENT_MS)
        viewers = (Visitor(), Assistant(), Author("alice"), Organizer())
        for viewer, open_too in zip(viewers, (False, False, False, True), strict=True):
            told = _deals_told(shown.to(viewer))
            assert all(told[deal] == {3} for deal in (0, 1, 2)), viewer
            assert any(told[deal] != {0} for deal in told if deal > 2) == open_too, viewer


def test_a_match_with_luck_of_its_own_shares_its_deal_with_no_other(url: str) -> None:
    of = round_robin(2)
    of = replace(of, tables=tuple(replace(table, luck="own") for table in of.tables))
    with opened(url, of) as store:
        fill(store, of, plan(everybody(of))[:6], 1)
    with PublishedLeague(of, url) as shown:
        assert shown.refresh(MOMENT_MS)
        for viewer in (Visitor(), Organizer()):
            assert set().union(*_deals_told(shown.to(viewer)).values()) == {0}
            assert "everybody can watch it" in words.closed(shown.to(viewer).league())


def test_of_many_matches_on_a_deal_those_with_a_bot_of_the_match_are_shown(
    shown: PublishedLeague, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_queries, "LINE_UPS", 4)
    showing = shown.to(Organizer())
    for match in showing.matches(most=20).items:
        own = {seat.bot for seat in match.seats}
        others = showing.same_deal(match.match)
        assert 0 < len(others) <= 4
        assert all(own & {seat.bot for seat in other.seats} for other in others)


def test_of_a_rehearsal_everything_is_told_at_once(url: str) -> None:
    of = replace(OF, rehearsal=True)
    with opened(url, of) as store:
        fill(store, of, FIXTURES[:3], 1)
    with PublishedLeague(of, url) as shown:
        seen = shown.to(Visitor()).match(FIXTURES[0].id)
        assert seen.closed is not None
        assert shown.to(Visitor()).league().seed == SEED.hex()


def test_the_table_is_paged_and_says_whose_bots_are_whose(shown: PublishedLeague) -> None:
    visitor = shown.to(Visitor())
    whole = visitor.standings()
    assert (whole.bots, whole.next, whole.of.at_ms, whole.of.matches) == (4, None, MOMENT_MS, 70)
    assert {line.bot: line.author for line in whole.lines} == {
        "ann@1": "alice",
        "bob@1": "bert",
        "cid@1": "organizer",
        "dee@1": "organizer",
    }
    first = visitor.standings(most=3)
    assert first.next == 3
    assert (*first.lines, *visitor.standings(after=first.next).lines) == whole.lines
    assert visitor.standings(after=4).lines == ()


def test_the_trend_ends_with_the_rating_of_the_table(shown: PublishedLeague) -> None:
    visitor = shown.to(Visitor())
    ratings = visitor.ratings()
    assert ratings.matches[-1] == 70
    for line in visitor.standings().lines:
        assert line.trend == ratings.bots[line.bot]
        assert line.trend[-1] == pytest.approx(line.rating, abs=1e-4)
    with pytest.raises(NotThere):
        visitor.ratings("eve@1")


def test_the_crosstable_shows_every_bot_against_every_other(shown: PublishedLeague) -> None:
    table = shown.to(Visitor()).crosstable()
    assert table.rows == table.columns == tuple(line.bot for line in shown.to(Visitor()).standings().lines)
    for at, row in enumerate(table.cells):
        for other, cell in enumerate(row):
            if at == other:
                assert cell is None
            else:
                turned = table.cells[other][at]
                assert cell is not None
                assert turned is not None
                assert cell.matches == turned.matches
                assert cell.score == pytest.approx(1 - (turned.score or 0))
    assert sum(cell.matches for row in table.cells for cell in row if cell) == 140


def test_a_bot_shows_how_it_fared_and_its_files_to_its_author_alone(shown: PublishedLeague) -> None:
    seen = shown.to(Visitor()).bot("ann@1")
    assert (seen.author, seen.membership, seen.versions, seen.source) == ("alice", "plays", ("ann@1",), None)
    assert seen.results is not None
    own = shown.to(Visitor()).matches(MatchSearch(bots=("ann@1",)), most=500).items
    assert seen.results.standing.matches == len(own)
    assert sum(record.matches for record in seen.results.seats) == sum(match.ending != "fault" for match in own)
    assert seen.results.faults == {
        "timeout": len(shown.to(Visitor()).matches(MatchSearch(bots=("ann@1",), fault="timeout")).items)
    }
    assert shown.to(Author("bert")).bot("ann@1").source is None
    assert shown.to(Author("alice")).bot("ann@1").source == "source of ann@1"
    with pytest.raises(NotThere):
        shown.to(Organizer()).bot("eve@1")


def test_a_bot_that_left_is_still_listed_as_withdrawn(shown: PublishedLeague, url: str) -> None:
    with Store(url, OF.name) as store:
        store.change("ann@1", None, 8)
    entries = {entry.bot: entry for entry in shown.to(Visitor()).entries().items}
    assert entries.keys() == {"ann@1", "bob@1", "cid@1", "dee@1"}
    assert (entries["ann@1"].membership, entries["ann@1"].author) == ("withdrawn", "alice")
    assert shown.to(Visitor()).entries(after="bob@1", most=1).items[0].bot == "cid@1"


def test_when_so_many_bots_left_that_no_match_counts_no_older_table_is_shown(shown: PublishedLeague, url: str) -> None:
    with Store(url, OF.name) as store:
        for name in ("ann@1", "bob@1", "cid@1"):
            store.change(name, None, 8)
    assert not shown.refresh(MOMENT_MS)
    with pytest.raises(NotYet):
        shown.to(Visitor()).standings()


def test_authors_see_their_own_submissions_and_logs_and_nobody_else_s(shown: PublishedLeague) -> None:
    assert shown.to(Visitor()).submissions().items == ()
    (own,) = shown.to(Author("alice")).submissions().items
    assert (own.bot, own.state, own.log) == ("ann@1", "entered", ())
    told = shown.to(Author("alice")).submission(own.number)
    assert [part.text for part in told.log] == ["the log of ann@1\nit plays from the next run"]
    for viewer in (Visitor(), Author("bert")):
        with pytest.raises(NotThere, match="no submission"):
            shown.to(viewer).submission(own.number)
    assert [each.number for each in shown.to(Organizer()).submissions().items] == [2, 1]
    page = shown.to(Organizer()).submissions(most=1)
    assert page.next == "2"
    assert [each.number for each in shown.to(Organizer()).submissions(page.next).items] == [1]
    with pytest.raises(NotThere):
        shown.to(Organizer()).submissions("x")


def test_the_nodes_of_a_run_are_shown_to_the_organizer_while_it_is_played(shown: PublishedLeague, url: str) -> None:
    fleet = Fleet(5, ())
    with Store(url, OF.name) as store:
        store.note_fleet(fleet)
    assert (shown.to(Organizer()).league().fleet, shown.pulse().played) == (None, False)
    with lock_league(lock_path(url, OF.name)):
        assert (shown.to(Organizer()).league().fleet, shown.pulse().played) == (fleet, True)
        assert shown.to(Visitor()).league().fleet is None
        assert shown.to(Author("alice")).league().fleet is None


def test_the_evidence_of_a_memory_is_for_the_organizer_until_the_league_is_closed(
    shown: PublishedLeague, url: str
) -> None:
    found = shown.to(Organizer()).league().memory
    assert found is not None
    assert {each.bot for each in found.bots} == {entry.name for entry in everybody(OF).entries}
    assert all(shown.to(viewer).league().memory is None for viewer in (Visitor(), Author("alice")))
    with Store(url, OF.name) as store:
        store.close_league(MOMENT_MS)
    assert shown.to(Visitor()).league().memory == found


def test_unusual_pairs_are_for_the_organizer_alone(shown: PublishedLeague, url: str) -> None:
    pair = PairFlag("ann@1", "bob@1", 70, 0.98, 0.55)
    with Store(url, OF.name) as store:
        found = {PAIRS: msgspec.json.encode([pair])}
        store.table_cache.put(PAIRS, store.table_cache.key(PAIRS) or "", found)
        store.close_league(MOMENT_MS)
    assert shown.to(Organizer()).league().pairs == (pair,)
    assert [shown.to(viewer).league().pairs for viewer in (Visitor(), Author("alice"))] == [(), ()]


def test_where_many_bots_have_played_little_since_only_ratings_are_new_and_the_table_says_of_when_the_rest_is(
    shown: PublishedLeague, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranking, "MANY", 2)
    monkeypatch.setattr(ranking, "NEW", 0.02)
    found = []
    for number in range(3):
        with Store(url, OF.name) as store:
            fill(store, OF, FIXTURES[70 + number : 71 + number], 1)
        assert shown.refresh(MOMENT_MS + number)
        found.append(shown.to(Visitor()).standings())
    assert [each.best_ms for each in found] == [None, MOMENT_MS, None]  # two matches of 71 are more than 2 %
    first, second = ({line.bot: line for line in each.lines} for each in found[:2])
    assert [second[bot].first for bot in first] == [line.first for line in first.values()]
    assert [second[bot].rating for bot in first] != [line.rating for line in first.values()]


def test_as_soon_as_a_league_is_closed_no_table_is_interim(shown: PublishedLeague, url: str) -> None:
    """The tables are computed anew a minute later."""
    before = shown.to(Visitor()).league().progress
    assert before is not None
    assert before.matches.remaining
    assert shown.to(Visitor()).standings().of.interim
    with Store(url, OF.name) as store:
        store.close_league(MOMENT_MS)
    after = shown.to(Visitor())
    assert not after.standings().of.interim
    assert not after.crosstable().of.interim
    now = after.league().progress
    assert now is not None
    then = before.matches
    assert (now.matches.remaining, now.matches.skipped) == (0, then.skipped + then.remaining)
    assert after.bot("cid@1").results is not None


def test_tables_are_computed_again_only_when_something_changed(shown: PublishedLeague, url: str) -> None:
    before = shown.pulse()
    assert shown.refresh(MOMENT_MS + 1)
    assert shown.to(Visitor()).standings().of.at_ms == MOMENT_MS
    with Store(url, OF.name) as store:
        fill(store, OF, FIXTURES[70:71], 1)
    assert shown.pulse() == replace(before, stored=71)
    assert shown.refresh(MOMENT_MS + 2)
    assert shown.to(Visitor()).standings().of.at_ms == MOMENT_MS + 2
    assert shown.pulse().tables not in (None, before.tables)


def test_a_match_that_lost_its_transcript_is_not_shown_and_the_others_are(shown: PublishedLeague, url: str) -> None:
    in_sql(url, "DELETE FROM transcript WHERE fixture = :id", id=FIXTURES[3].id)
    visitor = shown.to(Visitor())
    assert walked(visitor, 500) == [
        fixture.id
        for fixture in sorted(FIXTURES[:70], key=lambda fixture: (-fixture.deal, fixture.id))
        if fixture != FIXTURES[3]
    ]
    with pytest.raises(NotThere):
        visitor.match(FIXTURES[3].id)


def test_tables_that_are_replaced_during_a_request_are_not_mixed(shown: PublishedLeague, url: str) -> None:
    request = shown.to(Visitor())
    assert request.standings().bots == 4
    with Store(url, OF.name) as store:
        fill(store, OF, FIXTURES[70:71], 1)
    assert shown.refresh(MOMENT_MS + 1)
    assert (request.crosstable().rows, request.bot("ann@1").results) == ((), None)
    assert len(shown.to(Visitor()).crosstable().rows) == 4


def test_what_another_version_kept_of_a_bot_is_not_shown(shown: PublishedLeague, url: str) -> None:
    with Store(url, OF.name) as store:
        summary = store.table_cache.take(SUMMARY)
        store.table_cache.put(PART_PREFIX, "key", {**summary, of_bot("ann@1"): b'{"sides": 1}'})
    visitor = shown.to(Visitor())
    assert (visitor.crosstable().rows, visitor.bot("bob@1").results) == ((), None)
    assert shown.refresh(MOMENT_MS)
    assert len(shown.to(Visitor()).crosstable().rows) == 4


def test_before_a_league_is_played_there_are_no_tables_and_its_bots_are_shown(url: str) -> None:
    with opened(url, OF):
        pass
    with PublishedLeague(OF, url) as shown:
        assert not shown.refresh(MOMENT_MS)
        assert shown.pulse().tables is None
        visitor = shown.to(Visitor())
        assert visitor.league().phase == "waiting"
        assert visitor.bot("ann@1").results is None
        assert [entry.bot for entry in visitor.entries().items] == ["ann@1", "bob@1", "cid@1", "dee@1"]
        assert visitor.matches().items == ()
        for ask in (visitor.standings, visitor.crosstable, visitor.sides, visitor.ratings, visitor.rounds):
            with pytest.raises(NotYet):
                ask()


def test_matches_and_their_number_are_shown_in_steps_of_time_to_all_but_the_organizer(
    shown: PublishedLeague, url: str
) -> None:
    """The match with the number n is stored in the second n."""
    assert last_minute(61_234) == 60_000
    with PublishedLeague(OF, url, lambda: 30_000) as stepped:
        visitor, organizer = stepped.to(Visitor()), stepped.to(Organizer())
        first = sorted(FIXTURES[:30], key=lambda fixture: (-fixture.deal, fixture.id))
        assert walked(visitor, 7) == [fixture.id for fixture in first]
        assert (visitor.league().stored, stepped.pulse().stored, shown.pulse().stored) == (30, 30, 70)
        assert visitor.match(FIXTURES[29].id).ending
        with pytest.raises(NotThere):
            visitor.match(FIXTURES[30].id)
        assert (organizer.league().stored, len(walked(organizer, 500))) == (70, 70)
        with Store(url, OF.name) as store:
            store.close_league(MOMENT_MS)
        assert (stepped.to(Visitor()).league().stored, stepped.pulse().stored) == (70, 70)


def test_the_first_tables_do_not_tell_when_the_first_match_ended(url: str) -> None:
    with opened(url, OF) as store:
        fill(store, OF, FIXTURES[:5], 1)
    with PublishedLeague(OF, url, lambda: 0) as shown:
        assert not shown.refresh(MOMENT_MS)
    with PublishedLeague(OF, url, lambda: 60_000) as shown:
        assert shown.refresh(MOMENT_MS)


def test_a_store_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(NeverRun):
        PublishedLeague(OF, f"sqlite:///{tmp_path}/none.sqlite")
    assert list(tmp_path.iterdir()) == []


def test_counts_of_losses_are_those_of_the_lists_that_they_lead_to(shown: PublishedLeague) -> None:
    visitor = shown.to(Visitor())
    for entry in everybody(OF).entries:
        found = visitor.losses(entry.name).losses

        def listed(bot: str = entry.name, **asked: Any) -> int:
            return len(visitor.matches(visitor.search(bot=bot, result="lost", **asked), most=500).items)

        assert found.losses == listed() > 0
        assert {each.losses == listed(other=each.name) for each in found.opponents} == {True}
        assert {each.losses == listed(ending=each.name) for each in found.endings} == {True}
        assert {each.losses == listed(table=each.table, seat=int(each.name)) for each in found.seats} == {True}


def test_only_the_author_and_the_organizer_read_why_a_bot_failed_and_nobody_does_before_the_deal_is_closed(
    shown: PublishedLeague, url: str
) -> None:
    viewers = (Visitor(), Author("bert"), Author("alice"), Organizer())
    assert {shown.to(viewer).losses("ann@1").causes for viewer in viewers} == {()}
    with Store(url, OF.name) as store:
        store.close_league(MOMENT_MS)
    assert shown.refresh(MOMENT_MS)
    texts = [{cause.text[:19] for cause in shown.to(viewer).losses("ann@1").causes} for viewer in viewers]
    assert texts == [{""}, {""}, {"it named no action,"}, {"it named no action,"}]
    assert len(shown.to(Author("alice")).losses("ann@1").causes) == 1


def test_the_losses_of_a_bot_that_never_played_are_not_there(shown: PublishedLeague) -> None:
    with pytest.raises(NotThere, match="nobody@1"):
        shown.to(Visitor()).losses("nobody@1")


def test_the_organizer_alone_sees_speed_faults_and_void_matches(shown: PublishedLeague, url: str) -> None:
    with Store(url, OF.name) as store:
        store.save([], MOMENT_MS, [StoredVoid(FIXTURES[-1].id, "a worker was lost", MOMENT_MS)])
    assert shown.to(Author("alice")).operation() is None
    found = shown.to(Organizer()).operation()
    assert found is not None
    assert found.a_minute == 7.0
    assert {each.kind for each in found.faults} == {"timeout"}
    assert sum(each.matches for each in found.faults) == len(
        shown.to(Organizer()).matches(MatchSearch(fault="timeout"), most=500).items
    )
    assert [(each.fixture, each.reason) for each in found.latest] == [(FIXTURES[-1].id, "a worker was lost")]
