"""The short form of `python -m benchmarks.calibration`, which wrote the table of docs/ratings.md."""

import itertools
import json
import math
from collections.abc import Callable
from statistics import fmean

import pytest
from msgspec.structs import replace

from benchmarks import calibration
from benchmarks.calibration import (
    BEST,
    BLOCK,
    DOCUMENT,
    EVERY,
    Measured,
    Row,
    compared,
    head,
    known_of,
    league,
    main,
    summed_up,
)
from benchmarks.simulation import TABLES, Leagues
from referee.core import seeds
from tournaments.rating.contest import Contest
from tournaments.rating.intervals import bootstrap
from tournaments.rating.ratings import USUAL_FIELD

EQUALS = Row("duel", 8, "equal", 30, "bot")
ROLES = Row("dealt roles, copies", 2, "equal", 20, "bot")
STRONG = Row("strong role, copies", 2, "equal", 20, "nobody")
SWISS = Row("duel", 16, "equal", 10, "nobody", format="swiss")
SHORT = [row for row in BEST if row.deals <= 20 and row.players <= 9]
WHOLE = {"intervals": 80, "best": 18, "fit": 10, "overall": 3}
"""So many rows of each table in the document have all their leagues, and the others at least this."""
FEWEST = 100
TOGETHER = Row("cooperation", 4, "equal", 30, "deal")


def as_it_is(contest: Contest) -> Contest:
    return contest


def block_of_its_group(contest: Contest) -> Contest:
    players = sorted({member.player for team in contest.teams for member in team})
    return replace(contest, block=f"{contest.block}: {players}")


def ties_broken_by_names(contest: Contest) -> Contest:
    names = [sorted(member.player for member in team) for team in contest.teams]
    order = sorted(zip(contest.places, names, range(len(names)), strict=True))
    places = {team: place for place, (_, _, team) in enumerate(order, 1)}
    return replace(contest, places=tuple(places[team] for team in range(len(names))))


def short(row: Row, leagues: int, change: Callable[[Contest], Contest] = as_it_is) -> Measured:
    """The row with so many leagues, each match of which is changed before it is rated."""
    known = known_of(row.long_model) if row.of == "intervals" else {}
    changed = (list(map(change, league(row, at))) for at in range(leagues))
    return summed_up(row, [compared(row, known, contests, at) for at, contests in enumerate(changed)])


def number(value: float | None) -> float:
    assert value is not None
    return value


@pytest.mark.slow
@pytest.mark.parametrize(
    ("row", "leagues"),
    [
        (Row("duel", 2, "equal", 10, "seat"), 50),
        (EQUALS, 6),
        (ROLES, 15),
        (STRONG, 40),
        (Row("duel", 4, "ladder", 30, "bot"), 12),
        (Row("2v2", 4, "equal", 10, "bot"), 15),
        (TOGETHER, 12),
    ],
    ids=lambda value: value.title if isinstance(value, Row) else None,
)
def test_intervals_hold_in_about_95_of_100_simulated_leagues_and_few_bots_are_falsely_separated(
    row: Row, leagues: int
) -> None:
    means = short(row, leagues).means
    assert number(means.interval) > 0.9
    assert number(means.difference) > 0.9
    assert number(means.false) < 0.08


def test_intervals_would_not_hold_if_a_block_were_what_one_group_played_on_a_deal() -> None:
    means = short(EQUALS, 6, block_of_its_group).means
    assert number(means.interval) < 0.85
    assert number(means.difference) < 0.85


def test_equal_bots_would_be_falsely_separated_if_names_broke_ties() -> None:
    assert number(short(ROLES, 8, ties_broken_by_names).means.false) > 0.5


def test_equal_bots_are_seldom_separated_where_one_side_nearly_always_wins() -> None:
    """When turned deals reversed the sides, too, a fifth of such pairs were."""
    assert number(short(STRONG, 20).means.false) <= 0.1


@pytest.mark.slow
def test_over_100_seeds_of_rehearsals_at_most_5_of_100_pairs_of_equal_bots_are_separated() -> None:
    found = short(Row("duel", 4, "equal", 10, "bot"), 100)
    assert 0 < number(found.means.false) <= 0.05 + 2 * number(found.errors.false)


