"""The bot `network`: what it knows of the rules, that its sums are exact, that it learned, and how it is trained."""

import random
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from referee_bot.v1 import agent_avenue_pb2 as aa
from referee_bot.v1 import bot_pb2 as pb

import referee
from referee.games.agent_avenue.moves import Play
from referee.games.agent_avenue.state import Options, lead
from referee.wire.agent_avenue import entry
from tests.cli.command import referee as referee_command
from tests.sample_bots.bots import ENFORCER, PYTHON_BOTS, load_module, load_training, new_player
from tests.sample_bots.matches import bot_seed, play
from tests.sample_bots.processes import Running, ask, with_bot

MODES = [Options(), Options(mode="advanced"), Options(mode="advanced", ceasefire=True)]
FURTHEST = 8


class Alone:
    """The bot as a player of one match, which keeps what it is asked."""

    def __init__(self) -> None:
        self.player = load_module("network", "player").Player()
        self.asked: list[pb.Decision] = []

    def choose(self, decision: pb.Decision) -> int:
        self.asked.append(decision)
        (index,) = self.player.choose([decision])
        return int(index)


@cache
def decisions() -> list[pb.Decision]:
    """Those of some matches, of all kinds."""
    alone = Alone()
    for deal in range(4):
        for options in MODES:
            play(entry, options, [alone, alone], deal)
    return alone.asked


# Exactness


@given(st.lists(st.integers(0, 10_000), max_size=70))
def test_many_decisions_at_once_have_the_choices_of_each_alone(numbers: list[int]) -> None:
    asked = [decisions()[number % len(decisions())] for number in numbers]
    player = load_module("network", "player").Player()
    assert player.choose(asked) == [index for one in asked for index in player.choose([one])]


@given(st.integers(0, 1 << 64), st.integers(1, 20))
def test_a_score_is_the_exact_sum(seed: int, number: int) -> None:
    luck = random.Random(seed)
    network, names = load_module("network", "network"), load_module("network", "rows").NAMES
    first = [[luck.randrange(-99_999, 100_000) for _ in range(3)] for _ in names]
    second = [luck.randrange(-999, 1000) for _ in range(3)]
    rows = [bytes(luck.randrange(256) for _ in names) for _ in range(number)]
    found = network.Network(np.array(first, np.float64), np.array(second, np.float64)).scores(rows)
    for row, score in zip(rows, found.tolist(), strict=True):
        signed = [value - 256 * (value > 127) for value in row]
        hidden = [max(0, sum(x * weights[unit] for x, weights in zip(signed, first, strict=True))) for unit in range(3)]
        assert score == sum(x * weight for x, weight in zip(hidden, second, strict=True))


def test_no_sum_of_the_network_can_come_near_2_to_the_53() -> None:
    network = load_module("network", "network").read()
    assert np.array_equal(network.first, np.rint(network.first))
    assert np.array_equal(network.second, np.rint(network.second))
    assert (128 * np.abs(network.first).sum(axis=0)) @ np.abs(network.second) < 2**45


def test_weights_for_other_features_are_refused(tmp_path: Path) -> None:
    network = load_module("network", "network")
    text = network.WEIGHTS.read_text()
    assert network.written(network.read()) == text
    (tmp_path / "weights.txt").write_text(text.replace("is_play", "is_other"))
    with pytest.raises(ValueError, match=r"weights\.txt is for other features"):
        network.read(tmp_path / "weights.txt")


# What it sees


@pytest.mark.parametrize("mode", ["simple", "advanced"])
def test_a_play_leads_to_the_worlds_that_the_rules_make_of_it(mode: str) -> None:
    for seed in range(15):
        match, luck = referee.start("agent-avenue", 2, seed=seed, options={"mode": mode}), random.Random(seed)
        for asked in match:
            index = luck.randrange(len(asked.legal))
            if isinstance(asked.legal[index], Play):
                assert_leads_to_its_worlds(match, asked, index)
            match.choose(index)


def assert_leads_to_its_worlds(match: Any, asked: Any, index: int) -> None:
    rules, row = match.game.rules, seen_row(match, asked, index)
    played, _ = rules.apply(match.state, {asked.seat: asked.legal[index]})
    for world, recruit in zip(("they_take_up", "they_leave_up"), rules.legal(played, 1 - asked.seat), strict=True):
        after, _ = rules.apply(played, {1 - asked.seat: recruit})
        assert row[f"{world}/lead"] == max(-FURTHEST, min(FURTHEST, lead(after.sides, asked.seat)))
        for whose, side in (("our", after.sides[asked.seat]), ("their", after.sides[1 - asked.seat])):
            before = [row[f"{world}/{whose}_enforcer_{nth}"] for nth in (1, 2, 3)]
            assert before == [side.recruited.count(ENFORCER) >= nth for nth in (1, 2, 3)]
        landed = after.market.landed if after.market else ()
        lands = [row[f"{world}/our_landing"], row[f"{world}/their_landing"]]
        if after.market:
            assert lands == [asked.seat in landed, 1 - asked.seat in landed]
        if not landed and (after.outcome is None or after.outcome.ending != "ran_out"):
            won = 0 if after.outcome is None else (1 if after.outcome.places[asked.seat] == 1 else -1)
            assert row[f"{world}/won"] - row[f"{world}/lost"] == won


