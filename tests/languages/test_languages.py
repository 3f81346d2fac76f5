"""A bot in each language, from `referee new` to a verified league: each plays by the rule, choice by choice.

`make ci-languages` runs this; `make test` leaves it out. It takes minutes.
"""

import asyncio
import shutil
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from grpc.aio import AioRpcError
from referee_bot.v1.bot_pb2 import DescribeRequest

from referee.match.conversation import Chosen
from referee.match.match import Ask
from referee.match.replay import Replay
from referee.match.transcript import from_file
from referee.runtime.bot_address import listening
from referee.runtime.local_bot import read_bot
from referee.wire.registry import games
from tests.cli.command import run
from tests.languages.leagues import TOOLCHAINS, Bots, PlayedLeague
from tests.made_once import made_once
from tests.needed import skip_for_lack
from tests.runtime.sandbox.needed import needs_bwrap
from tests.sample_bots.processes import answers_only_who_brings, bearer, running
from tests.sample_bots.rules import RULES
from tests.starter_game import install, load_rules

pytestmark = [pytest.mark.languages, pytest.mark.timeout(3600)]

LeagueOf = Callable[[str, str], PlayedLeague]

each_language = pytest.mark.parametrize("language", TOOLCHAINS)
each_game = pytest.mark.parametrize("game", games())
each_rule = pytest.mark.parametrize("rule", RULES)


@pytest.fixture(scope="session")
def bots(tmp_path_factory: pytest.TempPathFactory) -> Bots:
    return made_once(tmp_path_factory, "bots", Bots)


@pytest.fixture(scope="session")
def league_of(tmp_path_factory: pytest.TempPathFactory, bots: Bots) -> LeagueOf:
    """The league of a game and a rule. It is played when a test first asks for it."""

    @cache
    def played(game: str, rule: str) -> PlayedLeague:
        return made_once(tmp_path_factory, f"{game}-{rule}", lambda folder: PlayedLeague(folder, bots, game, rule))

    return played


@pytest.fixture(autouse=True)
def _skip_what_is_missing(request: pytest.FixtureRequest) -> None:
    language = request.node.callspec.params.get("language") if hasattr(request.node, "callspec") else None
    if language and (missing := TOOLCHAINS[language].missing):
        skip_for_lack(f"the toolchain of {language}: {', '.join(missing)}; make ci-languages installs it")


@each_language
def test_a_new_bot_is_built(bots: Bots, language: str) -> None:
    ended = bots.built[language]

    assert ended.code == 0, f"{ended.out}{ended.err}"


@each_rule
@each_language
def test_it_keeps_every_rule_of_conduct(bots: Bots, language: str, rule: str, tmp_path: Path) -> None:
    assert language in bots.languages, "it was not built"
    ended = run("check", bots.path(language, rule), folder=tmp_path)

    assert ended.code == 0, f"{ended.out}{ended.err}"


@each_language
def test_on_tcp_it_answers_only_who_brings_its_token(bots: Bots, language: str, tmp_path: Path) -> None:
    assert language in bots.languages, "it was not built"
    bot = read_bot(bots.path(language, "fnv"))
    place = listening("tcp", tmp_path)

    async def run() -> None:
        # The command has no address: the environment has it, too.
        async with running(bot.command[:-1], bot.folder, place.address, place.environment) as process:
            assert place.token is not None
            await answers_only_who_brings(place.token, process)

    asyncio.run(run())
    place.release()


@each_language
def test_with_an_empty_token_it_lets_nobody_in(bots: Bots, language: str, tmp_path: Path) -> None:
    assert language in bots.languages, "it was not built"
    bot = read_bot(bots.path(language, "fnv"))
    place = listening("tcp", tmp_path)

    async def run() -> None:
        environment = {**place.environment, "REFEREE_TOKEN": ""}
        async with running(bot.command[:-1], bot.folder, place.address, environment) as process:
            for metadata in ((), bearer("")):
                with pytest.raises(AioRpcError):
                    await process.stub.Describe(DescribeRequest(), metadata=metadata, wait_for_ready=True, timeout=3)

    asyncio.run(run())
    place.release()


