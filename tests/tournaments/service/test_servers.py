"""Who may serve which leagues, and how seldom tables are computed."""

import asyncio
from pathlib import Path

import pytest

from tests.tournaments.service.hall import OPEN
from tournaments.machine import ThisMachine
from tournaments.service.app import Limits
from tournaments.service.clerk import EVERY_S, MOST_SHARE, rest_s
from tournaments.service.desk import Served
from tournaments.service.foreman import Foreman
from tournaments.service.server import Place, opened
from tournaments.service.serving import ServedAlready, TwoOfOneName, _alone, _serve, serve


def test_a_league_is_served_by_one_server_at_a_time(url: str) -> None:
    served = Served(Path("autumn.toml"), OPEN, url)
    with _alone(served) as folder:
        assert folder.is_dir()
        with pytest.raises(ServedAlready, match="autumn is served already by another process; end that first"):
            _alone(served).__enter__()
    with _alone(served):
        assert not folder.exists()


def test_two_leagues_of_one_name_are_not_served_together(url: str) -> None:
    served = Served(Path("autumn.toml"), OPEN, url)
    with pytest.raises(TwoOfOneName, match="two of these leagues are called autumn; serve them by two servers"):
        serve([served, served], Place(), ThisMachine(), print)


@pytest.mark.parametrize("took_s", [0.0, 0.1, 3.0, 60.0, 3_600.0])
def test_tables_are_computed_seldom_and_take_a_small_share_of_a_core(took_s: float) -> None:
    assert rest_s(took_s) >= EVERY_S
    assert took_s / (took_s + rest_s(took_s)) <= MOST_SHARE + 1e-9


def test_a_bug_in_what_keeps_the_processes_ends_the_server_and_is_not_silent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(_foreman: Foreman) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Foreman, "keep", broken)
    place = Place(port=0)
    with opened(place) as listening, pytest.raises(ZeroDivisionError):
        asyncio.run(_serve({}, (), tmp_path, listening, place, print, Limits()))
