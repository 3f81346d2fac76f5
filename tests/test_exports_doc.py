"""docs/exports.md describes what an export has, and what it shows runs and prints what it says."""

import contextlib
import csv
import io
import json
import re
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np
import pytest

from referee.core.outcome import Outcome
from referee.match.terms import Clock
from referee.match.transcript import FaultMark
from tests.cli.command import referee
from tournaments.league.model import TableSpec
from tournaments.league.status import MatchCounts
from tournaments.results.export_fields import (
    FORMAT,
    ExportedBot,
    ExportedLeague,
    ExportedMatch,
    ExportedSuspension,
    SeatRow,
)

TEXT = (Path(__file__).parents[1] / "docs" / "exports.md").read_text(encoding="utf-8")
PARTS = re.split(r"^#{2,3} (.+)$", TEXT, flags=re.MULTILINE)
SECTIONS = dict(zip(PARTS[1::2], PARTS[2::2], strict=True))
EXAMPLE = re.compile(r"^```python\n(.*?)^```\n(?:\n```\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)

DESCRIBED: dict[str, Any] = {
    "league.json": ExportedLeague,
    "table": TableSpec,
    "bot": ExportedBot,
    "suspension": ExportedSuspension,
    "counts": MatchCounts,
    "matches.jsonl": ExportedMatch,
    "matches.csv": SeatRow,
}
LINKS = {kind: f"[{heading}](#{heading})" for heading, kind in DESCRIBED.items()} | {
    kind: f"[{heading}](transcripts.md#{heading})"
    for heading, kind in {"clock": Clock, "outcome": Outcome, "fault": FaultMark}.items()
}


def fields(heading: str) -> dict[str, str]:
    """What a section describes, in order, with the types."""
    return dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \| [^|]+ \|$", SECTIONS[heading], re.MULTILINE))


def in_words(kind: Any, nothing: str) -> str:
    """A type as the document writes it; `nothing` stands for None."""
    if NoneType in get_args(kind):
        (one,) = {in_words(each, nothing) for each in get_args(kind) if each is not NoneType}
        return f"{one} or {nothing}"
    if get_origin(kind) is tuple:
        return f"list of {many(in_words(get_args(kind)[0], nothing))}"
    if get_origin(kind) is dict:
        return "object"
    plain = {int: "number", float: "number", str: "string", bool: "true or false"}
    return LINKS.get(kind) or plain.get(kind, "string")


def many(words: str) -> str:
    if words.startswith("["):
        return words.replace("](", "s](", 1)
    first, _, rest = words.partition(" or ")  # one or the other
    several = first.replace("list of", "lists of") if first.startswith("list") else f"{first}s"
    return f"{several} or {rest}" if rest else several


@pytest.mark.parametrize("heading", DESCRIBED)
def test_every_field_is_described_in_its_order_with_its_type_and_no_other(heading: str) -> None:
    nothing = "empty" if heading == "matches.csv" else "`null`"
    hints = get_type_hints(DESCRIBED[heading])
    names = getattr(DESCRIBED[heading], "__struct_fields__", None) or DESCRIBED[heading]._fields
    assert list(fields(heading).items()) == [(name, in_words(hints[name], nothing)) for name in names]


@pytest.mark.slow
@pytest.mark.process
def test_what_is_written_has_the_fields_that_are_described(quickstart: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(quickstart / "exported")
    league = json.loads(Path("league.json").read_bytes())
    matches = [json.loads(line) for line in Path("matches.jsonl").read_bytes().splitlines()]
    assert list(league) == list(fields("league.json"))
    assert {tuple(table) for table in league["tables"]} == {tuple(fields("table"))}
    assert {tuple(bot) for bot in league["bots"]} == {tuple(fields("bot"))}
    assert list(league["matches"]) == list(fields("counts"))
    assert {tuple(match) for match in matches} == {tuple(fields("matches.jsonl"))}
    with Path("matches.csv").open(newline="", encoding="utf-8") as file:
        assert next(csv.reader(file)) == list(fields("matches.csv"))
    files = {path.name for path in Path().iterdir()}
    assert files == {"league.json", "matches.jsonl", "matches.csv", "transcripts"}
    assert all(f"`{name}" in TEXT for name in files)


@pytest.mark.slow
@pytest.mark.process
def test_the_examples_run_one_after_the_other_and_print_what_the_document_says(
    quickstart: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(quickstart)
    np.random.seed(1)  # choix draws the order in which it takes the matches
    names: dict[str, object] = {}
    examples = EXAMPLE.findall(TEXT)
    assert len(examples) == 4
    for source, said in examples:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile(source, "docs/exports.md", "exec"), names)  # noqa: S102 - it is our own document
        assert _lines(printed.getvalue()) == _lines(said)


def _lines(text: str) -> list[str]:
    """The text without the blanks that pandas puts at the ends of lines and that editors remove."""
    return [line.rstrip() for line in text.splitlines()]


@pytest.mark.slow
@pytest.mark.process
def test_the_ratings_of_the_example_are_those_of_standings_to_one_decimal(
    quickstart: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(quickstart)
    table = referee("league", "standings", "quickstart.toml", "--json").json
    said = dict(re.findall(r"^(\w+@1) +(\d+\.\d)$", SECTIONS["Ratings without this program"], re.MULTILINE))
    assert said == {line["bot"]: f"{line['rating']:.1f}" for line in table["standings"]}


def test_the_format_is_told() -> None:
    assert f"| `format` | number | `{FORMAT}`." in TEXT