def seen_row(match: Any, asked: Any, index: int) -> dict[str, int]:
    """What the bot sees of an action."""
    rows, codec = load_module("network", "rows"), match.game.codec
    actions = [aa.Action.FromString(codec.action(action)) for action in asked.legal]
    row = rows.rows(aa.View.FromString(codec.view(asked.view)), actions)[index]
    return dict(zip(rows.NAMES, np.frombuffer(row, np.int8).tolist(), strict=True))


# How it plays


@pytest.mark.slow
@pytest.mark.parametrize("options", MODES, ids=["simple", "advanced", "ceasefire"])
@pytest.mark.parametrize("opponent", ["greedy"])
def test_it_wins_most_of_the_same_deals_from_both_sides(opponent: str, options: Options) -> None:
    for seat in (0, 1):
        wins = 0
        for deal in range(20):
            players = [new_player(opponent, bot_seed(deal, each)) for each in (0, 1)]
            players[seat] = Alone()
            wins += play(entry, options, players, deal).outcome.places[seat] == 1
        assert wins >= 14  # the deals are fixed, so chance plays no part


@pytest.mark.process
def test_as_a_process_it_answers_a_batch_as_it_answers_single_decisions() -> None:
    asked = [pb.Decision(number=number, view=it.view, legal=it.legal) for number, it in enumerate(decisions()[:9], 1)]

    async def test(bot: Running) -> None:
        assert (await bot.stub.Describe(pb.DescribeRequest(), wait_for_ready=True)).max_batch == 1024
        stream = bot.stub.Play()
        starts = [pb.Part(match=match, match_start=pb.MatchStart()) for match in range(1, 10)]
        ready = (await ask(stream, pb.RefereeMessage(batch=pb.Batch(parts=starts)))).answers
        assert list(ready.ready) == list(range(1, 10))
        parts = [pb.Part(match=it.number, decision=it) for it in asked]
        answers = (await ask(stream, pb.RefereeMessage(batch=pb.Batch(parts=parts)))).answers
        assert list(answers.match) == list(answers.decision) == list(range(1, 10))
        assert (await ask(stream, pb.RefereeMessage(match_start=pb.MatchStart()))).HasField("ready")
        singly = [(await ask(stream, pb.RefereeMessage(decision=each))).choice.index for each in asked]
        assert list(answers.index) == singly
        ends = [pb.Part(match=match, match_end=pb.MatchEnd()) for match in range(1, 10)]
        await stream.write(pb.RefereeMessage(batch=pb.Batch(parts=ends)))  # it says nothing
        assert (await ask(stream, pb.RefereeMessage(match_start=pb.MatchStart()))).HasField("ready")
        assert (await bot.terminated()) == (-signal.SIGTERM, "")

    with_bot("network", test)


# How it is trained


def training() -> ModuleType:
    return load_training("network")


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script, for a few matches."""
    for name, value in (("ROUNDS", 2), ("BATCHES", 3), ("MATCHES", 3), ("IN_STEP", 2), ("HIDDEN", 2)):
        monkeypatch.setattr(training(), name, value)
    monkeypatch.setattr(training(), "ProcessPoolExecutor", ThreadPoolExecutor)
    return training()


def test_a_batch_has_the_chosen_actions_of_matches_that_ended_and_is_the_same_again(short: ModuleType) -> None:
    network = short.Student().network
    once, again, other = (short.played(network, batch) for batch in (0, 0, 3))
    assert all(map(np.array_equal, once, again))
    assert not np.array_equal(once.rows, other.rows)
    assert set(once.results.tolist()) == {1.0, -1.0}
    assert len(once.rows) == len(once.results) > 3 * 5


def test_what_it_learns_from_rows_together_does_not_hang_on_their_order(short: ModuleType) -> None:
    seen = short.played(short.Student().network, 0)
    order = np.random.default_rng(1).permutation(len(seen.rows))
    students = [short.Student(), short.Student()]
    for student, some in zip(students, (slice(None), order), strict=True):
        before = short.written(student.network)
        for _ in range(3):
            student._step(seen.rows[some].astype(np.float64), seen.results[some], 0.01)
        assert short.written(student.network) != before
    one, other = ((student._first._weights, student._second._weights) for student in students)
    assert all(map(np.array_equal, one, other))


def test_training_twice_writes_the_same_file(
    short: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "two"):
        short.main(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert capsys.readouterr().out.count("matches, mean squared error") == 4


@pytest.mark.leagues
@pytest.mark.timeout(1_800)
def test_training_writes_the_weights_that_the_bot_has_byte_for_byte(tmp_path: Path) -> None:
    subprocess.run([sys.executable, PYTHON_BOTS / "train_network.py", tmp_path / "weights.txt"], check=True)
    assert (tmp_path / "weights.txt").read_bytes() == load_module("network", "network").WEIGHTS.read_bytes()


@pytest.mark.leagues
@pytest.mark.process
@pytest.mark.parametrize("mode", ["simple", "advanced"])
def test_it_keeps_every_rule_of_conduct(mode: str) -> None:
    ended = referee_command("check", PYTHON_BOTS / "network", "--option", f"mode={mode}")
    assert (ended.code, "FAIL" in ended.out) == (0, False), ended.out
    assert "plays many matches at once as it plays them singly" in ended.out
