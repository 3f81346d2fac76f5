import json
from io import StringIO
from pathlib import Path

import msgspec
import pytest
from rich.console import Console

from benchmarks.rows import Better, Missing, Pair, Target, missing_row, paired_row, plain_row, table, write


def test_a_paired_row_is_the_pair_in_the_middle_so_its_ratio_is_that_of_its_figures() -> None:
    row = paired_row("cost", [Pair(30.0, 10.0), Pair(11.0, 10.0), Pair(8.0, 4.0)], "lower")
    assert (row.value, row.floor, row.ratio, row.spread) == (8.0, 4.0, 2.0, (1.1, 3.0))


@pytest.mark.parametrize(
    ("better", "value", "reached"),
    [
        ("higher", 9.0, "none"),
        ("higher", 10.0, "first"),
        ("higher", 20.0, "then"),
        ("lower", 21.0, "none"),
        ("lower", 20.0, "first"),
        ("lower", 10.0, "then"),
    ],
)
def test_a_target_is_reached_on_its_good_side_and_at_the_target_itself(
    better: Better, value: float, reached: str
) -> None:
    target = Target(10.0, 20.0) if better == "higher" else Target(20.0, 10.0)
    assert plain_row("speed", [value], better, target).reached == reached


def test_where_there_is_a_floor_the_targets_apply_to_the_ratio() -> None:
    assert paired_row("cost", [Pair(300.0, 200.0)], "lower", Target(1.8, 1.3)).reached == "first"


def test_results_have_the_keys_that_readers_expect_and_null_where_there_is_nothing(tmp_path: Path) -> None:
    write([plain_row("speed", [7.0], "higher")], tmp_path / "results.json")
    assert json.loads((tmp_path / "results.json").read_text()) == [
        {
            "name": "speed",
            "value": 7.0,
            "floor": None,
            "ratio": None,
            "first": None,
            "then": None,
            "better": "higher",
            "spread": [7.0, 7.0],
            "missing": None,
        }
    ]


def test_what_could_not_be_measured_says_why_in_the_table_and_in_the_results(tmp_path: Path) -> None:
    row = missing_row("moves / s", "higher", Missing("there is no C compiler [cc]"))
    console = Console(width=200, record=True, file=StringIO())
    console.print(table([row]))
    assert "moves / s: not measured, since there is no C compiler [cc]" in console.export_text()
    write([row], tmp_path / "results.json")
    (written,) = json.loads((tmp_path / "results.json").read_text())
    assert (written["value"], written["missing"]) == (None, "there is no C compiler [cc]")


def test_what_could_not_be_measured_reaches_no_target() -> None:
    assert (
        msgspec.structs.replace(missing_row("cost", "lower", Missing("of the weather")), first=2.0, then=1.0).reached
        == ""
    )
