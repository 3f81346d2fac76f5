"""`referee new` and `referee build`: from nothing to a bot."""

import shutil
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
import referee_bot

from referee.runtime.local_bot import read_sources
from tests.cli.command import UNBOXED, Ended, referee
from tests.runtime.sandbox.needed import needs_bwrap

BOT_TOML = """
name = "made"
version = "1"
author = "the tests"
games = ["*"]
run = ["./bot", "{address}"]
"""


def made(folder: Path, build: str) -> Ended:
    """What `referee build` does with a bot that has this build command."""
    (folder / "bot.toml").write_text(BOT_TOML + build)
    return referee("build", folder)


def test_the_bot_that_asks_a_language_model_is_written_and_says_what_it_takes(tmp_path: Path) -> None:
    ended = referee("new", "chat", tmp_path / "mine")
    assert (ended.code, ended.err) == (0, "")
    said = subprocess.run([sys.executable, tmp_path / "mine" / "bot.py", "--help"], capture_output=True, check=True)
    assert b"--league-tokens" in said.stdout


def test_a_build_command_runs_in_the_bot_s_folder_after_which_the_bot_can_be_started(tmp_path: Path) -> None:
    ended = made(tmp_path, 'build = ["{python}", "-c", "open(\'bot\', \'w\')"]')
    assert (ended.code, ended.out) == (0, "made@1 is built\n")
    assert (tmp_path / "bot").is_file()


def test_a_build_that_fails_says_so_with_its_code(tmp_path: Path) -> None:
    ended = made(tmp_path, 'build = ["{python}", "-c", "raise SystemExit(7)"]')
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == f"{tmp_path}: its build command failed with code 7; its output is above\n"


def test_a_build_command_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    ended = made(tmp_path, 'build = ["no-such-compiler"]')
    place = tmp_path / "bot.toml"
    assert ended.err == f"{place}: build[0]: no-such-compiler cannot be run: No such file or directory\n"
    assert ended.code == 1


def test_where_nothing_is_to_be_built_nothing_is_done(tmp_path: Path) -> None:
    ended = made(tmp_path, "")
    assert (ended.code, ended.out) == (0, "made@1: there is nothing to build\n")


