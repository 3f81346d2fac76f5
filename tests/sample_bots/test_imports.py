"""Sample bots are starting points for other people, so they must not need anything that others do not have."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

BOTS = sorted(path.parent for path in (Path(__file__).parents[2] / "sample_bots" / "python").glob("*/bot.toml"))
ALLOWED = {"google", "referee_bot"}
ALSO = {name: {"numpy"} for name in ("network", "planner", "sampler", "solver")}
"""What the referee's own interpreter has besides, by bot."""


def imported(folder: Path) -> Iterator[str]:
    for file in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from (alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                yield (node.module or "").partition(".")[0]


def test_there_are_sample_bots() -> None:
    assert len(BOTS) >= 3


@pytest.mark.parametrize("folder", BOTS, ids=lambda folder: folder.name)
def test_a_sample_bot_knows_the_protocol_and_nothing_else_of_this_project(folder: Path) -> None:
    own = {file.stem for file in folder.glob("*.py")}
    assert set(imported(folder)) - own - ALLOWED - ALSO.get(folder.name, set()) - set(sys.stdlib_module_names) == set()
