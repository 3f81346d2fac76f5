"""The starters: what each of them has, and how the one in Python chooses."""

import json
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from referee_bot.v1 import agent_avenue_pb2 as aa
from referee_bot.v1 import bot_pb2 as pb

from referee.files.bot_toml import read_manifest
from referee.games.agent_avenue.state import Options
from referee.match.conversation import Chosen, Ready
from referee.match.header import header
from referee.match.match import Ask, Match, Open
from referee.match.terms import Clock
from referee.runtime.local_bot import read_bot
from referee.wire.agent_avenue import entry as agent_avenue
from referee.wire.codec import GameEntry
from referee.wire.messages import encode
from referee.wire.registry import games
from tests.sample_bots.bots import ENFORCER, MOLE, SENTINEL, decision, legal_actions, load_module, load_player, position
from tests.sample_bots.processes import ADDRESS, Running, ask, with_bot
from tests.sample_bots.rules import expected, fnv1a
from tournaments.play.bots import strays

SAMPLE_BOTS = Path(__file__).parents[2] / "sample_bots"
LANGUAGES = ("cpp", "go", "java", "javascript", "python", "rust")
TOOLCHAINS = tomllib.loads((SAMPLE_BOTS.parent / "tests" / "languages" / "toolchains.toml").read_text())
OPTIONS = [
    *(Options(mode=mode, line_up=line_up) for mode in ("simple", "advanced") for line_up in ("1v1", "2v2", "2v1")),
    Options(mode="advanced", ceasefire=True),
]


def starter(language: str) -> Path:
    return SAMPLE_BOTS / language / "starter"


# What every starter has