@pytest.fixture(scope="session")
def json_game(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A game without a proto, and an environment in which it is installed."""
    package = tmp_path_factory.mktemp("games") / "high-card"
    assert run("new-game", package, folder=package.parent).code == 0
    return package, install(package)


@each_language
def test_it_plays_a_game_without_a_proto_by_what_it_reads(
    bots: Bots, language: str, json_game: tuple[Path, dict[str, str]], tmp_path: Path
) -> None:
    assert language in bots.languages, "it was not built"
    package, environment = json_game
    bot = bots.path(language, "greedy")
    options = ["--seed", "1", "--sandbox", "none", "--out", "match.json"]
    done = run("play", "high-card", bot, bot, *options, folder=tmp_path, environment=environment)
    assert done.code == 0, done.err

    transcript, _ = from_file((tmp_path / "match.json").read_bytes())
    steps = Replay(load_rules(package, "high_card").game, transcript).steps()
    stays = [
        (2 * step.request.view.card > step.request.view.cards, step.reply.index == 0)
        for step in steps
        if isinstance(step.request, Ask) and isinstance(step.reply, Chosen)
    ]
    assert len({card for card, _ in stays}) == 2
    assert all(card == chosen for card, chosen in stays)


@needs_bwrap
def test_bots_of_all_languages_play_a_league_of_a_game_without_a_proto_in_the_box_without_a_fault(
    bots: Bots, json_game: tuple[Path, dict[str, str]], tmp_path: Path
) -> None:
    package, environment = json_game
    shutil.copytree(package / "bots" / "careful", tmp_path / "careful")
    paths = [tmp_path / "careful", *(bots.path(language, "greedy") for language in bots.languages)]
    head = 'name = "boxed"\ngame = "high-card"\ndeals = 3\nrehearsal = true\nsandbox = "bubblewrap"\n'
    entered = "".join(f'[[bots]]\npath = "{path}"\n' for path in paths)
    (tmp_path / "league.toml").write_text(f'{head}{entered}[[tables]]\nname = "two"\nseats = 2\n')

    ran = run("league", "run", "league.toml", folder=tmp_path, environment=environment)
    assert ran.code == 0, ran.err
    table = run("league", "standings", "league.toml", "--json", folder=tmp_path, environment=environment).json
    faults = {line["bot"]: line["faults"] for line in table["standings"]}
    assert faults == {f"{name}@1": 0 for name in ("careful", *bots.languages)}
    assert table["matches"]["played"] == table["matches"]["planned"] > 0
    assert run("league", "verify", "league.toml", folder=tmp_path, environment=environment).code == 0


@each_rule
@each_game
def test_in_batches_the_league_of_all_of_them_has_the_same_digest_and_nobody_breaks_one(
    league_of: LeagueOf, bots: Bots, game: str, rule: str, tmp_path: Path
) -> None:
    league = PlayedLeague(tmp_path, bots, game, rule, batch=64)
    assert league.ran.code == 0, league.ran.err
    assert league.broken_batches == {}
    assert league.table["digest"] == league_of(game, rule).table["digest"]


@each_rule
@each_game
def test_a_league_of_all_of_them_is_played_without_a_fault_and_verifies(
    league_of: LeagueOf, bots: Bots, game: str, rule: str
) -> None:
    league = league_of(game, rule)
    assert league.ran.code == 0, league.ran.err
    table = league.table

    assert {line["bot"]: line["faults"] for line in table["standings"]} == {f"{name}@1": 0 for name in bots.languages}
    assert table["matches"]["played"] == table["matches"]["planned"] > 0
    assert league.verified.out == f"{table['matches']['played']} matches checked: all hold\n"
    assert league.verified.code == 0


@each_rule
@each_game
def test_every_choice_of_every_bot_is_the_one_that_the_rule_makes(
    league_of: LeagueOf, bots: Bots, game: str, rule: str
) -> None:
    choices = league_of(game, rule).choices()

    assert [made for made in choices if made.chosen != made.expected] == []
    count = Counter(made.language for made in choices)
    assert count.keys() == set(bots.languages)
    assert min(count.values()) > 100
