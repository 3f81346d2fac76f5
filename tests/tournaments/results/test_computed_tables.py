"""The store keeps a computed table, and shows it again only while it is right."""

import contextlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from msgspec.structs import replace

from tests.tournaments.fakes import GAME, Bot, FakeExecutor, Run, Stopped, auction_league, bids_high
from tests.tournaments.leagues import plan
from tests.tournaments.stores import in_sql
from tournaments.league.model import Entry, League
from tournaments.maintenance.close_league import close
from tournaments.rating import METHOD
from tournaments.rating.intervals import bootstrap
from tournaments.results.computed_tables import league_crosstable, league_standings
from tournaments.results.stored_league import StoredLeague, open_results
from tournaments.results.verify import differences
from tournaments.web.queries import PublishedLeague

BOTS: dict[str, Bot] = {"ann@1": bids_high}
LEAGUE = auction_league(deals=3)


@pytest.fixture
def rated(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The leagues that are rated from now on, one name for each time."""
    names: list[str] = []

    def noted(*given, **named):  # type: ignore[no-untyped-def] # as `bootstrap`
        names.append("rated")
        return bootstrap(*given, **named)

    monkeypatch.setattr("tournaments.rating.ranking.bootstrap", noted)
    return names


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A store with the league, played, but nothing asked."""
    with Run(tmp_path, LEAGUE) as played:
        played.play(FakeExecutor(BOTS))
    return f"sqlite:///{tmp_path / 'store.sqlite'}"


ASK: list[Callable[[StoredLeague], object]] = [league_standings, league_crosstable]


def asked(url: str, ask: Callable[[StoredLeague], object], league: League = LEAGUE) -> object:
    with open_results(league, url) as results:
        return ask(results)


@pytest.mark.parametrize("ask", ASK)
def test_who_asks_again_gets_the_same_answer_without_rating(
    url: str, rated: list[str], ask: Callable[[StoredLeague], object]
) -> None:
    first = asked(url, ask)
    assert rated == ["rated"]
    assert asked(url, ask) == first
    assert rated == ["rated"]


def test_each_question_has_an_answer_of_its_own(url: str, rated: list[str]) -> None:
    for ask in [*ASK, *ASK]:
        asked(url, ask)
    assert len(rated) == 2


@pytest.mark.parametrize("ask", ASK)
def test_what_a_run_rated_at_its_end_is_not_rated_again(
    tmp_path: Path, rated: list[str], ask: Callable[[StoredLeague], object]
) -> None:
    with Run(tmp_path, LEAGUE) as played:
        told = ask(played.play(FakeExecutor(BOTS)).open.results)
    assert asked(f"sqlite:///{tmp_path / 'store.sqlite'}", ask) == told
    assert rated == ["rated"]


CHANGES: dict[str, League] = {
    "another roster": replace(LEAGUE, entries=(*LEAGUE.entries, Entry("zoe@1", "/bots/zoe"))),
    "more deals": replace(LEAGUE, deals=4),
    "a table less": replace(LEAGUE, tables=LEAGUE.tables[:1]),
}


@pytest.mark.parametrize("change", CHANGES)
def test_another_league_file_has_another_table(url: str, rated: list[str], change: str) -> None:
    asked(url, league_standings)
    asked(url, league_standings, CHANGES[change])
    assert len(rated) == 1 + (CHANGES[change] != LEAGUE)


SQL = {
    "a void": "INSERT INTO void (league, fixture, reason, stored_ms, busy, counts, forgiven)"
    " SELECT league, fixture, 'x', 0, FALSE, TRUE, '' FROM match LIMIT 1",
    "a reinstatement": "UPDATE entry SET reinstated_ms = 1 WHERE name = 'ann@1'",
    "a result less": "DELETE FROM match WHERE fixture = (SELECT fixture FROM match LIMIT 1)",
    "a closed deal": "UPDATE league SET closed_deals = 1",
    "a closed league": "UPDATE league SET closed_ms = 1",
}


@pytest.mark.parametrize("what", SQL)
def test_a_table_that_is_no_longer_right_is_computed_anew(url: str, rated: list[str], what: str) -> None:
    asked(url, league_standings)
    in_sql(url, SQL[what])
    asked(url, league_standings)
    assert len(rated) == 2


def test_a_kept_table_stays_while_records_are_changed_from_outside_which_verify_finds(
    url: str, rated: list[str]
) -> None:
    """To read all records is what takes long. `league verify` reads them, and names the changed one."""
    first = asked(url, league_standings)
    ((last, record),) = in_sql(url, "SELECT max(fixture), record FROM transcript WHERE dictionary = 0")
    change = "UPDATE transcript SET record = :record WHERE fixture = :id"
    in_sql(url, change, record=record.replace(b"1]", b"2]"), id=last)
    assert asked(url, league_standings) == first
    assert len(rated) == 1
    with open_results(LEAGUE, url) as results:
        wrong = [fixture for fixture, difference in differences(results, GAME) if difference]
    assert wrong == [last]
    in_sql(url, "DELETE FROM answer")
    assert asked(url, league_standings) != first


def test_a_table_of_a_league_that_was_not_over_is_not_shown_when_it_is_closed(tmp_path: Path) -> None:
    with contextlib.suppress(Stopped), Run(tmp_path, LEAGUE) as run:
        run.play(FakeExecutor(BOTS, stops_after=10))
    url = f"sqlite:///{tmp_path / 'store.sqlite'}"
    with open_results(LEAGUE, url) as before:
        assert league_standings(before).interim
        close(LEAGUE, url, 7, abandon=True)
        assert league_standings(before).interim  # results were read, and answers from them agree
    with open_results(LEAGUE, url) as after:
        assert not league_standings(after).interim


def test_what_somebody_else_changes_after_results_were_read_does_not_make_their_table_the_later_one(url: str) -> None:
    in_sql(url, "DELETE FROM match WHERE fixture LIKE '%deal-2%'")
    with open_results(LEAGUE, url) as reader:
        assert reader.matches()
        in_sql(url, "UPDATE league SET closed_ms = 1")
        assert league_standings(reader).interim
    with open_results(LEAGUE, url) as later:
        assert not league_standings(later).interim


def test_what_was_computed_to_be_shown_is_the_table_that_is_asked_for(url: str, rated: list[str]) -> None:
    with PublishedLeague(LEAGUE, url) as shown:
        assert shown.refresh(1)
        of_pages = len(rated)
        told = asked(url, league_standings)
        assert len(rated) == of_pages
        assert shown.refresh(2)
        assert len(rated) == of_pages
    in_sql(url, "DELETE FROM answer")
    assert asked(url, league_standings) == told


def test_voids_that_no_longer_count_make_another_table(url: str, rated: list[str]) -> None:
    in_sql(url, SQL["a void"])
    asked(url, league_standings)
    in_sql(url, "UPDATE void SET counts = false")
    asked(url, league_standings)
    assert len(rated) == 2


def test_another_version_of_the_method_rates_anew(url: str, rated: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    asked(url, league_standings)
    monkeypatch.setattr("tournaments.results.stored_league.METHOD", METHOD + 1)
    asked(url, league_standings)
    assert len(rated) == 2


@pytest.mark.parametrize("answer", [b'{"league": "autumn"}', zstandard.compress(b'{"league": "autumn"}')])
def test_a_kept_answer_that_cannot_be_read_is_computed_anew_and_kept_again(
    url: str, rated: list[str], answer: bytes
) -> None:
    first = asked(url, league_standings)
    in_sql(url, "UPDATE answer SET answer = :answer", answer=answer)
    assert asked(url, league_standings) == first
    assert asked(url, league_standings) == first
    assert len(rated) == 2


def test_where_nothing_can_be_written_a_table_is_not_kept_and_that_is_no_error(
    url: str, rated: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # as for whoever may not write in the folder of the store
    for times in (1, 2):
        asked(url, league_standings)
        assert len(rated) == times


def test_results_that_come_while_a_table_is_computed_do_not_make_it_the_table_of_them(
    tmp_path: Path, rated: list[str]
) -> None:
    """The reader opened the league before the last results came; a later question gets the later table."""
    with Run(tmp_path, LEAGUE) as running:
        url = f"sqlite:///{tmp_path / 'store.sqlite'}"
        running.play(FakeExecutor(BOTS, stops_after=None))
        with open_results(LEAGUE, url) as reader:
            assert len(reader.matches()) == len(plan(LEAGUE))
            in_sql(url, "DELETE FROM match WHERE fixture LIKE '%deal-2%'")  # as if it had been read too early
            early = league_standings(reader)
        late = asked(url, league_standings)
        assert late != early
        assert len(rated) == 2