@pytest.mark.slow
def test_in_a_swiss_few_equal_bots_are_separated_and_many_would_be_with_the_usual_field(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert number(short(SWISS, 12).means.false) < 0.08
    monkeypatch.setattr(calibration, "estimated_field", lambda *_: USUAL_FIELD)
    assert number(short(SWISS, 12).means.false) > 0.12


@pytest.mark.slow
@pytest.mark.parametrize("pairing", ["swiss", "knockout", "open"])
def test_formats_that_pair_by_results_are_simulated_too(pairing: calibration.Format) -> None:
    row = Row("duel", 8, "ladder 0.5", 8, "nobody", format=pairing)
    found = short(row, 6)
    assert number(found.means.difference) > 0.8
    assert number(found.means.best) > 0.6


def mean_width(row: Row, change: Callable[[Contest], Contest]) -> float:
    """Of the interval of the difference of the first two bots, in points; over 10 leagues."""
    names = Leagues(row.model, 1).names
    seed = seeds.from_text("width")
    leagues = [bootstrap(list(map(change, league(row, at))), names, 0.01, seed) for at in range(10)]
    ends = [found.difference(*names[:2]) for found in leagues]
    return fmean(end[1] - end[0] for end in ends if end is not None)


def test_hard_and_easy_deals_do_not_widen_the_comparison_of_bots_that_play_together() -> None:
    assert mean_width(TOGETHER, as_it_is) < 0.9 * mean_width(TOGETHER, block_of_its_group)


def test_with_deals_of_their_own_a_strong_seat_is_no_uncertainty_of_the_comparison() -> None:
    """Every group plays all seatings, and these are a block. Else intervals would be 1.7 times as wide."""
    numbers = itertools.count()

    def block_of_its_own(contest: Contest) -> Contest:
        return replace(contest, block=str(next(numbers)))

    row = Row("strong seat, own luck", 6, "equal", 20, "nobody")
    assert mean_width(row, as_it_is) < 0.7 * mean_width(row, block_of_its_own)


def test_the_tables_in_the_docs_have_exactly_the_rows_of_the_script() -> None:
    written = dict(BLOCK.findall(DOCUMENT.read_text(encoding="utf-8")))
    assert written.keys() == EVERY.keys()
    for name, rows in EVERY.items():
        assert written[name].startswith(head(name))
        lines = written[name][len(head(name)) :].splitlines()
        cells = [tuple(cell.strip() for cell in each.strip("|").split("|")) for each in lines]
        assert [each[:4] for each in cells] == [row.cells[:4] for row in rows]
        assert all(len(each) == head(name).splitlines()[0].count("|") - 1 for each in cells)
        measured = [int(each[4].replace(",", "")) for each in cells]
        assert all(FEWEST <= leagues <= row.leagues for leagues, row in zip(measured, rows, strict=True))
        assert sum(leagues == row.leagues for leagues, row in zip(measured, rows, strict=True)) >= WHOLE[name]


def test_there_are_at_most_80_rows_in_a_table_with_different_names_and_every_game_is_among_them() -> None:
    rows = [row for table in EVERY.values() for row in table]
    assert len({row.title for row in rows}) == len(rows)
    assert max(map(len, EVERY.values())) <= 80
    assert {row.table for row in rows} == set(TABLES)
    assert all(row.of == name for name, table in EVERY.items() for row in table)


@pytest.mark.slow
@pytest.mark.parametrize("row", SHORT, ids=lambda row: row.title)
def test_the_best_bots_may_be_the_best_and_bots_have_their_places(row: Row) -> None:
    means = short(row, 12).means
    assert number(means.best) > 0.7
    assert number(means.places) > 0.7


@pytest.mark.slow
def test_among_16_equal_bots_all_may_be_the_best() -> None:
    """With the rule of before it was so in 48 of 100 leagues."""
    assert number(short(Row("duel", 16, "equal", 6, "nobody", of="best"), 30).means.best) > 0.8


@pytest.mark.slow
def test_bots_that_are_far_behind_do_not_keep_the_best_from_being_among_those_that_may_be() -> None:
    """When leads between the halves counted for the error of all pairs, it was so in 91 of 100 leagues."""
    assert number(short(Row("duel", 8, "lopsided", 20, "nobody", of="best"), 200).means.best) >= 0.96


@pytest.mark.slow
def test_one_number_describes_equal_bots_but_neither_a_cycle_nor_styles() -> None:
    assert number(short(Row("duel", 8, "equal", 10, "bot", of="fit"), 30).means.strict) < 0.1
    cycle = short(Row("duel", 3, "cycle 90", 10, "nobody", of="fit"), 8).means
    assert number(cycle.strict) == 1
    assert number(cycle.mix) == pytest.approx(1, abs=0.2)
    assert 0.3 < number(cycle.misfit) < 0.5
    assert number(short(Row("duel", 8, "styles 2", 30, "nobody", of="fit"), 4).means.strict) > 0.5


def test_the_same_leagues_are_simulated_each_time() -> None:
    assert league(ROLES, 3) == league(ROLES, 3)
    assert league(ROLES, 3) != league(ROLES, 4)


@pytest.mark.slow
@pytest.mark.process
def test_the_script_prints_rows_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--leagues", "8", "--rows", "2v1, teams", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["table"], row["players"], row["leagues"]) == ("2v1, teams", 3, 8)
    assert 0.5 < row["means"]["interval"] <= 1
    assert math.isfinite(row["errors"]["interval"])


@pytest.mark.parametrize("wrong", [["--rows", "chess"], ["--leagues", "7"]])
def test_the_script_says_in_a_sentence_what_it_was_asked_wrongly(
    wrong: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(wrong)
    assert wrong[0] in capsys.readouterr().err.splitlines()[-1]
