"""A player draws whole positions from what its seat was told alone; programs draw them for any seat."""

import copy
import pickle
from random import Random
from typing import Any

import numpy as np
import pytest

import referee
from referee.api.decisions import Decision
from referee.api.games import InstalledGame
from referee.api.matches import LocalMatch
from referee.core.game import Worlds
from referee.wire.codec import GameEntry
from tests.api.players import any_match, anyhow
from tests.auction import Auction, AuctionCodec, auction_header

with_worlds = pytest.mark.parametrize(
    "game", [name for name, game in referee.installed_games().items() if isinstance(game.rules, Worlds)]
)


@with_worlds
def test_a_player_draws_what_resample_draws_of_the_true_position(game: str) -> None:
    match = referee.start(game, referee.game(game).seats[0], seed="7")
    asked = []
    for decision in match:
        seed = decision.number
        world = decision.sample(Random(seed))
        assert world == match.game.resample(match.state, decision.seat, Random(seed))
        assert world == pickle.loads(pickle.dumps(decision)).sample(Random(seed))  # noqa: S301 - it is our own
        asked.append(decision)
        match.choose(anyhow(decision))
    replayed = [each.decision for each in referee.replay(match.transcript)]
    assert replayed == asked
    assert replayed[-1].sample(Random(1)) == asked[-1].sample(Random(1))


def test_samples_differ_and_are_the_same_for_the_same_random_numbers() -> None:
    decision = next(iter(referee.start("agent-avenue", 2, seed="7")))
    rng = Random(1)
    assert len({decision.sample(rng) for _ in range(20)}) == 20
    assert decision.sample(Random(3)) == decision.sample(Random(3))


def test_a_generator_of_numpy_will_do() -> None:
    decision = next(iter(referee.start("inside-job", 4, seed="7")))
    worlds = [decision.sample(np.random.default_rng(seed)) for seed in (1, 1, 2)]
    assert worlds[0] == worlds[1] != worlds[2]


def test_a_match_can_go_on_in_another_world() -> None:
    match = referee.start("inside-job", 4, seed="7")
    for decision in match:
        if decision.number == 3:
            break
        match.choose(anyhow(decision))
    world = match.game.resample(match.state, decision.seat, Random(1))
    other = referee.start("inside-job", 4, seed="8", state=world)
    assert next(iter(other)).legal == decision.legal
    for each in other:
        other.choose(anyhow(each))
    assert other.outcome.ending in match.game.endings


def test_nothing_that_is_hidden_is_in_a_decision() -> None:
    match = referee.start("inside-job", 4, seed="7")
    decision = next(iter(match))
    world = decision.sample(Random(5))
    again = LocalMatch(match.game, match.header, state=world)
    other = next(iter(again))
    for name in set(Decision.__struct_fields__) - {"heard", "past", "number"}:
        assert getattr(other, name) == getattr(decision, name)
    assert not vars(copy.copy(decision))


def test_a_game_of_another_package_may_have_no_resample() -> None:
    game = InstalledGame(GameEntry(Auction(), AuctionCodec()))
    match = LocalMatch(game, auction_header(2))
    next(iter(match))
    with pytest.raises(referee.WrongUse, match=r"^auction cannot resample; its rules have no `resample`"):
        game.resample(match.state, 0, Random(1))


@with_worlds
def test_at_the_end_of_a_match_there_are_other_worlds_too(game: str) -> None:
    match = any_match(game)
    world: Any = match.game.resample(match.state, 0, Random(1))
    assert match.game.rules.view(world, 0) == match.observe(0)
    assert match.game.rules.awaiting(world) == match.game.rules.awaiting(match.state)
