"""What every bot of Inside Job should see: whom tokens help, and whom they harm."""

import pytest

from tests.games.inside_job.table import FOUR
from tests.sample_bots.inside_job_tables import chosen, last_to_play

pytestmark = pytest.mark.parametrize("bot", ["careful", "sampler"])


def test_the_insider_takes_the_tokens_that_win_and_prof_no_does_not(bot: str) -> None:
    hand = ("green 4", "green 6")
    assert chosen(bot, last_to_play(*FOUR[::-1], hand=hand, tokens=(1, 1, 1, 4)), 3) != "play green 4"
    with_prof_no = last_to_play("agent", "agent", "agent", "prof_no", hand=hand, tokens=(1, 1, 1, 3))
    assert chosen(bot, with_prof_no, 3) == "play green 4"


def test_the_wired_agent_leaves_the_trick_to_others(bot: str) -> None:
    table = last_to_play("insider", "agent", "agent", "wired", hand=("green 4", "green 6"), tokens=(1, 1, 1, 1))
    assert chosen(bot, table, 3) == "play green 4"
