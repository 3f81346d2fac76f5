"""The bot `careful`: it knows the rules of Inside Job from the proto alone, and plays every role."""

from collections import Counter
from functools import partial
from random import Random

import pytest
from referee_bot.v1 import inside_job_pb2 as ij

from referee.games.inside_job.common import Laid
from referee.games.inside_job.missions import MISSIONS, holds
from referee.games.inside_job.options import Options
from referee.games.inside_job.pieces import DECK, SETUPS
from referee.games.inside_job.roles import ROLES, SPECIAL
from referee.games.inside_job.tricks import complete
from referee.wire.inside_job import entry
from tests.sample_bots import inside_job_tables as tables
from tests.sample_bots.bots import load_module
from tests.sample_bots.matches import Played, bot_seed, play

new_player = partial(tables.new_player, "careful")


@pytest.mark.parametrize("mission", MISSIONS)
def test_it_judges_tricks_as_the_rules_do(mission: str) -> None:
    trick, rng, held = load_module("careful", "trick"), Random(3), Counter[bool]()
    it = MISSIONS[mission]
    sent = ij.Mission(id=it.id, trump=int(it.trump), condition=it.condition, numbers=it.numbers)  # type: ignore[arg-type]  # a Suit
    for number in range(600):
        cards = [(card, rng.random() < 0.3) for card in rng.sample(DECK, 3 + number % 3)]
        whole = complete(tuple(Laid(*card) for card in cards), mission)
        found = trick.result(trick.read(sent), [trick.Laid(*card) for card in cards])
        assert found == (whole.winner, holds(mission, whole), sum(whole.tokens))
        held[found.completed] += 1
    assert held[True]


def test_it_has_the_numbers_of_the_box() -> None:
    aims = load_module("careful", "aims")
    for seats, setup in SETUPS.items():
        assert (aims.TRICKS[seats], aims.MISSIONS[seats], aims.TOKENS[seats]) == (
            setup.tricks,
            setup.missions,
            setup.tokens,
        )
    assert ROLES["prof_no"].reveals_at == aims.WITH_PROF_NO
    assert set(aims.AIMS) < set(ROLES)


def match_of(options: Options, seats: int, deal: int) -> Played:
    """A match of `careful` against itself."""
    players = [new_player(seat, options, seats, bot_seed(deal, seat)) for seat in range(seats)]
    return play(entry, options, players, deal)


@pytest.mark.slow
@pytest.mark.parametrize("role", [role.id for role in SPECIAL])
def test_it_plays_every_special_role_and_the_same_match_alike(role: str) -> None:
    options = Options(roles=role, talk="every_trick")
    match = match_of(options, 4, 2)
    assert match == match_of(options, 4, 2)
    assert role in match.last.roles
