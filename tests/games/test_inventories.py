"""A lost piece is noticed. `test_every_game.py` tests that no piece is ever lost."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from referee.check.random_play import ChoiceStep, anyhow, walk
from referee.wire.registry import games

INSIDE_JOB = games()["inside-job"].game


def begun(name: str, **options: Any) -> Any:
    """The position at the first decision."""
    game = games()[name].game
    chosen = game.options_type(**options)
    steps = walk(game, chosen, game.seats(chosen)[0], anyhow, Random(1))
    return next(step.before for step in steps if isinstance(step, ChoiceStep))


@pytest.mark.parametrize(
    ("name", "options", "pieces"),
    [
        ("agent-avenue", {}, "deck"),
        ("agent-avenue", {"mode": "advanced"}, "pile"),
        ("agonia", {}, "deck"),
        ("agonia", {}, "pile"),
        ("inside-job", {}, "unseen"),
        ("inside-job", {"roles": "daredevil"}, "missions"),
        ("inside-job", {"roles": "wired,shady"}, "roles"),
    ],
)
def test_a_piece_that_is_lost_or_there_twice_is_noticed(name: str, options: dict[str, Any], pieces: str) -> None:
    game, state = games()[name].game, begun(name, **options)
    lying = getattr(state, pieces)
    assert game.is_whole(state)
    assert not game.is_whole(replace(state, **{pieces: lying[1:]}))
    assert not game.is_whole(replace(state, **{pieces: (*lying, lying[0])}))


@pytest.mark.parametrize("more", [-1, 1])
def test_a_token_too_few_or_too_many_is_noticed(more: int) -> None:
    state = begun("inside-job")
    common = replace(state.common, supply=state.common.supply + more)
    assert not INSIDE_JOB.is_whole(replace(state, common=common))
