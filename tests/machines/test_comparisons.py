"""Comparisons of commits on several machines, with the verdicts and digests of one machine."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.command import referee
from tests.machines.hall import Hall, hall
from tests.tournaments.repositories import three_changes

pytestmark = [pytest.mark.machines, pytest.mark.process, pytest.mark.timeout(3600)]


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    with hall(tmp_path_factory.mktemp("hall")) as started:
        started.start()
        yield started


@pytest.mark.parametrize(
    ("new", "margin", "deals", "verdict"),
    [("better", "0.05", "800", "better"), ("crash", "0.05", "40", "worse"), ("equal", "0.25", "100", "no difference")],
)
def test_a_change_is_judged_on_nodes_as_on_one_machine(
    machines: Hall, tmp_path: Path, new: str, margin: str, deals: str, verdict: str
) -> None:
    repository = three_changes(tmp_path / "repository")
    words = (
        *("--git", repository.folder, new, "old", "--path", "bots/mine", "--game", "agent-avenue", "--seed", "7"),
        *("--max-deals", deals, "--margin", margin, "--sandbox", "none"),
    )
    found = []
    for place in ("nodes", "here"):
        kept = (*words, "--store", f"sqlite:///{tmp_path / place}.sqlite", "--report", tmp_path / place)
        if place == "nodes":
            machines.compare(*kept, seconds=1800)
        else:
            assert referee("compare", *kept).code == 0
        found.append(json.loads((tmp_path / place / "report.json").read_text()))
    nodes, here = found
    assert nodes["verdict"] == verdict
    assert nodes == here
