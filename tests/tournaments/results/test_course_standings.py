"""One table over several leagues: who counts, and what each may expect."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.tournaments.fakes import FakeExecutor, Run, auction_league, bids_high, fails
from tournaments.league.model import League
from tournaments.rating.fit import OverallShare
from tournaments.results.computed_tables import table_inputs
from tournaments.results.course_standings import CourseLeague, CourseStanding, counting_bots, course_standings


def week(folder: Path, name: str, bots: list[str], good: str) -> CourseLeague:
    """A league in which one bot plays better than the others, which choose at random, and `z` always fails."""
    league = replace(auction_league(bots, deals=12), name=name)
    with Run(folder, league) as run:
        run.play(FakeExecutor({f"{good}@1": bids_high, "z@1": fails}))
        results = run.open.results
        return CourseLeague(table_inputs(results, results.state.counted()), counting_bots(results.league, ()))


def test_each_owner_has_one_line_over_all_leagues_and_who_missed_one_comes_last(tmp_path: Path) -> None:
    first = week(tmp_path, "week1", ["ann", "bob", "cid"], "ann")
    second = week(tmp_path, "week2", ["ann", "bob", "cid", "dan"], "ann")
    lines = course_standings([first, second])
    assert {line.owner for line in lines} == {"ann", "bob", "cid", "dan"}
    assert (lines[-1].owner, lines[-1].overall) == ("dan", OverallShare(1, 2))
    assert lines[-1].bots == {"week1": "", "week2": "dan@1"}
    shares = [line.overall.share for line in lines[:3]]
    assert all(share is not None for share in shares)
    assert shares == sorted(shares, reverse=True)  # type: ignore[type-var]
    assert sum(shares) == pytest.approx(1.5)  # type: ignore[arg-type]


def test_the_same_leagues_give_the_same_table_in_any_order(tmp_path: Path) -> None:
    first, second = (week(tmp_path, name, ["ann", "bob", "cid"], "bob") for name in ("week1", "week2"))
    one, other = course_standings([first, second]), course_standings([second, first])
    for a, b in zip(one, other, strict=True):
        assert a.owner == b.owner
        assert a.overall.share == pytest.approx(b.overall.share)
        assert a.overall.interval == pytest.approx(b.overall.interval)


def entries_of(league: League) -> dict[str, str]:
    return counting_bots(league, ())


def test_bots_of_the_file_belong_to_their_authors_or_stand_for_themselves() -> None:
    league = auction_league(["ann", "bob"])
    named = replace(league, entries=(replace(league.entries[0], author="eva"), league.entries[1]))
    assert entries_of(named) == {"eva": "ann@1", "bob": "bob@1"}


@pytest.mark.parametrize(("share", "elo"), [(0.5, 1500), (10 / 11, 1900), (1 / 11, 1100)])
def test_ten_wins_for_one_loss_are_four_hundred_points(share: float, elo: float) -> None:
    assert CourseStanding("ann", OverallShare(1, 1, share), {}).elo == pytest.approx(elo)


def test_who_lacks_a_table_has_no_such_number() -> None:
    assert CourseStanding("ann", OverallShare(1, 2), {}).elo is None
