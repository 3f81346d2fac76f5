"""The server's memory of the submission worker's messages."""

import msgspec

from tests.tournaments.leagues import league
from tournaments.web.service.worker_messages import (
    MOST_TEXT,
    News,
    ServedLeague,
    WorkBegan,
    WorkBoard,
    WorkerOrders,
    WorkInProgress,
    WorkLeft,
    WorkLost,
    WorkWrote,
)

JOBS = (ServedLeague("league.toml", league(), "sqlite:///league.sqlite"),)


def board(told: list[str] | None = None) -> WorkBoard:
    return WorkBoard(lambda: JOBS, (told if told is not None else []).append)


def heard(board: WorkBoard, *news: News) -> None:
    for each in news:
        board.line(msgspec.json.encode(each))


def test_what_is_said_of_a_state_is_remembered_until_the_workbench_lets_go_of_it() -> None:
    told: list[str] = []
    here = board(told)
    heard(here, WorkBegan("autumn", 3, "building"), WorkWrote("autumn", 3, "a"), WorkWrote("autumn", 3, "b"))
    assert here.live("autumn", 3) == WorkInProgress(1, "building", "ab")
    assert here.live("autumn", 4) is None
    heard(here, WorkBegan("autumn", 3, "checking"))
    assert here.live("autumn", 3) == WorkInProgress(2, "checking", "")
    heard(here, WorkLeft("autumn", 3, "bee@1 of eva is entered"))
    assert here.live("autumn", 3) is None
    assert told == ["autumn: submission 3: bee@1 of eva is entered"]


def test_no_state_takes_more_memory_than_is_kept_of_it() -> None:
    here = board()
    heard(here, WorkBegan("autumn", 3, "building"), *[WorkWrote("autumn", 3, "x" * 9_999)] * 20)
    live = here.live("autumn", 3)
    assert live is not None
    assert len(live.text) == MOST_TEXT


def test_the_next_workbench_is_told_at_which_submissions_workbenches_were_lost() -> None:
    here = board()
    assert msgspec.json.decode(here.gone(0), type=WorkerOrders) == WorkerOrders(JOBS)
    for _ in range(2):
        heard(here, WorkBegan("autumn", 3, "building"))
        orders = msgspec.json.decode(here.gone(-9), type=WorkerOrders)
    assert orders == WorkerOrders(JOBS, (WorkLost("autumn", 3, 2),))
    assert here.live("autumn", 3) is None
    assert msgspec.json.decode(here.gone(-9), type=WorkerOrders) == orders


def test_the_checks_that_ended_and_their_seconds_are_counted_and_builds_are_not() -> None:
    clock = iter((0.0, 10.0, 17.0, 20.0, 21.0))
    here = WorkBoard(lambda: JOBS, lambda _: None, lambda: next(clock))
    heard(here, WorkBegan("autumn", 3, "building"), WorkBegan("autumn", 3, "checking"), WorkLeft("autumn", 3, ""))
    heard(here, WorkBegan("autumn", 4, "building"), WorkLeft("autumn", 4, ""))
    assert (here.checks, here.check_s) == (1, 7.0)
