"""The Python bots and the token that only the referee knows."""

from collections.abc import Awaitable

import grpc
import pytest
from grpc import aio
from referee_bot.v1 import bot_pb2 as pb

from tests.sample_bots.bots import NAMES
from tests.sample_bots.processes import Running, ask, with_bot

pytestmark = pytest.mark.process

RIGHT = (("authorization", "Bearer 6d1f"),)
WRONG = [
    (),
    (("authorization", "Bearer 6d1e"),),
    (("authorization", "Bearer 6d1"),),
    (("authorization", "6d1f"),),
    (("authorization", "Bearer "),),
]
START = pb.RefereeMessage(match_start=pb.MatchStart(game="agent-avenue", seats=2, seed=bytes(16)))


async def refused(call: Awaitable[object]) -> bool:
    """Whether a call is refused for want of the token."""
    with pytest.raises(aio.AioRpcError) as error:
        await call
    return error.value.code() is grpc.StatusCode.UNAUTHENTICATED


@pytest.mark.parametrize("name", [*NAMES, "starter"])
def test_a_bot_with_a_token_answers_only_who_brings_it_and_stays_quiet(name: str) -> None:
    async def test(bot: Running) -> None:
        for metadata in WRONG:
            assert await refused(bot.stub.Describe(pb.DescribeRequest(), metadata=metadata, wait_for_ready=True))
            assert await refused(bot.stub.Play(metadata=metadata).read())
        assert (await bot.stub.Describe(pb.DescribeRequest(), metadata=RIGHT)).version == "1"
        assert (await ask(bot.stub.Play(metadata=RIGHT), START)).HasField("ready")
        assert await bot.terminated() == (0, "")

    with_bot(name, test, REFEREE_TOKEN="6d1f")  # noqa: S106 - nobody else uses it


def test_a_bot_without_a_token_answers_everybody() -> None:
    async def test(bot: Running) -> None:
        assert (await bot.stub.Describe(pb.DescribeRequest(), wait_for_ready=True)).version == "1"
        assert (await bot.stub.Describe(pb.DescribeRequest(), metadata=RIGHT)).version == "1"

    with_bot("random", test)
