"""The Python sample bots as real processes, called over their socket."""

import signal

import grpc
import pytest
from grpc import aio
from referee_bot.v1 import agent_avenue_pb2 as aa
from referee_bot.v1 import bot_pb2 as pb

from tests.sample_bots.bots import (
    DAREDEVIL,
    ENFORCER,
    MOLE,
    NAMES,
    SABOTEUR,
    SENTINEL,
    decision,
    in_a_team,
    lays,
    legal_actions,
    position,
    takes,
)
from tests.sample_bots.processes import Running, Stream, ask, with_bot

pytestmark = pytest.mark.process

HAND = (ENFORCER, MOLE, SABOTEUR, SENTINEL)
OFFER = (aa.MARKET_CARD_SINISTER_TWIN, aa.MARKET_CARD_OUTPOST, aa.MARKET_CARD_SPYCATION)
PLAYS = [
    position(hand=HAND),
    position(hand=HAND, face_up=DAREDEVIL),
    position(hand=(DAREDEVIL, MOLE, ENFORCER, SENTINEL), own=(SENTINEL,), other=(DAREDEVIL,), lead=3),
]
TEAM, MARKET = in_a_team(position(hand=HAND)), position(hand=HAND, offer=OFFER)
ASKED = [*((view, legal_actions(view)) for view in PLAYS), (TEAM, lays(TEAM)), (MARKET, takes(MARKET))]
DECISIONS = [decision(view, legal, number) for number, (view, legal) in enumerate(ASKED, 1)]


async def play_match(stream: Stream) -> list[int]:
    """Plays a match of `DECISIONS` and returns the choices. Fails on an answer that the protocol does not allow."""
    start = pb.MatchStart(game="agent-avenue", seats=2, seed=bytes(range(16)))
    assert (await ask(stream, pb.RefereeMessage(match_start=start))).WhichOneof("body") == "ready"
    choices = []
    for asked in DECISIONS:
        choice = (await ask(stream, pb.RefereeMessage(decision=asked))).choice
        assert choice.decision == asked.number
        assert choice.HasField("index")
        assert choice.index < len(asked.legal)
        choices.append(choice.index)
    await stream.write(pb.RefereeMessage(match_end=pb.MatchEnd(ending="caught", places=[1, 2])))
    return choices


@pytest.mark.slow
@pytest.mark.parametrize(("name", "called"), [*zip(NAMES, NAMES, strict=True), ("starter", "starter-python")])
def test_a_bot_plays_the_same_match_alike_on_a_fresh_and_on_a_warm_process(name: str, called: str) -> None:
    async def test(bot: Running) -> None:
        about = await bot.stub.Describe(pb.DescribeRequest(), wait_for_ready=True)
        assert (about.name, about.version) == (called, "1")
        stream = bot.stub.Play()
        fresh = await play_match(stream)
        assert await play_match(stream) == fresh
        await stream.done_writing()
        assert await stream.read() is aio.EOF
        assert await stream.code() is grpc.StatusCode.OK
        assert await bot.terminated() == (-signal.SIGTERM, "")

    with_bot(name, test)


def test_sigterm_ends_a_bot_cleanly_while_a_stream_is_open() -> None:
    async def test(bot: Running) -> None:
        stream = bot.stub.Play(wait_for_ready=True)
        await play_match(stream)
        assert await bot.terminated() == (-signal.SIGTERM, "")

    with_bot("random", test)


def test_a_stream_that_the_referee_cancels_leaves_the_bot_quiet() -> None:
    async def test(bot: Running) -> None:
        stream = bot.stub.Play(wait_for_ready=True)
        await play_match(stream)
        stream.cancel()
        await bot.stub.Describe(pb.DescribeRequest())
        assert await bot.terminated() == (-signal.SIGTERM, "")

    with_bot("random", test)
