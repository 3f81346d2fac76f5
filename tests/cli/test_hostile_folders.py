"""Every command that is given a bot's folder: a folder that was made to do harm is one sentence, and nothing is run."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.command import BOTS, referee
from tests.tournaments.arena import write_bot, write_league


def no_toml(folder: Path) -> Path:
    (folder / "bot.toml").unlink()
    return folder / "bot.toml"


def add(folder: Path, text: str) -> None:
    toml = folder / "bot.toml"
    toml.write_text(text + toml.read_text())


def large(folder: Path) -> None:
    (folder / "large").touch()
    os.truncate(folder / "large", 1 << 40)


def deep(folder: Path) -> None:
    (folder / "/".join("d" * 33)).mkdir(parents=True)


HOSTILE: dict[str, tuple[Callable[[Path], object], str]] = {
    "a pipe": (lambda folder: os.mkfifo(no_toml(folder)), "cannot be read: it is a pipe, not an ordinary file"),
    "a device": (lambda folder: no_toml(folder).symlink_to("/dev/zero"), "cannot be read: it is a device"),
    "nested arrays": (lambda folder: add(folder, f"x = {'[' * 50_000}"), "more than 32 deep"),
    "a long integer": (lambda folder: add(folder, f"x = {'9' * 5_000}\n"), "has an integer of more than 64 bits"),
    "a NUL in a command": (lambda folder: add(folder, 'build = ["a\\u0000"]\n'), "build[0]: has a NUL character"),
    "a long argument": (lambda folder: add(folder, f'build = ["{"x" * 60_000}"]\n'), "build[0]: has 60,000 bytes"),
    "a sparse file of a tebibyte": (large, "has more than 512 MiB"),
    "deep folders": (deep, "has folders that are more than 32 deep"),
    "a pipe among the sources": (lambda folder: os.mkfifo(folder / "pipe"), "pipe: is a pipe; a bot's folder may hold"),
    "a link that leads out": (lambda folder: (folder / "out").symlink_to("/etc"), "out: this link leads out"),
}


@pytest.mark.parametrize(("make", "sentence"), HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_folder_is_one_sentence_for_every_command(
    make: Callable[[Path], object], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    bot = write_bot(tmp_path / "hostile", "hostile", tmp_path / "log")
    league = write_league(tmp_path / "league.toml", [bot, BOTS / "random"], deals=1)
    make(bot)
    random = BOTS / "random"
    for words in (
        ("build", bot),
        ("check", bot, "--game", "agent-avenue"),
        ("play", "agent-avenue", bot, random),
        ("compare", bot, random, "--game", "agent-avenue"),
        ("league", "run", league),
    ):
        ended = referee(*words)
        assert (ended.code, ended.out) == (2, ""), words
        assert sentence in ended.err
        assert len(ended.err.splitlines()) == 1
    assert not (tmp_path / "log").exists()
