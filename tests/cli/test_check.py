from pathlib import Path

import pytest

from referee.wire.registry import games
from tests.cli.command import BOTS, UNBOXED, referee


@pytest.mark.slow
@pytest.mark.process
def test_a_good_bot_keeps_every_rule() -> None:
    ended = referee("check", BOTS / "random", "--json", *UNBOXED)
    assert (ended.code, ended.err) == (0, "")
    assert ended.json["bot"] == "random@1"
    assert set(ended.json["games"]) == set(games())
    assert {point["kept"] for points in ended.json["games"].values() for point in points} == {True}


@pytest.mark.process
def test_a_bot_that_never_starts_fails_its_check(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text((BOTS / "random" / "bot.toml").read_text())
    ended = referee("check", tmp_path, "--game", "agent-avenue")
    assert ended.code == 1
    assert "  FAIL  starts in time" in ended.out
    assert "    | " in ended.out  # its last words
    assert "\n  ?     the other 11 points: not tested, since it did not start as it should\n" in ended.out
    assert "hides" not in ended.err
    assert ended.out.count("not tested") == 1


@pytest.mark.process
def test_a_bot_that_was_killed_is_shown_as_it_failed_and_the_check_says_that_it_decides_nothing(tmp_path: Path) -> None:
    run = 'run = ["sh", "-c", "kill -KILL $$"]'
    (tmp_path / "bot.toml").write_text(f'name = "a"\nversion = "1"\nauthor = "a"\ngames = ["agent-avenue"]\n{run}\n')
    ended = referee("check", tmp_path, *UNBOXED)
    assert ended.code == 3
    assert "its process was ended by signal 9" in ended.out
    assert ended.err == "a@1: a process was killed, by others or by itself, so check it again\n"


def test_a_game_that_the_bot_does_not_play_is_wrong_use() -> None:
    ended = referee("check", BOTS / "random", "--game", "nim", *UNBOXED)
    assert (ended.code, ended.out) == (2, "")
    assert len(ended.err.splitlines()) == 1


def test_a_folder_without_a_bot_is_wrong_use(tmp_path: Path) -> None:
    ended = referee("check", tmp_path)
    assert (ended.code, ended.err) == (2, f"{tmp_path / 'bot.toml'}: there is no such file\n")


def test_options_reach_the_game() -> None:
    ended = referee("check", BOTS / "random", "--game", "agent-avenue", "--option", "mode=nix", *UNBOXED)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("--option mode: 'nix' is not allowed; allowed: ")


def test_options_are_of_one_game_which_must_be_named_for_a_bot_that_plays_several() -> None:
    ended = referee("check", BOTS / "random", "--option", "mode=advanced", *UNBOXED)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("say with --game which game the options are for: agent-avenue, ")


def narrowed(folder: Path, options: str, games: str = '["*"]') -> Path:
    """A bot whose bot.toml lists the options that it plays with."""
    about = [
        'name = "narrow"',
        'version = "1"',
        'author = "the tests"',
        f"games = {games}",
        'run = ["{python}"]',
        options,
    ]
    (folder / "bot.toml").write_text("\n".join(about))
    return folder


@pytest.mark.parametrize("command", [("check",), ("play", "agent-avenue")])
def test_values_of_options_in_a_bot_toml_that_the_game_does_not_have_are_named_with_their_place(
    command: tuple[str, ...], tmp_path: Path
) -> None:
    bot = narrowed(tmp_path, '[options.agent-avenue]\nmode = ["hard", "simple"]\ncolour = ["red", "blue"]')
    ended = referee(*command, bot)
    place = f"{bot / 'bot.toml'}: options.agent-avenue"
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.splitlines() == [
        f"{place}.mode: 'hard' is not allowed; allowed: advanced, simple",
        f"{place}.colour: is not known; known here: mode, line_up, ceasefire",
    ]


def test_a_bot_that_plays_nothing_that_is_installed_is_told_what_is(tmp_path: Path) -> None:
    ended = referee("check", narrowed(tmp_path, '[options.chess]\nmode = ["hard"]', '["chess", "go"]'), *UNBOXED)
    assert (ended.code, ended.out) == (2, "")
    says = "narrow@1 plays nothing that is installed: it says chess, go"
    assert ended.err == f"{says}; installed: {', '.join(games())}\n"


@pytest.mark.process
def test_options_are_of_the_game_that_the_bot_toml_names_where_it_names_one(tmp_path: Path) -> None:
    bot = narrowed(tmp_path, "", games='["agent-avenue", "chess"]')
    ended = referee("check", bot, "--option", "mode=nix", *UNBOXED)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("--option mode: 'nix' is not allowed; allowed: ")
