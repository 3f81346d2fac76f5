"""A bot that does not think, served by gRPC's own library: it answers every question with the first action.

It is the floor of every figure about bots. It costs as little as this library allows.
"""

import asyncio
import sys
from collections.abc import AsyncIterator

import grpc.aio
from referee_bot.v1 import bot_pb2

READY = bot_pb2.BotMessage(ready=bot_pb2.Ready()).SerializeToString()
_START_TAG, _DECISION_TAG, _BATCH_TAG = 0x0A, 0x12, 0x22  # the first byte of a RefereeMessage says which one it is


def choice(decision: int) -> bytes:
    """The answer to `decision`: its first action."""
    return bot_pb2.BotMessage(choice=bot_pb2.Choice(decision=decision, index=0)).SerializeToString()


def answers(message: bytes) -> bytes:
    """The answers to a batch: the first action of each decision. Empty if nothing is asked."""
    said = bot_pb2.Answers()
    for part in bot_pb2.RefereeMessage.FromString(message).batch.parts:
        body = part.WhichOneof("body")
        if body == "decision":
            said.match.append(part.match)
            said.decision.append(part.decision.number)
        elif body == "match_start":
            said.ready.append(part.match)
    said.index.extend([0] * len(said.match))
    return bot_pb2.BotMessage(answers=said).SerializeToString() if said.match or said.ready else b""


async def _describe(_: bytes, __: grpc.aio.ServicerContext[bytes, bytes]) -> bytes:
    return bot_pb2.DescribeResponse(name="echo", version="1", games=["*"], max_batch=1024).SerializeToString()


async def _play(requests: AsyncIterator[bytes], _: grpc.aio.ServicerContext[bytes, bytes]) -> AsyncIterator[bytes]:
    number = 0
    async for message in requests:
        if message[0] == _DECISION_TAG:
            number += 1
            yield choice(number)
        elif message[0] == _START_TAG:
            number = 0
            yield READY
        elif message[0] == _BATCH_TAG and (said := answers(message)):
            yield said


async def serve(address: str) -> None:
    """Serve on `address` until the process is ended."""
    server = grpc.aio.server()
    handlers: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
        "Describe": grpc.unary_unary_rpc_method_handler(_describe),
        "Play": grpc.stream_stream_rpc_method_handler(_play),
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("referee_bot.v1.Bot", handlers),))
    server.add_insecure_port(address)
    await server.start()
    await server.wait_for_termination()


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1]))
