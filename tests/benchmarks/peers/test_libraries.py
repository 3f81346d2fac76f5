"""Random play in the libraries' manner, with games that are made up here; and what is said where one is missing."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.peers import environment, libraries
from benchmarks.peers.random_play import Chooser, play_pettingzoo, play_rlcard, steps_a_second
from benchmarks.rows import Missing


class RLCardGame:
    """Lasts six steps. The legal actions depend on the step."""

    def __init__(self) -> None:
        self.done = 6
        self.chosen: list[int] = []

    def reset(self) -> tuple[dict[str, Any], int]:
        self.done = 0
        return self._state(), 0

    def is_over(self) -> bool:
        return self.done == 6

    def step(self, action: int) -> tuple[dict[str, Any], int]:
        assert action in self._state()["legal_actions"]
        self.done += 1
        self.chosen.append(action)
        return self._state(), self.done % 2

    def _state(self) -> dict[str, Any]:
        return {"legal_actions": {self.done: None, 10 + self.done: None}}


class PettingZooGame:
    """Lasts five steps; after the last one both agents are out, and are stepped once more."""

    def __init__(self) -> None:
        self.done = 5
        self.chosen: list[int | None] = []

    def reset(self) -> None:
        self.done = 0

    def agent_iter(self) -> Iterator[str]:
        while self.done < 7:
            yield "ab"[self.done % 2]

    def last(self) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        mask = np.array([self.done % 2, 1, 1 - self.done % 2], dtype=np.int8)
        return {"action_mask": mask}, 0.0, self.done in (5,), self.done == 6, {}

    def step(self, action: int | None) -> None:
        assert (action is None) == (self.done >= 5)
        assert action is None or self.last()[0]["action_mask"][action]
        self.done += 1
        self.chosen.append(action)


def test_a_game_of_rlcard_is_played_to_its_end_with_legal_actions() -> None:
    game, choose = RLCardGame(), Chooser()
    assert [play_rlcard(game, choose) for _ in range(10)] == [6] * 10
    assert len(set(game.chosen)) == 12  # whatever is legal is chosen at times


def test_a_game_of_pettingzoo_is_played_to_its_end_and_agents_that_are_out_do_not_count() -> None:
    game, choose = PettingZooGame(), Chooser()
    assert [play_pettingzoo(game, choose) for _ in range(10)] == [5] * 10
    assert set(game.chosen) == {0, 1, 2, None}


def test_choices_are_the_same_in_every_run() -> None:
    one, other = Chooser(), Chooser()
    assert [one([1, 2, 3]) for _ in range(20)] == [other([1, 2, 3]) for _ in range(20)]


def test_games_are_played_until_there_were_enough_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([10.0, 14.0])
    monkeypatch.setattr("benchmarks.peers.random_play.time.process_time", lambda: next(clock))
    assert steps_a_second(lambda: 6, 20) == 24 / 4.0


def test_the_last_line_that_is_printed_has_the_rates(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("import sys; print('welcome'); print('{\"UNO\": ' + sys.argv[1] + '}')")
    assert libraries.rates(Path(sys.executable), program, 70) == {"UNO": 70.0}


def requirements(folder: Path, *packages: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "build.txt").write_text("")
    (folder / "peers.txt").write_text("\n".join(packages))
    return folder


def a_python(folder: Path, script: str) -> Path:
    """Stands for the interpreter. It makes an environment that contains itself; the script says what its pip does."""
    python = folder / "python"
    text = (
        "#!/bin/sh\n"
        'if [ "$2" = venv ]; then mkdir -p "$4/bin"; cp "$0" "$4/bin/python"; else\n'
        f'echo "$@" >> {folder}/called; {script}\nfi\n'
    )
    python.write_text(text)
    python.chmod(0o755)
    return python


def test_an_environment_is_made_once_and_again_when_what_it_should_contain_is_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(a_python(tmp_path, "exit 0")))
    wanted = requirements(tmp_path / "requirements", "rlcard")
    calls = []
    for packages in (("rlcard",), ("rlcard",), ("rlcard", "pettingzoo")):
        requirements(wanted, *packages)
        assert environment.python(tmp_path / "made", wanted) == tmp_path / "made" / "bin" / "python"
        calls.append(len((tmp_path / "called").read_text().splitlines()))
    assert calls == [2, 2, 4]
    assert (tmp_path / "called").read_text().count("--require-hashes --no-build-isolation -r") == 4


def test_what_cannot_be_installed_is_said_with_the_reason_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = 'echo "ERROR: No matching distribution found for rlcard" >&2; echo "WARNING: old pip" >&2; exit 1'
    monkeypatch.setattr(sys, "executable", str(a_python(tmp_path, script)))
    wanted = requirements(tmp_path / "requirements", "rlcard")
    version = rf"\(Python {sys.version_info.major}\.{sys.version_info.minor}\)"
    for _ in range(2):
        with pytest.raises(Missing, match=f"^pip could not install .* {version}: No matching distribution .* rlcard$"):
            environment.python(tmp_path / "made", wanted)
    assert len((tmp_path / "called").read_text().splitlines()) == 2


def test_without_the_libraries_a_row_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing() -> Path:
        raise Missing("pip could not install the peers (Python 3.99): no such thing")

    monkeypatch.setattr(environment, "python", nothing)
    (row,) = libraries.rows()
    assert "RLCard and PettingZoo" in row.name
    assert row.missing == "pip could not install the peers (Python 3.99): no such thing"
