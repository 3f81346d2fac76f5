"""The league of Leduc poker that comes with the project, and a bot in C++ that plays Leduc by the schema alone."""

import json
import re
import shutil
from pathlib import Path

import pytest

from referee.match.conversation import Chosen
from referee.match.match import Ask
from referee.match.replay import Replay
from referee.match.transcript import from_file
from referee.wire.registry import game_entry
from tests.cli.command import run
from tests.languages.leagues import TOOLCHAINS
from tests.needed import import_needed, skip_for_lack
from tournaments.play.environment import LocalEnvironment
from tournaments.play.run import open_run
from tournaments.results.computed_tables import league_standings
from tournaments.results.league_location import league_in

pytestmark = [pytest.mark.peers, pytest.mark.timeout(1_800)]

import_needed("pyspiel")

ROOT = Path(__file__).parents[2]
LEDUC = ROOT / "sample_games" / "leduc"
PAGE = (ROOT / "docs" / "openspiel.md").read_text(encoding="utf-8")


@pytest.mark.process
def test_the_league_comes_to_the_table_and_the_digest_of_the_page(tmp_path: Path) -> None:
    copy = shutil.copytree(ROOT / "sample_bots" / "python" / "random", tmp_path / "sample_bots" / "python" / "random")
    assert copy.is_dir()
    league = shutil.copytree(LEDUC, tmp_path / "sample_games" / "leduc", ignore=shutil.ignore_patterns("build"))
    assert run("build", league / "bots" / "cfr", folder=tmp_path).code == 0
    with open_run(
        league_in(league / "league.toml"), f"sqlite:///{tmp_path / 'leduc.sqlite'}", LocalEnvironment(1)
    ) as played:
        for _ in played.play():
            pass
        standings = league_standings(played.results)
    assert f"digest: {standings.digest}" in PAGE
    assert [line.bot for line in standings.standings] == re.findall(r"^\d  (\w+@1) ", PAGE, re.MULTILINE)


def test_its_bots_have_the_loop_of_the_sample_bots() -> None:
    loop = (ROOT / "sample_bots" / "python" / "random" / "bot.py").read_text(encoding="utf-8")
    assert [path.read_text(encoding="utf-8") for path in sorted(LEDUC.glob("bots/*/bot.py"))] == [loop, loop]


@pytest.mark.process
def test_a_bot_in_c_plus_plus_plays_leduc_by_the_schema_alone(tmp_path: Path) -> None:
    if missing := TOOLCHAINS["cpp"].missing:
        skip_for_lack(f"the toolchain of cpp: {', '.join(missing)}; make ci-languages installs it")
    bot = tmp_path / "leduc"
    assert run("new", "cpp", "--protocol", "grpc", bot, folder=tmp_path).code == 0
    shutil.copy(Path(__file__).with_name("leduc.cc"), bot / "json_game.cc")
    manifest = bot / "bot.toml"
    manifest.write_text(manifest.read_text().replace('"{address}"]', '"--rule", "greedy", "{address}"]'))
    built = run("build", bot, folder=tmp_path)
    assert built.code == 0, built.err
    for seed in range(5):
        match = f"{seed}.json"
        options = ["--seed", str(seed), "--sandbox", "none", "--out", match]
        ended = run("play", "openspiel", bot, bot, "--option", "game=leduc_poker", *options, folder=tmp_path)
        assert ended.code == 0, ended.err
        transcript, _ = from_file((tmp_path / match).read_bytes())
        for step in Replay(game_entry("openspiel").game, transcript).steps():
            if isinstance(step.request, Ask):
                assert isinstance(step.reply, Chosen)
                assert step.request.legal[step.reply.index].text == wanted(step.request)


def wanted(asked: Ask) -> str:
    """What the bot is to choose."""
    own, public = (re.search(rf"\[{card}: (\d)\]", asked.view.text) for card in ("Private", "Public"))
    assert own is not None
    rank = int(own[1]) // 2
    raises = rank == 2 or (public is not None and int(public[1]) // 2 == rank)
    return "Raise" if raises and "Raise" in [action.text for action in asked.legal] else "Call"


def test_the_schema_says_what_that_bot_reads() -> None:
    schema = json.loads(run("games", "openspiel", "--schema", folder=ROOT).out)
    assert {"id", "text"} == set(schema["$defs"]["Action"]["properties"])
    assert {"seat", "text", "tensor"} == set(schema["$defs"]["View"]["properties"])
