"""The bot `sampler`: it knows the rules of Inside Job, and plays whole matches by its time."""

from functools import partial
from random import Random
from types import ModuleType

import numpy as np
import pytest
from referee_bot.v1 import inside_job_pb2 as ij

from referee.games.inside_job.common import Laid
from referee.games.inside_job.missions import MISSIONS, holds
from referee.games.inside_job.options import Options
from referee.games.inside_job.pieces import DECK, SETUPS
from referee.games.inside_job.roles import ROLES, SPECIAL
from referee.games.inside_job.tricks import complete
from referee.wire.inside_job import entry
from tests.cli.command import referee as referee_command
from tests.sample_bots import inside_job_tables as tables
from tests.sample_bots.bots import PYTHON_BOTS, load_module
from tests.sample_bots.matches import Played, bot_seed, play

new_player = partial(tables.new_player, "sampler")


def module(name: str) -> ModuleType:
    return load_module("sampler", name)


# It knows the rules


@pytest.mark.parametrize("mission", MISSIONS)
def test_it_judges_many_tricks_as_the_rules_judge_each(mission: str) -> None:
    tricks, rng, it = module("tricks"), Random(3), MISSIONS[mission]
    sent = ij.Mission(id=it.id, trump=int(it.trump), condition=it.condition, numbers=it.numbers)  # type: ignore[arg-type]  # a Suit
    found = set[bool]()
    for seats in SETUPS:
        deals = [[Laid(drawn, rng.random() < 0.3) for drawn in rng.sample(DECK, seats)] for _ in range(60)]
        places = [
            tricks.Laid(
                np.array([tricks.card_of(deal[place].card) for deal in deals]),
                np.array([deal[place].wager for deal in deals]),
            )
            for place in range(seats)
        ]
        winner, done = tricks.judge(tricks.mission_of(sent), places)
        wholes = [complete(tuple(deal), mission) for deal in deals]
        assert winner.tolist() == [whole.winner for whole in wholes]
        assert done.tolist() == [holds(mission, whole) for whole in wholes]
        found.update(done.tolist())
    assert True in found


def test_it_has_the_numbers_of_the_box() -> None:
    outlook = module("outlook")
    for seats, setup in SETUPS.items():
        numbers = (outlook.HAND, outlook.TRICKS, outlook.MISSIONS, outlook.TOKENS)
        assert tuple(each[seats] for each in numbers) == (setup.hand, setup.tricks, setup.missions, setup.tokens)
    assert ROLES["prof_no"].reveals_at == outlook.WITH_PROF_NO


# Whole matches


def match_of(options: Options, seats: int, deal: int) -> Played:
    """A match of the bot against itself."""
    players = [new_player(seat, options, seats, bot_seed(deal, seat)) for seat in range(seats)]
    return play(entry, options, players, deal)


@pytest.mark.slow
@pytest.mark.parametrize("role", [role.id for role in SPECIAL])
def test_it_plays_every_special_role_and_the_same_match_alike(role: str) -> None:
    options = Options(roles=role, talk="every_trick")
    with np.errstate(all="raise", under="ignore"):
        match = match_of(options, 4, 2)
        assert match == match_of(options, 4, 2)
    assert role in match.last.roles


@pytest.mark.slow
@pytest.mark.parametrize("seats", SETUPS)
def test_it_plays_with_every_number_of_players(seats: int) -> None:
    with np.errstate(all="raise", under="ignore"):
        match = match_of(Options(), seats, 1)
    assert set(match.outcome.places) == {1, *match.outcome.places}


@pytest.mark.leagues
@pytest.mark.process
def test_it_keeps_every_rule_of_conduct_with_100_ms_for_a_move() -> None:
    ended = referee_command("check", PYTHON_BOTS / "sampler", "--move-ms", "100")
    assert (ended.code, "FAIL" in ended.out) == (0, False), ended.out
    assert "plays many matches at once as it plays them singly" in ended.out
