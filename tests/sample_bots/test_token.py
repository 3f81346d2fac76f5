"""The Python bots and the token that only the referee knows."""

import pytest
from referee_bot.v1 import bot_pb2 as pb

from tests.sample_bots.bots import NAMES
from tests.sample_bots.processes import Running, answers_only_who_brings, bearer, with_bot

pytestmark = pytest.mark.process

TOKEN = "6d1f"  # noqa: S105 - nobody else uses it


@pytest.mark.slow
@pytest.mark.parametrize("name", [*NAMES, "starter"])
def test_a_bot_with_a_token_answers_only_who_brings_it_and_stays_quiet(name: str) -> None:
    async def test(bot: Running) -> None:
        await answers_only_who_brings(TOKEN, bot)

    with_bot(name, test, REFEREE_TOKEN=TOKEN)


def test_a_bot_without_a_token_answers_everybody() -> None:
    async def test(bot: Running) -> None:
        assert (await bot.stub.Describe(pb.DescribeRequest(), wait_for_ready=True)).version == "1"
        assert (await bot.stub.Describe(pb.DescribeRequest(), metadata=bearer(TOKEN))).version == "1"

    with_bot("random", test)
