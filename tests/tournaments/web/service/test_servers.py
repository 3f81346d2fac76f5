"""Each league has one server, and tables are computed seldom."""

import asyncio
import time
from contextlib import nullcontext
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.tournaments.fakes import FakeExecutor, FakeMachine
from tests.tournaments.leagues import plan
from tests.tournaments.web.queries import worlds
from tests.tournaments.web.service.hall import OPEN
from tournaments.league.model import Luck
from tournaments.league.submissions import ORGANIZER
from tournaments.play.environment import LocalEnvironment
from tournaments.store import StoreError
from tournaments.web.queries import LeagueQueries, NotThere, PublishedLeague
from tournaments.web.service import league_service, table_refresher
from tournaments.web.service.app import ServiceLimits
from tournaments.web.service.background_process import Supervisor
from tournaments.web.service.league_service import open_league_service
from tournaments.web.service.serve import (
    LeagueFiles,
    Ports,
    ServedAlready,
    TwoOfOneName,
    _alone,
    _serve,
    _tell_of_open_stores,
    serve,
)
from tournaments.web.service.server import ServerAddress, opened
from tournaments.web.service.table_refresher import EVERY_S
from tournaments.web.service.worker_messages import ServedLeague


def is_open_to(viewer: LeagueQueries, match: str) -> bool:
    try:
        return viewer.match(match).closed is not None
    except NotThere:
        return False


def test_a_league_is_served_by_one_server_at_a_time(url: str) -> None:
    served = ServedLeague("autumn.toml", OPEN, url)
    with _alone(served) as folder:
        assert folder.is_dir()
        with pytest.raises(ServedAlready, match="autumn is served already by another process; end that first"):
            _alone(served).__enter__()
    with _alone(served):
        assert not folder.exists()


def test_of_a_store_that_others_may_read_the_organizer_is_told_and_its_rights_stay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    served = []
    for mode in (0o600, 0o640):
        file = tmp_path / f"{mode:o}.sqlite"
        file.touch(mode)
        served.append(ServedLeague(str(tmp_path / "autumn.toml"), OPEN, f"sqlite:///{file}"))
    _tell_of_open_stores(served, print)
    assert capsys.readouterr().out == (
        f"other users of this machine have rights on the store {file}; if they need none: chmod 600 {file}\n"
    )
    assert file.stat().st_mode & 0o777 == 0o640


def test_two_leagues_of_one_name_are_not_served_together(url: str) -> None:
    served = ServedLeague("autumn.toml", OPEN, url)
    with pytest.raises(TwoOfOneName, match="two of these leagues are called autumn; serve them by two servers"):
        serve([served, served], ServerAddress(), LocalEnvironment(), print)


def test_a_served_league_shows_a_match_when_its_minute_is_over_and_the_organizer_at_once(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(league_service, "open_submissions", lambda *_: nullcontext())
    with worlds.opened(url, of := worlds.round_robin()) as store:
        for fixture, stored_ms in zip(plan(worlds.everybody(of)), (59_000, 61_000), strict=False):
            assert store.save([worlds.played(of, fixture, 1)], stored_ms)
    machine = FakeMachine(FakeExecutor(), started_ms=90_000)
    with open_league_service(ServedLeague("autumn.toml", of, url), machine) as served:
        assert [served.to(author).league().stored for author in (None, "alice", ORGANIZER)] == [1, 1, 2]


@pytest.mark.parametrize(("lucks", "listed"), [(("own",), "all"), (("own", "common"), "none"), (("common",), "none")])
def test_a_match_with_luck_of_its_own_opens_for_a_visitor_when_it_ends_and_another_does_not(
    url: str, lucks: tuple[Luck, ...], listed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(league_service, "open_submissions", lambda *_: nullcontext())
    of = worlds.round_robin()
    (table,) = of.tables
    of = replace(of, tables=tuple(replace(table, name=luck, luck=luck) for luck in lucks))
    fixtures = plan(worlds.everybody(of))
    with worlds.opened(url, of) as store:
        assert store.save([worlds.played(of, fixture, 1) for fixture in fixtures], 61_000)
    machine = FakeMachine(FakeExecutor(), started_ms=61_500)
    with open_league_service(ServedLeague("autumn.toml", of, url), machine) as served:
        visited = served.to(None)
        assert {each.id for each in fixtures if is_open_to(visited, each.id)} == {
            each.id for each in fixtures if each.table == "own"
        }
        assert len(visited.matches(most=1000).items) == {"all": len(fixtures), "none": 0}[listed]


def test_the_first_tables_of_a_league_come_soon_after_its_first_match_and_the_next_a_minute_later(url: str) -> None:
    with worlds.opened(url, of := worlds.round_robin()) as store, PublishedLeague(of, url) as shown:
        assert table_refresher.refreshed(shown).is_due(time.monotonic() + EVERY_S / 2)
        assert store.save([worlds.played(of, fixture, 1) for fixture in plan(worlds.everybody(of))[:3]], 1)
        assert not table_refresher.refreshed(shown).is_due(time.monotonic() + EVERY_S / 2)
        assert shown.pulse().tables is not None


def test_a_store_that_cannot_be_read_is_said_once_a_minute(capsys: pytest.CaptureFixture[str]) -> None:
    class Broken:
        def refresh(self, _now_ms: int) -> bool:
            raise StoreError("it is broken")

    again = table_refresher.refreshed(Broken())  # type: ignore[arg-type] # it is asked for nothing else
    assert not again.is_due(time.monotonic() + EVERY_S / 2)
    assert capsys.readouterr().err == "referee serve: it is broken\n"


def test_a_bug_in_what_keeps_the_processes_ends_the_server_and_is_not_silent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(_foreman: Supervisor) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Supervisor, "keep", broken)
    place, files = ServerAddress(port=0), LeagueFiles([], LocalEnvironment(), print)
    with opened(place) as listening, pytest.raises(ZeroDivisionError):
        asyncio.run(_serve(files, {"none": tmp_path}, Ports(listening, place), print, ServiceLimits()))