def test_there_is_a_starter_for_every_language() -> None:
    assert sorted(path.parent.name for path in SAMPLE_BOTS.glob("*/starter")) == list(LANGUAGES) == sorted(TOOLCHAINS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_starter_says_who_it_is_and_how_it_is_started(language: str) -> None:
    manifest = read_manifest(starter(language))

    assert (manifest.entry, manifest.games) == (f"starter-{language}@1", ("*",))
    assert manifest.run[-1] == ADDRESS


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_starter_has_a_readme_of_its_own(language: str) -> None:
    assert (starter(language) / "README.md").is_file()
    assert (starter(language) / ".gitignore").is_file()


def test_a_boxed_league_takes_the_starter_in_python_as_it_is() -> None:
    """No link of it leads out of its folder, so the organizer need not let it read other places."""
    assert strays(read_bot(starter("python")).visible, allowed=[]) == []


@pytest.mark.parametrize("language", sorted(set(LANGUAGES) - {"python"}))  # which has the messages as a package
def test_a_starter_that_is_built_has_the_protos_behind_a_link(language: str) -> None:
    folder = starter(language)

    assert (folder / "proto").readlink() == Path("../../../proto")
    assert (folder / "proto" / "referee_bot" / "v1" / "bot.proto").is_file()


@pytest.mark.parametrize("language", sorted(set(LANGUAGES) - {"python"}))  # which needs nothing
def test_a_readme_names_the_packages_that_the_toolchain_is_installed_by(language: str) -> None:
    readme = (starter(language) / "README.md").read_text(encoding="utf-8").replace("\\\n", " ")
    command = re.search(r"^ *(?:sudo )?apt(?:-get)? install (.+)$", readme, re.MULTILINE)

    assert command is not None
    assert {word for word in command[1].split() if word[0] != "-"} == set(TOOLCHAINS[language]["packages"])


def test_a_lock_file_says_no_address_that_packages_come_from() -> None:
    lock = json.loads((starter("javascript") / "package-lock.json").read_text(encoding="utf-8"))

    assert all("integrity" in package for path, package in lock["packages"].items() if path)
    assert not any("resolved" in package for package in lock["packages"].values())


# The rule `fnv`


@pytest.mark.parametrize(
    ("data", "value"),
    [(b"", 0x811C9DC5), (b"a", 0xE40C292C), (b"foobar", 0xBF9CF968), (bytes(range(16)) + b"\1\0\0\0", 822214484)],
)
def test_the_recomputation_has_the_values_of_fnv_that_are_published_and_that_in_the_starters(
    data: bytes, value: int
) -> None:
    assert fnv1a(data) == value


class Asked(NamedTuple):
    """A decision of a match."""

    start: pb.MatchStart
    decision: pb.Decision


def walk(entry: GameEntry, options: Any, seats: int, deal: int, rule: str) -> Iterator[Asked]:
    """The decisions of a match in which every seat plays by the rule."""
    settled = header(
        game=entry.game.name,
        rules_version=entry.game.rules_version,
        options=msgspec.to_builtins(options),
        fixture=f"walk/{deal}",
        entries=("walker@1",) * seats,
        root=bytes(32),
        deal=deal,
    )
    match = Match(entry.game, settled, Clock())
    starts: dict[int, pb.MatchStart] = {}
    for request in match:
        message = pb.RefereeMessage.FromString(encode(entry.codec, match, request))
        if isinstance(request, Ask):
            start = starts[request.seat]
            yield Asked(start, message.decision)
            match.reply(Chosen(expected(rule, start.game, start.seed, message.decision)))
        elif isinstance(request, Open):
            starts[request.seat] = message.match_start
            match.reply(Ready())


@pytest.mark.parametrize("game", games())
@pytest.mark.parametrize("rule", ["fnv", "greedy"])
def test_the_starter_in_python_plays_every_game_by_its_rule(game: str, rule: str) -> None:
    entry = games()[game]
    options = entry.game.options_type()
    asked = [one for deal in range(20) for one in walk(entry, options, min(entry.game.seats(options)), deal, rule)]
    chosen = [load_player("starter").Player(start, rule).choose(decision) for start, decision in asked]

    assert len(asked) > 100
    assert chosen == [expected(rule, game, start.seed, decision) for start, decision in asked]


# The rule `greedy`


@cache
def decisions(options: Options) -> tuple[pb.Decision, ...]:
    """The decisions of matches by `greedy` and of matches by `fnv`, which reach positions that `greedy` avoids."""
    (seats,) = agent_avenue.game.seats(options)
    return tuple(
        asked.decision
        for deal in range(24)
        for asked in walk(agent_avenue, options, seats, deal, "greedy" if deal % 2 else "fnv")
    )


@pytest.mark.slow
def test_greedy_in_the_starter_agrees_with_the_bot_of_that_name() -> None:
    choose = load_module("starter", "greedy").choose

    for options in OPTIONS:
        asked = decisions(options)
        chosen = [choose(one) for one in asked]
        assert chosen == [expected("greedy", "agent-avenue", b"", one) for one in asked], options


@pytest.mark.slow
def test_they_agreed_on_every_kind_of_action_and_every_card_of_the_market() -> None:
    legal = {action for options in OPTIONS for one in decisions(options) for action in one.legal}
    actions = [aa.Action.FromString(action) for action in legal]

    assert {action.WhichOneof("body") for action in actions} == set(aa.Action.DESCRIPTOR.fields_by_name)
    assert {action.take.card for action in actions if action.HasField("take")} == set(aa.MarketCard.values()) - {0}


# The process


POSITION = position(hand=(ENFORCER, MOLE, SENTINEL))
DECISION = decision(POSITION, legal_actions(POSITION), number=7)
START = pb.MatchStart(game="agent-avenue", seats=2, seed=bytes(range(16)))


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.parametrize(
    ("rule", "arguments"),
    [("fnv", ()), ("fnv", (ADDRESS,)), ("greedy", ("--rule", "greedy", ADDRESS)), ("greedy", ("--rule", "greedy"))],
)
def test_a_rule_and_an_address_can_be_given_or_left_out(rule: str, arguments: tuple[str, ...]) -> None:
    async def test(bot: Running) -> None:
        stream = bot.stub.Play(wait_for_ready=True)
        await ask(stream, pb.RefereeMessage(match_start=START))
        answer = await ask(stream, pb.RefereeMessage(decision=DECISION))
        assert answer.choice.index == expected(rule, START.game, START.seed, DECISION)

    variables = {"REFEREE_ADDRESS": "unix:/nowhere"} if ADDRESS in arguments else {}
    with_bot("starter", test, *arguments, **variables)