def test_a_bot_that_is_not_built_yet_is_told_how(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text(BOT_TOML + 'build = ["make"]')
    ended = referee("check", tmp_path)
    assert ended.code == 2
    missing = "run[0]: there is no file ./bot in the bot's folder"
    assert ended.err.endswith(f"{missing}; build it first: referee build {tmp_path}\n")


def test_a_new_bot_has_a_folder_and_a_name_of_its_own_and_the_protos(tmp_path: Path) -> None:
    ended = referee("new", "python", "--protocol", "grpc", tmp_path / "hugo")
    assert (ended.code, ended.err) == (0, "")
    assert read_sources(tmp_path / "hugo").entry == "hugo@1"
    assert (tmp_path / "hugo" / "proto" / "referee_bot" / "v1" / "bot.proto").is_file()
    assert not (tmp_path / "hugo" / "proto").is_symlink()
    assert (tmp_path / "hugo" / "README.md").is_file()
    assert "starter-python" not in "".join(path.read_text() for path in (tmp_path / "hugo").iterdir() if path.is_file())


def test_a_new_bot_in_python_has_a_copy_of_the_library_for_another_interpreter(tmp_path: Path) -> None:
    assert referee("new", "python", "--protocol", "grpc", tmp_path / "hugo").code == 0
    copied = tmp_path / "hugo" / "library" / "referee_bot"
    source = Path(referee_bot.__path__[0])
    names = {path.name for path in source.iterdir() if path.is_file()}
    assert {path.name for path in copied.iterdir()} == names
    assert all((copied / name).read_bytes() == (source / name).read_bytes() for name in names)


@pytest.mark.slow
@pytest.mark.process
def test_with_its_copy_and_messages_of_its_own_a_new_bot_needs_no_package_of_the_referee(tmp_path: Path) -> None:
    """The commands are those of its README."""
    bot = tmp_path / "hugo"
    assert referee("new", "python", "--protocol", "grpc", bot).code == 0
    readme = (bot / "README.md").read_text()
    assert "\ncp -r library/referee_bot .\n" in readme
    shutil.copytree(bot / "library" / "referee_bot", bot / "referee_bot")
    protos = sorted(str(path.relative_to(bot)) for path in bot.glob("proto/referee_bot/v1/*.proto"))
    command = [sys.executable, "-m", "grpc_tools.protoc", "--proto_path=proto", "--python_out=.", *protos]
    subprocess.run(command, cwd=bot, check=True)
    needed = "import referee_bot; from referee_bot.v1 import bot_pb2; print(referee_bot.__file__, bot_pb2.__file__)"
    found = subprocess.run([sys.executable, "-c", needed], cwd=bot, check=True, capture_output=True, text=True).stdout
    assert [Path(name).is_relative_to(bot) for name in found.split()] == [True, True]
    ended = referee("check", bot, "--game", "agent-avenue", *UNBOXED)
    assert (ended.code, ended.err) == (0, "")


@pytest.mark.slow
@pytest.mark.process
def test_a_new_bot_in_python_passes_its_check(tmp_path: Path) -> None:
    assert referee("new", "python", "--protocol", "grpc", tmp_path / "hugo").code == 0
    assert referee("build", tmp_path / "hugo").code == 0
    ended = referee("check", tmp_path / "hugo", "--game", "agent-avenue", *UNBOXED)
    assert (ended.code, ended.err) == (0, "")


def test_a_language_without_a_starter_is_told_those_that_have_one(tmp_path: Path) -> None:
    ended = referee("new", "cobol", "--protocol", "grpc", tmp_path / "hugo")
    assert ended.code == 2
    there = (
        "there is no starter in 'cobol' with --protocol grpc; there are: cpp, go, java, javascript, python, rust, chat"
    )
    assert ended.err.startswith(there)
    assert Path(ended.err.split(" see ")[1].strip()).read_text().startswith("# A bot for gRPC in a language without")
    ended = referee("new", "cobol", tmp_path / "hugo")
    assert ended.err.startswith("there is no starter in 'cobol' with --protocol lines; there are: awk, bash, c, cpp, ")
    assert Path(ended.err.split(" see ")[1].strip()).read_text().startswith("# Line bots")
    assert not (tmp_path / "hugo").exists()


def test_what_is_there_already_is_left_alone(tmp_path: Path) -> None:
    ended = referee("new", "python", "--protocol", "grpc", tmp_path)
    assert (ended.code, ended.err) == (2, f"{tmp_path}: is there already; name a folder that is not\n")


def test_a_folder_whose_name_no_bot_can_have_is_refused(tmp_path: Path) -> None:
    ended = referee("new", "python", "--protocol", "grpc", tmp_path / "my bot")
    assert ended.code == 2
    allowed = "letters, digits, - and _; the folder's name becomes the bot's"
    assert f"'my bot' is not allowed; allowed: {allowed}" in ended.err


@needs_bwrap
def test_a_build_has_a_network_only_if_it_is_asked_for_and_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text(
        'name = "x"\nversion = "1"\nauthor = "t"\ngames = ["*"]\nrun = ["./x"]\n'
        'build = ["readlink", "/proc/self/ns/net"]\n'
    )
    ours = f"{Path('/proc/self/ns/net').readlink()}\n"
    boxed = referee("build", tmp_path, "--sandbox", "bubblewrap")
    assert (boxed.code, boxed.err, ours in boxed.out) == (0, "", False)
    networked = referee("build", tmp_path, "--network")
    assert (networked.code, ours in networked.out) == (0, True)
    assert networked.err == ("this build may use the network; a league builds submitted bots without one\n")
    mistaken = referee("build", tmp_path, "--network", "--sandbox", "none")
    assert (mistaken.code, mistaken.err) == (
        2,
        "--network works only together with --sandbox bubblewrap\n",
    )


LINE_STARTERS = sorted((Path(__file__).parents[2] / "sample_bots" / "lines").glob("*/bot.toml"))


def test_there_are_starters_that_read_lines_in_more_than_fifteen_languages() -> None:
    assert len(LINE_STARTERS) > 15


@pytest.mark.parametrize("manifest", LINE_STARTERS, ids=lambda path: path.parent.name)
def test_a_starter_that_reads_lines_is_one_short_file_with_its_manifest(manifest: Path, tmp_path: Path) -> None:
    language = manifest.parent.name
    assert referee("new", language, tmp_path / "hugo").code == 0
    bot = read_sources(tmp_path / "hugo")
    assert bot.entry == "hugo@1"
    assert bot.manifest.reach == "stdio"
    (program,) = {path.name for path in (tmp_path / "hugo").iterdir()} - {"README.md", "bot.toml"}
    assert len((tmp_path / "hugo" / program).read_text().splitlines()) <= 40
    assert len((tmp_path / "hugo" / "README.md").read_text().splitlines()) <= 15


@pytest.mark.process
def test_all_starters_that_read_lines_choose_alike(tmp_path: Path) -> None:
    places, digests = [], set()
    for language in ("python", "bash"):
        assert referee("new", language, tmp_path / language / "hugo").code == 0
        places.append(tmp_path / language / "hugo")
    for one, other in product(places, repeat=2):
        ended = referee("play", "agent-avenue", one, other, "--seed", "1", *UNBOXED)
        digests.add(ended.out.splitlines()[-1])
    assert len(digests) == 1
